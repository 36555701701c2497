import type { Log } from '../server/log.server'
import { staticPage } from './error-page.server'

const sentences = {
  400: {
    title: 'This did not arrive whole',
    text: 'The connection ended before your form did, so nothing was changed. Please send it again.',
  },
  405: {
    title: 'This page does not take that',
    text: 'The address may be right, but not for a request of this kind. Nothing was changed.',
  },
  413: {
    title: 'That was too much at once',
    text: 'What was sent is larger than any form of this site. Nothing was changed. Please go back, shorten it, and send it again.',
  },
  414: {
    title: 'This address is too long',
    text: 'No page of this site has an address like that. Perhaps something was pasted twice.',
  },
  415: {
    title: 'This is not a form of this site',
    text: 'What was sent is of a kind that no page here takes. Nothing was changed.',
  },
} as const

/** The page of a request that is refused before any route sees it. */
export function refuse(
  status: keyof typeof sentences,
  log: Log,
  headers: Record<string, string> = {},
): Response {
  const { title, text } = sentences[status]
  const response = staticPage(status, title, text, log.requestId)
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}
