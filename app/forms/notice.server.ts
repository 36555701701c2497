import type { CookieJar } from '../server/cookies.server'
import { type Notice, type NoticeKey, notices } from './notice'

export const noticeCookie = 'notice'

/** Has the next page that is shown announce `key`. */
export function announce(cookies: CookieJar, key: NoticeKey): void {
  cookies.set(noticeCookie, key, { maxAge: 60 })
}

/**
 * The notice that waits for the visitor, taken: it is shown once. Only a page that is really being shown
 * takes it: a prefetch, a poll or a data request must not eat a toast.
 */
export function takeNotice(request: Request, cookies: CookieJar): Notice | null {
  const key = cookies.get(noticeCookie)
  if (key === undefined || !isShown(request) || isChallenge(request)) return null
  cookies.expire(noticeCookie)
  return Object.hasOwn(notices, key) ? notices[key as NoticeKey] : null
}

/** Between signing in and being told so stands the challenge: what there is to say waits until it is met. */
function isChallenge(request: Request): boolean {
  return new URL(request.url).pathname === '/auth/factor'
}

function isShown(request: Request): boolean {
  if (request.method !== 'GET' || request.headers.has('Sec-Purpose')) return false
  const destination = request.headers.get('Sec-Fetch-Dest')
  return destination === null
    ? (request.headers.get('Accept') ?? '*/*').match(/text\/html|\*\/\*/) !== null
    : destination === 'document'
}
