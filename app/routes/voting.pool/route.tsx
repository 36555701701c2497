import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { findPool } from '~/impact-pools'
import { Downloads, ledgerFeeds } from '~/ledger/download-links'
import { listPoolsWithTotals } from '~/ledger/totals.server'
import { listTransactions, type Transaction } from '~/ledger/transactions.server'
import { TransactionsTable } from '~/ledger/transactions-table'
import { ListUnavailable } from '~/ledger/unavailable'
import { listWallets } from '~/ledger/wallets'
import { LiveStatus } from '~/live/live-status'
import { formatDollars } from '~/money'
import type { PageHandle } from '~/rendering/handle'
import { pageMeta } from '~/seo'
import { Detail } from '~/ui/detail'
import { Part } from '~/ui/section'
import { Share } from '~/ui/share'
import { newestOf, Updated } from '~/ui/updated'
import { PoolDetails } from './pool-details'
import { PoolMoney } from './pool-money'
import { PoolUpdates } from './pool-updates'
import { listUpdates } from './updates.server'

export const handle: PageHandle = { cached: [], gives: true }

export const meta: MetaFunction<typeof loader> = (args) => {
  const pool = args.data?.pool
  if (!pool) return []
  const received = pool.totals ? ` It received ${formatDollars(pool.totals.totalUsd)}.` : ''
  return pageMeta({
    title: pool.totals ? `${pool.title}: ${formatDollars(pool.totals.totalUsd)} received` : pool.title,
    description: `${pool.description} A permanent impact pool.${received} See what it received and spent, with proof.`,
    path: `/voting/${pool.slug}`,
    feed: ledgerFeeds(pool.title, { pool: pool.slug }),
    image: pool.shareImage,
    imageAlt: `${pool.title}: an impact pool`,
  })(args)
}

export async function loader({ params, context }: LoaderFunctionArgs) {
  const { config } = context
  const found = findPool(params.pool)
  if (!found) throw new Response(null, { status: 404, statusText: 'Not Found' })
  const { slug } = found
  const data = context.publicData()
  const [pools, spending, received, updates] = await Promise.all([
    listPoolsWithTotals(data),
    listTransactions(data, { pool: slug, type: 'spending' }, null),
    listTransactions(data, { pool: slug, direction: 'out', type: 'donation' }, null),
    listUpdates(data, slug),
  ])
  return {
    pool: pools.find((pool) => pool.slug === slug) ?? { ...found, totals: null },
    spending,
    received: received && { ...received, rows: received.rows.map(seenByPool) },
    updates,
    wallets: listWallets(config),
  }
}

/** A donation in the list of a pool: received. */
function seenByPool(row: Transaction): Transaction {
  return { ...row, direction: 'in' }
}

export default function PoolPage() {
  const { pool, spending, received, updates, wallets } = useLoaderData<typeof loader>()
  const { slug, title } = pool
  const feeds = ledgerFeeds(title, { pool: slug })
  const isEmpty = spending?.rows.length === 0 && pool.totals?.totalUsd === 0 && pool.totals.pendingCount === 0
  const lists = [
    {
      id: 'spending',
      name: 'Payments out',
      page: spending,
      all: `pool=${slug}&type=spending`,
      none: 'Nothing spent yet',
    },
    {
      id: 'donations',
      name: 'Donations from the treasury',
      page: received,
      all: `pool=${slug}&type=donation`,
      none: 'No donations yet',
    },
  ]
  return (
    <>
      <Detail title={title} back={{ to: `/voting#${slug}`, label: 'Impact Pools' }}>
        <div id="pool-details" data-live="ledger pools">
          <PoolDetails pool={pool} />
        </div>
      </Detail>
      <Part
        id="money"
        title="Received, spent, left"
        live="ledger"
        age={
          <Updated
            at={newestOf(
              spending?.rows[0]?.occurredAt,
              received?.rows[0]?.occurredAt,
              updates?.[0]?.publishedAt,
            )}
            kinds="ledger pools"
          />
        }
      >
        <PoolMoney pool={pool} />
      </Part>
      {lists.map(({ id, name, page, all, none }) => (
        <Part key={name} id={id} title={name} live="ledger">
          {page === null ? (
            <ListUnavailable />
          ) : page.rows.length === 0 ? (
            <p className="mt-4 text-muted">{none}</p>
          ) : (
            <>
              <TransactionsTable
                transactions={page.rows.slice(0, 6)}
                wallets={wallets}
                caption={`${name}, newest first`}
              />
              <p className="mt-3">
                <a href={`/transparency?${all}#history`} className="link inline-block py-1">
                  See them all<span className="sr-only">: {name}</span>
                </a>
              </p>
            </>
          )}
        </Part>
      ))}
      <Part id="updates" title="Updates" live="pools">
        <PoolUpdates pool={pool} updates={updates} feed={feeds.atom} />
      </Part>
      <Part id="partner" title="Partner">
        <p className="mt-4 max-w-[65ch] text-muted">
          We haven't published the partners of this pool yet. When we do, we will name them here.
        </p>
      </Part>
      {!isEmpty && (
        <section className="column pt-12" aria-label="Share and download">
          <Share
            title={
              pool.totals
                ? `${title}: ${formatDollars(pool.totals.totalUsd)} received, ${formatDollars(pool.totals.leftUsd)} left`
                : title
            }
            url={`/voting/${slug}`}
          />
          <Downloads filter={{ pool: slug }} feeds={feeds} />
        </section>
      )}
      <LiveStatus />
    </>
  )
}
