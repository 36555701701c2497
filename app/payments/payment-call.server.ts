import * as z from 'zod/mini'
import { CallRefused } from '../chain/chain-errors.ts'
import { storedTransaction } from '../chain/stored-transaction.server.ts'
import { integerColumn, unitsColumn } from '../platform/server/columns.server.ts'

export const orderFacts = z.object({
  id: integerColumn,
  from_address: z.string(),
  to_address: z.string(),
  token_address: z.string(),
  token_symbol: z.string(),
  token_decimals: integerColumn,
  token_amount: unitsColumn,
})
export type OrderFacts = z.infer<typeof orderFacts>

export const sentOrder = z.extend(orderFacts, {
  account: z.string(),
  payer: z.string(),
  nonce: integerColumn,
  transactions: z.pipe(
    z.array(storedTransaction),
    z.transform((all, check) => {
      const [first, ...others] = all
      if (first) return [first, ...others] as const
      check.issues.push({ code: 'custom', message: 'an order that is sent has a transaction', input: all })
      return z.NEVER
    }),
  ),
})
export type SentOrder = z.infer<typeof sentOrder>

/** The greatest gas limit of a payment. */
export const mostGas = 1_000_000n

/** An argument of a contract call: 32 bytes in hex. */
export const word = (value: string | bigint) =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0')
/** The call transferFrom(from, to, amount). The database compares the same bytes. */
export const transferFrom = ({ from_address, to_address, token_amount }: OrderFacts): `0x${string}` =>
  `0x23b872dd${word(from_address)}${word(to_address)}${word(token_amount)}`

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
