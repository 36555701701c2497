import type { CookieJar } from '../server/cookies.server'
import type { Notice } from './notice'

export const noticeCookie = 'notice'
const oneMinute = 60

/** Shows the notice `key` on the next page within a minute. The cookie contains a key of a fixed list, never a text. */
export function setNotice(cookies: CookieJar, key: string): void {
  cookies.set(noticeCookie, key, { maxAge: oneMinute })
}

/**
 * Reads and clears the pending notice; null if no notice is pending or its key is unknown. For a prefetch, a poll or a data
 * request, and on the pages `except` (paths), returns null and keeps the notice for the next page.
 */
export function takeNotice(
  request: Request,
  cookies: CookieJar,
  notices: Record<string, Notice>,
  except: readonly string[] = [],
): Notice | null {
  const key = cookies.get(noticeCookie)
  if (key === undefined || !isDocumentRequest(request)) return null
  if (except.includes(new URL(request.url).pathname)) return null
  cookies.expire(noticeCookie)
  return Object.hasOwn(notices, key) ? (notices[key] ?? null) : null
}

/**
 * True for a GET that loads a page that a person sees, and false for a prefetch, a poll or a data request. If a GET has
 * no fetch metadata, true if it accepts HTML.
 */
export function isDocumentRequest(request: Request): boolean {
  if (request.method !== 'GET' || request.headers.has('Sec-Purpose')) return false
  const destination = request.headers.get('Sec-Fetch-Dest')
  return destination === null
    ? (request.headers.get('Accept') ?? '*/*').match(/text\/html|\*\/\*/) !== null
    : destination === 'document'
}
