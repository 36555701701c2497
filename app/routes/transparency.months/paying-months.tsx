import { ph } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { filterSearch, inMonth } from '~/ledger/filter'
import { PageLink, useLanguage } from '~/locales/react'
import type { Month } from './months.server'

/** The path of a month's rows. */
export const monthPath = (start: Date) => `/transparency${filterSearch(inMonth({}, start))}#history`

/**
 * Links to the months in which money went out, newest first. Each link leads to the month's payments, which
 * show where the money went.
 */
export function PayingMonths({ months }: { months: Month[] }) {
  const { formats } = useLanguage()
  const paying = months.filter(({ paidUsd }) => paidUsd > 0).toReversed()
  if (paying.length === 0) return null
  return (
    <section className="column mb-10" aria-labelledby="month-links">
      <h2 id="month-links" className="text-xl">
        <Trans>Where did the money go each month?</Trans>
      </h2>
      <ul className="figures mt-3 grid grid-cols-[repeat(auto-fill,minmax(min(100%,13rem),1fr))] gap-x-8 gap-y-1">
        {paying.map(({ start, paidUsd }) => (
          <li key={start.getTime()}>
            <PageLink to={monthPath(start)} className="link inline-block py-1">
              {formats.month(start)}
            </PageLink>{' '}
            <span className="text-muted">
              <Trans comment="The money that went out in a month">
                out {ph({ paid: formats.dollars(paidUsd) })}
              </Trans>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
