import * as z from 'zod/mini'
import { timestampColumn } from './columns.server'
import type { Config } from './env.server'
import type { Log } from './log.server'

/** Minimum interval between checks of the backend, in milliseconds. */
const checkInterval = 5_000
/** The timeout of each call, in milliseconds. A slower backend is too slow for a page too. */
const checkTimeout = 2_000

export interface Health {
  /**
   * The state of the data API. `read-only`: reads succeed and writes fail, for example on a full disk. Writes
   * are checked only with SUPABASE_SECRET_KEY.
   */
  backend: 'ok' | 'read-only' | 'unreachable'
  /** The duration of the data API's response, in milliseconds. */
  backendMs: number
  /** The state of the auth service. Public pages do not need it, but without it no one can sign in. */
  auth: 'ok' | 'unreachable'
  /**
   * 'alarm' if a witness last reported that it has seen another history under the current name of our log.
   * Null without witnesses, or if their reports cannot be read.
   */
  witnesses: 'ok' | 'alarm' | null
  /**
   * `stopped`: the mail service refuses all emails, or emails have waited for an hour and no email was sent.
   * Null without a mail service, or if the counts cannot be read.
   */
  mail: 'ok' | 'stopped' | 'flooded' | null
  /**
   * What the last run of the ledger job said: `tokens` if a token differs from CHAIN_TOKENS, `endpoints` if an endpoint
   * does not serve what the job needs or asks three times the gas price of another, `payments` if due orders are not paid, or one is sent for half an hour: /operator says why. Null if no job runs, or if its report cannot be read.
   */
  chain: ('tokens' | 'endpoints' | 'payments')[] | null
  /** Seconds since the newest row was recorded. Null without rows, or if it cannot be read. */
  ledgerAge: number | null
}

const totals = z.tuple([z.object({ as_of: z.nullable(timestampColumn) })])

/** The running check, or the last check. A promise, so that concurrent requests share it. */
let latest: Promise<Health> | undefined
let startedAt = 0

/** The state of the backend, from a check that this isolate began at most five seconds ago. */
export function readHealth(config: Config, log: Log): Promise<Health> {
  const now = Date.now()
  if (!latest || now - startedAt >= checkInterval) {
    startedAt = now
    latest = check(config, log)
  }
  return latest
}

/** Checks both services now, without the breaker and the retries that pages use. */
async function check(config: Config, log: Log): Promise<Health> {
  const [data, auth, witnesses, mail, chain] = await Promise.all([
    checkData(config, log),
    checkAuth(config, log),
    checkWitnesses(config, log),
    checkMail(config, log),
    checkChain(config, log),
  ])
  return { ...data, auth, witnesses, mail, chain }
}

const alarms = z.array(z.object({ witness: z.string() }))

async function checkWitnesses(config: Config, log: Log): Promise<Health['witnesses']> {
  if (config.WITNESSES.length === 0) return null
  try {
    const response = await call(
      config,
      `rest/v1/witness_states?select=witness&state=eq.alarm&origin=eq.${encodeURIComponent(config.LOG_ORIGIN)}`,
    )
    const raised = alarms.parse(await response.json())
    return config.WITNESSES.some(({ vkey }) => raised.some(({ witness }) => witness === vkey))
      ? 'alarm'
      : 'ok'
  } catch (error) {
    log.warn('health.witnesses-not-read', { reason: (error as Error).name })
    return null
  }
}

async function checkData(
  config: Config,
  log: Log,
): Promise<Pick<Health, 'backend' | 'backendMs' | 'ledgerAge'>> {
  const checkedAt = Date.now()
  const elapsed = () => Date.now() - checkedAt
  let ledgerAge: number | null = null
  try {
    const response = await call(config, 'rest/v1/ledger_totals?select=as_of')
    const [{ as_of }] = totals.parse(await response.json())
    ledgerAge = as_of && Math.max(0, Math.round((Date.now() - as_of.getTime()) / 1000))
  } catch (error) {
    log.warn('health.unreachable', { reason: (error as Error).name, ms: elapsed() })
    return { backend: 'unreachable', backendMs: elapsed(), ledgerAge }
  }
  if (!config.SUPABASE_SECRET_KEY) return { backend: 'ok', backendMs: elapsed(), ledgerAge }
  try {
    const response = await call(config, 'rest/v1/rpc/check_writes', {
      key: config.SUPABASE_SECRET_KEY,
      method: 'POST',
      body: '{}',
    })
    await response.body?.cancel()
    if (response.ok) return { backend: 'ok', backendMs: elapsed(), ledgerAge }
    log.error('health.read-only', { status: response.status })
  } catch (error) {
    log.error('health.read-only', { reason: (error as Error).name })
  }
  return { backend: 'read-only', backendMs: elapsed(), ledgerAge }
}

const mailCounts = z.object({
  is_late: z.boolean(),
  is_flooded: z.boolean(),
  pause_reason: z.nullable(z.string()),
})

async function checkMail(config: Config, log: Log): Promise<Health['mail']> {
  if (!config.MAIL_API_KEY || !config.SUPABASE_SECRET_KEY) return null
  try {
    const response = await call(config, 'rest/v1/rpc/mail_counts', { key: config.SUPABASE_SECRET_KEY })
    const { is_late, is_flooded, pause_reason } = mailCounts.parse(await response.json())
    if (is_flooded) log.error('health.mail-flood')
    return pause_reason || is_late ? 'stopped' : is_flooded ? 'flooded' : 'ok'
  } catch (error) {
    log.warn('health.mail-unknown', { reason: (error as Error).name })
    return null
  }
}

const lastRun = z.nullable(
  z.object({
    tokens: z._default(z.array(z.string()), []),
    faults: z._default(z.record(z.string(), z.string()), {}),
    has_late_payment: z.boolean(),
    payer: z._default(z.object({ fault: z.optional(z.string()), held: z.optional(z.boolean()) }), {}),
  }),
)

async function checkChain(config: Config, log: Log): Promise<Health['chain']> {
  if (config.CHAIN_RPC_URLS.length === 0 || !config.SUPABASE_SECRET_KEY) return null
  try {
    const response = await call(config, 'rest/v1/rpc/last_run', { key: config.SUPABASE_SECRET_KEY })
    const run = lastRun.parse(await response.json())
    if (!run) return null
    const isMissing = Object.values(run.faults).some((fault) =>
      /^(does not serve|differs|has not answered)/.test(fault),
    )
    return [
      ...(run.tokens.length > 0 ? ['tokens' as const] : []),
      ...(isMissing ? ['endpoints' as const] : []),
      ...(run.payer.fault || run.payer.held || run.has_late_payment ? ['payments' as const] : []),
    ]
  } catch (error) {
    log.warn('health.run-not-read', { reason: (error as Error).name })
    return null
  }
}

/** Checks the auth service. A refusal, such as a 401 from a gateway, shows that the service responds. */
async function checkAuth(config: Config, log: Log): Promise<Health['auth']> {
  try {
    const response = await call(config, 'auth/v1/health')
    await response.body?.cancel()
    if (response.status < 500) return 'ok'
    log.warn('health.auth-unreachable', { status: response.status })
  } catch (error) {
    log.warn('health.auth-unreachable', { reason: (error as Error).name })
  }
  return 'unreachable'
}

function call(
  { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY }: Config,
  path: string,
  { key = SUPABASE_PUBLISHABLE_KEY, ...init }: { key?: string } & RequestInit = {},
) {
  return fetch(`${SUPABASE_URL}/${path}`, {
    ...init,
    headers: { apikey: key, 'Content-Type': 'application/json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(checkTimeout),
  })
}
