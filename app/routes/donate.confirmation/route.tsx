import { msg, ph, plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { data, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { acceptedTokens, minutesUntilListed } from '~/donate/accepted'
import { Follow, FollowSection, useFollows } from '~/follow/follow'
import { findPool } from '~/impact-pools'
import { ledgerFeeds } from '~/ledger/download-links'
import { GoalLink } from '~/ledger/goal-link'
import { type RowGoal, withGoals } from '~/ledger/goal-names.server'
import { WholeHash } from '~/ledger/hash'
import { chainName } from '~/ledger/record'
import { Fact, NamedByUs } from '~/ledger/record-facts'
import { formatTokens, typeLabel } from '~/ledger/transactions'
import { listTransactions, listTransfers, type Transaction } from '~/ledger/transactions.server'
import { ListUnavailable } from '~/ledger/unavailable'
import { VerificationNote } from '~/ledger/verification-status'
import { listWallets, walletName } from '~/ledger/wallets'
import { key } from '~/locales/key'
import { PageLink, useLanguage } from '~/locales/react'
import { ScriptSentences } from '~/locales/sentences'
import type { PageHandle } from '~/rendering/handle'
import { pageMeta } from '~/rendering/seo'
import { brand } from '~/site'
import { Copy } from '~/ui/copy'
import { Icon } from '~/ui/icon'
import { Share } from '~/ui/share'
import { When } from '~/ui/when'
import { EnglishWords } from '~/ui/words'
import { checksumAddress } from '~/wallet/address'
import progressUrl from './progress.ts?worker&url'
import { progressSentences } from './progress-sentences'
import { isGift, stageOf, stageSentences, thanksFor } from './thanks'

/** Seconds between two requests for the page, while a transfer of the transaction has no final result. */
const refreshSeconds = 20

export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta({
    title: msg`Payment confirmation`,
    description: msg`What arrived, its status and how we checked it on the blockchain.`,
    path: `/donate/${args.params.hash}`,
    noindex: true,
  })(args)

/** The page does not ask for a second gift: the Donate button in the bar is not gold. */
export const handle: PageHandle = { gives: true }

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders

/** Shows only transfers in the ledger: nothing that a visitor sends is shown as received. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { config } = context
  const hash = params.hash?.toLowerCase() ?? ''
  if (!/^0x[0-9a-f]{64}$/.test(hash)) throw new Response(null, { status: 404, statusText: 'Not Found' })
  const paused = new URL(request.url).searchParams.get('reload') === 'no'
  const tooOften = await context.limit('search')
  const found = tooOften ? null : await listTransfers(context.data(), config.CHAIN_ID, hash)
  const transfers = found && (await withGoals(context.data(), found, config.FUNDME_OPEN))
  const settled = transfers?.length ? transfers.every(({ status }) => isFinal(status)) : false
  const reloads = !settled && !paused
  const gift = transfers?.find(isGift)
  const account = gift?.toAccount
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
      /** The seconds after which a page reloads without JavaScript (root.tsx). */
      refresh: reloads ? refreshSeconds : null,
      /** The pool that the gift went to. */
      pool,
      /** The goal that the gift went to. */
      goal: gift?.goal ?? null,
      /** The topic that a giver can follow if the gift went to no pool. */
      topic: gift?.goal ? gift.goal.slug : account === 'donation-wallet' ? 'cz-call' : account ? 'month' : '',
      newestSpending: spending?.rows[0] ?? null,
      wallets: listWallets(config),
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
  const { transfers, settled, reloads, goal } = useLoaderData<typeof loader>()
  const language = useLanguage()
  const hasGift = transfers?.some(isGift)
  const [thanks, rest] = transfers ? thanksFor(transfers, language) : [t`Payment confirmation`, '']
  return (
    <article className="column pt-section print:pt-4">
      <div
        data-payment={transfers?.length ? language.i18n._(stageSentences[stageOf(transfers)]) : ''}
        className="grid gap-x-16 gap-y-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]"
      >
        <div>
          <h1 data-thanks={transfers?.length === 0 ? '' : undefined}>
            <span className={rest ? 'block text-hero' : 'block text-title'}>{thanks}</span>{' '}
            <span className="mt-2 block text-heading">{rest}</span>
          </h1>
          {transfers?.length === 0 && <NotOnTheChainYet />}
          {transfers &&
            (hasGift || transfers.length === 0 ? (
              <Stages transfers={transfers} />
            ) : (
              <NotAGift transfers={transfers} />
            ))}
          {transfers === null && <ListUnavailable what={t`We can't load this transaction right now.`} />}
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
      {/* The script must not replace this element. */}
      <p
        role="status"
        className="no-print mt-6 empty:mt-0"
        data-status=""
        data-polls={reloads ? refreshSeconds : undefined}
      />
      {!settled && <Reloading />}
      {transfers !== null && transfers.length > 0 && <SmallPrint />}
      {hasGift && settled && (
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

/** The script hides it if this browser sent the payment. */
function NotOnTheChainYet() {
  return (
    <div className="mt-4 max-w-[65ch]" data-unseen="">
      <p className="text-xl font-semibold">
        <Trans>We haven't seen this payment on the blockchain yet.</Trans>
      </p>
      <p className="mt-1">
        <FindOrAsk />
      </p>
    </div>
  )
}

function FindOrAsk() {
  return (
    <Trans>
      Is it another payment?{' '}
      <PageLink to="/donate#hash" className="link inline-block py-0.5">
        Enter its transaction hash
      </PageLink>{' '}
      or{' '}
      <PageLink to="/contact" className="link inline-block py-0.5">
        ask us
      </PageLink>
      .
    </Trans>
  )
}

function ReceiptToCome() {
  const { t } = useLingui()
  const { hash, siteUrl } = useLoaderData<typeof loader>()
  return (
    <section className="rounded-block border-2 border-dashed border-edge p-[min(1.5rem,6vw)]">
      <h2 className="text-xl">
        <Trans>Your receipt comes here</Trans>
      </h2>
      <p className="mt-2 text-muted">
        <Trans>
          As soon as your gift is in the ledger. You may close this page: its web address, or the transaction
          hash, brings you back. You need no account.
        </Trans>
      </p>
      <p className="mt-3">
        <Copy text={`${siteUrl}/donate/${hash}`} what={t`the address of this page`} />
      </p>
    </section>
  )
}

function NotSeenYet() {
  const { minutes, coin } = useLoaderData<typeof loader>()
  return (
    <div className="mt-6 grid max-w-[65ch] gap-2 border-t border-hairline pt-4" data-late="">
      <p className="font-semibold">
        <Trans>
          Don't pay a second time before you know what happened. Your wallet or exchange shows whether the
          payment was sent; otherwise{' '}
          <PageLink to="/contact" className="link inline-block py-0.5">
            ask us
          </PageLink>
          .
        </Trans>
      </p>
      <p>
        <Trans>
          We haven't seen this transaction yet. A gift appears here about{' '}
          <Plural value={minutes} one="# minute" other="# minutes" /> after it reaches the blockchain.
        </Trans>{' '}
        {coin && (
          <>
            <Trans>
              {coin} that an exchange sends through a contract arrives at our wallet, but isn't listed.
            </Trans>{' '}
          </>
        )}
        <Trans>
          If it doesn't appear, check that you sent it to one of our wallets, on the right network and in an
          accepted token.
        </Trans>
      </p>
    </div>
  )
}

/** The type and the purpose of a payment that is not a gift, as the ledger states them. */
function NotAGift({ transfers }: { transfers: Transaction[] }) {
  const { i18n, formats } = useLanguage()
  const types = formats.words([...new Set(transfers.map(({ type }) => i18n._(key(typeLabel(type)))))], 'and')
  const purpose = transfers.find(({ note }) => note)?.note
  return (
    <div className="mt-6 grid max-w-[65ch] gap-3">
      {purpose && (
        <p className="text-xl font-semibold">
          <EnglishWords>{purpose}</EnglishWords>
        </p>
      )}
      <p>
        <Trans>The ledger lists it as: {types}.</Trans>
      </p>
      <p className="text-muted">
        <FindOrAsk />
      </p>
    </div>
  )
}

/** The stages 'Sent', 'In a block' and 'Final and listed', with the times that the ledger has. */
function Stages({ transfers }: { transfers: Transaction[] }) {
  const { t } = useLingui()
  const { minutes, pool } = useLoaderData<typeof loader>()
  const stage = stageOf(transfers)
  if (stage === 'disputed') return null
  const [first] = transfers
  const stages = [
    {
      name: t`Sent`,
      done: stage !== 'sent',
      text:
        stage === 'sent'
          ? t`Your wallet or exchange shows whether it was sent.`
          : t`Your wallet or exchange shows its transaction hash.`,
    },
    {
      name: t`In a block`,
      done: stage !== 'sent',
      text: first ? <When date={first.occurredAt} local /> : t`Usually within seconds.`,
    },
    {
      name: t`Final and in the ledger`,
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
            <Trans>It can't be undone. It is payment {ph({ id: first.id })} of the ledger.</Trans>{' '}
            {pool && <Trans>It waits in the pool's wallet until the pool spends it.</Trans>}
          </>
        ) : (
          t`About ${plural(minutes, { one: '# minute', other: '# minutes' })} after it reaches the blockchain, so that no one can undo it.`
        ),
    },
  ]
  return (
    <ol className="no-print mt-8" aria-label={t`Progress of the payment`}>
      {/* The script of the browser that sent the gift shows this line in place of the next one. */}
      {stage === 'sent' && <StageLine name={t`Sent`} done number={1} hidden />}
      {stages.map((stage, at) => (
        <StageLine key={stage.name} {...stage} number={at + 1} />
      ))}
    </ol>
  )
}

function StageLine({
  name,
  done,
  text,
  number,
  hidden,
}: {
  name: string
  done: boolean
  text?: ReactNode
  number: number
  hidden?: true
}) {
  return (
    <li hidden={hidden} data-sent={hidden && ''} className="stage flex gap-4 pb-6">
      <span
        className={`grid size-11 shrink-0 place-items-center rounded-xl border-[1.5px] ${done ? 'border-ink bg-ink text-paper' : 'border-edge text-muted'}`}
      >
        {done ? <Icon name="check" /> : number}
      </span>
      <div className="min-w-0">
        <p className={done ? 'font-semibold' : 'font-semibold text-muted'}>
          {name}
          <span className="sr-only">
            {done ? (
              <Trans comment="After the name of a step, for screen readers">: done</Trans>
            ) : (
              <Trans comment="After the name of a step, for screen readers">: not yet</Trans>
            )}
          </span>
        </p>
        <p className="text-muted" data-when="">
          {text}
        </p>
      </div>
    </li>
  )
}

/**
 * The newest payment of the gift's pool, and how to follow the pool. For a gift without a pool, only how to
 * follow a topic.
 */
function AfterTheGift() {
  const { t } = useLingui()
  const { i18n, formats } = useLanguage()
  const { pool: slug, topic, newestSpending, goal } = useLoaderData<typeof loader>()
  const follows = useFollows()
  const pool = findPool(slug)
  if (goal) return <AfterTheGiftToAGoal goal={goal} />
  if (!pool) return <FollowSection topic={topic} className="border-t border-hairline pt-8 lg:col-span-2" />
  const category = i18n._(key(pool.category))
  const title = i18n._(key(pool.title))
  const spent = newestSpending
    ? newestSpending.amountUsd === null
      ? newestSpending.tokens
        ? formatTokens(newestSpending.tokens)
        : ''
      : formats.dollars(newestSpending.amountUsd)
    : ''
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
          {newestSpending ? (
            <Trans>What {category} bought last</Trans>
          ) : (
            <Trans>What {category} buys next</Trans>
          )}
        </h2>
        {newestSpending && (
          <p className="mt-3 max-w-[65ch]">
            {newestSpending.note && (
              <strong className="block">
                <EnglishWords>{newestSpending.note}</EnglishWords>
              </strong>
            )}
            <Trans>
              {ph({ amount: spent })} on <When date={newestSpending.occurredAt} day />.
            </Trans>{' '}
            <PageLink to={`/transparency/${newestSpending.id}`} className="link inline-block py-0.5">
              <Trans>See this payment</Trans>
            </PageLink>
          </p>
        )}
        <p className="mt-3 text-muted">
          {follows ? (
            <Trans>Follow this pool, and you see what it buys.</Trans>
          ) : (
            <Trans>Follow this pool in a feed reader, and you see what it buys.</Trans>
          )}
        </p>
        <Follow topic={pool.slug} />
        <p className="mt-4 flex flex-wrap gap-3">
          <PageLink to={ledgerFeeds(pool.title, { pool: pool.slug }).atom} className="button">
            {follows ? <Trans>Follow in a feed reader</Trans> : <Trans>Follow {category}</Trans>}
          </PageLink>
          <PageLink to={`/voting/${pool.slug}`} className="button">
            <Trans>Open the pool</Trans>
          </PageLink>
        </p>
        <Share title={t`I gave to ${title} on ${brand}`} url={`/voting/${pool.slug}`} />
      </div>
    </section>
  )
}

/** Links to the page of the goal, which says what the goal's money bought. */
function AfterTheGiftToAGoal({ goal }: { goal: RowGoal }) {
  const { t } = useLingui()
  return (
    <section className="no-print border-t border-hairline pt-8 lg:col-span-2" aria-labelledby="after">
      <h2 id="after" className="text-heading">
        <Trans>What your gift buys</Trans>
      </h2>
      <p className="mt-3 max-w-[65ch]">
        <Trans>
          The wallet belongs to a member. On the page of <GoalLink goal={goal} /> they tell what they buy, and
          report at the end.
        </Trans>
      </p>
      <Follow topic={goal.slug} name={t`this goal`} />
    </section>
  )
}

function Transfer({ transfer }: { transfer: Transaction }) {
  const { t } = useLingui()
  const { i18n, formats } = useLanguage()
  const { wallets, hash, chainId } = useLoaderData<typeof loader>()
  const { id, amountUsd, tokens, occurredAt, fromAddress, toAddress, type, direction, goal } = transfer
  const [payer, wallet] = [fromAddress, toAddress].map((address) => walletName(wallets, address))
  const other = transfer.counterName && <NamedByUs name={transfer.counterName} />
  const name = goal ? goal.title : wallet && i18n._(key(wallet))
  const amount =
    amountUsd === null
      ? tokens
        ? formatTokens(tokens)
        : t`An amount without a dollar value`
      : formats.dollars(amountUsd)
  return (
    <section className="sheet mb-6 break-inside-avoid" aria-label={t`Payment ${id}`}>
      <p className="mb-1 font-semibold">
        {isGift(transfer) ? <Trans>Receipt</Trans> : <Trans>A payment in our ledger</Trans>}
      </p>
      <h2 className="text-heading">
        {name ? (
          <Trans>
            {amount} to {name}
          </Trans>
        ) : (
          amount
        )}
      </h2>
      <dl className="facts">
        <Fact name={t`Status`}>
          <VerificationNote verification={transfer} />
        </Fact>
        {tokens && <Fact name={t`Amount in tokens`}>{formatTokens(tokens, Number.POSITIVE_INFINITY)}</Fact>}
        <Fact name={t`Value in US dollars`}>
          {amountUsd === null ? t`No dollar value yet` : formats.dollars(amountUsd)}
        </Fact>
        <Fact name={t`When`}>
          <When date={occurredAt} local />
        </Fact>
        <Fact name={t`Type`}>{i18n._(key(typeLabel(type)))}</Fact>
        <Fact name={t({ message: 'From', context: 'sender' })}>
          {payer ? (
            <span className="block font-semibold">{i18n._(key(payer))}</span>
          ) : (
            direction === 'in' && other
          )}
          <WholeHash value={checksumAddress(fromAddress)} kind="address" what={t`the sender's address`} />
        </Fact>
        <Fact name={t({ message: 'To', context: 'recipient' })}>
          {goal ? (
            <span className="block font-semibold">
              <GoalLink goal={goal} />
            </span>
          ) : name ? (
            <span className="block font-semibold">{name}</span>
          ) : (
            direction === 'out' && other
          )}
          <WholeHash value={checksumAddress(toAddress)} kind="address" what={t`the recipient's address`} />
        </Fact>
        <Fact name={t`Transaction`}>
          <WholeHash value={hash} kind="tx" what={t`the transaction hash`} />
          <span className="block text-muted">
            <Trans>
              {ph({ chain: i18n._(chainName(chainId)) })} (chain {chainId})
            </Trans>
          </span>
        </Fact>
        <Fact name={t`Checks and proof`}>
          <PageLink to={`/transparency/${id}`} className="link inline-block py-0.5">
            <Trans>
              Payment {id}: how we checked it<span className="sr-only">, transaction {id}</span>
            </Trans>
          </PageLink>
        </Fact>
      </dl>
      <button type="button" className="button mt-5" hidden data-print="">
        <Trans>Print</Trans>
      </button>
    </section>
  )
}

function Reloading() {
  const { hash, reloads, chainId, confirmations, demo } = useLoaderData<typeof loader>()
  return (
    <div className="no-print mt-6 text-muted" data-updating="">
      {/* The transactions of the demonstration are not on any blockchain. */}
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
        {reloads ? (
          <Trans>This page updates by itself until the result is final.</Trans>
        ) : (
          <Trans>This page doesn't update by itself.</Trans>
        )}{' '}
        <PageLink
          to={reloads ? `/donate/${hash}?reload=no` : `/donate/${hash}`}
          className="link inline-block py-0.5"
        >
          {reloads ? <Trans>Stop updating this page</Trans> : <Trans>Update until it is final</Trans>}
        </PageLink>
      </p>
      <p className="hash mt-3 wrap-anywhere">
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
        This confirmation comes from the public ledger of {brand}, at {siteUrl}/donate/{hash}. It is not a tax
        receipt: {brand} issues none, and we don't know who you are.
      </Trans>
    </p>
  )
}
