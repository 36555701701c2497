import type { Provider } from './provider'

/** A wallet that announced itself (EIP-6963), or the wallet at `window.ethereum`. */
export interface Wallet {
  id: string
  /** Empty for the wallet at `window.ethereum`, which has no name. */
  name: string
  icon: string | null
  provider: Provider
}

/** Milliseconds between two looks for a wallet at `window.ethereum`, and the number of looks. */
const pause = 500
const mostLooks = 20

/**
 * Calls `report` with all wallets of this browser, now and after each announcement. `window.ethereum` counts
 * unless it is the provider of an announced wallet; some apps set it after the page has loaded. Returns a function
 * that ends these calls.
 */
export function findWallets(report: (wallets: Wallet[]) => void): () => void {
  const announced = new Map<string, Wallet>()
  let looks = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const tell = () => {
    const { ethereum } = window as { ethereum?: Provider }
    const wallets = [...announced.values()]
    if (typeof ethereum?.request === 'function' && wallets.every(({ provider }) => provider !== ethereum))
      wallets.push({ id: 'window', name: '', icon: null, provider: ethereum })
    report(wallets)
  }
  const listen = (event: Event) => {
    const { info, provider } = (event as CustomEvent).detail ?? {}
    if (typeof info?.uuid !== 'string' || typeof provider?.request !== 'function') return
    // Some wallets announce one provider several times, each time with a new id.
    for (const [id, wallet] of announced) if (wallet.provider === provider) announced.delete(id)
    const icon = String(info.icon ?? '')
    announced.set(info.uuid, {
      id: info.uuid,
      name: shownName(String(info.name ?? '')),
      icon: icon.startsWith('data:image/') ? icon : null,
      provider,
    })
    tell()
  }
  const look = () => {
    if ('ethereum' in window) tell()
    else if (looks++ < mostLooks) timer = setTimeout(look, pause)
  }
  window.addEventListener('eip6963:announceProvider', listen)
  window.addEventListener('ethereum#initialized', tell)
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  tell()
  look()
  return () => {
    window.removeEventListener('eip6963:announceProvider', listen)
    window.removeEventListener('ethereum#initialized', tell)
    clearTimeout(timer)
  }
}

/** A wallet's name without direction characters, cut whole, without Intl.Segmenter (Firefox before 2024). */
function shownName(name: string): string {
  const clean = name.replace(/[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu, '')
  // A character with its marks and what joiners add to it.
  const characters = clean.slice(0, 2_000).match(/\P{M}(?:\p{M}|\u200d\P{M})*/gu) ?? []
  return characters.slice(0, 40).join('').trim()
}
