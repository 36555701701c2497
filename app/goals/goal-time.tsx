import { Plural, Trans } from '@lingui/react/macro'
import { When } from '../platform/ui/when'
import type { Stage } from './stages'

const day = 24 * 60 * 60_000

interface Props {
  goal: { stage: Stage; frozen: boolean; endsAt: Date; endedAt: Date | null }
  /** Milliseconds since 1970. */
  now: number
}

/** The time left for a goal, or when the goal ended. For a frozen goal, says that it takes no gifts now. */
export function GoalTime({ goal: { stage, frozen, endsAt, endedAt }, now }: Props) {
  if (stage !== 'open')
    return (
      endedAt && (
        <Trans>
          Ended on <When date={endedAt} day />
        </Trans>
      )
    )
  if (frozen) return <Trans>It takes no gifts now.</Trans>
  const left = Math.ceil((endsAt.getTime() - now) / day)
  if (left < 1)
    return (
      <Trans>
        Ends on <When date={endsAt} day />
      </Trans>
    )
  return (
    <Trans>
      <Plural value={left} one="# day left" other="# days left" />, until <When date={endsAt} day />
    </Trans>
  )
}
