import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { FieldState } from '../platform/forms/refusal'
import { MustTick } from './must-tick'

/** The answer to an approval without it. */
export const mustSpeak = msg`Say that the proof shows it, or return the goal.`

/** What each of the two operators who approve a goal must confirm. */
export function Speaks(state: FieldState) {
  return (
    <MustTick {...state}>
      <Trans>Does the proof show that they may speak for this name?</Trans>
    </MustTick>
  )
}
