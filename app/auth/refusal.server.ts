import type { SubmissionResult } from '@conform-to/react'
import { formError } from '../forms/refusal.server'
import type { I18n } from '../locales/i18n'
import type { BackendError } from '../server/backend-error'
import { errorNotice, errorStatus } from './messages'

/** The response to a form after a refusal, a rate limit or a failure of the auth service. */
export function authFormError<Extra extends object = object>(
  lastResult: SubmissionResult<string[]>,
  error: BackendError,
  i18n: I18n,
  extra?: Extra,
) {
  return formError(lastResult, errorNotice(error, i18n), errorStatus(error), extra)
}
