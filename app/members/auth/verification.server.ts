import { parseWithZod } from '@conform-to/zod/v4'
import { msg } from '@lingui/core/macro'
import { type AppLoadContext, redirectDocument } from '@remix-run/cloudflare'
import type { VerifyOtpParams } from '@supabase/auth-js'
import * as z from 'zod/mini'
import { readCode } from '../../platform/forms/code'
import type { I18n } from '../../platform/locales/i18n'
import type { BackendError } from '../../platform/server/backend-error'
import { accountPath, newPasswordPath, safeRedirect } from '../../platform/server/redirect'
import { readEmail } from './account.server'
import { announce } from './auth-notices.server'
import { logAuthError } from './error-log.server'
import { withMinimumTime } from './minimum-time.server'
import { readPendingEmail } from './pending-email.server'
import { beginRecovery } from './recovery.server'
import { parseSession, type Session } from './session.server'
import { completeSignIn } from './sign-in.server'
import { userSchema } from './user.server'

/** The purpose of a mailed token. */
export type LinkKind = 'sign-in' | 'sign-up' | 'recovery' | 'invite' | 'email-change'

/** The service verifies sign-ups and magic links as `email`; our templates add `purpose` to distinguish them. */
const link = z.object({
  token_hash: z.string().check(z.regex(/^[\w-]{1,500}$/)),
  type: z.enum(['email', 'signup', 'magiclink', 'recovery', 'invite', 'email_change']),
  purpose: z.catch(z.optional(z.enum(['sign-in', 'sign-up'])), undefined),
  /** The new address of a change of email. A template that does not escape a '+' makes it a space. */
  new_email: z.catch(
    z.optional(
      z.pipe(
        z.string().check(z.maxLength(320)),
        z.transform((address) => address.replaceAll(' ', '+')),
      ),
    ),
    undefined,
  ),
})

export type MailedLink = z.infer<typeof link>

/** Reads a mailed link from its URL, or from its page's form. Null if incomplete or malformed. */
export function parseLink(parameters: URLSearchParams | FormData): MailedLink | null {
  return link.safeParse(Object.fromEntries(parameters)).data ?? null
}

export function kindOf({ type, purpose }: MailedLink): LinkKind {
  switch (type) {
    case 'email':
      return purpose ?? 'sign-up'
    case 'signup':
      return 'sign-up'
    case 'magiclink':
      return 'sign-in'
    case 'email_change':
      return 'email-change'
    default:
      return type
  }
}

/** The form for a mailed code. Allows up to ten digits, which some projects use. */
export function parseCode(form: FormData, i18n: I18n) {
  const digits = i18n._(msg`Please enter the 6-digit code`)
  const code = z.pipe(
    z.pipe(
      z.string(digits),
      z.transform((typed) => readCode(typed, 6, 10)),
    ),
    z.string(digits),
  )
  return parseWithZod(form, { schema: z.object({ code }) })
}

/** `awaitingOtherAddress`: the member must confirm the change at the other email address too. */
export type Verified =
  | { kind: 'session'; session: Session; memberId: string }
  | { kind: 'awaitingOtherAddress' }
  | { kind: 'refused'; error: BackendError }

/** How long a mailed link that was just used gives the same answer to the same browser, in milliseconds. */
const repeatedWithin = 5_000
/** The links that this isolate has verified, by token and browser. */
const verifying = new Map<string, { at: number; result: Promise<Verified> }>()

/**
 * Verifies a mailed link. Without the script, two quick taps on its button send two forms, and the browser shows only the
 * second response: the second form gets the answer of the first.
 */
export function verifyLink(
  context: AppLoadContext,
  request: Request,
  { token_hash, type }: MailedLink,
): Promise<Verified> {
  const now = Date.now()
  for (const [key, { at }] of verifying) if (now - at > repeatedWithin) verifying.delete(key)
  const browser = ['CF-Connecting-IP', 'User-Agent', 'Cookie'].map((name) => request.headers.get(name))
  const key = JSON.stringify([token_hash, type, ...browser])
  const result = verifying.get(key)?.result ?? verify(context, { token_hash, type })
  if (!verifying.has(key)) {
    verifying.set(key, { at: now, result })
    // A link that was not verified can be tried again.
    const forget = () => verifying.delete(key)
    // The browser ends the first request, whose answer the second one needs.
    context.execution.waitUntil(result.then(({ kind }) => kind === 'refused' && forget(), forget))
  }
  return result
}

/** Verifies a mailed token or code. After this call, neither can be used again. Writes no cookie. */
export async function verify(context: AppLoadContext, params: VerifyOtpParams): Promise<Verified> {
  const limited = await context.limit('code', 'email' in params ? params.email : undefined)
  if (limited) return { kind: 'refused', error: limited }
  const { data, error } = await withMinimumTime(
    context,
    async () => (await context.statelessAuth()).verifyOtp(params),
    // Only a refused code needs the minimum time, because a mailed link is verified without an email address.
    (result) => !('email' in params) || !result.error,
  )
  if (error) {
    logAuthError(context.log, 'verify.refused', error, { type: params.type })
    // Report a malformed token as an expired one.
    const malformed = error.code === 'validation_failed'
    return { kind: 'refused', error: malformed ? { code: 'otp_expired', status: error.status } : error }
  }
  const session = parseSession(data.session)
  const user = userSchema.safeParse(data.user)
  if (session && user.success) return { kind: 'session', session, memberId: user.data.id }
  if (params.type === 'email_change' && !data.session && !data.user) return { kind: 'awaitingOtherAddress' }
  context.log.warn('verify.invalid-response', { type: params.type })
  return { kind: 'refused', error: { name: 'NoSessionInAnswer', status: 200 } }
}

/**
 * Signs in with a verified token and redirects: after a recovery or an invitation to the page for a new
 * password, otherwise to the page that the visitor requested before the sign-in, or to `home`.
 */
export function completeEmailSignIn(
  context: AppLoadContext,
  kind: Exclude<LinkKind, 'email-change'>,
  { session, memberId }: Extract<Verified, { kind: 'session' }>,
): Response {
  const { config, cookies } = context
  if (kind === 'recovery' || kind === 'invite') {
    beginRecovery(cookies, memberId)
    return completeSignIn(context, session, { notice: null, to: newPasswordPath })
  }
  const to = safeRedirect(readPendingEmail(cookies)?.redirectTo, config.SITE_URL)
  return completeSignIn(context, session, { notice: kind === 'sign-up' ? 'signed-up' : 'signed-in', to })
}

/**
 * Completes a change of the email address: the new session, whose token contains the new address, replaces
 * the old session. If this browser has a different member's session, that session stays and the new session
 * is ended.
 */
export async function completeEmailChange(
  context: AppLoadContext,
  { session, memberId }: Extract<Verified, { kind: 'session' }>,
): Promise<Response> {
  const state = await context.viewer()
  if (state.kind !== 'member' || state.viewer.id === memberId)
    return completeSignIn(context, session, { notice: 'email-changed', to: accountPath })
  await (await context.statelessAuth()).signOut({ scope: 'local' })
  announce(context.cookies, 'email-changed')
  return redirectDocument(accountPath, 303)
}

/**
 * True if the member of this browser's session already has the new email address. The auth service gives the
 * same error for an expired link and for a link whose change is already complete. Only the member's address
 * shows that the change is complete.
 */
export async function isChangeComplete(context: AppLoadContext, { new_email }: MailedLink): Promise<boolean> {
  const state = await context.viewer()
  if (!new_email || state.kind !== 'member') return false
  const { email, error } = await readEmail(context, state.viewer)
  return !error && email?.toLowerCase() === new_email.toLowerCase()
}
