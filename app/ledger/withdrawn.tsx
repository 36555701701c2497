import { Trans } from '@lingui/react/macro'
import { EnglishWords } from '../platform/ui/words'

/** Replaces a withdrawn text. `reason` is the public reason; undefined if the reason is unknown. */
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
