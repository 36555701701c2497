import { Suspense, useEffect, useState } from 'react'
import { late } from '../../platform/late'
import { findWallets, type Wallet } from '../../wallet/browser'
import type { WalletButtonOptions } from './wallet-button-list'

// Most browsers have no wallet and do not load this component.
const WalletButtonList = late(() => import('./wallet-button-list'))

/** A button for each wallet in this browser. Without JavaScript or without a wallet, no button is shown. */
export function WalletButtons(options: WalletButtonOptions) {
  const [wallets, setWallets] = useState<Wallet[]>([])
  useEffect(() => findWallets(setWallets), [])
  if (wallets.length === 0) return null
  return (
    <Suspense>
      <WalletButtonList wallets={wallets} {...options} />
    </Suspense>
  )
}
