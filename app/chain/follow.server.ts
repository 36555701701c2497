import { timestampColumn } from '../server/columns.server.ts'
import type { Config } from '../server/env.server.ts'
import type { Log } from '../server/log.server.ts'
import { type Check, checkRows, unreachable } from './checks.ts'
import {
  append,
  createService,
  type Row,
  record,
  rowsDue,
  rowsFrom,
  rowsOf,
  type Service,
  ServiceFailure,
  toClaim,
  unwrap,
} from './ledger-writer.server.ts'
import { type LedgerBalance, reconcile } from './reconciliation.ts'
import { type Chain, openChain, Unreachable } from './rpc.ts'
import { type Entry, ReorgDetected, scanSteps, timeOf } from './scan.ts'
import { signLog } from './signing.server.ts'
import { rateOf, valueAt } from './valuation.ts'
import { readWatch, tokenOf, type Watch, walletsOf } from './watch.ts'

/** A run ends before the next begins. */
const runDeadline = 50_000
/** So many ranges of blocks are read in one run, and fewer where they take many calls: a platform counts them. */
const mostSteps = 5
const mostCalls = 500
/** Rows that are checked in one run: open ones first, then those that were settled longest ago. */
const mostChecks = 40
const mostAfterReorganisation = 200
const settledFor = 24 * 60 * 60_000
const reconciledFor = 60 * 60_000

/** What a run did, for its one line in the log. */
interface Report {
  head?: number
  scanned?: string
  behind?: number
  added?: number
  unvalued?: number
  reorganisedAt?: number
  checked?: Record<string, number>
  corrected?: number
  /** Balances on chain that the ledger does not add up to, where they were compared. */
  differences?: number
  signed?: number
  calls?: number
  faults?: Record<string, string>
  stopped?: string
}

/**
 * The work of one minute: reads what is new on the chain, checks rows, compares balances, signs the head. It may be
 * killed at any point and run twice at once: rows and the place of the scan are written together, or not at all.
 */
export async function runLedgerJob(config: Config, fetch: typeof globalThis.fetch, log: Log): Promise<void> {
  const { SUPABASE_SECRET_KEY: secret, LEDGER_HEAD_KEY: headKey } = config
  const watch = readWatch(config)
  if (!secret || !(watch || headKey)) return
  const startedAt = Date.now()
  const service = createService(config.SUPABASE_URL, secret, fetch)
  const report: Report = {}
  const stops: string[] = []
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      stops.push(reasonOf(error))
    }
  }
  if (watch) await attempt(() => follow(service, watch, report))
  if (headKey)
    await attempt(async () => {
      const signed = await signLog(service, { privateKey: headKey, origin: config.LOG_ORIGIN })
      if (signed !== null) report.signed = signed
    })
  if (stops.length > 0) report.stopped = stops.join('; ')
  const { stopped, faults = {}, differences, checked = {} } = report
  const trouble =
    stopped || differences || checked.mismatch || checked.reorganised || Object.keys(faults).length
  log[trouble ? 'warn' : 'info']('ledger.run', { ...report, ms: Date.now() - startedAt })
}

function reasonOf(error: unknown): string {
  if (error instanceof ServiceFailure && error.code === '40001') return 'another run was faster'
  if (error instanceof ReorgDetected) return 'the chain was reorganised under the run'
  return error instanceof Error ? error.message : 'unknown'
}

async function follow(service: Service, watch: Watch, report: Report): Promise<void> {
  const status = await unwrap(
    'ledger_status',
    service.from('ledger_status').select('chain_id, block_number, block_hash').single().retry(false),
  )
  const scanned =
    status.chain_id === watch.chainId && status.block_number !== null && status.block_hash !== null
      ? { number: status.block_number, hash: status.block_hash }
      : null

  let chain: Chain
  try {
    chain = await openChain(watch.urls, watch.chainId, AbortSignal.timeout(runDeadline))
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    await markUnreachable(service, await due(service, watch))
    throw error
  }
  report.faults = chain.faults
  report.head = chain.head
  try {
    const touched = await scan(service, watch, chain, scanned, report)
    await check(service, watch, chain, touched, report)
    await compare(service, watch, chain, report)
  } finally {
    report.calls = chain.calls
  }
}

/** Reads on from where the last run ended. Answers with the rows that want a check because of it. */
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
    if (!block) throw new Unreachable(`block ${scanned.number} is not there`)
    if (block.hash !== scanned.hash) {
      from = await findForkPoint(service, watch, chain, scanned.number)
      report.reorganisedAt = from
      touched.push(...(await rowsFrom(service, watch.chainId, from, mostAfterReorganisation)))
    }
  }

  const begun = from
  let steps = 0
  for await (const { entries, last } of scanSteps(chain, watch, from, chain.head)) {
    const { added } = await append(service, entries, {
      chain_id: watch.chainId,
      after,
      block_number: last.number,
      block_hash: last.hash,
      block_time: timeOf(last),
    })
    report.added = (report.added ?? 0) + added
    report.unvalued = (report.unvalued ?? 0) + entries.filter((entry) => entry.amount_usd === null).length
    touched.push(
      ...(await rowsOf(
        service,
        watch.chainId,
        entries.map((entry) => entry.tx_hash),
      )),
    )
    after = last.number
    from = last.number + 1
    steps += 1
    if (steps === mostSteps || chain.calls > mostCalls) break
  }
  if (from > begun) report.scanned = `${begun}-${from - 1}`
  report.behind = Math.max(0, chain.head - (from - 1))
  return touched
}

/**
 * The block from which the chain is another one than was read. At least the depth at which a block counts as final
 * is read again; further, back to a block that a row was found in and that still stands.
 */
async function findForkPoint(service: Service, watch: Watch, chain: Chain, scanned: number): Promise<number> {
  const newest = await unwrap(
    'published_transactions',
    service
      .from('published_transactions')
      .select('block_number, block_hash')
      .eq('chain_id', watch.chainId)
      .lte('block_number', scanned)
      .order('occurred_at', { ascending: false })
      .order('id', { ascending: false })
      .limit(50)
      .retry(false),
  )
  const depth = Math.max(watch.startBlock, scanned - watch.confirmations)
  for (const { block_number: number, block_hash: hash } of newest) {
    if (number === null || number > chain.head) continue
    const block = await chain.block(number)
    if (block?.hash === hash) return Math.min(depth, number + 1)
  }
  return newest.length < 50
    ? watch.startBlock
    : Math.max(watch.startBlock, scanned - 100 * watch.confirmations)
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
 * A transaction that was mined again, in another block, happened at another time: the row is corrected once that
 * is final. What an operator said of it stays.
 */
async function correctTimes(watch: Watch, chain: Chain, rows: Row[], checks: Check[]): Promise<Entry[]> {
  const corrections: Entry[] = []
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
      note: before.note ?? 'Corrected: the chain dates it otherwise than when it was first seen.',
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

async function compare(service: Service, watch: Watch, chain: Chain, report: Report): Promise<void> {
  const [latest] = await unwrap(
    'published_reconciliations',
    service
      .from('published_reconciliations')
      .select('taken_at')
      .eq('chain_id', watch.chainId)
      .order('taken_at', { ascending: false })
      .limit(1)
      .retry(false),
  )
  if (latest?.taken_at && Date.now() - timestampColumn.parse(latest.taken_at).getTime() < reconciledFor)
    return
  // Not while the scan is behind: everything that it has not read yet would look unlisted.
  const at = chain.head - watch.confirmations + 1
  if (at < watch.startBlock || (report.behind ?? 0) > 0 || chain.calls > mostCalls) return
  const block = await chain.block(at)
  if (!block) throw new Unreachable(`block ${at} is not there`)
  const wallets = walletsOf(watch)
  const balances = await unwrap(
    'ledger_balances',
    service.rpc('ledger_balances', { chain: watch.chainId, wallets, until_block: at }),
  )
  const entries = await reconcile(
    chain,
    watch,
    block,
    balances as unknown as LedgerBalance[],
    async (hashes) => {
      const rows = await rowsOf(service, watch.chainId, hashes)
      return new Set(rows.map(({ tx_hash, ordinal }) => `${tx_hash} ${ordinal}`))
    },
  )
  await unwrap('record_reconciliations', service.rpc('record_reconciliations', { entries: entries as never }))
  report.differences = entries.filter((each) => each.chain_amount !== each.ledger_amount).length
}

function due(service: Service, { chainId }: Watch): Promise<Row[]> {
  return rowsDue(service, chainId, new Date(Date.now() - settledFor), mostChecks)
}

function countBy(checks: Check[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of checks) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
