import type { Provider } from './provider'

/** A wallet that announced itself (EIP-6963), or the wallet at `window.ethereum`. */
export interface Wallet {
  id: string
  /** Empty for the wallet at `window.ethereum`, which has no name. */
  name: string
  icon: string | null
  provider: Provider
}

/**
 * Calls `report` with all wallets of this browser, now and after each announcement. `window.ethereum` counts
 * only while no wallet has announced itself. Returns a function that ends these calls.
 */
export function findWallets(report: (wallets: Wallet[]) => void): () => void {
  const announced = new Map<string, Wallet>()
  const tell = () => {
    const { ethereum } = window as { ethereum?: Provider }
    const unannounced = typeof ethereum?.request === 'function' && announced.size === 0
    const only: Wallet[] = unannounced ? [{ id: 'window', name: '', icon: null, provider: ethereum }] : []
    report([...announced.values(), ...only])
  }
  const listen = (event: Event) => {
    const { info, provider } = (event as CustomEvent).detail ?? {}
    if (typeof info?.uuid !== 'string' || typeof provider?.request !== 'function') return
    const icon = String(info.icon ?? '')
    announced.set(info.uuid, {
      id: info.uuid,
      name: String(info.name ?? '').slice(0, 40),
      icon: icon.startsWith('data:image/') ? icon : null,
      provider,
    })
    tell()
  }
  window.addEventListener('eip6963:announceProvider', listen)
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  tell()
  return () => window.removeEventListener('eip6963:announceProvider', listen)
}
