import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedBackend, startEmbedded } from '../../supabase/embedded/embedded.ts'
import { startCluster } from '../support/postgres.ts'
import { add } from './report.ts'
import { startSite } from './site.ts'
import { median, spread } from './statistics.ts'
import type { Worker } from './workerd.ts'

/** Rows for each insert. The triggers run once for each insert, so a large insert costs less for each row. */
const batch = 10_000

/** Inserts rows with the triggers on, so that the log, the statuses and the sums are those of the rows. */
async function fill(sql: EmbeddedBackend['sql'], rows: number): Promise<void> {
  // With the default, PostgreSQL writes its whole cache to disk every few batches.
  await sql("alter system set max_wal_size = '16GB'")
  await sql('select pg_reload_conf()')
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
    // All but the newest 20 are verified, as in a ledger that the job keeps.
    await sql(
      `insert into public.transaction_checks (transaction_id, status, block_number, block_hash, block_time, confirmations)
       select id, 'verified', 40000000 + id, tx_hash, occurred_at, 60 from public.transactions
       where id between $2 and $3 and id <= $1 - 20`,
      [rows, from, from + batch - 1],
    )
  }
  await sql('vacuum analyze')
}

export interface Ledger {
  /** The number of rows. Their ids count from 1, and each is an entry of the log. */
  rows: number
  backend: EmbeddedBackend
  site: Worker
  /** The cursor of the row in the middle, for `?before=`. */
  deep: string
  close(): Promise<void>
}

/** Starts PostgreSQL with this many rows, the backend on it, and the site without its cache of pages. */
export async function startLedger(rows: number): Promise<Ledger> {
  const cluster = await startCluster()
  process.once('exit', cluster.stop)
  const dataDir = mkdtempSync(join(tmpdir(), 'goodblock-ledger-'))
  const backend = await startEmbedded({
    dataDir,
    databaseUrl: cluster.url,
    port: 0,
    mailPort: 0,
    siteUrl: 'http://127.0.0.1:8787',
    log: () => {},
  })
  await fill(backend.sql, rows)
  const site = await startSite(backend, {
    variables: { SUPABASE_PUBLISHABLE_KEY: backend.publishableKey, PAGE_CACHE: 'off' },
  })
  const [middle] = await backend.sql<{ cursor: string }>(
    `select (extract(epoch from occurred_at) * 1000000)::bigint || '-' || id as cursor
     from public.transactions where id = $1`,
    [rows / 2],
  )
  const close = async () => {
    await site.close()
    await backend.close()
    process.off('exit', cluster.stop)
    cluster.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { rows, backend, site, deep: middle?.cursor ?? '', close }
}

/** Milliseconds from the request to the last byte of the rendered page. */
async function time({ site }: Ledger, path: string): Promise<number> {
  const startedAt = performance.now()
  const response = await fetch(site.url + path)
  const { length } = await response.text()
  if (response.status !== 200 || length < 100) throw new Error(`${path}: ${response.status}`)
  return performance.now() - startedAt
}

/** `aim` is the greatest ratio, 1.5 if it is not given; null: the ratio is only printed. */
export type Path = [what: string, path: (ledger: Ledger) => string, aim?: number | null]

/** Reports how much longer each path takes on the large ledger than on the small one. */
export async function comparePaths(
  small: Ledger,
  large: Ledger,
  paths: Path[],
  quick: boolean,
): Promise<void> {
  for (const [what, path, aim = 1.5] of paths) {
    const ratios: number[] = []
    const took: [number[], number[]] = [[], []]
    for (let repetition = -3; repetition < (quick ? 7 : 15); repetition++) {
      const times: [number, number] = [0, 0]
      // Interleaved, so that other load on the machine affects both.
      for (let i = 0; i < 4; i++) {
        times[0] += await time(small, path(small))
        times[1] += await time(large, path(large))
      }
      // Warm-up.
      if (repetition < 0) continue
      ratios.push(times[1] / times[0])
      took[0].push(times[0] / 4)
      took[1].push(times[1] / 4)
    }
    add({
      what: `A million rows over a thousand, ${what}`,
      measured: spread(ratios),
      aim: aim === null ? 'printed' : `≤ ${aim}`,
      ...(aim !== null && { reached: median(ratios) <= aim }),
      note: `${median(took[1]).toFixed(1)} ms and ${median(took[0]).toFixed(1)} ms.`,
    })
  }
}
