import * as z from 'zod'
import { integerColumn, timestampColumn } from '../server/columns.server.ts'
import type { Config } from '../server/env.server.ts'
import type { Log } from '../server/log.server.ts'
import { type AnchorReport, addressOf, anchorLog } from './anchoring.server.ts'
import { Unreachable } from './chain-errors.ts'
import type { CheckpointMemory } from './checkpoint-memory.ts'
import { type Check, checkRows, unreachable } from './checks.ts'
import { type CoinReport, followCoins } from './coin-scan.server.ts'
import { findForkPoint } from './fork-point.server.ts'
import {
  append,
  createService,
  type Row,
  readCoinBalances,
  record,
  rowsDue,
  rowsFrom,
  rowsOf,
  type Service,
  ServiceFailure,
  toClaim,
} from './ledger-store.server.ts'
import { differs, reconcile } from './reconciliation.ts'
import { type Chain, openChain } from './rpc.ts'
import { type NewRow, ReorgDetected, scanSteps, timeOf } from './scan.ts'
import { RolledBack, signLog } from './signing.server.ts'
import { findUnknownAnchor } from './unknown-anchor.server.ts'
import { rateOf, valueAt } from './valuation.ts'
import { readWatch, tokenOf, type Watch, walletsOf } from './watch.ts'

/** Timeout of a run's calls to the chain, in milliseconds: less than the minute between two runs. */
const runTimeout = 50_000
/**
 * Maximum number of ranges of up to 1,000 blocks in a run: 5,000 blocks, 37 minutes of a chain with a block every 0.45
 * s.
 */
const maxSteps = 5
/**
 * After this many calls, no further range is begun and no balances are compared: the platform allows 10,000 for each
 * run, and checks need some.
 */
const maxCalls = 500
/**
 * Maximum number of due rows that a run checks: open rows first, then the rows whose check is oldest. A row costs up to
 * 6 calls if no endpoint fails.
 */
const maxChecks = 40
/** Maximum number of rows of replaced blocks that one run checks; later runs check the rest when it is due. */
const maxChecksAfterReorg = 200
/** A row that is neither pending nor unreachable is checked again after this time, in milliseconds. */
const recheckAfter = 24 * 60 * 60_000
/** Time between two reconciliations, in milliseconds. */
const reconcileAfter = 60 * 60_000

/** What a run did, for its log line. */
interface Report {
  head?: number
  scanned?: string
  behind?: number
  added?: number
  unvalued?: number
  reorganisedAt?: number
  /** The search for transfers of the chain's own coin; absent if there is nothing to report. */
  coins?: CoinReport
  checked?: Record<string, number>
  corrected?: number
  /** Number of balances that differ from the ledger; absent if this run compared none. */
  differences?: number
  /** Size of the checkpoint that was signed. */
  signed?: number
  anchor?: AnchorReport
  rolledBack?: true
  calls?: number
  faults?: Record<string, string>
  stopped?: string
}

/**
 * The work of a run: reads new blocks, checks rows, compares balances, signs a checkpoint of the log, anchors it. A
 * run may be killed at any point, and two runs may overlap: rows and the scan's position are written in one database
 * transaction, and the bytes of an anchor are stored before they are sent. Errors are logged, not thrown. Does nothing
 * without a secret key, or if neither a chain nor a signing key is configured.
 */
export async function runLedgerJob(
  config: Config,
  fetch: typeof globalThis.fetch,
  log: Log,
  memory: CheckpointMemory | null,
): Promise<void> {
  const { SUPABASE_SECRET_KEY: secret, LOG_KEY: logKey, ANCHOR_KEY: anchorKey } = config
  const watch = readWatch(config)
  if (!secret || !(watch || logKey)) return
  const startedAt = Date.now()
  const service = createService(config.SUPABASE_URL, secret, fetch)
  const report: Report = {}
  const stops: string[] = []
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      if (error instanceof RolledBack) report.rolledBack = true
      stops.push(reasonOf(error))
    }
  }
  let chain: Chain | null = null
  if (watch)
    await attempt(async () => {
      chain = await openOrMark(service, watch)
      await follow(service, watch, chain, report)
    })
  if (logKey)
    await attempt(async () => {
      const origin = config.LOG_ORIGIN
      const unknown =
        anchorKey && chain ? await findUnknownAnchor(service, chain, addressOf(anchorKey), origin) : null
      const signed = await signLog(service, { privateKey: logKey, origin }, memory, unknown)
      if (signed !== null) report.signed = signed
      if (!anchorKey || !chain) return
      const limits = {
        minSeconds: config.ANCHOR_MINUTES * 60,
        dayMost: config.ANCHOR_DAY_MOST,
        confirmations: config.CHAIN_CONFIRMATIONS,
      }
      report.anchor = await anchorLog(service, chain, anchorKey, limits, unknown)
    })
  if (stops.length > 0) report.stopped = stops.join('; ')
  const { stopped, faults = {}, differences, checked = {}, anchor, coins } = report
  const trouble =
    stopped ||
    differences ||
    coins?.stopped ||
    coins?.unread ||
    coins?.unexplained ||
    anchor?.fault ||
    checked.mismatch ||
    checked.reorganised ||
    Object.keys(faults).length
  const level = report.rolledBack ? 'error' : trouble ? 'warn' : 'info'
  log[level]('ledger.run', { ...report, ms: Date.now() - startedAt })
}

function reasonOf(error: unknown): string {
  if (error instanceof ServiceFailure && error.code === '40001') return 'another run was faster'
  if (error instanceof ReorgDetected) return 'the blockchain was reorganised during the run'
  return error instanceof Error ? error.message : 'unknown'
}

/** Opens the chain. If too few endpoints respond, records that for the rows that are due, and throws Unreachable. */
async function openOrMark(service: Service, watch: Watch): Promise<Chain> {
  try {
    return await openChain(watch.urls, watch.chainId, AbortSignal.timeout(runTimeout))
  } catch (error) {
    if (error instanceof Unreachable) await markUnreachable(service, await due(service, watch))
    throw error
  }
}

/** The last block that was read; null before the first. */
const scanRow = z.object({
  chain_id: integerColumn.nullable(),
  block_number: integerColumn.nullable(),
  block_hash: z.string().nullable(),
})

async function follow(service: Service, watch: Watch, chain: Chain, report: Report): Promise<void> {
  const status = await service.row('ledger_status', scanRow)
  const scanned =
    status.chain_id === watch.chainId && status.block_number !== null && status.block_hash !== null
      ? { number: status.block_number, hash: status.block_hash }
      : null

  report.faults = chain.faults
  report.head = chain.head
  try {
    const touched = await scan(service, watch, chain, scanned, report)
    touched.push(...(await readCoins(service, watch, chain, report)))
    await check(service, watch, chain, touched, report)
    await compare(service, watch, chain, report)
  } finally {
    report.calls = chain.calls
  }
}

/**
 * Reads the blocks after the last one that was read, within the limits of a run; after a reorganisation, from the fork
 * point on. Returns rows to check: those of the transactions that were found and, after a reorganisation, up to
 * `maxChecksAfterReorg` rows of the blocks from the fork point on.
 */
async function scan(
  service: Service,
  watch: Watch,
  chain: Chain,
  scanned: { number: number; hash: string } | null,
  report: Report,
): Promise<Row[]> {
  let after = scanned?.number ?? null
  let from = after === null ? watch.startBlock : after + 1
  const touched: Row[] = []
  if (scanned && scanned.number <= chain.head) {
    const block = await chain.block(scanned.number)
    if (!block) throw new Unreachable(`no endpoint has block ${scanned.number}`)
    if (block.hash !== scanned.hash) {
      from = await findForkPoint(service, watch, chain, scanned.number)
      report.reorganisedAt = from
      touched.push(...(await rowsFrom(service, watch.chainId, from, maxChecksAfterReorg)))
    }
  }

  const begun = from
  let steps = 0
  for await (const { newRows, last } of scanSteps(chain, watch, from, chain.head)) {
    const { added } = await append(service, newRows, {
      chain_id: watch.chainId,
      after,
      block_number: last.number,
      block_hash: last.hash,
      block_time: timeOf(last),
    })
    report.added = (report.added ?? 0) + added
    report.unvalued = (report.unvalued ?? 0) + newRows.filter((newRow) => newRow.amount_usd === null).length
    touched.push(
      ...(await rowsOf(
        service,
        watch.chainId,
        newRows.map((newRow) => newRow.tx_hash),
      )),
    )
    after = last.number
    from = last.number + 1
    steps += 1
    if (steps === maxSteps || chain.calls > maxCalls) break
  }
  if (from > begun) report.scanned = `${begun}-${from - 1}`
  report.behind = Math.max(0, chain.head - (from - 1))
  return touched
}

/**
 * Reads the transfers of the chain's own coin. A failure of this search is reported and does not end the run. Returns
 * the rows of the transactions that were found.
 */
async function readCoins(service: Service, watch: Watch, chain: Chain, report: Report): Promise<Row[]> {
  const coins: CoinReport = {}
  const { newRows, added } = await followCoins(service, watch, chain, coins).catch((error: unknown) => {
    coins.stopped = reasonOf(error)
    return { newRows: [], added: 0 }
  })
  if (Object.keys(coins).length > 0) report.coins = coins
  if (newRows.length === 0) return []
  report.added = (report.added ?? 0) + added
  report.unvalued = (report.unvalued ?? 0) + newRows.filter((newRow) => newRow.amount_usd === null).length
  return rowsOf(
    service,
    watch.chainId,
    newRows.map((newRow) => newRow.tx_hash),
  )
}

async function check(
  service: Service,
  watch: Watch,
  chain: Chain,
  touched: Row[],
  report: Report,
): Promise<void> {
  const wanting = [...touched, ...(await due(service, watch))]
  const rows = [...new Map(wanting.map((each) => [each.id, each])).values()]
  const checks = await checkRows(chain, watch.confirmations, rows.map(toClaim))
  await record(service, rows, checks)
  if (checks.length > 0) report.checked = countBy(checks)

  const corrections = await correctTimes(watch, chain, rows, checks)
  if (corrections.length > 0) report.corrected = (await append(service, corrections, null)).added
}

async function markUnreachable(service: Service, rows: Row[]): Promise<void> {
  await record(
    service,
    rows,
    rows.map(({ id }) => unreachable(id)),
  )
}

/**
 * Corrections of rows whose transaction was mined again in another block with another time, once that block is final.
 * A value from a price feed is computed again; other values, and texts that an operator stated, are kept.
 */
async function correctTimes(watch: Watch, chain: Chain, rows: Row[], checks: Check[]): Promise<NewRow[]> {
  const corrections: NewRow[] = []
  for (const { transaction_id: id, status, block_time: time, block_hash: hash } of checks) {
    const before = rows.find((each) => each.id === id)
    if (status !== 'verified' || !before || !time || !hash) continue
    if (before.occurred_at.getTime() === Date.parse(time)) continue
    const { amount_usd, rate_usd, rate_source, token_amount, token_symbol, token_decimals } = before
    if (token_amount === null || token_symbol === null || token_decimals === null) continue
    const token = tokenOf(watch, before.token_address)
    const block = await chain.blockByHash(hash)
    const again = rate_source?.startsWith('Price feed') && token && block
    corrections.push({
      ...facts(before),
      ...(again
        ? valueAt(token_amount, token_decimals, await rateOf(token, block, chain))
        : { amount_usd, rate_usd, rate_source }),
      token_amount: token_amount.toString(),
      token_symbol,
      token_decimals,
      occurred_at: time,
      revision: before.revision + 1,
      note: before.note ?? 'Corrected: the transaction was mined again, at another time.',
    })
  }
  return corrections
}

function facts({
  account,
  counter_account,
  type,
  direction,
  token_address,
  from_address,
  to_address,
  ...more
}: Row) {
  const { tx_hash, chain_id, ordinal, pool_slug, proof_url } = more
  return {
    account,
    counter_account,
    type,
    direction,
    token_address,
    from_address,
    to_address,
    tx_hash,
    chain_id,
    ordinal,
    pool_slug,
    proof_url,
  }
}

const takenRow = z.object({ taken_at: timestampColumn })
const ledgerBalances = z.array(
  z.object({ wallet: z.string(), token_address: z.string().nullable(), amount: z.string() }),
)

async function compare(service: Service, watch: Watch, chain: Chain, report: Report): Promise<void> {
  const [latest] = await service.rows('published_reconciliations', takenRow, (query) =>
    query.eq('chain_id', watch.chainId).order('taken_at', { ascending: false }).limit(1),
  )
  if (latest && Date.now() - latest.taken_at.getTime() < reconcileAfter) return
  // Not while the scan is behind: transfers that it has not read yet would look missing.
  const at = chain.head - watch.confirmations + 1
  if (at < watch.startBlock || (report.behind ?? 0) > 0 || chain.calls > maxCalls) return
  const block = await chain.block(at)
  if (!block) throw new Unreachable(`no endpoint has block ${at}`)
  const wallets = walletsOf(watch)
  const given = { chain: watch.chainId, wallets, until_block: at }
  const balances = await service.call('ledger_balances', ledgerBalances, given)
  // The gas is also unknown if the coin transfers were read only up to an earlier block.
  const coins = tokenOf(watch, null) ? await readCoinBalances(service, watch.chainId) : []
  const coinOf = (wallet: string) =>
    coins.find((each) => each.wallet === wallet && each.block_hash === block.hash)
  const reconciliations = await reconcile(
    chain,
    watch,
    block,
    balances,
    (wallet) => coinOf(wallet)?.gas_paid ?? null,
    async (hashes) => {
      const rows = await rowsOf(service, watch.chainId, hashes)
      return new Set(rows.map(({ tx_hash, ordinal }) => `${tx_hash} ${ordinal}`))
    },
  )
  await service.call('record_reconciliations', integerColumn, { entries: reconciliations as never })
  report.differences = reconciliations.filter(differs).length
}

function due(service: Service, { chainId }: Watch): Promise<Row[]> {
  return rowsDue(service, chainId, new Date(Date.now() - recheckAfter), maxChecks)
}

function countBy(checks: Check[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of checks) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
