import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import * as z from 'zod'
import { findPool } from '../impact-pools'
import type { Call } from '../ledger/calls'
import { answerWords } from '../ledger/calls'
import { listCalls } from '../ledger/calls.server'
import { filterSearch, type LedgerFilter, parseFilter } from '../ledger/filter'
import { fromPosition } from '../ledger/keyset.server'
import { ledgerLog } from '../ledger/ledger-log'
import { recordTitle } from '../ledger/record'
import { statusWords } from '../ledger/statuses'
import { transactionTypes } from '../ledger/transaction-types'
import { directionWords, formatTokens, typeLabel, valueMissing } from '../ledger/transactions'
import { queryLedger, tokenRow, toTokens } from '../ledger/transactions.server'
import { verificationRow } from '../ledger/verification-status.server'
import { readCheckpoint, type SignedCheckpoint } from '../log/published-log.server'
import { formatDollars } from '../money'
import { plural } from '../plural'
import { linkColumn, moneyColumn, timestampColumn } from '../server/columns.server'
import type { Api as Backend } from '../server/data.server'
import type { Log } from '../server/log.server'
import { readRows } from '../server/read-rows.server'
import { brand } from '../site'
import { formatInstant } from '../time'
import type { Entry, Feed } from './feed'
import { toAtom, toJsonFeed } from './feed'
import { readState, refuse, respondWithEtag, unavailable } from './state.server'

/** Maximum number of rows or statements in a feed. The newest ones are chosen. */
const entriesPerFeed = 50

/** The `updated` time of an empty feed: Atom requires one. */
const beginning = new Date('2025-01-01T00:00:00Z')

const languages = {
  atom: { mediaType: 'application/atom+xml; charset=utf-8', write: toAtom },
  json: { mediaType: 'application/feed+json; charset=utf-8', write: toJsonFeed },
}
type Language = keyof typeof languages

/** The newest rows of the ledger under the page's filter (so each pool has a feed), and the newest checkpoint. */
export async function answerLedgerFeed(
  { request, context }: LoaderFunctionArgs,
  language: Language,
): Promise<Response> {
  const { log, config } = context
  const { filter, ignored } = parseFilter(new URL(request.url).searchParams)
  if (ignored.length) return refuse(ignored.map(({ file }) => file))
  const backend = context.publicBackend()
  return answerFeed(request, context, language, async () => {
    const [rows, checkpoint] = await Promise.all([
      readEntries(backend, filter, log),
      readCheckpoint(backend, ledgerLog, log),
    ])
    if (!rows || !checkpoint) return null
    const signed = checkpoint === 'none' ? null : checkpoint
    const search = filterSearch(filter)
    const entries = rows.map((row) => rowEntry(row, config.SITE_URL))
    // A feed with a filter has rows only; the checkpoint is in its metadata.
    if (signed && !search) entries.unshift(checkpointEntry(signed, config.SITE_URL))
    return {
      path: `/transparency${search}`,
      title: `${brand}: ${nameOf(filter)}`,
      description: "Every transaction, its value and whether it's verified.",
      checkpoint: signed?.note ?? null,
      entries,
    }
  })
}

/** The newest statements, each with the action taken and its payment. */
export async function answerCallFeed(
  { request, context }: LoaderFunctionArgs,
  language: Language,
): Promise<Response> {
  const backend = context.publicBackend()
  return answerFeed(request, context, language, async () => {
    const calls = await listCalls(backend, null, context.log, entriesPerFeed)
    return (
      calls && {
        path: '/cz-call',
        title: `${brand}: CZ Call`,
        description: 'Every statement, and the payment that followed.',
        checkpoint: null,
        entries: calls.rows.map((call) => callEntry(call, context.config.SITE_URL)),
      }
    )
  })
}

async function answerFeed(
  request: Request,
  { config, log, publicBackend }: LoaderFunctionArgs['context'],
  language: Language,
  read: () => Promise<
    (Pick<Feed, 'title' | 'description' | 'checkpoint' | 'entries'> & { path: string }) | null
  >,
): Promise<Response> {
  const state = await readState(publicBackend(), log)
  if (!state) return unavailable()
  const { mediaType, write } = languages[language]
  return respondWithEtag(request, state, { 'Content-Type': mediaType }, async () => {
    const found = await read()
    if (!found) return unavailable()
    const { path, ...said } = found
    const { pathname } = new URL(request.url)
    const search = path.includes('?') ? path.slice(path.indexOf('?')) : ''
    const updated = Math.max(...said.entries.map((entry) => entry.updated.getTime()), beginning.getTime())
    const feed: Feed = {
      ...said,
      self: config.SITE_URL + pathname + search,
      page: config.SITE_URL + path,
      language: 'en',
      author: brand,
      updated: new Date(updated),
    }
    return new Response(write(feed))
  })
}

/**
 * The pool (without a pool, the type) and the days of a filter, for a feed's title: 'Education Programme', 'Tax income,
 * 2025-01-01 to 2025-02-01'. Other parts of a filter are not in the title.
 */
function nameOf({ type, pool, from, to }: LedgerFilter): string {
  const kind = findPool(pool)?.title ?? (type ? transactionTypes[type] : 'all transactions')
  if (from && to) return `${kind}, ${from} to ${to}`
  if (from) return `${kind}, since ${from}`
  return to ? `${kind}, until ${to}` : kind
}

const integer = z.coerce.number().int()

const entryRow = tokenRow.extend({
  ...verificationRow.shape,
  id: integer,
  occurred_at: timestampColumn,
  recorded_at: timestampColumn,
  type: z.string(),
  direction: z.enum(['in', 'out']),
  amount_usd: moneyColumn.nullable(),
  from_address: z.string(),
  to_address: z.string(),
  tx_hash: z.string(),
  pool_slug: z.string().nullable(),
  proof_url: linkColumn,
  note: z.string().nullable(),
  block_number: integer.nullable(),
  reason: z.string().nullable(),
  log_index: integer,
})

function readEntries(backend: Backend, filter: LedgerFilter, log: Log) {
  const columns: string = Object.keys(entryRow.shape).join(', ')
  const query = fromPosition(queryLedger(backend, filter, columns), 'occurred_at', null, entriesPerFeed)
  return readRows(query, z.array(entryRow), log, 'feed.not-loaded')
}

function rowEntry(row: z.infer<typeof entryRow>, siteUrl: string): Entry {
  const { direction, amount_usd: dollars } = row
  const tokens = toTokens(row)
  const lines = [
    `Type: ${typeLabel(row.type)}`,
    `Direction: ${directionWords(direction, row.type === 'move')}`,
    `Value in US dollars: ${dollars === null ? valueMissing : formatDollars(dollars)}`,
    tokens && `Amount in tokens: ${formatTokens(tokens)}`,
    `Status: ${statusWords[row.status]}`,
    row.reason && `Reason: ${row.reason}`,
    row.block_number !== null && `Block: ${row.block_number}`,
    `When: ${formatInstant(row.occurred_at)}`,
    `From: ${row.from_address}`,
    `To: ${row.to_address}`,
    `Transaction: ${row.tx_hash}`,
    row.proof_url && `Proof: ${row.proof_url}`,
    row.note && `Note: ${row.note}`,
    `Entry of the log: ${row.log_index}`,
  ]
  const url = `${siteUrl}/transparency/${row.id}`
  return {
    id: url,
    url,
    external: row.proof_url,
    title: recordTitle({ type: row.type, direction, amount: dollars, tokens, pool: row.pool_slug }),
    text: lines.filter(Boolean).join('\n'),
    published: row.recorded_at,
    updated: row.checked_at ?? row.recorded_at,
  }
}

/** The newest checkpoint as an entry: a reader that keeps it can later detect a rewritten log. */
function checkpointEntry({ size, note, signed_at: at }: SignedCheckpoint, siteUrl: string): Entry {
  return {
    id: `${siteUrl}/transparency/log/checkpoint#${size}`,
    url: `${siteUrl}/transparency/verify`,
    external: null,
    title: plural(size, {
      one: 'Signed checkpoint of the log: # entry',
      other: 'Signed checkpoint of the log: # entries',
    }),
    text: note,
    published: at,
    updated: at,
  }
}

function callEntry(call: Call, siteUrl: string): Entry {
  const { answer, date, tweetUrl } = call
  const lines = [
    `${call.author}${call.verified ? '' : ' (source not confirmed)'}: ${call.tweet ?? 'This text was withdrawn.'}`,
    `Action taken: ${call.action ?? 'This text was withdrawn.'}`,
    answer && `${answerWords(date, answer.at)}. Status: ${statusWords[answer.verification.status]}`,
    call.txHash && `Transaction: ${call.txHash}`,
    answer && `${siteUrl}/transparency/${answer.id}`,
    call.sha256 && `Text fingerprint (SHA-256): ${call.sha256}`,
  ]
  return {
    // Identified by the statement's own URL, so that a correction updates the same entry.
    id: tweetUrl ?? `${siteUrl}/cz-call#${call.id}`,
    url: `${siteUrl}/cz-call#feed`,
    external: tweetUrl,
    title: `${call.author}: ${shorten(call.tweet ?? 'A statement')}`,
    text: lines.filter(Boolean).join('\n'),
    published: date,
    updated: answer?.verification.checkedAt ?? call.capturedAt ?? date,
  }
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
