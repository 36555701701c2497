import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { ListedGoal, readGoalTotals, readReports } from '~/goals/goal-list.server'
import { FiguresUnavailable, ListUnavailable } from '~/ledger/unavailable'
import { LiveStatus } from '~/platform/live/live-status'
import { Gap, PageLink, useLanguage } from '~/platform/locales/react'
import { useVotingSentence } from '~/platform/rendering/voting'
import { Empty } from '~/platform/ui/empty'
import { PageHeader } from '~/platform/ui/page-header'
import { NoSuchPage, NothingOlder } from '~/platform/ui/pager'
import { Section } from '~/platform/ui/section'
import { Stat, Stats } from '~/platform/ui/stat'
import { Steps } from '~/platform/ui/steps'
import { OriginalWords } from '~/platform/ui/words'
import { GoalCard } from './goal-card'
import { GoalResult } from './goal-result'
import { GoalRow } from './goal-row'

const steps = (voting: string, isOpen: boolean) => [
  {
    title: msg`Submit Your Cause`,
    text: msg`A member writes a goal with a plan, and proves a new wallet. Two operators read it before it opens.`,
  },
  {
    title: msg`Community Votes`,
    text: (
      <>
        {voting}
        {!isOpen && (
          <>
            <Gap />
            <Trans>Until then, people give.</Trans>
          </>
        )}
      </>
    ),
  },
  {
    title: msg`Funds Released`,
    text: msg`Gifts go straight to the wallet of the goal. We list each one, and its member reports what it bought.`,
  },
]

/** A goal with the current time, in milliseconds, and whether it won its vote and the treasury has not paid it. */
type DatedGoal = ListedGoal & { now: number; isUnpaid: boolean }

interface Page {
  list: { goals: DatedGoal[]; next: string | null } | null
  reports: Awaited<ReturnType<typeof readReports>>
  totals: Awaited<ReturnType<typeof readGoalTotals>>
  /** The number of counted ballots; undefined while voting is closed. */
  ballots: number | null | undefined
  paged: boolean
  unreadable: boolean
}

/** The page while FundMe is open: open goals, what completed ones bought, the others, the figures. */
export function GoalList({ page: { list, reports, totals, ballots, paged, unreadable } }: { page: Page }) {
  const { t } = useLingui()
  const { formats } = useLanguage()
  const voting = useVotingSentence()
  const annulled = totals && totals.annulledUsd > 0 && formats.dollars(totals.annulledUsd)
  return (
    <>
      <PageHeader
        title={t`Community FundMe`}
        tagline={t`Token holders vote on causes that matter. From community, to community.`}
        drawing={
          <img
            src="/drawings/scenes/bakery.svg"
            alt=""
            width="480"
            height="270"
            className="h-auto w-full rounded-block max-md:hidden"
          />
        }
      >
        <p className="mt-7">
          <CreateLink />
        </p>
        {ballots === undefined && (
          <p className="mt-3 max-w-[50ch] text-sm text-muted">
            {voting}
            <Gap />
            <Trans>Until then, people give.</Trans>
          </p>
        )}
      </PageHeader>

      <div id="goals" data-live={paged ? undefined : 'fundme ledger'}>
        {unreadable && (
          <div className="column">
            <NoSuchPage />
          </div>
        )}
        {list === null ? (
          <div className="column">
            <ListUnavailable what={t`We can't load the goals right now.`} />
          </div>
        ) : list.goals.length > 0 ? (
          <>
            <div className="column">
              <OriginalWords goals />
            </div>
            <Goals
              heading="open-goals"
              title={t`Open goals`}
              goals={list.goals.filter(({ group }) => group === 'open')}
              className="goals-open"
            >
              {(goal) => <GoalCard key={goal.slug} goal={goal} />}
            </Goals>
            <Goals
              heading="results"
              title={t`What goals bought`}
              goals={list.goals.filter(({ group }) => group === 'completed')}
              className="goals-bought"
            >
              {(goal) => <GoalResult key={goal.slug} goal={goal} report={reports[goal.slug]} />}
            </Goals>
            <Goals
              heading="other-goals"
              title={t`Other goals`}
              goals={list.goals.filter(({ group }) => group === 'ended' || group === 'frozen')}
              className="goals-other"
            >
              {(goal) => <GoalRow key={goal.slug} goal={goal} />}
            </Goals>
            <Pages next={list.next} paged={paged} />
          </>
        ) : (
          <Empty drawing="/drawings/empty-pools.svg">
            {paged ? (
              <NothingOlder newest="/giveback" />
            ) : (
              <>
                <p>
                  <Trans>No goals yet.</Trans>
                </p>
                <p>
                  <CreateLink />
                </p>
              </>
            )}
          </Empty>
        )}
      </div>

      {!paged && (
        <>
          <Section id="figures" heading="figures-title" title={t`FundMe so far`} live="fundme ledger">
            {totals === null && <FiguresUnavailable />}
            <Stats>
              <Stat
                icon="treasury"
                label={t`Total Funded`}
                value={totals && formats.dollars(totals.fundedUsd)}
                note={
                  annulled
                    ? t`received by members' goals (${annulled} of it by goals that we later annulled)`
                    : t`received by members' goals`
                }
              />
              <Stat
                icon="dreams"
                label={t`Dreams Realized`}
                value={totals && formats.count(totals.completedCount)}
                note={t`goals whose report was accepted`}
              />
              <Stat
                icon="holders"
                label={t`Community Votes`}
                value={ballots === undefined ? '0' : ballots === null ? null : formats.count(ballots)}
                note={ballots === undefined ? voting : t`ballots that were counted`}
              />
            </Stats>
          </Section>
          <div className="pt-section">
            <Steps steps={steps(voting, ballots !== undefined)} />
            <LiveStatus />
          </div>
        </>
      )}
    </>
  )
}

function CreateLink() {
  return (
    <PageLink to="/dashboard/goals/new" className="button button-ink">
      <Trans>Create Fund Pool</Trans>
    </PageLink>
  )
}

interface GoalsProps {
  heading: string
  title: string
  goals: DatedGoal[]
  className: string
  children: (goal: DatedGoal) => ReactNode
}

/** Goals below a heading; renders nothing without goals. */
function Goals({ heading, title, goals, className, children }: GoalsProps) {
  if (goals.length === 0) return null
  return (
    <Section heading={heading} title={title}>
      <ul className={className}>{goals.map(children)}</ul>
    </Section>
  )
}

function Pages({ next, paged }: { next: string | null; paged: boolean }) {
  const { t } = useLingui()
  if (!next && !paged) return null
  return (
    <nav aria-label={t`Pages of goals`} className="column mt-6 flex flex-wrap justify-between gap-4">
      {paged && (
        <PageLink to="/giveback" className="button">
          <span aria-hidden="true">←</span> <Trans>The first goals</Trans>
        </PageLink>
      )}
      {next && (
        <PageLink to={`/giveback?after=${next}`} rel="next" className="button ms-auto">
          <Trans>More goals</Trans> <span aria-hidden="true">→</span>
        </PageLink>
      )}
    </nav>
  )
}
