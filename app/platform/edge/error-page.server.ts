import { msg } from '@lingui/core/macro'
import type { AppLoadContext } from '@remix-run/cloudflare'
import stylesUrl from '../../styles.css?url'
import type { Text } from '../locales/i18n'
import { createEnglish } from '../locales/language'
import { navigation } from '../rendering/navigation'
import { brand } from '../site'

/** The content security policy of these pages, which run no script and send no form. */
const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"

/** The parts of a request's context: its language, and its log with the request's ID. */
type PageContext = Pick<AppLoadContext, 'log'> & Partial<Pick<AppLoadContext, 'language'>>

/** A complete page in the site's design, for a request that does not reach Remix or fails in Remix. */
export function staticPage(
  { log, language = createEnglish() }: PageContext,
  status: number,
  title: Text,
  text: Text,
): Response {
  const { locale, i18n, href } = language
  const say = (text: Text) => escapeHtml(i18n._(text))
  const words = say(msg`Reference: ${log.requestId}`).replace(log.requestId, '<code>$&</code>')
  const reference = `<p class="text-sm text-muted wrap-anywhere">${words}</p>`
  const links = navigation.map(
    ({ to, label }) =>
      `<li><a href="${href(to)}" class="inline-flex min-h-9 items-center hover:underline">${say(label)}</a></li>`,
  )
  const html = `<!doctype html>
<html lang="${locale.tag}"${locale.dir === 'rtl' ? ' dir="rtl"' : ''}${locale.systemFont ? ' data-font="system"' : ''}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${say(title)} · ${brand}</title><meta name="robots" content="noindex">
<link rel="stylesheet" href="${stylesUrl}"><link rel="icon" href="/favicon.svg" type="image/svg+xml"></head>
<body class="flex min-h-screen flex-col">
<header class="border-b border-hairline"><div class="column flex min-h-16 items-center">
<a href="${href('/')}" class="flex min-h-11 items-center gap-2.5 font-display text-xl font-bold"><img src="/drawings/mark.svg" alt="" width="32" height="32">${brand}</a>
</div></header>
<main class="column grid flex-1 content-start justify-items-center gap-5 py-section text-center">
<img src="/drawings/unavailable.svg" alt="" width="480" height="270" class="h-auto w-full max-w-lg rounded-block">
<h1 class="text-title">${say(title)}</h1>
<p class="max-w-[55ch] text-muted">${say(text)}</p>
<a href="${href('/')}" class="button button-ink">${say(msg`Return to Home`)}</a>
${reference}
</main>
<footer class="border-t border-hairline bg-panel"><nav aria-label="${say(msg({ message: 'Footer', comment: 'Name of the links at the end of a page, for screen readers' }))}" class="column py-6">
<ul class="flex flex-wrap justify-center gap-x-8">${links.join('')}</ul>
</nav></footer>
</body></html>`
  return new Response(html, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': policy,
    },
  })
}

export function errorPage(context: PageContext): Response {
  const text = msg`It's our fault, not yours. Please try again in a moment.`
  return staticPage(context, 500, msg`Something went wrong`, text)
}

/** The response when a member submits a form while the session cannot be verified. */
export function unverifiedPage(context: PageContext): Response {
  const text = msg`Nothing changed. Please try again in a moment.`
  return staticPage(context, 503, msg`We can't check who you are`, text)
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
