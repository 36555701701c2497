import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { PublicGoal } from '~/goals/public-goals.server'
import { Hash } from '~/ledger/hash'
import { ListUnavailable } from '~/ledger/unavailable'
import { Gap, PageLink, useLanguage } from '~/platform/locales/react'
import { When } from '~/platform/ui/when'
import { partOf, shareOf, useTokens } from '~/votes/vote-words'
import type { OpenedVote, readVote } from '~/votes/votes.server'

const day = 24 * 60 * 60_000

/** The vote of token holders on a goal: before its draw, while it is open, and its result. */
export function GoalVote({
  goal,
  vote,
  now,
}: {
  goal: PublicGoal
  vote: Awaited<ReturnType<typeof readVote>>
  now: number
}) {
  if (vote === null) return <ListUnavailable />
  if (vote === 'none' || vote.id === null) {
    const seedBlock = vote === 'none' ? null : vote.seedBlock
    return (
      <p className="mt-4 text-muted">
        {goal.stage !== 'open' ? (
          <Trans>There was no vote: the goal ended before its block was drawn.</Trans>
        ) : seedBlock === null ? (
          <Trans>The block whose balances count has not been drawn yet.</Trans>
        ) : (
          <Trans>
            Block {seedBlock} of the blockchain, which did not exist yet when we named it, chooses the block
            whose balances count. The vote opens a few minutes after it.
          </Trans>
        )}
      </p>
    )
  }
  return <Opened goal={goal} vote={vote} now={now} />
}

function Opened({ goal, vote, now }: { goal: PublicGoal; vote: OpenedVote; now: number }) {
  const { slug } = goal
  const isOpen = vote.won === null && goal.stage !== 'annulled' && vote.closesAt.getTime() > now
  return (
    <>
      <p className="mt-4 text-lg font-semibold">
        <Outcome goal={goal} vote={vote} now={now} />
      </p>
      <Weights vote={vote} />
      {vote.won === null && vote.waitingCount > 0 && vote.waitingSince && (
        <p className="mt-2 text-sm text-muted">
          <Trans>
            <Plural
              value={vote.waitingCount}
              one="# ballot waits to be counted"
              other="# ballots wait to be counted"
            />
            , the oldest since <When date={vote.waitingSince} />.
          </Trans>
        </p>
      )}
      {vote.won && <Payment goal={goal} vote={vote} now={now} />}
      <p className="no-print mt-5 flex flex-wrap items-center gap-x-5 gap-y-3">
        {isOpen && (
          <PageLink to={`/giveback/${slug}/vote`} className="button button-ink" rel="nofollow">
            <Trans>Vote to Fund</Trans>
          </PageLink>
        )}
        <PageLink to={`/giveback/${slug}/votes`} className="link inline-block py-1">
          <Trans>Every ballot</Trans>
        </PageLink>
      </p>
    </>
  )
}

function Outcome({ goal, vote, now }: { goal: PublicGoal; vote: OpenedVote; now: number }) {
  if (goal.stage === 'annulled') return <Trans>The goal was annulled, so its vote has no result.</Trans>
  if (vote.won !== null && vote.decidedAt)
    return vote.won ? (
      <Trans>
        Won: token holders decided on <When date={vote.decidedAt} day /> to fund this goal.
      </Trans>
    ) : (
      <Trans>
        Not won: the vote ended on <When date={vote.closesAt} day />.
      </Trans>
    )
  const left = Math.ceil((vote.closesAt.getTime() - now) / day)
  if (left < 1)
    return (
      <Trans>
        Voting ended on <When date={vote.closesAt} />. The last ballots are being counted.
      </Trans>
    )
  return (
    <Trans>
      Token holders vote for another <Plural value={left} one="# day" other="# days" />, until{' '}
      <When date={vote.closesAt} />.
    </Trans>
  )
}

/** Two numbers: the turnout, and for against against, each with its bar; then what a goal needs. */
function Weights({ vote }: { vote: OpenedVote }) {
  const { t } = useLingui()
  const { formats } = useLanguage()
  const tokens = useTokens(vote.decimals)
  const { support, against, supportWallets, againstWallets, quorum, largest } = vote
  const all = support + against
  const turnout = shareOf(all, vote.eligible)
  const forIt = partOf(support, all)
  const [given, half, other] = [turnout, forIt, 100 - forIt].map((part) => formats.percent(part))
  const [supporting, opposing, needed] = [support, against, quorum].map(tokens)
  const percent = formats.percent(Number(vote.quorumPercent))
  const done = formats.percent(Math.floor(shareOf(support, quorum)))
  const share = formats.percent(Math.round(shareOf(largest, all)))
  return (
    <div className="figures mt-4 grid max-w-[40rem] gap-2" data-hue="dreams">
      <p>
        <Trans>
          Turnout: <strong>{given}</strong> of the tokens that may vote, in{' '}
          <Plural value={supportWallets + againstWallets} one="# wallet" other="# wallets" />
        </Trans>
      </p>
      <progress className="progress" max={100} value={turnout} aria-label={t`Turnout`}>
        {given}
      </progress>
      {all > 0n && (
        <>
          <p>
            <Trans>
              For it: <strong>{half}</strong>, {supporting} of{' '}
              <Plural value={supportWallets} one="# wallet" other="# wallets" />. Against it:{' '}
              <strong>{other}</strong>, {opposing} of{' '}
              <Plural value={againstWallets} one="# wallet" other="# wallets" />.
            </Trans>
          </p>
          <progress className="progress" max={100} value={forIt} aria-label={t`For it, of all votes`}>
            {half}
          </progress>
        </>
      )}
      <p className="text-sm text-muted">
        <Trans>
          A goal wins with the support of {needed}, {percent} of the tokens that may vote, and more support
          than opposition.
        </Trans>
        {vote.won === null && (
          <>
            <Gap />
            <Trans comment="Of the support that a goal needs to win">It has {done} of that support.</Trans>
          </>
        )}
      </p>
      {supportWallets + againstWallets > 10 && (
        <p className="text-sm text-muted">
          <Trans>The ten largest wallets have {share} of the weight.</Trans>
        </p>
      )}
    </div>
  )
}

/** What the treasury should send to a goal that won, and the payment that did. */
function Payment({ goal, vote, now }: { goal: PublicGoal; vote: OpenedVote; now: number }) {
  const { formats } = useLanguage()
  if (goal.stage === 'annulled') return null
  if (vote.paidBy !== null)
    return (
      <p className="mt-4">
        <Trans>
          The treasury paid it:{' '}
          <PageLink to={`/transparency/${vote.paidBy}`} className="link">
            the payment
          </PageLink>
          .
        </Trans>
      </p>
    )
  const missing = goal.targetUsd - goal.receivedUsd
  if (missing <= 0)
    return (
      <p className="mt-4">
        <Trans>Gifts have reached the target, so the treasury sends nothing.</Trans>
      </p>
    )
  const days = Math.max(0, Math.floor((now - (vote.decidedAt?.getTime() ?? now)) / day))
  const amount = <strong>{formats.dollars(missing)}</strong>
  return (
    <p className="mt-4">
      <strong>
        <Trans>
          Won, not paid yet: <Plural value={days} one="# day" other="# days" />.
        </Trans>
      </strong>{' '}
      {vote.wallet ? (
        <Trans>
          The treasury should send {amount}, the target without what has arrived, to{' '}
          <Hash value={vote.wallet} kind="address" />.
        </Trans>
      ) : (
        <Trans>The goal is frozen, so the treasury sends nothing now.</Trans>
      )}
    </p>
  )
}
