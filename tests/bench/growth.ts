/** Compares a site that has many ballots, or many due orders, with a site that has few: the pages that show them. */
import { type EmbeddedBackend, startEmbedded } from '../../supabase/embedded/embedded.ts'
import { migratedDataDir } from '../support/data-folder.ts'
import { addGoal } from '../support/goals.ts'
import { addOperator, nameByTwo } from '../support/operators.ts'
import { insertOrder } from '../support/orders.ts'
import { payees } from '../support/standing-model.ts'
import { openTestVote } from '../support/votes.ts'
import type { Bench } from './bench.ts'
import type { Part } from './measurements.ts'
import { startSite, timePages } from './site.ts'
import { format, inTurn, median, ratios } from './statistics.ts'
import type { Worker } from './workerd.ts'

const [treasury, partner, token] = [`0x${'6'.repeat(40)}`, `0x${'9'.repeat(40)}`, `0x${'5'.repeat(40)}`]

type Opening = Pick<Bench<Part>, 'open'>

/** Starts a site without its page cache, on a backend that `fill` has given rows. */
async function startFilled({ open }: Opening, fill: (backend: EmbeddedBackend) => Promise<void>) {
  const folder = await migratedDataDir()
  await open({ close: folder.remove })
  const address = { port: 0, mailPort: 0, siteUrl: 'http://127.0.0.1:8787' }
  const backend = await open(startEmbedded({ dataDir: folder.path, ...address, log: () => {} }))
  await fill(backend)
  await backend.sql('analyze')
  const variables = {
    SUPABASE_PUBLISHABLE_KEY: backend.publishableKey,
    PAGE_CACHE: 'off',
    SUPABASE_SECRET_KEY: backend.secretKey,
    SUPABASE_JWT_ISSUER: `${backend.url}/auth/v1`,
    FUNDME_OPEN: '1',
    READ_TIMEOUT_MS: '20000',
    CHAIN_RPC_URLS: 'https://rpc.example/one https://rpc.example/two',
    CHAIN_START_BLOCK: '1',
    CHAIN_TOKENS: `USDX:${token}:18:usd`,
    TOKEN_ADDRESS: `0x${'c'.repeat(40)}`,
    TREASURY_WALLET: treasury,
  }
  return open(startSite(backend, { variables }))
}

async function compare(
  quick: boolean,
  time: { many: () => Promise<number>; few: () => Promise<number> },
): Promise<[values: number[], more: { note: string }]> {
  const { ones, others } = await inTurn(quick ? 5 : 15, time.many, time.few)
  return [
    ratios(ones, others),
    { note: `${format(median(ones) / 4)} ms and ${format(median(others) / 4)} ms.` },
  ]
}

/** Inserts ballots of a vote that are counted, as count_ballots does, without the inbox. */
const insertBallots = `
with made as (
  insert into public.vote_ballots (vote, number, wallet, choice, signed_at, signature, weight)
  select $1, place, '0x' || lpad(to_hex(place), 40, '0'), case when place % 3 = 0 then 'against' else 'support' end,
    date_trunc('second', now()), '0x' || repeat('1', 128) || '1b', 1000000000000000 + place
  from generate_series(1, $2::int) as place
  returning id, wallet, choice, signed_at, weight
), standings as (
  insert into private.vote_standings (vote, wallet, ballot, choice, signed_at, digest, weight)
  select $1, wallet, id, choice, signed_at, wallet, weight from made
)
update private.vote_sums as sums set ballots = $2::int, support = of.support, support_wallets = of.supporting,
  against = of.against, against_wallets = of.opposing
from (
  select sum(weight) filter (where choice = 'support') as support, count(*) filter (where choice = 'support') as supporting,
    sum(weight) filter (where choice = 'against') as against, count(*) filter (where choice = 'against') as opposing from made
) as of
where sums.vote = $1`

export async function measureVotes({ quick, open, report }: Bench<'votes'>): Promise<void> {
  const start = async (ballots: number): Promise<() => Promise<number>> => {
    let goal = ''
    const site = await startFilled({ open }, async (backend) => {
      const { slug } = await addGoal(backend)
      const vote = await openTestVote(backend, slug)
      await backend.sql(insertBallots, [vote.id, ballots])
      goal = `/giveback/${slug}`
    })
    const paths = [goal, `${goal}/votes`, goal, `${goal}/votes?after=${ballots / 2}`]
    return () => timePages(site, paths)
  }
  report('pages', ...(await compare(quick, { many: await start(50_000), few: await start(100) })))
}

export async function measurePayments({ quick, open, report }: Bench<'payments'>): Promise<void> {
  const start = async (orders: number): Promise<() => Promise<number>> => {
    const site: Worker = await startFilled({ open }, async (backend) => {
      for (const handle of ['ada', 'bob']) await addOperator(backend, handle)
      await nameByTwo(backend, partner, 'Riverside Books')
      await backend.sql('select public.store_payment_terms($1)', [
        JSON.stringify({
          ...{ chain_id: 56, notice_hours: 24, limit_tokens: 1000 },
          wallets: Object.entries({ treasury, ...payees }).map(([account, address]) => ({
            account,
            address,
          })),
          tokens: [{ symbol: 'USDX', address: token, decimals: 18 }],
        }),
      ])
      for (let order = 1; order <= orders; order++)
        await insertOrder(backend, { chain: 56, from: treasury, to: partner, token, amount: BigInt(order) })
    })
    return () => timePages(site, ['/', '/transparency', '/', '/transparency'])
  }
  report('pages', ...(await compare(quick, { many: await start(100), few: await start(0) })))
}
