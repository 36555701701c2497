import { Trans } from '@lingui/react/macro'
import type { PublicGoal } from '~/goals/public-goals.server'
import { Party, PaymentItem } from '~/ledger/payment-item'
import type { Transaction } from '~/ledger/transactions.server'
import { PageLink } from '~/platform/locales/react'

/** Maximum number of listed rows. The history has the other rows. */
const listed = 10

/** Payments to a goal, newest first, each with its status, and a link to all of them. */
export function Gifts({ gifts, goal }: { gifts: Transaction[]; goal: PublicGoal }) {
  return (
    <>
      <ol className="payments">
        {gifts.slice(0, listed).map((gift) => (
          <Gift key={gift.id} gift={gift} endedAt={goal.endedAt} />
        ))}
      </ol>
      {gifts.length > listed && (
        <p className="mt-3">
          <PageLink to={`/transparency?pool=${goal.slug}#history`} className="link inline-block py-1">
            <Trans>See all gifts to this goal</Trans>
          </PageLink>
        </p>
      )}
    </>
  )
}

function Gift({ gift, endedAt }: { gift: Transaction; endedAt: Date | null }) {
  const name = (
    <>
      <Trans comment="A gift that a goal received">Gift</Trans>
      <span className="sr-only"> {gift.id}</span>
    </>
  )
  return (
    <PaymentItem payment={gift} name={name} hasStatus>
      <span className="text-muted">
        <Giver gift={gift} />
        {endedAt && gift.occurredAt > endedAt && (
          <>
            {' · '}
            <Trans comment="Of a gift: it arrived after the goal had ended">arrived later</Trans>
          </>
        )}
      </span>
    </PaymentItem>
  )
}

function Giver({ gift: { fromAddress, fromAccount, counterName } }: { gift: Transaction }) {
  if (fromAccount) return null
  const from = <Party address={fromAddress} name={counterName} />
  return <Trans comment="Below a gift: the wallet that sent it">from {from}</Trans>
}
