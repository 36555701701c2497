import { Trans } from '@lingui/react/macro'
import type { PublishedAct } from '~/acts/published-acts.server'
import type { GoalChange } from '~/goals/goal-changes.server'
import { EntryLink } from '~/ledger/entry-link'
import { Withdrawn } from '~/ledger/withdrawn'
import { When } from '~/platform/ui/when'

interface Item {
  key: string
  at: Date
  logIndex: number
  /** The new state and the previous state. */
  change?: GoalChange
  former?: GoalChange | undefined
  /** The operators' act that caused the change. */
  act?: PublishedAct | undefined
}

/** The history of a goal since its approval, newest first: public states, and dismissals of complaints. */
export function GoalHistory({ changes, acts }: { changes: GoalChange[]; acts: PublishedAct[] }) {
  const items: Item[] = [
    ...changes.map((change, at) => {
      const act = acts.find(({ madeKind, madeId }) => madeKind === 'goal' && madeId === change.id)
      return {
        key: `change-${change.id}`,
        at: change.recordedAt,
        // Links to the log entry of the act, which names the log entry of the change. The list of all acts
        // links to the same log entry.
        logIndex: act?.logIndex ?? change.logIndex,
        change,
        former: changes[at + 1],
        act,
      }
    }),
    ...acts
      .filter(({ act }) => act === 'complaint-dismissal')
      .map((act) => ({ key: `act-${act.id}`, at: act.recordedAt, logIndex: act.logIndex, act })),
  ].sort((one, other) => other.at.getTime() - one.at.getTime())
  return (
    <ol className="mt-4 border-t-2 border-ink">
      {items.map((item) => (
        <HistoryItem key={item.key} item={item} />
      ))}
    </ol>
  )
}

function HistoryItem({ item }: { item: Item }) {
  const { key, at, logIndex, act, change } = item
  const reason = act?.reason ?? change?.reason
  const isMembers = reason !== undefined && reason === change?.reason
  const isWithdrawn = act?.reasonWithdrawn || (!reason && change?.reasonHash != null)
  return (
    <li data-key={key} className="grid gap-1 border-b border-hairline py-3">
      <p>
        <strong className="font-semibold">
          <What item={item} />
        </strong>
        <Who
          act={act}
          byOperators={change === undefined || change.changedBy === 'operator'}
          isNamed={change?.stage === 'completed' && change.stage !== item.former?.stage && Boolean(act?.by)}
        />
      </p>
      {reason && (
        <p className="whitespace-pre-line wrap-anywhere" dir="auto" lang={isMembers ? '' : 'en'}>
          {reason}
        </p>
      )}
      {isWithdrawn && (
        <p>
          <Withdrawn />
        </p>
      )}
      <p className="flex flex-wrap gap-x-4 text-sm text-muted">
        <When date={at} />
        <EntryLink logIndex={logIndex} className="link py-0.5" />
      </p>
    </li>
  )
}

function What({ item: { change, former, act } }: { item: Item }) {
  if (!change) return <Trans>Operators read the complaints about this goal and dismissed them</Trans>
  const { stage, frozen, hidden, changedBy } = change
  if (!former) return <Trans>Approved and opened</Trans>
  if (stage === former.stage) {
    if (!frozen) return <Trans comment="A goal that was frozen">Released</Trans>
    return hidden ? <Trans>Frozen; its text and its picture are hidden</Trans> : <Trans>Frozen</Trans>
  }
  if (stage === 'completed')
    return act?.by ? (
      <Trans>{act.by} accepted the final report</Trans>
    ) : (
      <Trans>Its final report was accepted</Trans>
    )
  if (stage === 'annulled') return <Trans>Annulled</Trans>
  if (changedBy === 'member') return <Trans>Ended early by its member</Trans>
  if (changedBy === 'deletion') return <Trans>Ended: the member deleted their account</Trans>
  return <Trans>Ended: its time was over</Trans>
}

function Who({
  act,
  byOperators,
  isNamed,
}: {
  act: PublishedAct | undefined
  byOperators: boolean
  /** Whether the sentence before names the operator. */
  isNamed: boolean
}) {
  if (!act || !byOperators || isNamed) return null
  const { by, second } = act
  if (by === null)
    return (
      <>
        {' · '}
        <Trans>by the holder of the secret key</Trans>
      </>
    )
  return (
    <>
      {' · '}
      {second ? (
        <Trans>
          by {by} and {second}
        </Trans>
      ) : (
        <Trans comment="The handle of an operator">by {by}</Trans>
      )}
    </>
  )
}
