import { type Donation, formatTokens } from '~/ledger/transactions'
import { formatDollars } from '~/money'

/** The value of a payment in dollars, and its amount of the token. */
export function Amount({ payment: { amount, tokens } }: { payment: Pick<Donation, 'amount' | 'tokens'> }) {
  return (
    <span className="figures grid">
      {amount === null ? (
        <span className="text-muted">No dollar value yet</span>
      ) : (
        <span className="font-semibold">{formatDollars(amount)}</span>
      )}
      {tokens && <span className="text-sm text-muted">{formatTokens(tokens)}</span>}
    </span>
  )
}
