/** ' · Source', linked to where a number comes from; nothing without an address. */
export function SourceLink({ url }: { url: string | null }) {
  return (
    url && (
      <>
        {' · '}
        <a href={url} className="link inline-block py-0.5" rel="noopener nofollow">
          Source<span className="sr-only"> of this number</span>
        </a>
      </>
    )
  )
}
