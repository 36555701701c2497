import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { data, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { acceptedTokens, minutesUntilListed } from '~/ledger/accepted'
import { withGoals } from '~/ledger/goal-names.server'
import { listTransactions, listTransfers, sumTransactions } from '~/ledger/transactions.server'
import { ListUnavailable } from '~/ledger/unavailable'
import { listWallets } from '~/ledger/wallets'
import { findPool } from '~/platform/impact-pools'
import { Gap, PageLink, useLanguage } from '~/platform/locales/react'
import { ScriptSentences } from '~/platform/locales/sentences'
import type { PageHandle } from '~/platform/rendering/handle'
import { pageMeta } from '~/platform/rendering/seo'
import { notFound } from '~/platform/server/outage.server'
import { brand } from '~/platform/site'
import { AfterTheGift } from './after-the-gift'
import { GiftReceipt } from './gift-receipt'
import { HashOfSafe, Late, NeverOpen, NotAGift, NotSeenYet, ReceiptToCome } from './not-seen'
import { headingOf, isGift, stateOf, stateWords } from './payment-state'
import progressUrl from './progress.ts?worker&url'
import { progressSentences } from './progress-sentences'
import { Stages } from './stages'

/** Seconds between two requests for the page, while a transfer of the transaction has no final result. */
const refreshSeconds = 20

export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta({
    title: stateWords[args.data?.state ?? 'unreadable'].title,
    description: msg`What our ledger has for this transaction hash.`,
    path: `/donate/${args.params.hash}`,
    noindex: true,
  })(args)

/** The page does not ask for a second gift: the Donate button in the bar is not gold. */
export const handle: PageHandle<{ reloads: boolean }> = {
  gives: true,
  refresh: ({ reloads }) => (reloads ? refreshSeconds : null),
}

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders

/** Shows only transfers in the ledger: nothing that a visitor sends is shown as received. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { config } = context
  const hash = params.hash?.toLowerCase() ?? ''
  if (!/^0x[0-9a-f]{64}$/.test(hash)) throw notFound()
  const paused = new URL(request.url).searchParams.get('reload') === 'no'
  const tooOften = await context.limit('search')
  const found = tooOften ? null : await listTransfers(context.data(), config.CHAIN_ID, hash)
  const wallets = listWallets(config)
  const transfers = found && (await withGoals(context.data(), found, config.FUNDME_OPEN))
  const settled = transfers?.length ? transfers.every(({ status }) => isFinal(status)) : false
  const neverOpen = wallets.length === 0 && config.FORMER_WALLETS.length === 0
  const state = stateOf(transfers, neverOpen)
  const reloads = !settled && !paused && state !== 'never open'
  /** A disputed gift has not arrived: the page offers nothing that follows from a gift. */
  const gift = state === 'in a block' || state === 'final' ? transfers?.find(isGift) : undefined
  const account = gift?.toAccount
  const pool = findPool(account)?.slug
  const from = gift?.occurredAt.toISOString().slice(0, 10)
  const [spending, since] =
    pool && from
      ? await Promise.all([
          listTransactions(context.data(), { pool, type: 'spending', status: 'verified' }, null),
          sumTransactions(context.data().optional(), { pool, from }),
        ])
      : [null, null]
  return data(
    {
      hash,
      transfers,
      state,
      settled,
      reloads,
      /** The pool that the gift went to. */
      pool,
      /** The goal that the gift went to. */
      goal: gift?.goal ?? null,
      /** The topic that a giver can follow if the gift went to no pool. */
      topic: gift?.goal ? gift.goal.slug : account === 'donation-wallet' ? 'cz-call' : account ? 'month' : '',
      newestSpending: spending?.rows[0] ?? null,
      /** The gift to the pool, and what the pool spent from its day on; null if the sum cannot be read. */
      gift: gift ? { occurredAt: gift.occurredAt, amountUsd: gift.amountUsd, tokens: gift.tokens } : null,
      spentSince: since?.sums?.paidUsd ?? null,
      wallets,
      chainId: config.CHAIN_ID,
      minutes: minutesUntilListed(config),
      /**
       * The blockchain's coin, if accepted. A contract that sends the coin leaves no event log, so the job
       * cannot find the transfer.
       */
      coin: acceptedTokens(config).find(({ address }) => address === null)?.symbol ?? null,
      confirmations: config.CHAIN_CONFIRMATIONS,
      siteUrl: config.SITE_URL,
      demo: config.DEMO,
    },
    {
      status: tooOften ? 429 : transfers ? 200 : 503,
    },
  )
}

function isFinal(status: string): boolean {
  return status !== 'pending' && status !== 'unreachable'
}

export default function DonationConfirmation() {
  const { t } = useLingui()
  const page = useLoaderData<typeof loader>()
  const { transfers, state, settled, reloads, goal } = page
  const language = useLanguage()
  if (state === 'never open') return <NeverOpen />
  const [first, rest] = headingOf(state, transfers ?? [], language)
  const { announcement } = stateWords[state]
  return (
    <article className="column pt-section print:pt-4">
      <div
        data-payment={announcement ? language.i18n._(announcement) : ''}
        className="grid gap-x-16 gap-y-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]"
      >
        <div>
          <h1 data-heading="">
            <span className={rest ? 'block text-hero' : 'block text-title'}>{first}</span>
            <Gap />
            <span className="mt-2 block text-heading">{rest}</span>
          </h1>
          {state === 'unreadable' && <ListUnavailable what={t`We can't load this transaction right now.`} />}
          {state === 'unseen' && <NotSeenYet minutes={page.minutes} />}
          {(state === 'paid by us' || state === 'other') && <NotAGift transfers={transfers ?? []} />}
          <Stages state={state} transfers={transfers ?? []} minutes={page.minutes} pool={page.pool} />
          {state === 'unseen' && <HashOfSafe />}
          {state === 'unseen' && <Late coin={page.coin} />}
        </div>
        <div>
          {state === 'unseen' && <ReceiptToCome hash={page.hash} siteUrl={page.siteUrl} />}
          {transfers?.map((transfer) => (
            <GiftReceipt key={transfer.id} transfer={transfer} {...page} />
          ))}
        </div>
        <AfterTheGift {...page} />
      </div>
      {/* The script must not replace this element. */}
      <p
        role="status"
        className="no-print mt-6 empty:mt-0"
        data-status=""
        data-polls={reloads ? refreshSeconds : undefined}
      />
      {!settled && <Reloading />}
      {transfers !== null && transfers.length > 0 && <SmallPrint />}
      {state === 'final' && (
        <p className="no-print mt-6">
          <PageLink to={goal ? `/donate?to=${goal.slug}` : '/donate'} className="link inline-block py-1">
            <Trans>Give again</Trans>
          </PageLink>
        </p>
      )}
      <ScriptSentences of={progressSentences} />
      <script type="module" src={progressUrl} />
    </article>
  )
}

function Reloading() {
  const { hash: value, reloads, chainId, confirmations, demo } = useLoaderData<typeof loader>()
  const hash = <span className="hash wrap-anywhere">{value}</span>
  return (
    <div className="no-print mt-6 text-muted" data-updating="">
      {/* The transactions of the demonstration are not on any blockchain. */}
      {!demo && (
        <p
          hidden
          className="mb-3 text-ink"
          data-transaction={value}
          data-chain={chainId}
          data-confirmations={confirmations}
        />
      )}
      <p>
        {reloads ? (
          <Trans>This page updates by itself until the result is final.</Trans>
        ) : (
          <Trans>This page doesn't update by itself.</Trans>
        )}
        <Gap />
        <PageLink
          to={reloads ? `/donate/${value}?reload=no` : `/donate/${value}`}
          className="link inline-block py-0.5"
        >
          {reloads ? <Trans>Stop updating this page</Trans> : <Trans>Update until it is final</Trans>}
        </PageLink>
      </p>
      <p className="mt-3 wrap-anywhere lg:max-w-[calc(50%-2rem)]">
        <Trans>Transaction {hash}</Trans>
      </p>
    </div>
  )
}

function SmallPrint() {
  const { hash, siteUrl } = useLoaderData<typeof loader>()
  return (
    <p className="mt-8 max-w-[65ch] text-muted">
      <Trans>
        This page shows what the public ledger of {brand} has, at {siteUrl}/donate/{hash}. Anyone who knows
        the transaction hash can open it, so it doesn't prove who paid. It is not a tax receipt: {brand}{' '}
        issues none, and we don't know who you are.
      </Trans>
    </p>
  )
}
