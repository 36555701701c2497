import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { EntryLink } from '../ledger/entry-link'
import { Gap, PageLink, useLanguage } from '../platform/locales/react'
import { When } from '../platform/ui/when'
import {
  AccountName,
  Approval,
  OrderAmount,
  OrderState,
  Purpose,
  Recipient,
  stateMeanings,
  stateWords,
} from './order-words'
import type { Order } from './orders.server'
import { shownState } from './states'

/** How many coming payments a page shows. */
export const mostComing = 3
/** How many orders that ended without a payment a page shows. */
export const mostEnded = 9

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
    <ol className="payments">
      {orders.map((order) => (
        <OrderItem key={order.number} order={order} now={now}>
          <OrderDetails order={order} now={now} isOpen={actions !== undefined} />
          {actions && <div>{actions(order)}</div>}
        </OrderItem>
      ))}
    </ol>
  )
}

/** The day of an order: of its payment, or of its end; for an order on its way, words. */
function OrderDay({ order, now }: { order: Order; now: number }) {
  const { dueAt, movedAt, paidAt } = order
  switch (shownState(order, now)) {
    case 'due':
      return <Trans comment="In place of the day of a payment that is paid next">now</Trans>
    case 'sent':
      return (
        <Trans comment="In place of the day of a payment that was sent to the blockchain">on its way</Trans>
      )
    case 'announced':
    case 'taken':
      return <When date={dueAt} monthDay />
    default:
      return <When date={paidAt ?? movedAt} day />
  }
}

/** An order in the list: when, what for, how much, its state and to whom. */
function OrderItem({ order, now, children }: { order: Order; now: number; children: ReactNode }) {
  const { i18n } = useLanguage()
  const { number, transactionId } = order
  const state = shownState(order, now)
  const what = <Purpose order={order} />
  return (
    <li data-key={number} id={`order-${number}`}>
      <span className="payment-date text-sm text-muted">
        <OrderDay order={order} now={now} />
      </span>
      {transactionId === null ? (
        <strong className="font-semibold">{what}</strong>
      ) : (
        <PageLink to={`/transparency/${transactionId}`} className="link font-semibold">
          {what}
        </PageLink>
      )}
      <span className="payment-amount figures font-display text-lg font-semibold">
        <OrderAmount order={order} />
      </span>
      <span className="text-muted wrap-anywhere">
        <strong className={stateMeanings[state].tone}>{i18n._(stateWords[state])}</strong>{' '}
        <Trans comment="After the state of a payment: who receives it">
          to <Recipient order={order} />
        </Trans>
      </span>
      {children}
    </li>
  )
}

/** What happened with an order, who approved it, and where the log has it. */
function OrderDetails({ order, now, isOpen }: { order: Order; now: number; isOpen: boolean }) {
  const { number, statement, logIndex } = order
  const account = <AccountName slug={order.account} />
  return (
    <details className="text-sm wrap-anywhere" open={isOpen}>
      <summary className="link w-fit py-1">
        <Trans comment="What is folded below an order; its number is for screen readers">
          Details<span className="sr-only"> of order {number}</span>
        </Trans>
      </summary>
      <p>
        <OrderState order={order} now={now} />
      </p>
      <p className="text-muted">
        <Trans>
          Order {number}, from {account}.
        </Trans>
        <Gap />
        <Approval order={order} />
      </p>
      <p className="flex flex-wrap gap-x-4">
        {statement && (
          <a href={statement} className="link py-1" rel="noopener nofollow">
            <Trans>The statement that it answers</Trans>
          </a>
        )}
        {logIndex !== null && <EntryLink logIndex={logIndex} className="link py-1" />}
      </p>
    </details>
  )
}

/**
 * The next payments in a line each, and on request what went wrong with earlier ones. Renders nothing without both, or
 * if they cannot be read.
 */
export function ComingNext({
  coming,
  ended = null,
  now,
  className = 'column pt-12',
}: {
  coming: Order[] | null
  ended?: Order[] | null
  now: number
  className?: string
}) {
  if (!coming?.length && !ended?.length) return null
  return (
    <section id="coming" className={className} aria-labelledby="coming-title" data-live="ledger acts">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 id="coming-title" className="text-xl">
          <Trans>Coming next</Trans>
        </h2>
        <PageLink to="/transparency/orders" className="link py-1">
          <Trans>All orders</Trans>
        </PageLink>
      </div>
      {coming && coming.length > 0 ? (
        <>
          <ol className="figures mt-1 border-t-2 border-ink">
            {coming.map((order) => (
              <OrderLine key={order.number} order={order} now={now} />
            ))}
          </ol>
          <p className="mt-1 text-sm text-muted">
            <Trans>An operator can stop each payment until it is sent.</Trans>
          </p>
        </>
      ) : (
        <p className="mt-2 text-muted">
          <Trans>No payment is announced.</Trans>
        </p>
      )}
      {ended && ended.length > 0 && <WhatWentWrong orders={ended} now={now} />}
    </section>
  )
}

/** An order in one line: what for, when and how much. It leads to the row that paid it, or to its state. */
export function OrderLine({ order, now }: { order: Order; now: number }) {
  const { i18n } = useLanguage()
  const { number, transactionId } = order
  const state = shownState(order, now)
  const isEnded = ['failed', 'mismatched', 'lost', 'stopped', 'expired'].includes(state)
  return (
    <li
      data-key={number}
      className="flex flex-wrap items-baseline justify-end gap-x-3 border-b border-hairline py-1"
    >
      <PageLink
        to={
          transactionId === null ? `/transparency/orders#order-${number}` : `/transparency/${transactionId}`
        }
        className="link grow py-0.5 font-semibold wrap-anywhere"
      >
        <Purpose order={order} />
      </PageLink>
      <span className={`text-sm ${isEnded ? stateMeanings[state].tone : 'text-muted'}`}>
        {isEnded ? i18n._(stateWords[state]) : <OrderDay order={order} now={now} />}
      </span>
      <strong className="font-display">
        <OrderAmount order={order} />
      </strong>
    </li>
  )
}

/** The orders that ended without a payment, each in a sentence; folded. */
function WhatWentWrong({ orders, now }: { orders: Order[]; now: number }) {
  const { formats } = useLanguage()
  const count = formats.count(Math.min(orders.length, mostEnded))
  return (
    <details className="text-sm">
      <summary className="link w-fit py-1">
        {orders.length > mostEnded ? (
          <Trans>What went wrong (more than {count})</Trans>
        ) : (
          <Trans>What went wrong ({count})</Trans>
        )}
      </summary>
      <ul className="grid gap-2 py-2">
        {orders.slice(0, mostEnded).map((order) => (
          <li key={order.number} data-key={order.number} className="max-w-[65ch] wrap-anywhere">
            <strong>
              <Trans comment="What a payment is for, and how much it is">
                <Purpose order={order} />, <OrderAmount order={order} />
              </Trans>
            </strong>
            : <OrderState order={order} now={now} />
          </li>
        ))}
      </ul>
    </details>
  )
}
