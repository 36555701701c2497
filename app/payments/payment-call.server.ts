import * as z from 'zod/mini'
import { storedTransaction } from '../chain/stored-transaction.server.ts'
import { word } from '../chain/token-calls.ts'
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

/** The call transferFrom(from, to, amount). The database compares the same bytes. */
export const transferFrom = ({ from_address, to_address, token_amount }: OrderFacts): `0x${string}` =>
  `0x23b872dd${word(from_address)}${word(to_address)}${word(token_amount)}`
