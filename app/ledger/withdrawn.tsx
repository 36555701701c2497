import { Trans } from '@lingui/react/macro'
import { EnglishWords } from '../ui/words'

/** Shown in place of a text that was withdrawn. `reason` is the operator's public reason; undefined if unknown. */
export function Withdrawn({ reason }: { reason?: string | undefined }) {
  const words = <EnglishWords>{reason}</EnglishWords>
  return (
    <span className="text-muted">
      {reason ? (
        <Trans>This text was withdrawn. The reason: {words}</Trans>
      ) : (
        <Trans>This text was withdrawn.</Trans>
      )}
    </span>
  )
}
