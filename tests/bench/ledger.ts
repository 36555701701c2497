/**
 * Compares a ledger of a million rows with a ledger of a thousand rows, each on a separate PostgreSQL server:
 * the response times of the pages and of the log. Also measures the check of a proof, and the memory of the
 * worker while it streams a million rows.
 */
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signLog } from '../../app/log/signing.server.ts'
import { tilePath } from '../../app/log/tile.ts'
import { checkRow } from '../../app/pages/routes/transparency.transaction/row-proof.ts'
import { createService } from '../../app/platform/server/service.server.ts'
import { type EmbeddedBackend, startEmbedded } from '../../supabase/embedded/embedded.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { addOperator } from '../support/operators.ts'
import { postgresPrograms, startCluster } from '../support/postgres.ts'
import { sessionCookie, sessionCookies } from '../support/visitor.ts'
import type { Bench } from './bench.ts'
import { measurements } from './measurements.ts'
import { startSite, timePages } from './site.ts'
import { format, inTurn, median, ratios } from './statistics.ts'
import type { Worker } from './workerd.ts'

const few = 1_000
const many = 1_000_000

/** The rows of each insert, whose triggers run once: a large insert takes less time a row. */
const batch = 10_000

/** Inserts the rows $2 to $3 of $1 with times 31 seconds apart, with every kind of row. */
const insertRows = `insert into public.transactions (occurred_at, account, counter_account, type, direction, pool_slug,
    amount_usd, rate_usd, rate_source, token_amount, token_symbol, token_decimals, from_address, to_address, tx_hash,
    chain_id, ordinal)
  select timestamptz '2026-11-01' - interval '31 seconds' * ($1 - place), kind.account, kind.counter, kind.type,
    kind.direction, kind.pool, place % 10000 / 100.0, 612.5, 'a price feed', place::numeric * 1000000000000, 'BNB', 18,
    '0x' || repeat('1', 40), '0x' || repeat('2', 40), '0x' || lpad(to_hex(place), 64, '0'), 56, 0
  from generate_series($2::int, $3::int) as place
  join (values (0, 'treasury', null, 'tax', 'in', null), (1, 'treasury', null, 'dream', 'out', null),
    (2, 'treasury', null, 'gift', 'in', null), (3, 'treasury', 'education', 'donation', 'out', 'education'),
    (4, 'treasury', 'humanitarian-relief', 'donation', 'out', 'humanitarian-relief'),
    (5, 'treasury', 'animal-welfare', 'donation', 'out', 'animal-welfare'),
    (6, 'donation-wallet', null, 'donation', 'out', null), (7, 'education', null, 'spending', 'out', 'education')
  ) as kind (number, account, counter, type, direction, pool) on kind.number = place % 997 * 7919 % 8`

/** Inserts the acts $1 to $2, and appends their entries to the log. */
const insertActs = `with acts as (
    insert into public.operator_acts (kind, subject, state, submitted_at, final_at, number)
    select 'operator', 'operator-' || place, 'done', now(), now(), place from generate_series($1::int, $2::int) as place
    returning number, subject, final_at
  )
  select private.append_to_log('ledger', 'act', array_agg(number::bigint order by number), array_agg((
    select row_to_json(line)::text from (
      select 'act' as kind, number::bigint as id, private.entry_time(final_at) as recorded_at, 'operator' as act, subject,
        null as "by", null as second, null as made, null as reason_hash
    ) as line
  ) order by number)) from acts`

interface Ledger {
  /** The number of rows. Their ids start at 1, and each row is an entry of the log. */
  rows: number
  backend: EmbeddedBackend
  site: Worker
  /** The cursor of the row in the middle, for `?before=`. */
  middle: string
  /** The cookies of an operator. */
  cookies: string
}

/** Inserts rows with the triggers on, so that the log, the statuses and the sums agree with the rows. */
async function fill(sql: EmbeddedBackend['sql'], rows: number): Promise<void> {
  // With the default value, PostgreSQL writes its whole cache to disk after every few batches.
  await sql("alter system set max_wal_size = '16GB'")
  await sql('select pg_reload_conf()')
  // The trigger appends one act at a time. insertActs appends all its acts together.
  await sql('alter table public.operator_acts disable trigger log_rows')
  for (let from = 1; from <= rows; from += batch) {
    const to = Math.min(rows, from + batch - 1)
    await sql(insertRows, [rows, from, to])
    // All rows except the newest 20 are verified, as in a ledger that the job maintains.
    await sql(
      `insert into public.transaction_checks (transaction_id, status, block_number, block_hash, block_time, confirmations)
       select id, 'verified', 40000000 + id, tx_hash, occurred_at, 60 from public.transactions
       where id between $2 and $3 and id <= $1 - 20`,
      [rows, from, to],
    )
  }
  for (let from = 1; from <= rows / 10; from += batch)
    await sql(insertActs, [from, Math.min(rows / 10, from + batch - 1)])
  await sql('alter table public.operator_acts enable trigger log_rows')
  await sql('vacuum analyze')
}

/** Starts PostgreSQL with so many rows and a signed log, and the site without its page cache. */
async function startLedger({ open }: Bench<'ledger'>, rows: number): Promise<Ledger> {
  const cluster = await startCluster()
  const dataDir = mkdtempSync(join(tmpdir(), 'goodblock-ledger-'))
  await open({
    close: async () => {
      await cluster.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  })
  const backend = await open(
    startEmbedded({
      dataDir,
      databaseUrl: cluster.url,
      port: 0,
      mailPort: 0,
      siteUrl: 'http://127.0.0.1:8787',
      log: () => {},
    }),
  )
  await fill(backend.sql, rows)
  const variables = { SUPABASE_PUBLISHABLE_KEY: backend.publishableKey, PAGE_CACHE: 'off' }
  const site = await open(startSite(backend, { variables }))
  const [middle] = await backend.sql<{ cursor: string }>(
    `select (extract(epoch from occurred_at) * 1000000)::bigint || '-' || id as cursor
     from public.transactions where id = $1`,
    [rows / 2],
  )
  const privateKey = generateKeyPairSync('ed25519')
    .privateKey.export({ format: 'der', type: 'pkcs8' })
    .toString('base64')
  const service = createService(backend.url, backend.secretKey, fetch)
  await signLog(service, { privateKey, origin: 'bench.example/transparency/log' }, null)
  const { client } = await addOperator(backend, 'bench')
  const { data } = await client.auth.getSession()
  const cookies = sessionCookies(sessionCookie, data.session ?? {})
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')
  return { rows, backend, site, middle: middle?.cursor ?? '', cookies }
}

let draws = 0

/** A number from 0 to `below` - 1, another at each call, so that caches have few of the responses. */
const draw = (below: number) => (++draws * 7_919) % below

/** Replaces each `{…}` of a path with a position in the ledger. */
function pathIn({ rows, middle }: Ledger, path: string): string {
  const tile = { index: draw(Math.floor(rows / 256)), width: 256 }
  return path
    .replace('{middle}', middle)
    .replace('{row}', String(1 + draw(rows)))
    .replace('{tile}', tilePath({ level: 0, ...tile }))
    .replace('{entries}', tilePath({ level: 'entries', ...tile }))
}

/** Returns the milliseconds for four pages. */
function time(ledger: Ledger, path: string): Promise<number> {
  const paths = [1, 2, 3, 4].map(() => pathIn(ledger, path))
  return timePages(ledger.site, paths, path === '/operator' ? { Cookie: ledger.cookies } : {})
}

async function measureProof({ report }: Bench<'ledger'>, { site, rows }: Ledger) {
  const vkey = (await (await fetch(`${site.url}/transparency/log/vkey`)).text()).trim()
  const times: number[] = []
  const sizes: number[] = []
  for (let turn = -5; turn < 30; turn++) {
    const row = String(1 + draw(rows))
    const file = await (await fetch(`${site.url}/transparency/${row}/proof`)).text()
    const startedAt = performance.now()
    await checkRow({ checkRow: file, vkey, row })
    if (turn < 0) continue
    times.push(performance.now() - startedAt)
    sizes.push(Buffer.byteLength(file))
  }
  report('proof', Math.max(...sizes))
  report('check', times)
}

async function measureDownload({ open, report }: Bench<'ledger'>, { backend }: Ledger) {
  const proxy = await open(startFaultProxy(backend.url))
  const variables = { SUPABASE_PUBLISHABLE_KEY: backend.publishableKey }
  const site = await open(startSite(proxy, { variables, heap: 48 }))
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
  let rows = -1
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.byteLength
    for (const byte of part) if (byte === 10) rows++
  }
  clearInterval(sampler)
  const seconds = (performance.now() - startedAt) / 1000
  report('csv', greatest - before, {
    note:
      `${format(rows)} rows, ${format(bytes / 2 ** 20)} MiB in ${seconds.toFixed(0)} s; ${proxy.requests.length} calls ` +
      `to the backend; ${(site.processorTime() - spentBefore).toFixed(1)} s of processor time in the worker; ` +
      `resident memory ${before.toFixed(0)} MiB before, ${greatest.toFixed(0)} MiB at most.`,
    fault: rows === many ? undefined : `${rows} rows`,
  })
}

export async function measureLedger(bench: Bench<'ledger'>): Promise<void> {
  if (!postgresPrograms()) return console.log('     PostgreSQL is not installed (apt-get install postgresql)')
  const small = await startLedger(bench, few)
  const large = await startLedger(bench, many)
  for (const path of Object.keys(measurements.ledger).filter((name) => name.startsWith('/'))) {
    const { ones, others } = await inTurn(
      bench.quick ? 7 : 15,
      () => time(large, path),
      () => time(small, path),
    )
    bench.report(path, ratios(ones, others), {
      note: `${format(median(ones) / 4)} ms and ${format(median(others) / 4)} ms.`,
    })
  }
  await measureProof(bench, large)
  await measureDownload(bench, large)
}
