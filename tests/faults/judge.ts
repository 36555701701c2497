import { documentOf, type Page, sessionCookie, type Visitor } from '../support/visitor.ts'

/** Texts that no page may show: output of the backend, of a proxy or of a programming error. */
const leaks =
  /nginx|internal detail|alert\(1\)|our fault, not yours|Unexpected Server Error|Application Error|\bError:|\n\s+at \w+|node_modules/

/** Returns the rule violations of a response, under the rules that apply to every page. */
export function faultsOfPage(page: Page): string[] {
  const { status, headers, html } = page
  const found: string[] = []
  const type = headers.get('Content-Type') ?? ''
  // The title of a rejected form's page begins with 'Error: '.
  const text = html.replace('<title>Error: ', '<title>')
  if (leaks.test(text)) found.push(`shows ${leaks.exec(text)?.[0]}`)
  if (status === 500) found.push('is a 500')
  if (type.startsWith('text/html')) {
    const headings = documentOf(page).querySelectorAll('h1').length
    if (headings !== 1) found.push(`has ${headings} h1`)
    if (!/^<!doctype html>/i.test(html) || !html.includes('</html>')) found.push('is not a whole page')
  } else if (type.startsWith('application/json')) {
    try {
      JSON.parse(html)
    } catch {
      found.push('is not JSON')
    }
  }
  const fromCache = /desc=hit/.test(headers.get('Server-Timing') ?? '')
  if (!fromCache && !headers.get('X-Request-Id')) found.push('has no request id')
  return found
}

/** Returns whether a page says that a part of it is unavailable (`app/ledger/unavailable.tsx`). */
export function isPoorer(page: Page): boolean {
  return documentOf(page).querySelector('main [role="note"] strong')?.text.endsWith(' right now.') ?? false
}

export function hasSession({ jar }: Visitor): boolean {
  return jar.has(sessionCookie) || jar.has(`${sessionCookie}.0`)
}

/** Returns whether the page, or a cookie that the page will read, keeps the `typed` text. */
export function isKept(typed: string, { html }: Page, { jar }: Visitor): boolean {
  const cookies = [...jar.values()].map(decodeURIComponent)
  return html.includes(typed) || cookies.some((value) => value.includes(typed))
}
