import { Plural, Trans } from '@lingui/react/macro'
import { Gap } from '../platform/locales/react'
import type { WalletControl } from './controls.server'

/** How many of our wallets one key, several keys, or something unknown can move. */
export interface KeyCounts {
  wallets: number
  single: number
  several: number
  /** The wallets of which a key was shown in the last 30 days. */
  shown: number
  /** Whether operators say of a key who holds it. */
  isNamed: boolean
}

/**
 * Null without a wallet. A Safe with a module, a wallet of which an address other than the payer may spend, and one that was not
 * read lately count as unknown.
 */
export function controlCounts(
  wallets: readonly { address: string }[],
  controls: Record<string, WalletControl>,
): KeyCounts | null {
  if (wallets.length === 0) return null
  const known = wallets.flatMap(({ address }) => {
    const found = controls[address.toLowerCase()]
    if (!found || found.isOld || found.modules.length > 0) return []
    return !found.allowed || found.allowed.isOld || found.allowed.list.some(({ isPayer }) => !isPayer)
      ? []
      : [found]
  })
  const several = known.filter(({ threshold }) => (threshold ?? 0) > 1).length
  const single = known.filter(({ control, threshold }) => control === 'key' || threshold === 1).length
  const shown = wallets.filter(
    ({ address }) => (controls[address.toLowerCase()]?.signed.count ?? 0) > 0,
  ).length
  const isNamed = wallets.some(({ address }) =>
    controls[address.toLowerCase()]?.keys.some(({ holder }) => holder),
  )
  return { wallets: wallets.length, single, several, shown, isNamed }
}

/** Who can move the money of our wallets, in numbers. */
export function ControlCounts({ counts: { wallets, single, several, shown } }: { counts: KeyCounts }) {
  const unknown = wallets - single - several
  return (
    <>
      <Trans>
        Of our <Plural value={wallets} one="# wallet" other="# wallets" />, {single} can be moved by one key
        alone, and {several} only by several keys together.
      </Trans>
      {unknown > 0 && (
        <>
          <Gap />
          <strong className="text-bad">
            <Trans>For {unknown} of them we can't say who can move the money.</Trans>
          </strong>
        </>
      )}
      <Gap />
      {shown === wallets ? (
        <Trans>In the last 30 days, a holder showed a key of each.</Trans>
      ) : (
        <strong className="text-bad">
          <Trans>
            In the last 30 days, key holders of {shown} of our {wallets} wallets showed that they have a key.
          </Trans>
        </strong>
      )}
    </>
  )
}
