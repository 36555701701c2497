/**
 * Compares a ledger of a million rows with one of a thousand, each in its own embedded backend: the time of a page, and
 * the worker's memory during a complete export.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedBackend, startEmbedded } from '../../supabase/embedded/embedded.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { add } from './report.ts'
import { startSite } from './site.ts'
import { median, spread } from './statistics.ts'
import type { Worker } from './workerd.ts'

const few = 1_000
const many = 1_000_000

/** Rows for each statement: the triggers work by statement, so larger ones cost less for each row. */
const batch = 10_000

/** Fills the ledger with its triggers enabled, so that the log, the statuses and the sums match its rows. */
async function fill(sql: EmbeddedBackend['sql'], rows: number): Promise<void> {
  for (let from = 1; from <= rows; from += batch) {
    await sql(
      `insert into public.transactions (occurred_at, account, counter_account, type, direction, pool_slug, amount_usd,
         rate_usd, rate_source, token_amount, token_symbol, token_decimals, from_address, to_address, tx_hash, chain_id,
         ordinal)
       select timestamptz '2026-11-01' - interval '31 seconds' * ($1 - place), kind.account, kind.counter, kind.type,
         kind.direction, kind.pool, place % 10000 / 100.0, 612.5, 'a price feed', place::numeric * 1000000000000, 'BNB',
         18, '0x' || repeat('1', 40), '0x' || repeat('2', 40), '0x' || lpad(to_hex(place), 64, '0'), 56, 0
       from generate_series($2::int, $3::int) as place
       join (values (0, 'treasury', null, 'tax', 'in', null), (1, 'treasury', null, 'dream', 'out', null),
         (2, 'treasury', null, 'gift', 'in', null), (3, 'treasury', 'education', 'donation', 'out', 'education'),
         (4, 'treasury', 'humanitarian-relief', 'donation', 'out', 'humanitarian-relief'),
         (5, 'treasury', 'animal-welfare', 'donation', 'out', 'animal-welfare'),
         (6, 'donation-wallet', null, 'donation', 'out', null), (7, 'education', null, 'spending', 'out', 'education')
       ) as kind (number, account, counter, type, direction, pool) on kind.number = place % 997 * 7919 % 8`,
      [rows, from, Math.min(rows, from + batch - 1)],
    )
    // All but the newest rows are verified, as in a ledger that the job maintains.
    await sql(
      `insert into public.transaction_checks (transaction_id, status, block_number, block_hash, block_time, confirmations)
       select id, 'verified', 40000000 + id, tx_hash, occurred_at, 60 from public.transactions
       where id between $2 and $3 and id <= $1 - 20`,
      [rows, from, from + batch - 1],
    )
  }
  await sql('vacuum analyze')
}

interface Ledger {
  backend: EmbeddedBackend
  site: Worker
  deep: string
  close(): Promise<void>
}

async function startLedger(rows: number): Promise<Ledger> {
  const dataDir = mkdtempSync(join(tmpdir(), 'goodblock-ledger-'))
  const backend = await startEmbedded({
    dataDir,
    port: 0,
    mailPort: 0,
    siteUrl: 'http://127.0.0.1:8787',
    log: () => {},
  })
  await fill(backend.sql, rows)
  const site = await startSite(backend, { variables: { SUPABASE_PUBLISHABLE_KEY: backend.publishableKey } })
  const [middle] = await backend.sql<{ cursor: string }>(
    `select (extract(epoch from occurred_at) * 1000000)::bigint || '-' || id as cursor
     from public.transactions where id = $1`,
    [rows / 2],
  )
  const close = async () => {
    await site.close()
    await backend.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { backend, site, deep: middle?.cursor ?? '', close }
}

const pages: [what: string, path: (ledger: Ledger) => string][] = [
  ['first page of the history', () => '/transparency'],
  ['deep page: from the middle on', ({ deep }) => `/transparency?before=${deep}`],
  ['filtered page: a type', () => '/transparency?type=dream'],
  ['filtered page: a pool, from the middle on', ({ deep }) => `/transparency?pool=education&before=${deep}`],
  ['totals: Home', () => '/'],
  ['totals of the pools, and their donations', () => '/voting'],
  ['a part of the CSV, 1,000 rows', () => '/transparency.csv?limit=1000'],
]

/** Milliseconds of the worker for a page that is not cached: a pending toast prevents that. */
async function time({ site }: Ledger, path: string): Promise<number> {
  const startedAt = performance.now()
  const response = await fetch(site.url + path, { headers: { Cookie: 'notice=none' } })
  const { length } = await response.text()
  if (response.status !== 200 || length < 1_000) throw new Error(`${path}: ${response.status}`)
  return performance.now() - startedAt
}

async function measurePages(small: Ledger, large: Ledger, quick: boolean): Promise<void> {
  for (const [what, path] of pages) {
    const ratios: number[] = []
    const took: [number[], number[]] = [[], []]
    for (let repetition = -3; repetition < (quick ? 11 : 25); repetition++) {
      const times: [number, number] = [0, 0]
      // Alternate, so that other load on the machine affects both.
      for (let i = 0; i < 4; i++) {
        times[0] += await time(small, path(small))
        times[1] += await time(large, path(large))
      }
      // The first requests warm both up.
      if (repetition < 0) continue
      ratios.push(times[1] / times[0])
      took[0].push(times[0] / 4)
      took[1].push(times[1] / 4)
    }
    add({
      what: `A million rows over a thousand, ${what}`,
      measured: spread(ratios),
      aim: '≤ 1.5',
      reached: median(ratios) <= 1.5,
      note: `${median(took[1]).toFixed(1)} ms and ${median(took[0]).toFixed(1)} ms.`,
    })
  }
}

async function measureDownload(large: Ledger): Promise<void> {
  const proxy = await startFaultProxy(large.backend.url)
  const site = await startSite(proxy, {
    variables: { SUPABASE_PUBLISHABLE_KEY: large.backend.publishableKey },
    heap: 48,
  })
  for (let i = 0; i < 5; i++) await (await fetch(`${site.url}/transparency.csv?limit=1000`)).text()
  proxy.requests.length = 0
  const before = site.memory()
  const spentBefore = site.processorTime()
  let greatest = before
  const sampler = setInterval(() => {
    greatest = Math.max(greatest, site.memory())
  }, 100)
  const startedAt = performance.now()
  const response = await fetch(`${site.url}/transparency.csv`)
  let lines = 0
  let bytes = 0
  const reader = response.body?.getReader()
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    bytes += part.value.byteLength
    for (const byte of part.value) if (byte === 10) lines++
  }
  clearInterval(sampler)
  const seconds = (performance.now() - startedAt) / 1000
  add({
    what: 'CSV of a million rows: growth of the worker, its heap bound to 48 MiB, while it streams, MiB',
    measured: (greatest - before).toFixed(0),
    aim: '< 64, and every row',
    reached: greatest - before < 64 && lines === many + 1,
    note:
      `${(lines - 1).toLocaleString('en-US')} rows, ${(bytes / 2 ** 20).toFixed(0)} MiB in ${seconds.toFixed(0)} s; ` +
      `${proxy.requests.length} calls to the backend; ${(site.processorTime() - spentBefore).toFixed(1)} s of ` +
      `processor time in the worker; resident memory ${before.toFixed(0)} MiB before, ${greatest.toFixed(0)} MiB at most.`,
  })
  await site.close()
  await proxy.close()
}

export async function measureLedger(quick: boolean): Promise<void> {
  const small = await startLedger(few)
  const large = await startLedger(many)
  await measurePages(small, large, quick)
  await measureDownload(large)
  await small.close()
  await large.close()
}
