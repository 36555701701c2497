import { Trans } from '@lingui/react/macro'
import { useRouteLoaderData } from '@remix-run/react'
import { When } from './when'

/**
 * The age of what a section shows: the time of its newest entry. Beside the heading of what is live; script adds that
 * the page is not live (enhance/live.ts). It has a region of its own, because many headings are outside the regions.
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

/** The newest of the given times; null if all are missing. */
export function newestOf(...times: (Date | null | undefined)[]): Date | null {
  return times.reduce<Date | null>(
    (newest, time) => (time && (!newest || time > newest) ? time : newest),
    null,
  )
}
