import type { GoTrueClient } from '@supabase/auth-js'
import * as z from 'zod'
import type { BackendError } from '../server/backend-error'
import type { Log } from '../server/log.server'
import type { Credentials } from './credentials.server'

const account = z.object({ id: z.string().min(1) })

/** `mailbox`: an account is made, but its e-mail address has to be confirmed before it has a session. */
export type SignInResult =
  | { kind: 'entered' }
  | { kind: 'mailbox' }
  | { kind: 'refused'; error: BackendError }

/** Signs in or up, whichever the form asks for. The client writes the session's cookies itself. */
export async function signInOrUp(
  auth: GoTrueClient,
  credentials: Credentials,
  siteUrl: string,
  log: Log,
): Promise<SignInResult> {
  const { intent, email, password } = credentials
  const { data, error } =
    intent === 'sign-in'
      ? await auth.signInWithPassword({ email, password })
      : await auth.signUp({
          email,
          password,
          options: { emailRedirectTo: `${siteUrl}/dashboard`, data: { username: credentials.username } },
        })
  if (error) {
    log.warn('auth.refused', { intent, code: error.code ?? error.name, status: error.status })
    // The limit on mails to one address would tell that it has signed up: everyone gets the same page.
    const mailed = intent === 'sign-up' && error.code === 'over_email_send_rate_limit'
    return mailed ? { kind: 'mailbox' } : { kind: 'refused', error }
  }
  if (data.session) return { kind: 'entered' }
  if (account.safeParse(data.user).success) return { kind: 'mailbox' }
  log.warn('auth.garbage', { intent })
  return { kind: 'refused', error: { name: 'NoAccountInAnswer', status: 200 } }
}
