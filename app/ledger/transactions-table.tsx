import { findPool } from '../impact-pools'
import { Hash } from '../ui/hash'
import { Icon } from '../ui/icon'
import { When } from '../ui/when'
import { Amount } from './amount'
import { type Explorer, explorerLink } from './explorer'
import { type Transaction, typeLabel } from './transactions'
import { VerificationNote } from './verification-status'
import { type Wallet, walletName } from './wallets'

/** The history. On a narrow screen each row becomes a block of its own, with its headings beside the values. */
export function TransactionsTable(props: {
  transactions: Transaction[]
  wallets: Wallet[]
  explorer: Explorer
  caption: string
}) {
  return (
    <table className="ledger">
      <caption>{props.caption}</caption>
      <thead>
        <tr>
          <th scope="col">Date</th>
          <th scope="col">Type</th>
          <th scope="col">Amount</th>
          <th scope="col">To/From</th>
          <th scope="col">Transaction</th>
        </tr>
      </thead>
      <tbody>
        {props.transactions.map((transaction) => (
          <Row key={transaction.id} {...props} transaction={transaction} />
        ))}
      </tbody>
    </table>
  )
}

function Row({
  transaction,
  wallets,
  explorer,
}: {
  transaction: Transaction
  wallets: Wallet[]
  explorer: Explorer
}) {
  const { type, direction, pool, proof, note, txHash } = transaction
  const out = direction === 'out'
  const party = out ? transaction.to : transaction.from
  const name = findPool(pool)?.title ?? walletName(wallets, party)
  return (
    <tr className={type === 'donation' ? 'ledger-donation' : undefined}>
      <td data-label="Date" className="figures">
        <When date={transaction.occurredAt} />
      </td>
      <td data-label="Type">
        <TypeBadge type={type} />
      </td>
      <td data-label="Amount">
        <Amount payment={transaction} />
      </td>
      <td data-label="To/From">
        <span className="grid">
          <span className="flex flex-wrap items-center gap-x-1.5">
            <Icon name={out ? 'away' : 'toward'} size={16} />
            <span className="text-muted">{out ? 'To' : 'From'}</span>
            <Hash value={party} href={explorerLink(explorer, 'address', party)} />
          </span>
          {name && <span className="text-sm">{name}</span>}
          {note && <span className="text-sm text-muted wrap-anywhere">{note}</span>}
        </span>
      </td>
      <td data-label="Transaction">
        <span className="grid justify-items-start gap-0.5">
          <Hash value={txHash} href={explorerLink(explorer, 'tx', txHash)} />
          <VerificationNote standing={transaction.standing} />
          <span className="flex gap-x-4">
            <a href={`/transparency/${transaction.id}`} className="link text-sm">
              Details<span className="sr-only"> of transaction {txHash.slice(0, 8)}</span>
            </a>
            {proof && (
              <a href={proof} className="link text-sm" rel="noopener nofollow">
                Proof<span className="sr-only"> of transaction {txHash.slice(0, 8)}</span>
              </a>
            )}
          </span>
        </span>
      </td>
    </tr>
  )
}

/** A donation is what all this is about, and looks like it. */
function TypeBadge({ type }: { type: string }) {
  return type === 'donation' ? (
    <span className="badge bg-gold text-on-gold">
      <Icon name="donated" size={16} />
      {typeLabel(type)}
    </span>
  ) : (
    <span className="badge bg-plain-wash">{typeLabel(type)}</span>
  )
}
