import { lazy, Suspense, useEffect, useState } from 'react'
import { findWallets, type Wallet } from './wallet-browser'

// Most browsers have no wallet, so they do not load this part.
const WalletList = lazy(() => import('./wallet-list'))

/** A button for each wallet in this browser. Without script or without a wallet there is no button. */
export function WalletButtons(options: {
  action: string
  /** Where the message to sign comes from. */
  messagePath?: string
  verb?: string
}) {
  const [wallets, setWallets] = useState<Wallet[]>([])
  useEffect(() => findWallets(setWallets), [])
  if (wallets.length === 0) return null
  return (
    <Suspense>
      <WalletList wallets={wallets} {...options} />
    </Suspense>
  )
}
