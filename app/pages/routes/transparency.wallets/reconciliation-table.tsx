import { ph } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Hash } from '~/ledger/hash'
import type { Reconciliation } from '~/ledger/reconciliations.server'
import { type Wallet, walletName } from '~/ledger/wallets'
import { key } from '~/platform/locales/key'
import { useLanguage } from '~/platform/locales/react'
import { Icon } from '~/platform/ui/icon'
import { Section } from '~/platform/ui/section'
import { type Column, Table } from '~/platform/ui/table'
import { When } from '~/platform/ui/when'

/** The wallets' unrounded balances on the blockchain and in the ledger; nothing without a reconciliation. */
export function ReconciliationSection({
  reconciliations,
  wallets,
}: {
  reconciliations: Reconciliation[] | null
  wallets: Wallet[]
}) {
  const { t } = useLingui()
  const { i18n, formats } = useLanguage()
  if (!reconciliations?.length) return null
  const nameOf = (wallet: string) => {
    const name = walletName(wallets, wallet)
    return name ? i18n._(key(name)) : t`Not our wallet any more`
  }
  const columns: Column<Reconciliation>[] = [
    {
      name: t`Wallet`,
      cell: ({ wallet }) => (
        <span className="grid justify-items-start">
          {nameOf(wallet)}
          <Hash value={wallet} kind="address" />
        </span>
      ),
    },
    {
      name: t`On the blockchain`,
      className: 'figures',
      cell: ({ chainAmount }) => formats.tokens(chainAmount, Number.POSITIVE_INFINITY),
    },
    {
      name: t`In our ledger`,
      className: 'figures',
      cell: ({ ledgerAmount, gasPaid }) => (
        <span className="grid">
          <span>{formats.tokens(ledgerAmount, Number.POSITIVE_INFINITY)}</span>
          <NetworkFees paid={gasPaid} />
        </span>
      ),
    },
    {
      name: t`Difference`,
      className: 'figures',
      cell: (reconciliation) => <Difference reconciliation={reconciliation} />,
    },
    {
      name: t`At block`,
      className: 'figures',
      cell: ({ blockNumber, blockTime }) => (
        <span className="grid">
          {formats.count(blockNumber)}
          <span className="text-sm text-muted">
            <When date={blockTime} />
          </span>
        </span>
      ),
    },
  ]
  return (
    <Section id="reconciliation" heading="reconciliation-title" title={t`Do our books match the blockchain?`}>
      <p className="mt-3 max-w-[65ch] text-muted">
        <Trans>
          What the blockchain says each wallet holds, next to what our ledger adds up to. If they differ, a
          payment is missing from our ledger. Once we find it, we name it here. Network fees aren't payments,
          so we list them separately and subtract them before we compare. Equal balances don't show that each
          payment is right: its page says what was compared.
        </Trans>
      </p>
      <Table
        caption={t`Wallet balances: blockchain and ledger`}
        columns={columns}
        rows={reconciliations}
        keyOf={({ id }) => id}
      />
    </Section>
  )
}

/** The gas fees that a wallet has paid; renders nothing for a token, or before the first fee. */
function NetworkFees({ paid }: { paid: Reconciliation['gasPaid'] }) {
  const { formats } = useLanguage()
  if (paid?.amount === 0n) return null
  return (
    <span className="text-sm text-muted">
      {paid ? (
        <Trans>Network fees: {ph({ fees: formats.tokens(paid, Number.POSITIVE_INFINITY) })}</Trans>
      ) : (
        <Trans>Network fees: not known</Trans>
      )}
    </span>
  )
}

function Difference({ reconciliation: { difference, unlisted } }: { reconciliation: Reconciliation }) {
  const { formats } = useLanguage()
  if (!difference)
    return (
      <span className="grid justify-items-start">
        <strong>
          <Trans>Not compared yet</Trans>
        </strong>
        <span className="text-sm text-muted">
          <Trans>
            We don't know all the network fees this wallet has paid, because we haven't read all of its
            history.
          </Trans>
        </span>
      </span>
    )
  if (difference.amount === 0n && unlisted.length === 0)
    return (
      <span className="flex items-center gap-1.5 font-semibold text-good">
        <Icon name="check" size={14} />
        <Trans>None</Trans>
      </span>
    )
  return (
    <span className="grid justify-items-start">
      <strong className="text-bad">{formats.tokens(difference, Number.POSITIVE_INFINITY)}</strong>
      {unlisted.map(({ txHash, direction, tokens }) => (
        <span key={txHash + direction + tokens.amount} className="text-sm text-muted">
          {direction === 'in' ? (
            <Trans>
              Missing from this ledger: {ph({ amount: formats.tokens(tokens, Number.POSITIVE_INFINITY) })}{' '}
              received, <Hash value={txHash} kind="tx" />
            </Trans>
          ) : (
            <Trans>
              Missing from this ledger: {ph({ amount: formats.tokens(tokens, Number.POSITIVE_INFINITY) })}{' '}
              paid, <Hash value={txHash} kind="tx" />
            </Trans>
          )}
        </span>
      ))}
      {unlisted.length === 0 && (
        <span className="text-sm text-muted">
          <Trans>We're still looking for the missing payment.</Trans>
        </span>
      )}
    </span>
  )
}
