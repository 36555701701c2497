import { Trans } from '@lingui/react/macro'
import { key } from '../platform/locales/key'
import { useLanguage } from '../platform/locales/react'
import { Icon, type IconName } from '../platform/ui/icon'
import { When } from '../platform/ui/when'
import { type Status, statusWords } from './statuses'

/**
 * The verification status of a row: the result of the latest check to which an endpoint responded, and the
 * times of the latest check. The status is 'pending' before the first check, and 'unreachable' if no endpoint
 * has ever responded.
 */
export interface VerificationStatus {
  status: Status
  /** The time of the latest check; null before the first check. */
  checkedAt: Date | null
  /** The time of the latest check if no endpoint responded to this check, otherwise null. */
  unreachableAt: Date | null
}

const signs: Record<Status, { tone: string; icon: IconName }> = {
  verified: { tone: 'text-good', icon: 'check' },
  pending: { tone: 'text-muted', icon: 'waiting' },
  mismatch: { tone: 'text-bad', icon: 'alert' },
  reorganised: { tone: 'text-bad', icon: 'alert' },
  unreachable: { tone: 'text-muted', icon: 'silent' },
}

/** A status as text with an icon, both in the status's colour. */
export function StatusBadge({ status }: { status: Status }) {
  const { i18n } = useLanguage()
  const { tone, icon } = signs[status]
  return (
    <span className={`flex items-start gap-1.5 text-sm font-semibold ${tone}`}>
      <span className="mt-1">
        <Icon name={icon} size={14} />
      </span>
      {/* The words, not the icon, align with the text of the other cells. */}
      <span className="status-words self-baseline">{i18n._(key(statusWords[status]))}</span>
    </span>
  )
}

/** The status of a row and the time of its last check. */
export function VerificationNote({ verification }: { verification: VerificationStatus }) {
  const { status, checkedAt, unreachableAt } = verification
  // The words of the status 'unreachable' already say that no endpoint responded.
  const isUnreachable = status === 'unreachable'
  return (
    <span className="grid text-sm">
      <StatusBadge status={status} />
      {unreachableAt && !isUnreachable ? (
        <span className="text-muted">
          <Trans>
            Tried again <When date={unreachableAt} />, no answer
          </Trans>
        </span>
      ) : (
        checkedAt && (
          <span className="text-muted">
            {isUnreachable ? (
              <Trans>
                Tried <When date={checkedAt} />
              </Trans>
            ) : (
              <Trans>
                Checked <When date={checkedAt} />
              </Trans>
            )}
          </span>
        )
      )}
    </span>
  )
}
