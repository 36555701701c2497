import { Trans } from '@lingui/react/macro'
import { useFollows } from '~/follow/follow'
import { GoalProgress } from '~/goals/goal-progress'
import { GoalTime } from '~/goals/goal-time'
import type { PublicGoal } from '~/goals/public-goals.server'
import { StageBadge } from '~/goals/stage-badge'
import { leftOut } from '~/ledger/provenance'
import { PageLink, useLanguage } from '~/platform/locales/react'
import { useVotingSentence } from '~/platform/rendering/voting'
import { Share } from '~/platform/ui/share'
import type { GoalPageData } from './goal-page.server'

/** What a goal received, how long the goal stays open, and how to give. */
export function GoalFigures({ page }: { page: GoalPageData & { goal: PublicGoal } }) {
  const { goal, now } = page
  const { i18n, formats } = useLanguage()
  const voting = useVotingSentence()
  const { wallet, isWatched, pendingCount, unvaluedCount } = goal
  const missing = formats.words(leftOut({ pendingCount, unvaluedCount, disputedCount: 0 }, i18n), 'and')
  return (
    <>
      <p className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1">
        <StageBadge {...goal} />
        <span className="text-sm text-muted">
          <GoalTime goal={goal} now={now} />
        </span>
      </p>
      <GoalProgress goal={goal} />
      {goal.receivedUsd >= goal.targetUsd && goal.stage === 'open' && !goal.frozen && (
        <p className="text-sm">
          <Trans>New gifts go to the same wallet.</Trans>
        </p>
      )}
      {missing && (
        <p className="mt-1 text-sm text-muted">
          <Trans>left out: {missing}</Trans>
        </p>
      )}
      <p className="mt-2 text-sm text-muted">
        <Trans>We count what arrives. We can't see what the member does with it.</Trans>
      </p>
      {!isWatched && (
        <p className="mt-2 font-semibold">
          <Trans>This goal is closed: don't send more.</Trans>
        </p>
      )}
      <Ways goal={goal} />
      {wallet && page.vote === undefined && <p className="mt-4 text-sm text-muted">{voting}</p>}
    </>
  )
}

function Ways({ goal: { slug, title, stage, wallet } }: { goal: PublicGoal }) {
  const hasFollow = useFollows() && (stage === 'open' || stage === 'ended')
  return (
    <div className="pool-ways no-print">
      {wallet && (
        <PageLink to={`/donate?to=${slug}`} className="button button-gold">
          <Trans comment="A button: give money to this goal">Give</Trans>
        </PageLink>
      )}
      {hasFollow && (
        <p>
          <a href="#follow" className="button">
            <Trans>Follow</Trans>
          </a>
        </p>
      )}
      <Share title={title ?? slug} url={`/giveback/${slug}`} className="m-0" />
    </div>
  )
}
