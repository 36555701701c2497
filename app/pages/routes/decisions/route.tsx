import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { readGoalTitles } from '~/ledger/goal-names.server'
import { GoalTitle } from '~/ledger/goal-title'
import { sharesText } from '~/ledger/split-words'
import { ListUnavailable } from '~/ledger/unavailable'
import { OrderLine } from '~/payments/order-list'
import { valueOrders } from '~/payments/order-values.server'
import { listMadeBy, readOrderClock } from '~/payments/orders.server'
import { listStanding } from '~/payments/standing.server'
import { LiveStatus } from '~/platform/live/live-status'
import { PageLink, useLanguage } from '~/platform/locales/react'
import type { PageHandle } from '~/platform/rendering/handle'
import { pageMeta } from '~/platform/rendering/seo'
import { requireVoting } from '~/platform/server/fundme-guard.server'
import { PageHeader } from '~/platform/ui/page-header'
import { When } from '~/platform/ui/when'
import { partOf, shareOf } from '~/votes/vote-words'
import { type DecidedVote, listDecided } from '~/votes/votes.server'

export const handle: PageHandle = { cached: [], fundMe: true }

export const meta = pageMeta({
  title: msg`What the community decided`,
  description: msg`Each vote of token holders with its numbers, the money that it rules, and the payments that followed.`,
  path: '/decisions',
})

const mostVotes = 30
const mostOrders = 60

export async function loader({ context }: LoaderFunctionArgs) {
  requireVoting(context)
  const { config } = context
  const data = context.publicData()
  const [votes, standing] = await Promise.all([listDecided(data, mostVotes), listStanding(data)])
  const rules = (standing ?? []).filter(({ rule }) => rule !== 'call')
  const made = await listMadeBy(
    data,
    rules.map(({ number }) => number),
    mostOrders,
  )
  const [orders, titles] = await Promise.all([
    valueOrders(data, config, made),
    readGoalTitles(data, votes?.flatMap(({ goal, shares }) => (shares ? [] : [goal])) ?? []),
  ])
  const splits = votes?.filter(({ won, shares }) => won && shares) ?? []
  const active = rules.find(({ rule, state }) => rule === 'allocation' && state === 'active')
  return {
    votes: votes?.map((vote) => ({
      ...vote,
      title: titles[vote.goal] ?? null,
      payments: (orders ?? []).filter(({ occasion }) =>
        vote.shares ? splitOf(splits, occasion) === vote : occasion === vote.goal,
      ),
    })),
    /** The part of the tax that the newest split rules, in tenths of a percent. */
    ruled: active?.percent ?? null,
    now: readOrderClock(config),
  }
}

/**
 * The split by which the tax of a month ('2026-11') was divided: the newest that was decided in that month or before.
 * The database has the same rule (private.divide_month).
 */
function splitOf(splits: DecidedVote[], month: string | null): DecidedVote | undefined {
  if (!/^\d{4}-\d\d$/.test(month ?? '')) return undefined
  return splits.find(({ decidedAt }) => decidedAt.toISOString().slice(0, 7) <= (month ?? ''))
}

type Decided = NonNullable<Awaited<ReturnType<typeof loader>>['votes']>[number]

export default function Decisions() {
  const { t } = useLingui()
  const { votes, ruled, now } = useLoaderData<typeof loader>()
  const newestSplit = votes?.find(({ won, shares }) => won && shares)
  return (
    <>
      <PageHeader
        title={t`What the community decided`}
        tagline={t`Each vote, the money that it rules, and the payments that followed.`}
      />
      <div id="decisions" data-live="fundme ledger acts" className="column">
        {!votes ? (
          <ListUnavailable />
        ) : votes.length === 0 ? (
          <p className="text-muted">
            <Trans>No vote has ended yet.</Trans>
          </p>
        ) : (
          <ol className="grid gap-x-16 gap-y-10 lg:grid-cols-2">
            {votes.map((vote) => (
              <li key={vote.goal} data-key={vote.goal} className="border-t-2 border-ink pt-3">
                <Vote vote={vote} ruled={vote === newestSplit ? ruled : null} now={now} />
              </li>
            ))}
          </ol>
        )}
      </div>
      <LiveStatus />
    </>
  )
}

function Vote({ vote, ruled, now }: { vote: Decided; ruled: number | null; now: number }) {
  const language = useLanguage()
  const { formats } = language
  const { goal, title, support, against, quorum, names, shares, won, decidedAt, payments } = vote
  // A goal needs the support of the quorum: what is against it does not count.
  const reached = shareOf(support, quorum)
  const [turnout, isEnough] = [formats.percent(Math.floor(reached)), reached >= 100]
  const inFavour = formats.percent(partOf(support, support + against))
  const parts = sharesText(names ?? [], shares ?? [], language)
  const ruledPart = formats.percent((ruled ?? 0) / 10)
  return (
    <article aria-labelledby={`vote-${goal}`}>
      <p className="text-sm text-muted">
        <When date={decidedAt} day />
      </p>
      <h2 id={`vote-${goal}`} className="text-xl">
        <PageLink to={shares ? `/giveback/${goal}/votes` : `/giveback/${goal}`} className="link">
          {shares ? <Trans>The split of the fees</Trans> : <GoalTitle title={title} />}
        </PageLink>
      </h2>
      <p className="mt-1">
        <strong className={won ? 'text-good' : 'text-muted'}>
          {won ? (
            <Trans comment="The result of a vote">Decided</Trans>
          ) : (
            <Trans comment="The result of a vote">Not decided</Trans>
          )}
        </strong>{' '}
        {isEnough && (
          <>
            <Trans>Enough voted:</Trans>{' '}
          </>
        )}
        {shares ? (
          <Trans>{turnout} of the votes that it needed</Trans>
        ) : (
          <Trans>
            {turnout} of the votes that it needed, {inFavour} for it
          </Trans>
        )}
      </p>
      {won && shares && <p className="mt-1">{parts}</p>}
      {won && (
        <p className="mt-1 text-muted">
          {!shares ? (
            <Trans>It rules what the treasury pays to this goal.</Trans>
          ) : ruled === null ? (
            <Trans>No rule pays by it now.</Trans>
          ) : (
            <Trans>It rules {ruledPart} of the trading tax, from the month after the vote on.</Trans>
          )}
        </p>
      )}
      {payments.length > 0 ? (
        <ol className="mt-2 border-t border-hairline">
          {payments.map((order) => (
            <OrderLine key={order.number} order={order} now={now} />
          ))}
        </ol>
      ) : (
        won && (
          <p className="mt-1 text-muted">
            <Trans>No payment has followed yet.</Trans>
          </p>
        )
      )}
    </article>
  )
}
