import * as z from 'zod'
import type { Backend } from '../server/backend.server'
import { timestampColumn } from '../server/columns.server'
import type { Log } from '../server/log.server'
import { readRows } from '../server/read-rows.server'
import type { Call } from './calls'
import { cursorOf, fromPosition, moment, type Page, type Position, readPage } from './keyset.server'
import { standingColumns, standingRow, toStanding } from './verification-status.server'

const callsPerPage = 10

const columns =
  `id, posted_at, author, verified, tweet_text, tweet_url, action_taken, tx_hash, captured_at, statement_sha256, transaction_id, answered_at, ${standingColumns}` as const

const row = z.object({
  id: z.coerce.number().int(),
  posted_at: moment,
  author: z.string(),
  verified: z.boolean(),
  tweet_text: z.string(),
  tweet_url: z
    .url({ protocol: /^https$/ })
    .nullable()
    .catch(null),
  action_taken: z.string(),
  tx_hash: z.string().nullable(),
  captured_at: timestampColumn.nullable(),
  statement_sha256: z.string(),
  transaction_id: z.coerce.number().int().nullable(),
  answered_at: timestampColumn.nullable(),
  // A statement that nothing has answered has no standing.
  status: standingRow.shape.status.nullable(),
  checked_at: timestampColumn.nullable(),
  unreachable_at: timestampColumn.nullable(),
})

/** One page of the live feed, newest first, or null where it can't be read. */
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
    return rows.map((call) => ({
      id: call.id,
      cursor: cursorOf(call.posted_at, call.id),
      date: timestampColumn.parse(call.posted_at),
      author: call.author,
      verified: call.verified,
      tweet: call.tweet_text,
      tweetUrl: call.tweet_url,
      action: call.action_taken,
      txHash: call.tx_hash,
      capturedAt: call.captured_at,
      sha256: call.statement_sha256,
      answer: answerOf(call),
    }))
  })
}

function answerOf({
  transaction_id: id,
  answered_at: at,
  status,
  ...rest
}: z.infer<typeof row>): Call['answer'] {
  return id !== null && at && status ? { id, at, standing: toStanding({ ...rest, status }) } : null
}
