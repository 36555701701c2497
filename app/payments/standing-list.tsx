import { msg } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { accountName } from '../ledger/accounts'
import { EntryLink } from '../ledger/entry-link'
import { Withdrawn } from '../ledger/withdrawn'
import { key } from '../platform/locales/key'
import { Gap, useLanguage } from '../platform/locales/react'
import { When } from '../platform/ui/when'
import { EnglishWords } from '../platform/ui/words'
import { AccountName, OrderAmount, Purpose } from './order-words'
import type { StandingOrder, Valued } from './standing.server'

/** Standing orders with their limits and what they did. `now` is in milliseconds. */
export function StandingList({ standing, now }: { standing: readonly StandingOrder[]; now: number }) {
  return (
    <ol className="mt-4 grid gap-x-12 lg:grid-cols-2">
      {standing.map((each) => (
        <li
          key={each.number}
          data-key={each.number}
          id={`standing-${each.number}`}
          className="border-t border-hairline py-4"
        >
          <StandingItem standing={each} now={now} />
        </li>
      ))}
    </ol>
  )
}

/** '$500.00', or '500 USDT' if the value is unknown: a whole amount. */
export function Tokens({ of }: { of: Valued }) {
  const { formats } = useLanguage()
  if (of.amount === 0n && of.amountUsd === 0) return formats.exactDollars(0)
  return <OrderAmount order={{ tokens: of, amountUsd: of.amountUsd ?? null }} />
}

function StandingItem({ standing, now }: { standing: StandingOrder; now: number }) {
  const { i18n } = useLanguage()
  const { number, rule, logIndex, orderLimit, monthLimit, account, orders, paid } = standing
  const { approvedBy, approvedSecond } = standing
  const wallet = <AccountName slug={account} />
  return (
    <article className="wrap-anywhere" aria-labelledby={`standing-${number}-title`}>
      <h3 id={`standing-${number}-title`} className="text-xl">
        <Title standing={standing} />
      </h3>
      <p className="mt-1 font-semibold whitespace-pre-line">
        <Purpose order={standing} />
      </p>
      <p className="mt-1">
        <strong className="font-semibold">{i18n._(stateOf(standing, now))}</strong>{' '}
        {orders === 0 ? (
          <Trans>It has ordered no payment yet.</Trans>
        ) : (
          <Trans>
            So far <Plural value={orders} one="# payment was ordered" other="# payments were ordered" />, and{' '}
            <Tokens of={paid} /> paid.
          </Trans>
        )}
      </p>
      <Suspension standing={standing} />
      <details className="text-sm">
        <summary className="link w-fit py-1">
          <Trans comment="What is folded below a standing order; its number is for screen readers">
            Details<span className="sr-only"> of standing order {number}</span>
          </Trans>
        </summary>
        <p>
          <Rule standing={standing} />
        </p>
        <p>
          {rule === 'allocation' ? (
            <Trans>
              At most <Tokens of={orderLimit} /> for one payment and <Tokens of={monthLimit} /> for the tax of
              a month, until <When date={standing.endsAt} />.
            </Trans>
          ) : (
            <Trans>
              At most <Tokens of={orderLimit} /> for one payment and <Tokens of={monthLimit} /> in 30 days,
              until <When date={standing.endsAt} />.
            </Trans>
          )}
          <Correction standing={standing} />
        </p>
        <p className="text-muted">
          <Trans>
            Standing order {number}, from {wallet}.
          </Trans>
          <Gap />
          {approvedBy && approvedSecond && (
            <Trans>
              Approved by {approvedBy} and {approvedSecond} on <When date={standing.madeAt} />.
            </Trans>
          )}
        </p>
        {logIndex !== null && (
          <p>
            <EntryLink logIndex={logIndex} className="link py-1" />
          </p>
        )}
      </details>
    </article>
  )
}

function stateOf({ state, endsAt }: StandingOrder, now: number) {
  if (state === 'suspended') return msg({ message: 'Suspended', context: 'standing order' })
  return endsAt.getTime() > now
    ? msg({ message: 'Active', context: 'standing order' })
    : msg({ message: 'Ended', context: 'standing order' })
}

/** Who gets the payments of a standing order that answers posts. */
export function StandingRecipient({ standing }: { standing: StandingOrder }) {
  const { recipient, recipientAccount, recipientName } = standing
  if (recipient === 'pool' && recipientAccount) return <AccountName slug={recipientAccount} />
  return recipientName === null ? (
    <Withdrawn reason={undefined} />
  ) : (
    <EnglishWords>{recipientName}</EnglishWords>
  )
}

function Title({ standing }: { standing: StandingOrder }) {
  const { rule, amount, percent } = standing
  const { formats } = useLanguage()
  switch (rule) {
    case 'call':
      return (
        <Trans comment="An amount, and who receives it">
          CZ Call: {amount && <Tokens of={amount} />} to <StandingRecipient standing={standing} />
        </Trans>
      )
    case 'allocation': {
      const share = formats.percent((percent ?? 0) / 10)
      return <Trans>{share} of the trading tax, each month</Trans>
    }
    case 'vote':
      return <Trans>What goals that won their vote lack</Trans>
  }
}

/** What a standing order does, in a sentence. */
function Rule({ standing }: { standing: StandingOrder }): ReactNode {
  const { i18n, formats } = useLanguage()
  const { rule, source, words, everyDays, day, split } = standing
  switch (rule) {
    case 'call': {
      const host = <bdi dir="ltr">{hostOf(source)}</bdi>
      const list =
        words === null ? (
          <Withdrawn reason={undefined} />
        ) : (
          <EnglishWords>{words.split('\n').join(', ')}</EnglishWords>
        )
      return (
        <Trans>
          Answers a post of {host} with one of these words: {list}. At most once in{' '}
          <Plural value={everyDays ?? 1} one="# day" other="# days" />.
        </Trans>
      )
    }
    case 'allocation': {
      const parts = Object.entries(split ?? {})
        .filter(([, share]) => share > 0)
        .map(([name, share]) => `${formats.percent(share / 10)} ${i18n._(partName(name))}`)
        .join(', ')
      return (
        <Trans>
          On day {day} of each month, it divides the verified tax of the month before: {parts}.
        </Trans>
      )
    }
    case 'vote':
      return <Trans>Pays the target of the goal, less what it has received, to its wallet.</Trans>
  }
}

const partName = (name: string) =>
  name === 'goals'
    ? msg`FundMe winners (kept in the treasury)`
    : name === 'reserve'
      ? msg`reserve (kept in the treasury)`
      : name === 'donation-wallet'
        ? msg`CZ Call`
        : key(accountName(name) ?? name)

/** The host of a source of posts. */
export const hostOf = (source: string | null) =>
  source?.startsWith('x:') ? 'x.com' : (/^https?:\/\/([^/?#]+)/.exec(source ?? '')?.[1] ?? source)

/** The tax of the last month that was divided, if the ledger has another one now. */
function Correction({ standing }: { standing: StandingOrder }) {
  const { formats } = useLanguage()
  const { allocatedMonth, allocatedTaxUsd: then, allocatedNowUsd: now } = standing
  if (!allocatedMonth || then === null || now === null || then === now) return null
  const month = formats.wholeMonth(new Date(`${allocatedMonth}T00:00:00Z`))
  const [former, current] = [formats.exactDollars(then), formats.exactDollars(now)]
  return (
    <>
      {' '}
      <Trans>
        The tax of {month} was {former} when it was divided, and is {current} now. The difference is not paid.
      </Trans>
    </>
  )
}

function Suspension({
  standing: { state, suspendedBy, suspensionReason, movedAt },
}: {
  standing: StandingOrder
}) {
  if (state !== 'suspended') return null
  const reason =
    suspensionReason === null ? (
      <Withdrawn reason={undefined} />
    ) : (
      <EnglishWords>{suspensionReason}</EnglishWords>
    )
  return (
    <p className="mt-1">
      {suspendedBy === null ? (
        <Trans>
          Suspended by the holder of the secret key on <When date={movedAt} />: {reason}
        </Trans>
      ) : (
        <Trans>
          Suspended by {suspendedBy} on <When date={movedAt} />: {reason}
        </Trans>
      )}
    </p>
  )
}
