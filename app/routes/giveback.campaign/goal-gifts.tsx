import { Trans, useLingui } from '@lingui/react/macro'
import type { PublicGoal } from '~/fundme/public-goals.server'
import { namedByUs } from '~/ledger/names'
import type { Transaction } from '~/ledger/transactions.server'
import { StatusBadge } from '~/ledger/verification-status'
import { PageLink, useLanguage } from '~/locales/react'
import { When } from '~/ui/when'
import { EnglishWords } from '~/ui/words'

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
  const { t } = useLingui()
  const { formats } = useLanguage()
  const { id, occurredAt, amountUsd, tokens, status } = gift
  return (
    <li data-key={id}>
      <span className="payment-date text-sm text-muted">
        <When date={occurredAt} day />
      </span>
      <PageLink to={`/transparency/${id}`} className="link font-semibold">
        <Trans comment="A gift that a goal received">Gift</Trans>
        <span className="sr-only"> {id}</span>
      </PageLink>
      <span className="payment-amount figures font-display text-lg font-semibold">
        {amountUsd !== null
          ? formats.exactDollars(amountUsd)
          : tokens
            ? formats.tokens(tokens, 2)
            : t`No dollar value yet`}
      </span>
      <span className="text-muted">
        <Giver gift={gift} />
        {endedAt && occurredAt > endedAt && (
          <>
            {' · '}
            <Trans comment="Of a gift: it arrived after the goal had ended">arrived later</Trans>
          </>
        )}
      </span>
      <span>
        <StatusBadge status={status} />
      </span>
    </li>
  )
}

function Giver({ gift: { fromAddress, fromAccount, counterName } }: { gift: Transaction }) {
  const { i18n } = useLanguage()
  if (fromAccount) return null
  const from = (
    <PageLink
      to={`/transparency?q=${fromAddress}#history`}
      className={counterName ? 'link' : 'link hash'}
      title={counterName ? i18n._(namedByUs(fromAddress)) : fromAddress}
    >
      {counterName ? (
        <EnglishWords>{counterName}</EnglishWords>
      ) : (
        <bdi>{`${fromAddress.slice(0, 6)}…${fromAddress.slice(-4)}`}</bdi>
      )}
    </PageLink>
  )
  return <Trans comment="Below a gift: the wallet that sent it">from {from}</Trans>
}
