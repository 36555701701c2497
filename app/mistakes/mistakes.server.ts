import * as z from 'zod/mini'
import { cursorOf, fromPosition, moment, type Position, readPage } from '../ledger/keyset.server'
import { tokenColumns, withTokens } from '../ledger/token-columns.server'
import { readValues } from '../payments/order-values.server'
import type { Cents } from '../platform/money'
import { integerColumn, moneyColumn, objectsColumn, timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'
import type { Config } from '../platform/server/env.server'
import { readGoalClock } from '../platform/server/goal-clock.server'

/** Maximum number of mistakes on a page of the list. */
const perPage = 20

export const mistakeKinds = [
  'correction',
  'withdrawal',
  'mismatch',
  'balance',
  'payment',
  'report',
  'custody',
  'arrival',
] as const

const noteRow = z.object({
  number: integerColumn,
  /** Null for the command line. */
  by: z.nullable(z.string()),
  /** Null if it was withdrawn. */
  text: z.nullable(z.string()),
  saidAt: timestampColumn,
  logIndex: z.nullable(integerColumn),
})

/** The columns of published_mistakes, where each has its meaning. */
export const mistakeColumns = {
  id: integerColumn,
  subject: z.string(),
  kind: z.enum(mistakeKinds),
  state: z.nullable(z.string()),
  transactionId: z.nullable(integerColumn),
  orderId: z.nullable(integerColumn),
  goal: z.nullable(z.string()),
  pool: z.nullable(z.string()),
  wallet: z.nullable(z.string()),
  ...tokenColumns,
  words: z.nullable(z.string()),
  wordsWithdrawn: z.boolean(),
  by: z.nullable(z.string()),
  second: z.nullable(z.string()),
  logIndex: z.nullable(integerColumn),
  notes: objectsColumn(noteRow),
}

const mistakeRow = z.pipe(
  z.object({ ...mistakeColumns, since: moment, endedAt: z.nullable(timestampColumn) }),
  z.transform(({ since, ...columns }) => ({
    ...withTokens(columns),
    since: timestampColumn.parse(since),
    cursor: cursorOf(since, columns.id),
  })),
)
const valueRow = z.object({ id: integerColumn, amountUsd: z.nullable(moneyColumn) })
/**
 * `amountUsd`: the value of an order at the price of now, and of a row the value that the ledger states; null without a
 * price, and of other mistakes.
 */
export type Mistake = z.infer<typeof mistakeRow> & { amountUsd: Cents | null }

/** A page of the mistakes, those that began last first; null if they cannot be read. */
export async function listMistakes(data: Data, config: Config, position: Position | null) {
  const page = await readPage(position, perPage, (at, limit) =>
    data.rows('published_mistakes', mistakeRow, (query) => fromPosition(query, 'since', at, limit)),
  )
  // The demonstration has its own time, at which less is late than the database says.
  const now = readGoalClock(config)
  const rows = page?.rows.filter(({ since }) => since.getTime() <= now) ?? []
  // An order has its value here as in the list of orders, and a row as on its own page. A balance has none.
  const payments = rows.filter(({ kind }) => kind === 'payment')
  const ids = rows.flatMap(({ kind, transactionId }) => (kind !== 'payment' && transactionId) || [])
  const [dollarsOf, records] = await Promise.all([
    readValues(
      data,
      config,
      payments.map(({ tokens }) => tokens?.symbol),
    ),
    ids.length > 0 ? data.rows('published_records', valueRow, (query) => query.in('id', ids)) : null,
  ])
  const amountOf = ({ kind, tokens, transactionId }: (typeof rows)[number]) =>
    kind === 'payment'
      ? dollarsOf(tokens)
      : (records?.find(({ id }) => id === transactionId)?.amountUsd ?? null)
  return page && { ...page, rows: rows.map((row) => ({ ...row, amountUsd: amountOf(row) })) }
}

const firstRow = z.object({ entry: z.string() })
const dated = z.object({ recorded_at: timestampColumn })

/** The time of the first entry of the log; 'none' for an empty log, null if it cannot be read. */
export async function readLogStart(data: Data): Promise<Date | 'none' | null> {
  const rows = await data.rows('published_entries', firstRow, (query) =>
    query.eq('log', 'ledger').eq('index', 0),
  )
  if (!rows?.[0]) return rows && 'none'
  return dated.parse(JSON.parse(rows[0].entry)).recorded_at
}
