import type { AppLoadContext } from '@remix-run/cloudflare'
import { mediaType, readBytes } from '../server/body.server'
import { staticPage } from './error-page.server'

/** Where browsers tell of what the policy of a page has stopped. */
export const reportPath = '/csp-report'

const largestReport = 8 * 1024
const mostOfOne = 10
const types = ['application/csp-report', 'application/reports+json']

/**
 * Takes a report of the policy's violations: one line in the log, with which directive and whose origin. A report
 * holds the addresses of what somebody was looking at, and pieces of it: none of that is kept. Null for any
 * other address.
 */
export async function takeReport(request: Request, context: AppLoadContext): Promise<Response | null> {
  if (context.url.pathname !== reportPath) return null
  if (request.method !== 'POST') {
    const response = staticPage(
      405,
      'Nothing to see here',
      'Browsers send their reports to this address.',
      context.log.requestId,
    )
    response.headers.set('Allow', 'POST')
    return response
  }
  if (!types.includes(mediaType(request))) return new Response(null, { status: 415 })
  if (await context.limit('report')) return new Response(null, { status: 429 })
  if (Number(request.headers.get('Content-Length')) > largestReport)
    return new Response(null, { status: 413 })
  const body = await readBytes(request.body, largestReport)
  if (body === 'long') return new Response(null, { status: 413 })
  const violations = body === 'broken' ? null : readViolations(new TextDecoder().decode(body))
  if (!violations) return new Response(null, { status: 400 })
  if (violations.length) context.log.warn('csp.violation', { violations })
  return new Response(null, { status: 204 })
}

/** `directive blocked`, each once; null for what is no report. Both formats: of `report-uri` and of `report-to`. */
function readViolations(text: string): string[] | null {
  let report: unknown
  try {
    report = JSON.parse(text)
  } catch {
    return null
  }
  const reports = Array.isArray(report) ? report.slice(0, mostOfOne) : [report]
  const found = reports.flatMap((one) => {
    const old = one?.['csp-report']
    const directive =
      old?.['effective-directive'] ?? old?.['violated-directive'] ?? one?.body?.effectiveDirective
    const blocked = old?.['blocked-uri'] ?? one?.body?.blockedURL
    if (typeof directive !== 'string' || typeof blocked !== 'string') return []
    return `${/^[a-z-]{1,40}/.exec(directive)?.[0] ?? 'unknown'} ${originOf(blocked)}`
  })
  return [...new Set(found)]
}

/** The origin of an address, or the browser's word for what has none ('inline', 'eval', 'data'). */
function originOf(blocked: string): string {
  if (/^[a-z-]{1,40}$/.test(blocked)) return blocked
  if (!URL.canParse(blocked)) return 'unknown'
  const { origin, protocol } = new URL(blocked)
  return (origin === 'null' ? protocol : origin).slice(0, 100)
}
