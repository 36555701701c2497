import type { AppLoadContext } from '@remix-run/cloudflare'
import { redirect } from '@remix-run/cloudflare'
import { readClock } from '../../platform/server/clock.server'
import { outagePage } from '../../platform/server/outage.server'
import { factorPath, withReturnTo } from '../../platform/server/redirect'
import { isVerified, listFactors, redirectIfSessionEnded } from './factor.server'
import { claimedViewer, type Viewer } from './identity.server'

/** Maximum age of the second factor for sensitive actions, in milliseconds. */
const maximumFactorAge = 10 * 60_000

/** `form`: the posted form, which a guard's 503 page can send again. */
export interface GuardOptions {
  form?: FormData
}

/** The signed-in member, or null for a visitor. Throws the 503 page if the session cannot be verified. */
async function getViewer(context: AppLoadContext, { form }: GuardOptions): Promise<Viewer | null> {
  const state = await context.viewer()
  if (state.kind === 'unreachable') throw outagePage(form)
  return state.kind === 'member' ? state.viewer : null
}

/**
 * Returns the signed-in member, with or without a verified second factor; for use by the second-factor page.
 * For a visitor, throws a redirect to /auth with `returnTo` (path and query).
 */
export async function requireMember(
  context: AppLoadContext,
  returnTo: string,
  options: GuardOptions = {},
): Promise<Viewer> {
  const viewer = await getViewer(context, options)
  if (viewer) return viewer
  throw redirect(withReturnTo('/auth', returnTo), 303)
}

/**
 * Returns the signed-in member, who has verified the second factor in this session if the account has a
 * second factor. Otherwise throws a redirect to /auth or to the second-factor page, with `returnTo`.
 */
export async function requireViewer(
  context: AppLoadContext,
  returnTo: string,
  options: GuardOptions = {},
): Promise<Viewer> {
  const viewer = await requireMember(context, returnTo, options)
  if (isConfirmed(viewer)) return viewer
  if (viewer.assurance === 'aal1') return requireFactor(context, viewer, returnTo, options)
  await confirmSession(context, viewer, returnTo)
  return viewer
}

/**
 * `requireViewer`, and what `read` reads for the member. The questions to the auth service and the reads are sent at
 * the same time, so that the page waits for one round trip. `read` must change nothing, and the data API verifies the
 * token itself. If the guard throws, what was read is discarded.
 */
export async function requireViewerWith<Value>(
  context: AppLoadContext,
  returnTo: string,
  read: (memberId: string) => Promise<Value>,
): Promise<{ viewer: Viewer; value: Value }> {
  const { kind, stored } = await context.session()
  const claimed = stored && kind !== 'unreachable' ? claimedViewer(stored.access_token) : null
  if (claimed && !isConfirmed(claimed)) void context.user(claimed.accessToken)
  const reading = claimed && read(claimed.id)
  // The guard may throw first.
  reading?.catch(() => {})
  const viewer = await requireViewer(context, returnTo)
  return { viewer, value: await (reading ?? read(viewer.id)) }
}

/** Guards sensitive actions: as `requireViewer`, with the second factor verified within ten minutes. */
export async function requireFreshAssurance(
  context: AppLoadContext,
  returnTo: string,
  options: GuardOptions = {},
): Promise<Viewer> {
  const viewer = await requireViewer(context, returnTo, options)
  if (isFresh(viewer, context)) return viewer
  return requireFactor(context, viewer, returnTo, options)
}

/**
 * When the auth service last confirmed a session, by `confirmationKey`. The user in the session cookie is no
 * evidence, because the visitor can change the cookie.
 */
const confirmedSessions = new Map<string, { memberId: string; at: number }>()
const rememberedFor = 60_000
const mostRemembered = 1_000

/**
 * The key of a session and its level. Verifying a second factor does not change the session's id, and a token
 * from before the verification stays valid until its expiry, so the key contains the level.
 */
function confirmationKey({ sessionId, assurance }: Viewer): string {
  return `${sessionId} ${assurance}`
}

function isConfirmed(viewer: Viewer): boolean {
  return Date.now() - (confirmedSessions.get(confirmationKey(viewer))?.at ?? 0) < rememberedFor
}

function rememberSession(viewer: Viewer): void {
  const key = confirmationKey(viewer)
  confirmedSessions.delete(key)
  confirmedSessions.set(key, { memberId: viewer.id, at: Date.now() })
  const [oldest] = confirmedSessions.keys()
  if (confirmedSessions.size > mostRemembered && oldest !== undefined) confirmedSessions.delete(oldest)
}

/**
 * Discards the confirmations of a member's sessions in this isolate. Called when sessions may have ended, and
 * when a factor was added, because the member's older sessions have not verified the factor.
 */
export function forgetSessions(memberId: string): void {
  for (const [key, confirmed] of confirmedSessions)
    if (confirmed.memberId === memberId) confirmedSessions.delete(key)
}

/**
 * Throws the redirect to /auth if the session was ended on another device. Without this call, a worker that
 * verifies tokens itself would accept the access token until its expiry. If the service does not respond, the
 * token is enough.
 */
async function confirmSession(context: AppLoadContext, viewer: Viewer, returnTo: string): Promise<void> {
  const { user, error } = await context.user(viewer.accessToken)
  if (error) redirectIfSessionEnded(context, error, returnTo)
  if (user) rememberSession(viewer)
}

/** Returns a member who has no verified factor. Redirects any other member to the second-factor page. */
async function requireFactor(
  context: AppLoadContext,
  viewer: Viewer,
  returnTo: string,
  options: GuardOptions,
): Promise<Viewer> {
  const factors = await listFactors(context, viewer.accessToken, returnTo, options.form)
  if (factors.some(isVerified)) throw redirect(withReturnTo(factorPath, returnTo), 303)
  rememberSession(viewer)
  return viewer
}

/** True if a second factor was verified within the last ten minutes. */
export function isFresh({ assurance, factorShownAt }: Viewer, { config }: AppLoadContext): boolean {
  return assurance === 'aal2' && readClock(config) - factorShownAt < maximumFactorAge
}
