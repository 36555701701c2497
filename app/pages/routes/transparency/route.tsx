import { msg, ph } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useLoaderData } from '@remix-run/react'
import { ArrivalFigures } from '~/arrival/arrival-figures'
import { FollowSection } from '~/follow/follow'
import { Downloads, ledgerFeeds } from '~/ledger/download-links'
import { filterSearch } from '~/ledger/filter'
import { MoneyFlow } from '~/ledger/money-flow'
import { Provenance } from '~/ledger/provenance'
import { ScanAge, ScanWarning } from '~/ledger/scan-age'
import { hasPayments, totalsTitle } from '~/ledger/totals'
import { TransparencyNavigation } from '~/ledger/transparency-navigation'
import { FiguresUnavailable, ListUnavailable } from '~/ledger/unavailable'
import { WalletBalances } from '~/ledger/wallet-balances'
import { ComingNext } from '~/payments/order-list'
import { LiveStatus } from '~/platform/live/live-status'
import { Gap, PageLink, useLanguage } from '~/platform/locales/react'
import type { PageHandle } from '~/platform/rendering/handle'
import { pageMeta } from '~/platform/rendering/seo'
import { brand } from '~/platform/site'
import { Empty } from '~/platform/ui/empty'
import { PageHeader } from '~/platform/ui/page-header'
import { NothingOlder, Pager } from '~/platform/ui/pager'
import { Section } from '~/platform/ui/section'
import { Share } from '~/platform/ui/share'
import { Stat, Stats } from '~/platform/ui/stat'
import { Updated } from '~/platform/ui/updated'
import { When } from '~/platform/ui/when'
import { OriginalWords } from '~/platform/ui/words'
import { FilterForm } from './filter-form'
import { HistoryHeading, Uses } from './history-heading'
import { HistoryMonths, MonthLinks } from './history-months'
import { loader } from './loader.server'
import { UnreadTransactions } from './unread-transactions'
import { Verdict } from './verdict'

const description = msg`What the treasury received and paid: every transaction with its amount, its sender, its recipient and its proof on BNB Smart Chain.`

export const meta = pageMeta({
  title: msg`Transparency Dashboard`,
  description,
  path: '/transparency',
  feed: ledgerFeeds(msg`The ledger`),
  jsonLd: (siteUrl, { i18n, href }) => ({
    '@type': 'Dataset',
    name: i18n._(msg`${brand} ledger`),
    description: i18n._(description),
    url: siteUrl + href('/transparency'),
    isAccessibleForFree: true,
    creator: { '@type': 'Organization', name: brand, url: siteUrl + href('/') },
    variableMeasured: [
      msg`Date`,
      msg`Type`,
      msg`Amount in US dollars`,
      msg`To/From`,
      msg`Transaction hash`,
    ].map((name) => i18n._(name)),
  }),
})

export const handle: PageHandle = {
  // The parameters of the filter (ledger/filter.ts), and the ends of a page of the history.
  // `rows=all` adds the technical rows to the history.
  cached: ['q', 'status', 'direction', 'type', 'pool', 'wallet', 'from', 'to', 'before', 'after', 'rows'],
}

export { loader }

export default function Transparency() {
  const { t } = useLingui()
  const language = useLanguage()
  const { overview, paged } = useLoaderData<typeof loader>()
  return (
    <>
      <TransparencyNavigation current={overview ? '/transparency' : '/transparency#history'} />
      <PageHeader
        title={t`Transparency Dashboard`}
        tagline={t`Every transaction. Every decision. Fully transparent.`}
      />
      {overview && <Overview />}
      <History />
      {overview && (
        <ComingNext
          coming={overview.coming}
          ended={overview.ended}
          now={overview.orderClock}
          className="column pt-section"
        />
      )}
      {overview && (
        <Section id="arrival" heading="arrival-title" title={t`Did it arrive?`} live="ledger">
          <ArrivalFigures totals={overview.arrival} />
        </Section>
      )}
      {overview?.flow && (
        <Section id="flow" heading="flow-title" title={t`Where the money went`} live="ledger">
          <MoneyFlow flow={overview.flow} />
        </Section>
      )}
      {overview?.totals && hasPayments(overview.totals) && (
        <div className="column">
          <Share title={totalsTitle(overview.totals, language)} url="/transparency" />
        </div>
      )}
      {overview && <FollowSection topic="month" />}
      {!paged && <LiveStatus />}
    </>
  )
}

function Overview() {
  const { t } = useLingui()
  const { formats } = useLanguage()
  const { overview, sum, now, hasToken, wallets } = useLoaderData<typeof loader>()
  if (!overview) return null
  const { totals, uncheckedUsd, holders, scan, reconciliations } = overview
  const isEmpty = !hasPayments(totals)
  return (
    <section id="figures" data-live="ledger" className="column" aria-label={t`Figures`}>
      <Verdict
        totals={totals}
        uncheckedUsd={uncheckedUsd}
        reconciliations={reconciliations}
        wallets={wallets}
      />
      {totals === null && <FiguresUnavailable />}
      <div className="mt-2">
        <Updated at={totals?.asOf} kinds="ledger" />
      </div>
      <Stats>
        <Stat
          icon="treasury"
          label={t`Treasury Balance`}
          value={totals && formats.roundDollars(totals.treasuryUsd)}
          note={t`still to be given, after costs`}
        />
        <Stat
          icon="donated"
          label={t`Total Donated`}
          value={totals && formats.roundDollars(totals.donatedUsd)}
          note={t`given to pools and to other causes`}
        />
        <Stat
          icon="holders"
          label={t`Token Holders`}
          value={holders ? formats.count(holders.holders) : hasToken ? null : '0'}
          missing={t`Not counted yet`}
          note={
            holders ? (
              <Trans>
                according to {ph({ host: holders.host })}, <When date={holders.countedAt} />
              </Trans>
            ) : hasToken ? undefined : (
              t`The token hasn't launched yet.`
            )
          }
        />
      </Stats>
      <ScanWarning scan={scan} now={now} />
      <UnreadTransactions scan={scan} />
      {!isEmpty && (
        <details>
          <summary className="link py-2">
            <Trans>How we count and check</Trans>
          </summary>
          {totals && <Provenance totals={totals} />}
          <HistoryHeading sum={sum} filter={{}} names={[]} />
          <WalletBalances reconciliations={reconciliations} wallets={wallets} />
          <ScanAge scan={scan} now={now} />
        </details>
      )}
    </section>
  )
}

function History() {
  const { t } = useLingui()
  const { overview, history, sum, filter, names, searched, filtered, ignored, paged, wallets } =
    useLoaderData<typeof loader>()
  const isShort = history?.isShort ?? false
  const rowsOf = (position: Record<string, string>) =>
    `/transparency${filterSearch(filter, { ...position, ...(!isShort && !filtered && { rows: 'all' }) })}#history`
  // Before the first payment, there is no history to search or to download.
  if (history?.rows.length === 0 && !filtered && !paged && !hasPayments(overview?.totals ?? null))
    return (
      <Section id="history" heading="history-title" title={t`Transaction History`} live="ledger">
        <Empty drawing="/drawings/empty-transactions.svg">
          <p>
            <Trans>No transactions yet</Trans>
          </p>
        </Empty>
      </Section>
    )
  return (
    <Section id="history" heading="history-title" title={t`Transaction History`}>
      <div className="folded-row">
        <FilterForm filter={filter} searched={searched} ignored={ignored} />
        <MonthLinks sum={sum} filter={filter} />
        {filtered && (
          <PageLink to="/transparency#history" className="link py-2">
            <Trans>Clear the filters</Trans>
          </PageLink>
        )}
      </div>
      <div id="history-rows" data-live={paged ? undefined : 'ledger'}>
        {!overview && <HistoryHeading sum={sum} filter={filter} names={names} />}
        <Uses sum={sum} filter={filter} />
        {history === null ? (
          <ListUnavailable />
        ) : history.rows.length > 0 ? (
          <>
            <p className="mt-2 text-sm text-muted">
              {!filtered && (
                <>
                  <RowsShown isShort={isShort} />
                  <Gap />
                </>
              )}
              <span className="min-[60rem]:hidden">
                <Trans>A tick means verified on chain: each payment's page says what was compared.</Trans>
              </span>
            </p>
            <OriginalWords />
            <HistoryMonths page={history} sum={sum} filter={filter} wallets={wallets} />
          </>
        ) : (
          <Empty drawing="/drawings/empty-transactions.svg">
            {paged ? (
              <NothingOlder newest={`/transparency${filterSearch(filter)}#history`} />
            ) : isShort ? (
              <p>
                <RowsShown isShort />
              </p>
            ) : (
              <p>
                <Trans>
                  No transactions match.{' '}
                  <PageLink to="/transparency#history" className="link">
                    Clear the filters
                  </PageLink>
                </Trans>
              </p>
            )}
          </Empty>
        )}
        {history && (
          <Pager
            label={t`Pages of the history`}
            newer={history.newer && rowsOf({ after: history.newer })}
            older={history.older && rowsOf({ before: history.older })}
          />
        )}
      </div>
      <Downloads filter={filter} feeds={ledgerFeeds(msg`The ledger`, filter)} />
    </Section>
  )
}

/** Which rows the list without a filter has, with the link to the other list. */
function RowsShown({ isShort }: { isShort: boolean }) {
  return isShort ? (
    <Trans>
      What was given and spent.{' '}
      <PageLink to="/transparency?rows=all#history" className="link">
        Show tax and moves between wallets too
      </PageLink>
      .
    </Trans>
  ) : (
    <Trans>
      All transactions.{' '}
      <PageLink to="/transparency#history" className="link">
        Show only what was given and spent
      </PageLink>
      .
    </Trans>
  )
}
