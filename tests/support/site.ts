import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../scripts/free-port.ts'
import { serve } from '../../scripts/serve.ts'
import { demoVariables } from '../../supabase/embedded/demo.ts'
import { type EmbeddedBackend, startEmbedded } from '../../supabase/embedded/embedded.ts'

export interface Site {
  url: string
  /** Every line that the worker printed. */
  log: string[]
  /** Sends a request to the worker under any URL, for example https. */
  dispatch(url: string, init?: RequestInit): Promise<Response>
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

/**
 * The production build in workerd, in front of a backend that may or may not be there. All visitors of a test come
 * from one address, so the rate limits are off unless they are tested; so is the minimum time of responses.
 */
export async function startSite(
  backend: { url: string; publishableKey: string },
  more = {},
  { limits = false, siteUrl }: { limits?: boolean; siteUrl?: string } = {},
): Promise<Site> {
  const { lines, keep } = keepLines()
  const start = (port: number) =>
    serve({
      port,
      limits,
      print: keep,
      variables: {
        SITE_URL: siteUrl ?? `http://127.0.0.1:${port}`,
        SUPABASE_URL: backend.url,
        SUPABASE_PUBLISHABLE_KEY: backend.publishableKey,
        MINIMUM_RESPONSE_MS: '0',
        ...more,
      },
    })
  // A project that is not ours mails links to an address that it knows: the site must listen there.
  const site = await (siteUrl ? start(Number(new URL(siteUrl).port)) : atFreePort(start))
  return { ...site, url: siteUrl ?? site.url, log: lines }
}

export interface SiteWithBackend extends Site {
  backend: EmbeddedBackend
}

interface Options {
  confirmations?: boolean
  demo?: boolean
  limits?: boolean
  /** More variables of the worker. */
  variables?: Record<string, string>
}

/** A site of its own on an embedded backend of its own, with an empty database. */
export function startSiteWithBackend({
  limits = false,
  variables: more = {},
  ...options
}: Options = {}): Promise<SiteWithBackend> {
  return atFreePort(async (port) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'goodblock-'))
    // Mailed links lead to the site, so its address is settled before the backend starts.
    const url = `http://127.0.0.1:${port}`
    const { lines, keep } = keepLines()
    const backend = await startEmbedded({
      dataDir,
      port: 0,
      mailPort: 0,
      siteUrl: url,
      log: keep,
      ...options,
    })
    const end = async () => {
      await backend.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
    const variables = {
      SITE_URL: url,
      SUPABASE_URL: backend.url,
      SUPABASE_PUBLISHABLE_KEY: backend.publishableKey,
      MINIMUM_RESPONSE_MS: '0',
      ...(options.demo && demoVariables),
      ...more,
    }
    try {
      const site = await serve({ port, limits, print: keep, variables })
      return { ...site, url, log: lines, backend, close: () => site.close().then(end) }
    } catch (error) {
      await end()
      throw error
    }
  })
}

/** Between the moment that a port is found free and the one that it is used, another process may take it. */
async function atFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(await freePort())
    } catch (error) {
      if (attempt === 3) throw error
    }
  }
}
