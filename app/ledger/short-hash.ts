/**
 * A transaction hash or a wallet address, shortened in the middle, in every list. It keeps 16 digits: anyone can make an
 * address that agrees with another in a few, and hopes that it is copied from a list.
 */
export function shortHash(value: string): string {
  return `${value.slice(0, 10)}…${value.slice(-8)}`
}
