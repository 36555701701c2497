/** The public pages that Lighthouse, the paint benchmark and the load test request. */
export const publicPages = [
  '/',
  '/cz-call',
  '/voting',
  '/voting/education',
  '/giveback',
  '/donate',
  '/transparency',
  '/transparency/wallets',
  '/transparency/verify',
  '/about',
  '/risk',
  '/privacy',
  '/terms',
  '/contact',
]
