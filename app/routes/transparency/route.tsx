import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { FollowSection } from '~/follow/follow'
import { Downloads, ledgerFeeds } from '~/ledger/download-links'
import { filterParameters, filterSearch, partyOf } from '~/ledger/filter'
import { flowOf } from '~/ledger/flow'
import { readHolders } from '~/ledger/holders.server'
import { parsePosition } from '~/ledger/keyset.server'
import { MoneyFlow } from '~/ledger/money-flow'
import { readFilter, readName } from '~/ledger/names.server'
import { Provenance } from '~/ledger/provenance'
import { listReconciliations } from '~/ledger/reconciliations.server'
import { hasPayments, totalsTitle } from '~/ledger/totals'
import { listPoolsWithTotals, readTotals } from '~/ledger/totals.server'
import { listTransactions, sumTransactions } from '~/ledger/transactions.server'
import { TransparencyNavigation } from '~/ledger/transparency-navigation'
import { FiguresUnavailable, ListUnavailable } from '~/ledger/unavailable'
import { WalletBalances } from '~/ledger/wallet-balances'
import { listWallets } from '~/ledger/wallets'
import { LiveStatus } from '~/live/live-status'
import { formatCount, formatDollars } from '~/money'
import type { PageHandle } from '~/rendering/handle'
import { pageMeta } from '~/rendering/seo'
import { readClock } from '~/server/clock.server'
import type { Data } from '~/server/data.server'
import { brand } from '~/site'
import { Empty } from '~/ui/empty'
import { PageHeader } from '~/ui/page-header'
import { NothingOlder, Pager } from '~/ui/pager'
import { Section } from '~/ui/section'
import { Share } from '~/ui/share'
import { Stat, Stats } from '~/ui/stat'
import { Updated } from '~/ui/updated'
import { When } from '~/ui/when'
import { FilterForm } from './filter-form'
import { HistoryHeading, Uses } from './history-heading'
import { HistoryMonths, MonthLinks } from './history-months'
import { readScan } from './scan.server'
import { ScanAge, ScanWarning } from './scan-age'
import { UnreadTransactions } from './unread-transactions'
import { Verdict } from './verdict'

const description =
  'What the treasury received and paid: every transaction with its amount, its sender, its recipient and its proof on BNB Smart Chain.'

export const meta = pageMeta({
  title: 'Transparency Dashboard',
  description,
  path: '/transparency',
  feed: ledgerFeeds('The ledger'),
  jsonLd: (siteUrl) => ({
    '@type': 'Dataset',
    name: `${brand} ledger`,
    description,
    url: `${siteUrl}/transparency`,
    isAccessibleForFree: true,
    creator: { '@type': 'Organization', name: brand, url: `${siteUrl}/` },
    variableMeasured: ['Date', 'Type', 'Amount in US dollars', 'To/From', 'Transaction hash'],
  }),
})

export const handle: PageHandle = { cached: [...filterParameters, 'before', 'after'] }

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { config } = context
  const { searchParams } = new URL(request.url)
  const data = context.publicData()
  const { filter, ignored: faults } = await readFilter(data, searchParams)
  const ignored = faults.map(({ page }) => page)
  const { position, valid } = parsePosition(searchParams)
  if (!valid) ignored.push("That page doesn't exist. Here are the newest transactions.")
  const filtered = filterSearch(filter) !== ''
  const history = Promise.all([listTransactions(data, filter, position), sumTransactions(data, filter)])
  const [[rows, sum], partyName, overview] = await Promise.all([
    history,
    readName(data, partyOf(filter)),
    filtered || position ? null : readOverview(data, config.TOKEN_ADDRESS, readClock(config)),
  ])
  return {
    overview,
    history: rows,
    sum,
    filter,
    partyName,
    searched: searchParams.get('q')?.trim(),
    ignored,
    filtered,
    paged: position !== null,
    now: config.DEMO ? null : readClock(config),
    wallets: listWallets(config),
    hasToken: config.TOKEN_ADDRESS !== undefined,
  }
}

/** The data above the history. Only the first page without a filter shows it. */
async function readOverview(data: Data, token: string | undefined, now: number) {
  const [totals, pools, scan, reconciliations, holders] = await Promise.all([
    readTotals(data),
    listPoolsWithTotals(data),
    readScan(data),
    listReconciliations(data),
    readHolders(data, token, now),
  ])
  return {
    totals,
    holders,
    scan,
    flow: flowOf(totals, pools),
    reconciliations,
  }
}

export default function Transparency() {
  const { overview, paged } = useLoaderData<typeof loader>()
  return (
    <>
      <TransparencyNavigation current={overview ? '/transparency' : '/transparency#history'} />
      <PageHeader
        title="Transparency Dashboard"
        tagline="Every transaction. Every decision. Fully transparent."
      />
      {overview && <Overview />}
      <History />
      {overview && <FollowSection topic="month" />}
      {!paged && <LiveStatus />}
    </>
  )
}

function Overview() {
  const { overview, now, hasToken, wallets } = useLoaderData<typeof loader>()
  if (!overview) return null
  const { totals, holders, scan, flow, reconciliations } = overview
  const isEmpty = !hasPayments(totals)
  return (
    <>
      <section id="figures" data-live="ledger" className="column" aria-label="Figures">
        <Verdict totals={totals} reconciliations={reconciliations} wallets={wallets} />
        {totals === null && <FiguresUnavailable />}
        <Updated at={totals?.asOf} kinds="ledger" />
        <Stats>
          <Stat
            icon="treasury"
            label="Treasury Balance"
            value={totals && formatDollars(totals.treasuryUsd)}
            note="not given yet; costs come out of it too"
          />
          <Stat
            icon="donated"
            label="Total Donated"
            value={totals && formatDollars(totals.donatedUsd)}
            note="given to pools and to other causes"
          />
          <Stat
            icon="holders"
            label="Token Holders"
            value={holders ? formatCount(holders.holders) : hasToken ? 'Not counted yet' : '0'}
            note={
              holders ? (
                <>
                  according to {holders.host}, <When date={holders.countedAt} />
                </>
              ) : hasToken ? undefined : (
                "The token hasn't launched yet."
              )
            }
          />
        </Stats>
        <ScanWarning scan={scan} now={now} />
        <UnreadTransactions scan={scan} />
        {!isEmpty && (
          <details>
            <summary className="link py-2">How we count and check</summary>
            {totals && <Provenance totals={totals} />}
            <WalletBalances reconciliations={reconciliations} wallets={wallets} />
            <ScanAge scan={scan} now={now} />
          </details>
        )}
        {totals && !isEmpty && <Share title={totalsTitle(totals)} url="/transparency" />}
      </section>
      {flow && (
        <Section id="flow" heading="flow-title" title="Where the money went" live="ledger">
          <MoneyFlow flow={flow} />
        </Section>
      )}
    </>
  )
}

function History() {
  const { history, sum, filter, partyName, searched, filtered, ignored, paged, wallets } =
    useLoaderData<typeof loader>()
  // Before the first payment there is nothing to search or to download.
  if (history?.rows.length === 0 && !filtered && !paged)
    return (
      <Section id="history" heading="history-title" title="Transaction History" live="ledger">
        <Empty drawing="/drawings/empty-transactions.svg">
          <p>No transactions yet</p>
        </Empty>
      </Section>
    )
  return (
    <Section id="history" heading="history-title" title="Transaction History">
      <FilterForm filter={filter} searched={searched} ignored={ignored} />
      <div id="history-rows" data-live={paged ? undefined : 'ledger'}>
        <HistoryHeading sum={sum} filter={filter} partyName={partyName} />
        <Uses sum={sum} filter={filter} />
        <MonthLinks sum={sum} filter={filter} />
        {history === null ? (
          <ListUnavailable />
        ) : history.rows.length > 0 ? (
          <>
            <p className="mt-2 text-sm text-muted">
              Newest first, dates in UTC.{' '}
              <span className="min-[60rem]:hidden">A tick means verified on chain.</span>
            </p>
            <HistoryMonths page={history} sum={sum} filter={filter} wallets={wallets} />
          </>
        ) : (
          <Empty drawing="/drawings/empty-transactions.svg">
            {paged ? (
              <NothingOlder newest={`/transparency${filterSearch(filter)}#history`} />
            ) : (
              <p>
                No transactions match.{' '}
                <a href="/transparency#history" className="link">
                  Clear the filters
                </a>
              </p>
            )}
          </Empty>
        )}
        {history && (
          <Pager
            label="Pages of the history"
            newer={history.newer && `/transparency${filterSearch(filter, { after: history.newer })}#history`}
            older={history.older && `/transparency${filterSearch(filter, { before: history.older })}#history`}
          />
        )}
      </div>
      <Downloads filter={filter} feeds={ledgerFeeds('The ledger', filter)} />
    </Section>
  )
}
