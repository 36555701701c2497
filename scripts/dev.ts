/** `npm run dev`: the embedded backend (unless SUPABASE_URL names another) and Vite's dev server, hot. */
import { createServer } from 'vite'
import { startEmbedded } from '../supabase/embedded/embedded.ts'
import { readVariables } from './variables.ts'

const port = Number(process.env.PORT ?? 8787)
const variables = readVariables()
const siteUrl = variables.SITE_URL ?? `http://127.0.0.1:${port}`

const backend = variables.SUPABASE_URL
  ? null
  : await startEmbedded({
      dataDir: process.env.DATA_DIR ?? '.data',
      databaseUrl: process.env.DATABASE_URL,
      port: Number(process.env.SUPABASE_PORT ?? 54321),
      mailPort: Number(process.env.MAIL_PORT ?? 54324),
      siteUrl,
    })
Object.assign(process.env, variables, { SITE_URL: siteUrl })
if (backend) {
  process.env.SUPABASE_URL = backend.url
  process.env.SUPABASE_PUBLISHABLE_KEY = backend.publishableKey
  console.log(`mailbox ${backend.mailUrl}`)
}
const server = await createServer({ server: { host: '127.0.0.1', port, strictPort: true } })
await server.listen()
console.log(`ready ${siteUrl}`)

const stop = async () => {
  await server.close()
  await backend?.close()
  process.exit(0)
}
process.once('SIGINT', stop)
process.once('SIGTERM', stop)
