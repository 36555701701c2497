import * as z from 'zod/mini'
import { integerColumn, timestampColumn } from '../platform/server/columns.server.ts'
import type { Data } from '../platform/server/data.server.ts'
import { namesColumn, partsColumn } from './splits.server.ts'

/** An amount of the token in base units. A JSON number would lose its last digits. */
const unitsColumn = z.pipe(
  z.string().check(z.regex(/^\d+$/)),
  z.transform((value: string) => BigInt(value)),
)
/** 'support' or 'against', or percentages in a vote on the split. */
const choiceColumn = z.string()

const openedVote = z.object({
  id: integerColumn,
  leaf: z.string(),
  logIndex: integerColumn,
  token: z.string(),
  decimals: integerColumn,
  blockNumber: integerColumn,
  blockHash: z.string(),
  supply: unitsColumn,
  excluded: z.array(z.object({ address: z.string(), balance: unitsColumn })),
  eligible: unitsColumn,
  quorumPercent: z.string(),
  quorum: unitsColumn,
  leastWeight: unitsColumn,
  closesAt: timestampColumn,
  openedAt: timestampColumn,
  ballots: integerColumn,
  support: unitsColumn,
  supportWallets: integerColumn,
  against: unitsColumn,
  againstWallets: integerColumn,
  /** The weight of the ten largest wallets that voted. */
  largest: unitsColumn,
  waitingCount: integerColumn,
  waitingSince: z.nullable(timestampColumn),
  /** Null before the result. */
  won: z.nullable(z.boolean()),
  decidedAt: z.nullable(timestampColumn),
  resultIndex: z.nullable(integerColumn),
  /** The id of the ledger row with which the treasury paid the goal after it won. */
  paidBy: z.nullable(integerColumn),
  /** Where the treasury should pay a goal that won; null while the goal is frozen. */
  wallet: z.nullable(z.string()),
  /** In a vote on the split: the accounts of the shares, the least and the most percentage of each share, and the mean so far, in thousandths. */
  names: namesColumn,
  least: partsColumn,
  most: partsColumn,
  shares: partsColumn,
})
export type OpenedVote = z.infer<typeof openedVote>

/** A vote whose seed block is not final yet has no id. */
const drawnVote = z.object({ seedBlock: integerColumn, drawnAt: timestampColumn, id: z.null() })

const columns = { ...openedVote.shape, ...drawnVote.shape }
const nullable = Object.fromEntries(Object.keys(columns).map((name) => [name, z.unknown()])) as {
  [Name in keyof typeof columns]: z.ZodMiniUnknown
}
const voteRow = z.pipe(
  z.object(nullable),
  z.transform((row, check) => {
    const parsed = (row.id === null ? drawnVote : openedVote).safeParse(row)
    if (parsed.success) return parsed.data
    check.issues.push({
      code: 'custom',
      message: `unexpected ${parsed.error.issues.map(({ path }) => path.join('.')).join(' ')}`,
      input: row,
    })
    return z.NEVER
  }),
)
type DrawnVote = z.infer<typeof drawnVote>

/** The newest vote of a goal; 'none' before its draw, null if it cannot be read. */
export async function readVote(data: Data, goal: string): Promise<OpenedVote | DrawnVote | 'none' | null> {
  const rows = await data.rows('published_votes', voteRow, (query) => query.eq('goal', goal))
  return rows && (rows[0] ?? 'none')
}

const decidedRow = z.object({
  /** The slug of the goal, or the name of a vote on the split. */
  goal: z.string(),
  support: unitsColumn,
  against: unitsColumn,
  quorum: unitsColumn,
  eligible: unitsColumn,
  won: z.boolean(),
  decidedAt: timestampColumn,
  paidBy: z.nullable(integerColumn),
  names: namesColumn,
  shares: partsColumn,
})
export type DecidedVote = z.infer<typeof decidedRow>

/** The newest votes with a result, at most `most`; null if they cannot be read. */
export function listDecided(data: Data, most: number): Promise<DecidedVote[] | null> {
  return data.rows('published_votes', decidedRow, (query) =>
    query.not('decided_at', 'is', null).order('decided_at', { ascending: false }).limit(most),
  )
}

/** Those of these goals whose vote was won and that the treasury has not paid. */
export async function listUnpaid(data: Data, goals: readonly string[]): Promise<Set<string>> {
  if (goals.length === 0) return new Set()
  const rows = await data.rows('published_votes', z.object({ goal: z.string() }), (query) =>
    query.in('goal', goals).eq('won', true).is('paid_by', null),
  )
  return new Set(rows?.map(({ goal }) => goal))
}

/** How many ballots of a page of ballots are shown. */
const ballotsPerPage = 50

const ballotRow = z.object({
  number: integerColumn,
  wallet: z.string(),
  choice: choiceColumn,
  signedAt: timestampColumn,
  weight: unitsColumn,
  logIndex: integerColumn,
  /** False if a later ballot of its wallet replaced it. */
  counts: z.boolean(),
  names: namesColumn,
})
export type CountedBallot = z.infer<typeof ballotRow>

/** A page of counted ballots, newest first: those below a number, and of one wallet if it is given. */
export async function listBallots(
  data: Data,
  vote: number,
  { after, wallet }: { after: number | null; wallet: string | null },
): Promise<{ ballots: CountedBallot[]; next: number | null } | null> {
  const rows = await data.rows('published_ballots', ballotRow, (query) => {
    let narrowed = query.eq('vote', vote)
    if (after !== null) narrowed = narrowed.lt('number', after)
    if (wallet !== null) narrowed = narrowed.eq('wallet', wallet)
    return narrowed.order('number', { ascending: false }).limit(ballotsPerPage + 1)
  })
  if (!rows) return null
  const ballots = rows.slice(0, ballotsPerPage)
  return { ballots, next: rows.length > ballotsPerPage ? (ballots.at(-1)?.number ?? null) : null }
}

const totalsRow = z.object({ ballots: integerColumn })

/** The number of ballots that count in all votes, without replaced ones; null if it cannot be read. */
export async function countBallots(data: Data): Promise<number | null> {
  return (await data.row('vote_totals', totalsRow))?.ballots ?? null
}

const walletBallotRow = z.object({
  goal: z.string(),
  wallet: z.string(),
  choice: choiceColumn,
  recordedAt: timestampColumn,
  names: namesColumn,
})

/** The newest ballots that count of these wallets; null if they cannot be read. */
export function listBallotsOf(data: Data, wallets: readonly string[]) {
  return data.rows('published_ballots', walletBallotRow, (query) =>
    query
      .in(
        'wallet',
        wallets.map((wallet) => wallet.toLowerCase()),
      )
      .eq('counts', true)
      .order('id', { ascending: false })
      .limit(20),
  )
}

const ownBallotRow = z.object({
  id: integerColumn,
  wallet: z.string(),
  choice: choiceColumn,
  signedAt: timestampColumn,
  arrivedAt: timestampColumn,
  /** Why it is not counted; null while it waits. */
  reason: z.nullable(z.enum(['signature', 'nothing', 'light', 'excluded', 'closed', 'many', 'weight'])),
})
export type OwnBallot = z.infer<typeof ownBallotRow>

/** The ballots that the member handed in and that wait or were refused, newest first; null if they cannot be read. */
export function listOwnBallots(data: Data, vote: number): Promise<OwnBallot[] | null> {
  return data.rows('fundme_ballots', ownBallotRow, (query) =>
    query.eq('vote', vote).order('id', { ascending: false }).limit(40),
  )
}

const handedInRow = z.object({
  wallet: z.string(),
  choice: choiceColumn,
  signedAt: timestampColumn,
  signature: z.string(),
  arrivedAt: timestampColumn,
  refusedAt: z.nullable(timestampColumn),
  reason: z.nullable(z.string()),
})

/** All ballots of the member that wait or were refused, for the file with the member's data. */
export function listHandedIn(data: Data): Promise<z.infer<typeof handedInRow>[] | null> {
  return data.rows('fundme_ballots', handedInRow, (query) => query.order('id'))
}
