/**
 * An EIP-681 link that opens a wallet app with a payment of `units` of the blockchain's coin. The site makes
 * no such link for tokens (qr-code.server.ts says why).
 */
export function coinLink(address: string, chainId: number, units: bigint): string {
  return `ethereum:${address}@${chainId}?value=${units}`
}

/** ['55d3', '98f9', …]: a wallet address without '0x' in groups of four digits, which people can compare. */
export function groupsOfFour(address: string): string[] {
  return address.slice(2).match(/.{1,4}/g) ?? []
}
