import { data, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { acceptedTokens, minutesUntilListed } from '~/donate/accepted'
import { WholeHash } from '~/ledger/hash'
import { chainName } from '~/ledger/record'
import { Fact } from '~/ledger/record-facts'
import { formatTokens, typeLabel } from '~/ledger/transactions'
import { listTransfers, type Transaction } from '~/ledger/transactions.server'
import { ListUnavailable } from '~/ledger/unavailable'
import { VerificationNote } from '~/ledger/verification-status'
import { listWallets, walletName } from '~/ledger/wallets'
import { formatDollars } from '~/money'
import { pageMeta } from '~/seo'
import { brand } from '~/site'
import { When } from '~/ui/when'
import progressUrl from './progress.ts?worker&url'

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
  return data(
    {
      hash,
      transfers,
      settled,
      reloads,
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
  return (
    <article className="column pt-section">
      <p>
        <a href="/donate" className="link inline-block py-1">
          Donate
        </a>
      </p>
      <h1 className="mt-3 text-title">{transfers?.length === 0 ? 'Not seen yet' : 'Payment confirmation'}</h1>
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
      {!settled && <Reloading />}
      {transfers !== null && transfers.length > 0 && <SmallPrint />}
    </article>
  )
}

function NotSeenYet() {
  const { minutes, coin } = useLoaderData<typeof loader>()
  return (
    <p className="mt-6 max-w-[65ch]">
      We haven't seen this transaction yet. A gift appears here about {minutes} minutes after it reaches the
      blockchain.{' '}
      {coin && `${coin} that an exchange sends through a contract arrives at our wallet, but isn't listed. `}
      If it doesn't appear, check that you sent it to one of our wallets, on the right network and in an
      accepted token.
    </p>
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
