import { plural } from '../plural'
import { Icon } from '../ui/icon'
import type { Reconciliation } from './reconciliations'
import { formatTokens } from './transactions'

/**
 * 'All 3 wallets match the blockchain', or how many differ and by how much, or how many could not be compared with all of
 * their tokens; nothing before the first reconciliation. `reconciliations` is null if they cannot be read.
 */
export function MatchLine({ reconciliations }: { reconciliations: Reconciliation[] | null }) {
  if (!reconciliations)
    return <p className="mt-5 text-muted">We can't compare the wallets with the blockchain right now.</p>
  if (reconciliations.length === 0) return null
  const wallets = countWallets(reconciliations)
  const differing = reconciliations.filter(
    ({ difference, unlisted }) => (difference && difference.amount !== 0n) || unlisted.length > 0,
  )
  const count = countWallets(differing)
  const unknown = countWallets(reconciliations.filter(({ difference }) => !difference))
  const { tone, icon } = signs[count ? 'differ' : unknown ? 'unknown' : 'match']
  const by = differing.flatMap(({ difference }) => (difference ? formatTokens(difference) : [])).join(', ')
  return (
    <p className="mt-5">
      <a href="/transparency/wallets#reconciliation" className={`badge min-h-9 text-base ${tone}`}>
        <Icon name={icon} size={16} />
        {count
          ? wallets === 1
            ? `Our wallet doesn't match the blockchain (difference: ${by})`
            : plural(count, {
                one: `# of ${wallets} wallets doesn't match the blockchain (difference: ${by})`,
                other: `# of ${wallets} wallets don't match the blockchain (differences: ${by})`,
              })
          : unknown
            ? wallets === 1
              ? "We couldn't fully compare our wallet with the blockchain yet"
              : `We couldn't fully compare ${unknown} of ${wallets} wallets with the blockchain yet`
            : plural(wallets, {
                one: 'Our wallet matches the blockchain',
                other: 'All # wallets match the blockchain',
              })}
      </a>
    </p>
  )
}

const signs = {
  match: { tone: 'bg-good-wash text-good', icon: 'check' },
  differ: { tone: 'bg-bad-wash text-bad', icon: 'close' },
  unknown: { tone: 'bg-plain-wash', icon: 'waiting' },
} as const

function countWallets(reconciliations: Reconciliation[]): number {
  return new Set(reconciliations.map(({ wallet }) => wallet)).size
}
