import { plural } from '../plural'
import { Icon } from '../ui/icon'
import type { Reconciliation } from './reconciliations'
import { formatTokens } from './transactions'

/**
 * 'All 3 wallets match the blockchain', or how many differ and by how much; nothing before the first reconciliation.
 * `reconciliations` is null if they cannot be read.
 */
export function MatchLine({ reconciliations }: { reconciliations: Reconciliation[] | null }) {
  if (!reconciliations)
    return <p className="mt-5 text-muted">We can't compare the wallets with the blockchain right now.</p>
  if (reconciliations.length === 0) return null
  const wallets = new Set(reconciliations.map(({ wallet }) => wallet)).size
  const differing = reconciliations.filter(
    ({ difference, unlisted }) => difference.amount !== 0n || unlisted.length > 0,
  )
  const count = new Set(differing.map(({ wallet }) => wallet)).size
  const by = differing.map(({ difference }) => formatTokens(difference)).join(', ')
  return (
    <p className="mt-5">
      <a
        href="/transparency/wallets#reconciliation"
        className={`badge min-h-9 text-base ${count ? 'bg-bad-wash text-bad' : 'bg-good-wash text-good'}`}
      >
        <Icon name={count ? 'close' : 'check'} size={16} />
        {count
          ? wallets === 1
            ? `Our wallet doesn't match the blockchain (difference: ${by})`
            : plural(count, {
                one: `# of ${wallets} wallets doesn't match the blockchain (difference: ${by})`,
                other: `# of ${wallets} wallets don't match the blockchain (differences: ${by})`,
              })
          : plural(wallets, {
              one: 'Our wallet matches the blockchain',
              other: 'All # wallets match the blockchain',
            })}
      </a>
    </p>
  )
}
