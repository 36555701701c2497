import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReviewedGoal } from '~/goals/reviewed-goals.server'
import { StageBadge } from '~/goals/stage-badge'
import type { Text } from '~/platform/locales/i18n'
import { useLanguage } from '~/platform/locales/react'
import { When } from '~/platform/ui/when'
import { EnglishWords } from '~/platform/ui/words'

type Move = ReviewedGoal['moves'][number]

const movers: Record<Move['movedBy'], Text> = {
  member: msg`by the member`,
  operator: msg`by operators`,
  schedule: msg({
    message: 'by the schedule',
    comment: 'Who changed a goal: the program that runs each minute',
  }),
  deletion: msg`because the account was deleted`,
}

/** Every change of a goal's stage, oldest first, with the reason for a return or a rejection. */
export function MoveList({ moves }: { moves: readonly Move[] }) {
  const { i18n } = useLanguage()
  return (
    <ol className="mt-4 max-w-3xl border-t border-hairline">
      {moves.map(({ stage, frozen, hidden, movedBy, movedAt, reason }) => (
        <li
          key={movedAt.toISOString()}
          className="flex flex-wrap items-center gap-3 border-b border-hairline py-2"
        >
          <StageBadge stage={stage} frozen={frozen} isOverdue={false} />
          {hidden && <Trans>text and picture hidden</Trans>}
          <span className="text-muted [&_time]:whitespace-nowrap">
            {i18n._(movers[movedBy])} · <When date={movedAt} />
          </span>
          {reason !== null && (
            <span className="w-full whitespace-pre-line wrap-anywhere">
              <EnglishWords>{reason}</EnglishWords>
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}
