import { Trans } from '@lingui/react/macro'
import { PageLink } from '../platform/locales/react'
import type { RowGoal } from './goal-names.server'

/** A link to the page of a goal. The text is the goal's title. */
export function GoalLink({ goal: { slug, title } }: { goal: RowGoal }) {
  return (
    <PageLink to={`/giveback/${slug}`} className="link">
      {title === null ? (
        <Trans comment="In place of the title of a goal (a fundraiser), which is hidden">a goal</Trans>
      ) : (
        <bdi lang="">{title}</bdi>
      )}
    </PageLink>
  )
}
