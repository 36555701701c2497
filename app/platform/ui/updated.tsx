import { Trans } from '@lingui/react/macro'
import { useRouteLoaderData } from '@remix-run/react'
import { When } from './when'

/**
 * The age of a section's data, counted from the newest entry, beside the heading of live data. If the page is
 * not live, a script adds a note (platform/enhance/live.ts). This is a separate live region, because many headings are
 * outside the live regions.
 */
export function Updated({ at, kinds }: { at: Date | null | undefined; kinds: string }) {
  // The dates of the demonstration are made up, so an age would be false.
  const isDemo = useRouteLoaderData<{ demo: boolean }>('root')?.demo
  if (!at) return null
  return (
    <p id="updated" className="updated" data-live={kinds}>
      <span>
        <Trans>
          Updated <When date={at} day age={!isDemo} />
        </Trans>
      </span>
    </p>
  )
}

/** The newest of the given times; null if none is given. */
export function newestOf(...times: (Date | null | undefined)[]): Date | null {
  return times.reduce<Date | null>(
    (newest, time) => (time && (!newest || time > newest) ? time : newest),
    null,
  )
}
