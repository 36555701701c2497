/**
 * `npm start` and `npm run demo`: builds the site, starts the embedded backend (unless SUPABASE_URL names
 * another backend), and serves the production build in workerd until the process is stopped.
 */

import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isLoopback, isPublicIp } from '../app/platform/server/outside-url.ts'
import { brand } from '../app/platform/site.ts'
import { demoMember } from '../supabase/embedded/demo.ts'
import { variablesOfDemo } from '../supabase/embedded/demo-chain.ts'
import { demoLogKey } from '../supabase/embedded/demo-ledger.ts'
import { payDemo, playDemo } from '../supabase/embedded/demo-live.ts'
import { demoAppKey, demoOperators } from '../supabase/embedded/demo-operators.ts'

import { type EmbeddedBackend, startEmbedded } from '../supabase/embedded/embedded.ts'

import { mailboxVariables } from '../supabase/embedded/mailbox.ts'
import { onParentExit } from '../supabase/embedded/parent.ts'
import { redact } from '../supabase/embedded/redaction.ts'
import { build } from './build.ts'
import { assertFree } from './free-port.ts'
import { tellSite } from './ledger-changed.ts'
import { enterProject } from './project.ts'
import type { Served } from './serve.ts'
import { serveApart } from './site-process.ts'
import { readStartOptions } from './variables.ts'

const demo = process.argv.includes('--demo')
/** `npm run demo -- --live`: the demonstration changes while it runs. */
const live = process.argv.includes('--live')
/** `npm start -- --schedule`: also runs the scheduled work of a hosted backend. */
const schedule = process.argv.includes('--schedule')
const stopped = new AbortController()

/** The name of this program in the lease of the schedule: the same after a restart, another on another machine. */
function schedulerOf(port: number, dataDir: string | undefined): string {
  return `${brand} on ${hostname()}, ${dataDir ? resolve(dataDir) : `port ${port}`}`
}

let backend: EmbeddedBackend | undefined
let site: Pick<Served, 'url' | 'close'> | undefined

async function stop(code: number): Promise<never> {
  if (!stopped.signal.aborted) {
    stopped.abort()
    await site?.close()
    await backend?.close()
    process.exit(code)
  }
  return new Promise(() => {})
}

/**
 * Waits until the pages with figures are answered with them: the first reads of a database take seconds on a busy
 * machine, and a page without its figures has no ETag. Another status is an answer too, such as the redirect to another
 * host.
 */
async function awaitFigures(url: string): Promise<void> {
  for (const path of ['/', '/transparency'])
    for (let look = 0; look < 30; look++) {
      const { status, headers } = await fetch(url + path, { redirect: 'manual', signal: stopped.signal })
      if (headers.has('ETag') || (status !== 200 && status < 500)) break
      await sleep(1_000, null, { signal: stopped.signal })
    }
}

async function start(): Promise<void> {
  enterProject()
  if (live && !demo) throw new Error('--live works with the demo only: npm run demo -- --live')
  const { port, siteUrl, variables, backend: options } = await readStartOptions({ demo })
  await assertFree(port, 'PORT')
  await build(stopped.signal)
  if (options) {
    backend = await startEmbedded({ ...options, siteUrl, demo })
    variables.SUPABASE_URL = backend.url
    variables.SUPABASE_PUBLISHABLE_KEY = backend.publishableKey
    variables.SUPABASE_SECRET_KEY = backend.secretKey
    // What the demonstration's operators publish is signed with the key of its first checkpoints.
    variables.LOG_KEY ??= demo ? demoLogKey : backend.logKey
    if (!variables.MAIL_API_KEY) Object.assign(variables, mailboxVariables(backend.mailUrl))
    console.log(`data     ${options.dataDir}`)
    console.log(`emails   ${backend.mailUrl}`)
  }
  console.log(`backend  ${variables.SUPABASE_URL}`)
  // The keys may be those of production, whose own schedule signs and pays.
  const schedules = schedule || options !== null || isLoopback(variables.SUPABASE_URL ?? '')
  if (!schedules)
    console.log('schedule off: the backend is hosted. npm start -- --schedule reads, signs and pays for it.')
  const order = {
    port,
    schedules,
    variables: {
      ...variables,
      ...{ SITE_URL: siteUrl, DEMO: '0', SCHEDULER: schedulerOf(port, options?.dataDir) },
      ...(demo && variablesOfDemo(variables.SUPABASE_URL ?? '')),
    },
    // Outside the data folder, so that a restored copy of the folder restores no older checkpoint.
    ...(options && !demo && { checkpoints: `${resolve(options.dataDir)}-checkpoints` }),
  }
  site = await serveApart(order, () => {
    if (!stopped.signal.aborted) console.error('The site stopped unexpectedly.')
    void stop(1)
  })
  if (backend) await awaitFigures(site.url)
  if (demo) {
    console.log(`member   ${demoMember.email} / ${demoMember.password}`)
    const emails = demoOperators.map(({ email }) => email).join(' and ')
    console.log(`operator ${emails} / ${demoMember.password}, key of the authenticator app ${demoAppKey}`)
  }
  if (isPublicIp(siteUrl))
    console.log('SITE_URL is an IP address: the hosted auth service refuses sign-in with a wallet there.')
  console.log(`${brand} is running: ${siteUrl}  ·  press Ctrl-C to stop`)
  console.log(`ready http://127.0.0.1:${port}`)
  if (demo && backend) {
    const target = { SITE_URL: siteUrl, SUPABASE_SECRET_KEY: backend.secretKey }
    const changed = async () => {
      const fault = await tellSite(target)
      if (fault) console.error(fault)
    }
    const { sql } = backend
    await Promise.all([payDemo(sql, changed, stopped.signal), live && playDemo(sql, changed, stopped.signal)])
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(0))
onParentExit(() => stop(0))

// Node's own error report would print the parameters of a failed query.
process.on('uncaughtException', (error: Error) => {
  console.error(redact(error, 'none'))
  void stop(1)
})

start().catch((error: Error) => {
  if (!stopped.signal.aborted) console.error(error.message)
  void stop(1)
})
