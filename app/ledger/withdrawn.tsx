import { Trans } from '@lingui/react/macro'

/** Shown in place of a text that was withdrawn. `reason` is the operator's public reason; undefined if unknown. */
export function Withdrawn({ reason }: { reason?: string | undefined }) {
  return (
    <span className="text-muted">
      {reason ? (
        <Trans>This text was withdrawn. The reason: {reason}</Trans>
      ) : (
        <Trans>This text was withdrawn.</Trans>
      )}
    </span>
  )
}
