import { ph } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { PageLink, useLanguage } from '../platform/locales/react'
import type { TokenAmount } from '../platform/tokens'
import { When } from '../platform/ui/when'
import { isTreasury } from './accounts'
import type { Reconciliation } from './reconciliations.server'
import type { Wallet } from './wallets'

/**
 * The balances of the treasury's wallets on the blockchain, in tokens. The figure above them is different:
 * the ledger's sum in dollars. Renders nothing before the first reconciliation.
 */
export function WalletBalances({
  reconciliations,
  wallets,
}: {
  reconciliations: Reconciliation[] | null
  wallets: Wallet[]
}) {
  const { formats } = useLanguage()
  const addresses = wallets.filter(({ slug }) => isTreasury(slug)).map(({ address }) => address.toLowerCase())
  const found = (reconciliations ?? []).filter(({ wallet }) => addresses.includes(wallet.toLowerCase()))
  const [oldest] = found.sort((a, b) => a.blockTime.getTime() - b.blockTime.getTime())
  if (!oldest) return null
  const held = new Map<string, TokenAmount>()
  for (const { chainAmount } of found)
    held.set(chainAmount.symbol, {
      ...chainAmount,
      amount: (held.get(chainAmount.symbol)?.amount ?? 0n) + chainAmount.amount,
    })
  return (
    <p id="held" className="figures mt-5 max-w-[65ch]">
      <Trans>
        In the treasury's wallets:{' '}
        <strong>
          {ph({
            value: formats.words(
              [...held.values()].map((one) => formats.tokens(one)),
              'and',
            ),
          })}
        </strong>
        .{' '}
        <span className="text-muted">
          Read from the blockchain on <When date={oldest.blockTime} />.
        </span>{' '}
        <PageLink to="/transparency/wallets#reconciliation" className="link">
          See each wallet
        </PageLink>
      </Trans>
    </p>
  )
}
