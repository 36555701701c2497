import * as z from 'zod/mini'
import { capabilitiesInWords } from '../chain/capabilities.ts'
import { Unreachable } from '../chain/chain-errors.ts'
import { type Chain, openChain } from '../chain/rpc.ts'
import { addressOf } from '../chain/stored-transaction.server.ts'
import { checkGoals, endGoals, readEarlyGifts } from '../goals/goal-job.server.ts'
import { readGoals, type WatchedGoal, walletsOfGoals } from '../goals/goal-wallets.server.ts'
import { checkDue, dueRows, markUnreachable } from '../ledger/job/check-job.server.ts'
import { followCoins } from '../ledger/job/coin-job.server.ts'
import { compareBalances } from '../ledger/job/comparison-job.server.ts'
import { type LedgerReport, levelOf, reasonOf, shorten } from '../ledger/job/ledger-report.ts'
import { oldestHash } from '../ledger/job/ledger-store.server.ts'
import { storeRates } from '../ledger/job/rate-job.server.ts'
import { checkTokens } from '../ledger/job/token-check.ts'
import { followTokens, readUnread } from '../ledger/job/token-job.server.ts'
import { readWatch, type Token, type Watch } from '../ledger/job/watch.ts'
import { anchorLog } from '../log/anchoring.server.ts'
import type { CheckpointMemory } from '../log/checkpoint-memory.ts'
import { RolledBack, signLog } from '../log/signing.server.ts'
import { findUnknownAnchor } from '../log/unknown-anchor.server.ts'
import { keepOrders } from '../payments/order-job.server.ts'
import { payOrders } from '../payments/payer.server.ts'
import type { Config } from '../platform/server/env.server.ts'
import type { Log } from '../platform/server/log.server.ts'
import { createService, type Service } from '../platform/server/service.server.ts'

/** Timeout of a run's calls to the chain, in milliseconds: less than the minute between two runs. */
const runTimeout = 50_000

/**
 * The work of a run: reads new blocks, checks rows, compares balances, stores prices, signs a checkpoint of
 * the log and anchors it. A run may be killed at any point, and two runs may overlap: rows and the scan's
 * position are written in one database transaction, and the bytes of an anchor are stored before they are
 * sent. Errors are logged, not thrown. Does nothing without a secret key, or if neither a chain nor a signing
 * key is configured.
 */
export async function runLedgerJob(
  config: Config,
  fetch: typeof globalThis.fetch,
  log: Log,
  memory: CheckpointMemory | null,
): Promise<void> {
  const { SUPABASE_SECRET_KEY: secret } = config
  const watch = readWatch(config)
  if (!secret || !(watch || config.LOG_KEY)) return
  const startedAt = Date.now()
  const service = createService(config.SUPABASE_URL, secret, fetch)
  const parts: LedgerReport[] = []
  const attempt = async (work: () => Promise<void>) => {
    await work().catch((error: unknown) => {
      parts.push({ stopped: reasonOf(error), ...(error instanceof RolledBack && { rolledBack: true }) })
    })
  }
  let chain: Chain | null = null
  if (config.FUNDME_OPEN) await attempt(async () => void parts.push(await endGoals(service)))
  if (watch)
    await attempt(async () => {
      chain = await openOrMark(service, watch)
      const goals = config.FUNDME_OPEN ? await readGoals(service) : []
      const { behind, tokens } = await followChain(service, watch, goals, chain, (part) => parts.push(part))
      parts.push(await keepOrders(service, { ...watch, tokens }, config))
      // A payment by hand in a block that is not read yet must not be paid again.
      if (config.PAYER_KEY && behind === 0) parts.push({ payer: await pay(service, config, watch, chain) })
    })
  if (watch && config.FUNDME_OPEN)
    await attempt(async () => {
      if (chain) parts.push(await checkGoals(service, config, watch, chain))
    })
  await attempt(() => signAndAnchor(config, service, chain, memory, (part) => parts.push(part)))
  const report = joinParts(parts)
  const level = levelOf(report)
  log[level]('ledger.run', { ...report, ms: Date.now() - startedAt })
  await storeReport(service, report, level !== 'info', log)
}

/** Stores the report of a run for the operators' page. */
async function storeReport(
  service: Service,
  report: LedgerReport,
  trouble: boolean,
  log: Log,
): Promise<void> {
  try {
    await service.call('record_run', z.unknown(), { report: shorten(report), trouble })
  } catch (error) {
    log.warn('ledger.report-not-stored', { message: (error as Error).message })
  }
}

/** Joins the reports of all parts. Adds up the numbers of new rows, and lists each sentence about a token once. */
function joinParts(parts: readonly LedgerReport[]): LedgerReport {
  const report: LedgerReport = {}
  for (const { added, unvalued, stopped, tokens, ...part } of parts) {
    Object.assign(report, part)
    if (tokens) report.tokens = [...new Set([...(report.tokens ?? []), ...tokens])]
    if (added !== undefined) report.added = (report.added ?? 0) + added
    if (unvalued !== undefined) report.unvalued = (report.unvalued ?? 0) + unvalued
    if (stopped) report.stopped = report.stopped ? `${report.stopped}; ${stopped}` : stopped
  }
  return report
}

/** Opens the chain. If too few endpoints respond, records this for the due rows, and throws Unreachable. */
async function openOrMark(service: Service, watch: Watch): Promise<Chain> {
  let known: Promise<string | null> | undefined
  // The probe does without it if the backend fails, and the run ends at its next call then.
  const oldest = () => (known ??= oldestHash(service, watch.chainId).catch(() => null))
  try {
    return await openChain(watch.urls, watch.chainId, AbortSignal.timeout(runTimeout), oldest)
  } catch (error) {
    if (error instanceof Unreachable) await markUnreachable(service, await dueRows(service, watch))
    throw error
  }
}

/**
 * Reads the chain, checks rows, compares balances and stores prices. Passes the report of each part to
 * `report` before the next part begins. Returns the number of blocks that are still to be read, and the
 * tokens as their contracts say.
 */
async function followChain(
  service: Service,
  configured: Watch,
  goals: readonly WatchedGoal[],
  chain: Chain,
  report: (part: LedgerReport) => void,
): Promise<{ behind: number; tokens: Token[] }> {
  try {
    const { watch, faults } = await checkTokens(chain, configured)
    if (faults.length > 0) report({ tokens: faults })
    const withGoals = { ...watch, goals: walletsOfGoals(goals) }
    const tokens = await followTokens(service, withGoals, chain, report)
    const coins = await followCoins(service, watch, chain, report)
    const unread = await readUnread(service, withGoals, chain, report)
    if (tokens.behind === 0) report(await readEarlyGifts(service, withGoals, chain, goals))
    report(await checkDue(service, watch, chain, [...tokens.rows, ...coins, ...unread]))
    // Compare only when the scan has read all blocks: otherwise transfers in unread blocks would look
    // missing.
    if (tokens.behind === 0) report(await compareBalances(service, watch, chain))
    report(await storeRates(service, watch, chain))
    return { behind: tokens.behind, tokens: watch.tokens }
  } finally {
    const endpoints = Object.fromEntries(
      Object.entries(chain.capabilities).map(([name, found]) => [name, capabilitiesInWords(found)]),
    )
    report({ head: chain.head, faults: chain.faults, endpoints, calls: chain.calls })
  }
}

/** Pays due orders with the payer's key. */
function pay(service: Service, config: Config, watch: Watch, chain: Chain) {
  if (!config.PAYER_KEY) throw new Error('no PAYER_KEY')
  return payOrders(service, chain, config.PAYER_KEY, watch, BigInt(config.PAYMENT_MAX_GAS_GWEI) * 10n ** 9n)
}

/** Signs the log, and anchors the checkpoint if an anchor key is configured and the chain is open. */
async function signAndAnchor(
  config: Config,
  service: Service,
  chain: Chain | null,
  memory: CheckpointMemory | null,
  report: (part: LedgerReport) => void,
): Promise<void> {
  const { LOG_KEY: privateKey, LOG_ORIGIN: origin, ANCHOR_KEY: anchorKey } = config
  if (!privateKey) return
  const unknown =
    anchorKey && chain ? await findUnknownAnchor(service, chain, addressOf(anchorKey), origin) : null
  const signed = await signLog(service, { privateKey, origin }, memory, unknown)
  if (signed !== null) report({ signed })
  if (!anchorKey || !chain) return
  const limits = {
    minSeconds: config.ANCHOR_MINUTES * 60,
    dayMost: config.ANCHOR_DAY_MOST,
    confirmations: config.CHAIN_CONFIRMATIONS,
  }
  report({ anchor: await anchorLog(service, chain, anchorKey, limits, unknown) })
}
