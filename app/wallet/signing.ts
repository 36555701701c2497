import { encodeHex } from '../platform/bytes'
import type { Wallet } from './browser'
import { rejectionOf, requestAccount } from './provider'
import type { WalletFault } from './wallet-faults'

/** Requests a signature for the message of `messagePath`. The fields for the server, or the fault. */
export async function signWith(
  { provider }: Wallet,
  messagePath: string,
): Promise<{ message: string; signature: string } | WalletFault> {
  try {
    const account = await requestAccount(provider)
    if (account === null) return 'account'
    const message = await fetchMessage(messagePath, account)
    if (message === null) return 'unprepared'
    // `personal_sign` takes the message as hex.
    const hex = `0x${encodeHex(new TextEncoder().encode(message))}`
    const signature = await provider.request({ method: 'personal_sign', params: [hex, account] })
    return typeof signature === 'string' ? { message, signature } : 'silent'
  } catch (error) {
    return rejectionOf(error)
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
