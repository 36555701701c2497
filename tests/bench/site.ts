import { setTimeout as sleep } from 'node:timers/promises'
import { builtModules } from '../../scripts/build.ts'
import { freePort } from '../../scripts/free-port.ts'
import { type Backend, member } from './backend.ts'
import { startWorkerd, type Worker } from './workerd.ts'

/** Serves the production build. `siteUrl` is the origin of the site if a proxy is in front of it. */
export async function startSite(
  backend: Pick<Backend, 'url'>,
  options: {
    siteUrl?: string
    variables?: Record<string, string>
  } & Pick<
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

/** Signs the member in through the site's form. */
export function postCredentials(site: Pick<Worker, 'url'>): Promise<Response> {
  return fetch(`${site.url}/auth`, {
    method: 'POST',
    body: credentials,
    redirect: 'manual',
    headers: { Origin: site.url },
  })
}

/** Returns the cookies that a response sets, as a browser sends them back. */
export function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .filter((cookie) => !/Max-Age=0/i.test(cookie))
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

/** Returns only the session cookie: the first page consumes the toast of the sign-in. */
export async function signIn(site: Pick<Worker, 'url'>): Promise<string> {
  const cookies = cookiesOf(await postCredentials(site)).split('; ')
  return cookies.filter((cookie) => cookie.startsWith('sb-')).join('; ')
}

/** Starts a worker that only returns the body and the headers of `answer`. */
export async function startBare(
  answer: Response,
  { 'index.js': _, ...unused }: ReturnType<typeof builtModules> = {},
): Promise<Worker> {
  const body = await answer.text()
  const headers = Object.fromEntries(
    [...answer.headers].filter(([name]) => name !== 'transfer-encoding' && name !== 'content-length'),
  )
  return startWorkerd({
    modules: {
      'index.js': `const body = new TextEncoder().encode(${JSON.stringify(body)})
const headers = new Headers(${JSON.stringify(headers)})
export default { fetch: () => new Response(body, { headers }) }`,
      ...unused,
    },
  })
}

/**
 * Session cookies of `count` members, made from the session cookie of one member. Public pages read a session
 * without verifying it, so the tokens need no valid signature.
 */
export function memberCookies(cookie: string, count: number): string[] {
  const [name = '', ...value] = cookie.split('=')
  const session = JSON.parse(Buffer.from(value.join('=').replace(/^base64-/, ''), 'base64url').toString())
  const [head, claims, signature] = session.access_token.split('.')
  return Array.from({ length: count }, (_, index) => {
    const id = `b0b0b0b0-0000-4000-8000-${String(index).padStart(12, '0')}`
    const own = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), sub: id, session_id: id }
    const access_token = `${head}.${Buffer.from(JSON.stringify(own)).toString('base64url')}.${signature}`
    const text = JSON.stringify({ ...session, access_token, user: { ...session.user, id } })
    return `${name}=base64-${Buffer.from(text).toString('base64url')}`
  })
}
