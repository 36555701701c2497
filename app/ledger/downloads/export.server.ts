import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import * as z from 'zod/mini'
import { csvLine } from '../../platform/downloads/csv'
import {
  asFile,
  type Format,
  jsonLines,
  limitFault,
  parseLimit,
  readPart,
  streamRows,
  writeRows,
} from '../../platform/downloads/rows.server'
import {
  type LedgerState,
  readState,
  refuse,
  respondWithEtag,
  unavailable,
} from '../../platform/downloads/state.server'
import { toDecimal } from '../../platform/money'
import { integerColumn, moneyColumn, timestampColumn } from '../../platform/server/columns.server'
import type { Data } from '../../platform/server/data.server'
import { brand } from '../../platform/site'
import { formatTokens } from '../../platform/tokens'
import { filterSearch, type LedgerFilter } from '../filter'
import { cursorOf, type Position, parsePosition } from '../keyset.server'
import { readFilter } from '../names.server'
import { readLedger } from '../transactions.server'

const text = z.nullable(z.string())
/** A time in the format of the log's entries, with microseconds, such as '2026-11-20T22:59:56.819000Z'. */
const time = z.pipe(z.string(), z.transform(spellTime))

/** A row of an export, with the published names. Amounts are strings, because JSON readers round numbers. */
const ledgerRow = z.object({
  id: integerColumn,
  occurred_at: time,
  type: z.string(),
  direction: z.string(),
  amount_usd: z.nullable(z.pipe(moneyColumn, z.transform(toDecimal))),
  rate_usd: text,
  rate_source: text,
  token_amount: text,
  token_symbol: text,
  token_decimals: z.nullable(integerColumn),
  token_address: text,
  from_address: z.string(),
  to_address: z.string(),
  tx_hash: z.string(),
  chain_id: integerColumn,
  ordinal: integerColumn,
  revision: integerColumn,
  pool_slug: text,
  proof_url: text,
  note: text,
  recorded_at: time,
  status: z.string(),
  checked_at: z.nullable(time),
  unreachable_at: z.nullable(time),
  block_number: z.nullable(integerColumn),
  block_hash: text,
  block_time: z.nullable(time),
  confirmations: z.nullable(integerColumn),
  reason: text,
  account: z.string(),
  counter_account: text,
  log_index: integerColumn,
  counter_name: text,
})
type LedgerRow = z.infer<typeof ledgerRow>
const ledgerColumns = Object.keys(ledgerRow.shape) as (keyof LedgerRow)[]

type LedgerFormat = (about: {
  siteUrl: string
  filter: LedgerFilter
  state: LedgerState
}) => Format<LedgerRow>

/** The amount in whole tokens with all decimals, '1234.5'; null for a row without a token. */
function wholeTokens({ token_amount: amount, token_decimals: decimals }: LedgerRow): string | null {
  if (amount === null || decimals === null) return null
  return formatTokens(
    { amount: BigInt(amount), symbol: '', decimals },
    { places: decimals, count: String },
  ).trim()
}

/** CSV (RFC 4180) with a byte order mark, without which spreadsheets do not read the file as UTF-8. */
export const csv: LedgerFormat = () => ({
  extension: 'csv',
  mediaType: 'text/csv; charset=utf-8; header=present',
  begin: `\ufeff${csvLine([...ledgerColumns, 'tokens'])}`,
  row: (row) => csvLine([...ledgerColumns.map((column) => row[column]), wholeTokens(row)]),
  between: '',
  end: '',
})

/** One JSON document, as public/transparency.schema.json describes it. */
export const json: LedgerFormat = ({ siteUrl, filter, state }) => ({
  extension: 'json',
  mediaType: 'application/json; charset=utf-8',
  begin: `${JSON.stringify({
    $schema: `${siteUrl}/transparency.schema.json`,
    filter,
    log_size: state.size,
  }).slice(0, -1)},"transactions":[\n`,
  row: (row) => JSON.stringify(row),
  between: ',\n',
  end: '\n]}\n',
})

/** The rows of an export as lines of JSON. */
export const ndjson: LedgerFormat = () => jsonLines

/**
 * The published rows that match the page's filter, newest first; with `?before=` (a cursor) only older rows.
 * Sends all rows in one stream, or one part with `?limit=`. The `Link` header of a full part has the URL of
 * the next part. Responds with 400 to an invalid parameter.
 */
export async function exportLedger(
  { request, context }: LoaderFunctionArgs,
  format: LedgerFormat,
): Promise<Response> {
  const { config, log } = context
  const url = new URL(request.url)
  const data = context.publicData()
  const { filter, ignored } = await readFilter(data, url.searchParams, config.FUNDME_OPEN)
  const faults = ignored.map(({ file }) => file)
  const { position, valid } = parsePosition(url.searchParams)
  const limit = parseLimit(url.searchParams)
  if (!valid || position?.side === 'newer')
    faults.push('Invalid position. Use the before value from the Link header.')
  if (limit === null) faults.push(limitFault)
  if (faults.length || limit === null) return refuse(faults)

  const state = await readState(data)
  if (!state) return unavailable()
  const written = format({ siteUrl: config.SITE_URL, filter, state })
  const name = [brand.toLowerCase(), 'ledger', ...Object.values(filter)].join('-')
  return respondWithEtag({ request, limit: context.limit }, state, asFile(name, written), async () => {
    const first = await readRows(data, filter, position, limit)
    if (!first) return unavailable()
    if (limit) {
      const last = first.length === limit ? first.at(-1) : undefined
      const before = last && cursorOf(last.occurred_at, last.id)
      const next = before && `${url.pathname}${filterSearch(filter, { limit: `${limit}`, before })}`
      return new Response(writeRows(written, first), {
        headers: next ? { Link: `<${next}>; rel="next"` } : {},
      })
    }
    const after = ({ occurred_at: at, id }: LedgerRow) => readRows(data, filter, { side: 'older', at, id }, 0)
    return new Response(streamRows(written, first, after, log))
  })
}

/** Up to `limit` rows from a position (0: as many as one call returns); null if they cannot be read. */
function readRows(
  data: Data,
  filter: LedgerFilter,
  position: Position | null,
  limit: number,
): Promise<LedgerRow[] | null> {
  return readPart(limit, (most) => readLedger(data, ledgerRow, filter, position, most))
}

function spellTime(value: string): string {
  // Both backends return this format. Parsing another one is slower and loses the microseconds.
  const [, day, clock, fraction = ''] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00(?::?00)?$/.exec(value) ?? []
  if (day) return `${day}T${clock}.${fraction.padEnd(6, '0')}Z`
  return timestampColumn.parse(value).toISOString().replace('Z', '000Z')
}
