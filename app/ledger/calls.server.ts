import * as z from 'zod'
import { moneyColumn, timestampColumn } from '../server/columns.server'
import type { Api as Backend } from '../server/data.server'
import type { Log } from '../server/log.server'
import { readRows } from '../server/read-rows.server'
import type { Call } from './calls'
import { cursorOf, fromPosition, moment, type Page, type Position, readPage } from './keyset.server'
import { toVerification, verificationColumns, verificationRow } from './verification-status.server'
import { readWithdrawalReasons } from './withdrawals.server'

const callsPerPage = 10

const columns =
  `id, posted_at, author, verified, tweet_text, tweet_url, action_taken, tx_hash, captured_at, statement_sha256, text_hash, action_hash, confirmed_by, transaction_id, answered_at, answered_usd, ${verificationColumns}` as const

const row = z.object({
  id: z.coerce.number().int(),
  posted_at: moment,
  author: z.string(),
  verified: z.boolean(),
  tweet_text: z.string().nullable(),
  confirmed_by: z.string().nullable(),
  tweet_url: z
    .url({ protocol: /^https$/ })
    .nullable()
    .catch(null),
  action_taken: z.string().nullable(),
  tx_hash: z.string().nullable(),
  captured_at: timestampColumn.nullable(),
  statement_sha256: z.string().nullable(),
  text_hash: z.string(),
  action_hash: z.string(),
  transaction_id: z.coerce.number().int().nullable(),
  answered_at: timestampColumn.nullable(),
  answered_usd: moneyColumn.nullable(),
  // Null for a statement without a payment.
  status: verificationRow.shape.status.nullable(),
  checked_at: timestampColumn.nullable(),
  unreachable_at: timestampColumn.nullable(),
})

/** One page of the statements, newest first; null if they can't be read. */
export function listCalls(
  backend: Backend,
  position: Position | null,
  log: Log,
  size = callsPerPage,
): Promise<Page<Call> | null> {
  return readPage(position, size, async (at, limit) => {
    const query = backend.from('published_cz_calls').select(columns)
    const page = fromPosition(query, 'posted_at', at, limit)
    const rows = await readRows(page, z.array(row), log, 'calls.not-loaded')
    if (!rows) return null
    const withdrawn = rows.flatMap((call) => [
      call.tweet_text === null ? call.text_hash : null,
      call.action_taken === null ? call.action_hash : null,
    ])
    const reasons = await readWithdrawalReasons(backend, withdrawn, log)
    return rows.map((call) => ({
      id: call.id,
      cursor: cursorOf(call.posted_at, call.id),
      startCursor: cursorOf(call.posted_at, call.id + 1),
      date: timestampColumn.parse(call.posted_at),
      author: call.author,
      verified: call.verified,
      confirmedBy: call.confirmed_by,
      tweet: call.tweet_text,
      tweetReason: reasons.get(call.text_hash),
      tweetUrl: call.tweet_url,
      action: call.action_taken,
      actionReason: reasons.get(call.action_hash),
      txHash: call.tx_hash,
      capturedAt: call.captured_at,
      sha256: call.statement_sha256,
      answer: toAnswer(call),
    }))
  })
}

function toAnswer({
  transaction_id: id,
  answered_at: at,
  answered_usd: amount,
  status,
  ...rest
}: z.infer<typeof row>): Call['answer'] {
  return id !== null && at && status
    ? { id, at, amount, verification: toVerification({ ...rest, status }) }
    : null
}
