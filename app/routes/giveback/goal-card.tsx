import { Trans } from '@lingui/react/macro'
import type { ListedGoal } from '~/fundme/goal-list.server'
import { GoalProgress } from '~/fundme/goal-progress'
import { GoalTime } from '~/fundme/goal-time'
import { GoalTitle } from '~/fundme/goal-title'
import { StageBadge } from '~/fundme/stage-badge'
import { PageLink } from '~/locales/react'

/** A goal in the list. Its title links to its page. */
export function GoalCard({ goal }: { goal: ListedGoal & { now: number } }) {
  const { slug, byline, category, picturePath, pictureText, frozen, stage } = goal
  return (
    <li
      data-key={slug}
      className="relative flex flex-col overflow-hidden rounded-block border border-hairline bg-raised"
    >
      {picturePath && pictureText ? (
        <img src={picturePath} alt={pictureText} lang="" loading="lazy" className="pool-image" />
      ) : (
        <img
          src="/drawings/goal.svg"
          alt=""
          width="480"
          height="270"
          loading="lazy"
          className="pool-image max-md:hidden"
        />
      )}
      <div className="grid flex-1 content-between gap-5 p-5 sm:p-6">
        <div>
          <p className="flex flex-wrap gap-2">
            {(frozen || stage !== 'open') && <StageBadge {...goal} />}
            {category && (
              <bdi lang="" className="badge badge-line">
                {category}
              </bdi>
            )}
          </p>
          <h3 className="mt-3 text-2xl">
            <PageLink to={`/giveback/${slug}`} className="cover">
              <GoalTitle title={goal.title} />
            </PageLink>
          </h3>
          {byline && (
            <p className="mt-2 text-muted wrap-anywhere">
              <Trans comment="Who asks for money">
                By <bdi lang="">{byline}</bdi>
              </Trans>
            </p>
          )}
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
