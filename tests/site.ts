import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../scripts/free-port.ts'
import { serve } from '../scripts/serve.ts'
import { type EmbeddedBackend, startEmbedded } from '../supabase/embedded.ts'

export interface Site {
  url: string
  /** Every line that the worker printed. */
  log: string[]
  /** Runs the worker's schedule once. */
  runSchedule(): Promise<void>
  close(): Promise<void>
}

/** The production build in workerd, in front of a backend that may or may not be there. */
export async function startSite(backend: { url: string; publishableKey: string }, more = {}): Promise<Site> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const log: string[] = []
  const { close, runSchedule } = await serve({
    port,
    print: (line) => log.push(line),
    variables: {
      SITE_URL: url,
      SUPABASE_URL: backend.url,
      SUPABASE_PUBLISHABLE_KEY: backend.publishableKey,
      ...more,
    },
  })
  return { url, log, runSchedule, close }
}

export interface SiteWithBackend extends Site {
  backend: EmbeddedBackend
}

/** A site of its own on an embedded backend of its own, with an empty database. */
export async function startSiteWithBackend(options: { confirmations?: boolean; demo?: boolean } = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'goodblock-'))
  // Mailed links lead to the site, so its address is settled before the backend starts.
  const port = await freePort()
  const siteUrl = `http://127.0.0.1:${port}`
  const said: string[] = []
  const log = (line: string) => said.push(line)
  const backend = await startEmbedded({ dataDir, port: 0, mailPort: 0, siteUrl, log, ...options })
  const site = await serve({
    port,
    print: log,
    variables: {
      SITE_URL: siteUrl,
      SUPABASE_URL: backend.url,
      SUPABASE_PUBLISHABLE_KEY: backend.publishableKey,
      DEMO: options.demo ? '1' : '0',
    },
  })
  const close = async () => {
    await site.close()
    await backend.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { url: siteUrl, log: said, runSchedule: site.runSchedule, backend, close } satisfies SiteWithBackend
}
