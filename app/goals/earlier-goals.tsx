import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { PageLink } from '../platform/locales/react'
import type { ReviewedGoal } from './reviewed-goals.server'
import { StageBadge } from './stage-badge'

/** A member's other goals, each with its stage and its total number of complaints. */
export function EarlierGoals({ goals }: { goals: ReviewedGoal['earlier'] }) {
  const { t } = useLingui()
  if (goals.length === 0)
    return (
      <p className="mt-4">
        <Trans>None.</Trans>
      </p>
    )
  return (
    <ul className="mt-4 max-w-3xl border-t border-hairline">
      {goals.map(({ slug, title, stage, frozen, complaints }) => (
        <li key={slug} className="flex flex-wrap items-center gap-3 border-b border-hairline py-2">
          <PageLink to={`/operator/goals/${slug}`} className="link inline-block py-1 wrap-anywhere">
            <bdi lang="">{title ?? slug}</bdi>
          </PageLink>
          <StageBadge stage={stage} frozen={frozen} isOverdue={false} />
          {complaints > 0 && (
            <span className="text-sm text-muted">
              {t`${plural(complaints, { one: '# complaint', other: '# complaints' })}`}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
