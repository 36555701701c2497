import { findPool } from '~/impact-pools'
import { ExplorerLink } from '~/ledger/explorer-link'
import type { Donation } from '~/ledger/transactions.server'
import { VerificationNote } from '~/ledger/verification-status'
import { When } from '~/ui/when'
import { Amount } from './amount'

/** The donations to the pools, each with its transaction and its proof. */
export function DonationsTable({ donations }: { donations: Donation[] }) {
  return (
    <table className="ledger">
      <caption>Donations to the impact pools, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Pool</th>
          <th scope="col">Amount</th>
          <th scope="col">Date</th>
          <th scope="col">Transaction</th>
          <th scope="col">Proof</th>
        </tr>
      </thead>
      <tbody>
        {donations.map((donation) => {
          const { id, poolSlug, occurredAt, txHash, proofUrl } = donation
          const which = <span className="sr-only"> {txHash.slice(0, 8)}</span>
          return (
            <tr key={id} data-key={id}>
              <td data-label="Pool" className="font-semibold">
                {findPool(poolSlug)?.title ?? poolSlug}
              </td>
              <td data-label="Amount">
                <Amount payment={donation} />
              </td>
              <td data-label="Date" className="figures">
                <When date={occurredAt} />
              </td>
              <td data-label="Transaction">
                <span className="grid justify-items-start gap-0.5">
                  <ExplorerLink kind="tx" value={txHash} title={txHash}>
                    View TX{which}
                  </ExplorerLink>
                  <VerificationNote verification={donation} />
                  <a href={`/transparency/${id}`} className="link text-sm">
                    Details<span className="sr-only"> of</span>
                    {which}
                  </a>
                </span>
              </td>
              <td data-label="Proof">
                {proofUrl ? (
                  <a href={proofUrl} className="link" rel="noopener nofollow">
                    Proof<span className="sr-only"> of</span>
                    {which}
                  </a>
                ) : (
                  <span className="text-muted">None yet</span>
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
