import { sleep } from '../server/timeout'

/** How long a render waits for the backend before a warm-up begins, in milliseconds. */
const patience = 4

/** The routes whose code has run in this isolate. */
const warm = new Set<string>()

/** The backend of one render, which notes the first call and the first answer. */
export class WatchedBackend {
  /** Resolves when the render calls the backend. */
  readonly called: Promise<void>
  /** Whether a call has ended, also by an error. */
  isAnswered = false
  readonly fetch: typeof fetch

  constructor(backendFetch: typeof fetch) {
    let call = () => {}
    this.called = new Promise((resolve) => {
      call = resolve
    })
    this.fetch = async (input, init) => {
      call()
      try {
        return await backendFetch(input, init)
      } finally {
        this.isAnswered = true
      }
    }
  }
}

/**
 * Runs the code of a route once while its first render in this isolate waits for the backend. Most of the time
 * of a first render is the compilation of its code, which then is done before the answers arrive. `load` loads the
 * code, as the render does too; `run` renders the page with `ExampleData`, and its result is discarded. Nothing happens
 * if the backend has answered when the code is loaded.
 */
export async function warmUp(
  id: string,
  backend: Pick<WatchedBackend, 'called' | 'isAnswered'>,
  load: () => Promise<unknown>,
  run: () => Promise<unknown>,
): Promise<void> {
  if (warm.has(id)) return
  warm.add(id)
  await backend.called
  try {
    // The requests leave before the code is loaded.
    await sleep(patience)
    await load()
    await sleep(patience)
    if (!backend.isAnswered) await run()
  } catch {
    // The render itself reports its errors.
  }
}
