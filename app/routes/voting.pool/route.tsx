import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { FollowSection, useFollows } from '~/follow/follow'
import { findPool } from '~/impact-pools'
import { Downloads, type Feeds, ledgerFeeds } from '~/ledger/download-links'
import { listPoolsWithTotals } from '~/ledger/totals.server'
import { listTransactions, type Transaction } from '~/ledger/transactions.server'
import { ListUnavailable } from '~/ledger/unavailable'
import { listUpdates } from '~/ledger/updates.server'
import { LiveStatus } from '~/live/live-status'
import { key } from '~/locales/key'
import { PageLink, useLanguage } from '~/locales/react'
import type { PageHandle } from '~/rendering/handle'
import { languageOf, pageMeta } from '~/rendering/seo'
import { Detail } from '~/ui/detail'
import { DonateButton } from '~/ui/donate-button'
import { Icon } from '~/ui/icon'
import { Share } from '~/ui/share'
import { newestOf, Updated } from '~/ui/updated'
import { DonationsIn, PaymentsOut } from './payments'
import { BoughtLast, PoolStory, Received } from './pool-details'
import { PoolLead } from './pool-lead'
import { PoolMoney } from './pool-money'
import { PoolUpdates } from './pool-updates'

export const handle: PageHandle = { cached: [], gives: true }

export const meta: MetaFunction<typeof loader> = (args) => {
  const pool = args.data?.pool
  if (!pool) return []
  const { i18n, formats } = languageOf(args.matches)
  const title = i18n._(key(pool.title))
  const description = i18n._(key(pool.description))
  const amount = pool.totals && formats.dollars(pool.totals.totalUsd)
  return pageMeta({
    title: amount ? msg`${title}: ${amount} given` : title,
    description: amount
      ? msg`${description} A permanent impact pool. ${amount} was given to it. See what was given and spent, with proof.`
      : msg`${description} A permanent impact pool. See what was given and spent, with proof.`,
    path: `/voting/${pool.slug}`,
    feed: ledgerFeeds(title, { pool: pool.slug }),
    image: pool.shareImage,
    imageAlt: msg`${title}: an impact pool`,
  })(args)
}

export async function loader({ params, context }: LoaderFunctionArgs) {
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
    received,
    updates,
  }
}

/** A short description of the pool for sharing. */
const shared = (title: string, given: string, left: string) => msg`${title}: ${given} given, ${left} left`

/** Maximum number of rows in each list. The history has the other rows. */
const listed = 6

export default function PoolPage() {
  const { t } = useLingui()
  const { pool, spending, received, updates } = useLoaderData<typeof loader>()
  const { i18n, formats } = useLanguage()
  const { slug, totals } = pool
  const title = i18n._(key(pool.title))
  const feeds = ledgerFeeds(title, { pool: slug })
  const isEmpty = spending?.rows.length === 0 && totals?.totalUsd === 0 && totals.pendingCount === 0
  const lead = updates?.find(({ pictures }) => pictures.length > 0)
  const others = updates?.filter((update) => update !== lead)
  const paid = paymentsOut(spending?.rows, received?.rows)
  const bought = paid?.find(({ status }) => status === 'verified')
  const donations = received?.rows.filter(({ toAccount }) => toAccount === slug)
  return (
    <div className="pool column pt-4">
      <Detail title={title} back={{ to: `/voting#${slug}`, label: t`Impact Pools` }} className="pool-detail">
        <div id="pool-figures" className="pool-figures mt-4" data-live="ledger">
          <Received pool={pool} />
          <PoolMoney pool={pool} />
          <div className="pool-ways no-print">
            <DonateButton to={slug}>
              <Trans>
                Donate<span className="sr-only"> to {title}</span>
              </Trans>
            </DonateButton>
            <Follow feeds={feeds} />
            {!isEmpty && (
              <Share
                title={
                  totals
                    ? i18n._(shared(title, formats.dollars(totals.totalUsd), formats.dollars(totals.leftUsd)))
                    : title
                }
                url={`/voting/${slug}`}
                className="m-0"
              />
            )}
          </div>
          {bought && <BoughtLast payment={bought} />}
        </div>
        <div id="pool-lead" data-live="ledger pools">
          <PoolLead pool={pool} update={lead} />
          <PoolStory pool={pool} />
        </div>
      </Detail>
      {(others?.length !== 0 || !lead) && (
        <PoolPart id="updates" title={lead ? t`Other updates` : t`Updates`} live="pools">
          {others ? (
            others.length > 0 ? (
              <PoolUpdates pool={pool} updates={others} />
            ) : (
              <p className="mt-4 text-muted">
                <Trans>No updates yet. Follow this pool to hear about its next payment.</Trans>
              </p>
            )
          ) : (
            <ListUnavailable />
          )}
        </PoolPart>
      )}
      <PoolPart
        id="spending"
        title={t`Payments out`}
        live="ledger"
        age={<Updated at={newestOf(paid?.[0]?.occurredAt, donations?.[0]?.occurredAt)} kinds="ledger" />}
        all={paid?.length ? `pool=${slug}&type=spending` : undefined}
      >
        {paid === null ? (
          <ListUnavailable />
        ) : paid.length > 0 ? (
          <PaymentsOut payments={paid.slice(0, listed)} />
        ) : (
          <p className="mt-4 text-muted">
            <Trans>Nothing spent yet</Trans>
          </p>
        )}
      </PoolPart>
      <PoolPart
        id="donations"
        title={t`Donations from the treasury`}
        live="ledger"
        all={donations?.length ? `pool=${slug}&type=donation` : undefined}
      >
        {!donations ? (
          <ListUnavailable />
        ) : donations.length > 0 ? (
          <DonationsIn donations={donations.slice(0, listed)} />
        ) : (
          <p className="mt-4 text-muted">
            <Trans>No donations yet</Trans>
          </p>
        )}
      </PoolPart>
      <FollowSection topic={slug} className="pt-12" />
      {!isEmpty && <Downloads filter={{ pool: slug }} feeds={feeds} />}
      <LiveStatus />
    </div>
  )
}

/** A part below the first section. `all`: the filter with which the history shows every row of the part. */
function PoolPart({
  id,
  title,
  live,
  age,
  all,
  children,
}: {
  id: string
  title: string
  live: string
  age?: ReactNode
  all?: string | undefined
  children: ReactNode
}) {
  return (
    <section id={id} data-live={live} className="pt-12" aria-label={title}>
      <div className="heading-line">
        <h2 className="text-heading">{title}</h2>
        {age}
      </div>
      {children}
      {all && (
        <p className="mt-3">
          <PageLink to={`/transparency?${all}#history`} className="link inline-block py-1">
            <Trans>
              See them all<span className="sr-only"> ({title})</span>
            </Trans>
          </PageLink>
        </p>
      )}
    </section>
  )
}

/** A disclosure with two ways to follow a pool: by email and by feed. */
function Follow({ feeds }: { feeds: Feeds }) {
  const follows = useFollows()
  return (
    <details className="pool-follow">
      <summary className="button">
        <Icon name="bell" size={18} />
        <Trans>Follow</Trans>
      </summary>
      {follows && (
        <p className="mt-2 text-sm">
          <a href="#follow" className="link inline-block py-1">
            <Trans>By email</Trans>
          </a>
        </p>
      )}
      <p className="mt-2 text-sm">
        <Trans>
          Put one of these addresses into a feed reader. It shows you each payment and each update.
        </Trans>
      </p>
      <p className="mt-1 flex gap-x-4 text-sm">
        <a href={feeds.atom} className="link">
          <Trans>Atom feed</Trans>
        </a>
        <a href={feeds.json} className="link">
          <Trans>JSON Feed</Trans>
        </a>
      </p>
    </details>
  )
}

/**
 * The payments out of a pool and the donations directly to recipients, newest first; null if either cannot be
 * read.
 */
function paymentsOut(spending: Transaction[] | undefined, received: Transaction[] | undefined) {
  if (!spending || !received) return null
  const direct = received.filter(({ toAccount }) => toAccount === null)
  return [...spending, ...direct].sort((a, b) => b.occurredAt.getTime() - a.occurredAt.getTime())
}
