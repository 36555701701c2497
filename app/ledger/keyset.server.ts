import * as z from 'zod/mini'
import { timestampColumn } from '../platform/server/columns.server'

/** A position in a list that is sorted by time and id, newest first, and the side of the position to read. */
export interface Position {
  side: 'older' | 'newer'
  at: string
  id: number
}

/**
 * A page of a list. `newer` and `older` are the cursors of the pages before and after it, or null if there is
 * no such page.
 */
export interface KeysetPage<Row> {
  rows: Row[]
  newer: string | null
  older: string | null
  /** The times of the rows directly before and after this page. */
  neighbours: { newer: Date | null; older: Date | null }
}

/** The `timestamptz` column of the sorting, as text: a Date would round it to milliseconds. */
export const moment = z
  .string()
  .check(z.refine((time) => timestampColumn.safeParse(time).success, 'not an instant'))

/** A time in Postgres's microseconds: milliseconds would lose or repeat rows. */
export function toMicros(time: string): string {
  const micros = /\.\d{3}(\d{1,3})/.exec(time)?.[1] ?? ''
  return `${timestampColumn.parse(time).getTime()}${micros.padEnd(3, '0')}`
}

/** The time that these microseconds (at most 16 digits) represent; null if there is no such time. */
export function fromMicros(micros: string): string | null {
  if (!Number.isSafeInteger(Number(micros))) return null
  const second = new Date(Math.floor(Number(micros) / 1000)).toISOString().slice(0, -1)
  return `${second}${micros.padStart(3, '0').slice(-3)}Z`
}

/** The cursor of a row: its time and its id. */
export function cursorOf(time: string, id: number): string {
  return `${toMicros(time)}-${id}`
}

/** The time of a cursor, rounded down to milliseconds. */
function timeOf(cursor: string): Date {
  return new Date(Math.floor(Number(cursor.split('-')[0]) / 1000))
}

/** Reads the position from `?before=` or `?after=`. `valid` is false for a malformed cursor. */
export function parsePosition(params: URLSearchParams): { position: Position | null; valid: boolean } {
  const side = params.get('before') ? 'older' : 'newer'
  const cursor = params.get(side === 'older' ? 'before' : 'after')
  if (!cursor) return { position: null, valid: true }
  const [, micros, id] = /^(\d{1,16})-(\d{1,15})$/.exec(cursor) ?? []
  const at = micros ? fromMicros(micros) : null
  return at === null
    ? { position: null, valid: false }
    : { position: { side, at, id: Number(id) }, valid: true }
}

interface Query {
  gte(column: string, value: string): this
  lte(column: string, value: string): this
  or(filters: string): this
  order(column: string, options: { ascending: boolean }): this
  limit(rows: number): this
}

/**
 * Orders `query` by `column` and id, limits it, and restricts it to the rows on the requested side of
 * `position`. The extra comparison of `column` alone lets Postgres start its index scan at the position
 * instead of at the end of the index. A row must meet one of the conditions in `either`, if there are any:
 * these conditions are in the same `or`, because the embedded backend reads only one `or` in a request.
 */
export function fromPosition<Q extends Query>(
  query: Q,
  column: string,
  position: Position | null,
  limit: number,
  either: readonly string[] = [],
): Q {
  const ascending = position?.side === 'newer'
  const order = (rows: Q) => rows.order(column, { ascending }).order('id', { ascending }).limit(limit)
  if (!position) return order(either.length ? query.or(either.join()) : query)
  const { at, id } = position
  const beyond = ascending ? 'gt' : 'lt'
  const bounded = ascending ? query.gte(column, at) : query.lte(column, at)
  const past = [`${column}.${beyond}."${at}"`, `${column}.eq."${at}",id.${beyond}.${id}`]
  const conditions = either.length
    ? either.flatMap((condition) => past.map((is) => `and(${condition},${is})`))
    : [past[0], `and(${past[1]})`]
  return order(bounded.or(conditions.join()))
}

/**
 * Reads the page at `position`; null if `read` returns null. `read` gets a limit of one row more than the
 * page size: the extra row shows that a next page exists.
 */
export async function readPage<Row extends { cursor: string }>(
  position: Position | null,
  size: number,
  read: (position: Position | null, limit: number) => Promise<Row[] | null>,
): Promise<KeysetPage<Row> | null> {
  const found = await read(position, size + 1)
  if (!found) return null
  const more = found.length > size
  const rows = found.slice(0, size)
  const behind = position && new Date(position.at)
  const ahead = found[size] ? timeOf(found[size].cursor) : null
  if (position?.side === 'newer') {
    // The newer rows do not fill a page, so return the full first page.
    if (!more) return readPage(null, size, read)
    rows.reverse()
  }
  return {
    rows,
    newer: (position && rows[0]?.cursor) ?? null,
    older: (more || position?.side === 'newer' ? rows.at(-1)?.cursor : null) ?? null,
    neighbours:
      position?.side === 'newer' ? { newer: ahead, older: behind } : { newer: behind, older: ahead },
  }
}
