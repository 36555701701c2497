import { setTimeout as sleep } from 'node:timers/promises'
import { builtModules } from '../../scripts/build.ts'
import { freePort } from '../../scripts/free-port.ts'
import { type Backend, member } from './backend.ts'
import { startWorkerd, type Worker } from './workerd.ts'

/** Serves the production build. `siteUrl` is the origin of the site if a proxy is in front of it. */
export async function startSite(
  backend: Pick<Backend, 'url'>,
  options: { siteUrl?: string; variables?: Record<string, string> } & Pick<
    Parameters<typeof startWorkerd>[0],
    'heap' | 'port' | 'first' | 'headers' | 'form' | 'cachePort'
  > = {},
): Promise<Worker> {
  const { siteUrl, variables, port = await freePort(), ...others } = options
  return startWorkerd({
    modules: builtModules(),
    port,
    live: true,
    ...others,
    variables: {
      SITE_URL: siteUrl ?? `http://127.0.0.1:${port}`,
      SUPABASE_URL: backend.url,
      SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_bench',
      ...variables,
    },
  })
}

/**
 * Loads a page into the cache. Throws if the cache does not store the page, for example because the backend's
 * rows lack a column that the page needs.
 */
export async function warm(site: Pick<Worker, 'url'>, path: string): Promise<void> {
  // A stale page is rendered again only after its response, so the first responses may not be hits.
  for (let attempts = 0; attempts < 20; attempts += 1) {
    const response = await fetch(site.url + path)
    await response.text()
    if (response.headers.get('Server-Timing') === 'cache;desc=hit') return
    await sleep(50)
  }
  throw new Error(`the cache did not store ${path}`)
}

/** The form with which the member signs in. */
export const credentials = new URLSearchParams({
  intent: 'sign-in',
  email: member.email,
  password: member.password,
})

/** Signs the member in through the site's form. Returns the session cookie as a browser sends it back. */
export async function signIn(site: Pick<Worker, 'url'>): Promise<string> {
  const response = await fetch(`${site.url}/auth`, {
    method: 'POST',
    body: credentials,
    redirect: 'manual',
    headers: { Origin: site.url },
  })
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
  return cookies.filter((cookie) => cookie.startsWith('sb-')).join('; ')
}

/** Starts a worker that only returns a text, and has these other modules. */
export async function startBare({
  'index.js': _,
  ...unused
}: ReturnType<typeof builtModules> = {}): Promise<Worker> {
  return startWorkerd({
    modules: { 'index.js': `export default { fetch: () => new Response('ok') }`, ...unused },
  })
}

/** Returns the milliseconds until the last byte of all these pages, requested in turn. */
export async function timePages(
  { url }: Pick<Worker, 'url'>,
  paths: string[],
  headers: Record<string, string> = {},
): Promise<number> {
  const startedAt = performance.now()
  for (const path of paths) {
    const response = await fetch(url + path, { headers, redirect: 'manual' })
    const { length } = await response.text()
    if (response.status !== 200 || length < 100) throw new Error(`${path}: ${response.status}`)
  }
  return performance.now() - startedAt
}
