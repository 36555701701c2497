import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { Downloads, ledgerFeeds } from '~/ledger/download-links'
import { explorerOf } from '~/ledger/explorer'
import { filterSearch, parseFilter } from '~/ledger/filter'
import { FilterForm } from '~/ledger/filter-form'
import { parsePosition } from '~/ledger/keyset.server'
import { toMonths } from '~/ledger/months'
import { listMonthSums } from '~/ledger/months.server'
import { OverTime } from '~/ledger/over-time'
import { Provenance } from '~/ledger/provenance'
import { ReconciliationSection } from '~/ledger/reconciliation-table'
import { listReconciliations } from '~/ledger/reconciliations.server'
import { readScan } from '~/ledger/scan.server'
import { ScanAge } from '~/ledger/scan-age'
import { formulas } from '~/ledger/totals'
import { readTotals } from '~/ledger/totals.server'
import { listTransactions } from '~/ledger/transactions.server'
import { TransactionsTable } from '~/ledger/transactions-table'
import { ListUnavailable } from '~/ledger/unavailable'
import { WalletList } from '~/ledger/wallet-list'
import { listWallets } from '~/ledger/wallets'
import { formatDollars } from '~/money'
import { cached } from '~/rendering/cached'
import { pageMeta } from '~/seo'
import { readClock } from '~/server/clock.server'
import { brand } from '~/site'
import { Empty } from '~/ui/empty'
import { PageHeader } from '~/ui/page-header'
import { NothingOlder, Pager } from '~/ui/pager'
import { Stat, Stats } from '~/ui/stat'

const description =
  'What came into the treasury and what left it: every transaction with its amount, its parties and its proof on BNB Smart Chain.'

export const handle = cached(['type', 'pool', 'from', 'to', 'before', 'after'])

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

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { config, log } = context
  const { searchParams } = new URL(request.url)
  const { filter, ignored } = parseFilter(searchParams)
  const { position, valid } = parsePosition(searchParams)
  if (!valid) ignored.push('There is no such page of the history, so the newest transactions are shown.')
  const backend = context.publicBackend()
  const [totals, scan, sums, history, reconciliations] = await Promise.all([
    readTotals(backend, log),
    readScan(backend, log),
    listMonthSums(backend, log),
    listTransactions(backend, filter, position, log),
    listReconciliations(backend, log),
  ])
  return {
    totals,
    months: totals && sums && totals.verified > 0 ? toMonths(sums, totals.treasury) : [],
    history,
    scan,
    now: config.DEMO ? null : readClock(config),
    reconciliations,
    filter,
    ignored,
    paged: position !== null,
    wallets: listWallets(config),
    explorer: explorerOf(config),
    hasToken: config.TOKEN_ADDRESS !== undefined,
  }
}

export default function Transparency() {
  const { totals, scan, now, months, reconciliations, wallets, explorer, hasToken } =
    useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader
        title="Transparency Dashboard"
        tagline="Every transaction. Every decision. Fully transparent."
      />
      <section className="column" aria-label="Figures">
        <Stats>
          <Stat icon="treasury" label="Treasury Balance" value={totals && formatDollars(totals.treasury)} />
          <Stat icon="donated" label="Total Donated" value={totals && formatDollars(totals.donated)} />
          <Stat
            icon="holders"
            label="Token Holders"
            value={hasToken ? 'Not counted yet' : '0'}
            note={hasToken ? undefined : 'The token is not out yet.'}
          />
        </Stats>
        <Provenance totals={totals} />
        <ScanAge scan={scan} now={now} />
      </section>
      <OverTime months={months} />
      <History />
      <ReconciliationSection reconciliations={reconciliations} wallets={wallets} explorer={explorer} />
      <section id="wallets" className="column pt-section" aria-labelledby="wallets-title">
        <h2 id="wallets-title" className="text-heading">
          Wallets
        </h2>
        <WalletList wallets={wallets} explorer={explorer} />
      </section>
      <section className="column pt-section" aria-labelledby="formulas">
        <h2 id="formulas" className="text-heading">
          How the figures are made
        </h2>
        <dl className="mt-6 grid gap-x-10 gap-y-6 md:grid-cols-3">
          {formulas.map(({ name, text }) => (
            <div key={name} className="border-t-2 border-ink pt-4">
              <dt className="font-display text-lg font-semibold">{name}</dt>
              <dd className="mt-1 text-muted">{text}</dd>
            </div>
          ))}
        </dl>
        <p className="mt-6 max-w-[65ch] text-muted">
          Only what is verified on chain and has a value in dollars is in a sum; every other row is listed and
          counted. A row is never changed: a correction is a new one in its place, and the former one is kept.{' '}
          <a href="/transparency/verify" className="link">
            Check that for yourself
          </a>
          .
        </p>
      </section>
    </>
  )
}

function History() {
  const { history, filter, ignored, paged, wallets, explorer } = useLoaderData<typeof loader>()
  const filtered = filterSearch(filter) !== ''
  return (
    <section id="history" className="column pt-section" aria-labelledby="history-title">
      <h2 id="history-title" className="text-heading">
        Transaction History
      </h2>
      <FilterForm filter={filter} ignored={ignored} />
      {history === null ? (
        <ListUnavailable what="The history" />
      ) : history.rows.length > 0 ? (
        <TransactionsTable
          transactions={history.rows}
          wallets={wallets}
          explorer={explorer}
          caption={`Transactions${filtered ? ' that match the filter' : ''}, newest first, dates in UTC`}
        />
      ) : (
        <Empty drawing="/drawings/empty-transactions.svg">
          {paged ? (
            <NothingOlder newest={`/transparency${filterSearch(filter)}#history`} />
          ) : filtered ? (
            <p>
              No transaction matches this filter.{' '}
              <a href="/transparency#history" className="link">
                Show all
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
      <Downloads filter={filter} feeds={ledgerFeeds('The ledger', filter)} />
    </section>
  )
}
