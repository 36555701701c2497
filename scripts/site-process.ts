/**
 * Runs the site in a child process. On a signal, miniflare ends its process immediately, and this must not
 * happen to the process that has the database open. When one of the two processes ends, the other stops.
 */
import { fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Served, type ServeOptions, serve } from './serve.ts'

/** `schedules`: whether the site runs its scheduled work. */
type Order = Pick<ServeOptions, 'port' | 'variables' | 'checkpoints'> & { schedules: boolean }
type Answer = { url: string } | { error: string }

/**
 * Serves the site in a child process, which writes the worker's log to this process's output. Calls `onEnd`
 * after the child has ended. Throws the child's error if the site cannot start.
 */
export function serveApart(order: Order, onEnd: () => void): Promise<Pick<Served, 'url' | 'close'>> {
  const child = fork(fileURLToPath(import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const close = () => {
    if (child.connected) child.disconnect()
    return ended
  }
  child.send(order)
  return new Promise((resolve, reject) => {
    child.once('message', (answer: Answer) => {
      if ('error' in answer) reject(new Error(answer.error))
      else resolve({ url: answer.url, close })
    })
    ended.then(onEnd)
  })
}

/**
 * Runs the worker's scheduled work every minute, as the platform does. A run that takes longer than a minute
 * delays the next run, so runs never overlap.
 */
async function runEachMinute(run: () => Promise<void>): Promise<never> {
  for (;;) {
    await run().catch((error: Error) => console.error(`A scheduled job failed: ${error.message}`))
    await sleep(60_000 - (Date.now() % 60_000))
  }
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url)) {
  process.once('message', async (order: Order) => {
    const { schedules, ...options } = order
    const serving = serve(options)
    // The parent process may end before the site is ready.
    process.once('disconnect', async () => {
      await serving.then(({ close }) => close()).catch(() => {})
      process.exit(0)
    })
    try {
      const { url, runSchedule } = await serving
      if (!process.connected) return
      if (schedules) void runEachMinute(runSchedule)
      process.send?.({ url } satisfies Answer)
    } catch (error) {
      if (process.connected)
        process.send?.({ error: (error as Error).message } satisfies Answer, () => process.exit(1))
    }
  })
}
