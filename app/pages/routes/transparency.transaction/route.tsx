import { msg, ph } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { type LoaderFunctionArgs, type MetaFunction, data as respond } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { withGoals } from '~/ledger/goal-names.server'
import { findAnchor, readProof } from '~/ledger/proof.server'
import { latestRevision, recordTitle } from '~/ledger/record'
import { readRecord } from '~/ledger/record.server'
import { RecordFacts } from '~/ledger/record-facts'
import { SourceMark, StatementText } from '~/ledger/statement-text'
import { statusWords } from '~/ledger/statuses'
import { typeLabel } from '~/ledger/transactions'
import { ListUnavailable } from '~/ledger/unavailable'
import { VerificationNote } from '~/ledger/verification-status'
import { listWallets } from '~/ledger/wallets'
import { listWitnesses } from '~/ledger/witnesses'
import { OrderList } from '~/payments/order-list'
import { findOrderOf, readOrderClock } from '~/payments/orders.server'
import { findPool } from '~/platform/impact-pools'
import { LiveStatus } from '~/platform/live/live-status'
import { key } from '~/platform/locales/key'
import { PageLink, useLanguage } from '~/platform/locales/react'
import type { PageHandle } from '~/platform/rendering/handle'
import { languageOf, pageMeta } from '~/platform/rendering/seo'
import { notFound } from '~/platform/server/outage.server'
import { Arrow } from '~/platform/ui/arrow'
import { Part } from '~/platform/ui/section'
import { Share } from '~/platform/ui/share'
import { newestOf, Updated } from '~/platform/ui/updated'
import { When } from '~/platform/ui/when'
import checkChainUrl from './check-chain.ts?worker&url'
import checkRowUrl from './check-row.ts?worker&url'
import checkRowButtonUrl from './check-row-button.ts?worker&url'
import { Corrections, LogProof, RecordChecks } from './record-proof'

export const handle: PageHandle = { cached: [], requestsChain: true }

export const meta: MetaFunction<typeof loader> = (args) => {
  const record = args.data?.record
  if (!record)
    return pageMeta({
      title: msg`Transaction`,
      description: msg`A transaction of the ledger that cannot be read now.`,
      path: '/transparency',
      noindex: true,
    })(args)
  const { status } = record
  const language = languageOf(args.matches)
  const { i18n, formats } = language
  const title = recordTitle(record, language)
  const type = i18n._(key(typeLabel(record.type)))
  const time = formats.instant(record.occurredAt)
  const state = status ? i18n._(key(statusWords[status])) : i18n._(msg`Corrected`)
  const id = formats.count(record.id)
  const pool = findPool(record.poolSlug)
  return pageMeta({
    title,
    description: msg`${type}, ${time}. ${state}. Row ${id} of a ledger that anyone can check.`,
    path: `/transparency/${latestRevision(record)}`,
    ...(pool && {
      image: pool.shareImage,
      imageAlt: msg`${{ title: i18n._(key(pool.title)) }}: an impact pool`,
    }),
    jsonLd: (siteUrl, { href }) => ({
      '@type': 'MoneyTransfer',
      name: title,
      identifier: record.txHash,
      url: siteUrl + href(`/transparency/${latestRevision(record)}`),
      endTime: record.occurredAt.toISOString(),
      ...(record.amountUsd !== null && {
        amount: { '@type': 'MonetaryAmount', currency: 'USD', value: record.amountUsd / 100 },
      }),
    }),
  })(args)
}

export async function loader({ params, context }: LoaderFunctionArgs) {
  const { config } = context
  const data = context.publicData()
  const record = /^[1-9]\d{0,14}$/.test(params.id ?? '') ? await readRecord(data, Number(params.id)) : null
  if (!record) throw notFound()
  if (record === 'unavailable') return respond({ record: null }, 503)
  const [proof, anchor, named, order] = await Promise.all([
    readProof(data, record.logIndex, config),
    findAnchor(data, record.logIndex),
    withGoals(data, [record], config.FUNDME_OPEN),
    findOrderOf(data, record),
  ])
  return respond({
    record: named[0] ?? record,
    proof,
    anchor,
    order,
    orderClock: readOrderClock(config),
    wallets: listWallets(config),
    witnesses: listWitnesses(config),
    endpoints: config.CHECK_RPC_URLS,
    siteUrl: config.SITE_URL,
  })
}

export default function TransactionPage() {
  const { t } = useLingui()
  const language = useLanguage()
  const { formats } = language
  const loaded = useLoaderData<typeof loader>()
  if (!loaded.record)
    return (
      <div className="column pt-section">
        <h1 className="text-title">
          <Trans>Transaction</Trans>
        </h1>
        <ListUnavailable what={t`We can't load this transaction right now.`} />
      </div>
    )
  const { record, proof, anchor, order, orderClock, wallets, witnesses, endpoints, siteUrl } = loaded
  const { status, revisions, statements } = record
  return (
    <>
      <div className="column pt-section pb-4">
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <PageLink to="/transparency#history" className="link inline-block py-1">
            <Trans>Transparency</Trans>
          </PageLink>
          <Arrow className="text-muted" />
          <span className="text-muted">
            <Trans>Ledger row {ph({ id: formats.count(record.id) })}</Trans>
          </span>
        </p>
        <h1 className="mt-3 text-title">{recordTitle(record, language)}</h1>
        <div id="status" data-live="ledger" className="mt-5">
          {status ? (
            <VerificationNote verification={{ ...record, status }} />
          ) : (
            <p className="notice mt-0">
              <Trans>
                <strong>This row was corrected.</strong> We keep it as it was, but it no longer counts.{' '}
                <PageLink to={`/transparency/${latestRevision(record)}`} className="link">
                  See the correct row
                </PageLink>
                .
              </Trans>
            </p>
          )}
        </div>
        <Share title={recordTitle(record, language)} url={`/transparency/${record.id}`} />
      </div>
      <Part title={t`What happened`}>
        <RecordFacts record={record} wallets={wallets} />
      </Part>
      {order && (
        <Part title={t`The order behind it`}>
          <OrderList orders={[order]} now={orderClock} />
        </Part>
      )}
      {statements.length > 0 && (
        <Part title={statements.length === 1 ? t`The statement behind it` : t`The statements behind it`}>
          {statements.map((said) => (
            <article key={said.id}>
              <blockquote className="quote">
                <p>
                  <StatementText said={said} reason={said.tweetReason} />
                </p>
              </blockquote>
              <SourceMark said={said} />
              <p className="mt-3 flex flex-wrap gap-x-4 text-muted">
                <span>
                  {said.verified ? (
                    <Trans>
                      {ph({ author: said.author })}, <When date={said.postedAt} />, source confirmed
                    </Trans>
                  ) : (
                    <Trans>
                      {ph({ author: said.author })}, <When date={said.postedAt} />, source not confirmed
                    </Trans>
                  )}
                </span>
                <PageLink to={`/cz-call?before=${said.cursor}#feed`} className="link">
                  <Trans>See it in the feed</Trans>
                </PageLink>
              </p>
            </article>
          ))}
        </Part>
      )}
      {revisions.length > 1 && (
        <Part title={t`Corrections`}>
          <Corrections revisions={revisions} id={record.id} />
        </Part>
      )}
      <Part
        title={t`Blockchain checks`}
        age={<Updated at={newestOf(...record.checks.map(({ checkedAt }) => checkedAt))} kinds="ledger" />}
      >
        <div id="checks" data-live="ledger">
          <RecordChecks record={record} />
        </div>
      </Part>
      <Part title={t`Tamper check`}>
        <LogProof
          record={record}
          proof={proof}
          anchor={anchor}
          witnesses={witnesses}
          endpoints={endpoints}
          siteUrl={siteUrl}
          checkers={{ row: checkRowUrl, chain: checkChainUrl }}
        />
        <p className="mt-5">
          <PageLink to="/transparency/verify" className="link py-1">
            <Trans>What this proves, and how to check the whole ledger</Trans>
          </PageLink>
        </p>
        <script type="module" src={checkRowButtonUrl} />
      </Part>
      <LiveStatus />
    </>
  )
}
