import { msg } from '@lingui/core/macro'
import type { AppLoadContext } from '@remix-run/cloudflare'
import { toXml } from '~/platform/downloads/feed'
import { brand } from '~/platform/site'

/** What a frame on another site says. Amounts are words; `more` has further lines. */
interface Framed {
  title: string
  /** The path of the page on this site, and of the step of giving. */
  path: string
  donate: string
  lines: string[]
}

/** Every site may frame these pages, and no other page. They run no script and read nothing of a visitor. */
const headers = {
  // Not text/html: into that, the cache puts what differs between visitors.
  'Content-Type': 'application/xhtml+xml; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors *",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'public, max-age=60',
}

/** The page that another site frames. It shows no address, and says where alone to give. */
export function framedPage(
  { config, language: { i18n, href, locale } }: Pick<AppLoadContext, 'config' | 'language'>,
  { title, path, donate, lines }: Framed,
): Response {
  const site = config.SITE_URL
  const { host } = new URL(site)
  const link = (to: string, words: string, name: string) =>
    `<a class="${name}" href="${toXml(site + href(to))}" target="_blank" rel="noopener">${toXml(words)}</a>`
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" lang="${locale.tag}" dir="${locale.dir}">
<head><title>${toXml(`${title} · ${brand}`)}</title><meta name="robots" content="noindex"/>
<meta name="viewport" content="width=device-width"/><link rel="stylesheet" href="/embed.css"/></head>
<body><main>
<h1>${link(path, title, 'title')}</h1>
${lines.map((line) => `<p>${toXml(line)}</p>`).join('\n')}
<p>${link(donate, i18n._(msg`Give only at ${host}`), 'give')}</p>
<p class="small">${toXml(i18n._(msg`Any site may show this box, so don't trust the page around it.`))}</p>
</main></body>
</html>
`
  return new Response(body, { headers })
}
