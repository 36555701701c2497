/** `npm run dev`: the embedded backend (unless SUPABASE_URL names another) and Vite's server. */
import { createServer, type ViteDevServer } from 'vite'
import { type EmbeddedBackend, startEmbedded } from '../supabase/embedded/embedded.ts'
import { mailboxVariables } from '../supabase/embedded/mailbox.ts'
import { onParentExit } from '../supabase/embedded/parent.ts'
import { assertFree } from './free-port.ts'
import { enterProject } from './project.ts'
import { readStartOptions } from './variables.ts'
import { bindWorkerd } from './workerd.ts'

let backend: EmbeddedBackend | null | undefined
let server: ViteDevServer | undefined
let isStopping = false

/** Closes the dev server and the embedded backend, then ends the process. A second call has no effect. */
async function stop(): Promise<void> {
  if (isStopping) return
  isStopping = true
  await server?.close()
  await backend?.close()
  process.exit(0)
}

/**
 * Handles the signals that stop the process. Removes the listeners of Miniflare and Vite, because they would
 * end the process while the database is open.
 */
function stopAtSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.removeAllListeners(signal).on(signal, stop)
}

async function start(): Promise<void> {
  enterProject()
  const { port, siteUrl, variables, backend: options } = await readStartOptions()
  await assertFree(port, 'PORT')
  bindWorkerd()
  stopAtSignals()
  onParentExit(stop)
  backend = options && (await startEmbedded({ ...options, siteUrl }))
  Object.assign(process.env, variables, { SITE_URL: siteUrl })
  if (backend) {
    process.env.SUPABASE_URL = backend.url
    process.env.SUPABASE_PUBLISHABLE_KEY = backend.publishableKey
    // The worker verifies the requests of operators' commands with this key.
    process.env.SUPABASE_SECRET_KEY = backend.secretKey
    if (!process.env.MAIL_API_KEY) Object.assign(process.env, mailboxVariables(backend.mailUrl))
    console.log(`emails   ${backend.mailUrl}`)
  }
  server = await createServer({ server: { host: '127.0.0.1', port, strictPort: true } })
  stopAtSignals()
  await server.listen()
  console.log(`ready ${siteUrl}`)
}

start().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
