import { CallRefused } from './chain-errors.ts'

/** An argument of a contract call: 32 bytes in hex. */
export const word = (value: string | bigint) =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0')

/** The calls allowance(owner, spender) and balanceOf(owner). */
export const allowanceCall = (owner: string, spender: string): `0x${string}` =>
  `0xdd62ed3e${word(owner)}${word(spender)}`
export const balanceCall = (owner: string): `0x${string}` => `0x70a08231${word(owner)}`

/** A number of a token's contract; null if the contract answers with another text, or refuses the call. */
export async function numberOf(answer: Promise<string>): Promise<string | null> {
  try {
    const text = await answer
    return /^0x[0-9a-f]{64}$/.test(text) ? `${BigInt(text)}` : null
  } catch (error) {
    if (error instanceof CallRefused) return null
    throw error
  }
}

/** Wallets call an allowance of 2^256 - 1 unlimited, and tokens count down from it. */
export function hasNoLimit(units: bigint): boolean {
  return units >= 2n ** 128n
}
