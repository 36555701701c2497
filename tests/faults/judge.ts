import { type Page, sessionCookie, type Visitor } from '../support/visitor.ts'

/** What must be on no page: words of the backend, of a proxy, of a programming error. */
const leaks =
  /nginx|internal detail|alert\(1\)|This page is resting|Unexpected Server Error|Application Error|\bError:|\n\s+at \w+|node_modules/

/** What is wrong with an answer as such, whatever it answers. */
export function faultsOfPage({ status, headers, html }: Page): string[] {
  const found: string[] = []
  const type = headers.get('Content-Type') ?? ''
  if (leaks.test(html)) found.push(`shows ${leaks.exec(html)?.[0]}`)
  if (status === 500) found.push('is a 500')
  if (type.startsWith('text/html')) {
    const headings = html.match(/<h1/g)?.length ?? 0
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

/** Whether a page is without what it could not get. */
export function isPoorer({ html }: Page): boolean {
  return /right now/.test(html)
}

export function hasSession({ jar }: Visitor): boolean {
  return jar.has(sessionCookie) || jar.has(`${sessionCookie}.0`)
}

/** Whether `typed` is still there: on the page, or in a cookie that the page will read. */
export function isKept(typed: string, { html }: Page, { jar }: Visitor): boolean {
  const cookies = [...jar.values()].map((value) => decodeURIComponent(decodeURIComponent(value)))
  return html.includes(typed) || cookies.some((value) => value.includes(typed))
}
