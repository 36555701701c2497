/** Links to the newer and the older page of a list. */
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

/** Shown above the first page if the URL has an invalid cursor. */
export function NoSuchPage({ what, shown }: { what: string; shown: string }) {
  return (
    <p className="mt-3 text-bad">
      There is no such page of {what}, so the newest {shown} are shown.
    </p>
  )
}

/** Shown if a cursor points behind the last row. */
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
