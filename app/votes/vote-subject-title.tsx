import { Trans } from '@lingui/react/macro'
import { GoalTitle } from '../ledger/goal-title'

/** The title of what token holders vote on. */
export function SubjectTitle({
  subject,
}: {
  subject: { kind: 'goal' | 'split'; title: string | null } | null
}) {
  return subject?.kind === 'split' ? (
    <Trans>The split of the fees</Trans>
  ) : (
    <GoalTitle title={subject?.title ?? null} />
  )
}
