import { Fragment } from 'react'

/** An address of a page, which breaks after its slashes, and elsewhere only if a part is wider than the line. */
export function BreakableUrl({ url }: { url: string }) {
  return url.split(/(?<=[^/]\/)(?=[^/])/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an address never move
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
