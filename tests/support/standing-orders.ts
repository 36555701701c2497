import { createHash } from 'node:crypto'
import type { EmbeddedBackend } from '../../supabase/embedded/embedded.ts'

type Backend = Pick<EmbeddedBackend, 'sql'>

/** A standing order in tokens of 18 decimals that operators approved some days ago. Amounts are in base units. */
export interface ApprovedRule {
  rule: 'call' | 'allocation' | 'vote'
  chain?: number
  account: string
  from: string
  token: string
  /** The limits of one order, and of 30 days. */
  most: bigint
  month: bigint
  /** call: the amount, who receives it, once in so many days, and the source with its words. */
  amount?: bigint
  to?: string
  every?: number
  source?: string
  words?: string
  /** allocation: tenths of a percent, the day of the month, and the parts. */
  percent?: number
  day?: number
  parts?: Record<string, number>
  people?: [string, string | null]
  /** Days until it ends. */
  ends?: number
}

/**
 * Inserts a standing order as its act makes it, with its first entry and its act, made 100 days ago. Tests use it because
 * no function can approve one in the past. Returns its number.
 */
export async function insertStanding({ sql }: Backend, given: ApprovedRule): Promise<number> {
  const { rule, people = ['ada', 'bob'], ends = 100 } = given
  const [row] = await sql<{ number: number }>(
    `with given as (select $1::jsonb as it), made as (
       insert into public.standing_orders (rule, account, chain_id, from_address, token_address, token_symbol,
         token_decimals, order_limit, month_limit, made_at, ends_at, purpose_hash, source, words_hash, recipient,
         to_address, token_amount, every_days, percent, day)
       select it ->> 'rule', it ->> 'account', coalesce((it ->> 'chain')::integer, 56), it ->> 'from', it ->> 'token', 'USDX', 18, (it ->> 'most')::numeric,
         (it ->> 'month')::numeric, now() - interval '100 days', now() + make_interval(days => $4),
         private.keep_text('ledger', 'A rule'), it ->> 'source',
         case when it ? 'words' then private.keep_text('ledger', it ->> 'words') end,
         case when it ? 'to' then 'named' end, it ->> 'to', (it ->> 'amount')::numeric, (it ->> 'every')::integer,
         (it ->> 'percent')::integer, (it ->> 'day')::integer
       from given
       returning id
     ), changed as (
       insert into public.standing_changes (number, revision, state) select id, 0, 'active' from made returning id, number
     ), divided as (
       insert into public.payment_splits (from_month, parts, cause)
       select date_trunc('month', now() at time zone 'UTC') - interval '4 months', it -> 'parts', 'standing-order ' || id
       from given, made where it ? 'parts'
     ), acted as (
       insert into public.operator_acts (kind, subject, state, by, second, final_at, number, made_kind, made_id)
       select 'standing-order', number::text, 'done', $2, $3, now(),
         1 + coalesce((select max(acts.number) from public.operator_acts as acts), 0), 'standing-order', id
       from changed
     )
     select id::int as number from made`,
    [
      JSON.stringify(given, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
      ...people,
      ends,
    ],
  )
  if (!row) throw new Error(`no standing order of kind ${rule}`)
  return row.number
}

/** Suspends a standing order, as the act of an operator does. */
export async function suspendStanding({ sql }: Backend, number: number): Promise<void> {
  await sql(
    `select private.perform_suspend(jsonb_populate_record(null::public.operator_acts, jsonb_build_object('subject', $1::text)))`,
    [`${number}`],
  )
}

/** Adds a vote on a goal, and its result. */
export async function endVote({ sql }: Backend, slug: string, won: boolean): Promise<void> {
  await sql(
    `with drawn as (
       insert into public.vote_draws (slug, attempt, chain_id, start_block, seed_block, window_seconds, token, excluded,
         quorum_percent)
       values ($1, 1, 56, 1, 900, 86400, '0x' || repeat('c', 40), '{a,b,c}', 2) returning id
     )
     insert into public.votes (draw, slug, goal_leaf, token, decimals, seed_hash, block_number, block_hash, supply, excluded,
       eligible, quorum_percent, quorum, least_weight, closes_at)
     select id, $1, repeat('a', 64), '0x' || repeat('c', 40), 18, '0x' || repeat('b', 64), 5, '0x' || repeat('d', 64), 100,
       '[]', 100, 2, 2, 0, now() from drawn`,
    [slug],
  )
  await sql(
    `insert into public.vote_results (vote, ballots, support, support_wallets, against, against_wallets, won)
     select id, 1, 50, 1, 0, 0, $2 from public.votes where slug = $1`,
    [slug, won],
  )
}

/** Stores posts of a source, as the listening job does. */
export async function readPosts({ sql }: Backend, source: string, posts: object[]): Promise<void> {
  await sql('select public.record_source($1, $2, $3)', [
    source,
    JSON.stringify({ state: 'well' }),
    JSON.stringify(posts),
  ])
}

let posts = 0
/** A post in the form of the listening job, with a new link. */
export function postOf(changes: Record<string, unknown> = {}) {
  const text = String(changes.text ?? 'Everyone needs clean water.')
  return {
    ...{ url: `https://news.example/post/${++posts}`, author: 'A person', matches: true },
    ...{ posted_at: new Date().toISOString(), ...changes, text },
    sha256: createHash('sha256').update(text).digest('hex'),
  }
}
