/**
 * True if Remix can match a path. For a malformed escape, Remix prints warnings; for an escaped backslash or
 * control character, Remix can build a URL without a host. No page of this site has such a path.
 */
export function isReadablePath(path: string): boolean {
  try {
    return !path.includes('%') || !/[^ -[\]-\uffff]/.test(decodeURIComponent(path))
  } catch {
    return false
  }
}
