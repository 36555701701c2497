/**
 * Compares a ledger of a million rows with one of a thousand, each in a PostgreSQL server of its own: the times of the
 * pages and of the log. Also measures the worker's memory while it streams a million rows.
 */
import { startFaultProxy } from '../support/fault-proxy.ts'
import { postgresPrograms } from '../support/postgres.ts'
import { comparePaths, type Ledger, type Path, startLedger } from './filled-ledger.ts'
import { measureLog } from './log.ts'
import { add } from './report.ts'
import { startSite } from './site.ts'

const few = 1_000
const many = 1_000_000

const pages: Path[] = [
  ['first page of the history', () => '/transparency'],
  ['deep page: from the middle on', ({ deep }) => `/transparency?before=${deep}`],
  // For each filter the value that most rows have, and also a status that no row has.
  ...[
    'status=verified',
    'status=mismatch',
    'direction=out',
    'type=donation',
    'pool=education',
    'wallet=treasury',
    'from=2015-01-01',
    'to=2026-11-02',
    'type=donation&status=verified&from=2015-01-01&to=2026-11-02',
  ].map((query): Path => [`filter ${query}`, () => `/transparency?${query}`]),
  [
    'search for an address with all rows, counted up to 10,000',
    () => `/transparency?q=0x${'1'.repeat(40)}`,
    null,
  ],
  ['filter pool=education, from the middle on', ({ deep }) => `/transparency?pool=education&before=${deep}`],
  ['totals: Home', () => '/'],
  ['totals of the pools, and their donations', () => '/voting'],
  ['a part of the CSV, 1,000 rows', () => '/transparency.csv?limit=1000'],
]

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
  if (!postgresPrograms())
    return console.log('The ledger of a million rows: not measured, because PostgreSQL is not installed.')
  const small = await startLedger(few)
  const large = await startLedger(many)
  await comparePaths(small, large, pages, quick)
  await measureLog(small, large, quick)
  await measureDownload(large)
  await small.close()
  await large.close()
}
