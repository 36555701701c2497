import { rowsPerCall } from '../server/data.server'
import type { Log } from '../server/log.server'

/** The number of rows that always fit into a response from the data API, even if each row has a long note. */
const rowsPerSmallCall = 100

/** A file's format: the texts before the first row, for a row, between two, and after the last. */
export interface Format<Row> {
  extension: string
  mediaType: string
  begin: string
  row(row: Row): string
  between: string
  end: string
}

/** One line of JSON for each row. */
export const jsonLines = {
  extension: 'ndjson',
  mediaType: 'application/x-ndjson; charset=utf-8',
  begin: '',
  row: (row: object) => `${JSON.stringify(row)}\n`,
  between: '',
  end: '',
}

export const limitFault = `limit must be between 1 and ${rowsPerCall}.`

/** The `limit` parameter: 0 if it is missing, null if it is invalid. */
export function parseLimit(params: URLSearchParams): number | null {
  const limit = params.get('limit')
  if (limit === null) return 0
  return /^\d{1,4}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= rowsPerCall ? Number(limit) : null
}

/** The headers of a response that a browser saves as a file. */
export function asFile(
  name: string,
  { mediaType, extension }: Pick<Format<never>, 'mediaType' | 'extension'>,
): Record<string, string> {
  return { 'Content-Type': mediaType, 'Content-Disposition': `attachment; filename="${name}.${extension}"` }
}

/**
 * Reads up to `limit` rows (0: as many as one call returns). Without a limit, a failed call is repeated once with fewer
 * rows. Null if the rows cannot be read.
 */
export async function readPart<Row>(
  limit: number,
  read: (limit: number) => Promise<Row[] | null>,
): Promise<Row[] | null> {
  for (const size of limit ? [limit] : [rowsPerCall, rowsPerSmallCall]) {
    const rows = await read(size)
    if (rows) return rows
  }
  return null
}

export function writeRows<Row>({ begin, row, between, end }: Format<Row>, rows: Row[]): string {
  return begin + rows.map(row).join(between) + end
}

/**
 * All rows from `first`, read at the client's pace: memory holds at most the rows of one call. The stream
 * ends when a call returns no more rows. If a call fails, the stream fails, because a partial export must not
 * look complete.
 */
export function streamRows<Row>(
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
          return controller.error(new Error('the next rows cannot be read'))
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
