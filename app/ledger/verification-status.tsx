import { Icon, type IconName } from '../ui/icon'
import { When } from '../ui/when'

/** What checking a row against the chain can find. */
export const statuses = ['pending', 'verified', 'mismatch', 'reorganised', 'unreachable'] as const

/** How a row stands: what the latest check with an answer found, and when it was last tried. */
export interface VerificationStatus {
  status: (typeof statuses)[number]
  /** Null before the first try. */
  checkedAt: Date | null
  /** Set where the last try found nobody to ask: the status is then what was known before. */
  unreachableAt: Date | null
}

const signs: Record<VerificationStatus['status'], { words: string; tone: string; icon: IconName }> = {
  verified: { words: 'Verified on chain', tone: 'text-good', icon: 'check' },
  pending: { words: 'Pending: waiting to be final', tone: 'text-muted', icon: 'waiting' },
  mismatch: { words: 'Does not match the chain', tone: 'text-bad', icon: 'close' },
  reorganised: { words: 'Reorganised: the chain dropped it', tone: 'text-bad', icon: 'close' },
  unreachable: { words: 'Not reachable: nobody could be asked', tone: 'text-muted', icon: 'silent' },
}

/** A status in words. A payment is verified on chain; only a statement is 'confirmed'. */
export function statusWords({ status, checkedAt }: Pick<VerificationStatus, 'status' | 'checkedAt'>): string {
  return status === 'pending' && !checkedAt ? 'Pending: not checked yet' : signs[status].words
}

/** A status in words and in its colour. */
export function StatusBadge(standing: Pick<VerificationStatus, 'status' | 'checkedAt'>) {
  const { tone, icon } = signs[standing.status]
  return (
    <span className={`flex items-start gap-1.5 text-sm font-semibold ${tone}`}>
      <span className="mt-1">
        <Icon name={icon} size={14} />
      </span>
      {statusWords(standing)}
    </span>
  )
}

/** The status of a row, and when it was last checked. */
export function VerificationNote({ standing }: { standing: VerificationStatus }) {
  const { status, checkedAt, unreachableAt } = standing
  // That nobody could be asked is the status itself where nothing was known before.
  const silent = unreachableAt !== null && status !== 'unreachable'
  return (
    <span className="grid text-sm">
      <StatusBadge status={status} checkedAt={checkedAt} />
      {silent ? (
        <span className="text-muted">
          The last check got no answer: <When date={unreachableAt} />
        </span>
      ) : (
        checkedAt && (
          <span className="text-muted">
            Checked <When date={checkedAt} />
          </span>
        )
      )}
    </span>
  )
}
