import type { WalletFault } from './wallet-faults'

/** The provider of a browser wallet (EIP-1193). */
interface Provider {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>
}

/** A wallet that announced itself (EIP-6963), or the one at `window.ethereum`. */
export interface Wallet {
  id: string
  name: string
  icon: string | null
  provider: Provider
}

/** Calls `found` with all wallets, again each time another one announces itself. Returns a function that stops it. */
export function findWallets(found: (wallets: Wallet[]) => void): () => void {
  const announced = new Map<string, Wallet>()
  const tell = () => {
    const { ethereum } = window as { ethereum?: Provider }
    const unannounced = typeof ethereum?.request === 'function' && announced.size === 0
    const only: Wallet[] = unannounced ? [{ id: 'window', name: '', icon: null, provider: ethereum }] : []
    found([...announced.values(), ...only])
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

/** Requests a wallet's signature of the message of `messagePath`. Returns the fields for the server, or the fault. */
export async function signWith(
  { provider }: Wallet,
  messagePath: string,
): Promise<{ message: string; signature: string } | WalletFault> {
  try {
    const [account] = (await provider.request({ method: 'eth_requestAccounts' })) as string[]
    if (typeof account !== 'string') return 'account'
    const message = await fetchMessage(messagePath, account)
    if (message === null) return 'unprepared'
    const signature = await provider.request({ method: 'personal_sign', params: [toHex(message), account] })
    return typeof signature === 'string' ? { message, signature } : 'silent'
  } catch (error) {
    const code = (error as { code?: number } | undefined)?.code
    return code === 4001 ? 'declined' : code === -32002 ? 'busy' : 'silent'
  }
}

async function fetchMessage(path: string, address: string): Promise<string | null> {
  try {
    const response = await fetch(`${path}?${new URLSearchParams({ address })}`)
    return response.ok ? ((await response.json()) as { message: string }).message : null
  } catch {
    return null
  }
}

/** `personal_sign` takes the message as hex. */
function toHex(text: string): string {
  const bytes = new TextEncoder().encode(text)
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
