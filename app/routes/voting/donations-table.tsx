import { findPool } from '~/impact-pools'
import { ExplorerLink } from '~/ledger/explorer-link'
import type { Donation } from '~/ledger/transactions.server'
import { VerificationNote } from '~/ledger/verification-status'
import { type Column, Table } from '~/ui/table'
import { When } from '~/ui/when'
import { Amount } from './amount'

const columns: Column<Donation>[] = [
  {
    name: 'Pool',
    className: 'font-semibold',
    cell: ({ poolSlug }) => findPool(poolSlug)?.title ?? poolSlug,
  },
  { name: 'Amount', cell: (donation) => <Amount payment={donation} /> },
  { name: 'Date', className: 'figures', cell: ({ occurredAt }) => <When date={occurredAt} /> },
  {
    name: 'Transaction',
    cell: (donation) => (
      <span className="grid justify-items-start gap-0.5">
        <span className="flex flex-wrap gap-x-4">
          <ExplorerLink kind="tx" value={donation.txHash} title={donation.txHash}>
            View TX
            <ShortHash of={donation} />
          </ExplorerLink>
          <a href={`/transparency/${donation.id}`} className="link">
            Details<span className="sr-only"> of</span>
            <ShortHash of={donation} />
          </a>
        </span>
        <VerificationNote verification={donation} />
      </span>
    ),
  },
  {
    name: 'Proof',
    cell: (donation) =>
      donation.proofUrl ? (
        <a href={donation.proofUrl} className="link" rel="noopener nofollow">
          Proof<span className="sr-only"> of</span>
          <ShortHash of={donation} />
        </a>
      ) : (
        <span className="text-muted">None yet</span>
      ),
  },
]

/** Distinguishes the links of one donation from those of another for screen readers. */
function ShortHash({ of: { txHash } }: { of: Donation }) {
  return <span className="sr-only"> {txHash.slice(0, 8)}</span>
}

/** The donations to the pools, each with its transaction and its proof. */
export function DonationsTable({ donations }: { donations: Donation[] }) {
  return (
    <Table
      caption="Donations to the impact pools, newest first"
      columns={columns}
      rows={donations}
      keyOf={({ id }) => id}
      live
    />
  )
}
