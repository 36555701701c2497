import { parseWithZod } from '@conform-to/zod/v4'
import type { AppLoadContext } from '@remix-run/cloudflare'
import * as z from 'zod'
import type { BackendError } from '../server/backend-error'
import { email, password } from './credentials.server'
import { dependsOnAddress } from './email.server'
import { classifyAuthError } from './messages'
import { accountPath } from './redirect'
import type { Viewer } from './viewer.server'

/** The service hashes no more than this; what stands beyond would be no part of the password. */
const maxPasswordLength = 72
const newPassword = password.max(
  maxPasswordLength,
  `Password must be at most ${maxPasswordLength} characters`,
)

export function parseNewPassword(form: FormData) {
  return parseWithZod(form, { schema: z.object({ newPassword }) })
}

export function parsePasswordChange(form: FormData) {
  const currentPassword = z.string('Please enter your current password')
  return parseWithZod(form, { schema: z.object({ currentPassword, newPassword }) })
}

/** `current` is the address as it stands, or null for a member who has none. */
export function parseEmailChange(form: FormData, current: string | null) {
  const other = email.refine(
    (typed) => typed.toLowerCase() !== current?.toLowerCase(),
    'This is your e-mail address already',
  )
  return parseWithZod(form, { schema: z.object({ email: other }) })
}

const account = z.object({ id: z.string().min(1), email: z.string().optional() })
const garbage: BackendError = { name: 'NoAccountInAnswer', status: 200 }

/** The member's e-mail address as the service has it now: the token's own may be as old as the token. */
export async function readEmail(
  context: AppLoadContext,
  viewer: Viewer,
): Promise<{ email: string | null; error: BackendError | null }> {
  const { data, error } = await context.auth().getUser(viewer.accessToken)
  const found = account.safeParse(data.user)
  if (!error && found.success) return { email: found.data.email || null, error: null }
  report(context, 'account.not-read', error ?? garbage)
  return { email: viewer.email || null, error: error ?? garbage }
}

/**
 * Checks the current password by a sign-in that writes no cookie and is signed out again at once. Null when it
 * is right.
 */
export async function checkPassword(
  context: AppLoadContext,
  viewer: Viewer,
  address: string,
  typed: string,
): Promise<BackendError | null> {
  const tooOften = await context.limit('password', viewer.id)
  if (tooOften) return tooOften
  const auth = context.statelessAuth()
  const { data, error } = await auth.signInWithPassword({ email: address, password: typed })
  if (error) {
    report(context, 'password.not-checked', error)
    return error
  }
  await auth.signOut({ scope: 'local' })
  return data.user?.id === viewer.id ? null : { code: 'invalid_credentials', status: 400 }
}

/** Sets the password. `current` goes along for projects that ask for it. Null when set. */
export async function setPassword(
  context: AppLoadContext,
  viewer: Viewer,
  chosen: string,
  current?: string,
): Promise<BackendError | null> {
  const attributes = current === undefined ? {} : { current_password: current }
  const { data, error } = await context.auth().updateUser({ password: chosen, ...attributes })
  const done = !error && account.safeParse(data.user).data?.id === viewer.id
  if (done) return null
  report(context, 'password.not-set', error ?? garbage)
  return error ?? garbage
}

/** `mailed`: the change waits for its link to be opened, or the address can't be had, which is not told. */
export type EmailChange = { kind: 'changed' | 'mailed' } | { kind: 'refused'; error: BackendError }

/** Asks for another e-mail address. Where the project confirms addresses the change waits for the mailed link. */
export async function changeEmail(
  context: AppLoadContext,
  viewer: Viewer,
  address: string,
): Promise<EmailChange> {
  const tooOften = await context.limit('mail', viewer.id)
  if (tooOften) return { kind: 'refused', error: tooOften }
  const { data, error } = await context
    .auth()
    .updateUser({ email: address }, { emailRedirectTo: context.config.SITE_URL + accountPath })
  // Our mails need no code verifier; those that stay would differ with the service's answer.
  context.endFlows()
  if (error) {
    report(context, 'email.not-changed', error)
    // Whether another member has the address is told to nobody.
    if (error.code === 'email_exists' && dependsOnAddress(error)) return { kind: 'mailed' }
    return { kind: 'refused', error }
  }
  const found = account.safeParse(data.user)
  if (!found.success || found.data.id !== viewer.id) {
    report(context, 'email.not-changed', garbage)
    return { kind: 'refused', error: garbage }
  }
  return { kind: found.data.email?.toLowerCase() === address.toLowerCase() ? 'changed' : 'mailed' }
}

/** Ends the member's sessions elsewhere, or all of them. Null when they have ended. */
export async function endSessions(
  context: AppLoadContext,
  scope: 'others' | 'global',
): Promise<BackendError | null> {
  const { error } = await context.auth().signOut({ scope })
  if (error) report(context, 'sessions.not-ended', error, { scope })
  return error
}

function report(context: AppLoadContext, event: string, error: BackendError, more = {}): void {
  context.log[classifyAuthError(error).level](event, {
    ...more,
    code: error.code ?? error.name,
    status: error.status,
  })
}
