import * as z from 'zod/mini'
import { integerColumn, linkColumn, moneyColumn, timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'
import { cursorOf, fromPosition, type KeysetPage, moment, type Position, readPage } from './keyset.server'
import { verificationColumns } from './verification-status.server'
import { readWithdrawalReasons } from './withdrawals.server'

const callsPerPage = 5

/** A statement and its payment. The text is null if it was withdrawn. */
const callRow = z.pipe(
  z.object({
    id: integerColumn,
    postedAt: moment,
    author: z.string(),
    /** Whether an operator has checked the statement's source. */
    verified: z.boolean(),
    /** How an operator confirmed the source, in the operator's words. */
    confirmedBy: z.nullable(z.string()),
    tweetText: z.nullable(z.string()),
    sourceEditedAt: z.nullable(timestampColumn),
    sourceGoneAt: z.nullable(timestampColumn),
    isXPost: z.boolean(),
    tweetUrl: linkColumn,
    actionTaken: z.nullable(z.string()),
    txHash: z.nullable(z.string()),
    /** When the statement was read at its URL; null if the time was not recorded. */
    capturedAt: z.nullable(timestampColumn),
    /** SHA-256 of the text in UTF-8, in hex. */
    statementSha256: z.nullable(z.string()),
    textHash: z.string(),
    actionHash: z.string(),
    transactionId: z.nullable(integerColumn),
    answeredAt: z.nullable(timestampColumn),
    answeredUsd: z.nullable(moneyColumn),
    /** The number of other statements that name the same payment. */
    sharedCount: integerColumn,
    ...verificationColumns,
    /** Null for a statement without a payment. */
    status: z.nullable(verificationColumns.status),
  }),
  z.transform(({ postedAt, ...row }) => {
    const { transactionId: id, answeredAt: at, answeredUsd: amount, status, checkedAt, unreachableAt } = row
    return {
      ...row,
      postedAt: timestampColumn.parse(postedAt),
      cursor: cursorOf(postedAt, row.id),
      /** The cursor of the feed page that begins with this statement. */
      startCursor: cursorOf(postedAt, row.id + 1),
      /** The row of the statement's payment; null until the ledger has this row. */
      answer: id !== null && at && status ? { id, at, amount, status, checkedAt, unreachableAt } : null,
    }
  }),
)

/**
 * `tweetReason` and `actionReason` say why the text was withdrawn; each is undefined if its text was not
 * withdrawn, or if the reason cannot be read.
 */
export type Call = z.infer<typeof callRow> & Record<'tweetReason' | 'actionReason', string | undefined>

/** One page of the statements, newest first; null if the statements can't be read. */
export function listCalls(
  data: Data,
  position: Position | null,
  size = callsPerPage,
): Promise<KeysetPage<Call> | null> {
  return readPage(position, size, async (at, limit) => {
    const rows = await data.rows('published_cz_calls', callRow, (query) =>
      fromPosition(query, 'posted_at', at, limit),
    )
    if (!rows) return null
    const withdrawn = rows.flatMap((call) => [
      call.tweetText === null ? call.textHash : null,
      call.actionTaken === null ? call.actionHash : null,
    ])
    const reasons = await readWithdrawalReasons(data, withdrawn)
    return rows.map((call) => ({
      ...call,
      tweetReason: reasons.get(call.textHash),
      actionReason: reasons.get(call.actionHash),
    }))
  })
}
