import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
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

/** Keeps each line, and writes it to the file that SITE_LOG names too, for sites that several processes start. */
function keepLines() {
  const lines: string[] = []
  const file = process.env.SITE_LOG
  const keep = (line: string) => {
    lines.push(line)
    if (file) appendFileSync(file, `${line}\n`)
  }
  return { lines, keep }
}

/** The production build in workerd, in front of a backend that may or may not be there. */
export async function startSite(backend: { url: string; publishableKey: string }, more = {}): Promise<Site> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { lines, keep } = keepLines()
  const { close, runSchedule } = await serve({
    port,
    print: keep,
    variables: {
      SITE_URL: url,
      SUPABASE_URL: backend.url,
      SUPABASE_PUBLISHABLE_KEY: backend.publishableKey,
      ...more,
    },
  })
  return { url, log: lines, runSchedule, close }
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
  const { lines, keep } = keepLines()
  const backend = await startEmbedded({ dataDir, port: 0, mailPort: 0, siteUrl, log: keep, ...options })
  const site = await serve({
    port,
    print: keep,
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
  return { url: siteUrl, log: lines, runSchedule: site.runSchedule, backend, close } satisfies SiteWithBackend
}
