import type { AppLoadContext } from '@remix-run/cloudflare'
import { redirect } from '@remix-run/cloudflare'
import { type AuthError, type GoTrueClient, isAuthApiError, type JwtPayload } from '@supabase/auth-js'
import { readClock } from '../server/clock.server'
import type { Log } from '../server/log.server'
import { askFactors, factorsOf, isVerified } from './factor.server'
import { classifyAuthError } from './messages'
import { withReturnTo } from './redirect'
import { readClaims } from './session.server'
import { unreachable } from './unreachable.server'

/** What asks for a second factor again asks whoever has shown theirs longer ago than this, in milliseconds. */
const freshness = 10 * 60_000

/** A signed-in member: what the verified claims say of them. */
export interface Viewer {
  id: string
  /** '' for an account that a wallet has made. */
  email: string
  accessToken: string
  /** `aal2`: a second factor was shown. */
  assurance: 'aal1' | 'aal2'
  /** When it was last shown, in milliseconds; 0 for never. */
  factorShownAt: number
}

/** `unreachable`: there is a session, but nobody could be asked whether it holds. */
export type ViewerState =
  | { kind: 'member'; viewer: Viewer }
  | { kind: 'visitor' }
  | { kind: 'unreachable' }
  | { kind: 'refused' }

/**
 * Asks who an access token belongs to: verified locally where the project signs asymmetrically (key set
 * cached by the client for 10 minutes), by asking the auth service where it does not.
 */
export async function identify(auth: GoTrueClient, accessToken: string, log: Log): Promise<ViewerState> {
  const { claims, error } = await verify(auth, accessToken)
  if (claims?.sub)
    return {
      kind: 'member',
      viewer: {
        id: claims.sub,
        email: String(claims.email ?? ''),
        accessToken,
        assurance: claims.aal === 'aal2' ? 'aal2' : 'aal1',
        factorShownAt: lastShown(claims.amr),
      },
    }
  const refused = error !== null && isRefusal(error)
  log.info('session.not-verified', { code: error?.code ?? error?.name, status: error?.status, refused })
  return { kind: refused ? 'refused' : 'unreachable' }
}

/** The claims of a token that holds; otherwise the error, or none where nobody could be asked. */
async function verify(
  auth: GoTrueClient,
  token: string,
): Promise<{ claims?: Partial<JwtPayload> | undefined; error: AuthError | null }> {
  try {
    const { data, error } = await auth.getClaims(token)
    return { claims: data?.claims, error }
  } catch {
    // The library throws at an algorithm that is not its key's, and at a key set that is none: the service is asked.
    const { data, error } = await auth.getUser(token).catch(() => ({ data: null, error: null }))
    return { claims: data?.user ? (readClaims(token) as Partial<JwtPayload>) : undefined, error }
  }
}

/** The time of the last code among the ways a member has signed in (`amr`, in seconds). */
function lastShown(methods: unknown): number {
  const shown = (Array.isArray(methods) ? methods : []).filter((entry) => entry?.method === 'totp')
  return Math.max(0, ...shown.map(({ timestamp }) => Number(timestamp) || 0)) * 1000
}

/** The service's plain word that the session is over; older services say 401 or 403 without a code. */
function isRefusal(error: AuthError): boolean {
  const codeless = isAuthApiError(error) && !error.code && (error.status === 401 || error.status === 403)
  return codeless || classifyAuthError(error).session === 'clear'
}

/** The signed-in member, or null for a visitor. Throws the 503 page where it cannot be told. */
async function getViewer(context: AppLoadContext): Promise<Viewer | null> {
  const state = await context.viewer()
  if (state.kind === 'unreachable') throw unreachable(context)
  return state.kind === 'member' ? state.viewer : null
}

/**
 * The signed-in member, whatever they have shown: for the challenge itself. Throws the redirect to /auth that
 * leads back to `returnTo` (path and query).
 */
export async function requireMember(context: AppLoadContext, returnTo: string): Promise<Viewer> {
  const viewer = await getViewer(context)
  if (viewer) return viewer
  throw redirect(withReturnTo('/auth', returnTo), 303)
}

/**
 * The signed-in member, who has shown their second factor where they have one. Throws the redirect to /auth,
 * or to the challenge, that leads back to `returnTo`.
 */
export async function requireViewer(context: AppLoadContext, returnTo: string): Promise<Viewer> {
  const viewer = await requireMember(context, returnTo)
  if (viewer.assurance === 'aal2') return viewer
  // The cookie's user is enough to let somebody pass: the row policies are the floor. It is not enough to send
  // them to the challenge, since the factor may be gone, nor where tokens came without a user.
  const remembered = factorsOf((await context.session()).stored?.user)
  if (remembered && !remembered.some(isVerified)) return viewer
  const factors = await askFactors(context, viewer.accessToken, returnTo)
  if (!factors.some(isVerified)) return viewer
  throw redirect(withReturnTo('/auth/factor', returnTo), 303)
}

/**
 * For what is sensitive: a member with a second factor has shown it within the last ten minutes. Whether there
 * is one is asked of the auth service. Without one it is `requireViewer`.
 */
export async function requireFreshAssurance(context: AppLoadContext, returnTo: string): Promise<Viewer> {
  const viewer = await requireViewer(context, returnTo)
  if (isFresh(viewer, context)) return viewer
  const factors = await askFactors(context, viewer.accessToken, returnTo)
  if (!factors.some(isVerified)) return viewer
  throw redirect(withReturnTo('/auth/factor', returnTo), 303)
}

/** Whether the second factor was shown so lately that nothing asks for it again. */
export function isFresh({ assurance, factorShownAt }: Viewer, { config }: AppLoadContext): boolean {
  return assurance === 'aal2' && readClock(config) - factorShownAt < freshness
}
