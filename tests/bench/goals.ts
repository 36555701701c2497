/**
 * Compares pairs of sites that differ only in their goals: a goal's page with many gifts and with few gifts,
 * the list of many goals and of few goals, and the pages about our own money with many goals and without
 * goals. Each site has a separate database.
 */
import { type EmbeddedBackend, startEmbedded } from '../../supabase/embedded/embedded.ts'
import { migratedDataDir } from '../support/data-folder.ts'
import type { Bench } from './bench.ts'
import { startSite } from './site.ts'
import { format, inTurn, median, ratios } from './statistics.ts'
import type { Worker } from './workerd.ts'

/** The number of rows in the ledger of each site, without the gifts to goals. */
const ownRows = 2_000

/** The slug of goal number 1, which has most of the gifts. */
const slug = 'goal-bbbbbbbc'

const insertGoals = `
with numbers as (
  select place, 'goal-' || translate(lpad(place::text, 8, '0'), '0123456789', 'bcdfghjkmn') as slug
  from generate_series(1, $1::int) as place
), accounts as (
  insert into private.accounts (slug, is_pool) select slug, false from numbers
), texts as (
  insert into private.log_texts (log, hash, salt, text)
  values ('ledger', encode(sha256(decode(repeat('00', 32), 'hex') || convert_to('100.00 Coats', 'UTF8')), 'hex'),
    decode(repeat('00', 32), 'hex'), '100.00 Coats')
  returning hash
)
insert into public.goals (stage, revision, slug, target_usd, days, wallet, opened_at, ends_at, ended_at, ended_by,
  title_hash, byline_hash, category_hash, plan_hash, story_hash)
select
  case when place <= 150 then 'open' else 'ended' end, 1, slug, 100, 30, '0x7' || lpad(to_hex(place), 39, '0'), now(),
  now() + interval '1 minute' * place, case when place > 150 then now() - interval '1 minute' * place end,
  case when place > 150 then 'schedule' end, hash, hash, hash, hash, hash
from numbers cross join texts`

/** Inserts the rows $1 to $2: our own rows, or gifts to goal number 1. */
const insertRows = (columns: string) => `
insert into public.transactions (occurred_at, account, type, direction, pool_slug, amount_usd, rate_usd, rate_source,
    token_amount, token_symbol, token_decimals, from_address, to_address, tx_hash, chain_id, ordinal)
  select timestamptz '2026-11-01' - interval '31 seconds' * place, ${columns}, 10, 1, 'a price feed', 10, 'USDT', 0,
    '0x' || repeat('1', 40), '0x7' || lpad('1', 39, '0'), '0x' || lpad(to_hex(place), 64, '0'), 56, 0
  from generate_series($1::int, $2::int) as place`
const verify = `
insert into public.transaction_checks (transaction_id, status, block_number, block_hash, block_time, confirmations)
select id, 'verified', 40000000 + id, tx_hash, occurred_at, 60 from public.transactions`

interface Place {
  backend: EmbeddedBackend
  site: Worker
}

async function startPlace({ open }: Bench<'goals'>, goals: number, gifts: number): Promise<Place> {
  const folder = await migratedDataDir()
  await open({ close: folder.remove })
  const address = { port: 0, mailPort: 0, siteUrl: 'http://127.0.0.1:8787' }
  const backend = await open(startEmbedded({ dataDir: folder.path, ...address, log: () => {} }))
  const { sql } = backend
  await sql(insertRows(`'treasury', 'gift', 'in', null`), [1, ownRows])
  if (goals > 0) {
    await sql(insertGoals, [goals])
    await sql(insertRows(`'${slug}', 'goal-gift', 'in', '${slug}'`), [ownRows + 1, ownRows + gifts])
  }
  await sql(verify)
  await sql('analyze')
  const variables = {
    ...{ SUPABASE_PUBLISHABLE_KEY: backend.publishableKey, SUPABASE_SECRET_KEY: backend.secretKey },
    ...{
      PAGE_CACHE: 'off',
      FUNDME_OPEN: '1',
      CHAIN_RPC_URLS: 'https://rpc.example/none',
      CHAIN_START_BLOCK: '1',
    },
    ...{ CHAIN_TOKENS: `USDT:0x${'5'.repeat(40)}:18:usd`, TREASURY_WALLET: `0x${'6'.repeat(40)}` },
  }
  return { backend, site: await open(startSite(backend, { variables })) }
}

/** Returns the milliseconds from the request for a page until the last byte, for four pages. */
async function time({ site }: Place, path: string): Promise<number> {
  const startedAt = performance.now()
  for (let i = 0; i < 4; i++) {
    const response = await fetch(site.url + path)
    const { length } = await response.text()
    if (response.status !== 200 || length < 100) throw new Error(`${path}: ${response.status}`)
  }
  return performance.now() - startedAt
}

export async function measureGoals(bench: Bench<'goals'>): Promise<void> {
  const many = await startPlace(bench, 1_000, 10_000)
  const few = await startPlace(bench, 10, 10)
  const none = await startPlace(bench, 0, 0)
  const compare = async (name: 'page' | 'list' | 'home' | 'transparency', path: string, other: Place) => {
    const { ones, others } = await inTurn(
      bench.quick ? 7 : 15,
      () => time(many, path),
      () => time(other, path),
    )
    bench.report(name, ratios(ones, others), {
      note: `${format(median(ones) / 4)} ms and ${format(median(others) / 4)} ms.`,
    })
  }
  await compare('page', `/giveback/${slug}`, few)
  await compare('list', '/giveback', few)
  await compare('home', '/', none)
  await compare('transparency', '/transparency', none)
}
