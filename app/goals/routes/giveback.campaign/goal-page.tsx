import { Trans, useLingui } from '@lingui/react/macro'
import { FollowSection } from '~/follow/follow'
import { GoalLead, GoalStory } from '~/goals/goal-words'
import { Downloads, ledgerFeeds } from '~/ledger/download-links'
import { GoalTitle } from '~/ledger/goal-title'
import { ScanAge, ScanWarning } from '~/ledger/scan-age'
import { ListUnavailable } from '~/ledger/unavailable'
import { LiveStatus } from '~/platform/live/live-status'
import { PageLink } from '~/platform/locales/react'
import { Detail } from '~/platform/ui/detail'
import { Part } from '~/platform/ui/section'
import { OriginalWords } from '~/platform/ui/words'
import { GoalFigures } from './goal-figures'
import { Gifts } from './goal-gifts'
import { GoalHistory } from './goal-history'
import { GoalNote } from './goal-note'
import type { GoalPageData } from './goal-page.server'
import { GoalUpdate } from './goal-update'
import { GoalVote } from './goal-vote'
import { GoalWallet } from './goal-wallet'

/** The page of a goal, the same for everyone: the controls of its member are on the dashboard. */
export function GoalPage({ page }: { page: GoalPageData }) {
  const { t } = useLingui()
  const { goal, gifts, dreams, updates, changes, acts, scan } = page
  if (!goal)
    return (
      <div className="column pt-section">
        <h1 className="text-title">
          <Trans comment="A fundraiser of a member">A goal</Trans>
        </h1>
        <ListUnavailable what={t`We can't load this goal right now.`} />
      </div>
    )
  const { slug, stage, title, wallet } = goal
  const report = updates?.find(({ number }) => number === goal.reportNumber)
  const others = updates?.filter((update) => update !== report)
  const feeds = ledgerFeeds(title ?? slug, { pool: slug })
  const now = page.isDemo ? null : page.now
  return (
    <div className="pool column pt-6">
      <Detail
        title={<GoalTitle title={title} />}
        back={{ to: '/giveback', label: t`Community FundMe` }}
        className="pool-detail"
      >
        <div id="goal-lead" className="mt-3" data-live="fundme pools">
          <GoalNote goal={goal} />
          <GoalLead goal={goal} />
        </div>
        <div id="goal-figures" className="pool-figures mt-5" data-live="fundme ledger">
          <GoalFigures page={{ ...page, goal }} />
        </div>
        <div id="goal-words" className="mt-5" data-live="fundme pools">
          <GoalStory goal={goal} />
          <OriginalWords goals className="mt-2" />
          {report && (
            <section aria-label={t`Final report`} className="panel mt-6">
              <h2 className="text-heading">
                <Trans comment="What a member says that the money bought">Final report</Trans>
              </h2>
              <GoalUpdate update={report} />
            </section>
          )}
          {wallet && <GoalWallet wallet={wallet} tokens={page.tokens} />}
          <p className="no-print mt-6">
            <PageLink to={`/giveback/${slug}/problem`} className="link inline-block py-1" rel="nofollow">
              <Trans>Report a problem with this goal</Trans>
            </PageLink>
          </p>
        </div>
      </Detail>
      {page.vote !== undefined && (
        <Part className="pt-12" id="vote" title={t`Vote`} live="fundme ledger">
          <GoalVote goal={goal} vote={page.vote} now={page.now} />
        </Part>
      )}
      {/* The final report may be the only update. */}
      {(!report || others?.length !== 0) && (
        <Part className="pt-12" id="updates" title={t`Updates`} live="fundme pools">
          {!others ? (
            <ListUnavailable />
          ) : others.length > 0 ? (
            <div className="mt-4 grid gap-8 border-t-2 border-ink pt-6">
              {others.map((update) => (
                <GoalUpdate key={update.id} update={update} />
              ))}
            </div>
          ) : (
            <p className="mt-4 text-muted">
              <Trans>No updates yet.</Trans>
            </p>
          )}
        </Part>
      )}
      <Part className="pt-12" id="gifts" title={t`Gifts`} live="fundme ledger">
        {gifts === null ? (
          <ListUnavailable />
        ) : gifts.length > 0 ? (
          <Gifts gifts={gifts} goal={goal} />
        ) : (
          <p className="mt-4 text-muted">
            <Trans>No gifts yet.</Trans>
          </p>
        )}
        <ScanWarning scan={scan} now={now} />
        <ScanAge scan={scan} now={now} />
      </Part>
      {dreams?.length !== 0 && (
        <Part className="pt-12" id="dreams" title={t`From the treasury`} live="fundme ledger">
          {dreams ? <Gifts gifts={dreams} goal={goal} /> : <ListUnavailable />}
        </Part>
      )}
      <Part className="pt-12" id="history" title={t`What happened`} live="fundme acts">
        {changes && acts ? <GoalHistory changes={changes} acts={acts} /> : <ListUnavailable />}
      </Part>
      {(stage === 'open' || stage === 'ended') && (
        <FollowSection topic={slug} name={t`this goal`} className="pt-12" />
      )}
      {gifts?.length !== 0 && <Downloads filter={{ pool: slug }} feeds={feeds} />}
      <LiveStatus />
    </div>
  )
}
