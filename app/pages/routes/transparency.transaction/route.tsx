import { msg, ph } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { type LoaderFunctionArgs, type MetaFunction, data as respond } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { listAnswers, readArrivals, readExchange } from '~/arrival/answers.server'
import { ArrivalPart } from '~/arrival/arrival-part'
import { withGoals } from '~/ledger/goal-names.server'
import { findAnchor, readProof } from '~/ledger/proof.server'
import { isPurchase, latestRevision, storyTitle } from '~/ledger/record'
import { readRecord } from '~/ledger/record.server'
import { RecordFacts } from '~/ledger/record-facts'
import { SourceMark, StatementText } from '~/ledger/statement-text'
import { statusWords } from '~/ledger/statuses'
import { typeLabel } from '~/ledger/transactions'
import { ListUnavailable } from '~/ledger/unavailable'
import { listUpdates } from '~/ledger/updates.server'
import { VerificationNote } from '~/ledger/verification-status'
import { listWallets } from '~/ledger/wallets'
import { listWitnesses } from '~/ledger/witnesses'
import { OrderList } from '~/payments/order-list'
import { valueOrders } from '~/payments/order-values.server'
import { findOrderOf, listComing, readOrderClock } from '~/payments/orders.server'
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
import { Corrections, LogProof, Neighbours, RecordChecks } from './record-proof'
import { Checked, Story, StoryHeading } from './story'

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
  const title = storyTitle(record, language)
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
  const pool = findPool(record.poolSlug)
  const goalOf = withGoals(data, [record], config.FUNDME_OPEN).then(([named]) => named?.goal)
  const isBought = isPurchase(record)
  const [proof, anchor, goal, order, updates, coming, answers, arrivals, exchange] = await Promise.all([
    readProof(data, record.logIndex, config),
    findAnchor(data, record.logIndex),
    goalOf,
    findOrderOf(data, record),
    goalOf.then((goal) => {
      const slug = goal?.slug ?? pool?.slug
      return isBought && slug ? listUpdates(data.optional(), slug) : null
    }),
    isBought && pool ? listComing(data.optional(), 10, pool.slug) : null,
    isBought ? listAnswers(data, record) : [],
    isBought ? readArrivals(data, [record.id]) : null,
    isBought ? readExchange(data, record.toAddress) : undefined,
  ])
  return respond({
    record: { ...record, ...(goal && { goal }) },
    proof,
    anchor,
    order,
    // The next update after the payment. No data says that it is about what was bought.
    update: updates?.findLast(({ publishedAt }) => publishedAt >= record.occurredAt) ?? null,
    next: (await valueOrders(data, config, coming))?.find(({ state }) => state === 'announced') ?? null,
    arrival: isBought
      ? {
          answers: exchange === null ? null : arrivals && answers,
          state: arrivals?.[record.id],
          exchange: exchange ?? undefined,
        }
      : null,
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
  const { record, proof, anchor, order, update, next, arrival, orderClock, wallets } = loaded
  const { witnesses, endpoints, siteUrl } = loaded
  const { status, revisions, statements } = record
  const title = storyTitle(record, language)
  const isOpen = status === 'mismatch' || status === 'reorganised'
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
        <h1 className="mt-3 text-title wrap-anywhere">
          <StoryHeading record={record} />
        </h1>
        {!status && (
          <p className="notice mt-5">
            <Trans>
              <strong>This row was corrected.</strong> We keep it as it was, but it no longer counts.{' '}
              <PageLink to={`/transparency/${latestRevision(record)}`} className="link">
                See the correct row
              </PageLink>
              .
            </Trans>
          </p>
        )}
        <Story record={record} order={order} update={update} next={next} wallets={wallets} />
        <Share title={title} url={`/transparency/${record.id}`} />
      </div>
      {arrival && <ArrivalPart id={latestRevision(record)} {...arrival} />}
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
      <details id="checkers" className="column mt-10" open={isOpen}>
        <summary className="border-y border-hairline py-3">
          <span id="status" data-live="ledger" className="inline-grid max-w-[90%] align-top">
            {status === 'verified' ? (
              <Checked record={record} />
            ) : (
              status && <VerificationNote verification={{ ...record, status }} />
            )}
            <span className="text-sm text-muted">
              <Trans>Names, purpose and dollars are our word.</Trans>
            </span>
            <span className="text-sm text-muted">
              <Trans>The addresses, the checks and the proof</Trans>
            </span>
          </span>
        </summary>
        <Part title={t`The payment in full`} className="pt-6">
          <RecordFacts record={record} wallets={wallets} />
        </Part>
        <Part
          title={t`Blockchain checks`}
          age={<Updated at={newestOf(...record.checks.map(({ checkedAt }) => checkedAt))} kinds="ledger" />}
          className="pt-12"
        >
          <div id="checks" data-live="ledger">
            <RecordChecks record={record} />
          </div>
        </Part>
        {order && (
          <Part title={t`The order behind it`} className="pt-12">
            <OrderList orders={[order]} now={orderClock} />
          </Part>
        )}
        {revisions.length > 1 && (
          <Part title={t`Corrections`} className="pt-12">
            <Corrections revisions={revisions} id={record.id} />
          </Part>
        )}
        <Part id="proof" title={t`Has anyone changed this?`} className="pt-12">
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
      </details>
      <div className="column">
        <Neighbours record={record} />
      </div>
      <LiveStatus />
    </>
  )
}
