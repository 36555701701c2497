import { parseWithZod } from '@conform-to/zod/v4'
import { msg } from '@lingui/core/macro'
import type { AppLoadContext } from '@remix-run/cloudflare'
import * as z from 'zod/mini'
import type { I18n } from '../../platform/locales/i18n'
import type { BackendError } from '../../platform/server/backend-error'
import { readClock } from '../../platform/server/clock.server'
import { accountPath } from '../../platform/server/redirect'
import { email, newPassword, signInWithPassword } from './credentials.server'
import { dependsOnAddress } from './email.server'
import { logAuthError } from './error-log.server'
import type { Viewer } from './identity.server'
import { withMinimumTime } from './minimum-time.server'
import { userSchema } from './user.server'
import { forgetSessions } from './viewer.server'

export function parseNewPassword(form: FormData, i18n: I18n) {
  return parseWithZod(form, { schema: z.object({ newPassword: newPassword(i18n) }) })
}

export function parsePasswordChange(form: FormData, i18n: I18n) {
  const currentPassword = z.string(i18n._(msg`Please enter your current password`))
  return parseWithZod(form, { schema: z.object({ currentPassword, newPassword: newPassword(i18n) }) })
}

/** `current` is the member's email address; null if the account has no email address. */
export function parseEmailChange(form: FormData, current: string | null, i18n: I18n) {
  const other = email(i18n).check(
    z.refine(
      (typed) => typed.toLowerCase() !== current?.toLowerCase(),
      i18n._(msg`That's already your email`),
    ),
  )
  return parseWithZod(form, { schema: z.object({ email: other }) })
}

/** The error of the current-password field; a sign-in does not say which of its fields is wrong. */
export const wrongPassword = msg`Current password isn't correct`

const invalidResponse: BackendError = { name: 'NoAccountInAnswer', status: 200 }

/**
 * The member's email address from the auth service, because the token may contain an older address. After an
 * error or an invalid response, returns the address in the token and the error.
 */
export async function readEmail(
  context: AppLoadContext,
  viewer: Viewer,
): Promise<{ email: string | null; error: BackendError | null }> {
  const { user, error } = await context.user(viewer.accessToken)
  const parsed = userSchema.safeParse(user)
  if (parsed.success) return { email: parsed.data.email || null, error: null }
  logAuthError(context.log, 'account.not-read', error ?? invalidResponse)
  return { email: viewer.email || null, error: error ?? invalidResponse }
}

const refusedPassword: BackendError = { code: 'invalid_credentials', status: 400 }

/**
 * Checks the current password: signs in without writing a cookie, and ends the new session immediately.
 * Returns null if the password is right, otherwise the error.
 */
export async function checkPassword(
  context: AppLoadContext,
  viewer: Viewer,
  address: string,
  typed: string,
): Promise<BackendError | null> {
  const proof = await proveByPassword(context, viewer, address, typed)
  if ('error' in proof) return proof.error
  await (await context.statelessAuth()).signOut({ scope: 'local' })
  return null
}

/** Signs in with the password, in a separate session that no cookie stores. */
async function proveByPassword(
  context: AppLoadContext,
  viewer: Viewer,
  address: string,
  typed: string,
): Promise<{ accessToken: string } | { error: BackendError }> {
  const limited = await context.limit('password', viewer.id)
  if (limited) return { error: limited }
  const auth = await context.statelessAuth()
  const { data, error } = await signInWithPassword(auth, { email: address, password: typed })
  if (error) {
    logAuthError(context.log, 'password.not-checked', error)
    return { error }
  }
  if (data.user?.id === viewer.id) return { accessToken: data.session.access_token }
  await auth.signOut({ scope: 'local' })
  return { error: refusedPassword }
}

/** Maximum age of `provenAt` in milliseconds, less than the ten minutes of the database function. */
const recently = 9 * 60_000

/** True if the member has signed in or verified a factor within the last nine minutes. */
export function isRecentlyProven({ config }: AppLoadContext, { provenAt }: Viewer): boolean {
  return readClock(config) - provenAt < recently
}

/**
 * Deletes the member's account and all its rows; a scheduled run removes the picture later. `password` is the
 * current password, or null for a session that `isRecentlyProven` accepts. Returns null on success, otherwise
 * the error: the database refuses a session that is not recent.
 */
export async function deleteAccount(
  context: AppLoadContext,
  viewer: Viewer,
  address: string | null,
  password: string | null,
): Promise<BackendError | null> {
  let { accessToken } = viewer
  if (password !== null) {
    const proof = await proveByPassword(context, viewer, address ?? '', password)
    if ('error' in proof) return proof.error
    accessToken = proof.accessToken
  }
  const done = await context.dataAs(accessToken).command('delete_account', z.unknown(), {})
  if ('value' in done) {
    forgetSessions(viewer.id)
    context.log.info('account.deleted')
    return null
  }
  if (password !== null) await (await context.statelessAuth()).signOut({ scope: 'local' })
  const { code, status } = done
  return code === 'fresh_sign_in_needed' ? { code: 'reauthentication_needed', status } : { status }
}

/** Sets the password; some projects require the `current` one too. Null on success, or the error. */
export async function setPassword(
  context: AppLoadContext,
  viewer: Viewer,
  chosen: string,
  current?: string,
): Promise<BackendError | null> {
  const attributes = current === undefined ? {} : { current_password: current }
  const { data, error } = await (await context.auth()).updateUser({ password: chosen, ...attributes })
  const done = !error && userSchema.safeParse(data.user).data?.id === viewer.id
  if (done) return null
  logAuthError(context.log, 'password.not-set', error ?? invalidResponse)
  return error ?? invalidResponse
}

/**
 * `mailed`: the change takes effect when the member opens the mailed links. The result is the same if another
 * member has the email address, so that it does not reveal that the address is taken.
 */
export type EmailChange = { kind: 'changed' | 'mailed' } | { kind: 'refused'; error: BackendError }

/** Requests a change of the email address; a project that confirms addresses then emails links. */
export async function changeEmail(
  context: AppLoadContext,
  viewer: Viewer,
  address: string,
): Promise<EmailChange> {
  for (const recipient of [address, viewer.email]) {
    const limited = recipient && (await context.limit('mail', recipient))
    if (limited) return { kind: 'refused', error: limited }
  }
  const { data, error } = await withMinimumTime(context, async () =>
    (await context.auth()).updateUser(
      { email: address },
      { emailRedirectTo: context.config.SITE_URL + accountPath },
    ),
  )
  // Our emails need no code verifier. The client stores it only on success, so its cookie would reveal the
  // result.
  context.endFlows()
  if (error) {
    logAuthError(context.log, 'email.not-changed', error)
    // Do not reveal that another member has this email address.
    if (error.code === 'email_exists' && dependsOnAddress(error)) return { kind: 'mailed' }
    return { kind: 'refused', error }
  }
  const user = userSchema.safeParse(data.user)
  if (!user.success || user.data.id !== viewer.id) {
    logAuthError(context.log, 'email.not-changed', invalidResponse)
    return { kind: 'refused', error: invalidResponse }
  }
  return { kind: user.data.email?.toLowerCase() === address.toLowerCase() ? 'changed' : 'mailed' }
}

/** Ends the member's other sessions, or all sessions. Returns null on success, otherwise the error. */
export async function endSessions(
  context: AppLoadContext,
  scope: 'others' | 'global',
): Promise<BackendError | null> {
  const { error } = await (await context.auth()).signOut({ scope })
  const state = await context.viewer()
  if (state.kind === 'member') forgetSessions(state.viewer.id)
  if (error) logAuthError(context.log, 'sessions.not-ended', error, { scope })
  return error
}
