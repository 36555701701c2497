import * as z from 'zod/mini'
import { operatorsOnly } from '../acts/guard.server'
import { integerColumn, objectsColumn, timestampColumn, unitsColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'
import type { Config } from '../platform/server/env.server'

const gap = z.object({
  payer: z.string(),
  /** How many transactions the payer has sent. */
  nonce: integerColumn,
  since: timestampColumn,
  /** The number of payments that are not checked yet, or whose sender is unknown so far. */
  unread: integerColumn,
  /** The rows of the payments that the payer sent without an order. */
  unmatched: z.array(integerColumn),
})
export type PayerGap = z.infer<typeof gap>

const means = z.object({
  /** The slug of the account that pays, and the address of its wallet. */
  account: z.string(),
  owner: z.string(),
  token: z.string(),
  symbol: z.string(),
  decimals: integerColumn,
  chainId: integerColumn,
  /** What the payer saw last; null if it has seen nothing yet, or the token does not say it. */
  allowance: z.nullable(unitsColumn),
  balance: z.nullable(unitsColumn),
  /** What the orders that wait need. */
  needed: unitsColumn,
  /** What the payer paid in the last 30 days. */
  paid: unitsColumn,
})
/** What the payer may spend of a token of a paying wallet, in base units. */
export type Means = z.infer<typeof means>

const payer = z.object({
  held: z.boolean(),
  /** The most that one order may pay, in tokens; null before the first run of the job. */
  most: z.nullable(integerColumn),
  /** Why the last run of the job sent no payment, and why orders wait, by their numbers; null if it did not say. */
  run: z.nullable(
    z.object({ fault: z.optional(z.string()), waiting: z.optional(z.record(z.string(), z.string())) }),
  ),
  /** Payments of the last 30 days without an order that equal one with an order: the row, and the number of the order. */
  doubles: z.array(z.object({ transaction: integerColumn, order: integerColumn })),
  /** What the ledger lacks of the payer's transactions, so that nothing is paid; null if it lacks nothing. */
  gap: z.nullable(gap),
  /** When the payer last looked, and its coins for gas; null if it has not looked yet. */
  sight: z.nullable(
    z.object({ payer: z.string(), gas: unitsColumn, payment_gas: unitsColumn, seen_at: timestampColumn }),
  ),
  means: objectsColumn(means),
})
export type Payer = z.infer<typeof payer>

/**
 * The address of the payer's key, and whether the database names another one: the holder of its secret key can, and owners
 * would approve a thief. Null without a key.
 */
export async function readPayerAddress(
  { PAYER_KEY }: Pick<Config, 'PAYER_KEY'>,
  sight: Payer['sight'],
): Promise<{ payer: string; isOther: boolean } | null> {
  if (!PAYER_KEY) return null
  const { addressOf } = await import('../chain/stored-transaction.server')
  const payer = addressOf(PAYER_KEY)
  return { payer, isOther: sight !== null && sight.payer !== payer }
}

/** What operators must know about the payer; null if it cannot be read. */
export async function readPayer(data: Data): Promise<Payer | null> {
  const found = await data.call('payer_overview', operatorsOnly(payer), {}, { get: true })
  return found === 'none' ? null : found
}
