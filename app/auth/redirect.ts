/** Where a member lands who was not on the way to anywhere. */
export const home = '/dashboard'
export const accountPath = '/dashboard/account'
export const newPasswordPath = '/auth/new-password'

/**
 * A path of this site that a link or form asks to go to after signing in, or `home` where it is anything else.
 * Parsed as a browser would, then rebuilt: prefixes lie ('/\\evil.example' is another site, so is '/.//evil').
 */
export function safeRedirect(asked: string | null | undefined, siteUrl: string): string {
  if (!asked?.startsWith('/') || !URL.canParse(asked, siteUrl)) return home
  const url = new URL(asked, siteUrl)
  const path = url.pathname + url.search
  if (url.origin !== new URL(siteUrl).origin || path.startsWith('//') || url.pathname.includes('\\'))
    return home
  // Of the pages that sign somebody in, one is where a recovery goes on after its second factor.
  if (path === newPasswordPath) return path
  return url.pathname === '/auth' || url.pathname.startsWith('/auth/') ? home : path
}

/** The address of a page that leads on to `returnTo` (path and query) when it is done. */
export function withReturnTo(page: '/auth' | '/auth/factor', returnTo: string): string {
  return `${page}?${new URLSearchParams({ redirectTo: returnTo })}`
}
