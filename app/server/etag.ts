/** Whether an If-None-Match header matches `etag` (RFC 9110, 13.1.2: a weak comparison with each tag of the list). */
export function matchesEtag(condition: string | null, etag: string): boolean {
  if (condition === null) return false
  return (
    condition.trim() === '*' || condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
  )
}
