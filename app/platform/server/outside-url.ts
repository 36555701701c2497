/** Host names that are local to a machine or a private network. */
const privateName = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|test|onion|home\.arpa)$/

/** A URL of this machine, with or without a port. */
const loopbackUrl = /^http:\/\/127\.0\.0\.1(:\d+)?$/

/** True for a site on this machine, whose configuration may name other servers of this machine. */
export function isLoopback(siteUrl: string): boolean {
  return /^(127\.0\.0\.1|localhost|\[::1\])$/.test(new URL(siteUrl).hostname)
}

/**
 * True if the site's address is an IP address that others can open. The hosted auth service refuses sign-in with a
 * wallet there: it wants a host name in the message.
 */
export function isPublicIp(siteUrl: string): boolean {
  const { hostname } = new URL(siteUrl)
  return !isLoopback(siteUrl) && /^\[|^\d+(\.\d+){3}$/.test(hostname)
}

/**
 * Why the worker may not request a URL from the configuration or a redirect; null if it may. The URL must be
 * https, at the usual port of a public host name. Refuses every IP address, because private addresses, the
 * loopback address and the metadata address of a cloud are among them. A worker cannot resolve names, so the
 * address of a host name is not checked; the platform has no route to private networks. With `local`, allows
 * http://127.0.0.1:<port> too.
 */
export function outsideUrlFault(text: string, local: boolean): string | null {
  if (!URL.canParse(text)) return 'is not a URL'
  const { protocol, hostname, port, username, password, origin } = new URL(text)
  if (username || password) return 'must not contain a name or a password'
  if (local && loopbackUrl.test(origin)) return null
  if (protocol !== 'https:') return 'must begin with https://'
  if (port) return 'must not name a port'
  const name = hostname.replace(/\.$/, '')
  // The URL parser writes every form of an IPv4 address in dotted decimal notation.
  if (/^\[|^[\d.]+$/.test(name)) return 'must have a host name, not an IP address'
  if (!name.includes('.') || privateName.test(name)) return 'must have a public host name'
  return null
}
