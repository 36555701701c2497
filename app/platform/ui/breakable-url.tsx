import { Fragment } from 'react'

/**
 * The URL of a page, from left to right. It breaks after its slashes, and elsewhere only if a part is wider
 * than the line.
 */
export function BreakableUrl({ url }: { url: string }) {
  return (
    <bdi dir="ltr">
      {url.split(/(?<=[^/]\/)(?=[^/])/).map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a URL never move
        <Fragment key={at}>
          {at > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  )
}
