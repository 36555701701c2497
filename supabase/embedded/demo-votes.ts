import { createHash } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'
import { ballotTime, type Choice, writeBallot } from '../../app/votes/ballot.ts'
import { drawnBlock, seedDistance } from '../../app/votes/draw.ts'
import { isWon, replaces, tally, termsOf, type WeighedBallot } from '../../app/votes/tally.ts'
import {
  blockAt,
  blockInterval,
  chainId,
  daysBefore,
  firstBlockAt,
  hour,
  insertRows,
  type Sql,
} from './demo-rows.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const whole = 10n ** 18n

/** The wallets of the voters, made from published keys: anyone can sign with them, so their ballots prove nothing. */
const voters = Array.from({ length: 24 }, (_, at) =>
  privateKeyToAccount(`0x${sha256(`a voter of the demonstration ${at}`)}`),
)
/** What each of them holds, in whole tokens. */
const held = voters.map((_, at) => BigInt(Math.floor(12_000_000 / (at + 1) ** 2)) + BigInt(at * 137))

/** A choice of a voter, in days before the last day. */
type Vote = [voter: number, choice: Choice, days: number]

interface DemoVote {
  goal: string
  /** When the goal was approved, in days before the last day. */
  opened: number
  votes: Vote[]
  isDecided: boolean
}

const several = (voters: number[], choice: Choice, from: number): Vote[] =>
  voters.map((voter, at) => [voter, choice, from - at * 0.31])

/** A vote in progress, one that was won, and one that missed the quorum. */
const demoVotes: DemoVote[] = [
  {
    goal: 'goal-kzwfpxcd',
    opened: 28,
    votes: [...several([4, 7, 9, 15], 'support', 27), ...several([5, 11], 'against', 25)],
    isDecided: true,
  },
  {
    goal: 'goal-jnmqrvtb',
    opened: 32,
    votes: [
      ...several([0, 2, 3, 6, 8, 12, 16, 18, 21], 'support', 31),
      ...several([1, 10, 14], 'against', 29),
      [2, 'against', 26],
      [2, 'support', 20],
    ],
    isDecided: true,
  },
  {
    goal: 'goal-bkfrzmwp',
    opened: 9,
    votes: [
      ...several([1, 3, 5, 9, 13, 17, 22], 'support', 8),
      ...several([2, 19], 'against', 6),
      [19, 'support', 2],
    ],
    isDecided: false,
  },
]

/** Adds the draws, votes, ballots and results, after the other entries of the log. */
export async function fillDemoVotes(sql: Sql, token: string, ours: string[]): Promise<void> {
  for (const one of demoVotes) await fillVote(sql, one, token, ours)
}

async function fillVote(
  sql: Sql,
  { goal, opened, votes, isDecided }: DemoVote,
  token: string,
  ours: string[],
) {
  const seed = blockAt(Date.parse(daysBefore(opened))).block_number + seedDistance
  const seedHash = hashOfBlock(seed)
  const block = drawnBlock(0, seed, seedHash)
  const later = (minutes: number) =>
    new Date(Date.parse(daysBefore(opened)) + (minutes * hour) / 60).toISOString()
  await insertRows(sql, 'public.vote_draws', [
    {
      slug: goal,
      attempt: 1,
      chain_id: chainId,
      start_block: 0,
      seed_block: seed,
      recorded_at: later(1),
    },
  ])
  const excluded = [`0x${'0'.repeat(40)}`, '0x000000000000000000000000000000000000dead', token, ...ours]
    .toSorted()
    .map((address) => ({ address, balance: `${address === ours[0] ? 150_000_000n * whole : 0n}` }))
  const supply = 1_000_000_000n * whole
  const terms = termsOf(
    supply,
    excluded.map(({ balance }) => BigInt(balance)),
    '1',
  )
  await sql(
    `insert into public.votes (
       draw, slug, goal_leaf, token, decimals, seed_hash, block_number, block_hash, supply, excluded, eligible,
       quorum_percent, quorum, least_weight, closes_at, recorded_at
     )
     select draws.id, draws.slug, encode(entries.leaf, 'hex'), $2, 18, $3, $4::bigint, $5, $6::numeric, $7::jsonb,
       $8::numeric, 1, $9::numeric, $10::numeric, changes.ends_at, $11::timestamptz
     from public.vote_draws as draws
     join public.goal_changes as changes on changes.slug = draws.slug and changes.revision = 0
     join private.log_entries as entries on entries.kind = 'goal' and entries.row_id = changes.id
     where draws.slug = $1`,
    [
      ...[goal, token, seedHash, `${block}`, hashOfBlock(block), `${supply}`, JSON.stringify(excluded)],
      ...[`${terms.eligible}`, `${terms.quorum}`, `${terms.least}`, later(7)],
    ],
  )
  const [vote] = await sql<{ id: number; leaf: string; closes_at: string }>(
    `select votes.id, encode(entries.leaf, 'hex') as leaf, to_jsonb(votes.closes_at) #>> '{}' as closes_at from public.votes
     join private.log_entries as entries on entries.kind = 'vote' and entries.row_id = votes.id where votes.slug = $1`,
    [goal],
  )
  if (!vote) throw new Error(`There is no vote on ${goal}`)
  const ballots = await signAll(goal, vote.leaf, votes)
  await insertBallots(sql, vote.id, ballots)
  if (!isDecided) return
  const { support, against } = tally(ballots)
  await insertRows(sql, 'public.vote_results', [
    {
      vote: vote.id,
      ballots: ballots.length,
      won: isWon({ support, against }, terms),
      support: `${support.weight}`,
      support_wallets: support.wallets,
      against: `${against.weight}`,
      against_wallets: against.wallets,
      recorded_at: new Date(Date.parse(vote.closes_at) + hour / 20).toISOString(),
    },
  ])
}

interface SignedBallot extends WeighedBallot {
  signature: string
  counted: string
}

function signAll(goal: string, leaf: string, votes: Vote[]): Promise<SignedBallot[]> {
  const inOrder = votes.toSorted(([, , one], [, , other]) => other - one)
  return Promise.all(
    inOrder.map(async ([voter, choice, days]) => {
      const account = voters[voter]
      if (!account) throw new Error(`There is no voter ${voter}`)
      const at = Date.parse(daysBefore(days))
      const [wallet, time] = [account.address.toLowerCase(), ballotTime(new Date(at))]
      const message = writeBallot({ goal, choice, wallet, time, vote: leaf })
      return {
        wallet,
        choice,
        time,
        digest: sha256(message),
        weight: (held[voter] ?? 0n) * whole,
        signature: await account.signMessage({ message }),
        counted: new Date(at + hour / 40).toISOString(),
      }
    }),
  )
}

async function insertBallots(sql: Sql, vote: number, ballots: SignedBallot[]): Promise<void> {
  await insertRows(
    sql,
    'public.vote_ballots',
    ballots.map(({ wallet, choice, time, weight, signature, counted }, at) => ({
      vote,
      number: at + 1,
      wallet,
      choice,
      signed_at: time,
      signature,
      weight: `${weight}`,
      recorded_at: counted,
    })),
  )
  const standing = ballots.filter((one) =>
    ballots.every((other) => other === one || other.wallet !== one.wallet || replaces(one, other)),
  )
  for (const { wallet, choice, time, digest, weight } of standing)
    await sql(
      `insert into private.vote_standings (vote, wallet, ballot, choice, signed_at, digest, weight)
       select vote, wallet, id, choice, signed_at, $5, $6::numeric from public.vote_ballots
       where vote = $1::bigint and wallet = $2 and choice = $3 and signed_at = $4::timestamptz`,
      [`${vote}`, wallet, choice, time, digest, `${weight}`],
    )
  const { support, against } = tally(ballots)
  await insertRows(sql, 'private.vote_sums', [
    {
      vote,
      ballots: ballots.length,
      support: `${support.weight}`,
      support_wallets: support.wallets,
      against: `${against.weight}`,
      against_wallets: against.wallets,
    },
  ])
}

function hashOfBlock(number: number): string {
  return blockAt(firstBlockAt + (number + 0.5) * blockInterval).block_hash
}
