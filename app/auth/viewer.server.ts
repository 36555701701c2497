import type { AppLoadContext } from '@remix-run/cloudflare'
import { redirect } from '@remix-run/cloudflare'
import { type AuthError, isAuthApiError, type SupabaseClient } from '@supabase/supabase-js'
import type { Log } from '../edge/log.server'
import { dispose } from './messages'

/** A signed-in member: what the verified claims say of them. */
export interface Viewer {
  id: string
  email: string
  accessToken: string
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
export async function identify(
  auth: SupabaseClient['auth'],
  accessToken: string,
  log: Log,
): Promise<ViewerState> {
  const { data, error } = await auth.getClaims(accessToken)
  const claims = data?.claims
  if (claims?.sub)
    return { kind: 'member', viewer: { id: claims.sub, email: String(claims.email ?? ''), accessToken } }
  const refused = error !== null && isRefusal(error)
  log.info('session.not-verified', { code: error?.code ?? error?.name, status: error?.status, refused })
  return { kind: refused ? 'refused' : 'unreachable' }
}

/** The service's plain word that the session is over; older services say 401 or 403 without a code. */
function isRefusal(error: AuthError): boolean {
  const codeless = isAuthApiError(error) && !error.code && (error.status === 401 || error.status === 403)
  return codeless || dispose(error).session === 'clear'
}

/** The signed-in member, or null for a visitor. Throws the 503 page where it cannot be told. */
export async function getViewer(context: AppLoadContext): Promise<Viewer | null> {
  const state = await context.viewer()
  if (state.kind === 'unreachable')
    throw new Response(null, { status: 503, statusText: 'Sign-in unavailable' })
  return state.kind === 'member' ? state.viewer : null
}

/** The signed-in member. Throws the redirect to /auth that leads back to `returnTo` (path and query). */
export async function requireViewer(context: AppLoadContext, returnTo: string): Promise<Viewer> {
  const viewer = await getViewer(context)
  if (viewer) return viewer
  throw redirect(`/auth?${new URLSearchParams({ redirectTo: returnTo })}`, 303)
}
