import { encodeHex } from '../bytes'
import type { Wallet } from './browser'
import type { WalletFault } from './faults'

/** Requests a signature of the message that `messagePath` returns. Returns the fields for the server, or the fault. */
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
    if (code === 4001) return 'declined'
    return code === -32002 ? 'busy' : 'silent'
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
  return `0x${encodeHex(new TextEncoder().encode(text))}`
}
