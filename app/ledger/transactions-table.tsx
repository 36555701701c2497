import { findPool } from '../impact-pools'
import { formatExactDollars } from '../money'
import { When } from '../ui/when'
import { accountName } from './accounts'
import { statusWords } from './statuses'
import { formatTokens, typeLabel } from './transactions'
import type { Transaction } from './transactions.server'
import { type Wallet, walletName } from './wallets'

/** The transactions of the history, one line each on a wide screen. The other facts of a row are on its own page. */
export function TransactionsTable({
  transactions,
  wallets,
  caption,
}: {
  transactions: Transaction[]
  wallets: Wallet[]
  caption: string
}) {
  return (
    <table className="rows">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Date</th>
          <th scope="col">Type</th>
          <th scope="col">To/From</th>
          <th scope="col">Status</th>
          <th scope="col">Transaction</th>
          <th scope="col" className="text-right">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {transactions.map((transaction) => (
          <Row key={transaction.id} transaction={transaction} wallets={wallets} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ transaction, wallets }: { transaction: Transaction; wallets: Wallet[] }) {
  const { id, type, direction, txHash, occurredAt, status } = transaction
  return (
    <tr data-key={id} className={type === 'donation' ? 'ledger-donation' : undefined}>
      <td className="rows-date figures">
        <When date={occurredAt} day />
      </td>
      <td className="rows-type">
        <span className={type === 'donation' ? 'badge bg-gold text-on-gold' : 'badge bg-plain-wash'}>
          {typeLabel(type)}
        </span>
      </td>
      <td className="rows-party">
        <span className="text-muted">{direction === 'out' ? 'To' : 'From'} </span>
        <Party transaction={transaction} wallets={wallets} />
      </td>
      <td className="rows-status">
        <StatusWords status={status} />
      </td>
      <td className="rows-details">
        <a href={`/transparency/${id}`} className="link hash" title={txHash}>
          {txHash.slice(0, 8)}…<span className="sr-only"> details of this transaction</span>
        </a>
      </td>
      <td className="rows-amount figures">
        <RowAmount transaction={transaction} />
      </td>
    </tr>
  )
}

/** In dollars with two decimals, negative for a payment out; without a value, the amount of the token. */
function RowAmount({ transaction: { amountUsd, tokens, direction } }: { transaction: Transaction }) {
  if (amountUsd !== null) return formatExactDollars(direction === 'out' ? -amountUsd : amountUsd)
  return <span className="text-muted">{tokens ? formatTokens(tokens, 2) : 'No dollar value yet'}</span>
}

function StatusWords({ status }: Pick<Transaction, 'status'>) {
  const tone = { verified: 'bg-good-wash text-good', mismatch: 'bg-bad-wash text-bad' }[status as string]
  return (
    <span
      className={`badge ${tone ?? (status === 'reorganised' ? 'bg-bad-wash text-bad' : 'bg-plain-wash')}`}
    >
      {statusWords[status]}
    </span>
  )
}

/**
 * The other side: one of our accounts by its name, or the pool's name and an address. Links to the rows of that side.
 */
function Party({ transaction, wallets }: { transaction: Transaction; wallets: Wallet[] }) {
  const { direction, poolSlug, account, counterAccount } = transaction
  const address = direction === 'out' ? transaction.toAddress : transaction.fromAddress
  const ours = walletName(wallets, address)
  const slug =
    wallets.find(({ name }) => name === ours)?.slug ?? (direction === 'out' ? counterAccount : null)
  const known = slug && slug !== account ? accountName(slug) : ours
  if (known && slug)
    return (
      <a href={`/transparency?wallet=${slug}#history`} className="link">
        {known}
      </a>
    )
  return (
    <>
      {poolSlug && <span>{findPool(poolSlug)?.title ?? poolSlug}, </span>}
      <a href={`/transparency?q=${address}#history`} className="link hash" title={address}>
        {address.slice(0, 6)}…{address.slice(-4)}
      </a>
    </>
  )
}
