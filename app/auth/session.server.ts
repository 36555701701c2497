import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { SupportedStorage } from '@supabase/auth-js'
import { combineChunks, createChunks, stringFromBase64URL, stringToBase64URL } from '@supabase/ssr'
import * as z from 'zod'
import type { CookieJar } from '../server/cookies.server'

/** 400 days, the longest that browsers keep a cookie: the refresh token decides when a session ends. */
const cookieLifetime = 400 * 24 * 60 * 60
const encodedPrefix = 'base64-'

const sessionSchema = z.looseObject({
  access_token: z.string().refine(isJwt),
  refresh_token: z.string().min(1),
})

/** What the session cookie holds: the answer of the token endpoint. `expires_at` is in seconds. */
export type Session = z.infer<typeof sessionSchema> & { expires_at: number }

/** The name of the session cookie, as supabase-js derives it: from the backend's host name. */
export function storageKey(backendUrl: string): string {
  return `sb-${new URL(backendUrl).hostname.split('.')[0]}-auth-token`
}

/** The session of the cookies, or null when there is none that can be read. */
export async function readSession(cookies: CookieJar, key: string): Promise<Session | null> {
  const text = await readItem(cookies, key)
  try {
    return text ? parseSession(JSON.parse(text)) : null
  } catch {
    return null
  }
}

/** An answer of the token endpoint as a session, or null where it is not one. It ends when its token does. */
export function parseSession(answer: unknown): Session | null {
  const parsed = sessionSchema.safeParse(answer)
  const claims = parsed.success ? expirySchema.safeParse(readClaims(parsed.data.access_token)) : null
  return claims?.success ? { ...(answer as Session), expires_at: claims.data.exp } : null
}

const expirySchema = z.object({ exp: z.number() })
const claimsSchema = z.object({ sub: z.string(), aal: z.string().optional(), email: z.string().optional() })

/** When a session's access token was issued, in seconds; longer ago than any other where it does not say. */
export function issuedAt(session: Session): number {
  const payload = z.object({ iat: z.number() }).safeParse(readClaims(session.access_token))
  return payload.success ? payload.data.iat : 0
}

/**
 * A mark of who a session belongs to, with what assurance and e-mail: it changes when another member signs in,
 * a second factor is confirmed, or the e-mail is another. Not verified, and telling nothing: '' for no session.
 */
export function fingerprintOf(session: Session | null): string {
  const claims = claimsSchema.safeParse(session && readClaims(session.access_token))
  if (!claims.success) return ''
  const { sub, aal, email } = claims.data
  // Not by the platform's, which answers by way of its event loop: of a page's time that was a tenth.
  const hash = sha256(utf8ToBytes(`${sub} ${aal} ${email}`))
  return btoa(String.fromCharCode(...hash.subarray(0, 9)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

/** What an access token says, as it says it: not verified. */
export function readClaims(token: string): unknown {
  return readPart(token, 1)
}

/** Three parts, the first two of them objects. At anything else the client library throws. */
function isJwt(token: string): boolean {
  return token.split('.').length === 3 && ([0, 1] as const).every((part) => isObject(readPart(token, part)))
}

function readPart(token: string, part: 0 | 1): unknown {
  try {
    return JSON.parse(stringFromBase64URL(token.split('.')[part] ?? ''))
  } catch {
    return null
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Writes `session` over whatever session there is. */
export function writeSession(cookies: CookieJar, key: string, session: Session): void {
  writeItem(cookies, key, JSON.stringify(session))
}

/** Expires the session's cookies: every chunk, orphaned ones too. */
export function clearSession(cookies: CookieJar, key: string): void {
  removeItem(cookies, key)
}

/** Expires the code verifiers of sign-in flows that have ended or were abandoned. */
export function clearFlows(cookies: CookieJar, key: string): void {
  for (const { name } of cookies.all()) if (name.startsWith(`${key}-`)) cookies.expire(name)
}

/**
 * The cookies as the auth client's storage, for its session and its code verifiers. It would refresh on its own,
 * past the one refresh of this isolate, for up to 30 seconds, and drop the session at errors that say nothing
 * about it: so what it reads never looks as if it ran out within the hour.
 */
export function cookieStorage(cookies: CookieJar, key: string): SupportedStorage {
  return {
    isServer: true,
    getItem: async (name) => {
      if (name !== key) return readItem(cookies, name)
      const session = await readSession(cookies, key)
      return session && JSON.stringify({ ...session, expires_at: Math.floor(Date.now() / 1000) + 3600 })
    },
    setItem: (name, text) => writeItem(cookies, name, text),
    removeItem: (name) => removeItem(cookies, name),
  }
}

async function readItem(cookies: CookieJar, key: string): Promise<string | null> {
  const stored = await combineChunks(key, (name) => cookies.get(name) ?? null)
  try {
    return stored?.startsWith(encodedPrefix) ? stringFromBase64URL(stored.slice(encodedPrefix.length)) : null
  } catch {
    return null
  }
}

/** Surplus chunks of what stood there go. */
function writeItem(cookies: CookieJar, key: string, text: string): void {
  const chunks = createChunks(key, encodedPrefix + stringToBase64URL(text))
  const kept = new Set(chunks.map(({ name }) => name))
  for (const name of chunkNames(cookies, key)) if (!kept.has(name)) cookies.expire(name)
  for (const { name, value } of chunks) cookies.set(name, value, { maxAge: cookieLifetime })
}

function removeItem(cookies: CookieJar, key: string): void {
  for (const name of chunkNames(cookies, key)) cookies.expire(name)
}

function chunkNames(cookies: CookieJar, key: string): string[] {
  return cookies
    .all()
    .map(({ name }) => name)
    .filter((name) => name === key || name.startsWith(`${key}.`))
}
