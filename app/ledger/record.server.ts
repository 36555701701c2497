import * as z from 'zod/mini'
import {
  directionColumn,
  integerColumn,
  linkColumn,
  moneyColumn,
  objectsColumn,
  timestampColumn,
} from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'
import { cursorOf, moment } from './keyset.server'
import { tokenColumns, withTokens } from './token-columns.server'
import { withSides } from './transactions.server'
import { verificationColumns } from './verification-status.server'
import { readWithdrawalReasons } from './withdrawals.server'

const revisionColumns = {
  ...tokenColumns,
  id: integerColumn,
  /** The index of the row's entry in the log, from 0. */
  logIndex: integerColumn,
  recordedAt: timestampColumn,
  amountUsd: z.nullable(moneyColumn),
  note: z.nullable(z.string()),
}

const checkRow = z.object({
  id: integerColumn,
  status: verificationColumns.status,
  checkedAt: timestampColumn,
  blockNumber: z.nullable(integerColumn),
  blockHash: z.nullable(z.string()),
  blockTime: z.nullable(timestampColumn),
  confirmations: z.nullable(integerColumn),
  reason: z.nullable(z.string()),
})

const statementRow = z.pipe(
  z.object({
    id: integerColumn,
    postedAt: moment,
    author: z.string(),
    /** Null if the text was withdrawn. */
    tweetText: z.nullable(z.string()),
    sourceEditedAt: z.nullable(timestampColumn),
    sourceGoneAt: z.nullable(timestampColumn),
    isXPost: z.boolean(),
    verified: z.boolean(),
  }),
  z.transform(({ postedAt, ...row }) => ({
    ...row,
    postedAt: timestampColumn.parse(postedAt),
    /** The cursor of the feed page that begins with this statement. */
    cursor: cursorOf(postedAt, row.id + 1),
  })),
)

/** One row with all data of its page. */
const recordRow = z.pipe(
  z.object({
    ...revisionColumns,
    occurredAt: timestampColumn,
    type: z.string(),
    account: z.string(),
    counterAccount: z.nullable(z.string()),
    direction: directionColumn,
    /** The unrounded price of a whole token in US dollars. */
    rateUsd: z.nullable(z.string()),
    rateSource: z.nullable(z.string()),
    tokenAddress: z.nullable(z.string()),
    fromAddress: z.string(),
    toAddress: z.string(),
    txHash: z.string(),
    chainId: integerColumn,
    /** The place of the transfer in its transaction; -1 for a transfer of the blockchain's coin. */
    ordinal: integerColumn,
    poolSlug: z.nullable(z.string()),
    proofUrl: linkColumn,
    proofHash: z.nullable(z.string()),
    proofWithdrawn: z.boolean(),
    noteHash: z.nullable(z.string()),
    noteWithdrawn: z.boolean(),
    /** Our name for the wallet on the other side; null if it is ours, unnamed, or withdrawn. */
    counterName: z.nullable(z.string()),
    counterNameHash: z.nullable(z.string()),
    ...verificationColumns,
    /** Null for a row that a later revision has replaced. */
    status: z.nullable(verificationColumns.status),
    previousId: z.nullable(integerColumn),
    nextId: z.nullable(integerColumn),
    /** The first version of this row and its corrections, oldest first. */
    revisions: objectsColumn(z.pipe(z.object(revisionColumns), z.transform(withTokens))),
    /** The latest 20 checks, newest first. */
    checks: z.nullable(objectsColumn(checkRow)),
    statements: z.nullable(objectsColumn(statementRow)),
  }),
  z.transform((row) => withSides(withTokens(row))),
)

/** A row, with the public reasons for its withdrawn texts; a reason that cannot be read is undefined. */
export type LedgerRecord = Exclude<Awaited<ReturnType<typeof readRecord>>, null | 'unavailable'>

/** The row with this id, even if corrected later. Null if unknown, 'unavailable' if the backend fails. */
export async function readRecord(data: Data, id: number) {
  const rows = await data.rows('published_records', recordRow, (query) => query.eq('id', id))
  if (!rows) return 'unavailable'
  const [row] = rows
  if (!row) return null
  const statements = row.statements ?? []
  const hashes = await readStatementHashes(data, statements)
  const withdrawn = [
    row.noteWithdrawn ? row.noteHash : null,
    row.proofWithdrawn ? row.proofHash : null,
    row.counterName === null ? row.counterNameHash : null,
    ...hashes.values(),
  ]
  const reasons = await readWithdrawalReasons(data, withdrawn)
  return {
    ...row,
    noteReason: reasons.get(row.noteHash),
    proofReason: reasons.get(row.proofHash),
    counterNameReason: reasons.get(row.counterNameHash),
    checks: row.checks ?? [],
    statements: statements.map((statement) => ({
      ...statement,
      tweetReason: reasons.get(hashes.get(statement.id) ?? null),
    })),
  }
}

const textHashRow = z.object({ id: integerColumn, textHash: z.string() })

/** The hashes of the withdrawn statement texts, keyed by the statement's id. */
async function readStatementHashes(
  data: Data,
  statements: z.infer<typeof statementRow>[],
): Promise<Map<number, string>> {
  const ids = statements.flatMap(({ id, tweetText }) => (tweetText === null ? [id] : []))
  if (ids.length === 0) return new Map()
  const rows = await data.rows('published_cz_calls', textHashRow, (query) => query.in('id', ids))
  return new Map(rows?.map(({ id, textHash }) => [id, textHash]))
}

const indexRow = z.object({ logIndex: integerColumn })

/** The index of a row's entry in the log; 'none' if the row does not exist, null if the backend fails. */
export async function readRecordIndex(data: Data, id: number): Promise<number | 'none' | null> {
  const rows = await data.rows('published_records', indexRow, (query) => query.eq('id', id))
  return rows && (rows[0]?.logIndex ?? 'none')
}
