import { createHash } from 'node:crypto'
import { type Page, Visitor } from './visitor.ts'

/** The pages that must not change while FUNDME_OPEN is not set. */
const publicPages = [
  ...['/', '/giveback', '/giveback/school-bags', '/giveback/clinic-power', '/giveback/market-stalls'],
  ...['/terms', '/privacy', '/risk', '/sitemap.xml'],
]
/** The URLs that FundMe adds. Each responds like an unknown URL while FundMe is closed. */
export const addedAddresses = [
  '/giveback/goal-bcdfghjk/problem',
  '/dashboard/goals',
  '/dashboard/goals/new',
  '/dashboard/goals/00000000-0000-4000-8000-000000000000/check',
  '/operator/goals/goal-bcdfghjk',
  '/operator/complaints',
]
const headerNames = ['cache-control', 'content-type', 'content-language', 'location', 'vary', 'x-robots-tag']

/** A response: status, headers and the body's hash, without request ids, asset names and the port. */
export interface Answer {
  status: number
  headers: Record<string, string | null>
  body: string
}

function toAnswer({ status, headers, html }: Page, path: string): Answer {
  const body = html
    .replaceAll(path, '')
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, '')
    .replace(/\/assets\/[\w.-]+/g, '')
    .replace(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, '')
    .replace(/nonce(="|-)[\w+/=-]+/g, '')
  return {
    status,
    headers: Object.fromEntries(headerNames.map((name) => [name, headers.get(name)])),
    body: createHash('sha256').update(body).digest('hex'),
  }
}

/** Returns the response for a path, with the path itself removed. */
export async function answerOf(visitor: Visitor, path: string): Promise<Answer> {
  return toAnswer(await visitor.get(path), path)
}

/**
 * Returns the responses of a site while FundMe is closed: the public pages in each language, the form of
 * /giveback, and the dashboard of the member whom `member` signs in.
 */
export async function closedAnswers(
  site: string,
  languages: readonly string[],
  member?: Visitor,
): Promise<Record<string, Answer>> {
  const visitor = new Visitor(site)
  const answers: Record<string, Answer> = {}
  for (const language of languages)
    for (const page of publicPages) {
      if (language && page.endsWith('.xml')) continue
      const path = language ? `/${language}${page === '/' ? '' : page}` : page
      answers[path] = await answerOf(visitor, path)
    }
  answers['POST /giveback'] = toAnswer(await visitor.post('/giveback', { title: 'A goal' }), '')
  if (member) answers['/dashboard'] = await answerOf(member, '/dashboard')
  return answers
}
