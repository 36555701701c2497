import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import * as z from 'zod'
import { filterSearch, type LedgerFilter, parseFilter } from '../ledger/filter'
import { type ArchivedHead, listHeads } from '../ledger/head.server'
import { cursorOf, fromPosition, type Position, parsePosition } from '../ledger/keyset.server'
import { queryLedger } from '../ledger/transactions.server'
import { toDecimal } from '../money'
import type { Backend } from '../server/backend.server'
import { moneyColumn, timestampColumn } from '../server/columns.server'
import type { Log } from '../server/log.server'
import { readRows } from '../server/read-rows.server'
import { brand } from '../site'
import { csvLine } from './csv'
import { type LedgerState, readState, refuse, respondWithEtag, unavailable } from './state.server'

/** The API answers with no more rows than this. */
const rowsPerCall = 1_000
/** So many have room in one answer of the backend, however long their notes are. */
const rowsPerSmallCall = 100

const integer = z.coerce.number().int()
const text = z.string().nullable()
/** A time as an entry of the log spells it, in microseconds: '2026-11-20T22:59:56.819000Z'. */
const time = z.string().transform(spellTime)

/** A row as it is taken away. Amounts are strings: nobody's JSON rounds them. */
const ledgerRow = z.object({
  id: integer,
  occurred_at: time,
  type: z.string(),
  direction: z.string(),
  amount_usd: moneyColumn.transform(toDecimal).nullable(),
  rate_usd: text,
  rate_source: text,
  token_amount: text,
  token_symbol: text,
  token_decimals: integer.nullable(),
  token_address: text,
  from_address: z.string(),
  to_address: z.string(),
  tx_hash: z.string(),
  chain_id: integer,
  ordinal: integer,
  revision: integer,
  pool_slug: text,
  proof_url: text,
  note: text,
  recorded_at: time,
  status: z.string(),
  checked_at: time.nullable(),
  unreachable_at: time.nullable(),
  block_number: integer.nullable(),
  block_hash: text,
  block_time: time.nullable(),
  confirmations: integer.nullable(),
  reason: text,
  account: z.string(),
  counter_account: text,
  log_index: integer,
})
type LedgerRow = z.infer<typeof ledgerRow>
const ledgerColumns = Object.keys(ledgerRow.shape) as (keyof LedgerRow)[]

/** An entry of the log: its line is the octets that are hashed. */
const logEntry = z.object({ index: integer, entry: z.string() })
type LogEntry = z.infer<typeof logEntry>

/** How rows are written: what stands before the first, between two, and after the last. */
interface Format<Row> {
  extension: string
  mediaType: string
  begin: string
  row(row: Row): string
  between: string
  end: string
}

type LedgerFormat = (about: {
  siteUrl: string
  filter: LedgerFilter
  state: LedgerState
}) => Format<LedgerRow>

/** RFC 4180. It begins with a byte order mark, or a spreadsheet would read UTF-8 as something else. */
export const csv: LedgerFormat = () => ({
  extension: 'csv',
  mediaType: 'text/csv; charset=utf-8; header=present',
  begin: `\ufeff${csvLine(ledgerColumns)}`,
  row: (row) => csvLine(ledgerColumns.map((column) => row[column])),
  between: '',
  end: '',
})

/** One document, as public/transparency.schema.json describes it. */
export const json: LedgerFormat = ({ siteUrl, filter, state }) => ({
  extension: 'json',
  mediaType: 'application/json; charset=utf-8',
  begin: `${JSON.stringify({
    $schema: `${siteUrl}/transparency.schema.json`,
    filter,
    size: state.size,
  }).slice(0, -1)},"transactions":[\n`,
  row: (row) => JSON.stringify(row),
  between: ',\n',
  end: '\n]}\n',
})

const lines = {
  extension: 'ndjson',
  mediaType: 'application/x-ndjson; charset=utf-8',
  begin: '',
  row: (row: object) => `${JSON.stringify(row)}\n`,
  between: '',
  end: '',
}

/** The same rows, each a line of JSON. */
export const ndjson: LedgerFormat = () => lines

/**
 * The published ledger under the page's filter, newest first: the whole of it in one stream, or with `?limit=` one
 * part, whose `Link` leads to the next (`?before=`, the page's own cursor).
 */
export async function exportLedger(
  { request, context }: LoaderFunctionArgs,
  format: LedgerFormat,
): Promise<Response> {
  const { config, log } = context
  const url = new URL(request.url)
  const { filter, ignored: faults } = parseFilter(url.searchParams)
  const { position, valid } = parsePosition(url.searchParams)
  const limit = parseLimit(url.searchParams)
  if (!valid || position?.side === 'newer') faults.push('There is no such place in the ledger: use before.')
  if (limit === null) faults.push(limitFault)
  if (faults.length || limit === null) return refuse(faults)

  const backend = context.publicBackend()
  const state = await readState(backend, log)
  if (!state) return unavailable()
  const written = format({ siteUrl: config.SITE_URL, filter, state })
  const name = [brand.toLowerCase(), 'ledger', ...Object.values(filter)].join('-')
  return respondWithEtag(request, state, asFile(name, written), async () => {
    const first = await readLedger(backend, filter, position, limit, log)
    if (!first) return unavailable()
    if (limit) {
      const last = first.length === limit ? first.at(-1) : undefined
      const before = last && cursorOf(last.occurred_at, last.id)
      const next = before && `${url.pathname}${filterSearch(filter, { limit: `${limit}`, before })}`
      return new Response(writeRows(written, first), {
        headers: next ? { Link: `<${next}>; rel="next"` } : {},
      })
    }
    const after = ({ occurred_at: at, id }: LedgerRow) =>
      readLedger(backend, filter, { side: 'older', at, id }, 0, log)
    return new Response(streamRows(written, first, after, log))
  })
}

/** Every entry of the log from the index `after` on, in its order. */
export async function exportChain({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const { log } = context
  const url = new URL(request.url)
  const limit = parseLimit(url.searchParams)
  const place = url.searchParams.get('after') ?? '0'
  const faults = /^\d{1,15}$/.test(place) ? [] : ['There is no such place in the log.']
  if (limit === null) faults.push(limitFault)
  if (faults.length || limit === null) return refuse(faults)

  const backend = context.publicBackend()
  const state = await readState(backend, log)
  if (!state) return unavailable()
  // Entries that are appended from here on belong to the next download: this one ends at the size of its tag.
  const { size } = state
  const name = `${brand.toLowerCase()}-log`
  const written = { ...lines, row: ({ entry }: LogEntry) => `${entry}\n` }
  return respondWithEtag(request, state, asFile(name, written), async () => {
    const first = await readEntries(backend, Number(place), size, limit, log)
    if (!first) return unavailable()
    if (limit) {
      const last = first.length === limit ? first.at(-1) : undefined
      const next = last && last.index + 1 < size && `${url.pathname}?limit=${limit}&after=${last.index + 1}`
      return new Response(writeRows(written, first), {
        headers: next ? { Link: `<${next}>; rel="next"` } : {},
      })
    }
    const after = ({ index }: LogEntry) => readEntries(backend, index + 1, size, 0, log)
    return new Response(streamRows(written, first, after, log))
  })
}

/** Every head that was ever signed, oldest first: each line is the head.json of its time. */
export async function exportHeads({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const { log } = context
  const backend = context.publicBackend()
  const state = await readState(backend, log)
  if (!state) return unavailable()
  const written = { ...lines, row: ({ head }: ArchivedHead) => lines.row(head) }
  return respondWithEtag(request, state, asFile(`${brand.toLowerCase()}-heads`, written), async () => {
    const first = await listHeads(backend, 0, log)
    if (!first) return unavailable()
    return new Response(streamRows(written, first, ({ id }) => listHeads(backend, id, log), log))
  })
}

const limitFault = `The limit is a number of rows from 1 to ${rowsPerCall}.`

/** 0 where none is given, null where it is none. */
function parseLimit(params: URLSearchParams): number | null {
  const limit = params.get('limit')
  if (limit === null) return 0
  return /^\d{1,4}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= rowsPerCall ? Number(limit) : null
}

function asFile(name: string, { mediaType, extension }: Format<never>): Record<string, string> {
  return {
    'Content-Type': mediaType,
    'Content-Disposition': `attachment; filename="${name}.${extension}"`,
  }
}

/** So many of the newest rows from a position on, 0 for as many as a call has; null where they can't be read. */
function readLedger(
  backend: Backend,
  filter: LedgerFilter,
  position: Position | null,
  limit: number,
  log: Log,
): Promise<LedgerRow[] | null> {
  const columns: string = ledgerColumns.join(', ')
  return readPart(ledgerRow, limit, log, (most) =>
    fromPosition(queryLedger(backend, filter, columns), 'occurred_at', position, most),
  )
}

function readEntries(
  backend: Backend,
  from: number,
  size: number,
  limit: number,
  log: Log,
): Promise<LogEntry[] | null> {
  return readPart(logEntry, limit, log, (most) =>
    backend
      .from('published_entries')
      .select('index, entry')
      .eq('log', 'ledger')
      .gte('index', from)
      .lt('index', size)
      .order('index')
      .limit(most),
  )
}

/** Reads up to `limit` rows (0: as many as one call returns). If that fails, it asks once more for fewer. */
async function readPart<Row>(
  row: z.ZodType<Row>,
  limit: number,
  log: Log,
  query: (limit: number) => Parameters<typeof readRows>[0],
): Promise<Row[] | null> {
  for (const size of limit ? [limit] : [rowsPerCall, rowsPerSmallCall]) {
    const rows = await readRows(query(size), z.array(row), log, 'export.not-loaded')
    if (rows) return rows
  }
  return null
}

function writeRows<Row>({ begin, row, between, end }: Format<Row>, rows: Row[]): string {
  return begin + rows.map(row).join(between) + end
}

/**
 * All rows from `first` on, as far as they are asked for: no more than one call's are in memory. It ends where a
 * call finds nothing more, and breaks off where one fails: half a ledger must not look like a whole one.
 */
function streamRows<Row>(
  format: Format<Row>,
  first: Row[],
  after: (last: Row) => Promise<Row[] | null>,
  log: Log,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let last: Row | undefined
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const rows = last ? await after(last) : first
        if (!rows) {
          log.error('export.broken-off')
          return controller.error(new Error('the ledger cannot be read any further'))
        }
        const before = last ? format.between : format.begin
        last = rows.at(-1)
        if (last)
          return controller.enqueue(encoder.encode(before + rows.map(format.row).join(format.between)))
        const rest = (first.length ? '' : format.begin) + format.end
        if (rest) controller.enqueue(encoder.encode(rest))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

function spellTime(value: string): string {
  // As both backends write it; anything else takes the slower way.
  const [, day, clock, fraction = ''] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00(?::?00)?$/.exec(value) ?? []
  if (day) return `${day}T${clock}.${fraction.padEnd(6, '0')}Z`
  return timestampColumn.parse(value).toISOString().replace('Z', '000Z')
}
