/** The provider of a browser wallet (EIP-1193). */
export interface Provider {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>
}

/** Why a wallet rejected a request: declined, another one is open, no connection, or no reason. */
export type Rejection = 'declined' | 'busy' | 'offline' | 'silent'

/** The fields in which wallets and their libraries keep the error that they wrap. */
const wrappers = ['data', 'originalError', 'error', 'cause', 'info', 'value'] as const

/**
 * A wallet's sentence for a person who declined. A node's sentence ('transaction rejected', 'execution
 * reverted: denied') does not match, because the payment page says after a match that nothing was sent.
 */
const declines =
  /\buser\b.{0,15}\b(?:reject|den[iy]|declin|cancel)|(?:reject|deni|declin|cancel)\w+ by (?:the )?user|^(?:(?:request|signature|transaction (?!rej))(?: was)? ?)?(?:rejected|denied|declined|cancel(?:l?ed)?)\.?$|^transaction was rejected$|\b0x6985\b/i

/**
 * The reason in an error from a provider: the codes of EIP-1193, of JSON-RPC, of WalletConnect (5000) and of
 * ethers, in the error or in an error that it wraps; without such a code, the wallet's words.
 */
export function rejectionOf(error: unknown): Rejection {
  const codes: unknown[] = []
  const words: string[] = []
  const read = (part: unknown, depth: number) => {
    if (typeof part === 'string') words.push(part.trim())
    if (typeof part !== 'object' || part === null || depth > 4) return
    const { code, message } = part as { code?: unknown; message?: unknown }
    codes.push(Number(code) || code)
    if (typeof message === 'string') words.push(message.trim())
    for (const name of wrappers) read((part as Record<string, unknown>)[name], depth + 1)
  }
  read(error, 0)
  const has = (...known: unknown[]) => codes.some((code) => known.includes(code))
  if (has(4001, 5000, 'ACTION_REJECTED')) return 'declined'
  if (has(4900, 4901)) return 'offline'
  if (has(-32002)) return 'busy'
  return words.some((text) => declines.test(text)) ? 'declined' : 'silent'
}

/** The wallet's first account, after the person has allowed the site to see it; null without one. */
export async function requestAccount(provider: Provider): Promise<string | null> {
  const accounts = await provider.request({ method: 'eth_requestAccounts' })
  const account: unknown = Array.isArray(accounts) ? accounts[0] : null
  return typeof account === 'string' ? account : null
}

/** A number in the format of JSON-RPC: '0x1f'. */
export function quantity(value: bigint): string {
  return `0x${value.toString(16)}`
}
