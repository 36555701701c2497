import { Hash } from '~/ledger/hash'
import type { Reconciliation } from '~/ledger/reconciliations.server'
import { formatTokens } from '~/ledger/transactions'
import { type Wallet, walletName } from '~/ledger/wallets'
import { formatCount } from '~/money'
import { Icon } from '~/ui/icon'
import { Section } from '~/ui/section'
import { type Column, Table } from '~/ui/table'
import { When } from '~/ui/when'

/** The wallets' balances on chain and in the ledger, unrounded; nothing without a reconciliation. */
export function ReconciliationSection({
  reconciliations,
  wallets,
}: {
  reconciliations: Reconciliation[] | null
  wallets: Wallet[]
}) {
  if (!reconciliations?.length) return null
  const columns: Column<Reconciliation>[] = [
    {
      name: 'Wallet',
      cell: ({ wallet }) => (
        <span className="grid justify-items-start">
          {walletName(wallets, wallet) ?? 'Not our wallet any more'}
          <Hash value={wallet} kind="address" />
        </span>
      ),
    },
    {
      name: 'On the blockchain',
      className: 'figures',
      cell: ({ chainAmount }) => formatTokens(chainAmount, Number.POSITIVE_INFINITY),
    },
    {
      name: 'In our ledger',
      className: 'figures',
      cell: ({ ledgerAmount, gasPaid }) => (
        <span className="grid">
          <span>{formatTokens(ledgerAmount, Number.POSITIVE_INFINITY)}</span>
          <NetworkFees paid={gasPaid} />
        </span>
      ),
    },
    {
      name: 'Difference',
      className: 'figures',
      cell: (reconciliation) => <Difference reconciliation={reconciliation} />,
    },
    {
      name: 'At block',
      className: 'figures',
      cell: ({ blockNumber, blockTime }) => (
        <span className="grid">
          {formatCount(blockNumber)}
          <span className="text-sm text-muted">
            <When date={blockTime} />
          </span>
        </span>
      ),
    },
  ]
  return (
    <Section id="reconciliation" heading="reconciliation-title" title="Do our books match the blockchain?">
      <p className="mt-3 max-w-[65ch] text-muted">
        What the blockchain says each wallet holds, next to what our ledger adds up to. If they differ, a
        payment is missing from our ledger. Once we find it, we name it here. Network fees aren't payments, so
        we list them separately and subtract them before we compare.
      </p>
      <Table
        caption="Wallet balances: blockchain and ledger"
        columns={columns}
        rows={reconciliations}
        keyOf={({ id }) => id}
      />
    </Section>
  )
}

/** What a wallet has paid for gas; nothing for a token, or before the first fee. */
function NetworkFees({ paid }: { paid: Reconciliation['gasPaid'] }) {
  if (paid?.amount === 0n) return null
  return (
    <span className="text-sm text-muted">
      Network fees: {paid ? formatTokens(paid, Number.POSITIVE_INFINITY) : 'not known'}
    </span>
  )
}

function Difference({ reconciliation: { difference, unlisted } }: { reconciliation: Reconciliation }) {
  if (!difference)
    return (
      <span className="grid justify-items-start">
        <strong>Not compared yet</strong>
        <span className="text-sm text-muted">
          We don't know all the network fees this wallet has paid, because we haven't read all of its history.
        </span>
      </span>
    )
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
          Missing from this ledger: {formatTokens(tokens, Number.POSITIVE_INFINITY)}{' '}
          {direction === 'in' ? 'received' : 'paid'}, <Hash value={txHash} kind="tx" />
        </span>
      ))}
      {unlisted.length === 0 && (
        <span className="text-sm text-muted">We're still looking for the missing payment.</span>
      )}
    </span>
  )
}
