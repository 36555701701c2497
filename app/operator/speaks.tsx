import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { FieldFault } from '../forms/control'
import type { FieldState } from '../forms/refusal'

/** The answer to an approval without it. */
export const mustSpeak = msg`Say that the proof shows it, or return the goal.`

/** What each of the two operators who approve a goal must confirm. */
export function Speaks({ error, isFirst }: FieldState) {
  return (
    <div className="grid gap-1.5">
      <label className="flex min-h-11 items-center gap-2 font-semibold">
        <input
          type="checkbox"
          name="speaks"
          value="yes"
          className="size-5"
          required
          aria-invalid={error ? true : undefined}
          aria-describedby={error && 'speaks-error'}
          // biome-ignore lint/a11y/noAutofocus: the wrong field of a refused form takes the focus
          autoFocus={isFirst}
        />
        <Trans>Does the proof show that they may speak for this name?</Trans>
      </label>
      <FieldFault id="speaks-error">{error}</FieldFault>
    </div>
  )
}
