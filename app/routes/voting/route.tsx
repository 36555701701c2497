import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { Downloads, ledgerFeeds } from '~/ledger/download-links'
import { parsePosition } from '~/ledger/keyset.server'
import { PoolCard } from '~/ledger/pool-card'
import { listPoolsWithTotals } from '~/ledger/totals.server'
import { listPoolDonations } from '~/ledger/transactions.server'
import { FiguresUnavailable, ListUnavailable } from '~/ledger/unavailable'
import { LiveStatus } from '~/live/live-status'
import type { PageHandle } from '~/rendering/handle'
import { pageMeta } from '~/rendering/seo'
import { Empty } from '~/ui/empty'
import { PageHeader } from '~/ui/page-header'
import { NoSuchPage, NothingOlder, Pager } from '~/ui/pager'
import { Section } from '~/ui/section'
import { Steps } from '~/ui/steps'
import { Updated } from '~/ui/updated'
import { DonationsTable } from './donations-table'

const steps = [
  {
    title: 'Permanent pools',
    text: 'Pools never close. No deadline, no cap.',
  },
  {
    title: 'Fed by the treasury',
    text: 'From time to time the treasury sends them part of its fees, automatically or by hand.',
  },
  {
    title: 'Open books',
    text: 'Each pool has a transparent dashboard that shows funds allocated, donated and proof links.',
  },
]

export const handle: PageHandle = { cached: ['before', 'after'], gives: true }

export const meta = pageMeta({
  title: 'Impact Pools',
  description:
    'Permanent global donation pools for education, humanitarian relief and animal welfare, with every donation and its proof.',
  path: '/voting',
  feed: ledgerFeeds('Donations', { type: 'donation' }),
})

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { position, valid } = parsePosition(new URL(request.url).searchParams)
  const data = context.publicData()
  const [pools, donations] = await Promise.all([listPoolsWithTotals(data), listPoolDonations(data, position)])
  return { pools, donations, paged: position !== null, unreadable: !valid }
}

export default function ImpactPools() {
  const { pools, donations, paged, unreadable } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader
        title="Impact Pools"
        tagline="Permanent global donation pools funded regularly from treasury."
      />
      <Steps steps={steps} />

      <Section heading="pools" title="Active Impact Pools">
        {pools.some(({ totals }) => totals === null) && <FiguresUnavailable />}
        <ul
          id="pool-cards"
          data-live="ledger pools"
          className="mt-6 grid gap-6 md:grid-cols-2 lg:grid-cols-3"
        >
          {pools.map((pool) => (
            <PoolCard key={pool.slug} pool={pool} />
          ))}
        </ul>
      </Section>

      <Section
        id="donations"
        heading="donations-title"
        title="Recent Donations"
        age={!paged && <Updated at={donations?.rows[0]?.occurredAt} kinds="ledger" />}
      >
        {unreadable && <NoSuchPage />}
        <div id="donation-rows" data-live={paged ? undefined : 'ledger'}>
          {donations === null ? (
            <ListUnavailable />
          ) : donations.rows.length > 0 ? (
            <DonationsTable donations={donations.rows} />
          ) : (
            <Empty drawing="/drawings/empty-donations.svg">
              {paged ? <NothingOlder newest="/voting#donations" /> : <p>No donations yet</p>}
            </Empty>
          )}
          {donations && (
            <Pager
              label="Pages of donations"
              newer={donations.newer && `/voting?after=${donations.newer}#donations`}
              older={donations.older && `/voting?before=${donations.older}#donations`}
            />
          )}
        </div>
        {donations?.rows.length !== 0 && (
          <Downloads filter={{ type: 'donation' }} feeds={ledgerFeeds('Donations', { type: 'donation' })} />
        )}
      </Section>
      <LiveStatus />
    </>
  )
}
