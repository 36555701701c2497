import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { ledgerFeeds } from '~/ledger/download-links'
import { readTotals } from '~/ledger/totals.server'
import { TransparencyNavigation } from '~/ledger/transparency-navigation'
import { FiguresUnavailable } from '~/ledger/unavailable'
import type { PageHandle } from '~/rendering/handle'
import { pageMeta } from '~/rendering/seo'
import { PageHeader } from '~/ui/page-header'
import { listMonths } from './months.server'
import { OverTime } from './over-time'
import { PayingMonths } from './paying-months'

export const handle: PageHandle = { cached: [] }

export const meta = pageMeta({
  title: msg`Month by month`,
  description: msg`What our wallets hold, what came in and went out, and the donations to each pool, month by month.`,
  path: '/transparency/months',
  feed: ledgerFeeds(msg`The ledger`),
})

export async function loader({ context }: LoaderFunctionArgs) {
  const data = context.publicData()
  const [totals, months] = await Promise.all([readTotals(data), listMonths(data)])
  return { totals, months }
}

export default function Months() {
  const { t } = useLingui()
  const { totals, months } = useLoaderData<typeof loader>()
  return (
    <>
      <TransparencyNavigation current="/transparency/months" />
      <PageHeader title={t`Month by month`} tagline={t`Verified transactions, by month (UTC).`} />
      {months === null && (
        <div className="column">
          <FiguresUnavailable />
        </div>
      )}
      {months?.length === 0 && (
        <p className="column">
          <Trans>No transaction has been verified yet, so there is nothing to show.</Trans>
        </p>
      )}
      {months && <PayingMonths months={months} />}
      {months && <OverTime months={months} totals={totals} />}
    </>
  )
}
