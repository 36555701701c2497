/** True if an If-None-Match header matches `etag`, weakly (RFC 9110, section 13.1.2). */
export function matchesEtag(condition: string | null, etag: string): boolean {
  if (condition === null) return false
  return (
    condition.trim() === '*' || condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
  )
}
