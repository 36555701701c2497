import { parseWithZod } from '@conform-to/zod/v4'
import type { AppLoadContext } from '@remix-run/cloudflare'
import * as z from 'zod'
import type { BackendError } from '../server/backend-error'
import { email } from './credentials.server'
import { classifyAuthError } from './messages'
import { home, newPasswordPath } from './redirect'

/** What a mail that somebody asks for is good for. */
export const emailPurposes = ['sign-in', 'sign-up', 'recovery'] as const
export type EmailPurpose = (typeof emailPurposes)[number]

/** What a form sends that asks for a mail. */
export function parseAddress(form: FormData) {
  return parseWithZod(form, { schema: z.object({ email }) })
}

/** Refusals that are the same for every address. */
const tellable = new Set(['over_request_rate_limit', 'email_provider_disabled', 'captcha_failed'])

/**
 * Asks the auth service to send a mail. Null when it was asked: whether an address has an account is never told,
 * so a refusal that may depend on the address is one to us only. A service that is away or babbles is an error.
 */
export async function requestEmail(
  context: AppLoadContext,
  purpose: EmailPurpose,
  address: string,
): Promise<BackendError | null> {
  const tooOften = await context.limit('mail', address)
  if (tooOften) return tooOften
  const { error } = await ask(context, purpose, address)
  if (!error) return null
  context.log[classifyAuthError(error).level]('mail.refused', {
    purpose,
    code: error.code ?? error.name,
    status: error.status,
  })
  return dependsOnAddress(error) ? null : error
}

/** True for a refusal in plain words of the service, but for those it gives whatever the address. */
export function dependsOnAddress({ code, status }: BackendError): boolean {
  return code !== undefined && status !== undefined && status >= 400 && status < 500 && !tellable.has(code)
}

function ask(context: AppLoadContext, purpose: EmailPurpose, address: string) {
  // Not the client that writes cookies: the code verifiers it would leave differ with the service's answer.
  const auth = context.statelessAuth()
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
