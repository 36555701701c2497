import { Trans } from '@lingui/react/macro'

/** A link, after a number, to the page that states this number. Renders nothing without a URL. */
export function SourceLink({ url }: { url: string | null }) {
  return (
    url && (
      <>
        {' '}
        <a href={url} className="link ms-2 inline-block py-0.5" rel="noopener nofollow">
          <Trans>
            Source<span className="sr-only"> of this number</span>
          </Trans>
        </a>
      </>
    )
  )
}
