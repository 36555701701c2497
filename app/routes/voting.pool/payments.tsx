import type { ReactNode } from 'react'
import { namedByUs } from '~/ledger/names'
import { formatTokens } from '~/ledger/transactions'
import type { Transaction } from '~/ledger/transactions.server'
import { StatusBadge } from '~/ledger/verification-status'
import { formatExactDollars } from '~/money'
import { Icon } from '~/ui/icon'
import { When } from '~/ui/when'

/** The payments of a pool to others: what each bought, from whom, for how much, with its receipt. */
export function PaymentsOut({ payments }: { payments: Transaction[] }) {
  return (
    <>
      <ol className="payments">
        {payments.map((payment) => (
          <Payment key={payment.id} payment={payment} what={payment.note ?? 'Purpose not published yet'}>
            <span className="text-muted">
              to <Recipient payment={payment} />
              {payment.type === 'donation' && ', straight from the treasury'}
            </span>
            <Receipt payment={payment} />
          </Payment>
        ))}
      </ol>
      <AllVerified payments={payments} />
      <p className="mt-1 text-sm text-muted">
        {payments.some(({ counterName }) => counterName)
          ? 'Recipients as named by us.'
          : "We haven't published the partners of this pool yet. When we do, we will name them here."}
      </p>
    </>
  )
}

/** The donations from the treasury to a pool. */
export function DonationsIn({ donations }: { donations: Transaction[] }) {
  return (
    <>
      <ol className="payments">
        {donations.map((payment) => (
          <Payment key={payment.id} payment={payment} what="From the treasury">
            {payment.note && <span className="text-muted">{payment.note}</span>}
            {payment.proofUrl && <Receipt payment={payment} />}
          </Payment>
        ))}
      </ol>
      <AllVerified payments={donations} />
    </>
  )
}

function Payment({ payment, what, children }: { payment: Transaction; what: string; children: ReactNode }) {
  const { id, occurredAt, amountUsd, tokens, status } = payment
  return (
    <li data-key={id}>
      <span className="payment-date text-sm text-muted">
        <When date={occurredAt} day />
      </span>
      <a href={`/transparency/${id}`} className="link font-semibold">
        {what}
        <span className="sr-only">
          , <When date={occurredAt} day />: details of this transaction
        </span>
      </a>
      <span className="payment-amount figures font-display text-lg font-semibold">
        {amountUsd === null
          ? tokens
            ? formatTokens(tokens, 2)
            : 'No dollar value yet'
          : formatExactDollars(amountUsd)}
      </span>
      {children}
      {status !== 'verified' && (
        <span>
          <StatusBadge status={status} />
        </span>
      )}
    </li>
  )
}

function Recipient({ payment: { counterName, toAddress } }: { payment: Transaction }) {
  return (
    <a
      href={`/transparency?q=${toAddress}#history`}
      className={counterName ? 'link' : 'link hash'}
      title={counterName ? namedByUs(toAddress) : toAddress}
    >
      {counterName ?? `${toAddress.slice(0, 6)}…${toAddress.slice(-4)}`}
    </a>
  )
}

function Receipt({ payment: { proofUrl, note, occurredAt } }: { payment: Transaction }) {
  if (!proofUrl) return <span className="payment-receipt text-sm text-muted">No receipt yet</span>
  return (
    <span className="payment-receipt text-sm">
      <a href={proofUrl} className="link inline-flex items-center gap-1" rel="noopener nofollow">
        <Icon name="receipt" size={16} />
        Receipt
        <span className="sr-only">
          {' '}
          of {note ?? 'the payment'}, <When date={occurredAt} day />
        </span>
      </a>
    </span>
  )
}

/** One line for the whole list, instead of a mark in each row. A row that is not verified says so itself. */
function AllVerified({ payments }: { payments: Transaction[] }) {
  const all = payments.every(({ status }) => status === 'verified')
  return (
    <p className="mt-3 flex items-center gap-1 text-sm">
      <span className="text-good">
        <Icon name="check" size={16} />
      </span>
      {all ? 'All verified on chain.' : 'Verified on chain, except where a payment says otherwise.'}
    </p>
  )
}
