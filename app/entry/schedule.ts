import { publishChanges } from '../platform/live/publish.server'
import {
  checkWitnesses,
  type Env,
  type Execution,
  lacksCheckpointMemory,
  readConfig,
  type Schedule,
} from '../platform/server/env.server'
import { createLog, type Log } from '../platform/server/log.server'
import { createRuntime, type Runtime } from '../platform/server/runtime.server'

/** The work of every minute (wrangler.toml). */
export async function runSchedule(
  { scheduledTime }: Schedule,
  env: Env,
  execution: Execution,
): Promise<void> {
  const log = createLog(crypto.randomUUID())
  try {
    const config = readConfig(env)
    await checkWitnesses(config)
    const runtime = createRuntime({ config, env, execution, log }, null)
    // The demonstration set is complete, and no chain has its transactions.
    const hasJobs = Boolean(config.SUPABASE_SECRET_KEY && !config.DEMO)
    const isIdle = hasJobs && !(await runPart(log, () => takeTurn(runtime)))
    if (hasJobs && !isIdle) await runJobs(runtime, scheduledTime)
    else if (config.DEMO) await signDemonstration(runtime)
    if (config.VOTING_OPEN && !isIdle)
      await runPart(log, async () => {
        const { runVoteJob } = await import('../votes/vote-job.server')
        await runVoteJob(config, runtime.fetch, log)
      })
    // Each site has live pages of its own, whether or not it is its turn.
    await runPart(log, () => publishChanges(runtime))
    if (isIdle) return
    await runPart(log, async () => (await import('../follow/mail/mail-job.server')).runMailJob(runtime))
    if (!hasJobs) return
    if (config.WITNESSES.length > 0)
      await runPart(log, async () => {
        const { askWitnesses } = await import('../log/witnesses.server')
        await askWitnesses(config, runtime.fetch, log)
      })
    // Last, because this part reads the most data of other parties: a slow source delays no other part.
    if (await runPart(log, () => listenToOthers(runtime))) await publishChanges(runtime)
  } catch (error) {
    log.error('scheduled.threw', { message: (error as Error).message })
  }
}

/** Returns whether it is the turn of this site to do the work that needs the secret key, and logs why it is not. */
async function takeTurn(runtime: Runtime): Promise<boolean> {
  const refused = await (await import('./lease.server')).claimSchedule(runtime)
  if (refused) runtime.log.warn('schedule.refused', { why: refused })
  return !refused
}

/** Runs a part of the scheduled work. The parts after it run even if it fails. */
async function runPart<Result>(log: Log, part: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await part()
  } catch (error) {
    log.error('scheduled.threw', { message: (error as Error).message })
  }
}

/** Signs what the demonstration's operators published. Its transactions are on no chain: none is read. */
async function signDemonstration({ config, fetch, log }: Runtime): Promise<void> {
  const { runLedgerJob } = await import('./ledger-job.server')
  await runLedgerJob({ ...config, CHAIN_RPC_URLS: [], FUNDME_OPEN: false }, fetch, log, null)
}

/** The scheduled work that needs the secret key. */
async function runJobs(runtime: Runtime, scheduledTime: number): Promise<void> {
  const { config, env, fetch, log } = runtime
  await runPart(log, async () => {
    // Log one line an hour, so that the log of a deployment without the namespace stays readable.
    const beginsHour = new Date(scheduledTime).getUTCMinutes() === 0
    if (beginsHour && lacksCheckpointMemory(config, env)) log.warn('checkpoints.not-kept')
    const { runLedgerJob } = await import('./ledger-job.server')
    const { checkpointMemory } = await import('../log/checkpoint-memory')
    await runLedgerJob(config, fetch, log, checkpointMemory(env))
    const { sweepPictures } = await import('../members/pictures/storage.server')
    await sweepPictures(runtime)
  })
}

/** Reads the sources of statements and counts the token's holders. False if neither is configured. */
async function listenToOthers({ config, fetch, log }: Runtime): Promise<boolean> {
  const listens = config.STATEMENT_SOURCES.length > 0 || config.X_BEARER_TOKEN
  // The chunk of this job contains the parser of feeds, which no other code loads.
  if (listens) await (await import('../statements/listening/listening-job.server')).listen(config, fetch, log)
  const counts = config.TOKEN_ADDRESS && config.CHAIN_RPC_URLS.length > 0
  if (counts) await (await import('../ledger/job/holder-job.server')).countHolders(config, fetch, log)
  return Boolean(listens || counts)
}
