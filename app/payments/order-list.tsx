import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { EntryLink } from '../ledger/entry-link'
import { Gap, PageLink, useLanguage } from '../platform/locales/react'
import { When } from '../platform/ui/when'
import { AccountName, Approval, OrderAmount, OrderState, Purpose, Recipient, stateWords } from './order-words'
import type { Order } from './orders.server'
import { shownState } from './states'

/** Orders with everything that is public about them. `now` is in milliseconds. `actions`: what an operator can do. */
export function OrderList({
  orders,
  now,
  actions,
}: {
  orders: readonly Order[]
  now: number
  actions?: (order: Order) => ReactNode
}) {
  return (
    <ol className="mt-4 grid gap-x-12 lg:grid-cols-2">
      {orders.map((order) => (
        <li
          key={order.number}
          data-key={order.number}
          id={`order-${order.number}`}
          className="border-t border-hairline py-4"
        >
          <OrderItem order={order} now={now} />
          {actions?.(order)}
        </li>
      ))}
    </ol>
  )
}

function OrderItem({ order, now }: { order: Order; now: number }) {
  const { i18n } = useLanguage()
  const { number, statement, logIndex } = order
  const account = <AccountName slug={order.account} />
  return (
    <article className="wrap-anywhere" aria-labelledby={`order-${number}-title`}>
      <h3 id={`order-${number}-title`} className="text-xl">
        <Trans comment="An amount, and who receives it">
          <OrderAmount order={order} /> to <Recipient order={order} />
        </Trans>
      </h3>
      <p className="mt-1 font-semibold whitespace-pre-line">
        <Purpose order={order} />
      </p>
      <p className="mt-1">
        <span className="badge bg-plain-wash">{i18n._(stateWords[shownState(order, now)])}</span>{' '}
        <OrderState order={order} now={now} />
      </p>
      <p className="mt-1 text-muted">
        <Trans>
          Order {number}, from {account}.
        </Trans>
        <Gap />
        <Approval order={order} />
      </p>
      <p className="mt-1 flex flex-wrap gap-x-4 text-sm">
        {statement && (
          <a href={statement} className="link py-1" rel="noopener nofollow">
            <Trans>The statement that it answers</Trans>
          </a>
        )}
        {logIndex !== null && <EntryLink logIndex={logIndex} className="link py-1" />}
      </p>
    </article>
  )
}

/**
 * A section with the payments to come: the next one in a sentence, and all of them on request. Renders nothing without
 * one, or if they cannot be read.
 */
export function ComingPayments({
  orders,
  now,
  className = 'column pt-section',
  quiet = false,
}: {
  orders: Order[] | null
  now: number
  className?: string
  /** Whether the heading is for screen readers only. */
  quiet?: boolean
}) {
  if (!orders?.length) return null
  const [first, ...others] = orders
  const all = (
    <PageLink to="/transparency/orders" className="link mt-2 inline-block py-1">
      <Trans>All orders</Trans>
    </PageLink>
  )
  return (
    <section id="coming" className={className} aria-labelledby="coming-title" data-live="ledger">
      <div className={quiet ? 'sr-only' : 'heading-line'}>
        <h2 id="coming-title" className="text-heading">
          <Trans>Coming payments</Trans>
        </h2>
      </div>
      {first && others.length > 0 ? (
        <>
          <p className="mt-2 wrap-anywhere">
            <NextWords order={first} now={now} />
            <Gap />
            <Approval order={first} />
            <Gap />
            <Trans>Each operator can stop it until it is paid.</Trans>
          </p>
          <details>
            <summary className="link py-2">
              <Trans>All coming payments</Trans>
            </summary>
            <OrderList orders={orders} now={now} />
            {all}
          </details>
        </>
      ) : (
        <>
          <OrderList orders={orders} now={now} />
          {all}
        </>
      )}
    </section>
  )
}

/** The next payment in one sentence, with a link to all; renders nothing without one. */
export function NextPayment({ order, now }: { order: Order | undefined; now: number }) {
  if (!order) return null
  return (
    <p className="wrap-anywhere">
      <NextWords order={order} now={now} />
      <Gap />
      <PageLink to="/transparency#coming" className="link">
        <Trans>All coming payments</Trans>
      </PageLink>
    </p>
  )
}

function NextWords({ order, now }: { order: Order; now: number }) {
  return shownState(order, now) === 'due' ? (
    <Trans>
      Next payment: <Purpose order={order} />, <OrderAmount order={order} /> to <Recipient order={order} />,
      due since <When date={order.dueAt} />.
    </Trans>
  ) : (
    <Trans>
      Next payment: <Purpose order={order} />, <OrderAmount order={order} /> to <Recipient order={order} />,
      on <When date={order.dueAt} />.
    </Trans>
  )
}
