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

/** The page behind the last one: a cursor in a kept address may point there. */
export function NothingOlder({ newest }: { newest: string }) {
  return (
    <p>
      There is nothing older than this.{' '}
      <a href={newest} className="link">
        Back to the newest
      </a>
    </p>
  )
}
