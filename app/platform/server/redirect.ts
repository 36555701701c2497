/** The page after signing in, if no other page was requested before. */
export const home = '/dashboard'
export const accountPath = '/dashboard/account'
export const provenWalletsPath = '/dashboard/wallets'
export const proveByHandPath = '/dashboard/wallets/by-hand'
export const accountDataPath = '/dashboard/account/data'
export const deletePath = '/dashboard/account/delete'
export const newPasswordPath = '/auth/new-password'
export const factorPath = '/auth/factor'

/**
 * The path and query in a link or form; null if the link leads to another site. Parses the link as a browser
 * does and rebuilds the path, because a check of the prefix is not enough: '/\\evil.example' and '/.//evil'
 * lead to other sites.
 */
export function sitePath(requestedPath: string | null | undefined, siteUrl: string): string | null {
  if (!requestedPath?.startsWith('/') || !URL.canParse(requestedPath, siteUrl)) return null
  const url = new URL(requestedPath, siteUrl)
  const path = url.pathname + url.search
  const leavesSite = url.origin !== new URL(siteUrl).origin || path.startsWith('//')
  return leavesSite || url.pathname.includes('\\') ? null : path
}

/**
 * The page after the sign-in, as a link or form requests it. Returns `home` if the requested path is not a
 * path of this site, or is a sign-in page other than `newPasswordPath`.
 */
export function safeRedirect(requestedPath: string | null | undefined, siteUrl: string): string {
  const path = sitePath(requestedPath, siteUrl)
  if (path === null) return home
  // The only sign-in page to which a redirect may lead: a recovery continues there after the second factor.
  if (path === newPasswordPath) return path
  return isSignInPage(path.replace(/\?.*/, '')) ? home : path
}

/** True for each spelling of the path of a sign-in page that the router accepts: upper case, encoded characters. */
function isSignInPage(pathname: string): boolean {
  try {
    return /^\/auth(\/|$)/i.test(decodeURIComponent(pathname))
  } catch {
    return true // These encoded bytes are not valid text, so no page has the path.
  }
}

/** The URL of a sign-in page that leads back to `returnTo` (path and query). */
export function withReturnTo(page: '/auth' | typeof factorPath, returnTo: string): string {
  return `${page}?${new URLSearchParams({ redirectTo: returnTo })}`
}
