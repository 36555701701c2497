import * as z from 'zod'
import { linkColumn, moneyColumn, timestampColumn } from '../server/columns.server'
import type { Api as Backend } from '../server/data.server'
import type { Log } from '../server/log.server'
import { readRows } from '../server/read-rows.server'
import { cursorOf, moment } from './keyset.server'
import type { LedgerRecord } from './record'
import { tokenRow, toTokens } from './transactions.server'
import { toVerification, verificationRow } from './verification-status.server'
import { readWithdrawalReasons } from './withdrawals.server'

const number = z.coerce.number().int()

const revision = tokenRow.extend({
  id: number,
  log_index: number,
  recorded_at: timestampColumn,
  amount_usd: moneyColumn.nullable(),
  note: z.string().nullable(),
})

const check = z.object({
  id: number,
  status: verificationRow.shape.status,
  checked_at: timestampColumn,
  block_number: number.nullable(),
  block_hash: z.string().nullable(),
  block_time: timestampColumn.nullable(),
  confirmations: number.nullable(),
  reason: z.string().nullable(),
})

const statement = z.object({
  id: number,
  posted_at: moment,
  author: z.string(),
  // Null if the text was withdrawn.
  tweet_text: z.string().nullable(),
  verified: z.boolean(),
})

const statementHash = z.object({ id: number, text_hash: z.string() })

const row = revision.extend({
  occurred_at: timestampColumn,
  type: z.string(),
  direction: z.enum(['in', 'out']),
  rate_usd: z.string().nullable(),
  rate_source: z.string().nullable(),
  token_address: z.string().nullable(),
  from_address: z.string(),
  to_address: z.string(),
  tx_hash: z.string(),
  chain_id: number,
  ordinal: number,
  pool_slug: z.string().nullable(),
  proof_url: linkColumn,
  proof_hash: z.string().nullable(),
  proof_withdrawn: z.boolean(),
  note_hash: z.string().nullable(),
  note_withdrawn: z.boolean(),
  // Null for a row that was corrected.
  status: verificationRow.shape.status.nullable(),
  checked_at: timestampColumn.nullable(),
  unreachable_at: timestampColumn.nullable(),
  previous_id: number.nullable(),
  next_id: number.nullable(),
  revisions: z.array(revision),
  checks: z.array(check).nullable(),
  statements: z.array(statement).nullable(),
})

/** The row with this id, also if it was corrected. Null if there is none, 'unavailable' if the backend fails. */
export async function readRecord(
  backend: Backend,
  id: number,
  log: Log,
): Promise<LedgerRecord | null | 'unavailable'> {
  const query = backend.from('published_records').select().eq('id', id)
  const rows = await readRows(query, z.array(row), log, 'record.not-loaded')
  if (!rows) return 'unavailable'
  const [found] = rows
  if (!found) return null
  const hashes = await readStatementHashes(backend, found.statements ?? [], log)
  const withdrawn = [
    found.note_withdrawn ? found.note_hash : null,
    found.proof_withdrawn ? found.proof_hash : null,
    ...hashes.values(),
  ]
  const reasons = await readWithdrawalReasons(backend, withdrawn, log)
  return toRecord(found, reasons, hashes)
}

/** The hashes of the statements whose text was withdrawn, by the statement's id. */
async function readStatementHashes(
  backend: Backend,
  statements: z.infer<typeof statement>[],
  log: Log,
): Promise<Map<number, string>> {
  const ids = statements.flatMap(({ id, tweet_text }) => (tweet_text === null ? [id] : []))
  if (ids.length === 0) return new Map()
  const query = backend.from('published_cz_calls').select('id, text_hash').in('id', ids)
  const rows = await readRows(query, z.array(statementHash), log, 'withdrawals.not-loaded')
  return new Map(rows?.map(({ id, text_hash }) => [id, text_hash]))
}

/** The index of a row's entry in the log, 'none' if there is no such row, null if the backend fails. */
export async function readRecordIndex(
  backend: Backend,
  id: number,
  log: Log,
): Promise<number | 'none' | null> {
  const query = backend.from('published_records').select('log_index').eq('id', id)
  const rows = await readRows(query, z.array(z.object({ log_index: number })), log, 'record.not-loaded')
  return rows && (rows[0]?.log_index ?? 'none')
}

function toRecord(
  found: z.infer<typeof row>,
  reasons: Map<string | null, string>,
  statementHashes: Map<number, string>,
): LedgerRecord {
  const { status } = found
  const reasonOf = (hash: string | null | undefined) => reasons.get(hash ?? null)
  return {
    ...toRevision(found),
    occurredAt: found.occurred_at,
    type: found.type,
    direction: found.direction,
    tokenAddress: found.token_address,
    rate: found.rate_usd,
    rateSource: found.rate_source,
    from: found.from_address,
    to: found.to_address,
    txHash: found.tx_hash,
    chainId: found.chain_id,
    ordinal: found.ordinal,
    pool: found.pool_slug,
    proof: found.proof_url,
    withdrawn: {
      note: found.note_withdrawn ? { reason: reasonOf(found.note_hash) } : null,
      proof: found.proof_withdrawn ? { reason: reasonOf(found.proof_hash) } : null,
    },
    verification: status && toVerification({ ...found, status }),
    place: {
      index: found.log_index,
      previousId: found.previous_id,
      nextId: found.next_id,
    },
    revisions: found.revisions.map(toRevision),
    checks: (found.checks ?? []).map((made) => ({
      id: made.id,
      status: made.status,
      checkedAt: made.checked_at,
      blockNumber: made.block_number,
      blockHash: made.block_hash,
      blockTime: made.block_time,
      confirmations: made.confirmations,
      reason: made.reason,
    })),
    statements: (found.statements ?? []).map((said) => ({
      id: said.id,
      // The page of the feed that begins with this statement.
      cursor: cursorOf(said.posted_at, said.id + 1),
      author: said.author,
      date: timestampColumn.parse(said.posted_at),
      tweet: said.tweet_text,
      tweetReason: reasonOf(statementHashes.get(said.id)),
      verified: said.verified,
    })),
  }
}

function toRevision(found: z.infer<typeof revision>) {
  return {
    id: found.id,
    logIndex: found.log_index,
    recordedAt: found.recorded_at,
    amount: found.amount_usd,
    tokens: toTokens(found),
    note: found.note,
  }
}
