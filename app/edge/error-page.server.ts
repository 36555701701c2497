import { brand, navigation } from '../site'
import stylesUrl from '../styles.css?url'

/** These pages run no script and send no form. */
const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"

/** A complete page in the site's design, for a request that does not reach the framework or fails in it. */
export function staticPage(status: number, title: string, text: string, requestId?: string): Response {
  const reference = requestId
    ? `<p class="font-mono text-sm text-muted wrap-anywhere">Reference: ${escapeHtml(requestId)}</p>`
    : ''
  const links = navigation.map(
    ({ to, label }) =>
      `<li><a href="${to}" class="inline-flex min-h-9 items-center hover:underline">${label}</a></li>`,
  )
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · ${brand}</title><meta name="robots" content="noindex">
<link rel="stylesheet" href="${stylesUrl}"><link rel="icon" href="/favicon.svg" type="image/svg+xml"></head>
<body class="flex min-h-screen flex-col">
<header class="border-b border-hairline"><div class="column flex min-h-16 items-center">
<a href="/" class="flex min-h-11 items-center gap-2.5 font-display text-xl font-bold"><img src="/drawings/mark.svg" alt="" width="32" height="32">${brand}</a>
</div></header>
<main class="column grid flex-1 content-start justify-items-center gap-5 py-section text-center">
<img src="/drawings/unavailable.svg" alt="" width="480" height="270" class="h-auto w-full max-w-lg rounded-block">
<h1 class="text-title">${escapeHtml(title)}</h1>
<p class="max-w-[55ch] text-muted">${escapeHtml(text)}</p>
<a href="/" class="button button-ink">Return to Home</a>
${reference}
</main>
<footer class="border-t border-hairline bg-panel"><nav aria-label="Footer" class="column py-6">
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

export function errorPage(requestId?: string): Response {
  const text = "It's our fault, not yours. Please try again in a moment."
  return staticPage(500, 'Something went wrong', text, requestId)
}

/** For a form of a member whose session cannot be verified now. */
export function unverifiedPage(requestId: string): Response {
  const text = 'Nothing changed. Please try again in a moment.'
  return staticPage(503, "We can't check who you are", text, requestId)
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
