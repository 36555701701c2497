import { formatCount } from '../money'
import { Hash } from '../ui/hash'
import { Icon } from '../ui/icon'
import { When } from '../ui/when'
import { type Explorer, explorerLink } from './explorer'
import type { Reconciliation } from './reconciliations'
import { formatTokens } from './transactions'
import { type Wallet, walletName } from './wallets'

/** The wallets' balances on chain and in the ledger, unrounded; nothing before the first reconciliation. */
export function ReconciliationSection({
  reconciliations,
  wallets,
  explorer,
}: {
  reconciliations: Reconciliation[]
  wallets: Wallet[]
  explorer: Explorer
}) {
  if (reconciliations.length === 0) return null
  return (
    <section id="reconciliation" className="column pt-section" aria-labelledby="reconciliation-title">
      <h2 id="reconciliation-title" className="text-heading">
        Reconciliation
      </h2>
      <p className="mt-3 max-w-[65ch] text-muted">
        What each wallet held at one block, as the chain says, beside what the verified rows of the ledger add
        up to until there. Where the two differ, a transfer is missing here, and is named.
      </p>
      <table className="ledger">
        <caption>Balances on chain against the ledger</caption>
        <thead>
          <tr>
            <th scope="col">Wallet</th>
            <th scope="col">On chain</th>
            <th scope="col">In the ledger</th>
            <th scope="col">Difference</th>
            <th scope="col">At block</th>
          </tr>
        </thead>
        <tbody>
          {reconciliations.map((found) => (
            <tr key={found.id}>
              <td data-label="Wallet">
                <span className="grid justify-items-start">
                  {walletName(wallets, found.wallet)}
                  <Hash value={found.wallet} href={explorerLink(explorer, 'address', found.wallet)} />
                </span>
              </td>
              <td data-label="On chain" className="figures">
                {formatTokens(found.onChain, Number.POSITIVE_INFINITY)}
              </td>
              <td data-label="In the ledger" className="figures">
                {formatTokens(found.inLedger, Number.POSITIVE_INFINITY)}
              </td>
              <td data-label="Difference" className="figures">
                <Difference found={found} explorer={explorer} />
              </td>
              <td data-label="At block" className="figures">
                <span className="grid">
                  {formatCount(found.blockNumber)}
                  <span className="text-sm text-muted">
                    <When date={found.blockTime} />
                  </span>
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Difference({
  found: { difference, unlisted },
  explorer,
}: {
  found: Reconciliation
  explorer: Explorer
}) {
  if (difference.amount === 0n && unlisted.length === 0)
    return (
      <span className="flex items-center gap-1.5 font-semibold text-good">
        <Icon name="check" size={14} />
        None
      </span>
    )
  return (
    <span className="grid justify-items-start">
      <strong className="text-bad">{formatTokens(difference, Number.POSITIVE_INFINITY)}</strong>
      {unlisted.map(({ txHash, direction, tokens }) => (
        <span key={txHash + direction + tokens.amount} className="text-sm text-muted">
          Not in the ledger: {formatTokens(tokens, Number.POSITIVE_INFINITY)} {direction},{' '}
          <Hash value={txHash} href={explorerLink(explorer, 'tx', txHash)} />
        </span>
      ))}
      {unlisted.length === 0 && (
        <span className="text-sm text-muted">Which transfer is missing is not known yet.</span>
      )}
    </span>
  )
}
