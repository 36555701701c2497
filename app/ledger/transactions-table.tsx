import { formatExactDollars } from '../money'
import { When } from '../ui/when'
import { accountName } from './accounts'
import { ExplorerLink } from './explorer-link'
import { namedByUs } from './names'
import { statusWords } from './statuses'
import { formatTokens, typeLabel } from './transactions'
import type { Transaction } from './transactions.server'
import type { Wallet } from './wallets'

/** The transactions of the history, each in one line on a wide screen. The other facts of a row are on its own page. */
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
  const { id, type, txHash, occurredAt, status, fromAccount, fromAddress, toAccount, toAddress } = transaction
  const { counterName } = transaction
  return (
    <tr data-key={id} className={type === 'donation' ? 'ledger-donation' : undefined}>
      <td className="rows-date figures">
        <a href={`/transparency/${id}`} className="link">
          <When date={occurredAt} day />
          <span className="sr-only">, {txHash.slice(0, 8)}: details of this transaction</span>
        </a>
      </td>
      <td className="rows-type">
        <span className={type === 'donation' ? 'badge bg-gold text-on-gold' : 'badge bg-plain-wash'}>
          {typeLabel(type)}
        </span>
      </td>
      <td className="rows-party">
        <Side account={fromAccount} address={fromAddress} name={counterName} wallets={wallets} />
        <span className="text-muted" aria-hidden="true">
          {' → '}
        </span>
        <span className="sr-only"> to </span>
        <Side account={toAccount} address={toAddress} name={counterName} wallets={wallets} />
      </td>
      <td className="rows-status">
        <StatusWords status={status} />
      </td>
      <td className="rows-details">
        <ExplorerLink kind="tx" value={txHash} title={txHash} className="link hash">
          {txHash.slice(0, 8)}…
        </ExplorerLink>
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
 * One side of a transfer: our account by its name, otherwise the name that we gave to the wallet, or its address. Links
 * to the rows of that side.
 */
function Side({
  account,
  address,
  name,
  wallets,
}: {
  account: string | null
  address: string
  name: string | null
  wallets: Wallet[]
}) {
  const slug = account ?? wallets.find((wallet) => wallet.address.toLowerCase() === address)?.slug
  const ours = accountName(slug)
  if (ours)
    return (
      <a href={`/transparency?wallet=${slug}#history`} className="link">
        {ours}
      </a>
    )
  return (
    <a
      href={`/transparency?q=${address}#history`}
      className={name ? 'link' : 'link hash'}
      title={name ? namedByUs(address) : address}
    >
      {name ?? `${address.slice(0, 6)}…${address.slice(-4)}`}
    </a>
  )
}
