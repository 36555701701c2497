import { Trans } from '@lingui/react/macro'
import type { PublicGoal } from '~/goals/public-goals.server'
import { When } from '~/platform/ui/when'

/** Why a goal accepts no gifts, and what follows; renders nothing for an open goal. */
export function GoalNote({ goal }: { goal: PublicGoal }) {
  const { stage, frozen, hidden, endedBy, reportDueAt, completedAt } = goal
  if (stage === 'open' && !frozen) return null
  const isEarly = endedBy === 'member' || endedBy === 'deletion' || stage === 'annulled'
  return (
    <div className="notice mt-0 mb-4 grid gap-2">
      <p>
        <Ending goal={goal} />
      </p>
      {hidden && (
        <p>
          <Trans>Operators hid its text and its picture.</Trans>
        </p>
      )}
      {isEarly && (
        <p>
          <Trans>
            We hold none of the money that arrived. Only the owner of the wallet can send it back.
          </Trans>
        </p>
      )}
      {stage === 'ended' && reportDueAt && endedBy !== 'deletion' && (
        <p>
          <Report goal={goal} dueAt={reportDueAt} />
        </p>
      )}
      {completedAt && (
        <p>
          <Trans>
            Operators accepted its final report on <When date={completedAt} day />.
          </Trans>
        </p>
      )}
    </div>
  )
}

/** Whether the final report of an ended goal is published, due or overdue. */
function Report({ goal: { reportNumber, isOverdue }, dueAt }: { goal: PublicGoal; dueAt: Date }) {
  if (reportNumber !== null)
    return <Trans>Its member published the final report. An operator has not accepted it yet.</Trans>
  if (isOverdue)
    return (
      <Trans>
        Its member had until <When date={dueAt} day /> to report what the money bought. The report is overdue.
      </Trans>
    )
  return (
    <Trans>
      Its member has until <When date={dueAt} day /> to report what the money bought.
    </Trans>
  )
}

function Ending({ goal: { stage, frozen, endedAt, endsAt, endedBy } }: { goal: PublicGoal }) {
  const day = <When date={endedAt ?? endsAt} day />
  if (stage === 'annulled')
    return <Trans>Operators annulled this goal. It takes no gifts. The reason is below.</Trans>
  if (frozen) return <Trans>Operators froze this goal. It takes no gifts now. The reason is below.</Trans>
  if (endedBy === 'deletion')
    return (
      <Trans>
        This goal ended on {day}. The member deleted their account. The payments stay in the ledger.
      </Trans>
    )
  if (endedBy === 'member')
    return (
      <Trans>Its member ended this goal early, on {day}. It takes no more gifts. The reason is below.</Trans>
    )
  return <Trans>This goal ended on {day}. It takes no more gifts.</Trans>
}
