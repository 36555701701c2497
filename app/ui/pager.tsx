/** Newer and Older, as links: a page of a list has an address. */
export function Pager({
  label,
  newer,
  older,
}: {
  label: string
  newer: string | null
  older: string | null
}) {
  if (!newer && !older) return null
  return (
    <nav aria-label={label} className="mt-6 flex justify-between gap-4">
      {newer && (
        <a href={newer} rel="prev" className="button">
          <span aria-hidden="true">←</span> Newer
        </a>
      )}
      {older && (
        <a href={older} rel="next" className="button ml-auto">
          Older <span aria-hidden="true">→</span>
        </a>
      )}
    </nav>
  )
}
