/**
 * `npm start` and `npm run demo`: builds, starts the embedded backend (unless SUPABASE_URL names another) and
 * serves the production build in workerd, until it is told to stop.
 */

import { demoMember, demoVariables } from '../supabase/embedded/demo.ts'
import { type EmbeddedBackend, startEmbedded } from '../supabase/embedded/embedded.ts'
import { redact } from '../supabase/embedded/redaction.ts'
import { build } from './build.ts'
import { assertFree } from './free-port.ts'
import type { Served } from './serve.ts'
import { serveApart } from './site-process.ts'
import { readVariables } from './variables.ts'

const demo = process.argv.includes('--demo')
const port = Number(process.env.PORT ?? 8787)
const variables = readVariables()
const siteUrl = variables.SITE_URL ?? `http://127.0.0.1:${port}`
const parent = process.ppid

let backend: EmbeddedBackend | undefined
let site: Pick<Served, 'close'> | undefined
let stopping = false

async function stop(code: number): Promise<never> {
  if (!stopping) {
    stopping = true
    await site?.close()
    await backend?.close()
    process.exit(code)
  }
  return new Promise(() => {})
}

async function start(): Promise<void> {
  if (demo && variables.SUPABASE_URL)
    throw new Error('The demonstration runs on the embedded backend only. Unset SUPABASE_URL.')
  await assertFree(port, 'PORT')
  build()
  if (!variables.SUPABASE_URL) {
    const dataDir = process.env.DATA_DIR ?? (demo ? '.data-demo' : '.data')
    backend = await startEmbedded({
      dataDir,
      databaseUrl: process.env.DATABASE_URL,
      port: Number(process.env.SUPABASE_PORT ?? 54321),
      mailPort: Number(process.env.MAIL_PORT ?? 54324),
      siteUrl,
      confirmations: process.env.CONFIRM_EMAIL === '1',
      demo,
    })
    variables.SUPABASE_URL = backend.url
    variables.SUPABASE_PUBLISHABLE_KEY = backend.publishableKey
    variables.SUPABASE_SECRET_KEY = backend.secretKey
    variables.LEDGER_HEAD_KEY ??= backend.headKey
    console.log(`data     ${dataDir}`)
    console.log(`mailbox  ${backend.mailUrl}`)
  }
  console.log(`backend  ${variables.SUPABASE_URL}`)
  const order = {
    port,
    variables: { ...variables, SITE_URL: siteUrl, DEMO: '0', ...(demo && demoVariables) },
    // The demonstration is finished as it is, and asks nobody.
    scheduled: !demo && Boolean(variables.SUPABASE_SECRET_KEY),
  }
  site = await serveApart(order, () => stop(1))
  if (demo) console.log(`member   ${demoMember.email} / ${demoMember.password}`)
  console.log(`site     ${siteUrl}`)
  console.log(`ready http://127.0.0.1:${port}`)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(0))
// npm does not always pass a signal on: without our parent we have nobody to run for.
setInterval(() => {
  if (process.ppid !== parent) void stop(0)
}, 500).unref()

// Node would print what a failed query was given.
process.on('uncaughtException', (error: Error) => {
  console.error(redact(error, 'none'))
  void stop(1)
})

start().catch((error: Error) => {
  console.error(error.message)
  void stop(1)
})
