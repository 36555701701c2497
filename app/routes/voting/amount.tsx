import { Trans } from '@lingui/react/macro'
import type { Donation } from '~/ledger/transactions.server'
import { useLanguage } from '~/locales/react'

/** The dollar value and the token amount of a payment. */
export function Amount({
  payment: { amountUsd, tokens },
}: {
  payment: Pick<Donation, 'amountUsd' | 'tokens'>
}) {
  const { formats } = useLanguage()
  return (
    <span className="figures grid">
      {amountUsd === null ? (
        <span className="text-muted">
          <Trans>No dollar value yet</Trans>
        </span>
      ) : (
        <span className="font-semibold">{formats.exactDollars(amountUsd)}</span>
      )}
      {tokens && <span className="text-sm text-muted">{formats.tokens(tokens)}</span>}
    </span>
  )
}
