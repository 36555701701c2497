import type { Submission, SubmissionResult } from '@conform-to/react'
import { msg } from '@lingui/core/macro'
import { type AppLoadContext, data } from '@remix-run/cloudflare'

/** The message for a form that lacks fields that the page has. */
export const unreadableForm = msg`Something's wrong with this form. Please reload the page.`

/** The message for a form that was sent too often (status 429). */
export const tooManyRequests = msg`Too many requests. Please try again in a few minutes.`

/** A form that conform has read, valid or not. */
type Read = Pick<Submission<unknown>, 'payload'> & { error?: SubmissionResult['error'] | null }

/** Why a form is not accepted. Without a `message`, its values are invalid: `submission` has the messages. */
interface Why {
  message?: string
  /** The field of the message. */
  field?: string | null | undefined
  status?: number
  /** The language of the message, if it differs from the language of the page. */
  lang?: 'en' | undefined
  /** The fields whose values are not repeated. */
  hide?: readonly string[]
}

/**
 * The response to a form that is not accepted: its values and the messages of its fields, and a notice with
 * the first message (spec §8). The title of the page then begins with 'Error:'.
 */
export function refuse<Extra extends object = object>(
  context: Pick<AppLoadContext, 'language' | 'refused'>,
  submission: Read | null,
  { message, field, status = 400, lang, hide = [] }: Why = {},
  extra?: Extra,
) {
  const { i18n } = context.language
  const errors = message === undefined ? firstMessages(submission?.error) : field ? { [field]: message } : {}
  const text = message ?? Object.values(errors)[0] ?? i18n._(unreadableForm)
  const title = message === undefined ? msg`Validation Error` : msg`Error`
  context.refused = true
  return data(
    {
      id: crypto.randomUUID(),
      values: submission && textsOf(submission.payload, hide),
      errors,
      notice: { title: i18n._(title), text, ...(lang && { lang }), destructive: true },
      status,
      ...(extra as Extra),
    },
    status,
  )
}

function firstMessages(errors: Read['error']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors ?? {}).flatMap(([name, messages]) => (messages?.[0] ? [[name, messages[0]]] : [])),
  )
}

function textsOf(payload: Read['payload'], hide: readonly string[]): Record<string, string> {
  const shown = Object.entries(payload).filter(([name]) => !hide.includes(name))
  return Object.fromEntries(shown.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
