import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { FieldFault, Tick } from '../platform/forms/control'
import type { FieldState } from '../platform/forms/refusal'

/** The answer to an approval without it. */
export const mustSpeak = msg`Say that the proof shows it, or return the goal.`

/** What each of the two operators who approve a goal must confirm. */
export function Speaks({ error, isFirst, defaultValue }: FieldState) {
  return (
    <div className="grid gap-1.5 *:font-semibold">
      <Tick
        name="speaks"
        required
        defaultChecked={defaultValue === 'yes'}
        aria-invalid={error ? true : undefined}
        aria-describedby={error && 'speaks-error'}
        autoFocus={isFirst}
      >
        <Trans>Does the proof show that they may speak for this name?</Trans>
      </Tick>
      <FieldFault id="speaks-error">{error}</FieldFault>
    </div>
  )
}
