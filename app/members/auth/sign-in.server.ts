import { type AppLoadContext, redirectDocument } from '@remix-run/cloudflare'
import type { BackendError } from '../../platform/server/backend-error'
import { home } from '../../platform/server/redirect'
import { type AuthNoticeKey, announce } from './auth-notices.server'
import { type Credentials, signInWithPassword } from './credentials.server'
import { mailLanguage } from './language.server'
import { clearPendingEmail } from './pending-email.server'
import { clearPendingSession } from './pending-session.server'
import { parseSession, type Session } from './session.server'
import { userSchema } from './user.server'

/** `mailbox`: the account exists, but its email address must be confirmed before a sign-in. */
export type SignInResult =
  | { kind: 'session'; session: Session }
  | { kind: 'mailbox' }
  | { kind: 'refused'; error: BackendError }

/** Signs in or up, by the form's intent. Writes no cookie: the caller passes it to `completeSignIn`. */
export async function signInOrUp(context: AppLoadContext, credentials: Credentials): Promise<SignInResult> {
  const { config, log } = context
  const { intent, email, password } = credentials
  const auth = await context.statelessAuth()
  const { data, error } =
    intent === 'sign-in'
      ? await signInWithPassword(auth, { email, password })
      : await auth.signUp({
          email,
          password,
          options: {
            emailRedirectTo: config.SITE_URL + home,
            data: { username: credentials.username, ...mailLanguage(context.language.locale) },
          },
        })
  if (error) {
    log.warn('auth.refused', { intent, code: error.code ?? error.name, status: error.status })
    // A mail-limit error would reveal that the email address has an account: show the mailbox page instead.
    const mailed = intent === 'sign-up' && error.code === 'over_email_send_rate_limit'
    return mailed ? { kind: 'mailbox' } : { kind: 'refused', error }
  }
  const session = parseSession(data.session)
  if (session) return { kind: 'session', session }
  if (intent === 'sign-up' && userSchema.safeParse(data.user).success) return { kind: 'mailbox' }
  log.warn('auth.invalid-response', { intent })
  return { kind: 'refused', error: { name: 'NoAccountInAnswer', status: 200 } }
}

/** The end of every sign-in: writes the session, ends flows, announces `notice`, redirects to `to`. */
export function completeSignIn(
  context: AppLoadContext,
  session: Session,
  { notice, to }: { notice: AuthNoticeKey | null; to: string },
): Response {
  context.beginSession(session)
  clearPendingEmail(context.cookies)
  clearPendingSession(context.cookies)
  if (notice) announce(context.cookies, notice)
  return redirectDocument(to, 303)
}
