import { Plural, Trans } from '@lingui/react/macro'
import { Gap } from '../platform/locales/react'

/**
 * How many operators remain (`count`) after one operator's role ends, and what that prevents. `waits`: the end
 * of the last other operator waits.
 */
export function RemainingOperators({ count, waits }: { count: number; waits: boolean }) {
  return (
    <p className="mt-3 max-w-[65ch] font-semibold">
      {count === 0 ? (
        <Trans>Afterwards no operator remains: no one can publish until the command line adds one.</Trans>
      ) : (
        <Trans>
          Afterwards <Plural value={count} one="# operator remains" other="# operators remain" />.
        </Trans>
      )}
      <Gap />
      {count === 1 && <Trans>With one operator, nothing that needs two people can be confirmed.</Trans>}
      {count === 1 && waits && (
        <>
          <Gap />
          <Trans>So this waits: the other operator confirms it, or you do so again after an hour.</Trans>
        </>
      )}
    </p>
  )
}
