import { Icon, type IconName } from '../ui/icon'
import { When } from '../ui/when'
import type { Status } from './statuses'

/**
 * The verification status of a row: the result of the latest check to which the endpoints responded ('pending' before
 * the first check, 'unreachable' if they never responded), and the times of the latest check.
 */
export interface VerificationStatus {
  status: Status
  /** The time of the latest check; null before the first check. */
  checkedAt: Date | null
  /** The time of the latest check if the endpoints did not respond to it, otherwise null. */
  unreachableAt: Date | null
}

const signs: Record<Status, { words: string; tone: string; icon: IconName }> = {
  verified: { words: 'Verified on chain', tone: 'text-good', icon: 'check' },
  pending: { words: 'Not final yet', tone: 'text-muted', icon: 'waiting' },
  mismatch: { words: "Doesn't match the blockchain", tone: 'text-bad', icon: 'close' },
  reorganised: { words: 'No longer on the blockchain', tone: 'text-bad', icon: 'close' },
  unreachable: {
    words: "Not checked yet: we couldn't reach the blockchain",
    tone: 'text-muted',
    icon: 'silent',
  },
}

/**
 * The name of a status in a filter. 'pending' includes the rows that are not final and the rows that were never
 * checked.
 */
export const statusNames: Record<Status, string> = {
  verified: signs.verified.words,
  pending: 'Waiting to be verified',
  mismatch: signs.mismatch.words,
  reorganised: signs.reorganised.words,
  unreachable: "We couldn't reach the blockchain",
}

/** The words for a status. A payment is 'verified' on chain; only statements are 'confirmed'. */
export function statusWords({ status, checkedAt }: Pick<VerificationStatus, 'status' | 'checkedAt'>): string {
  return status === 'pending' && !checkedAt ? 'Not checked yet' : signs[status].words
}

/** The words for a status without their reason, where there is little room. */
export function shortStatusWords(verification: Pick<VerificationStatus, 'status' | 'checkedAt'>): string {
  return verification.status === 'unreachable' ? 'Not checked yet' : statusWords(verification)
}

/** A status as text and icon in its colour. */
export function StatusBadge(verification: Pick<VerificationStatus, 'status' | 'checkedAt'>) {
  const { tone, icon } = signs[verification.status]
  return (
    <span className={`flex items-start gap-1.5 text-sm font-semibold ${tone}`}>
      <span className="mt-1">
        <Icon name={icon} size={14} />
      </span>
      {statusWords(verification)}
    </span>
  )
}

/** The status of a row and the time of its last check. */
export function VerificationNote({ verification }: { verification: VerificationStatus }) {
  const { status, checkedAt, unreachableAt } = verification
  // Without an earlier result the status itself is 'unreachable', and its words say that no endpoint responded.
  const isUnreachable = status === 'unreachable'
  return (
    <span className="grid text-sm">
      <StatusBadge status={status} checkedAt={checkedAt} />
      {unreachableAt && !isUnreachable ? (
        <span className="text-muted">
          Tried again <When date={unreachableAt} />, no answer
        </span>
      ) : (
        checkedAt && (
          <span className="text-muted">
            {isUnreachable ? 'Tried' : 'Checked'} <When date={checkedAt} />
          </span>
        )
      )}
    </span>
  )
}
