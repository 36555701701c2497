/** `npm run dev`: the embedded backend (unless SUPABASE_URL names another) and Vite's dev server with hot reload. */
import { createServer } from 'vite'
import { startEmbedded } from '../supabase/embedded/embedded.ts'
import { onParentExit } from '../supabase/embedded/parent.ts'
import { assertFree } from './free-port.ts'
import { enterProject } from './project.ts'
import { readStartOptions } from './variables.ts'
import { bindWorkerd } from './workerd.ts'

async function start(): Promise<void> {
  enterProject()
  const { port, siteUrl, variables, backend: options } = await readStartOptions()
  await assertFree(port, 'PORT')
  bindWorkerd()
  const backend = options && (await startEmbedded({ ...options, siteUrl }))
  Object.assign(process.env, variables, { SITE_URL: siteUrl })
  if (backend) {
    process.env.SUPABASE_URL = backend.url
    process.env.SUPABASE_PUBLISHABLE_KEY = backend.publishableKey
    // Verifies an operator's notification that the ledger has changed.
    process.env.SUPABASE_SECRET_KEY = backend.secretKey
    console.log(`emails   ${backend.mailUrl}`)
  }
  const server = await createServer({ server: { host: '127.0.0.1', port, strictPort: true } })
  await server.listen()
  console.log(`ready ${siteUrl}`)

  const stop = async () => {
    await server.close()
    await backend?.close()
    process.exit(0)
  }
  // Miniflare's and Vite's own listeners end the process at once, while the database is open.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.removeAllListeners(signal).once(signal, stop)
  onParentExit(stop)
}

start().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
