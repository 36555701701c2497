import { declaredPages } from './vite/pages.ts'

/** The public pages that Lighthouse, the paint benchmark and the load test request. */
export const publicPages = [
  ...declaredPages()
    .filter(
      ({ cached, translated, fundMe, pattern }) => cached && translated && !fundMe && !pattern.includes(':'),
    )
    .map(({ pattern }) => pattern),
  '/voting/education',
]
