import { data, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { acceptedTokens, minutesUntilListed } from '~/donate/accepted'
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
import { pageMeta } from '~/seo'
import { brand } from '~/site'
import { Icon } from '~/ui/icon'
import { Share } from '~/ui/share'
import { When } from '~/ui/when'
import progressUrl from './progress.ts?worker&url'
import { stageOf, thanksFor } from './thanks'

/** Seconds between two reloads of the page, until every transfer of the transaction has a final result. */
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
  const pool = findPool(transfers?.find(({ type }) => type === 'gift')?.toAccount)?.slug
  const spending = pool
    ? await listTransactions(context.data(), { pool, type: 'spending', status: 'verified' }, null)
    : null
  return data(
    {
      hash,
      transfers,
      settled,
      reloads,
      /** The pool of the gift, and its newest payment, if it has paid anything. */
      pool,
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
      headers: reloads ? { Refresh: `${refreshSeconds}` } : {},
    },
  )
}

function isFinal(status: string): boolean {
  return status !== 'pending' && status !== 'unreachable'
}

export default function DonationConfirmation() {
  const { hash, transfers, settled, chainId } = useLoaderData<typeof loader>()
  const heading = transfers ? thanksFor(transfers) : 'Payment confirmation'
  return (
    <article className="column pt-section">
      <p>
        <a href="/donate" className="link inline-block py-1">
          Donate
        </a>
      </p>
      <h1 className="mt-3 text-title" data-thanks="">
        {heading}
      </h1>
      {transfers && <Stages transfers={transfers} />}
      <dl className="facts">
        <Fact name="Transaction">
          <WholeHash value={hash} kind="tx" what="the transaction hash" />
          <span className="block text-muted">
            {chainName(chainId)} (chain {chainId})
          </span>
        </Fact>
      </dl>
      {transfers === null ? (
        <ListUnavailable what="We can't load this transaction right now." />
      ) : transfers.length === 0 ? (
        <NotSeenYet />
      ) : (
        transfers.map((transfer) => <Transfer key={transfer.id} transfer={transfer} />)
      )}
      <AfterTheGift />
      {!settled && <Reloading />}
      {transfers !== null && transfers.length > 0 && <SmallPrint />}
    </article>
  )
}

function NotSeenYet() {
  const { minutes, coin } = useLoaderData<typeof loader>()
  return (
    <p className="mt-6 max-w-[65ch]" data-late="">
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
    { name: 'Sent', done: true, text: 'Your wallet shows its transaction hash.' },
    {
      name: 'In a block',
      done: stage !== 'sent',
      text: first ? <When date={first.occurredAt} local /> : 'Usually within seconds.',
    },
    {
      name: 'Final and listed',
      done: stage === 'final',
      text:
        stage === 'final' && first?.checkedAt ? (
          <>
            Checked <When date={first.checkedAt} local />
          </>
        ) : (
          `About ${minutes} minutes after it reaches the blockchain.`
        ),
    },
  ]
  return (
    <ol className="mt-6 grid gap-4 sm:grid-cols-3" aria-label="Progress of the payment">
      {stages.map(({ name, done, text }) => (
        <li key={name} className="border-t-2 border-ink pt-2">
          <p className="flex items-center gap-2 font-semibold">
            <Icon name={done ? 'check' : 'waiting'} size={18} />
            {name}
            <span className="sr-only">{done ? ': done' : ': not yet'}</span>
          </p>
          <p className="text-muted">{text}</p>
        </li>
      ))}
    </ol>
  )
}

/** What the pool of the gift paid for last, and how to hear about its next payment. */
function AfterTheGift() {
  const { pool: slug, newestSpending } = useLoaderData<typeof loader>()
  const pool = findPool(slug)
  if (!pool) return null
  return (
    <section className="no-print mt-8" aria-label={`What ${pool.category} does next`}>
      {newestSpending && (
        <p className="max-w-[65ch]">
          {pool.category} last paid{' '}
          {newestSpending.amountUsd === null
            ? newestSpending.tokens && formatTokens(newestSpending.tokens)
            : formatDollars(newestSpending.amountUsd)}{' '}
          on <When date={newestSpending.occurredAt} day />
          {newestSpending.note && `: ${newestSpending.note}`}.{' '}
          <a href={`/transparency/${newestSpending.id}`} className="link inline-block py-0.5">
            See this payment
          </a>
        </p>
      )}
      <p className="mt-4">
        <a href={ledgerFeeds(pool.title, { pool: pool.slug }).atom} className="button">
          Follow {pool.category}
        </a>
      </p>
      <Share title={`I gave to ${pool.title} on ${brand}`} url={`/voting/${pool.slug}`} />
    </section>
  )
}

function Transfer({ transfer }: { transfer: Transaction }) {
  const { wallets } = useLoaderData<typeof loader>()
  const { id, amountUsd, tokens, occurredAt, fromAddress, toAddress, type } = transfer
  const name = walletName(wallets, toAddress)
  return (
    <section className="mt-8" aria-label={`Payment ${id}`}>
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
        <Fact name="Checks and proof">
          <a href={`/transparency/${id}`} className="link inline-block py-0.5">
            How we checked it<span className="sr-only">, transaction {id}</span>
          </a>
        </Fact>
      </dl>
    </section>
  )
}

function Reloading() {
  const { hash, reloads, chainId, confirmations, demo } = useLoaderData<typeof loader>()
  return (
    <div className="notice no-print">
      {/* The transactions of the demonstration are on no blockchain. */}
      {!demo && (
        <>
          <p
            hidden
            role="status"
            data-transaction={hash}
            data-chain={chainId}
            data-confirmations={confirmations}
          />
          <script type="module" src={progressUrl} />
        </>
      )}
      <p>
        {reloads
          ? `This page reloads every ${refreshSeconds} seconds until the result is final.`
          : "This page doesn't reload by itself."}{' '}
        <a
          href={reloads ? `/donate/${hash}?reload=no` : `/donate/${hash}`}
          className="link inline-block py-0.5"
        >
          {reloads ? 'Stop reloading' : 'Reload until it is final'}
        </a>
      </p>
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
