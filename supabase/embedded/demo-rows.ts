import { createHash } from 'node:crypto'

/** What the demonstration's modules share: the last day, made-up addresses, texts, writing of rows. */

export type Sql = <T>(text: string, params?: unknown[]) => Promise<T[]>
export type Row = Record<string, unknown>

export const hour = 3_600_000
/** The time of the newest rows, in milliseconds: the hour of this start, or the time that tests and pictures fix. */
export const lastDay = Number(process.env.DEMO_DAY) || Math.floor(Date.now() / hour) * hour
export const chainId = 56

/** A made-up address; all addresses and hashes of the demonstration begin with 0xfa4e, for 'fake'. */
export function fakeAddress(name: string): string {
  return `0xfa4e${createHash('sha256').update(name).digest('hex').slice(0, 36)}`
}

/** The time of block 0, in milliseconds. */
export const firstBlockAt = Date.UTC(2024, 6, 1)
/** BNB Smart Chain makes a block every 0.75 s. */
export const blockInterval = 750

/** The block at a time in milliseconds. Its hash is made up, and differs from that of any transaction. */
export function blockAt(time: number) {
  const block_number = Math.floor((time - firstBlockAt) / blockInterval)
  return {
    block_number,
    block_hash: `0xfa4e${createHash('sha256').update(`block ${block_number}`).digest('hex').slice(0, 60)}`,
    block_time: new Date(time).toISOString(),
  }
}

/** The made-up hash of a block. */
export function hashOfBlock(number: number): string {
  return blockAt(firstBlockAt + (number + 0.5) * blockInterval).block_hash
}

export const lastBlock = blockAt(lastDay)

/** The first day of a month, which is `months` after the month of a time in milliseconds. */
export function firstOfMonth(time: number, months: number): string {
  const day = new Date(time)
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + months, 1)).toISOString().slice(0, 10)
}

export function daysBefore(days: number): string {
  return new Date(lastDay - days * 24 * hour).toISOString()
}

export async function insertRows(sql: Sql, table: string, rows: Row[]) {
  const columns = Object.keys(rows[0] ?? {}).join(', ')
  await sql(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows)],
  )
}

/** The salt of a text. Salts are fixed, so that each run makes the same rows. */
export function saltOf(text: string): Buffer {
  return createHash('sha256').update(`demonstration ${text}`).digest()
}

export function hashOf(text: string): string {
  return createHash('sha256').update(saltOf(text)).update(text).digest('hex')
}
