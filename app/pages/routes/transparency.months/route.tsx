import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { ledgerFeeds } from '~/ledger/download-links'
import { TransparencyNavigation } from '~/ledger/transparency-navigation'
import { FiguresUnavailable } from '~/ledger/unavailable'
import type { PageHandle } from '~/platform/rendering/handle'
import { pageMeta } from '~/platform/rendering/seo'
import { PageHeader } from '~/platform/ui/page-header'
import { MonthBars } from './month-bars'
import { listMonths, type Month, usesOf } from './months.server'
import { MonthsTable } from './months-table'

export const handle: PageHandle = { cached: [] }

export const meta = pageMeta({
  title: msg`Month by month`,
  description: msg`Where the money went, month by month: what each cause was paid, what came in, and what our wallets hold.`,
  path: '/transparency/months',
  feed: ledgerFeeds(msg`The ledger`),
})

export async function loader({ context }: LoaderFunctionArgs) {
  const months = await listMonths(context.publicData())
  return { months, uses: usesOf(months ?? []) }
}

export default function Months() {
  const { t } = useLingui()
  const { months, uses } = useLoaderData<typeof loader>()
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
      {months && months.length > 0 && <Figures months={months} uses={uses} />}
    </>
  )
}

function Figures({ months, uses }: { months: Month[]; uses: string[] }) {
  return (
    <>
      <MonthBars months={months} uses={uses} />
      <details className="column mt-6">
        <summary className="link py-2">
          <Trans>Show as a table</Trans>
        </summary>
        <p className="mt-2 max-w-[65ch] text-muted">
          <Trans>
            Money that moved between two of our wallets, such as a donation to a pool, is neither in nor out.
          </Trans>
        </p>
        <MonthsTable months={months} uses={uses} />
      </details>
    </>
  )
}
