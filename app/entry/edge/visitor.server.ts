import type { AuthNoticeKey } from '../../members/auth/auth-notices.server'
import {
  clearSession,
  fingerprintOf,
  inspectSession,
  refreshMargin,
  storageKey,
} from '../../members/auth/session.server'
import { ByteLimitedMap } from '../../platform/edge/byte-limited-map'
import { noticeCookie } from '../../platform/forms/notice.server'
import { CookieJar } from '../../platform/server/cookies.server'
import type { Config } from '../../platform/server/env.server'

/** The visitor to a cached page, read only from cookies: the session is neither verified nor refreshed. */
export interface PageVisitor {
  /**
   * The value of `data-session`: the session's fingerprint, followed by ' due' if the session is about to
   * expire, so that the page's script requests a refresh immediately. '' for a visitor who is signed out.
   */
  session: string
  /** True if two session cookies have one name. The visitor is then signed out, both are kept. */
  isAmbiguous: boolean
  /** The key of the pending toast, or of the toast about duplicate session cookies; null without one. */
  notice: string | null
  /** The Set-Cookie header that clears the toast cookie; null if the request has no such cookie. */
  takeNotice: string | null
  /** The Set-Cookie headers that clear an unreadable session cookie. */
  clearSession: string[]
}

/** Maximum memory for parsed Cookie headers, in bytes: about 5,000 members. Each is parsed once. */
const maxMemory = 12 * 1024 * 1024
/** The approximate size of an entry without its header, in bytes: there may be many short headers. */
const entrySize = 512

const twoCookies: AuthNoticeKey = 'two-cookies'

const remembered = new ByteLimitedMap<{ visitor: PageVisitor | null; until: number }>(maxMemory)

/**
 * The visitor who sent a request. Null for a visitor who gets the shared page: the request has no session
 * cookie, readable or unreadable, and no toast cookie. `now` is in milliseconds.
 */
export async function readVisitor(
  request: Request,
  config: Config,
  now: number,
): Promise<PageVisitor | null> {
  const known = rememberedVisitor(request, now)
  if (known !== undefined) return known
  const header = request.headers.get('Cookie') ?? ''
  const parsed = await parse(header, config, now)
  remembered.set(header, parsed, header.length + entrySize)
  return parsed.visitor
}

/** The same, without a promise; undefined for a visitor whom this isolate has not read. */
export function rememberedVisitor(request: Request, now: number): PageVisitor | null | undefined {
  const header = request.headers.get('Cookie')
  if (!header) return null
  const known = remembered.get(header)
  return known && now < known.until ? known.visitor : undefined
}

/** `until`: the time at which the session becomes due, in milliseconds. */
async function parse(
  header: string,
  config: Config,
  now: number,
): Promise<{ visitor: PageVisitor | null; until: number }> {
  const cookies = new CookieJar(header, { secure: config.SITE_URL.startsWith('https:') })
  const key = storageKey(config.SUPABASE_URL)
  const notice = cookies.get(noticeCookie) ?? null
  const { kind, session } = inspectSession(cookies, key, now)
  if (notice === null && kind === 'none') return { visitor: null, until: Number.POSITIVE_INFINITY }
  const fingerprint = await fingerprintOf(session)
  const isAmbiguous = kind === 'ambiguous'
  cookies.expire(noticeCookie)
  const [takeNotice = null] = cookies.commit()
  if (kind === 'unreadable') clearSession(cookies, key)
  return {
    visitor: {
      session: fingerprint && kind === 'due' ? `${fingerprint} due` : fingerprint,
      isAmbiguous,
      notice: isAmbiguous ? twoCookies : notice,
      takeNotice,
      clearSession: cookies.commit(),
    },
    until: kind === 'fresh' ? (session.expires_at - refreshMargin) * 1000 : Number.POSITIVE_INFINITY,
  }
}
