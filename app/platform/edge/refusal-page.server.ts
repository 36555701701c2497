import { msg } from '@lingui/core/macro'
import type { AppLoadContext } from '@remix-run/cloudflare'
import { staticPage } from './error-page.server'

const sentences = {
  400: {
    title: msg`Connection lost`,
    text: msg`Your form didn't arrive completely, so nothing changed. Please send it again.`,
  },
  405: { title: msg`That doesn't work here`, text: msg`This page can't do that. Nothing changed.` },
  413: {
    title: msg`That's too big`,
    text: msg`Please go back and send a shorter text or a smaller picture. Nothing changed.`,
  },
  414: { title: msg`This link is too long`, text: msg`It may have been pasted twice.` },
  415: { title: msg`We can't read that`, text: msg`It isn't a form from this site. Nothing changed.` },
  429: { title: msg`Too many searches`, text: msg`Please wait a minute and try again.` },
} as const

/** The page for a request that is refused before it reaches a route. */
export function refusalPage(
  status: keyof typeof sentences,
  context: Pick<AppLoadContext, 'language' | 'log'>,
  headers: Record<string, string> = {},
): Response {
  const { title, text } = sentences[status]
  const response = staticPage(context, status, title, text)
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}
