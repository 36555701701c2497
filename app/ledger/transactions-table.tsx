import { Trans, useLingui } from '@lingui/react/macro'
import { isGoalSlug } from '../platform/goal-slug'
import { findPool } from '../platform/impact-pools'
import { key } from '../platform/locales/key'
import { PageLink, useLanguage } from '../platform/locales/react'
import { Arrow } from '../platform/ui/arrow'
import { When } from '../platform/ui/when'
import { EnglishWords } from '../platform/ui/words'
import { accountName } from './accounts'
import { hasDollars } from './amount'
import { exchangeWords } from './exchange'
import { ExplorerLink } from './explorer-link'
import { GoalLink } from './goal-link'
import { namedByUs } from './names'
import { signOf } from './row-sign'
import { shortHash } from './short-hash'
import { typeLabel } from './transactions'
import type { Transaction } from './transactions.server'
import { StatusBadge } from './verification-status'
import type { Wallet } from './wallets'

/**
 * A table of transactions: on a wide screen, each transaction has one line. A row's page has its other facts.
 * Only screen readers read `caption`, because a visible heading says the same. With `follows`, only screen
 * readers read the names of the columns, because the previous table shows them. `ofMonth`: a heading names the
 * month and the year of all rows. `party`: the
 * account or the address that all rows are about.
 */
export function TransactionsTable({
  transactions,
  wallets,
  caption,
  follows = false,
  ofMonth = false,
  party,
}: {
  transactions: Transaction[]
  wallets: Wallet[]
  caption: string
  follows?: boolean
  ofMonth?: boolean
  party?: string | undefined
}) {
  return (
    <table className="ledger rows">
      <caption className="sr-only">{caption}</caption>
      <colgroup>
        <col className="w-30" />
        <col className="w-40" />
        <col />
        <col className="w-46" />
        <col className="w-30" />
        <col className="w-32" />
      </colgroup>
      <thead className={follows ? 'sr-only' : undefined}>
        <tr>
          <th scope="col">
            <Trans>Date</Trans>
          </th>
          <th scope="col">
            <Trans>Type</Trans>
          </th>
          <th scope="col">
            <Trans>To/From</Trans>
          </th>
          <th scope="col">
            <Trans>Status</Trans>
          </th>
          <th scope="col">
            <Trans>Transaction</Trans>
          </th>
          <th scope="col">
            <Trans>Amount</Trans>
          </th>
        </tr>
      </thead>
      <tbody>
        {transactions.map((transaction) => (
          <Row
            key={transaction.id}
            transaction={transaction}
            wallets={wallets}
            ofMonth={ofMonth}
            party={party}
          />
        ))}
      </tbody>
    </table>
  )
}

function Row({
  transaction,
  wallets,
  ofMonth,
  party,
}: {
  transaction: Transaction
  wallets: Wallet[]
  ofMonth: boolean
  party: string | undefined
}) {
  const { id, type, txHash, occurredAt, status } = transaction
  const { i18n } = useLanguage()
  const typeName = i18n._(key(typeLabel(type)))
  const start = txHash.slice(0, 8)
  return (
    <tr data-key={id} data-status={status}>
      <td className="rows-date figures">
        <PageLink to={`/transparency/${id}`} className="link">
          <When date={occurredAt} day monthDay={ofMonth} />
          <span className="sr-only">
            <Trans>, {start}: details of this transaction</Trans>
          </span>
        </PageLink>
      </td>
      <td className="rows-type text-sm">
        {type === 'donation' ? <span className="badge bg-gold text-on-gold">{typeName}</span> : typeName}
      </td>
      <td className="rows-party">
        <Parties transaction={transaction} wallets={wallets} />
      </td>
      <td className="rows-status">
        <StatusBadge status={status} />
      </td>
      <td className="rows-details text-sm">
        <ExplorerLink kind="tx" value={txHash} title={txHash} className="link hash">
          {txHash.slice(0, 8)}…
        </ExplorerLink>
      </td>
      <td className="rows-amount figures font-semibold">
        <RowAmount transaction={transaction} party={party} />
      </td>
    </tr>
  )
}

/**
 * The amount in dollars with two decimals, or without a dollar value the amount of the token. It is negative only
 * if the money left the project. An amount that is in no sum 'in' or 'out' is grey: money that moved between our
 * wallets, a gift to a goal, and a row that is not verified.
 */
function RowAmount({ transaction, party }: { transaction: Transaction; party: string | undefined }) {
  const { t } = useLingui()
  const { formats } = useLanguage()
  const { tokens, status, type } = transaction
  const sign = signOf(transaction, party)
  if (hasDollars(transaction)) {
    const { amountUsd } = transaction
    const isCounted = status === 'verified' && (type !== 'goal-gift' || party !== undefined)
    const amount = formats.exactDollars(sign === 'out' ? -amountUsd : amountUsd)
    if (sign === 'between')
      return (
        <span className="text-muted">
          <span aria-hidden="true">⇄ </span>
          {amount}
        </span>
      )
    return <span className={isCounted ? undefined : 'text-muted'}>{amount}</span>
  }
  return <span className="text-muted">{tokens ? formats.tokens(tokens, 2) : t`No dollar value yet`}</span>
}

/** The purpose, then both sides of the transfer. */
function Parties({ transaction, wallets }: { transaction: Transaction; wallets: Wallet[] }) {
  const { fromAccount, fromAddress, toAccount, toAddress, counterName, goal } = transaction
  const language = useLanguage()
  const purpose = purposeOf(transaction) || exchangeWords(transaction, language)
  return (
    <>
      {purpose && <span className="block">{purpose}</span>}
      <span className="block text-sm">
        <Side account={fromAccount} address={fromAddress} name={counterName} wallets={wallets} />{' '}
        {/* The arrow is on the same line as the recipient. */}
        <span className="inline-flex max-w-full items-baseline gap-x-1">
          <Arrow className="text-muted" />
          <span className="sr-only">
            {' '}
            <Trans comment="Between the sender and the recipient, for screen readers">to</Trans>{' '}
          </span>
          {goal ? (
            <GoalLink goal={goal} />
          ) : (
            <Side
              account={toAccount}
              address={toAddress}
              name={isGoalSlug(toAccount) ? null : counterName}
              wallets={wallets}
            />
          )}
        </span>
      </span>
    </>
  )
}

/**
 * The purpose of a row. If the row has no note, says that the purpose was withdrawn or, for a payment to a
 * cause, that the purpose is not published yet.
 */
function purposeOf({ note, noteWithdrawn, type, toAccount }: Transaction) {
  if (note)
    return (
      <strong>
        <EnglishWords>{note}</EnglishWords>
      </strong>
    )
  if (noteWithdrawn)
    return (
      <span className="text-muted">
        <Trans>Purpose withdrawn</Trans>
      </span>
    )
  const toCause = type === 'spending' || (type === 'donation' && toAccount === null)
  return (
    toCause && (
      <span className="text-muted">
        <Trans>We don't say yet what this bought</Trans>
      </span>
    )
  )
}

/** A side of a transfer: our account, our name for the wallet, or the address, with a link to its rows. */
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
  const { i18n } = useLanguage()
  const slug = account ?? wallets.find((wallet) => wallet.address.toLowerCase() === address)?.slug
  const ours = accountName(slug)
  if (ours)
    return (
      <PageLink to={`/transparency?wallet=${slug}#history`} className="link">
        {findPool(slug) && <span className="swatch hue-fill" data-hue={slug} />}
        {i18n._(key(ours))}
      </PageLink>
    )
  return (
    <PageLink
      to={`/transparency?q=${address}#history`}
      className={name ? 'link' : 'link hash'}
      title={name ? i18n._(namedByUs(address)) : address}
    >
      {name ? <EnglishWords>{name}</EnglishWords> : shortHash(address)}
    </PageLink>
  )
}
