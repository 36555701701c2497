/** Shown in place of a text that was withdrawn. `reason` is the operator's public reason; undefined if unknown. */
export function Withdrawn({ reason }: { reason?: string | undefined }) {
  return <span className="text-muted">This text was withdrawn{reason ? `. The reason: ${reason}` : '.'}</span>
}
