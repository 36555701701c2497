import { setTimeout as sleep } from 'node:timers/promises'
import type { PrivateKeyAccount } from 'viem'
import { splitNames } from '../../app/ledger/split.ts'
import { ballotTime, writeBallot } from '../../app/votes/ballot.ts'
import { drawnBlock } from '../../app/votes/draw.ts'
import type { TemporaryBackend } from './temporary-backend.ts'

type Backend = Pick<TemporaryBackend, 'sql'>

/** The newest vote of a goal, as everyone can read it. */
export async function readVote({ sql }: Backend, goal: string) {
  const [vote] = await sql<Record<string, string | number | boolean | null>>(
    'select * from public.published_votes where goal = $1',
    [goal],
  )
  return vote
}

/** Opens the vote on an open goal, with made-up facts: 1,000 tokens may vote, the quorum is 20. */
export async function openTestVote(
  backend: Backend,
  goal: string,
  token = `0x${'c'.repeat(40)}`,
  supply = 10n ** 21n,
) {
  const excluded = [`0x${'0'.repeat(40)}`, '0x000000000000000000000000000000000000dead', token]
  const ours = await backend.sql<{ address: string }>(
    'select address::text from private.paying_wallets where chain_id = 56',
  )
  const addresses = [...new Set([...excluded, ...ours.map(({ address }) => address)])].toSorted()
  await backend.sql('select public.append_draw($1, $2)', [
    goal,
    JSON.stringify({
      ...{ chain_id: 56, start_block: 1, seed_block: 1_001, window_seconds: 86_400, token },
      ...{ excluded: addresses, quorum_percent: '2' },
    }),
  ])
  const [draw] = await backend.sql<{ id: number }>(
    'select id from public.vote_draws where slug = $1 order by id desc limit 1',
    [goal],
  )
  const seed_hash = `0x${'5'.repeat(64)}`
  const facts = {
    ...{ seed_hash, block_number: drawnBlock(1, 1_001, seed_hash), block_hash: `0x${'6'.repeat(64)}` },
    ...{ decimals: 18, supply: `${supply}`, seed_time: new Date(Date.now() + 60_000).toISOString() },
    excluded: addresses.map((address) => ({ address, balance: '0' })),
  }
  await backend.sql('select public.open_vote($1::bigint, $2)', [`${draw?.id}`, JSON.stringify(facts)])
  const vote = await readVote(backend, goal)
  return { goal, id: Number(vote?.id), leaf: String(vote?.leaf), block: Number(vote?.block_number) }
}

/** Lets a goal that was opened just now end in a few seconds: also in its entry, which must be the last of the log. */
export async function endSoon({ sql }: Backend, goal: string, seconds: number): Promise<void> {
  await sql('set session_replication_role = replica')
  const end = `now() + make_interval(secs => ${seconds})`
  await sql(`update public.goals set ends_at = ${end} where slug = $1`, [goal])
  await sql(
    'update public.goal_changes as changes set ends_at = goals.ends_at from public.goals where changes.slug = $1 and goals.slug = $1',
    [goal],
  )
  await sql(
    `update private.log_entries as entries set entry = made.entry, leaf = sha256('\\x00'::bytea || convert_to(made.entry, 'UTF8'))
     from (
       select kept.index, regexp_replace(kept.entry, '"ends_at":"[^"]+"', '"ends_at":"' || private.entry_time(changes.ends_at) || '"') as entry
       from private.log_entries as kept
       join public.goal_changes as changes on kept.kind = 'goal' and kept.row_id = changes.id
       where changes.slug = $1
     ) as made
     where entries.index = made.index`,
    [goal],
  )
  await sql('set session_replication_role = origin')
}

/**
 * Adds a vote on the split as two operators open it, 7 days before its end in a few seconds: no function can open one
 * in the past. Returns its name.
 */
export async function addSplit(
  { sql }: Backend,
  seconds: number,
  { names = splitNames, least = [20, 0, 0, 0, 0, 10], most = [60, 40, 40, 40, 40, 40] } = {},
): Promise<string> {
  const [row] = await sql<{ slug: string }>(
    `with people as (
       insert into public.operators (handle, until) values ('ada', now()), ('bob', now()) on conflict do nothing
     ), made as (
       insert into public.split_votes (id, names, least, most, ends_at, recorded_at)
       values (1 + (select count(*) from public.split_votes), $4::text[], $1::smallint[], $2::smallint[], now() + make_interval(secs => $3), now() + make_interval(secs => $3) - interval '7 days')
       returning id, slug
     ), acted as (
       insert into public.operator_acts (kind, subject, state, by, second, final_at, number, made_kind, made_id)
       select 'split-vote', slug, 'done', 'ada', 'bob', now(),
         1 + coalesce((select max(acts.number) from public.operator_acts as acts), 0), 'split-vote', id from made
     )
     select slug from made`,
    [`{${least}}`, `{${most}}`, seconds, `{${names}}`],
  )
  return row?.slug ?? ''
}

/** Waits for the end of a vote. */
export async function waitForEnd(backend: Backend, vote: number): Promise<void> {
  const [left] = await backend.sql<{ ms: number }>(
    'select extract(epoch from closes_at - now())::float8 * 1000 as ms from public.votes where id = $1',
    [vote],
  )
  await sleep(Math.max(0, (left?.ms ?? 0) + 100))
}

/** A ballot that a wallet has signed, as a row of fundme_ballots. */
export async function signBallot<Chosen extends string>(
  wallet: PrivateKeyAccount,
  { goal, id, leaf }: { goal: string; id: number; leaf: string },
  choice: Chosen,
  at = new Date(),
) {
  const time = ballotTime(at)
  const message = writeBallot({ goal, choice, wallet: wallet.address, time, vote: leaf })
  const signature = await wallet.signMessage({ message })
  return { vote: id, wallet: wallet.address.toLowerCase(), choice, signed_at: time, signature, message }
}
