import { Plural, Trans } from '@lingui/react/macro'
import { Gap, useLanguage } from '../platform/locales/react'
import { When } from '../platform/ui/when'
import type { Balance, Payee } from './payees.server'

/** How often a wallet paid a recipient, and the last payment. */
export function PaidWords({ payee }: { payee: Payee | undefined }) {
  const { formats } = useLanguage()
  if (!payee?.last) return <Trans comment="How often a recipient was paid">Never</Trans>
  const { times, last } = payee
  const amount = last.usd === null ? '' : formats.dollars(last.usd)
  return (
    <>
      <Plural value={times} one="Paid # time" other="Paid # times" />
      {', '}
      <Trans comment="After how often a recipient was paid: the last amount and its day">
        last {amount} on <When date={last.at} day />
      </Trans>
    </>
  )
}

/** What is in a wallet, and what its open orders take of it. */
export function BalanceWords({ balance: { usd, ordered } }: { balance: Balance }) {
  const { formats } = useLanguage()
  const waiting = formats.exactDollars(ordered)
  const amount = usd === null ? null : formats.exactDollars(usd)
  return (
    <>
      {amount === null ? <Trans>What is in it is unknown.</Trans> : <Trans>{amount} is in it.</Trans>}
      {ordered > 0 && (
        <>
          <Gap />
          <Trans>Its open orders take {waiting}.</Trans>
        </>
      )}
    </>
  )
}
