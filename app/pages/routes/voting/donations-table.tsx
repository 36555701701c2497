import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { hasDollars } from '~/ledger/amount'
import { ExplorerLink } from '~/ledger/explorer-link'
import { PoolLink } from '~/ledger/pool-link'
import type { Donation } from '~/ledger/transactions.server'
import { StatusBadge } from '~/ledger/verification-status'
import { PageLink, useLanguage } from '~/platform/locales/react'
import { type Column, Table } from '~/platform/ui/table'
import { When } from '~/platform/ui/when'

const columns: Column<Donation>[] = [
  {
    name: msg`Pool`,
    className: 'font-semibold',
    cell: ({ poolSlug }) => <PoolLink slug={poolSlug} />,
  },
  { name: msg`Amount`, className: 'figures', cell: (donation) => <Amount donation={donation} /> },
  {
    name: msg`Date`,
    className: 'figures',
    cell: (donation) => (
      <PageLink to={`/transparency/${donation.id}`} className="link">
        <When date={donation.occurredAt} day />
        <span className="sr-only">
          <DetailsOf hash={donation.txHash} />
        </span>
      </PageLink>
    ),
  },
  {
    name: msg`Transaction`,
    cell: (donation) => (
      <span className="inline-flex flex-wrap gap-x-4">
        <ExplorerLink kind="tx" value={donation.txHash} title={donation.txHash}>
          <Trans comment="A link to the transaction in a block explorer, followed by its hash">View TX</Trans>
          <ShortHash of={donation} />
        </ExplorerLink>
        <span data-status={donation.status} className="ticks">
          <StatusBadge status={donation.status} />
        </span>
      </span>
    ),
  },
  {
    name: msg`Proof`,
    cell: (donation) =>
      donation.proofUrl ? (
        <a href={donation.proofUrl} className="link" rel="noopener nofollow">
          <Trans>
            Proof<span className="sr-only"> of</span>
            <ShortHash of={donation} />
          </Trans>
        </a>
      ) : (
        <span className="text-muted">
          <Trans>None yet</Trans>
        </span>
      ),
  },
]

/** The dollar value or, before it is known, the amount of the token. */
function Amount({ donation }: { donation: Donation }) {
  const { formats } = useLanguage()
  const { tokens } = donation
  if (hasDollars(donation))
    return <span className="font-semibold">{formats.exactDollars(donation.amountUsd)}</span>
  return (
    <span className="grid text-muted">
      <Trans>No dollar value yet</Trans>
      {tokens && <span className="text-sm">{formats.tokens(tokens)}</span>}
    </span>
  )
}

function DetailsOf({ hash }: { hash: string }) {
  const start = hash.slice(0, 8)
  return <Trans>, {start}: details of this transaction</Trans>
}

/** The short hash that lets users of screen readers tell the donations' links apart. */
function ShortHash({ of: { txHash } }: { of: Donation }) {
  return (
    <span className="sr-only">
      {' '}
      <bdi>{txHash.slice(0, 8)}</bdi>
    </span>
  )
}

/** The donations to the pools, each with its transaction and its proof. */
export function DonationsTable({ donations }: { donations: Donation[] }) {
  const { t } = useLingui()
  return (
    <Table
      caption={t`Newest first. A tick means verified on chain: each payment's page says what was compared.`}
      columns={columns}
      rows={donations}
      keyOf={({ id }) => id}
      live
    />
  )
}
