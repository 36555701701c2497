import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { ArrivalMark } from '~/arrival/words'
import type { Arrival } from '~/ledger/arrivals'
import { Party, PaymentItem } from '~/ledger/payment-item'
import { typeLabel } from '~/ledger/transactions'
import type { Transaction } from '~/ledger/transactions.server'
import type { PoolUpdate } from '~/ledger/updates.server'
import type { ImpactPool } from '~/platform/impact-pools'
import { key } from '~/platform/locales/key'
import { useLanguage } from '~/platform/locales/react'
import { Icon } from '~/platform/ui/icon'
import { When } from '~/platform/ui/when'
import { EnglishWords } from '~/platform/ui/words'
import { Pictures, UpdateText } from './pool-updates'

/** A pool's payments to others and its updates with their pictures, newest first. */
export function Timeline({
  pool,
  payments,
  updates,
  arrivals,
}: {
  pool: ImpactPool
  payments: Transaction[]
  updates: PoolUpdate[]
  /** By the id of the payment; null if they cannot be read. */
  arrivals: Record<number, Arrival> | null
}) {
  const { t } = useLingui()
  const events = [
    ...payments.map((payment) => ({ at: payment.occurredAt, payment, update: null })),
    ...updates.map((update) => ({ at: update.publishedAt, payment: null, update })),
  ].sort((a, b) => b.at.getTime() - a.at.getTime())
  return (
    <>
      <ol className="payments">
        {events.map(({ payment, update }) =>
          update ? (
            <UpdateItem key={`update-${update.id}`} pool={pool} update={update} />
          ) : (
            <Payment
              key={payment.id}
              payment={payment}
              what={
                payment.note ? (
                  <EnglishWords>{payment.note}</EnglishWords>
                ) : (
                  t`We don't say yet what this bought`
                )
              }
            >
              <span className="text-muted">
                <PaidTo payment={payment} />
              </span>
              <Receipt payment={payment} />
              <ArrivalMark id={payment.id} state={arrivals?.[payment.id]} />
            </Payment>
          ),
        )}
      </ol>
      {payments.length > 0 && (
        <>
          <AllVerified payments={payments} />
          <p className="mt-1 text-sm text-muted">
            {payments.some(({ counterName }) => counterName)
              ? t`We gave these names. The blockchain shows only addresses.`
              : t`We haven't published the partners of this pool yet. When we do, we will name them here.`}
          </p>
        </>
      )}
    </>
  )
}

/** An update in the timeline. Without a picture of its own, it has a drawing of the place. */
function UpdateItem({ pool, update }: { pool: ImpactPool; update: PoolUpdate }) {
  const id = `update-${update.id}`
  return (
    <li data-key={id} className="timeline-update">
      <article aria-labelledby={id}>
        {update.pictures.length === 0 ? (
          <img src={pool.image} alt="" width="480" height="270" loading="lazy" className="update-picture" />
        ) : (
          <div>
            <Pictures pictures={update.pictures} />
          </div>
        )}
        <div>
          <UpdateText pool={pool} update={update} id={id} className="" />
        </div>
      </article>
    </li>
  )
}

/** The donations from the treasury and the gifts: everything that 'Total Donated' counts, newest first. */
export function DonationsIn({ donations }: { donations: Transaction[] }) {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  return (
    <>
      <ol className="payments">
        {donations.map((payment) => (
          <Payment
            key={payment.id}
            payment={payment}
            what={payment.type === 'gift' ? i18n._(key(typeLabel(payment.type))) : t`From the treasury`}
          >
            {(payment.type === 'gift' || payment.toAccount === null) && (
              <span className="text-muted">
                {payment.type === 'gift' ? <GivenBy payment={payment} /> : <PaidTo payment={payment} />}
              </span>
            )}
            {payment.note && (
              <span className="text-muted">
                <EnglishWords>{payment.note}</EnglishWords>
              </span>
            )}
            {payment.proofUrl && <Receipt payment={payment} />}
          </Payment>
        ))}
      </ol>
      <AllVerified payments={donations} />
    </>
  )
}

function Payment({
  payment,
  what,
  children,
}: {
  payment: Transaction
  what: ReactNode
  children: ReactNode
}) {
  return (
    <PaymentItem
      payment={payment}
      name={
        <>
          {what}
          <span className="sr-only">
            <Trans>
              , <When date={payment.occurredAt} day />: details of this transaction
            </Trans>
          </span>
        </>
      }
    >
      {children}
    </PaymentItem>
  )
}

function PaidTo({ payment }: { payment: Transaction }) {
  const recipient = <Party address={payment.toAddress} name={payment.counterName} />
  return payment.type === 'donation' ? (
    <Trans>to {recipient}, straight from the treasury</Trans>
  ) : (
    <Trans comment="Below the purpose of a payment: the name of who received it">to {recipient}</Trans>
  )
}

function GivenBy({ payment }: { payment: Transaction }) {
  const from = <Party address={payment.fromAddress} name={payment.counterName} />
  return <Trans comment="Below a gift: the wallet that sent it">from {from}</Trans>
}

function Receipt({ payment: { proofUrl, note, occurredAt } }: { payment: Transaction }) {
  const { t } = useLingui()
  const purpose = note ? <EnglishWords>{note}</EnglishWords> : t`the payment`
  if (!proofUrl)
    return (
      <span className="payment-receipt text-sm text-muted">
        <Trans>No receipt yet</Trans>
      </span>
    )
  return (
    <span className="payment-receipt text-sm">
      <a href={proofUrl} className="link inline-flex items-center gap-1" rel="noopener nofollow">
        <Icon name="receipt" size={16} />
        <Trans>
          Receipt
          <span className="sr-only">
            {' '}
            of {purpose}, <When date={occurredAt} day />
          </span>
        </Trans>
      </a>
    </span>
  )
}

/**
 * One line for the whole list, instead of a mark in each row. A row that is not verified shows its own
 * status.
 */
function AllVerified({ payments }: { payments: Transaction[] }) {
  const { t } = useLingui()
  const all = payments.every(({ status }) => status === 'verified')
  return (
    <p className="mt-3 flex items-center gap-1 text-sm">
      <span className="text-good">
        <Icon name="check" size={16} />
      </span>
      {all ? t`All verified on chain.` : t`Verified on chain, except where a payment says otherwise.`}
    </p>
  )
}
