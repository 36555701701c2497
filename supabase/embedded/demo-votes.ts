import { createHash } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'
import { splitNames } from '../../app/ledger/split.ts'
import { ballotTime, type Choice, writeBallot } from '../../app/votes/ballot.ts'
import { drawnBlock, seedDistance, windowOf } from '../../app/votes/draw.ts'
import {
  isValid,
  isWon,
  replaces,
  sharesOf,
  tally,
  tallySplit,
  termsOf,
  type WeighedBallot,
} from '../../app/votes/tally.ts'
import {
  blockAt,
  blockInterval,
  chainId,
  daysBefore,
  firstOfMonth,
  hashOfBlock,
  hour,
  insertRows,
  type Row,
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

export const demoSupply = 1_000_000_000n * whole
/** What each wallet of a visitor holds, in whole tokens. */
const heldByVisitor = 1_000n

/** The addresses whose tokens do not count. `ours`: our wallets. */
function excludedFrom(token: string, ours: readonly string[]): string[] {
  return [`0x${'0'.repeat(40)}`, '0x000000000000000000000000000000000000dead', token, ...ours].toSorted()
}

/** What an address holds of the token at each block, in base units. `ours`: our wallets, the treasury first. */
export function balanceIn(address: string, token: string, ours: readonly string[]): bigint {
  if (address === ours[0]) return 150_000_000n * whole
  if (excludedFrom(token, ours).includes(address)) return 0n
  return (held[voters.findIndex((voter) => voter.address.toLowerCase() === address)] ?? heldByVisitor) * whole
}

/** A choice of a voter, in days before the last day. */
type Vote<Chosen extends string = Choice> = [voter: number, choice: Chosen, days: number]

interface DemoVote<Chosen extends string = Choice> {
  /** The goal, or the vote on the split. */
  slug: string
  /** When the goal was approved or the vote on the split opened, in days before the last day. */
  opened: number
  votes: Vote<Chosen>[]
  isDecided: boolean
}

const several = <Chosen extends string>(voters: number[], choice: Chosen, from: number): Vote<Chosen>[] =>
  voters.map((voter, at) => [voter, choice, from - at * 0.31])

/** A vote in progress, one that was won, and one that missed the quorum. */
const demoVotes: DemoVote[] = [
  {
    slug: 'goal-kzwfpxcd',
    opened: 28,
    votes: [...several([4, 7, 9, 15], 'support', 27), ...several([5, 11], 'against', 25)],
    isDecided: true,
  },
  {
    slug: 'goal-jnmqrvtb',
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
    slug: 'goal-bkfrzmwp',
    opened: 9,
    votes: [
      ...several([1, 3, 5, 9, 13, 17, 22], 'support', 8),
      ...several([2, 19], 'against', 6),
      [19, 'support', 2],
    ],
    isDecided: false,
  },
]

/** The vote on the split of the fees, with the limits that two operators approved. It is valid. */
/** Percentages of three pools and of the other shares, for the pools that there are: what is left goes to the last share. */
function spread(parts: readonly number[]): number[] {
  const pools = splitNames.slice(0, -3).map((_, at) => (at < 3 ? (parts[at] ?? 0) : 0))
  const [calls = 0, goals = 0, reserve = 0] = parts.slice(3)
  const unplaced = parts.slice(pools.length, 3).reduce((sum, part) => sum + part, 0)
  return [...pools, calls, goals, reserve + unplaced]
}

const splitVote: DemoVote<string> = {
  slug: 'split-1',
  opened: 12,
  votes: [
    ...several([0, 4, 11], spread([40, 20, 15, 5, 10, 10]).join(' '), 11),
    ...several([1, 6, 9, 16], spread([25, 35, 10, 10, 10, 10]).join(' '), 10),
    ...several([2, 3], spread([30, 20, 20, 5, 5, 20]).join(' '), 9),
    [6, spread([30, 30, 10, 10, 10, 10]).join(' '), 6],
  ],
  isDecided: true,
}
const splitLimits = {
  names: splitNames,
  least: spread([20, 10, 5, 0, 0, 10]),
  most: spread([60, 50, 40, 30, 30, 30]),
}

/** Adds the draws, votes, ballots and results, after the other entries of the log. */
export async function fillDemoVotes(sql: Sql, token: string, ours: string[]): Promise<void> {
  for (const one of demoVotes) {
    const { vote, terms, ballots } = await fillVote(sql, one, token, ours)
    const { support, against } = tally(ballots)
    const sums = {
      vote: vote.id,
      ballots: ballots.length,
      support: `${support.weight}`,
      support_wallets: support.wallets,
      against: `${against.weight}`,
      against_wallets: against.wallets,
    }
    await insertRows(sql, 'private.vote_sums', [sums])
    const result = {
      ...sums,
      won: isWon({ support, against }, terms),
      recorded_at: soonAfter(vote.closes_at),
    }
    if (one.isDecided) await insertResult(sql, result)
  }
}

/** The vote on the split as an entry of the log. */
export function demoSplitEntry() {
  const { opened } = splitVote
  return {
    table: 'public.split_votes',
    row: { id: 1, ...splitLimits, ends_at: daysBefore(opened - 8), recorded_at: daysBefore(opened) },
  }
}

/** Adds the ballots of the vote on the split, and the split that its result makes. */
export async function fillDemoSplit(sql: Sql, token: string, ours: string[]): Promise<void> {
  const { slug } = splitVote
  const { vote, terms, ballots } = await fillVote(sql, splitVote, token, ours)
  const { weight, wallets, parts } = tallySplit(ballots, splitNames.length)
  const shares = sharesOf({ weight, parts })
  const sums = {
    ...{ vote: vote.id, ballots: ballots.length, support: `${weight}`, support_wallets: wallets },
    ...{ against: '0', against_wallets: 0, shares },
  }
  await insertRows(sql, 'private.vote_sums', [{ ...sums, parts: parts.map(String) }])
  const recorded_at = soonAfter(vote.closes_at)
  await insertResult(sql, { ...sums, won: isValid({ weight }, terms), recorded_at })
  await insertRows(sql, 'public.payment_splits', [
    {
      from_month: firstOfMonth(Date.parse(recorded_at), 1),
      parts: Object.fromEntries(splitNames.map((name, at) => [name, shares?.[at]])),
      ...{ cause: slug, recorded_at },
    },
  ])
}

/** Without the trigger, which would add what the result decides with the time of the clock. */
async function insertResult(sql: Sql, result: Row): Promise<void> {
  await sql('alter table public.vote_results disable trigger order_result')
  await insertRows(sql, 'public.vote_results', [result])
  await sql('alter table public.vote_results enable trigger order_result')
}

/** When the schedule writes the result of a vote. */
function soonAfter(end: string): string {
  return new Date(Date.parse(end) + hour / 20).toISOString()
}

async function fillVote<Chosen extends string>(
  sql: Sql,
  { slug, opened, votes }: DemoVote<Chosen>,
  token: string,
  ours: string[],
) {
  const seed = blockAt(Date.parse(daysBefore(opened))).block_number + seedDistance
  const seedHash = hashOfBlock(seed)
  const block = drawnBlock(0, seed, seedHash)
  const later = (minutes: number) =>
    new Date(Date.parse(daysBefore(opened)) + (minutes * hour) / 60).toISOString()
  const addresses = excludedFrom(token, ours)
  await insertRows(sql, 'public.vote_draws', [
    {
      slug,
      attempt: 1,
      chain_id: chainId,
      start_block: 0,
      seed_block: seed,
      window_seconds: Math.floor(((windowOf(0, seed) - 1) * blockInterval) / 1000),
      ...{ token, excluded: addresses, quorum_percent: '1' },
      recorded_at: later(1),
    },
  ])
  const excluded = addresses.map((address) => ({ address, balance: `${balanceIn(address, token, ours)}` }))
  const terms = termsOf(
    demoSupply,
    excluded.map(({ balance }) => BigInt(balance)),
    '1',
  )
  await sql(
    `insert into public.votes (
       draw, slug, goal_leaf, token, decimals, seed_hash, block_number, block_hash, supply, excluded, eligible,
       quorum_percent, quorum, least_weight, closes_at, recorded_at
     )
     select draws.id, draws.slug, encode(entries.leaf, 'hex'), $2, 18, $3, $4::bigint, $5, $6::numeric, $7::jsonb,
       $8::numeric, 1, $9::numeric, $10::numeric, (entries.entry::json ->> 'ends_at')::timestamptz, $11::timestamptz
     from public.vote_draws as draws
     join private.vote_subjects as subjects on subjects.slug = draws.slug
     join private.log_entries as entries on entries.kind = subjects.kind and entries.row_id = subjects.row_id
     where draws.slug = $1`,
    [
      ...[slug, token, seedHash, `${block}`, hashOfBlock(block), `${demoSupply}`, JSON.stringify(excluded)],
      ...[`${terms.eligible}`, `${terms.quorum}`, `${terms.least}`, later(7)],
    ],
  )
  const [vote] = await sql<{ id: number; leaf: string; closes_at: string }>(
    `select votes.id, encode(entries.leaf, 'hex') as leaf, to_jsonb(votes.closes_at) #>> '{}' as closes_at from public.votes
     join private.log_entries as entries on entries.kind = 'vote' and entries.row_id = votes.id where votes.slug = $1`,
    [slug],
  )
  if (!vote) throw new Error(`There is no vote on ${slug}`)
  const ballots = await signAll(slug, vote.leaf, votes)
  await insertBallots(sql, vote.id, ballots)
  return { vote, terms, ballots }
}

interface SignedBallot<Chosen extends string> extends WeighedBallot<Chosen> {
  signature: string
  counted: string
}

function signAll<Chosen extends string>(
  goal: string,
  leaf: string,
  votes: Vote<Chosen>[],
): Promise<SignedBallot<Chosen>[]> {
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

async function insertBallots(sql: Sql, vote: number, ballots: SignedBallot<string>[]): Promise<void> {
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
}
