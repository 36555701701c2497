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
export function NoSuchPage() {
  return <p className="mt-3 text-bad">That page doesn't exist. Here are the newest ones.</p>
}

/** Shown if a cursor points past the last row. */
export function NothingOlder({ newest }: { newest: string }) {
  return (
    <p>
      That's everything.{' '}
      <a href={newest} className="link">
        Back to the newest
      </a>
    </p>
  )
}
