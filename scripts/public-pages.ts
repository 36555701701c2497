/** One page of every public kind, for the audits of pages. */
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
