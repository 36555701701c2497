import { Trans } from '@lingui/react/macro'
import type { ListedGoal } from '~/goals/goal-list.server'
import { GoalProgress } from '~/goals/goal-progress'
import { GoalTime } from '~/goals/goal-time'
import { GoalTitle } from '~/ledger/goal-title'
import { shownUrl } from '~/ledger/update-picture'
import { PageLink } from '~/platform/locales/react'

/** An open goal. Its title links to its page. A card that is alone in the list is as wide as the list. */
export function GoalCard({ goal }: { goal: ListedGoal & { now: number } }) {
  const { slug, byline, category, picturePath, pictureText } = goal
  return (
    <li data-key={slug} className="goal-card">
      {picturePath && pictureText ? (
        <img src={shownUrl(picturePath)} alt={pictureText} lang="" loading="lazy" />
      ) : (
        <img src="/drawings/goal.svg" alt="" loading="lazy" className="max-md:hidden" />
      )}
      <div>
        <div>
          {category && (
            <bdi lang="" className="badge badge-line">
              {category}
            </bdi>
          )}
          <h3>
            <PageLink to={`/giveback/${slug}`} className="cover">
              <GoalTitle title={goal.title} />
            </PageLink>
          </h3>
          <Byline byline={byline} />
        </div>
        <div>
          <GoalProgress goal={goal} />
          <p className="mt-2 text-sm text-muted">
            <GoalTime goal={goal} now={goal.now} />
          </p>
        </div>
      </div>
    </li>
  )
}

/** Who asks for the money of a goal. */
export function Byline({ byline }: { byline: string | null }) {
  if (!byline) return null
  return (
    <p className="mt-2 text-muted wrap-anywhere">
      <Trans comment="Who asks for money">
        By <bdi lang="">{byline}</bdi>
      </Trans>
    </p>
  )
}
