import { Trans } from '@lingui/react/macro'
import type { ListedGoal } from '~/goals/goal-list.server'
import { GoalTime } from '~/goals/goal-time'
import { StageBadge } from '~/goals/stage-badge'
import { GoalTitle } from '~/ledger/goal-title'
import { PageLink, useLanguage } from '~/platform/locales/react'

/** A goal that takes no gifts now, and has no accepted report: one line of the list. */
export function GoalRow({ goal }: { goal: ListedGoal & { now: number; isUnpaid: boolean } }) {
  const { formats } = useLanguage()
  const received = formats.dollars(goal.receivedUsd)
  const owed = formats.dollars(goal.targetUsd - goal.receivedUsd)
  const target = formats.dollars(goal.targetUsd)
  return (
    <li data-key={goal.slug}>
      <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-lg">
        <PageLink to={`/giveback/${goal.slug}`} className="link">
          <GoalTitle title={goal.title} />
        </PageLink>{' '}
        {goal.isUnpaid ? (
          <span className="badge bg-good-wash text-good">
            <Trans comment="A goal won its vote">Won</Trans>
          </span>
        ) : (
          <StageBadge {...goal} />
        )}
      </h3>
      <p className="figures">
        <Trans comment="An amount of money, and the amount that a goal needs">
          {received} of {target}
        </Trans>
      </p>
      {goal.isUnpaid && goal.receivedUsd < goal.targetUsd && (
        <p>
          <Trans>The treasury owes it {owed}.</Trans>
        </p>
      )}
      <p className="text-sm text-muted">
        <GoalTime goal={goal} now={goal.now} />
      </p>
    </li>
  )
}
