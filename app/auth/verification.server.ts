import { parseWithZod } from '@conform-to/zod/v4'
import { type AppLoadContext, redirectDocument } from '@remix-run/cloudflare'
import type { VerifyOtpParams } from '@supabase/auth-js'
import * as z from 'zod'
import { announce } from '../forms/notice.server'
import type { BackendError } from '../server/backend-error'
import { classifyAuthError } from './messages'
import { clearPendingEmail, readPendingEmail } from './pending-email.server'
import { beginRecovery } from './recovery.server'
import { accountPath, newPasswordPath, safeRedirect } from './redirect'
import { parseSession, type Session } from './session.server'

/** What an e-mailed token is for. */
export type LinkKind = 'sign-in' | 'sign-up' | 'recovery' | 'invite' | 'email-change'

/** The service verifies sign-up and magic link as type `email`; `purpose` is our templates' word for which. */
const link = z.object({
  token_hash: z.string().regex(/^[\w-]{1,500}$/),
  type: z.enum(['email', 'signup', 'magiclink', 'recovery', 'invite', 'email_change']),
  purpose: z.enum(['sign-in', 'sign-up']).optional().catch(undefined),
})

export type MailedLink = z.infer<typeof link>

/** An e-mailed link, from its address or from the form it leads to; null where it is not a whole one. */
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

const digits = 'Please enter the six-digit code'

/** What the form for a code sends. People type it with gaps; a project may have longer ones. */
export function parseCode(form: FormData) {
  const code = z
    .string(digits)
    .transform((typed) => typed.replace(/[\s-]/g, ''))
    .pipe(z.string().regex(/^\d{6,10}$/, digits))
  return parseWithZod(form, { schema: z.object({ code }) })
}

/** `half`: a change of e-mail that has to be confirmed at the other address too. */
export type Verified =
  | { kind: 'session'; session: Session; memberId: string }
  | { kind: 'half' }
  | { kind: 'refused'; error: BackendError }

/** Spends an e-mailed token or code. Whether its session becomes the visitor's is the caller's to say. */
export async function verify(context: AppLoadContext, params: VerifyOtpParams): Promise<Verified> {
  const tooOften = await context.limit('code', 'email' in params ? params.email : undefined)
  if (tooOften) return { kind: 'refused', error: tooOften }
  const { data, error } = await context.statelessAuth().verifyOtp(params)
  if (error) {
    context.log[classifyAuthError(error).level]('verify.refused', {
      type: params.type,
      code: error.code ?? error.name,
      status: error.status,
    })
    // What is no token at all is told as one that does not hold.
    const malformed = error.code === 'validation_failed'
    return { kind: 'refused', error: malformed ? { code: 'otp_expired', status: error.status } : error }
  }
  const session = parseSession(data.session)
  const member = z.object({ id: z.string().min(1) }).safeParse(data.user)
  if (session && member.success) return { kind: 'session', session, memberId: member.data.id }
  if (params.type === 'email_change' && !data.session && !data.user) return { kind: 'half' }
  context.log.warn('verify.garbage', { type: params.type })
  return { kind: 'refused', error: { name: 'NoSessionInAnswer', status: 200 } }
}

/** Signs in by what was verified. The answer leads to where that was for, or to where the visitor was going. */
export function completeSignIn(
  context: AppLoadContext,
  kind: Exclude<LinkKind, 'email-change'>,
  { session, memberId }: Extract<Verified, { kind: 'session' }>,
): Response {
  const { config, cookies } = context
  const going = safeRedirect(readPendingEmail(cookies)?.redirectTo, config.SITE_URL)
  context.beginSession(session)
  context.endFlows()
  clearPendingEmail(cookies)
  if (kind === 'recovery' || kind === 'invite') {
    beginRecovery(cookies, memberId)
    return redirectDocument(newPasswordPath, 303)
  }
  announce(cookies, kind === 'sign-up' ? 'signed-up' : 'signed-in')
  return redirectDocument(going, 303)
}

/**
 * Ends a confirmed change of e-mail: a session whose token knows the new address takes the old one's place. Who
 * is signed in as somebody else stays so: this link was not about signing in.
 */
export async function completeEmailChange(
  context: AppLoadContext,
  { session, memberId }: Extract<Verified, { kind: 'session' }>,
): Promise<Response> {
  const state = await context.viewer()
  if (state.kind === 'member' && state.viewer.id !== memberId) {
    await context.statelessAuth().signOut({ scope: 'local' })
  } else {
    context.beginSession(session)
    context.endFlows()
  }
  announce(context.cookies, 'email-changed')
  return redirectDocument(accountPath, 303)
}
