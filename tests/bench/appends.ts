/** Compares two ways to append rows: to the log, and to the hash chain that the log replaced. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { startEmbedded } from '../../supabase/embedded/embedded.ts'
import type { Bench } from './bench.ts'
import { format, inTurn, median, ratios } from './statistics.ts'

/** The last commit with the hash chain. */
const chainCommit = 'c6166bd'
export const batch = 1_000

const git = (...parameters: string[]) =>
  execFileSync('git', parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

/** Writes the migrations of `chainCommit` into a folder. Throws if the repository lacks this commit. */
function writeOldMigrations(folder: string): void {
  mkdirSync(folder)
  for (const path of git('ls-tree', '--name-only', chainCommit, 'supabase/migrations/').trim().split('\n'))
    writeFileSync(join(folder, basename(path)), git('show', `${chainCommit}:${path}`))
}

/**
 * Entries in the form that the job sends. Each of the two backends ignores the fields that its tables do not
 * have.
 */
export function entries(from: number): string {
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

export async function measureAppends({ quick, open, report }: Bench<'appends'>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'goodblock-appends-'))
  await open({ close: () => rmSync(folder, { recursive: true, force: true }) })
  const migrations = join(folder, 'migrations')
  try {
    writeOldMigrations(migrations)
  } catch {
    return console.log(`     commit ${chainCommit} is not in this copy of the repository`)
  }
  /**
   * Starts a backend. Returns a function that appends the next batch and returns the number of rows per
   * second.
   */
  const startAppends = async (name: string, migrations?: string) => {
    const dataDir = join(folder, name)
    const siteUrl = 'http://127.0.0.1:8787'
    const backend = await open(
      startEmbedded({ dataDir, port: 0, mailPort: 0, siteUrl, log: () => {}, migrations }),
    )
    let next = 1
    return async () => {
      const text = entries(next)
      next += batch
      const startedAt = performance.now()
      await backend.sql('select public.append_ledger($1::jsonb)', [text])
      return (1000 * batch) / (performance.now() - startedAt)
    }
  }
  const { ones, others } = await inTurn(
    quick ? 10 : 40,
    await startAppends('log'),
    await startAppends('chain', migrations),
  )
  report('rate', ratios(ones, others), {
    note: `${format(median(ones))} rows/s, and ${format(median(others))} with the migrations of commit ${chainCommit}.`,
  })
}
