import { msg } from '@lingui/core/macro'
import { mediaType, readRequestBody } from '../server/body.server'
import { staticPage } from './error-page.server'
import type { Stage } from './stage'

/** The path to which browsers report violations of the content security policy. */
export const reportPath = '/csp-report'

/** In bytes. */
const maxReportLength = 8 * 1024
const maxViolations = 10
const reportTypes = ['application/csp-report', 'application/reports+json']

/**
 * Accepts a report of policy violations. Logs one line with the violated directives (at most ten) and the
 * blocked origins. Drops the rest of the report (the page's URL, samples of its code), which may be private.
 */
export const takeReport: Stage = async (request, context) => {
  const { url, log, limit } = context
  if (url.pathname !== reportPath) return null
  if (request.method !== 'POST') {
    const text = msg`This address is for browsers' security reports.`
    const response = staticPage(context, 405, msg`Nothing to see here`, text)
    response.headers.set('Allow', 'POST')
    return response
  }
  if (!reportTypes.includes(mediaType(request))) return new Response(null, { status: 415 })
  if (await limit('report')) return new Response(null, { status: 429 })
  const body = await readRequestBody(request, maxReportLength)
  if (typeof body === 'number') return new Response(null, { status: body })
  const violations = readViolations(new TextDecoder().decode(body))
  if (!violations) return new Response(null, { status: 400 })
  if (violations.length) log.warn('csp.violation', { violations })
  return new Response(null, { status: 204 })
}

/**
 * The first violations of a report in the format of `report-uri` or `report-to`, each as '<directive> <origin>',
 * without duplicates. Null for invalid JSON.
 */
function readViolations(text: string): string[] | null {
  let report: unknown
  try {
    report = JSON.parse(text)
  } catch {
    return null
  }
  const reports = Array.isArray(report) ? report.slice(0, maxViolations) : [report]
  const violations = reports.flatMap((one) => {
    const old = one?.['csp-report']
    const directive =
      old?.['effective-directive'] ?? old?.['violated-directive'] ?? one?.body?.effectiveDirective
    const blocked = old?.['blocked-uri'] ?? one?.body?.blockedURL
    if (typeof directive !== 'string' || typeof blocked !== 'string') return []
    return `${/^[a-z-]{1,40}/.exec(directive)?.[0] ?? 'unknown'} ${originOf(blocked)}`
  })
  return [...new Set(violations)]
}

/** A blocked URL's origin, or its scheme without one, or the browser's keyword ('inline', 'eval', 'data'). */
function originOf(blocked: string): string {
  if (/^[a-z-]{1,40}$/.test(blocked)) return blocked
  if (!URL.canParse(blocked)) return 'unknown'
  const { origin, protocol } = new URL(blocked)
  return (origin === 'null' ? protocol : origin).slice(0, 100)
}
