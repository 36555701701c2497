import type { CookieJar } from '../server/cookies.server'
import type { NoticeMessage } from './notice'

export const noticeCookie = 'notice'
const oneMinute = 60

/** Shows the notice `key` on the next page within a minute. The cookie has a listed key, never text. */
export function setNotice(cookies: CookieJar, key: string): void {
  cookies.set(noticeCookie, key, { maxAge: oneMinute })
}

/** Extends a pending notice to `seconds` from now: another page comes before the one that shows it. */
export function keepNotice(cookies: CookieJar, seconds: number): void {
  const key = cookies.get(noticeCookie)
  if (key !== undefined) cookies.set(noticeCookie, key, { maxAge: seconds })
}

/**
 * Returns the pending notice; null if no notice is pending, or if its key is unknown. Returns null for a
 * prefetch, a poll or a data request, and on the pages whose paths are in `except`. Does not clear the
 * notice, because a loader cannot know whether another loader redirects. Most requests have no pending notice,
 * so `load` returns the notices only when they are needed.
 */
export async function readNotice(
  request: Request,
  cookies: CookieJar,
  load: () => Promise<Record<string, NoticeMessage>>,
  except: readonly string[] = [],
): Promise<NoticeMessage | null> {
  const key = cookies.get(noticeCookie)
  if (key === undefined || !isDocumentRequest(request)) return null
  if (except.includes(new URL(request.url).pathname)) return null
  const notices = await load()
  return Object.hasOwn(notices, key) ? (notices[key] ?? null) : null
}

/** Clears the pending notice. Called when the site sends a page that shows the notice. */
export function clearNotice(cookies: CookieJar): void {
  cookies.expire(noticeCookie)
}

/**
 * True for a GET that loads a page for a person; false for a prefetch, a poll or a data request. A GET
 * without fetch metadata counts as a page load if it accepts HTML.
 */
export function isDocumentRequest(request: Request): boolean {
  if (request.method !== 'GET' || request.headers.has('Sec-Purpose')) return false
  const destination = request.headers.get('Sec-Fetch-Dest')
  return destination === null
    ? (request.headers.get('Accept') ?? '*/*').match(/text\/html|\*\/\*/) !== null
    : destination === 'document'
}
