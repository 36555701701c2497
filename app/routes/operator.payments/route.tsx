import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { ListUnavailable } from '~/ledger/unavailable'
import { ScriptSentences } from '~/locales/sentences'
import { requireOperator } from '~/operator/guard.server'
import { PayerGapUnknown, PayerGapWords } from '~/operator/payer-gap'
import { readPayerGap } from '~/operator/payer-gap.server'
import { OrderList } from '~/orders/order-list'
import { areHeld, listOrders, type Order, readOrderClock } from '~/orders/orders.server'
import { shownState } from '~/orders/states'
import { privateMeta } from '~/rendering/seo'
import { PageHead } from '~/ui/page-head'
import { Part } from '~/ui/section'
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
  const [open, ended, held, gap] = await Promise.all([
    listOrders(data, { group: 'coming', account: null }, null, mostOpen),
    listOrders(data, { group: 'ended', account: null }, null, mostEnded),
    PAYER_KEY ? areHeld(data) : false,
    PAYER_KEY ? readPayerGap(data) : ('none' as const),
  ])
  const now = readOrderClock(context.config)
  const { qrCodeOf } = await import('~/wallet/qr-code.server')
  const due = open?.rows.filter((order) => shownState(order, now) === 'due').reverse()
  return {
    due: due?.map((order) => ({ ...order, code: qrCodeOf(order.toAddress) })) ?? null,
    coming: open?.rows.filter((order) => shownState(order, now) !== 'due').reverse() ?? null,
    ended: ended?.rows ?? null,
    /** Whether the site pays due orders. Null if it is unknown whether payments are on hold. */
    payer: PAYER_KEY ? (held === null ? null : !held) : undefined,
    gap,
    isDemo: context.config.DEMO,
    now,
  }
}

export default function Payments() {
  const { t } = useLingui()
  const { due, coming, ended, payer, gap, isDemo, now } = useLoaderData<typeof loader>()
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
          {payer === false ? (
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
        {payer === false && (
          <p className="notice">
            <Trans>All payments by the site are suspended.</Trans>
          </p>
        )}
        {gap !== 'none' && (
          <p className="notice max-w-[65ch]">{gap ? <PayerGapWords gap={gap} /> : <PayerGapUnknown />}</p>
        )}
      </div>
      <Part title={payer || payer === null ? t`Due: the site pays these` : t`Due: pay these now`}>
        {due === null ? (
          <ListUnavailable />
        ) : due.length > 0 && (payer || payer === null) ? (
          // A payment by hand at the same time would pay twice.
          <>
            <OrderList orders={due} now={now} />
            <p className="mt-2 flex flex-wrap gap-3">
              {due.map(({ number }) => (
                <StopLink key={number} number={number} />
              ))}
            </p>
          </>
        ) : due.length > 0 ? (
          <DuePayments due={due} isDemo={isDemo} />
        ) : (
          <p className="mt-4">
            <Trans>No payment is due.</Trans>
          </p>
        )}
      </Part>
      <Part title={t`Coming payments`}>
        {coming === null ? (
          <ListUnavailable />
        ) : coming.length > 0 ? (
          <>
            <OrderList orders={coming} now={now} />
            <p className="mt-2 flex flex-wrap gap-3">
              {coming.map(
                ({ number, state }) => state === 'announced' && <StopLink key={number} number={number} />,
              )}
            </p>
          </>
        ) : (
          <p className="mt-4">
            <Trans>No order waits for its time.</Trans>
          </p>
        )}
      </Part>
      {ended !== null && ended.length > 0 && (
        <Part title={t`Ended without a payment`}>
          <OrderList orders={ended} now={now} />
        </Part>
      )}
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

function StopLink({ number }: { number: number }) {
  return (
    <a href={`/operator/new/stop?subject=${number}`} className="button button-bad">
      <Trans>Stop order {number}</Trans>
    </a>
  )
}
