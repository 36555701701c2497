import type { AuthError, GoTrueClient, JwtPayload, User } from '@supabase/auth-js'
import type { Log } from '../../platform/server/log.server'
import { within } from '../../platform/server/timeout'
import { classifyAuthError } from './messages'
import { readClaims, readHeader } from './session.server'

/** A signed-in member: the verified claims of the access token. */
export interface Viewer {
  id: string
  /** '' if the account was created by a sign-in with a wallet. */
  email: string
  accessToken: string
  /** The claim `session_id`, which a refresh does not change; the access token if the claim is missing. */
  sessionId: string
  /** `aal2`: the member has verified a second factor in this session. */
  assurance: 'aal1' | 'aal2'
  /** When the member last verified a second factor in this session, in milliseconds; 0 for never. */
  factorShownAt: number
  /** When the member last signed in or verified a factor, in milliseconds; 0 for never. */
  provenAt: number
  /** When a mailed link or code last signed the member in, in milliseconds; 0 for never. */
  mailedAt: number
}

/** `unreachable`: not verified. `refused`: the session has ended, or belongs to another project. */
export type ViewerState =
  | { kind: 'member'; viewer: Viewer }
  | { kind: 'visitor' }
  | { kind: 'unreachable' }
  | { kind: 'refused' }

/** The service's answer about a token. Both are null if the response could not be read. */
export interface UserAnswer {
  user: User | null
  error: AuthError | null
}

/** Asks the auth service for the user of a token. A request asks through `context.user()`. */
export async function askForUser(tokens: GoTrueClient, accessToken: string): Promise<UserAnswer> {
  const { data, error } = await tokens.getUser(accessToken).catch(() => ({ data: null, error: null }))
  return { user: data?.user ?? null, error }
}

/** The part of the request's context that `identify` uses. */
interface Verifier {
  tokens(): Promise<GoTrueClient>
  user(accessToken: string): Promise<UserAnswer>
  log: Log
  config: { SUPABASE_JWT_ISSUER: string }
}

/** The `aud` claim of a member's token. */
const audience = 'authenticated'
/** The `amr` methods that prove access to the mailbox. The auth service writes `otp` for every link and code. */
const mailMethods = ['otp', 'magiclink', 'recovery', 'invite']

/**
 * Verifies an access token. If the project signs asymmetrically, its key set verifies the token (the client
 * library caches the keys for 10 minutes). Otherwise, or if the key set is late or unavailable, the auth
 * service verifies the token.
 */
export async function identify(verifier: Verifier, accessToken: string): Promise<ViewerState> {
  const { log, config } = verifier
  const { claims, error, locally } = await verifyToken(verifier, accessToken)
  // The client library checks neither the issuer nor the audience. The auth service checks both.
  if (locally && claims && !isForThisProject(claims, config.SUPABASE_JWT_ISSUER)) {
    log.error('session.foreign-token', { message: 'issuer or audience differs: see SUPABASE_JWT_ISSUER' })
    return { kind: 'refused' }
  }
  const viewer = claims && viewerOf(accessToken, claims)
  if (viewer) return { kind: 'member', viewer }
  const refused = error !== null && isRefusal(error)
  log.info('session.not-verified', { code: error?.code ?? error?.name, status: error?.status, refused })
  return { kind: refused ? 'refused' : 'unreachable' }
}

/** The member whom an access token claims, not verified: never use it as a guard. */
export function claimedViewer(accessToken: string): Viewer | null {
  return viewerOf(accessToken, (readClaims(accessToken) ?? {}) as Partial<JwtPayload>)
}

function viewerOf(accessToken: string, claims: Partial<JwtPayload>): Viewer | null {
  const { sub, email, session_id } = claims
  if (typeof sub !== 'string' || sub === '') return null
  return {
    id: sub,
    email: typeof email === 'string' ? email : '',
    accessToken,
    sessionId: typeof session_id === 'string' && session_id ? session_id : accessToken,
    assurance: claims.aal === 'aal2' ? 'aal2' : 'aal1',
    factorShownAt: lastUseOf(['totp'], claims.amr),
    provenAt: lastUseOf(null, claims.amr),
    mailedAt: lastUseOf(mailMethods, claims.amr),
  }
}

/** The claims of a valid token, or the error. Neither is present if the response could not be read. */
interface Verification {
  claims?: Partial<JwtPayload> | undefined
  error: AuthError | null
  /** True if the key set verified the token, false if the service did. */
  locally: boolean
}

/**
 * How long the key set may take before the service is called too, in milliseconds. A cached key set takes no
 * time, and a request for the key set is usually faster than this limit.
 */
const keySetHeadStart = 200

/**
 * Verifies with the key set, and also through the service if the key set is late or unavailable. The first
 * result counts. The two waits overlap, so an outage delays a page by little more than one wait.
 */
async function verifyToken({ tokens, user }: Verifier, token: string): Promise<Verification> {
  if (!isAsymmetric(token)) return verifyByService(user, token)
  const byKeySet = verifyByKeySet(await tokens(), token)
  const verification = await within(
    byKeySet.catch(() => null),
    keySetHeadStart,
  )
  if (verification) return verification
  const byService = verifyByService(user, token)
  const decided = byService.then((verification) =>
    isDecided(verification) ? verification : Promise.reject(),
  )
  return Promise.any([byKeySet, decided]).catch(() => byService)
}

/** Rejects if no key is usable: the library returns an error, or throws if a key does not match. */
async function verifyByKeySet(tokens: GoTrueClient, token: string): Promise<Verification> {
  const { data, error } = await tokens.getClaims(token)
  if (error && !isRefusal(error)) throw error
  return { claims: data?.claims, error, locally: true }
}

async function verifyByService(ask: Verifier['user'], token: string): Promise<Verification> {
  const { user, error } = await ask(token)
  const claims = user ? (readClaims(token) as Partial<JwtPayload>) : undefined
  return { claims, error, locally: false }
}

function isDecided({ claims, error }: Verification): boolean {
  return claims !== undefined || (error !== null && isRefusal(error))
}

/** True if the library verifies the token with the key set; for other tokens it calls the service. */
function isAsymmetric(token: string): boolean {
  const { alg, kid } = (readHeader(token) ?? {}) as { alg?: unknown; kid?: unknown }
  return typeof alg === 'string' && !alg.startsWith('HS') && Boolean(kid)
}

function isForThisProject({ iss, aud }: Partial<JwtPayload>, issuer: string): boolean {
  return iss === issuer && (Array.isArray(aud) ? aud.includes(audience) : aud === audience)
}

/** The latest use of any of `methods` (null: any) in an `amr` claim, in milliseconds; 0 if unused. */
function lastUseOf(methods: readonly string[] | null, amr: unknown): number {
  const entries = (Array.isArray(amr) ? amr : []).filter((entry) => entry && typeof entry === 'object')
  const uses = entries.filter(({ method }) => !methods || methods.includes(method))
  return Math.max(0, ...uses.map(({ timestamp }) => (typeof timestamp === 'number' ? timestamp : 0))) * 1000
}

/** True if the response ends the session. Older services respond with 401 or 403 without a code. */
function isRefusal(error: AuthError): boolean {
  const codeless =
    error.name === 'AuthApiError' && !error.code && (error.status === 401 || error.status === 403)
  return codeless || classifyAuthError(error).session === 'clear'
}
