import type { CookieMethodsServer, SetAllCookies } from '@supabase/ssr'
import { decodeBase64Url, encodeBase64Url } from '../../platform/base64url'
import { sha256 } from '../../platform/bytes'
import type { CookieJar } from '../../platform/server/cookies.server'

/** In seconds: 400 days, the maximum in browsers. A session ends when the service refuses its refresh token. */
const cookieLifetime = 400 * 24 * 60 * 60
const encodedPrefix = 'base64-'

/** A session that expires within this number of seconds is refreshed: three ticks of 30 seconds (spec §9). */
export const refreshMargin = 90

/** The content of the session cookie: the response from the token endpoint. `expires_at` is in seconds. */
export interface Session {
  [other: string]: unknown
  access_token: string
  refresh_token: string
  expires_at: number
}

let lastKey = { backendUrl: '', name: '' }

/** The name of the session cookie, derived from the backend's host name as in supabase-js (spec §9). */
export function storageKey(backendUrl: string): string {
  if (lastKey.backendUrl !== backendUrl)
    lastKey = { backendUrl, name: `sb-${new URL(backendUrl).hostname.split('.')[0]}-auth-token` }
  return lastKey.name
}

/**
 * The session in the cookies of a request, not verified.
 * - `ambiguous`: two cookies of the session have the same name, so the site cannot tell which cookie is its
 * own.
 * - `unreadable`: a cookie is malformed, or a chunk is missing.
 * - `due`: the session has expired, or expires within `refreshMargin`.
 */
export type SessionInspection =
  | { kind: 'none' | 'ambiguous' | 'unreadable'; session: null }
  | { kind: 'due' | 'fresh'; session: Session }

/** Returns the state of the session's cookies. `now` is in milliseconds. */
export function inspectSession(cookies: CookieJar, key: string, now: number): SessionInspection {
  const names = chunkNames(cookies, key)
  if (names.length === 0) return { kind: 'none', session: null }
  if (names.some((name) => cookies.isDuplicate(name))) return { kind: 'ambiguous', session: null }
  const session = readSession(cookies, key)
  if (!session) return { kind: 'unreadable', session }
  return { kind: session.expires_at - now / 1000 < refreshMargin ? 'due' : 'fresh', session }
}

/** The session in the cookies, or null if they contain no readable session. */
export function readSession(cookies: CookieJar, key: string): Session | null {
  const text = readItem(cookies, key)
  try {
    return text ? parseSession(JSON.parse(text)) : null
  } catch {
    return null
  }
}

/**
 * Validates a response from the token endpoint. `expires_at` comes from the token. Returns null if the
 * response is not a session. Uses no schema, because a schema would account for a third of the time needed to
 * read a session cookie.
 */
export function parseSession(answer: unknown): Session | null {
  if (!isObject(answer)) return null
  const { access_token, refresh_token } = answer
  if (typeof refresh_token !== 'string' || refresh_token === '') return null
  if (typeof access_token !== 'string' || !isJwt(access_token)) return null
  const { exp } = readClaims(access_token) as { exp?: unknown }
  if (typeof exp !== 'number' || !Number.isFinite(exp)) return null
  return { ...answer, access_token, refresh_token, expires_at: exp }
}

/** The `iat` claim of the access token, in seconds; 0 if it is missing. */
export function issuedAt(session: Session): number {
  const claims = readClaims(session.access_token)
  return isObject(claims) && typeof claims.iat === 'number' ? claims.iat : 0
}

/**
 * A hash of the session's member, assurance level and email address; '' for no session. An open page uses the
 * hash to detect that one of the three has changed. The claims are not verified: never use the hash as a
 * guard.
 */
export async function fingerprintOf(session: Session | null): Promise<string> {
  const claims = session && readClaims(session.access_token)
  if (!isObject(claims)) return ''
  const { sub, aal, email } = claims
  const isText = (claim: unknown) => claim === undefined || typeof claim === 'string'
  if (typeof sub !== 'string' || !isText(aal) || !isText(email)) return ''
  const hash = await sha256(new TextEncoder().encode(`${sub} ${aal} ${email}`))
  return btoa(String.fromCharCode(...hash.subarray(0, 9)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

/** The claims of an access token, not verified. */
export function readClaims(token: string): unknown {
  return readPart(token, 1)
}

/** The header of an access token, not verified. */
export function readHeader(token: string): unknown {
  return readPart(token, 0)
}

/** True if a token has three parts, the first two JSON objects; for others the library throws. */
function isJwt(token: string): boolean {
  return token.split('.').length === 3 && ([0, 1] as const).every((part) => isObject(readPart(token, part)))
}

/** The last header and claims that were decoded: one request reads the same token several times. */
const decoded: [Part, Part] = [
  { text: '', value: null },
  { text: '', value: null },
]

interface Part {
  text: string
  value: unknown
}

function readPart(token: string, part: 0 | 1): unknown {
  const text = token.split('.')[part] ?? ''
  if (text !== decoded[part].text) decoded[part] = { text, value: parsePart(text) }
  return decoded[part].value
}

function parsePart(text: string): unknown {
  try {
    return JSON.parse(decodeBase64Url(text))
  } catch {
    return null
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Writes `session` in place of the current session. */
export function writeSession(cookies: CookieJar, key: string, session: Session): void {
  writeItem(cookies, key, JSON.stringify(session))
}

/** Expires every cookie of the session, including orphaned chunks. */
export function clearSession(cookies: CookieJar, key: string): void {
  removeItem(cookies, key)
}

/** True if the cookies have a code verifier: a sign-in flow of this browser is pending. */
export function hasFlow(cookies: CookieJar, key: string): boolean {
  return cookies.all().some(({ name }) => name.startsWith(`${key}-`))
}

/** Expires the code verifiers of finished and abandoned sign-in flows. */
export function clearFlows(cookies: CookieJar, key: string): void {
  for (const { name } of cookies.all()) if (name.startsWith(`${key}-`)) cookies.expire(name)
}

/**
 * The cookies for `createServerClient` of @supabase/ssr. The client gets a session as one cookie that expires an
 * hour from now: otherwise it would refresh the session in parallel with `refreshSession`, retry for up to 30
 * seconds, and drop the session after errors that do not end one. It gets no cookie that the request has twice,
 * and none that is not encoded. The attributes of what it sets are those of our jar.
 */
export function cookieMethods(cookies: CookieJar, key: string) {
  return {
    getAll: () => {
      const flows = cookies.all().filter(({ name }) => name.startsWith(`${key}-`) && readItem(cookies, name))
      const session = readSession(cookies, key)
      if (!session) return flows
      const text = JSON.stringify({ ...session, expires_at: Math.floor(Date.now() / 1000) + 3600 })
      return [...flows, { name: key, value: encodedPrefix + encodeBase64Url(text) }]
    },
    setAll: (changes: Parameters<SetAllCookies>[0]) => {
      // The client does not know how many chunks the session has.
      if (changes.some(({ name }) => isChunkOf(name, key))) removeItem(cookies, key)
      for (const { name, value } of changes)
        if (value) cookies.set(name, value, { maxAge: cookieLifetime })
        else cookies.expire(name)
    },
  } satisfies CookieMethodsServer
}

function readItem(cookies: CookieJar, key: string): string | null {
  const stored = cookies.get(key) ?? joinChunks(cookies, key)
  try {
    return stored?.startsWith(encodedPrefix) ? decodeBase64Url(stored.slice(encodedPrefix.length)) : null
  } catch {
    return null
  }
}

/** An item too large for one cookie, joined from `key.0`, `key.1` and so on. Null without the first. */
function joinChunks(cookies: CookieJar, key: string): string | null {
  let joined: string | null = null
  for (let index = 0; ; index++) {
    const chunk = cookies.get(`${key}.${index}`)
    if (!chunk) return joined
    joined = (joined ?? '') + chunk
  }
}

/** Writes the item in chunks as supabase-js does, and expires surplus chunks of the previous value. */
function writeItem(cookies: CookieJar, key: string, text: string): void {
  // The value is in ASCII, so no chunk ends within a character.
  const chunks = (encodedPrefix + encodeBase64Url(text)).match(/.{1,3180}/g) ?? []
  const written = new Map(chunks.map((chunk, at) => [chunks.length > 1 ? `${key}.${at}` : key, chunk]))
  for (const name of chunkNames(cookies, key)) if (!written.has(name)) cookies.expire(name)
  for (const [name, value] of written) cookies.set(name, value, { maxAge: cookieLifetime })
}

function removeItem(cookies: CookieJar, key: string): void {
  for (const name of chunkNames(cookies, key)) cookies.expire(name)
}

function chunkNames(cookies: CookieJar, key: string): string[] {
  return cookies
    .all()
    .map(({ name }) => name)
    .filter((name) => isChunkOf(name, key))
}

function isChunkOf(name: string, key: string): boolean {
  return name === key || name.startsWith(`${key}.`)
}
