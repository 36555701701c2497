/** The page after signing in, if no other page was requested before. */
export const home = '/dashboard'
export const accountPath = '/dashboard/account'
export const provenWalletsPath = '/dashboard/wallets'
export const accountDataPath = '/dashboard/account/data'
export const deletePath = '/dashboard/account/delete'
export const newPasswordPath = '/auth/new-password'
export const factorPath = '/auth/factor'

/**
 * The path and query that a link or form names; null if it is not a path of this site. Parsed as a browser does and
 * rebuilt, because a prefix check is not enough: '/\\evil.example' and '/.//evil' lead to other sites.
 */
export function sitePath(requestedPath: string | null | undefined, siteUrl: string): string | null {
  if (!requestedPath?.startsWith('/') || !URL.canParse(requestedPath, siteUrl)) return null
  const url = new URL(requestedPath, siteUrl)
  const path = url.pathname + url.search
  const leavesSite = url.origin !== new URL(siteUrl).origin || path.startsWith('//')
  return leavesSite || url.pathname.includes('\\') ? null : path
}

/**
 * The path that a link or form names as the page after the sign-in; `home` if it is not a path of this site, or is a
 * sign-in page other than `newPasswordPath`.
 */
export function safeRedirect(requestedPath: string | null | undefined, siteUrl: string): string {
  const path = sitePath(requestedPath, siteUrl)
  if (path === null) return home
  // The only sign-in page that a redirect may lead to: a recovery continues on it after the second factor.
  if (path === newPasswordPath) return path
  return isSignInPage(path.replace(/\?.*/, '')) ? home : path
}

/** In any spelling that the router accepts: other case, and encoded characters. */
function isSignInPage(pathname: string): boolean {
  try {
    return /^\/auth(\/|$)/i.test(decodeURIComponent(pathname))
  } catch {
    return true // Encoded bytes that are no text: no page has such a path.
  }
}

/** The URL of a sign-in page that leads back to `returnTo` (path and query). */
export function withReturnTo(page: '/auth' | typeof factorPath, returnTo: string): string {
  return `${page}?${new URLSearchParams({ redirectTo: returnTo })}`
}
