import { Trans } from '@lingui/react/macro'
import { filterSearch, inMonth } from '~/ledger/filter'
import { partOf } from '~/ledger/uses'
import { PageLink, useLanguage } from '~/platform/locales/react'
import type { Month } from './months.server'

/** The path of a month's rows. */
export const monthPath = (start: Date) => `/transparency${filterSearch(inMonth({}, start))}#history`

/**
 * The money out of each month, newest first: a bar with a part for each use. Each bar is a link to the month's
 * payments. `uses`: the uses of any month, in the order of the parts.
 */
export function MonthBars({ months, uses }: { months: Month[]; uses: string[] }) {
  const { i18n, formats } = useLanguage()
  const most = Math.max(...months.map(({ paidUsd }) => paidUsd))
  return (
    <section className="column" aria-labelledby="month-bars">
      <h2 id="month-bars" className="text-xl">
        <Trans>Where did the money go each month?</Trans>
      </h2>
      <ul className="mt-3 flex flex-wrap gap-x-6 gap-y-1">
        {uses.map((use) => {
          const { name, hue } = partOf(use)
          return (
            <li key={use}>
              <span className="swatch hue-fill" data-hue={hue} />
              {i18n._(name)}
            </li>
          )
        })}
      </ul>
      {years(months).map(([year, monthsOfYear]) => (
        <section key={year} aria-labelledby={`year-${year}`}>
          <h3 id={`year-${year}`} className="figures mt-6 text-lg">
            {year}
          </h3>
          <ol className="month-bars figures">
            {monthsOfYear.map(({ start, paidUsd, uses: parts }) => (
              <li key={start.getTime()}>
                <PageLink to={monthPath(start)}>
                  <span className="font-semibold">
                    {formats.monthName(start)}
                    <span className="sr-only"> {year}</span>
                  </span>
                  <Bar parts={uses.map((use) => [use, parts[use] ?? 0])} most={most} />
                  <span className="text-end">{formats.roundDollars(paidUsd)}</span>
                </PageLink>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </section>
  )
}

/** The months by year, newest first. */
function years(months: Month[]): [year: number, months: Month[]][] {
  const found = new Map<number, Month[]>()
  for (const month of [...months].reverse()) {
    const year = month.start.getUTCFullYear()
    found.set(year, [...(found.get(year) ?? []), month])
  }
  return [...found]
}

/** `most` is the amount of the longest bar. A part of which more came back than went out is not drawn. */
function Bar({ parts, most }: { parts: [use: string, amount: number][]; most: number }) {
  let end = 0
  return (
    <svg aria-hidden="true" viewBox="0 0 100 1" preserveAspectRatio="none">
      {parts.map(([use, amount]) => {
        if (amount <= 0 || most <= 0) return null
        const [x, width] = [end, (100 * amount) / most]
        end += width
        const { hue } = partOf(use)
        return <rect key={use} x={x} width={width} height="1" className="hue-fill" data-hue={hue} />
      })}
    </svg>
  )
}
