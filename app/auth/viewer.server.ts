import type { AppLoadContext } from '@remix-run/cloudflare'
import { redirect } from '@remix-run/cloudflare'
import { isAuthRetryableFetchError, type SupabaseClient } from '@supabase/supabase-js'
import type { Log } from '../edge/log.server'

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
  const refused = error !== null && !isAuthRetryableFetchError(error) && isRefusal(error.status)
  log.info('session.not-verified', { code: error?.code ?? error?.name, status: error?.status, refused })
  return { kind: refused ? 'refused' : 'unreachable' }
}

/** 4xx from the service, or no status at all where the token itself is malformed, expired or forged. */
function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && status !== 429
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
