import type { AuthNoticeKey } from '../auth/notices.server'
import { needsRefresh, refreshMargin } from '../auth/refresh.server'
import { clearSession, fingerprintOf, isAmbiguous, readSession, storageKey } from '../auth/session.server'
import { noticeCookie } from '../forms/notice.server'
import { CookieJar } from '../server/cookies.server'
import type { Config } from '../server/env.server'
import { ByteLimitedMap } from './byte-limited-map'

/** The visitor's state on a cached page, read from cookies only: the session is neither verified nor refreshed. */
export interface PageVisitor {
  /**
   * The value of `data-session`: the session's fingerprint, followed by ' due' if the session is about to expire, so
   * that the page's script requests a refresh at once. '' for a visitor who is signed out.
   */
  session: string
  /** True if two session cookies have the same name: the visitor is signed out, and neither cookie is changed. */
  isAmbiguous: boolean
  /** The key of the pending toast from its cookie, or of the toast about duplicate session cookies; null for none. */
  notice: string | null
  /** The Set-Cookie header that clears the cookie of the toast; null if there is no such cookie. */
  takeNotice: string | null
  /** The Set-Cookie headers that clear a session cookie that is unreadable. */
  clearSession: string[]
}

/** Maximum memory for parsed Cookie headers, in bytes: of about 5,000 members. A stored header is not parsed again. */
const maxMemory = 12 * 1024 * 1024
/** About what an entry takes in addition to the header, in bytes: there may be many short headers. */
const entrySize = 512

const twoCookies: AuthNoticeKey = 'two-cookies'

const remembered = new ByteLimitedMap<{ visitor: PageVisitor | null; until: number }>(maxMemory)

/**
 * The visitor of a request. Null for a visitor who gets the shared page: the request has no session cookie, readable or
 * unreadable, and no cookie of a toast. `now` is in milliseconds.
 */
export function readVisitor(request: Request, config: Config, now: number): PageVisitor | null {
  const header = request.headers.get('Cookie')
  if (!header) return null
  const known = remembered.get(header)
  if (known && now < known.until) return known.visitor
  const found = parse(header, config, now)
  remembered.set(header, found, header.length + entrySize)
  return found.visitor
}

function parse(header: string, config: Config, now: number): { visitor: PageVisitor | null; until: number } {
  const options = { secure: config.SITE_URL.startsWith('https:') }
  const cookies = new CookieJar(header, options)
  const key = storageKey(config.SUPABASE_URL)
  const notice = cookies.get(noticeCookie) ?? null
  const hasSession = cookies.all().some(({ name }) => name === key || name.startsWith(`${key}.`))
  if (notice === null && !hasSession) return { visitor: null, until: Number.POSITIVE_INFINITY }
  const ambiguous = hasSession && isAmbiguous(cookies, key)
  const session = hasSession && !ambiguous ? readSession(cookies, key) : null
  const due = session !== null && needsRefresh(session, now)
  const fingerprint = fingerprintOf(session)
  return {
    visitor: {
      session: fingerprint && due ? `${fingerprint} due` : fingerprint,
      isAmbiguous: ambiguous,
      notice: ambiguous ? twoCookies : notice,
      takeNotice:
        notice === null ? null : (setCookies(header, options, (jar) => jar.expire(noticeCookie))[0] ?? null),
      clearSession:
        hasSession && !session && !ambiguous
          ? setCookies(header, options, (jar) => clearSession(jar, key))
          : [],
    },
    until: session && !due ? (session.expires_at - refreshMargin) * 1000 : Number.POSITIVE_INFINITY,
  }
}

/** The Set-Cookie headers that result if `change` is applied to the cookies of `header`. */
function setCookies(
  header: string,
  options: { secure: boolean },
  change: (cookies: CookieJar) => void,
): string[] {
  const cookies = new CookieJar(header, options)
  const headers = new Headers()
  change(cookies)
  cookies.commit(headers)
  return headers.getSetCookie()
}
