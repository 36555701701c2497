import { Trans } from '@lingui/react/macro'
import { formatTokens } from '~/ledger/transactions'
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
        <span className="font-semibold">{formats.dollars(amountUsd)}</span>
      )}
      {tokens && <span className="text-sm text-muted">{formatTokens(tokens)}</span>}
    </span>
  )
}
