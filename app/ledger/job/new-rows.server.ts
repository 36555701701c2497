import * as z from 'zod/mini'
import type { Chain } from '../../chain/rpc.ts'
import { timestampColumn, unitsColumn } from '../../platform/server/columns.server.ts'
import type { Service } from '../../platform/server/service.server.ts'
import { isPool } from './classification.ts'
import { type Row, rowsOf } from './ledger-store.server.ts'
import type { NewRow } from './new-row.ts'
import { supplyOf } from './token-check.ts'
import type { Watch } from './watch.ts'

/** A row with more than this many times the value of the largest row gets no value until two people state it. */
const maxGrowth = 1_000
/** The value in dollars that the largest row has at least in this comparison, so that a ledger can begin small. */
const minLargest = 10

const context = z.object({
  largest_usd: z.nullable(z.string()),
  paid: z.array(
    z.object({
      account: z.string(),
      address: z.string(),
      token_address: z.nullable(z.string()),
      amount: unitsColumn,
      usd: z.nullable(z.string()),
      first_at: timestampColumn,
    }),
  ),
})

/** What a pool paid to an address in a token and did not get back. */
interface Paid {
  amount: bigint
  usd: number
  firstAt: number
}

/**
 * The rows as the ledger records them, given what it has: a gift to a pool from an address that the pool paid is money
 * that came back, if it is at most what the pool paid; and a row out of any proportion, or with more tokens than exist,
 * has no value until two operators state one. `outsized` names such rows.
 */
export async function judgeRows(
  service: Service,
  chain: Chain,
  rows: readonly NewRow[],
): Promise<{ newRows: NewRow[]; outsized: string[] }> {
  const pairs = rows
    .filter(isPoolGift)
    .map(({ account, from_address }) => ({ account, address: from_address }))
  const isLarge = ({ amount_usd }: NewRow) => Number(amount_usd ?? 0) > maxGrowth * minLargest
  const known =
    pairs.length > 0 || rows.some(isLarge)
      ? await service.call('ledger_context', context, { chain: chain.id, pairs })
      : { largest_usd: null, paid: [] }
  const paid = new Map<string, Paid>()
  const keyOf: KeyOf = (account, address, token) => `${account} ${address} ${token}`
  for (const { account, address, token_address, amount, usd, first_at } of known.paid)
    paid.set(keyOf(account, address, token_address), {
      amount,
      usd: Number(usd ?? 0),
      firstAt: first_at.getTime(),
    })
  const outsized: string[] = []
  const newRows: NewRow[] = []
  let current = ''
  for (const row of rows) {
    if (row.tx_hash !== current) {
      // All payments of a transaction come before what came back in it, whatever their order is.
      current = row.tx_hash
      for (const each of rows) if (each.tx_hash === current) addPaid(each, paid, keyOf)
    }
    const judged = await judgeValue(chain, row, known.largest_usd)
    if (judged.fault) outsized.push(`${row.tx_hash} ${judged.fault}`)
    newRows.push(judgeType(judged.row, paid, keyOf))
  }
  return { newRows, outsized }
}

type KeyOf = (account: string, address: string, token: string | null) => string

/** Adds a payment of a pool to what it paid, and subtracts what came back in the same transaction. */
function addPaid(row: NewRow, paid: Map<string, Paid>, keyOf: KeyOf): void {
  const { account, token_address: token, type } = row
  if (type !== 'spending' && type !== 'returned') return
  const sign = type === 'spending' ? 1 : -1
  const at = Date.parse(row.occurred_at)
  const key = keyOf(account, type === 'spending' ? row.to_address : row.from_address, token)
  const before = paid.get(key)
  paid.set(key, {
    amount: (before?.amount ?? 0n) + BigInt(sign) * BigInt(row.token_amount),
    usd: (before?.usd ?? 0) + sign * Number(row.amount_usd ?? 0),
    firstAt: Math.min(before?.firstAt ?? at, at),
  })
}

function isPoolGift({ type, account }: NewRow): boolean {
  return type === 'gift' && isPool(account)
}

async function judgeValue(
  chain: Chain,
  row: NewRow,
  largest: string | null,
): Promise<{ row: NewRow; fault?: string }> {
  // The price of an exchange is its other side, and unwrapped coins no longer exist as tokens.
  if (row.amount_usd === null || row.type === 'exchange') return { row }
  const supply = row.token_address === null ? null : await supplyOf(chain, row.token_address)
  const fault =
    supply !== null && BigInt(row.token_amount) > supply
      ? `has more ${row.token_symbol} than exist`
      : largest !== null && Number(row.amount_usd) > maxGrowth * Math.max(minLargest, Number(largest))
        ? `has a value of $${row.amount_usd}, more than ${maxGrowth} times the largest row`
        : undefined
  if (!fault) return { row }
  return { row: { ...row, amount_usd: null, rate_usd: null, rate_source: null }, fault }
}

function judgeType(row: NewRow, paid: Map<string, Paid>, keyOf: KeyOf): NewRow {
  const { account, token_address: token, amount_usd } = row
  const amount = BigInt(row.token_amount)
  const usd = Number(amount_usd ?? 0)
  const at = Date.parse(row.occurred_at)
  if (!isPoolGift(row)) return row
  const start = keyOf(account, row.from_address, null).slice(0, -'null'.length)
  const all = [...paid].filter(([key]) => key.startsWith(start))
  const same = all.find(([key]) => key === keyOf(account, row.from_address, token))
  const fits = ([, before]: [string, Paid]) => before.firstAt <= at
  const source =
    same && fits(same) && same[1].amount >= amount
      ? same
      : all.find((each) => each !== same && fits(each) && usd > 0 && each[1].usd >= usd)
  if (!source) return row
  const [key, before] = source
  paid.set(key, {
    ...before,
    amount: source === same ? before.amount - amount : before.amount,
    usd: before.usd - usd,
  })
  return { ...row, type: 'returned' }
}

/**
 * Corrections of rows that the ledger already has: their transactions were read again, with coins that a contract moved
 * in them, and are now classified differently. A row that anyone corrected before stays as it is.
 */
export async function correctTypes(
  service: Service,
  watch: Watch,
  newRows: readonly NewRow[],
): Promise<NewRow[]> {
  const counts = new Map<string, number>()
  for (const { tx_hash } of newRows) counts.set(tx_hash, (counts.get(tx_hash) ?? 0) + 1)
  const joint = newRows.filter(({ tx_hash }) => (counts.get(tx_hash) ?? 0) > 1)
  if (joint.length === 0) return []
  const known = new Map<string, Row>()
  for (const row of await rowsOf(
    service,
    watch.chainId,
    joint.map(({ tx_hash }) => tx_hash),
  ))
    known.set(`${row.tx_hash} ${row.ordinal}`, row)
  return joint.flatMap((newRow) => {
    const before = known.get(`${newRow.tx_hash} ${newRow.ordinal}`)
    if (!before || before.revision > 0 || before.type === newRow.type) return []
    // What came back lowers what the pool has paid, so the same gift looks like a new one when it is read again.
    if (before.type === 'returned' && newRow.type === 'gift') return []
    return [{ ...newRow, revision: 1, note: 'Corrected: this transaction is now classified as a whole.' }]
  })
}
