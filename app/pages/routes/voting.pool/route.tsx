import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import type { ComponentProps } from 'react'
import { readPoolArrivals } from '~/arrival/answers.server'
import { readWalletControls } from '~/custody/controls.server'
import { FollowSection, useFollows } from '~/follow/follow'
import { Downloads, type Feeds, ledgerFeeds } from '~/ledger/download-links'
import { listPoolsWithTotals } from '~/ledger/totals.server'
import { listTransactions, type Transaction } from '~/ledger/transactions.server'
import { ListUnavailable } from '~/ledger/unavailable'
import { listUpdates } from '~/ledger/updates.server'
import { listAccounts } from '~/ledger/wallets'
import { ComingNext, mostComing } from '~/payments/order-list'
import { valueOrders } from '~/payments/order-values.server'
import { listComing, readOrderClock } from '~/payments/orders.server'
import { findPool } from '~/platform/impact-pools'
import { LiveStatus } from '~/platform/live/live-status'
import { key } from '~/platform/locales/key'
import { PageLink, useLanguage } from '~/platform/locales/react'
import type { PageHandle } from '~/platform/rendering/handle'
import { languageOf, pageMeta } from '~/platform/rendering/seo'
import { notFound } from '~/platform/server/outage.server'
import { Detail } from '~/platform/ui/detail'
import { DonateButton } from '~/platform/ui/donate-button'
import { Icon } from '~/platform/ui/icon'
import { Part } from '~/platform/ui/section'
import { Share } from '~/platform/ui/share'
import { newestOf, Updated } from '~/platform/ui/updated'
import { OriginalWords } from '~/platform/ui/words'
import { DonationsIn, Timeline } from './payments'
import { BoughtLast, PoolStory, Received } from './pool-details'
import { PoolLead } from './pool-lead'
import { PoolMoney } from './pool-money'

export const handle: PageHandle = { cached: [], gives: true }

export const meta: MetaFunction<typeof loader> = (args) => {
  const pool = args.data?.pool
  if (!pool) return []
  const { i18n, formats } = languageOf(args.matches)
  const title = i18n._(key(pool.title))
  const description = i18n._(key(pool.description))
  const amount = pool.totals && formats.roundDollars(pool.totals.totalUsd)
  return pageMeta({
    title: amount ? msg`${title}: ${amount} given` : title,
    description: amount
      ? msg`${description} A permanent impact pool. ${amount} was given to it. See every payment in and out.`
      : msg`${description} A permanent impact pool. See every payment in and out.`,
    path: `/voting/${pool.slug}`,
    feed: ledgerFeeds(title, { pool: pool.slug }),
    image: pool.shareImage,
    imageAlt: msg`${title}: an impact pool`,
  })(args)
}

export async function loader({ params, context }: LoaderFunctionArgs) {
  const found = findPool(params.pool)
  if (!found) throw notFound()
  const { slug } = found
  const data = context.publicData()
  const address = listAccounts(context.config).find((account) => account.slug === slug)?.address
  const [pools, spending, fromTreasury, gifts, updates, coming, controls, arrivals] = await Promise.all([
    listPoolsWithTotals(data),
    listTransactions(data, { pool: slug, type: 'spending' }, null),
    listTransactions(data, { pool: slug, direction: 'out', type: 'donation' }, null),
    listTransactions(data, { pool: slug, type: 'gift' }, null),
    listUpdates(data, slug),
    listComing(data, mostComing, slug).then((orders) => valueOrders(data, context.config, orders)),
    readWalletControls(data.optional(), context.config),
    readPoolArrivals(data, slug),
  ])
  return {
    pool: pools.find((pool) => pool.slug === slug) ?? { ...found, totals: null },
    spending,
    fromTreasury,
    gifts,
    updates,
    coming,
    /** Null if it cannot be read, or without a wallet. */
    keys: address && controls ? { control: controls[address.toLowerCase()] } : null,
    arrivals,
    orderClock: readOrderClock(context.config),
  }
}

/** A short description of the pool for sharing. */
const shared = (title: string, given: string, left: string) => msg`${title}: ${given} given, ${left} left`

/** Maximum number of rows in each list. The history has the other rows. */
const listed = 6

export default function PoolPage() {
  const { t } = useLingui()
  const { pool, spending, fromTreasury, gifts, updates, coming, arrivals, keys, orderClock } =
    useLoaderData<typeof loader>()
  const { i18n, formats } = useLanguage()
  const { slug, totals } = pool
  const title = i18n._(key(pool.title))
  const category = i18n._(key(pool.category))
  const feeds = ledgerFeeds(title, { pool: slug })
  const isEmpty = spending?.rows.length === 0 && totals?.totalUsd === 0 && totals.pendingCount === 0
  const lead = updates?.find(({ pictures }) => pictures.length > 0)
  const others = updates?.filter((update) => update !== lead)
  const paid = newestFirst(
    spending?.rows,
    // A donation straight to a recipient is both a donation and a payment out.
    fromTreasury?.rows.filter(({ toAccount }) => toAccount === null),
  )
  const bought = paid?.find(({ status }) => status === 'verified')
  const donations = newestFirst(fromTreasury?.rows, gifts?.rows)
  return (
    <div className="pool column pt-4">
      <Detail
        title={title}
        back={{ to: `/voting#${slug}`, label: t`Impact Pools` }}
        more={{ to: `/voting/${slug}`, label: t`All payments and updates of ${category}` }}
        className="pool-detail"
      >
        <div id="pool-figures" className="pool-figures mt-4" data-live="ledger">
          <Received pool={pool} />
          <PoolMoney pool={pool} />
          <div className="pool-ways no-print">
            <DonateButton to={slug}>
              <Trans>
                Donate<span className="sr-only"> to {title}</span>
              </Trans>
            </DonateButton>
            <Follow slug={slug} feeds={feeds} />
            {!isEmpty && (
              <Share
                title={
                  totals
                    ? i18n._(
                        shared(
                          title,
                          formats.roundDollars(totals.totalUsd),
                          formats.roundDollars(totals.leftUsd),
                        ),
                      )
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
          {lead && <OriginalWords className="mt-2" />}
          <PoolStory pool={pool} keys={keys} />
        </div>
      </Detail>
      <ComingNext coming={coming} now={orderClock} className="pt-12" />
      <PoolPart
        id="timeline"
        title={t`Payments and updates`}
        live="ledger pools"
        age={<Updated at={newestOf(paid?.[0]?.occurredAt, updates?.[0]?.publishedAt)} kinds="ledger pools" />}
        all={paid?.length ? [{ title: t`Payments out`, search: `pool=${slug}&type=spending` }] : undefined}
      >
        {paid === null || !others ? (
          <ListUnavailable />
        ) : paid.length + others.length > 0 ? (
          <Timeline pool={pool} payments={paid.slice(0, listed)} updates={others} arrivals={arrivals} />
        ) : (
          <p className="mt-4 text-muted">
            <Trans>Nothing spent yet</Trans>
          </p>
        )}
        {updates?.length === 0 && (
          <p className="mt-3 text-muted">
            <Trans>No updates yet. Follow this pool to hear about its next payment.</Trans>
          </p>
        )}
      </PoolPart>
      <div id="donations" className="pt-6" data-live="ledger">
        <details open={donations?.length === 0}>
          <summary className="link w-fit py-2">
            <Trans>Donations</Trans>
          </summary>
          {!donations ? (
            <ListUnavailable />
          ) : donations.length > 0 ? (
            <DonationsIn donations={donations.slice(0, listed)} />
          ) : (
            <p className="mt-2 text-muted">
              <Trans>No donations yet</Trans>
            </p>
          )}
          <SeeAll
            all={[
              ...(fromTreasury?.rows.length
                ? [{ title: t`Donations from the treasury`, search: `pool=${slug}&type=donation` }]
                : []),
              ...(gifts?.rows.length
                ? [{ title: t`Gifts to its wallet`, search: `pool=${slug}&type=gift` }]
                : []),
            ]}
          />
        </details>
      </div>
      {!isEmpty && <Downloads filter={{ pool: slug }} feeds={feeds} folded />}
      <FollowSection topic={slug} className="pt-12" />
      <LiveStatus />
    </div>
  )
}

/** A part below the first section. `all`: the filters with which the history shows every row of the part. */
function PoolPart({
  all = [],
  children,
  ...part
}: ComponentProps<typeof Part> & { all?: Filters | undefined }) {
  return (
    <Part {...part} className="pt-12">
      {children}
      <SeeAll all={all} />
    </Part>
  )
}

type Filters = { title: string; search: string }[]

function SeeAll({ all }: { all: Filters }) {
  if (all.length === 0) return null
  return (
    <p className="mt-3 flex flex-wrap gap-x-6">
      {all.map(({ title, search }) => (
        <PageLink key={search} to={`/transparency?${search}#history`} className="link py-1">
          {all.length > 1 ? (
            title
          ) : (
            <Trans>
              See them all<span className="sr-only"> ({title})</span>
            </Trans>
          )}
        </PageLink>
      ))}
    </p>
  )
}

/** A disclosure with two ways to follow a pool: by email and by feed. */
function Follow({ slug, feeds }: { slug: string; feeds: Feeds }) {
  const follows = useFollows()
  return (
    <details className="pool-follow">
      <summary className="button">
        <Icon name="bell" size={18} />
        <Trans>Follow</Trans>
      </summary>
      {follows && (
        <p className="mt-2 text-sm">
          {/* Not '#follow': a modal has only this section of the page. */}
          <PageLink to={`/follow?topic=${slug}`} className="link inline-block py-1">
            <Trans>By email</Trans>
          </PageLink>
        </p>
      )}
      <p className="mt-2 text-sm">
        <Trans>Use a feed reader? Add one of these. It shows you each payment and each update.</Trans>
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

/** The rows of two lists, newest first; null if either list cannot be read. */
function newestFirst(one: Transaction[] | undefined, other: Transaction[] | undefined) {
  if (!one || !other) return null
  // A cursor begins with the time in microseconds, and ends with the id.
  const placeOf = ({ cursor }: Transaction) => cursor.split('-').map(Number) as [number, number]
  return [...one, ...other].sort((a, b) => {
    const [[time, id], [otherTime, otherId]] = [placeOf(a), placeOf(b)]
    return otherTime - time || otherId - id
  })
}
