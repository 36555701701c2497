/** The provider of a browser wallet (EIP-1193). */
export interface Provider {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>
}

/**
 * Why a wallet rejected a request: the person declined it, another request is open, the wallet has no
 * connection, or the wallet gave no reason.
 */
export type Rejection = 'declined' | 'busy' | 'offline' | 'silent'

/** The reason in an error from a provider (the codes of EIP-1193 and of JSON-RPC). */
export function rejectionOf(error: unknown): Rejection {
  const code = (error as { code?: unknown } | undefined)?.code
  if (code === 4001) return 'declined'
  if (code === 4900 || code === 4901) return 'offline'
  return code === -32002 ? 'busy' : 'silent'
}

/**
 * The first account of the wallet, after the person has allowed the site to see it. Null if the wallet
 * returns no account.
 */
export async function requestAccount(provider: Provider): Promise<string | null> {
  const accounts = await provider.request({ method: 'eth_requestAccounts' })
  const account: unknown = Array.isArray(accounts) ? accounts[0] : null
  return typeof account === 'string' ? account : null
}

/** A number in the format of JSON-RPC: '0x1f'. */
export function quantity(value: bigint): string {
  return `0x${value.toString(16)}`
}
