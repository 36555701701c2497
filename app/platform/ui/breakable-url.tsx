import { Fragment } from 'react'

/** A page's URL, from left to right. It breaks after slashes, and elsewhere only in too wide a part. */
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
