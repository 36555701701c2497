/** Compares appending rows to the log with appending them to the hash chain that the log replaced. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type EmbeddedBackend, startEmbedded } from '../../supabase/embedded/embedded.ts'
import { add } from './report.ts'
import { median, spread } from './statistics.ts'

/** The last commit with the hash chain. */
const chainCommit = 'c6166bd'
const batch = 1_000

const git = (...parameters: string[]) => execFileSync('git', parameters, { encoding: 'utf8' })

/**
 * Writes the migrations of `chainCommit` into a folder below `folder` and returns its path. Returns null if this copy
 * of the repository lacks the commit.
 */
function writeOldMigrations(folder: string): string | null {
  try {
    const target = join(folder, 'migrations')
    mkdirSync(target)
    for (const path of git('ls-tree', '--name-only', chainCommit, 'supabase/migrations/').trim().split('\n'))
      writeFileSync(join(target, basename(path)), git('show', `${chainCommit}:${path}`))
    return target
  } catch {
    return null
  }
}

function start(folder: string, name: string, migrations?: string): Promise<EmbeddedBackend> {
  return startEmbedded({
    dataDir: join(folder, name),
    port: 0,
    mailPort: 0,
    siteUrl: 'http://127.0.0.1:8787',
    log: () => {},
    migrations,
  })
}

/** Entries as the job sends them. Each of the two backends ignores the members that its tables do not have. */
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

export async function measureAppends(quick: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'goodblock-appends-'))
  const migrations = writeOldMigrations(folder)
  if (!migrations)
    return console.log(`Appends: not measured, because commit ${chainCommit} is not in this copy.`)
  const [chain, log] = [await start(folder, 'chain', migrations), await start(folder, 'log')]
  const append = async ({ sql }: EmbeddedBackend, from: number) => {
    const text = entries(from)
    const startedAt = performance.now()
    await sql('select public.append_ledger($1::jsonb)', [text])
    return performance.now() - startedAt
  }
  const ratios: number[] = []
  const times: [number[], number[]] = [[], []]
  for (let repetition = -2; repetition < (quick ? 10 : 40); repetition++) {
    const from = 1 + (repetition + 2) * batch
    const [old, now] = [await append(chain, from), await append(log, from)]
    // Warm-up.
    if (repetition < 0) continue
    ratios.push(old / now)
    times[0].push(old)
    times[1].push(now)
  }
  const rate = (values: number[]) => Math.round((1000 * batch) / median(values)).toLocaleString('en-US')
  add({
    what: `Appends in batches of ${batch}: rows/s of the log over those of the hash chain`,
    measured: spread(ratios),
    aim: '≥ 2.5',
    reached: median(ratios) >= 2.5,
    note: `${rate(times[1])} rows/s, and ${rate(times[0])} with the migrations of commit ${chainCommit}.`,
  })
  await chain.close()
  await log.close()
  rmSync(folder, { recursive: true, force: true })
}
