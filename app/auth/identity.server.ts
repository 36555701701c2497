import { type AuthError, type GoTrueClient, isAuthApiError, type JwtPayload } from '@supabase/auth-js'
import type { Log } from '../server/log.server'
import { classifyAuthError } from './messages'
import { readClaims } from './session.server'

/** A signed-in member: the verified claims of the access token. */
export interface Viewer {
  id: string
  /** '' for an account that a wallet has created. */
  email: string
  accessToken: string
  /** `aal2`: the session has passed a second factor. */
  assurance: 'aal1' | 'aal2'
  /** When the session last passed a second factor, in milliseconds; 0 for never. */
  factorShownAt: number
}

/** `unreachable`: there is a session, but it could not be verified. `refused`: the session is over. */
export type ViewerState =
  | { kind: 'member'; viewer: Viewer }
  | { kind: 'visitor' }
  | { kind: 'unreachable' }
  | { kind: 'refused' }

/**
 * Verifies an access token: locally if the project signs asymmetrically (the client library caches the key set
 * for 10 minutes), otherwise by a call to the auth service.
 */
export async function identify(auth: GoTrueClient, accessToken: string, log: Log): Promise<ViewerState> {
  const { claims, error } = await verifyToken(auth, accessToken)
  if (claims?.sub)
    return {
      kind: 'member',
      viewer: {
        id: claims.sub,
        email: String(claims.email ?? ''),
        accessToken,
        assurance: claims.aal === 'aal2' ? 'aal2' : 'aal1',
        factorShownAt: lastUseOf(['totp'], claims.amr),
      },
    }
  const refused = error !== null && isRefusal(error)
  log.info('session.not-verified', { code: error?.code ?? error?.name, status: error?.status, refused })
  return { kind: refused ? 'refused' : 'unreachable' }
}

/** The claims of a valid token, or the error. Both are missing if the response could not be read. */
async function verifyToken(
  auth: GoTrueClient,
  token: string,
): Promise<{ claims?: Partial<JwtPayload> | undefined; error: AuthError | null }> {
  try {
    const { data, error } = await auth.getClaims(token)
    return { claims: data?.claims, error }
  } catch {
    // The library throws if the algorithm does not match the key, or if the key set is malformed. Ask the service.
    const { data, error } = await auth.getUser(token).catch(() => ({ data: null, error: null }))
    return { claims: data?.user ? (readClaims(token) as Partial<JwtPayload>) : undefined, error }
  }
}

/** The latest use of one of `methods` in an `amr` claim, in milliseconds; 0 if there is none. */
function lastUseOf(methods: readonly string[], amr: unknown): number {
  const uses = (Array.isArray(amr) ? amr : []).filter((entry) => methods.includes(entry?.method))
  return Math.max(0, ...uses.map(({ timestamp }) => Number(timestamp) || 0)) * 1000
}

/** True if the service says that the session is over. Older services answer 401 or 403 without a code. */
function isRefusal(error: AuthError): boolean {
  const codeless = isAuthApiError(error) && !error.code && (error.status === 401 || error.status === 403)
  return codeless || classifyAuthError(error).session === 'clear'
}
