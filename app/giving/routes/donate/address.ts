/**
 * An EIP-681 link that opens a wallet app with a payment of `units` of the blockchain's coin. The site makes
 * no such link for tokens (app/wallet/qr-code.server.ts says why).
 */
export function coinLink(address: string, chainId: number, units: bigint): string {
  return `ethereum:${address}@${chainId}?value=${units}`
}
