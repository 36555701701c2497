import { msg, plural } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Formats } from '../platform/locales/formats'
import type { Language } from '../platform/locales/language'
import { PageLink, useLanguage } from '../platform/locales/react'
import type { TokenAmount } from '../platform/tokens'
import { Icon } from '../platform/ui/icon'
import { When } from '../platform/ui/when'
import type { Reconciliation } from './reconciliations.server'
import { type Wallet, walletName } from './wallets'

/** The section that explains the comparison of each wallet. */
export const comparisonUrl = '/transparency/wallets#reconciliation'

/**
 * Says whether the wallets match the blockchain, with a link to the comparison. Renders nothing before the
 * first comparison. `reconciliations` is null if they cannot be read.
 */
export function MatchLine({
  reconciliations,
  wallets,
}: {
  reconciliations: Reconciliation[] | null
  wallets: Wallet[]
}) {
  const found = compareWallets(reconciliations, wallets, useLanguage())
  if (!found) return null
  if (found.sign === 'unread') return <p className="mt-5 text-muted">{found.words}</p>
  const { tone, icon } = signs[found.sign]
  return (
    <p className="mt-5">
      <PageLink to={comparisonUrl} className={`badge min-h-9 text-base ${tone}`}>
        <Icon name={icon} size={16} />
        {found.words}
      </PageLink>{' '}
      <ComparedAt at={found.at} />
    </p>
  )
}

/** The time of the comparison. Without the time, an old comparison would look like the current state. */
export function ComparedAt({ at }: { at: Date }) {
  return (
    <span className="text-muted">
      <Trans>
        Compared on <When date={at} />.
      </Trans>
    </span>
  )
}

const signs = {
  match: { tone: 'bg-good-wash text-good', icon: 'check' },
  differ: { tone: 'bg-bad-wash text-bad', icon: 'alert' },
  unknown: { tone: 'bg-plain-wash', icon: 'waiting' },
} as const

/** `at` is the time of the oldest comparison. `isShort`: money left a wallet and no row says so. */
export type WalletsVerdict =
  | { sign: 'unread'; words: string }
  | { sign: keyof typeof signs; words: string; at: Date; isShort: boolean }

/**
 * The result of comparing our current wallets, as a sentence: 'The balances of all 3 wallets match the blockchain.', or how
 * many wallets differ and by how much, or how many wallets could not be compared completely. Null before the
 * first comparison. Former wallets are not counted, because the job no longer compares them.
 */
export function compareWallets(
  reconciliations: Reconciliation[] | null,
  ours: Wallet[],
  language: Language,
): WalletsVerdict | null {
  const { i18n } = language
  if (!reconciliations)
    return { sign: 'unread', words: i18n._(msg`We can't compare the wallets with the blockchain right now.`) }
  const present = reconciliations.filter(({ wallet }) => walletName(ours, wallet))
  if (present.length === 0) return null
  const at = new Date(Math.min(...present.map(({ blockTime }) => blockTime.getTime())))
  const isShort = present.some(
    ({ difference, unlisted }) =>
      (difference && difference.amount < 0n) || unlisted.some(({ direction }) => direction === 'out'),
  )
  return { ...verdictOf(present, language), at, isShort }
}

function verdictOf(
  reconciliations: Reconciliation[],
  language: Language,
): { sign: keyof typeof signs; words: string } {
  const { i18n } = language
  const wallets = countWallets(reconciliations)
  const differing = reconciliations.filter(
    ({ difference, unlisted }) => (difference && difference.amount !== 0n) || unlisted.length > 0,
  )
  const differ = countWallets(differing)
  if (differ > 0) {
    const matching = wallets - differ
    const what = differences(differing, language)
    const words =
      wallets === 1
        ? msg`Our wallet doesn't match the blockchain; ${what}.`
        : msg`${matching} of ${plural(wallets, { one: '# wallet matches', other: '# wallets match' })}; ${what}.`
    return { sign: 'differ', words: i18n._(words) }
  }
  const unknown = countWallets(reconciliations.filter(({ difference }) => !difference))
  if (unknown > 0) {
    const words =
      wallets === 1
        ? msg`We couldn't fully compare our wallet with the blockchain yet.`
        : msg`We couldn't fully compare ${unknown} of ${wallets} wallets with the blockchain yet.`
    return { sign: 'unknown', words: i18n._(words) }
  }
  const words = msg`${plural(wallets, { one: 'The balance of our wallet matches the blockchain.', other: 'The balances of all # wallets match the blockchain.' })}`
  return { sign: 'match', words: i18n._(words) }
}

/**
 * The amounts that this ledger lacks, then the amounts that only this ledger has: '0.75 BNB is missing from
 * this ledger'. If the missing transfers cancel each other out, says only that payments are missing.
 */
function differences(differing: Reconciliation[], { i18n, formats }: Language): string {
  const amounts = differing.flatMap(({ difference }) =>
    difference && difference.amount !== 0n ? [difference] : [],
  )
  const [missing, surplus] = [1n, -1n].map((sign) =>
    amounts
      .filter(({ amount }) => amount * sign > 0n)
      .map((difference) => formatDifference({ ...difference, amount: difference.amount * sign }, formats)),
  ) as [string[], string[]]
  const [missingAmounts, surplusAmounts] = [missing, surplus].map((parts) => formats.words(parts, 'and'))
  const found = [
    missing.length > 0 &&
      msg({
        message: plural(missing.length, {
          one: `${missingAmounts} is missing from this ledger`,
          other: `${missingAmounts} are missing from this ledger`,
        }),
        comment: 'After a semicolon. missingAmounts: one or more amounts, such as "0.75 BNB and 3 USDT"',
      }),
    surplus.length > 0 &&
      msg({
        message: plural(surplus.length, {
          one: `${surplusAmounts} is in this ledger and not on the blockchain`,
          other: `${surplusAmounts} are in this ledger and not on the blockchain`,
        }),
        comment: 'After a semicolon. surplusAmounts: one or more amounts',
      }),
  ].filter((part) => part !== false)
  const words = found.map((part) => i18n._(part))
  return words.length > 0
    ? formats.words(words, 'and')
    : i18n._(msg`some payments are missing from this ledger`)
}

/** The amount with six decimals, or with all decimals if the first six are zero. */
function formatDifference(tokens: TokenAmount, formats: Formats): string {
  const isTiny = tokens.amount * 1_000_000n < 10n ** BigInt(tokens.decimals)
  return formats.tokens(tokens, isTiny ? Number.POSITIVE_INFINITY : undefined)
}

function countWallets(reconciliations: Reconciliation[]): number {
  return new Set(reconciliations.map(({ wallet }) => wallet)).size
}
