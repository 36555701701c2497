import { parseWithZod } from '@conform-to/zod/v4'
import type { AppLoadContext } from '@remix-run/cloudflare'
import type { AuthError } from '@supabase/auth-js'
import * as z from 'zod/mini'
import type { I18n } from '../../platform/locales/i18n'
import type { BackendError } from '../../platform/server/backend-error'
import { home, newPasswordPath } from '../../platform/server/redirect'
import { email } from './credentials.server'
import { logAuthError } from './error-log.server'
import { withMinimumTime } from './minimum-time.server'

/** The purposes of an email that a visitor can request. */
export const emailPurposes = ['sign-in', 'sign-up', 'recovery'] as const
export type EmailPurpose = (typeof emailPurposes)[number]

/** The form that requests an email. */
export function parseAddress(form: FormData, i18n: I18n) {
  return parseWithZod(form, { schema: z.object({ email: email(i18n) }) })
}

/** Error codes that do not depend on the email address. */
const independentOfAddress = new Set(['over_request_rate_limit', 'email_provider_disabled', 'captcha_failed'])

/**
 * Requests an email. Returns null on success. Also returns null after an error that depends on the email
 * address, to prevent account enumeration; such an error is only logged. Returns any other error, such as a
 * rate limit, an unreachable service or an invalid response.
 */
export async function requestEmail(
  context: AppLoadContext,
  purpose: EmailPurpose,
  address: string,
): Promise<BackendError | null> {
  const limited = await context.limit('mail', address)
  if (limited) return limited
  const { error } = await withMinimumTime(context, () => sendRequest(context, purpose, address))
  if (!error) return null
  logAuthError(context.log, 'mail.refused', error, { purpose })
  return dependsOnAddress(error) ? null : error
}

/** True for a 4xx error whose code may depend on whether the email address has an account. */
export function dependsOnAddress({ code, status }: BackendError): boolean {
  return (
    code !== undefined &&
    status !== undefined &&
    status >= 400 &&
    status < 500 &&
    !independentOfAddress.has(code)
  )
}

async function sendRequest(
  context: AppLoadContext,
  purpose: EmailPurpose,
  address: string,
): Promise<{ error: AuthError | null }> {
  // The client that writes cookies stores a verifier only on success: its cookie would reveal the result.
  const auth = await context.statelessAuth()
  const { SITE_URL } = context.config
  switch (purpose) {
    case 'sign-in':
      return auth.signInWithOtp({
        email: address,
        options: { shouldCreateUser: false, emailRedirectTo: SITE_URL + home },
      })
    case 'sign-up':
      return auth.resend({ type: 'signup', email: address, options: { emailRedirectTo: SITE_URL + home } })
    case 'recovery':
      return auth.resetPasswordForEmail(address, { redirectTo: SITE_URL + newPasswordPath })
  }
}
