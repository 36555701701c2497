import { expect } from 'vitest'
import { declaredPages } from '../../scripts/vite/pages.ts'
import type { Page, Visitor } from './visitor.ts'

/** The number of pages of each kind that a walk visits. Further pages of a kind differ only in their data. */
export const pagesOfEachKind = process.env.DEEP === '1' ? 2 : 1

/** A page of each pattern with a variable segment. */
const samples: Record<string, string> = {
  '/voting/:pool': '/voting/education',
  '/giveback/:campaign': '/giveback/school-bags',
  '/giveback/:campaign/vote': '/giveback/school-bags/vote',
  '/giveback/:campaign/votes': '/giveback/school-bags/votes',
  '/donate/:hash': `/donate/0x${'1'.repeat(64)}`,
  '/follow/:step': '/follow/confirm?token=x',
  '/transparency/:id': '/transparency/1',
  '/transparency/:id/arrived': '/transparency/1/arrived',
}

/** The public pages in a language, in each of their states. A page with a new variable segment needs a sample. */
export function publicPagesIn(code: string): string[] {
  const pages = declaredPages().flatMap(({ pattern, translated }) => {
    // A frame of /embed has no part of a page; tests/worker/security-headers.test.ts reads it.
    if (!translated || pattern.startsWith('/embed/')) return []
    if (pattern.includes(':') && !samples[pattern]) throw new Error(`${pattern} has no sample`)
    return [samples[pattern] ?? pattern]
  })
  return [
    ...pages,
    '/donate?to=treasury',
    '/donate?to=treasury&token=BNB&amount=10',
    '/donate?to=treasury&token=BNB&amount=x',
    '/donate/unknown',
    '/follow/leave?token=x',
    '/transparency?q=nothing&from=x&type=x#history',
    '/transparency/0',
    '/nothing',
  ].map((path) => `/${code}${path === '/' ? '' : path}`)
}

export const signedOutPages = [
  '/auth',
  '/auth?mode=sign-up',
  '/auth?redirectTo=%2Foperator',
  '/auth/forgot',
  '/auth/code',
  '/auth/code?step=mail',
  '/auth/confirm?token_hash=x&type=email',
  '/auth/confirm?token_hash=x&type=recovery',
  '/auth/confirm?type=x',
  '/auth/new-password',
]

/** The kind of a path, the same for paths that differ only in an id: a walk visits some of each. */
function kindOf(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://site.example')
  const names = [...searchParams].map(([name, value]) => (name === 'edit' ? `${name}=${value}` : name))
  return `${pathname.replace(/0x[0-9a-f]+|[0-9a-f-]{36}|\d+/g, '1')}?${names.sort().join('&')}`
}

/**
 * Visits pages in the language of the visitor's cookie, and at most `most` pages of each kind to which they
 * link. Returns what `faultsOf` finds in each page, keyed by the path of the page.
 */
export async function walkFrom(
  visitor: Visitor,
  starts: string[],
  most: number,
  faultsOf: (html: string) => string[],
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  const visits = new Map<string, number>()
  const seen = new Set<string>()
  const isPage = (path: string) =>
    (path.split(/[/?]/)[1] === visitor.jar.get('lang') || /^\/(auth|dashboard|operator)\b/.test(path)) &&
    !/\/(data|sign-out)\b/.test(path)
  let next = starts
  const add = (path: string) => {
    const kind = kindOf(path)
    if (seen.has(path) || (!starts.includes(path) && (visits.get(kind) ?? 0) >= most)) return []
    seen.add(path)
    visits.set(kind, (visits.get(kind) ?? 0) + 1)
    return [path]
  }
  while (next.length > 0) {
    const paths = next.flatMap(add)
    const pages: Page[] = []
    // A few pages at a time: one that waits too long for the backend says 'unavailable'.
    for (let at = 0; at < paths.length; at += 6)
      pages.push(...(await Promise.all(paths.slice(at, at + 6).map((path) => visitor.get(path)))))
    next = []
    for (const [at, { html, headers }] of pages.entries()) {
      if (!headers.get('Content-Type')?.startsWith('text/html')) continue
      const faults = faultsOf(html)
      if (faults.length > 0) found[paths[at] ?? ''] = faults
      for (const [, path = ''] of html.matchAll(/<a [^>]*href="(\/[^"#]*)/g))
        if (isPage(path)) next.push(path.replaceAll('&amp;', '&'))
    }
  }
  expect(seen.size).toBeGreaterThanOrEqual(starts.length)
  return found
}
