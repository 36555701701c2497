import type { Log } from '../server/log.server'
import { staticPage } from './error-page.server'

const sentences = {
  400: {
    title: 'Connection lost',
    text: "Your form didn't arrive completely, so nothing changed. Please send it again.",
  },
  405: {
    title: "That doesn't work here",
    text: "This page can't do that. Nothing changed.",
  },
  413: {
    title: "That's too big",
    text: 'Please go back and send a shorter text or a smaller picture. Nothing changed.',
  },
  414: {
    title: 'This link is too long',
    text: 'It may have been pasted twice.',
  },
  415: {
    title: "We can't read that",
    text: "It isn't a form from this site. Nothing changed.",
  },
  429: {
    title: 'Too many searches',
    text: 'Please wait a minute and try again.',
  },
} as const

/** The page of a request that is refused before it reaches a route. */
export function refusalPage(
  status: keyof typeof sentences,
  log: Log,
  headers: Record<string, string> = {},
): Response {
  const { title, text } = sentences[status]
  const response = staticPage(status, title, text, log.requestId)
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}
