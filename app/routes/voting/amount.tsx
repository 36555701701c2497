import { formatTokens } from '~/ledger/transactions'
import type { Donation } from '~/ledger/transactions.server'
import { formatDollars } from '~/money'

/** The value of a payment in dollars, and its amount of the token. */
export function Amount({
  payment: { amountUsd, tokens },
}: {
  payment: Pick<Donation, 'amountUsd' | 'tokens'>
}) {
  return (
    <span className="figures grid">
      {amountUsd === null ? (
        <span className="text-muted">No dollar value yet</span>
      ) : (
        <span className="font-semibold">{formatDollars(amountUsd)}</span>
      )}
      {tokens && <span className="text-sm text-muted">{formatTokens(tokens)}</span>}
    </span>
  )
}
