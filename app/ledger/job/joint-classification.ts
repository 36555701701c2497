import { transferInWords } from '../../chain/amount-words.ts'
import { firstCharacters } from '../../platform/first-characters.ts'
import { isPool } from './classification.ts'
import type { NewRow } from './new-row.ts'
import { valueAs } from './valuation.ts'

/** The account that signed and sent a transaction; undefined if it is not ours. */
type Sender = string | undefined

/** Both sides of an exchange may differ in value by this factor; a smaller side is dust beside a payment. */
const maxImbalance = 100

/**
 * Classifies the rows of one transaction together. `rows` have the types that single transfers have
 * (classification.ts). For each account, what left to strangers and what came from strangers is compared by token:
 * - Different tokens left and came: an exchange. Both sides get one value.
 * - More of a token left than came: what came is change, not a gift.
 * - Only something came, and the account itself sent the transaction: it fetched the money, so the purpose is
 *   unknown ('other') and no one gave it.
 * If the account that sent the transaction takes part, all our accounts count as one, because one account may pay for
 * an exchange and another receive its result.
 */
export function classifyTogether(rows: readonly NewRow[], sender: Sender): NewRow[] {
  const joint = rows.filter(isJoint)
  const groups = new Map<string, NewRow[]>()
  for (const row of joint) {
    const group = sender ? 'ours' : row.account
    groups.set(group, [...(groups.get(group) ?? []), row])
  }
  const changed = new Map<NewRow, NewRow>()
  for (const group of groups.values())
    for (const [row, after] of classifyGroup(group, sender)) changed.set(row, after)
  return rows.map((row) => changed.get(row) ?? row)
}

/** A payment to or from a stranger. A tax, a dream and a gift to a goal have their own parties. */
function isJoint({ counter_account, type }: NewRow): boolean {
  return counter_account === null && ['gift', 'spending', 'other'].includes(type)
}

function classifyGroup(rows: readonly NewRow[], sender: Sender): [NewRow, NewRow][] {
  const into = rows.filter(({ direction }) => direction === 'in')
  const out = rows.filter(({ direction }) => direction === 'out')
  if (into.length === 0) return []
  if (out.length === 0)
    return sender ? into.map((row) => [row, { ...row, type: 'other', pool_slug: poolOf(row) }]) : []
  const nets = netsOf(rows)
  const hasGained = nets.some((net) => net > 0n)
  if (!hasGained || isDust(into, out)) return into.map((row) => [row, cameBack(row, out)])
  if (isDust(out, into)) return []
  return exchangeOf(out, into)
}

/** What the group gained (positive) or lost of each token. */
function netsOf(rows: readonly NewRow[]): bigint[] {
  const nets = new Map<string | null, bigint>()
  for (const { token_address: token, direction, token_amount } of rows) {
    const amount = BigInt(token_amount)
    nets.set(token, (nets.get(token) ?? 0n) + (direction === 'in' ? amount : -amount))
  }
  return [...nets.values()]
}

/**
 * Money that came back to a pool that paid. What reached another account of ours, through a contract that one of our
 * accounts paid, is not explained by the chain.
 */
function cameBack(row: NewRow, out: readonly NewRow[]): NewRow {
  const hasPaid = out.some(({ account }) => account === row.account)
  return { ...row, type: isPool(row.account) && hasPaid ? 'returned' : 'other' }
}

function poolOf({ account }: NewRow): string | null {
  return isPool(account) ? account : null
}

/** True if all rows have a value and the value of `some` is dust beside that of `others`. */
function isDust(some: readonly NewRow[], others: readonly NewRow[]): boolean {
  const [few, many] = [centsOf(some), centsOf(others)]
  return few !== null && many !== null && few * maxImbalance < many
}

/** The sum in cents; null if a row has no value. */
function centsOf(rows: readonly NewRow[]): number | null {
  let sum = 0
  for (const { amount_usd } of rows) {
    if (amount_usd === null) return null
    sum += Math.round(Number(amount_usd) * 100)
  }
  return sum
}

/**
 * The rows of an exchange. Its value is that of the side whose tokens are worth one dollar each, else of what came,
 * else of what left; the other side has the same value, so that no total changes. If a side has several rows, its rows
 * share the value in the proportions of their own values. Without a value of either side, no row has one.
 */
function exchangeOf(out: readonly NewRow[], into: readonly NewRow[]): [NewRow, NewRow][] {
  const words = firstCharacters(`Exchange of ${inWords(out)} for ${inWords(into)}`, 200)
  const isStable = (rows: readonly NewRow[]) =>
    rows.every(({ rate_source }) => rate_source?.startsWith('Stablecoin'))
  const [lead, follow] =
    centsOf(into) !== null && !(isStable(out) && !isStable(into)) ? [into, out] : [out, into]
  const total = centsOf(lead)
  const shares = total === null ? null : sharesOf(follow, total)
  const value = (row: NewRow, cents: number | null) => ({
    ...row,
    type: 'exchange' as const,
    ...valueAs(BigInt(row.token_amount), row.token_decimals, cents, words),
  })
  const isValued = shares !== null
  return [
    ...lead.map((row): [NewRow, NewRow] => [row, value(row, isValued ? centsOf([row]) : null)]),
    ...follow.map((row, at): [NewRow, NewRow] => [row, value(row, shares?.[at] ?? null)]),
  ]
}

/** Divides cents among rows; null if several rows share them and one of these has no value. */
function sharesOf(rows: readonly NewRow[], total: number): number[] | null {
  if (rows.length === 1) return [total]
  const sum = centsOf(rows)
  if (!sum) return null
  let left = total
  return rows.map((row, at) => {
    const own = BigInt(centsOf([row]) ?? 0)
    const share = at === rows.length - 1 ? left : Number((BigInt(total) * own) / BigInt(sum))
    left -= share
    return share
  })
}

/** '1 BNB and 2 USDX': the amounts of each token, exactly. */
function inWords(rows: readonly NewRow[]): string {
  const sums = new Map<string, { amount: bigint; row: NewRow }>()
  for (const row of rows) {
    const before = sums.get(row.token_symbol)?.amount ?? 0n
    sums.set(row.token_symbol, { amount: before + BigInt(row.token_amount), row })
  }
  return Array.from(sums.values(), ({ amount, row }) =>
    transferInWords(amount, row.token_decimals, row.token_symbol),
  ).join(' and ')
}
