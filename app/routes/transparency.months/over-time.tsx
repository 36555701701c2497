import { msg, ph } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { impactPools } from '~/impact-pools'
import type { Totals } from '~/ledger/totals.server'
import { key } from '~/locales/key'
import type { Language } from '~/locales/language'
import { Gap, PageLink, useLanguage } from '~/locales/react'
import { BarChart, LineChart, scaleOf } from '~/ui/chart'
import { type Column, Table } from '~/ui/table'
import type { Month } from './months.server'
import { monthPath } from './paying-months'

/**
 * The ledger by month: the balance of all our wallets, the money in and out, and what each pool received.
 * `totals` is null if the totals can't be read.
 */
export function OverTime({ months, totals }: { months: Month[]; totals: Totals | null }) {
  const { t } = useLingui()
  const { i18n, formats } = useLanguage()
  const [first] = months
  const last = months.at(-1)
  if (!first || !last) return null
  const labels = months.map(({ start }) => formats.month(start))
  const held = months.map(({ heldUsd }) => heldUsd)
  const received = months.map(({ receivedUsd }) => receivedUsd)
  const paid = months.map(({ paidUsd }) => paidUsd)
  const opening = first.heldUsd - first.receivedUsd + first.paidUsd
  const lastMonth = formats.month(last.start)
  const firstMonth = formats.month(first.start)
  const heldNow = formats.dollars(last.heldUsd)
  const heldFirst = formats.dollars(opening)
  const most = (amounts: number[]) => formats.dollars(Math.max(...amounts))
  const [mostHeld, mostReceived, mostPaid] = [held, received, paid].map(most)
  const leastHeld = formats.dollars(Math.min(...held))
  const [receivedNow, paidNow] = [formats.dollars(last.receivedUsd), formats.dollars(last.paidUsd)]
  const [allReceived, allPaid] = [formats.dollars(sum(received)), formats.dollars(sum(paid))]
  const span = t({
    message: `${firstMonth} to ${lastMonth}`,
    comment: 'Two months, after "each month, "',
  })
  const perPool = impactPools.map((pool) => ({
    ...pool,
    given: months.map(({ pools }) => pools[pool.slug] ?? 0),
  }))
  const poolScale = scaleOf(perPool.flatMap(({ given }) => given))
  return (
    <section id="over-time" className="column" aria-label={t`Charts`}>
      <div className="grid items-end gap-x-12 gap-y-8 lg:grid-cols-2">
        <LineChart
          caption={
            <Trans>
              In all our wallets
              <span className="block font-normal text-muted">
                {lastMonth}: {heldNow}. Highest: {mostHeld}
              </span>
            </Trans>
          }
          title={t`In all our wallets at the end of each month, ${span}`}
          summary={t`From ${heldFirst} (before ${firstMonth}) to ${heldNow}. Highest ${mostHeld}, lowest ${leastHeld}.`}
          labels={labels}
          points={months.map(
            ({ start, heldUsd }) =>
              t`${{ month: formats.month(start) }}: ${{ amount: formats.dollars(heldUsd) }}`,
          )}
          values={held}
          opening={opening}
        />
        <BarChart
          caption={
            <>
              <span className="swatch chart-in" />
              <Trans>
                Money in · <span className="swatch chart-out" />
                Money out
                <span className="block font-normal text-muted">
                  {lastMonth}: {receivedNow} in, {paidNow} out. Highest: {mostReceived} in, {mostPaid} out
                </span>
              </Trans>
            </>
          }
          title={t`Money in and out each month, ${span}`}
          summary={t`${allReceived} in, ${allPaid} out.`}
          labels={labels}
          points={months.map(
            ({ start, receivedUsd, paidUsd }) =>
              t`${{ month: formats.month(start) }}: ${{ received: formats.dollars(receivedUsd) }} in, ${{ paid: formats.dollars(paidUsd) }} out`,
          )}
          up={received}
          down={paid}
        />
      </div>
      <p className="mt-4 max-w-[65ch] text-muted">
        <Trans>
          Money that moved between two of our wallets, such as a donation to a pool, is neither in nor out.
        </Trans>
        {totals && (
          <>
            <Gap />
            <Held totals={totals} />
          </>
        )}
      </p>
      <h2 className="mt-10 text-xl">
        <Trans>Donations to each pool</Trans>
      </h2>
      <div className="mt-5 grid items-end gap-x-12 gap-y-8 lg:grid-cols-3">
        {perPool.map(({ slug, title, given }) => (
          <BarChart
            key={slug}
            hue={slug}
            caption={
              <>
                {i18n._(key(title))}
                <span className="block font-normal text-muted">
                  <Trans>
                    {lastMonth}: {ph({ newest: formats.dollars(given.at(-1) ?? 0) })}. Highest month:{' '}
                    {ph({ best: most(given) })}. All time: {ph({ all: formats.dollars(sum(given)) })}
                  </Trans>
                </span>
              </>
            }
            title={t`Donations to the pool ${{ title: i18n._(key(title)) }} each month, ${span}`}
            summary={t`${{ all: formats.dollars(sum(given)) }} in all. Highest month: ${{ best: most(given) }}.`}
            labels={labels}
            points={given.map(
              (amount, at) => t`${{ month: labels[at] }}: ${{ amount: formats.dollars(amount) }}`,
            )}
            up={given}
            scale={poolScale}
          />
        ))}
      </div>
      <details className="mt-6">
        <summary className="link py-2">
          <Trans>Show as a table</Trans>
        </summary>
        <MonthsTable months={months} />
      </details>
    </section>
  )
}

/** The current balance of all our wallets, and its two parts. */
function Held({ totals: { receivedUsd, paidUsd, treasuryUsd } }: { totals: Totals }) {
  const { formats } = useLanguage()
  const held = formats.dollars(receivedUsd - paidUsd)
  const treasury = formats.dollars(treasuryUsd)
  const left = formats.dollars(receivedUsd - paidUsd - treasuryUsd)
  return (
    <Trans>
      Our wallets hold {held}: {treasury} is the Treasury Balance, {left} is left in the pools.
    </Trans>
  )
}

function columnsIn({ i18n, formats }: Language): Column<Month>[] {
  return [
    {
      name: msg`Month`,
      cell: ({ start }) => (
        <PageLink to={monthPath(start)} className="link inline-block py-0.5">
          {formats.month(start)}
        </PageLink>
      ),
    },
    { name: msg`Money in`, cell: ({ receivedUsd }) => formats.dollars(receivedUsd) },
    { name: msg`Money out`, cell: ({ paidUsd }) => formats.dollars(paidUsd) },
    { name: msg`Moved between our wallets`, cell: ({ movedUsd }) => formats.dollars(movedUsd) },
    {
      name: msg`In our wallets at month end`,
      className: 'font-semibold',
      cell: ({ heldUsd }) => formats.dollars(heldUsd),
    },
    ...impactPools.map(({ slug, category }) => ({
      name: i18n._(key(category)),
      cell: ({ pools }: Month) => formats.dollars(pools[slug] ?? 0),
    })),
  ]
}

function MonthsTable({ months }: { months: Month[] }) {
  const { t } = useLingui()
  return (
    <Table
      caption={t`US dollars by month, newest first. Each month links to its transactions.`}
      columns={columnsIn(useLanguage())}
      rows={months.toReversed()}
      keyOf={({ start }) => start.getTime()}
      className="figures"
    />
  )
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
