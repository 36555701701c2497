import { data, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { acceptedTokens, minutesUntilListed } from '~/donate/accepted'
import { Follow, FollowSection, useFollows } from '~/follow/follow'
import { findPool } from '~/impact-pools'
import { ledgerFeeds } from '~/ledger/download-links'
import { WholeHash } from '~/ledger/hash'
import { chainName } from '~/ledger/record'
import { Fact } from '~/ledger/record-facts'
import { formatTokens, typeLabel } from '~/ledger/transactions'
import { listTransactions, listTransfers, type Transaction } from '~/ledger/transactions.server'
import { ListUnavailable } from '~/ledger/unavailable'
import { VerificationNote } from '~/ledger/verification-status'
import { listWallets, walletName } from '~/ledger/wallets'
import { formatDollars } from '~/money'
import { pageMeta } from '~/rendering/seo'
import { brand } from '~/site'
import { Icon } from '~/ui/icon'
import { Share } from '~/ui/share'
import { When } from '~/ui/when'
import progressUrl from './progress.ts?worker&url'
import { stageOf, stageSentences, thanksFor } from './thanks'

/** Seconds between two requests for the page, until every transfer of the transaction has a final result. */
const refreshSeconds = 20

export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta({
    title: 'Payment confirmation',
    description: 'What arrived, its status and how we checked it on the blockchain.',
    path: `/donate/${args.params.hash}`,
    noindex: true,
  })(args)

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders

/** Every transfer on this page is from the ledger: nothing that a visitor sends is shown as received. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { config } = context
  const hash = params.hash?.toLowerCase() ?? ''
  if (!/^0x[0-9a-f]{64}$/.test(hash)) throw new Response(null, { status: 404, statusText: 'Not Found' })
  const paused = new URL(request.url).searchParams.get('reload') === 'no'
  const tooOften = await context.limit('search')
  const transfers = tooOften ? null : await listTransfers(context.data(), config.CHAIN_ID, hash)
  const settled = transfers?.length ? transfers.every(({ status }) => isFinal(status)) : false
  const reloads = !settled && !paused
  const account = transfers?.find(({ type }) => type === 'gift')?.toAccount
  const pool = findPool(account)?.slug
  const spending = pool
    ? await listTransactions(context.data(), { pool, type: 'spending', status: 'verified' }, null)
    : null
  return data(
    {
      hash,
      transfers,
      settled,
      reloads,
      /** Reloads the page where no script runs (root.tsx). */
      refresh: reloads ? refreshSeconds : null,
      /** The pool of the gift, and its newest payment, if it has paid anything. */
      pool,
      /** What tells a giver to another wallet what happened with the money. */
      topic: account === 'donation-wallet' ? 'cz-call' : account ? 'month' : '',
      newestSpending: spending?.rows[0] ?? null,
      wallets: listWallets(config),
      chainId: config.CHAIN_ID,
      minutes: minutesUntilListed(config),
      /** The chain's own coin, if accepted. If a contract sends it, no event log exists and the job finds nothing. */
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
  const { transfers, settled, reloads } = useLoaderData<typeof loader>()
  const [thanks, rest] = headingOf(transfers)
  return (
    <article className="column pt-section print:pt-4">
      <div
        data-payment={transfers?.length ? stageSentences[stageOf(transfers)] : ''}
        className="grid gap-x-16 gap-y-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]"
      >
        <div>
          <h1 data-thanks={transfers?.length === 0 ? '' : undefined}>
            <span className={rest ? 'block text-hero' : 'block text-title'}>{thanks}</span>{' '}
            <span className="block text-heading">{rest}</span>
          </h1>
          {transfers && <Stages transfers={transfers} />}
          {transfers === null && <ListUnavailable what="We can't load this transaction right now." />}
          {transfers?.length === 0 && <NotSeenYet />}
        </div>
        <div>
          {transfers?.length === 0 && <ReceiptToCome />}
          {transfers?.map((transfer) => (
            <Transfer key={transfer.id} transfer={transfer} />
          ))}
        </div>
        <AfterTheGift />
      </div>
      {/* Outside of the part that the script replaces. */}
      <p
        role="status"
        className="no-print mt-6 empty:mt-0"
        data-status=""
        data-polls={reloads ? refreshSeconds : undefined}
      />
      {!settled && <Reloading />}
      {transfers !== null && transfers.length > 0 && <SmallPrint />}
      <p className="no-print mt-6">
        <a href="/donate" className="link inline-block py-1">
          Give again
        </a>
      </p>
      <script type="module" src={progressUrl} />
    </article>
  )
}

/** The heading in two sizes: 'Thank you.' and the rest. Another heading has one size. */
function headingOf(transfers: Transaction[] | null): [string, string] {
  const heading = transfers ? thanksFor(transfers) : 'Payment confirmation'
  const [, thanks, rest] = /^(Thank you\.) (.*)$/.exec(heading) ?? []
  return thanks && rest ? [thanks, rest] : [heading, '']
}

function ReceiptToCome() {
  return (
    <section className="rounded-block border-2 border-dashed border-edge p-[min(1.5rem,6vw)]">
      <h2 className="text-xl">Your receipt comes here</h2>
      <p className="mt-2 text-muted">
        As soon as the ledger lists your gift. You may close this page: its address, or the transaction hash,
        brings you back. You need no account.
      </p>
    </section>
  )
}

function NotSeenYet() {
  const { minutes, coin } = useLoaderData<typeof loader>()
  return (
    <p className="mt-6 max-w-[65ch] border-t border-hairline pt-4" data-late="">
      We haven't seen this transaction yet. A gift appears here about {minutes} minutes after it reaches the
      blockchain.{' '}
      {coin && `${coin} that an exchange sends through a contract arrives at our wallet, but isn't listed. `}
      If it doesn't appear, check that you sent it to one of our wallets, on the right network and in an
      accepted token.
    </p>
  )
}

/** Sent, in a block, final and listed: the stages with their times, as far as the ledger has them. */
function Stages({ transfers }: { transfers: Transaction[] }) {
  const { minutes } = useLoaderData<typeof loader>()
  const stage = stageOf(transfers)
  if (stage === 'disputed') return null
  const [first] = transfers
  const stages = [
    {
      name: 'Sent',
      done: true,
      text: <span data-sent="">Your wallet or exchange shows its transaction hash.</span>,
    },
    {
      name: 'In a block',
      done: stage !== 'sent',
      text: first ? <When date={first.occurredAt} local /> : 'Usually within seconds.',
    },
    {
      name: 'Final and listed',
      done: stage === 'final',
      text:
        stage === 'final' && first ? (
          <>
            {first.checkedAt && (
              <>
                <When date={first.checkedAt} local />
                <br />
              </>
            )}
            It can't be undone. It is payment {first.id} of the ledger.
          </>
        ) : (
          `About ${minutes} minutes after it reaches the blockchain, so that no one can undo it.`
        ),
    },
  ]
  return (
    <ol className="no-print mt-8" aria-label="Progress of the payment">
      {stages.map(({ name, done, text }, at) => (
        <li
          key={name}
          className="relative flex gap-4 pb-6 not-last:before:absolute not-last:before:top-11 not-last:before:bottom-1 not-last:before:left-5.5 not-last:before:w-0.5 not-last:before:bg-edge"
        >
          <span
            className={`grid size-11 shrink-0 place-items-center rounded-xl border-[1.5px] ${done ? 'border-ink bg-ink text-paper' : 'border-edge text-muted'}`}
          >
            {done ? <Icon name="check" /> : at + 1}
          </span>
          <div className="min-w-0">
            <p className={done ? 'font-semibold' : 'font-semibold text-muted'}>
              {name}
              <span className="sr-only">{done ? ': done' : ': not yet'}</span>
            </p>
            <p className="text-muted">{text}</p>
          </div>
        </li>
      ))}
    </ol>
  )
}

/** What the pool of the gift paid for last, and how to hear about its next payment; of another gift, the latter. */
function AfterTheGift() {
  const { pool: slug, topic, newestSpending } = useLoaderData<typeof loader>()
  const follows = useFollows()
  const pool = findPool(slug)
  if (!pool) return <FollowSection topic={topic} className="border-t border-hairline pt-8 lg:col-span-2" />
  return (
    <section
      className="no-print grid items-center gap-x-10 gap-y-5 border-t border-hairline pt-8 sm:grid-cols-[1fr_1.2fr] lg:col-span-2"
      aria-labelledby="after"
    >
      <img
        src={pool.image}
        alt=""
        width="480"
        height="270"
        loading="lazy"
        className="pool-image rounded-block"
      />
      <div>
        <h2 id="after" className="text-heading">
          {newestSpending ? `What ${pool.category} bought last` : `What ${pool.category} buys next`}
        </h2>
        {newestSpending && (
          <p className="mt-3 max-w-[65ch]">
            {newestSpending.note && <strong className="block">{newestSpending.note}</strong>}
            {newestSpending.amountUsd === null
              ? newestSpending.tokens && formatTokens(newestSpending.tokens)
              : formatDollars(newestSpending.amountUsd)}{' '}
            on <When date={newestSpending.occurredAt} day />.{' '}
            <a href={`/transparency/${newestSpending.id}`} className="link inline-block py-0.5">
              See this payment
            </a>
          </p>
        )}
        <p className="mt-3 text-muted">
          {follows
            ? 'Follow this pool, and you see what it buys.'
            : 'Follow this pool in a feed reader, and you see what it buys.'}
        </p>
        <Follow topic={pool.slug} />
        <p className="mt-4 flex flex-wrap gap-3">
          <a href={ledgerFeeds(pool.title, { pool: pool.slug }).atom} className="button">
            {follows ? 'Follow in a feed reader' : <>Follow {pool.category}</>}
          </a>
          <a href={`/voting/${pool.slug}`} className="button">
            Open the pool
          </a>
        </p>
        <Share title={`I gave to ${pool.title} on ${brand}`} url={`/voting/${pool.slug}`} />
      </div>
    </section>
  )
}

function Transfer({ transfer }: { transfer: Transaction }) {
  const { wallets, hash, chainId } = useLoaderData<typeof loader>()
  const { id, amountUsd, tokens, occurredAt, fromAddress, toAddress, type } = transfer
  const name = walletName(wallets, toAddress)
  return (
    <section className="sheet mb-6 break-inside-avoid" aria-label={`Payment ${id}`}>
      <p className="mb-1 font-semibold">{type === 'gift' ? 'Receipt' : 'A payment of the ledger'}</p>
      <h2 className="text-heading">
        {amountUsd === null
          ? tokens
            ? formatTokens(tokens)
            : 'An amount without a dollar value'
          : formatDollars(amountUsd)}
        {name && ` to ${name}`}
      </h2>
      <dl className="facts">
        <Fact name="Status">
          <VerificationNote verification={transfer} />
        </Fact>
        {tokens && <Fact name="Amount in tokens">{formatTokens(tokens, Number.POSITIVE_INFINITY)}</Fact>}
        <Fact name="Value in US dollars">
          {amountUsd === null ? 'No dollar value yet' : formatDollars(amountUsd)}
        </Fact>
        <Fact name="When">
          <When date={occurredAt} local />
        </Fact>
        <Fact name="Type">{typeLabel(type)}</Fact>
        <Fact name="From">
          <WholeHash value={fromAddress} kind="address" what="the sender's address" />
        </Fact>
        <Fact name="To">
          {name && <span className="block font-semibold">{name}</span>}
          <WholeHash value={toAddress} kind="address" what="the recipient's address" />
        </Fact>
        <Fact name="Transaction">
          <WholeHash value={hash} kind="tx" what="the transaction hash" />
          <span className="block text-muted">
            {chainName(chainId)} (chain {chainId})
          </span>
        </Fact>
        <Fact name="Checks and proof">
          <a href={`/transparency/${id}`} className="link inline-block py-0.5">
            Payment {id}: how we checked it<span className="sr-only">, transaction {id}</span>
          </a>
        </Fact>
      </dl>
      <button type="button" className="button mt-5" hidden data-print="">
        Print
      </button>
    </section>
  )
}

function Reloading() {
  const { hash, reloads, chainId, confirmations, demo } = useLoaderData<typeof loader>()
  return (
    <div className="no-print mt-6 text-muted" data-updating="">
      {/* The transactions of the demonstration are on no blockchain. */}
      {!demo && (
        <p
          hidden
          className="mb-3 text-ink"
          data-transaction={hash}
          data-chain={chainId}
          data-confirmations={confirmations}
        />
      )}
      <p>
        {reloads
          ? 'This page updates by itself until the result is final.'
          : "This page doesn't update by itself."}{' '}
        <a
          href={reloads ? `/donate/${hash}?reload=no` : `/donate/${hash}`}
          className="link inline-block py-0.5"
        >
          {reloads ? 'Stop updating' : 'Update until it is final'}
        </a>
      </p>
      <p className="hash mt-3 wrap-anywhere">Transaction {hash}</p>
    </div>
  )
}

function SmallPrint() {
  const { hash, siteUrl } = useLoaderData<typeof loader>()
  return (
    <p className="mt-8 max-w-[65ch] text-muted">
      This confirmation comes from the public ledger of {brand}, at {siteUrl}/donate/{hash}. It is not a tax
      receipt: {brand} issues none, and we don't know who you are.
    </p>
  )
}
