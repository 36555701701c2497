import { Icon } from '../ui/icon'
import type { Reconciliation } from './reconciliations'
import { formatTokens } from './transactions'

/**
 * 'All 3 wallets match the blockchain', or how many differ and by how much; nothing before the first reconciliation.
 */
export function MatchLine({ reconciliations }: { reconciliations: Reconciliation[] }) {
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
          ? `${count} of ${wallets} ${wallets === 1 ? 'wallet' : 'wallets'} ${count === 1 ? 'differs' : 'differ'} by ${by}`
          : `${wallets === 1 ? 'Our wallet matches' : `All ${wallets} wallets match`} the blockchain`}
      </a>
    </p>
  )
}
