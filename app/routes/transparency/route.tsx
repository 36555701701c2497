import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { DonatedParts } from '~/ledger/donated-parts'
import { Downloads, ledgerFeeds } from '~/ledger/download-links'
import { filterParameters, filterSearch, partyOf } from '~/ledger/filter'
import { flowOf } from '~/ledger/flow'
import { parsePosition } from '~/ledger/keyset.server'
import { MatchLine } from '~/ledger/match-line'
import { MoneyFlow } from '~/ledger/money-flow'
import { readFilter, readName } from '~/ledger/names.server'
import { Provenance } from '~/ledger/provenance'
import { listReconciliations } from '~/ledger/reconciliations.server'
import { totalsTitle } from '~/ledger/totals'
import { listPoolsWithTotals, readTotals } from '~/ledger/totals.server'
import { listTransactions, sumTransactions } from '~/ledger/transactions.server'
import { TransactionsTable } from '~/ledger/transactions-table'
import { TransparencyNavigation } from '~/ledger/transparency-navigation'
import { ListUnavailable } from '~/ledger/unavailable'
import { WalletBalances } from '~/ledger/wallet-balances'
import { listWallets } from '~/ledger/wallets'
import { LiveStatus } from '~/live/live-status'
import { formatDollars } from '~/money'
import type { PageHandle } from '~/rendering/handle'
import { pageMeta } from '~/seo'
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
import { FilterForm } from './filter-form'
import { HistoryHeading } from './history-heading'
import { readScan } from './scan.server'
import { ScanAge } from './scan-age'
import { UnreadTransactions } from './unread-transactions'

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
    filtered || position ? null : readOverview(data),
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
async function readOverview(data: Data) {
  const [totals, pools, scan, reconciliations] = await Promise.all([
    readTotals(data),
    listPoolsWithTotals(data),
    readScan(data),
    listReconciliations(data),
  ])
  return {
    totals,
    pools,
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
      {!paged && <LiveStatus />}
    </>
  )
}

function Overview() {
  const { overview, now, hasToken, wallets } = useLoaderData<typeof loader>()
  if (!overview) return null
  const { totals, pools, scan, flow, reconciliations } = overview
  return (
    <>
      <section id="figures" data-live="ledger" className="column" aria-label="Figures">
        <Updated at={totals?.asOf} kinds="ledger" />
        <Stats>
          <Stat
            icon="treasury"
            label="Treasury Balance"
            value={totals && formatDollars(totals.treasuryUsd)}
          />
          <Stat icon="donated" label="Total Donated" value={totals && formatDollars(totals.donatedUsd)} />
          <Stat
            icon="holders"
            label="Token Holders"
            value={hasToken ? 'Not counted yet' : '0'}
            note={hasToken ? undefined : "The token hasn't launched yet."}
          />
        </Stats>
        <MatchLine reconciliations={reconciliations} />
        <WalletBalances reconciliations={reconciliations} wallets={wallets} />
        <Provenance totals={totals} />
        <ScanAge scan={scan} now={now} />
        <UnreadTransactions scan={scan} />
        {totals && <Share title={totalsTitle(totals)} url="/transparency" />}
      </section>
      {flow && totals && (
        <Section id="flow" heading="flow-title" title="Where the money went" live="ledger">
          <MoneyFlow flow={flow} />
          <DonatedParts totals={totals} pools={pools} />
        </Section>
      )}
    </>
  )
}

function History() {
  const { history, sum, filter, partyName, searched, filtered, ignored, paged, wallets } =
    useLoaderData<typeof loader>()
  return (
    <Section id="history" heading="history-title" title="Transaction History">
      <FilterForm filter={filter} searched={searched} ignored={ignored} />
      <div id="history-rows" data-live={paged ? undefined : 'ledger'}>
        <HistoryHeading sum={sum} filter={filter} partyName={partyName} />
        {history === null ? (
          <ListUnavailable />
        ) : history.rows.length > 0 ? (
          <TransactionsTable
            transactions={history.rows}
            wallets={wallets}
            caption={
              filtered
                ? 'Transactions that match your filters, newest first, dates in UTC'
                : 'Transactions, newest first, dates in UTC'
            }
          />
        ) : (
          <Empty drawing="/drawings/empty-transactions.svg">
            {paged ? (
              <NothingOlder newest={`/transparency${filterSearch(filter)}#history`} />
            ) : filtered ? (
              <p>
                No transactions match.{' '}
                <a href="/transparency#history" className="link">
                  Clear the filters
                </a>
              </p>
            ) : (
              <p>No transactions yet</p>
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
