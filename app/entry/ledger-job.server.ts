import * as z from 'zod/mini'
import { capabilitiesInWords } from '../chain/capabilities.ts'
import { Unreachable } from '../chain/chain-errors.ts'
import { type Chain, openChain } from '../chain/rpc.ts'
import { readSilence, silenceOf, unaskedOf } from '../chain/silence.ts'
import { addressOf } from '../chain/stored-transaction.server.ts'
import { readControls } from '../custody/custody-job.server.ts'
import { checkGoals, endGoals, readEarlyGifts } from '../goals/goal-job.server.ts'
import { readGoals, type WatchedGoal, walletsOfGoals } from '../goals/goal-wallets.server.ts'
import { checkDue, dueRows, markUnreachable } from '../ledger/job/check-job.server.ts'
import { followCoins } from '../ledger/job/coin-job.server.ts'
import { compareBalances } from '../ledger/job/comparison-job.server.ts'
import { type LedgerReport, levelOf, reasonOf, shorten } from '../ledger/job/ledger-report.ts'
import { oldestHash, type Row } from '../ledger/job/ledger-store.server.ts'
import { keepPools } from '../ledger/job/pool-job.server.ts'
import { storeRates } from '../ledger/job/rate-job.server.ts'
import { checkTokens } from '../ledger/job/token-check.ts'
import { followTokens, readUnread } from '../ledger/job/token-job.server.ts'
import { readWatch, type Watch } from '../ledger/job/watch.ts'
import { anchorLog } from '../log/anchoring.server.ts'
import type { CheckpointMemory } from '../log/checkpoint-memory.ts'
import { RolledBack, signLog } from '../log/signing.server.ts'
import { findUnknownAnchor } from '../log/unknown-anchor.server.ts'
import { moveOrders, storePaymentTerms } from '../payments/order-job.server.ts'
import { payOrders } from '../payments/payer.server.ts'
import type { Config } from '../platform/server/env.server.ts'
import type { Log } from '../platform/server/log.server.ts'
import { createService, type Service } from '../platform/server/service.server.ts'

/** Timeout of a run's calls to the chain, in milliseconds: less than the minute between two runs. */
const runTimeout = 50_000

/** What every step of a run can use. */
interface Run {
  config: Config
  service: Service
  memory: CheckpointMemory | null
  /** Null until the chain is open, and if too few endpoints respond. */
  chain: Chain | null
  /** Null until the tokens are compared with their contracts. */
  reading: Reading | null
  report(part: LedgerReport): void
}

/** What the steps that read the chain share. */
interface Reading {
  chain: Chain
  /** The configured wallets, with the tokens whose contracts say what the configuration says. */
  watch: Watch
  goals: readonly WatchedGoal[]
  /** The number of blocks that are still to be read; null before the step that reads blocks. */
  behind: number | null
  /** The rows that this run has added or read again, whose checks are due. */
  fresh: Row[]
}

/**
 * A step of a run. A run skips a step whose need is not met, so no step uses what was not checked or not read.
 * A step that fails also ends the steps after it, except for those that stand alone.
 */
type Step = { isConfigured?(config: Config): unknown; standsAlone?: true } & (
  | { needs: 'backend'; work(run: Run): Promise<void> }
  | { needs: 'chain' | 'all blocks read'; work(run: Run, reading: Reading): Promise<void> }
)

const steps: readonly Step[] = [
  {
    needs: 'backend',
    standsAlone: true,
    work: async ({ service, report }) => report(await keepPools(service)),
  },
  {
    needs: 'backend',
    standsAlone: true,
    isConfigured: ({ FUNDME_OPEN }) => FUNDME_OPEN,
    work: async ({ service, report }) => report(await endGoals(service)),
  },
  { needs: 'backend', standsAlone: true, isConfigured: readWatch, work: open },
  {
    needs: 'chain',
    work: async ({ service, report }, reading) => {
      const { behind, rows } = await followTokens(service, withGoals(reading), reading.chain, report)
      reading.behind = behind
      reading.fresh.push(...rows)
    },
  },
  {
    needs: 'chain',
    work: async ({ service, report }, { watch, chain, fresh }) => {
      fresh.push(...(await followCoins(service, watch, chain, report)))
    },
  },
  {
    needs: 'chain',
    work: async ({ service, report }, reading) => {
      reading.fresh.push(...(await readUnread(service, withGoals(reading), reading.chain, report)))
    },
  },
  {
    needs: 'all blocks read',
    work: async ({ service, report }, reading) =>
      report(await readEarlyGifts(service, withGoals(reading), reading.chain, reading.goals)),
  },
  {
    needs: 'chain',
    work: async ({ service, report }, { watch, chain, fresh }) =>
      report(await checkDue(service, watch, chain, fresh)),
  },
  {
    // Transfers in unread blocks would look missing.
    needs: 'all blocks read',
    work: async ({ service, report }, { watch, chain }) =>
      report(await compareBalances(service, watch, chain)),
  },
  {
    needs: 'chain',
    work: async ({ service, report }, { watch, chain }) => report(await storeRates(service, watch, chain)),
  },
  {
    needs: 'chain',
    work: async ({ service, config, report }, { watch }) =>
      report(await storePaymentTerms(service, watch, config)),
  },
  {
    needs: 'chain',
    work: async ({ service, report }, { watch }) => report(await moveOrders(service, watch.chainId)),
  },
  {
    // A payment by hand in a block that is not read yet must not be paid again.
    needs: 'all blocks read',
    work: pay,
  },
  {
    needs: 'chain',
    standsAlone: true,
    isConfigured: ({ FUNDME_OPEN }) => FUNDME_OPEN,
    work: async ({ service, config, report }, { watch, chain }) =>
      report(await checkGoals(service, config, watch, chain)),
  },
  {
    needs: 'chain',
    standsAlone: true,
    work: async ({ service, config, report }, { watch, chain }) =>
      report(
        await readControls(
          service,
          watch,
          chain,
          config.SUPABASE_SECRET_KEY ?? '',
          config.PAYER_KEY ? addressOf(config.PAYER_KEY) : null,
        ),
      ),
  },
  { needs: 'backend', standsAlone: true, isConfigured: ({ LOG_KEY }) => LOG_KEY, work: signAndAnchor },
]

/**
 * The work of a run: reads new blocks, checks rows, compares balances, stores prices, pays orders, signs a
 * checkpoint of the log and anchors it. A run may be killed at any point, and two runs may overlap: rows and
 * the scan's position are written in one database transaction, and the bytes of an anchor are stored before
 * they are sent. Errors are logged, not thrown. Does nothing without a secret key, or if neither a chain nor a
 * signing key is configured.
 */
export async function runLedgerJob(
  config: Config,
  fetch: typeof globalThis.fetch,
  log: Log,
  memory: CheckpointMemory | null,
): Promise<void> {
  const { SUPABASE_SECRET_KEY: secret } = config
  if (!secret || !(readWatch(config) || config.LOG_KEY)) return
  const startedAt = Date.now()
  const parts: LedgerReport[] = []
  const service = createService(config.SUPABASE_URL, secret, fetch)
  const run: Run = { config, service, memory, chain: null, reading: null, report: (part) => parts.push(part) }
  let hasFailed = false
  for (const step of steps) {
    if ((hasFailed && !step.standsAlone) || !(step.isConfigured?.(config) ?? true)) continue
    try {
      await take(step, run)
    } catch (error) {
      hasFailed = true
      run.report({ stopped: reasonOf(error), ...(error instanceof RolledBack && { rolledBack: true }) })
    }
  }
  const stopped = parts.find((part) => part.stopped)?.stopped
  if (config.PAYER_KEY && stopped && !parts.some(({ payer }) => payer))
    run.report({ payer: { fault: `nothing is paid, because the run stopped: ${stopped}` } })
  if (run.chain) run.report(reportOf(run.chain))
  const report = joinParts(parts)
  const level = levelOf(report)
  log[level]('ledger.run', { ...report, ms: Date.now() - startedAt })
  await storeReport(service, report, level !== 'info', log)
}

/** Does the work of a step if its need is met. */
async function take(step: Step, run: Run): Promise<void> {
  if (step.needs === 'backend') return step.work(run)
  const { reading } = run
  if (!reading || (step.needs === 'all blocks read' && reading.behind !== 0)) return
  return step.work(run, reading)
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

/** Opens the chain and compares the configured tokens with their contracts. */
async function open(run: Run): Promise<void> {
  const { config, service, report } = run
  const configured = readWatch(config)
  if (!configured) return
  const silent = await readSilence(service)
  report({ silent })
  const chain = await openOrMark(service, configured, unaskedOf(silent))
  report({ silent: silenceOf(chain.silent, silent) })
  run.chain = chain
  const { watch, faults } = await checkTokens(chain, configured)
  if (faults.length > 0) report({ tokens: faults })
  const goals = config.FUNDME_OPEN ? await readGoals(service) : []
  run.reading = { chain, watch, goals, behind: null, fresh: [] }
}

/** Opens the chain. If too few endpoints respond, records this for the due rows, and throws Unreachable. */
async function openOrMark(service: Service, watch: Watch, unasked: ReadonlySet<string>): Promise<Chain> {
  let known: Promise<string | null> | undefined
  // The probe does without it if the backend fails, and the run ends at its next call then.
  const oldest = () => (known ??= oldestHash(service, watch.chainId).catch(() => null))
  try {
    return await openChain(watch.urls, watch.chainId, AbortSignal.timeout(runTimeout), oldest, unasked)
  } catch (error) {
    if (error instanceof Unreachable) await markUnreachable(service, await dueRows(service, watch))
    throw error
  }
}

function withGoals({ watch, goals }: Reading) {
  return { ...watch, goals: walletsOfGoals(goals) }
}

/** The head of the chain, and what the endpoints did in this run. */
function reportOf({ head, faults, calls, capabilities }: Chain): LedgerReport {
  const endpoints = Object.fromEntries(
    Object.entries(capabilities).map(([name, found]) => [name, capabilitiesInWords(found)]),
  )
  return { head, faults, endpoints, calls }
}

/** Pays due orders with the payer's key; without one, only follows the order that is sent. */
async function pay({ service, config, report }: Run, { watch, chain }: Reading): Promise<void> {
  const { PAYER_KEY: key, PAYMENT_MAX_GAS_GWEI: gwei, SANCTIONS_ORACLE: sanctions } = config
  const limits = { mostGasPrice: BigInt(gwei) * 10n ** 9n, sanctions: sanctions?.toLowerCase() }
  const payer = await payOrders(service, chain, key, watch, limits)
  if (key || Object.keys(payer).length > 0) report({ payer })
}

/** Signs the log, and anchors the checkpoint if an anchor key is configured and the chain is open. */
async function signAndAnchor({ config, service, memory, chain, report }: Run): Promise<void> {
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
