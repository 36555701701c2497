import * as z from 'zod/mini'
import type { Chain } from '../../chain/rpc.ts'
import { integerColumn } from '../../platform/server/columns.server.ts'
import type { Service } from '../../platform/server/service.server.ts'
import { type Check, checkRows, unreachable } from './checks.ts'
import type { LedgerReport } from './ledger-report.ts'
import { append, factsOf, type Row, record, rowsDue } from './ledger-store.server.ts'
import type { NewRow } from './new-row.ts'
import { requireBlock, rowsOfTransaction } from './scan.ts'
import { rateOf, valueAt } from './valuation.ts'
import { tokenOf, type Watch } from './watch.ts'

/** Maximum number of due rows that a run reads: open rows first, then the rows whose check is oldest. */
const maxDueRows = 500
/** Maximum number of transactions that a run checks. Each needs up to 6 calls if no endpoint fails. */
const maxTransactions = 200
/** The time in milliseconds after which a row is checked again, unless it is pending or unreachable. */
const recheckAfter = 24 * 60 * 60_000

/** The due rows of up to `maxTransactions` transactions. */
export async function dueRows(service: Service, { chainId }: Watch): Promise<Row[]> {
  const rows = await rowsDue(service, chainId, new Date(Date.now() - recheckAfter), maxDueRows)
  const hashes = new Set([...new Set(rows.map(({ tx_hash }) => tx_hash))].slice(0, maxTransactions))
  return rows.filter(({ tx_hash }) => hashes.has(tx_hash))
}

/** Records that no endpoint responded for these rows. */
export async function markUnreachable(service: Service, rows: Row[]): Promise<void> {
  await record(
    service,
    rows,
    rows.map(({ id }) => unreachable(id)),
  )
}

/** Checks these rows and the due rows, records the results, and corrects rows whose time or amount has changed. */
export async function checkDue(
  service: Service,
  watch: Watch,
  chain: Chain,
  touched: readonly Row[],
): Promise<LedgerReport> {
  const wanted = [...touched, ...(await dueRows(service, watch))]
  const rows = new Map(wanted.map((row) => [row.id, row]))
  if (rows.size === 0) return {}
  const checks = await checkRows(chain, watch.confirmations, [...rows.values()])
  await record(service, wanted, checks)
  const corrections = [
    ...(await correctTimes(watch, chain, rows, checks)),
    ...(await correctAmounts(service, watch, chain, rows, checks)),
  ]
  const corrected = corrections.length > 0 ? (await append(service, corrections)).added : undefined
  return { checked: countBy(checks), ...(corrected !== undefined && { corrected }) }
}

/**
 * Corrections of the times of rows. A row is corrected when its transaction was mined again in a block with a
 * different time and that block is final.
 */
async function correctTimes(
  watch: Watch,
  chain: Chain,
  rows: ReadonlyMap<number, Row>,
  checks: readonly Check[],
): Promise<NewRow[]> {
  const corrections: NewRow[] = []
  for (const { transaction_id: id, status, block_time: time, block_hash: hash } of checks) {
    const row = rows.get(id)
    if (status !== 'verified' || !row || !time || !hash) continue
    if (row.occurred_at.getTime() === Date.parse(time)) continue
    const correction = await correctTime(watch, chain, row, { time, hash })
    if (correction) corrections.push(correction)
  }
  return corrections
}

/**
 * The next revision of a row, with the time of the row's block. A value from a price feed is computed again;
 * other values, and texts that an operator wrote, stay as they are. Null for a row without an amount.
 */
async function correctTime(
  watch: Watch,
  chain: Chain,
  row: Row,
  { time, hash }: { time: string; hash: string },
): Promise<NewRow | null> {
  const { amount_usd, rate_usd, rate_source, token_amount, token_symbol, token_decimals } = row
  if (token_amount === null || token_symbol === null || token_decimals === null) return null
  const token = tokenOf(watch, row.token_address)
  const block = rate_source?.startsWith('Price feed') && token ? await chain.blockByHash(hash) : null
  const value =
    block && token
      ? valueAt(token_amount, token_decimals, await rateOf(token, block, chain))
      : { amount_usd, rate_usd, rate_source }
  return {
    ...factsOf(row),
    ...value,
    token_amount: token_amount.toString(),
    token_symbol,
    token_decimals,
    occurred_at: time,
    revision: row.revision + 1,
    note: row.note ?? 'Corrected: the transaction was mined again, at another time.',
  }
}

/**
 * Corrections of the amounts of rows. A row is corrected when its transaction was mined again in a block in which its transfer
 * has another amount, for example because the token took a fee meanwhile. Like a new row, it is checked until that block is
 * final. A row that no check found as it says stays as it is: no reorganisation changed it.
 */
async function correctAmounts(
  service: Service,
  watch: Watch,
  chain: Chain,
  rows: ReadonlyMap<number, Row>,
  checks: readonly Check[],
): Promise<NewRow[]> {
  const differing = checks.filter(({ status }) => status === 'mismatch')
  if (differing.length === 0) return []
  const ids = differing.map(({ transaction_id }) => transaction_id)
  const matched = new Set(await service.call('matched_before', z.array(integerColumn), { ids }))
  const corrections: NewRow[] = []
  for (const { transaction_id: id, block_number: number } of differing) {
    const row = matched.has(id) ? rows.get(id) : undefined
    const receipt = row && number !== null ? await chain.receipt(row.tx_hash, number) : null
    if (!row || !receipt) continue
    const block = await requireBlock(chain, receipt.blockNumber)
    const moved = (await rowsOfTransaction(chain, watch, receipt, block)).find(
      ({ ordinal, token_address, from_address, to_address }) =>
        ordinal === row.ordinal &&
        token_address === row.token_address &&
        from_address === row.from_address &&
        to_address === row.to_address,
    )
    if (!moved || BigInt(moved.token_amount) === row.token_amount) continue
    const note = row.note ?? 'Corrected: the transaction was mined again, with another amount.'
    corrections.push({ ...moved, ...factsOf(row), revision: row.revision + 1, note })
  }
  return corrections
}

function countBy(checks: readonly Check[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of checks) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
