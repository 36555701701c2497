/**
 * Measures the cost of witnesses: appends while two witnesses are asked for cosignatures, and a scheduled
 * minute in which two are asked.
 */
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runLedgerJob } from '../../app/entry/ledger-job.server.ts'
import { cosign, witnessKeyOf } from '../../app/log/cosignature.ts'
import { signLog } from '../../app/log/signing.server.ts'
import { askWitnesses } from '../../app/log/witnesses.server.ts'
import { readConfig } from '../../app/platform/server/env.server.ts'
import { createService } from '../../app/platform/server/service.server.ts'
import { startEmbedded } from '../../supabase/embedded/embedded.ts'
import { startFakeWitness } from '../support/witness.ts'
import type { Bench } from './bench.ts'
import { every, startEndpoint, token, wallet } from './chain-endpoint.ts'
import { format, inTurn, median, ratios } from './statistics.ts'

const batch = 1_000
const origin = 'bench.example/transparency/log'
const fail = (event: string, facts: unknown) => {
  throw new Error(`${event} ${JSON.stringify(facts)}`)
}
/** The backend runs in this process. A long append blocks the backend, which then closes idle connections. */
const patient: typeof fetch = (input, init) => fetch(input, init).catch(() => fetch(input, init))
const log = { requestId: 'bench', failed: false, info: () => {}, warn: fail, error: fail }

/** Entries in the form that the job sends. */
function entries(from: number): string {
  return JSON.stringify(
    Array.from({ length: batch }, (_, at) => ({
      occurred_at: new Date(Date.UTC(2025, 0, 1) + (from + at) * 31_000).toISOString(),
      account: 'treasury',
      type: 'tax',
      direction: 'in',
      amount_usd: ((from + at) % 10_000) / 100,
      rate_usd: '612.5',
      rate_source: 'a price feed',
      token_amount: `${from + at}000000000000`,
      token_symbol: 'BNB',
      token_decimals: 18,
      from_address: `0x${'1'.repeat(40)}`,
      to_address: `0x${'2'.repeat(40)}`,
      tx_hash: `0x${(from + at).toString(16).padStart(64, '0')}`,
      chain_id: 56,
      ordinal: 0,
    })),
  )
}

/** Starts a witness that cosigns each checkpoint, and returns the entry for WITNESSES. */
async function startWitness({ open }: Bench<'witnesses'>, name: string): Promise<string> {
  const privateKey = generateKeyPairSync('ed25519')
    .privateKey.export({ format: 'der', type: 'pkcs8' })
    .toString('base64')
  const { url } = await open(
    startFakeWitness(async (body, response) => {
      const text = body.slice(body.indexOf('\n\n') + 2, body.lastIndexOf('\n\n') + 1)
      response.end(await cosign({ name, privateKey }, text, Math.floor(Date.now() / 1000)))
    }),
  )
  return `${await witnessKeyOf({ name, privateKey })} ${url}`
}

export async function measureWitnesses(bench: Bench<'witnesses'>): Promise<void> {
  const { quick, open, report } = bench
  const folder = mkdtempSync(join(tmpdir(), 'goodblock-witnesses-'))
  await open({ close: () => rmSync(folder, { recursive: true, force: true }) })
  const siteUrl = 'http://127.0.0.1:8787'
  const settings = { head: 1_000, delay: 100 }
  const endpoints = [await open(startEndpoint(settings)), await open(startEndpoint(settings))]
  const urls = endpoints.map(({ url }) => url)
  /**
   * Starts a backend, and returns a function that appends, signs and asks the witnesses, as a run of the job
   * does.
   */
  const startJob = async (name: string, witnesses: string) => {
    const dataDir = join(folder, name)
    const backend = await open(startEmbedded({ dataDir, port: 0, mailPort: 0, siteUrl, log: () => {} }))
    const config = readConfig({
      ...{ SITE_URL: siteUrl, SUPABASE_URL: backend.url, SUPABASE_PUBLISHABLE_KEY: backend.publishableKey },
      ...{ SUPABASE_SECRET_KEY: backend.secretKey, LOG_KEY: backend.logKey, LOG_ORIGIN: origin },
      ...{ CHAIN_RPC_URLS: urls.join(' '), CHAIN_START_BLOCK: '1', CHAIN_TOKENS: `USDT:${token}:18:usd` },
      ...{ TREASURY_WALLET: wallet, WITNESSES: witnesses },
    })
    const service = createService(backend.url, backend.secretKey, patient)
    let next = 1
    const append = async () => {
      await backend.sql('select public.append_ledger($1::jsonb)', [entries(next)])
      next += batch
    }
    const sign = () => signLog(service, { privateKey: backend.logKey, origin }, null)
    const ask = async () => {
      await askWitnesses(config, patient, log)
    }
    const run = () => runLedgerJob(config, patient, log, null)
    return { append, sign, ask, run }
  }
  const witnesses = [await startWitness(bench, 'a.example/w'), await startWitness(bench, 'b.example/w')].join(
    '; ',
  )
  const [two, none] = [await startJob('two', witnesses), await startJob('none', '')]
  const timed = async (work: () => Promise<unknown>) => {
    const startedAt = performance.now()
    await work()
    return performance.now() - startedAt
  }

  /** The next batch is appended while the witnesses are asked about the previous checkpoint. */
  const appendWhileAsking =
    ({ append, sign, ask }: typeof two) =>
    async () => {
      await sign()
      const asked = ask()
      const time = await timed(append)
      await asked
      return (1000 * batch) / time
    }
  const appends = await inTurn(quick ? 10 : 30, appendWhileAsking(two), appendWhileAsking(none))
  report('appends', ratios(appends.ones, appends.others), {
    note: `${format(median(appends.ones))} and ${format(median(appends.others))} rows/s.`,
  })

  const minute =
    ({ run, ask }: typeof two) =>
    async () => {
      // Five transfers in the blocks of a minute.
      settings.head += 5 * every
      const time = await timed(async () => {
        await run()
        await ask()
      })
      return 60_000 / time
    }
  // These backends lack the rows that were inserted above, because the chain does not have them.
  const jobs = [await startJob('two-minutes', witnesses), await startJob('no-minutes', '')] as const
  for (const { run } of jobs) await run()
  const minutes = await inTurn(quick ? 10 : 30, minute(jobs[0]), minute(jobs[1]))
  const each = (rates: number[]) => `${format(60_000 / median(rates))} ms`
  report('minute', ratios(minutes.ones, minutes.others), {
    note: `${each(minutes.ones)} and ${each(minutes.others)} for a run with five new transfers, two endpoints that answer after 100 ms, and the witnesses.`,
  })
}
