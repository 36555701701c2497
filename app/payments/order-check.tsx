import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { MustTick } from '../acts/must-tick'
import type { FieldState } from '../platform/forms/refusal'
import { key } from '../platform/locales/key'
import { PageLink, useLanguage } from '../platform/locales/react'
import { When } from '../platform/ui/when'
import { EnglishWords } from '../platform/ui/words'
import type { Warning } from './order-warnings'
import { AccountName } from './order-words'
import { PaidWords } from './payee-words'
import type { OrderCheck } from './payees.server'

/** The ticks of the operator who confirms an order, with what is said without them. */
export const mustBeRight: Record<'is_amount' | 'is_recipient', MessageDescriptor> = {
  is_amount: msg`Say that the amount is right.`,
  is_recipient: msg`Say that the recipient is right.`,
}

/** What an order does to its wallet, what its recipient got before, and a warning for each first. */
export function OrderSheet({ order }: { order: OrderCheck }) {
  const { t } = useLingui()
  const { formats } = useLanguage()
  const { account, to, usd, payee, balance, warnings } = order
  const held = balance?.usd ?? null
  const left = held === null || !balance ? null : held - balance.ordered - usd
  const amount = formats.dollars(usd)
  return (
    <section className="sheet mt-6 max-w-3xl" aria-labelledby="order-check">
      <h2 id="order-check" className="text-xl wrap-anywhere">
        <Trans comment="An order: its amount, who receives it, and the wallet that pays">
          {amount} to <PayeeName order={order} />, from <AccountName slug={account} />
        </Trans>
      </h2>
      {warnings.map((warning) => (
        <p key={warning.kind} className="notice border-s-4 border-bad bg-bad-wash">
          <WarningWords warning={warning} />
        </p>
      ))}
      <dl className="facts mt-4">
        <div>
          <dt>{t`Paid before by this wallet`}</dt>
          <dd>
            <PaidWords payee={payee} />{' '}
            <PageLink to={`/transparency?q=${to}`} className="link">
              <Trans>All its payments</Trans>
            </PageLink>
          </dd>
        </div>
        <div>
          <dt>{t`In the wallet now`}</dt>
          <dd>{held === null ? <Trans>unknown</Trans> : formats.exactDollars(held)}</dd>
        </div>
        <div>
          <dt>{t`After this and the open orders`}</dt>
          <dd className={left !== null && left < 0 ? 'font-semibold text-bad' : undefined}>
            {left === null ? <Trans>unknown</Trans> : formats.exactDollars(left)}
          </dd>
        </div>
      </dl>
    </section>
  )
}

function PayeeName({ order: { payee, to } }: { order: OrderCheck }) {
  const { i18n } = useLanguage()
  if (!payee) return <span className="hash">{to}</span>
  return payee.kind === 'pool' ? i18n._(key(payee.name)) : <EnglishWords>{payee.name}</EnglishWords>
}

function WarningWords({ warning }: { warning: Warning }) {
  const { formats } = useLanguage()
  switch (warning.kind) {
    case 'no':
      return (
        <Trans>
          The recipient says that{' '}
          <PageLink to={`/transparency/${warning.id}#arrival`} className="link">
            an earlier payment
          </PageLink>{' '}
          didn't arrive.
        </Trans>
      )
    case 'first':
      return <Trans>This wallet never paid this recipient.</Trans>
    case 'large': {
      const usual = formats.dollars(warning.usual)
      return <Trans>This is ten times the usual amount, {usual}, or more.</Trans>
    }
    case 'again':
      return (
        <Trans>
          The same amount went to this recipient, or was ordered, on <When date={warning.at} day />.
        </Trans>
      )
    case 'open': {
      const amount = formats.dollars(warning.usd)
      return (
        <Trans>
          Another order to this recipient is open: {amount}, from <When date={warning.at} day />.
        </Trans>
      )
    }
  }
}

/** What the second operator ticks: the amount, and who receives it. */
export function OrderTicks({
  order,
  field,
}: {
  order: OrderCheck | null
  field: (name: string) => FieldState
}) {
  const { formats } = useLanguage()
  const amount = order && formats.dollars(order.usd)
  return (['is_amount', 'is_recipient'] as const).map((name) => {
    const recipient = order && <PayeeName order={order} />
    return (
      <MustTick key={name} {...field(name)}>
        {name === 'is_amount' ? (
          <Trans>The amount is right: {amount}</Trans>
        ) : (
          <Trans>The recipient is right: {recipient}</Trans>
        )}
      </MustTick>
    )
  })
}
