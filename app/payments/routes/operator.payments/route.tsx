import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { requireOperator } from '~/acts/guard.server'
import { ListUnavailable } from '~/ledger/unavailable'
import type { OrderGroup } from '~/payments/groups'
import { OrderList } from '~/payments/order-list'
import { valueNamedOrders } from '~/payments/order-values.server'
import { listOrders, type Order, readOrderClock } from '~/payments/orders.server'
import { allowancePath, canPay } from '~/payments/payer-means'
import { type Payer, readPayer } from '~/payments/payer-means.server'
import {
  GasWords,
  MeansWords,
  PayerGapWords,
  PayerRunWords,
  PayerUnknown,
  SeenWords,
  useMeansName,
} from '~/payments/payer-words'
import { shownState } from '~/payments/states'
import { Gap } from '~/platform/locales/react'
import { ScriptSentences } from '~/platform/locales/sentences'
import { privateMeta } from '~/platform/rendering/seo'
import { PageHead } from '~/platform/ui/page-head'
import { Part } from '~/platform/ui/section'
import { paymentSentences } from '~/wallet/payment-sentences'
import walletListUrl from '~/wallet/wallet-list.ts?worker&url'
import { DuePayment } from './due-payment'

export const meta: MetaFunction = privateMeta(msg`Payments`)

/** Maximum number of open orders on the page. */
const mostOpen = 100
/** Maximum number of orders that ended without a payment on the page. */
const mostEnded = 10

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireOperator(context, new URL(request.url).pathname)
  const data = context.data()
  const { PAYER_KEY } = context.config
  const rowsOf = async (group: OrderGroup, most: number) =>
    valueNamedOrders(
      data,
      context.config,
      (await listOrders(data, { group, account: null }, null, most))?.rows ?? null,
    )
  const [open, ended, overview] = await Promise.all([
    rowsOf('coming', mostOpen),
    rowsOf('ended', mostEnded),
    readPayer(data),
  ])
  const now = readOrderClock(context.config)
  const { qrCodeOf } = await import('~/wallet/qr-code.server')
  const payer = PAYER_KEY ? overview : undefined
  const inState = (isShown: (order: Order) => boolean) => open?.filter(isShown).reverse() ?? null
  const due = inState((order) => shownState(order, now) === 'due')
  const taken = inState((order) => order.state === 'taken')
  // Without the overview, it is unknown what can be paid by hand.
  const byHand = overview ? (PAYER_KEY ? taken : due) : null
  return {
    due: PAYER_KEY ? due : null,
    byHand:
      byHand?.map((order) => ({
        ...{ ...order, code: qrCodeOf(order.toAddress) },
        isPayable: canPay(overview?.means ?? [], order),
      })) ?? null,
    coming: inState(
      ({ state, ...order }) => !['due', 'taken'].includes(shownState({ state, ...order }, now)),
    ),
    ended,
    doubles: overview?.doubles ?? [],
    run: overview?.run ?? null,
    /** Null if it cannot be read; undefined if people pay each order. */
    payer,
    isDemo: context.config.DEMO,
    now,
  }
}

export default function Payments() {
  const { t } = useLingui()
  const { due, byHand, doubles, run, coming, ended, payer, isDemo, now } = useLoaderData<typeof loader>()
  const sitePays = payer !== undefined
  return (
    <>
      <div className="column pt-section">
        <PageHead back={{ to: '/operator', label: t`Operator` }} title={t`Payments`} />
        <p className="mt-4 max-w-[65ch]">
          <Trans>
            Two operators approve an order. Everyone sees it from then on, and it is due when its notice is
            over. The ledger finds the payment and gives it the purpose of its order.
          </Trans>
        </p>
        <p className="mt-4 flex flex-wrap gap-3">
          <a href="/operator/new/order" className="button button-ink">
            <Trans>Order a payment</Trans>
          </a>
          {(due?.length ?? 0) + (coming?.length ?? 0) > 1 && (
            <a href="/operator/payments/stop" className="button">
              <Trans>Stop several together</Trans>
            </a>
          )}
          {payer?.held ? (
            <a href="/operator/new/payments-release" className="button">
              <Trans>Resume payments</Trans>
            </a>
          ) : (
            payer !== undefined && (
              <a href="/operator/new/payments-hold" className="button button-bad">
                <Trans>Suspend all payments</Trans>
              </a>
            )
          )}
        </p>
        {doubles.map(({ transaction, order }) => (
          <p key={`${transaction} ${order}`} className="notice max-w-[65ch]">
            <Trans>
              <a href={`/transparency/${transaction}`} className="link">
                A payment without an order
              </a>{' '}
              equals that of order {order}: it may have been paid twice.
            </Trans>
          </p>
        ))}
        <PayerRunWords run={run} />
        {payer?.held && (
          <p className="notice">
            <Trans>All payments by the site are suspended.</Trans>
          </p>
        )}
        {payer === null ? (
          <p className="notice max-w-[65ch]">
            <PayerUnknown />
          </p>
        ) : (
          payer?.gap && (
            <p className="notice max-w-[65ch]">
              <PayerGapWords gap={payer.gap} />
            </p>
          )
        )}
      </div>
      {sitePays && (
        <Part title={t`Due: the site pays these`}>
          {due === null ? (
            <ListUnavailable />
          ) : due.length > 0 ? (
            <>
              <p className="mt-4 max-w-[65ch]">
                <Trans>To pay an order by hand, take it first. The site then never pays it.</Trans>
              </p>
              <OrderList orders={due} now={now} actions={dueLinks} />
            </>
          ) : (
            <p className="mt-4">
              <Trans>No payment is due.</Trans>
            </p>
          )}
        </Part>
      )}
      {(!sitePays || byHand === null || byHand.length > 0) && (
        <Part title={sitePays ? t`Taken: pay these by hand` : t`Due: pay these now`}>
          {byHand === null ? (
            <ListUnavailable />
          ) : byHand.length > 0 ? (
            <>
              <DuePayments due={byHand.filter(({ isPayable }) => isPayable)} isDemo={isDemo} />
              <UnpayableOrders due={byHand.filter(({ isPayable }) => !isPayable)} now={now} />
            </>
          ) : (
            <p className="mt-4">
              <Trans>No payment is due.</Trans>
            </p>
          )}
        </Part>
      )}
      <Part title={t`Coming payments`}>
        {coming === null ? (
          <ListUnavailable />
        ) : coming.length > 0 ? (
          <OrderList orders={coming} now={now} actions={stopLink} />
        ) : (
          <p className="mt-4">
            <Trans>No order waits for its time.</Trans>
          </p>
        )}
      </Part>
      {payer && payer.means.length > 0 && <Allowances payer={payer} />}
      {ended !== null && ended.length > 0 && (
        <Part title={t`Ended without a payment`}>
          <OrderList orders={ended} now={now} />
        </Part>
      )}
    </>
  )
}

/** What the site may spend, as the payer saw it last. */
function Allowances({ payer: { sight, means, most } }: { payer: Payer }) {
  const { t } = useLingui()
  const nameOf = useMeansName()
  // Wallets that the site need not pay from are only on the page that sets an allowance.
  const used = means.filter(({ allowance, needed, paid }) => (allowance ?? 0n) + needed + paid > 0n)
  return (
    <Part title={t`What the site may spend`}>
      <p className="mt-4 max-w-[65ch]">
        {sight ? (
          <>
            <GasWords sight={sight} />
            <Gap />
            <SeenWords sight={sight} />
          </>
        ) : (
          <Trans>The scheduled job has not read the allowances yet.</Trans>
        )}
      </p>
      <ul className="mt-4 grid gap-x-12 lg:grid-cols-2">
        {used.map((each) => (
          <li key={each.owner + each.token} className="border-t border-hairline py-3">
            <h3 className="text-xl">
              <bdi>{nameOf(each)}</bdi>
            </h3>
            <p className="mt-1">
              <MeansWords means={each} most={most} />
            </p>
            <a href={allowancePath(each)} className="link inline-block py-1">
              <Trans>Set the allowance</Trans>
            </a>
          </li>
        ))}
      </ul>
      <p className="mt-2">
        <a href="/operator/payments/allowance" className="button">
          <Trans>Approve an allowance</Trans>
        </a>
      </p>
    </Part>
  )
}

/** Orders whose wallet or token is not configured as they say: in a token with other decimals, another amount would move. */
function UnpayableOrders({ due, now }: { due: Order[]; now: number }) {
  if (due.length === 0) return null
  return (
    <>
      <p className="notice max-w-[65ch]">
        <Trans>
          Do not pay these orders: their wallet or their token is not configured as they say. Stop them, and
          order again.
        </Trans>
      </p>
      <OrderList orders={due} now={now} actions={stopLink} />
    </>
  )
}

/** The payments to make, grouped by their wallet for a Safe's owners. */
function DuePayments({ due, isDemo }: { due: Parameters<typeof DuePayment>[0]['order'][]; isDemo: boolean }) {
  const wallets = [...new Set(due.map(({ account }) => account))]
  return (
    <>
      <ul className="mt-4 flex flex-wrap gap-3">
        {wallets.map((account) => (
          <li key={account}>
            <SafeLink query={{ account }} orders={due.filter((order) => order.account === account)} />
          </li>
        ))}
      </ul>
      {due.map((order) => (
        <DuePayment key={order.number} order={order} isDemo={isDemo} />
      ))}
      <ScriptSentences of={paymentSentences} />
      <script type="module" src={walletListUrl} />
    </>
  )
}

function SafeLink({ query, orders }: { query: Record<string, string>; orders: Order[] }) {
  const { fromAddress = '' } = orders[0] ?? {}
  const wallet = `${fromAddress.slice(0, 8)}…${fromAddress.slice(-6)}`
  const count = orders.length
  return (
    <a href={`/operator/payments/safe.json?${new URLSearchParams(query)}`} className="button" download>
      <Trans comment="A button. wallet: the beginning and the end of an address">
        Download for Safe: all {count} of {wallet}
      </Trans>
    </a>
  )
}

/** The acts about an order that the site pays now. */
function dueLinks(order: Order): ReactNode {
  return (
    <span className="flex flex-wrap gap-3">
      <a href={`/operator/new/take?subject=${order.number}`} className="button mt-2">
        <Trans>Pay order {order.number} by hand</Trans>
      </a>
      {stopLink(order)}
    </span>
  )
}

function stopLink({ number, state }: Order): ReactNode {
  if (state === 'sent')
    return (
      <a href={`/operator/new/order-end?subject=${number}`} className="link mt-2 inline-block">
        <Trans>End order {number} if the blockchain does not have it</Trans>
      </a>
    )
  if (state !== 'announced' && state !== 'taken') return null
  return (
    <a href={`/operator/payments/stop?order=${number}`} className="button button-bad mt-2">
      <Trans>Stop order {number}</Trans>
    </a>
  )
}
