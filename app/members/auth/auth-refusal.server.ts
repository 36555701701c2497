import type { AppLoadContext } from '@remix-run/cloudflare'
import { refuse } from '../../platform/forms/refusal.server'
import type { BackendError } from '../../platform/server/backend-error'
import { redirectIfSessionEnded } from './factor.server'
import { errorNotice, errorStatus } from './messages'

interface Options {
  /** The field of the message. */
  field?: string | undefined
  /** The fields whose values are not repeated. */
  hide?: readonly string[]
  /** Where a member whose session has ended returns to after the next sign-in. */
  returnTo?: string
}

/**
 * The response to a form after a refusal, a rate limit or a failure of the auth service. With `returnTo`,
 * throws the redirect to /auth if the session has ended.
 */
export function refuseAuth<Extra extends object = object>(
  context: AppLoadContext,
  submission: Parameters<typeof refuse>[1],
  error: BackendError,
  { field, hide, returnTo }: Options = {},
  extra?: Extra,
) {
  if (returnTo) redirectIfSessionEnded(context, error, returnTo)
  const { text: message, lang } = errorNotice(error, context.language.i18n)
  return refuse(context, submission, { message, lang, status: errorStatus(error), field, hide }, extra)
}
