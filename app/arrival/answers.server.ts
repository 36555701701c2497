import * as z from 'zod/mini'
import { type Arrival, arrivals } from '../ledger/arrivals'
import { tokenColumns, withTokens } from '../ledger/token-columns.server'
import { integerColumn, moneyColumn, objectsColumn, timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'
import { answers, strengths } from './strengths'

const answerRow = z.object({
  id: integerColumn,
  transactionId: integerColumn,
  strength: z.enum(strengths),
  /** Who printed the link, or entered the address with `second`. */
  by: z.nullable(z.string()),
  second: z.nullable(z.string()),
  answer: z.enum(answers),
  recordedAt: timestampColumn,
  isCurrent: z.boolean(),
  isStandingNo: z.boolean(),
  name: z.nullable(z.string()),
  words: z.nullable(z.string()),
  wordsWait: z.boolean(),
  wordsWithdrawn: z.boolean(),
  /** Who did not publish name and words; the reason is null if it was withdrawn. */
  rejectedBy: z.nullable(z.string()),
  rejectedBecause: z.nullable(z.string()),
  logIndex: z.nullable(integerColumn),
  notes: objectsColumn(
    z.object({ by: z.nullable(z.string()), text: z.nullable(z.string()), saidAt: timestampColumn }),
  ),
})
export type Answer = z.infer<typeof answerRow>

/** What the recipient of a transfer said, the oldest first; null if it cannot be read. */
export function listAnswers(
  data: Data,
  { chainId, txHash, ordinal }: { chainId: number; txHash: string; ordinal: number },
): Promise<Answer[] | null> {
  return data.rows('published_answers', answerRow, (query) =>
    query.eq('tx_hash', txHash).eq('chain_id', chainId).eq('ordinal', ordinal).order('id'),
  )
}

const exchangeRow = z.object({ by: z.string(), second: z.string() })
export type Exchange = z.infer<typeof exchangeRow>

/** The operators who say that a wallet belongs to an exchange; undefined without them, null if it cannot be read. */
export async function readExchange(data: Data, wallet: string): Promise<Exchange | undefined | null> {
  const rows = await data.rows('exchange_wallets', exchangeRow, (query) => query.eq('wallet', wallet))
  return rows ? rows[0] : null
}

const arrivalRow = z.object({ id: integerColumn, state: z.enum(arrivals) })
type Found = z.infer<typeof arrivalRow>[] | null

const byId = (rows: Found): Record<number, Arrival> | null =>
  rows && Object.fromEntries(rows.map(({ id, state }) => [id, state]))

/** The states of payments whose recipient was asked, by the id of the row; null if they cannot be read. */
export async function readArrivals(data: Data, ids: readonly number[]) {
  return byId(await data.rows('published_arrivals', arrivalRow, (query) => query.in('id', ids)))
}

/** As `readArrivals`, of the payments of a pool. */
export async function readPoolArrivals(data: Data, pool: string) {
  return byId(await data.rows('published_arrivals', arrivalRow, (query) => query.eq('pool_slug', pool)))
}

const totalsRow = z.object({
  walletUsd: moneyColumn,
  mailUsd: moneyColumn,
  printUsd: moneyColumn,
  noUsd: moneyColumn,
  askedUsd: moneyColumn,
  notAskedUsd: moneyColumn,
  noCount: integerColumn,
  askedCount: integerColumn,
  answeredCount: integerColumn,
  notAskedCount: integerColumn,
  unvaluedCount: integerColumn,
})
export type ArrivalTotals = z.infer<typeof totalsRow>

/** The figures by strength; null, and never zeros, if they can't be read. */
export function readArrivalTotals(data: Data): Promise<ArrivalTotals | null> {
  return data.row('arrival_totals', totalsRow)
}

const ownAnswer = z.object({
  answer: z.enum(answers),
  recorded_at: timestampColumn,
  name: z.nullable(z.string()),
  words: z.nullable(z.string()),
  waits: z.boolean(),
  /** Why an operator did not publish name and words, empty if that was withdrawn; null if no one rejected them. */
  rejected: z.nullable(z.string()),
})

/** What the page of a link shows (private.show_ask). */
export const askValue = z.union([
  z.object({ state: z.literal('unknown'), outcome: z.optional(z.string()) }),
  z.pipe(
    z.object({
      state: z.enum(['open', 'ended', 'corrected', 'answered twice']),
      /** What a press did; missing of a page that was only opened. */
      outcome: z.optional(z.enum(['stored', 'used', 'closed', 'withdrawn'])),
      strength: z.enum(strengths),
      by: z.nullable(z.string()),
      second: z.nullable(z.string()),
      expires_at: timestampColumn,
      asks_name: z.boolean(),
      id: integerColumn,
      occurred_at: timestampColumn,
      amount_usd: z.nullable(moneyColumn),
      token_amount: tokenColumns.tokenAmount,
      token_symbol: tokenColumns.tokenSymbol,
      token_decimals: tokenColumns.tokenDecimals,
      note: z.nullable(z.string()),
      answers: z.array(ownAnswer),
    }),
    z.transform(({ token_amount, token_symbol, token_decimals, amount_usd, ...ask }) => ({
      ...ask,
      ...withTokens({
        amountUsd: amount_usd,
        tokenAmount: token_amount,
        tokenSymbol: token_symbol,
        tokenDecimals: token_decimals,
      }),
    })),
  ),
])
export type Ask = Exclude<z.infer<typeof askValue>, { state: 'unknown' }>

const contacts = z.array(
  z.object({ wallet: z.string(), language: z.string(), is_person: z.boolean(), since: timestampColumn }),
)

/** The wallets for which operators entered the member's confirmed address; null if they cannot be read. */
export function listContacts(access: Data): Promise<z.infer<typeof contacts> | null> {
  return access.call('member_contacts', contacts, {}, { get: true })
}
