import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import * as z from 'zod/mini'
import { CallRefused, Unreachable } from '../chain/chain-errors.ts'
import { type Block, type Chain, mapInBatches, openChain } from '../chain/rpc.ts'
import { readSilence, unaskedOf } from '../chain/silence.ts'
import { balanceOf } from '../ledger/job/reconciliation.ts'
import { readWatch, walletsOf } from '../ledger/job/watch.ts'
import { integerColumn, timestampColumn } from '../platform/server/columns.server.ts'
import type { Config } from '../platform/server/env.server.ts'
import type { Log } from '../platform/server/log.server.ts'
import { createService, type Service } from '../platform/server/service.server.ts'
import { isInTime, writeBallot } from './ballot.ts'
import { drawnBlock, oldestBlock, seedDistance, windowOf } from './draw.ts'
import { signerOfBallot } from './signer.server.ts'

/** Timeout of a run's calls to the chain, in milliseconds. */
const runTimeout = 40_000
/** How often a vote without ballots is compared with the chain, in minutes. */
const comparisonInterval = 5
/** The maximum number of ballots that a run decides. */
const mostBallots = 200
/** The maximum number of decimals of a token: 10 to this power is below 2^256. */
const mostDecimals = 77n
/** The least time in which the blocks of a draw lie, in seconds: no holding of a moment can be aimed at. */
const leastWindow = 86_400
/** The age of the newest common block, in seconds, above which nothing is drawn, because the endpoints are behind. */
const oldestHead = 60

const zeroAddress = `0x${'0'.repeat(40)}`
const deadAddress = '0x000000000000000000000000000000000000dead'
/** The selectors of totalSupply() and decimals(). */
const [supplyCall, decimalsCall] = ['0x18160ddd', '0x313ce567']

const draw = z.object({
  id: integerColumn,
  goal: z.string(),
  chain_id: integerColumn,
  start_block: integerColumn,
  seed_block: integerColumn,
  token: z.string(),
  excluded: z.array(z.string()),
  drawn_at: timestampColumn,
})
const openVote = z.object({
  id: integerColumn,
  draw: integerColumn,
  goal: z.string(),
  /** The leaf hash of the log entry of the vote. */
  leaf: z.string(),
  chain_id: integerColumn,
  token: z.string(),
  seed_block: integerColumn,
  seed_hash: z.string(),
  block_number: integerColumn,
  block_hash: z.string(),
  opened_at: timestampColumn,
  closes_at: timestampColumn,
})
const waitingBallot = z.object({
  id: integerColumn,
  vote: integerColumn,
  wallet: z.string(),
  choice: z.string(),
  time: z.string(),
  signature: z.string(),
  arrived_at: timestampColumn,
})
const work = z.object({
  waits: z.array(z.object({ goal: z.string(), reason: z.string() })),
  undrawn: z.array(z.string()),
  stuck: z.array(z.string()),
  draws: z.array(draw),
  open: z.array(openVote),
  ballots: z.array(waitingBallot),
})
type Work = z.infer<typeof work>
type OpenVote = Work['open'][number]
type WaitingBallot = Work['ballots'][number]

const decided = z.object({ counted: integerColumn, refused: integerColumn })

/** What a run did, for its log line. */
interface VoteReport {
  drawn: number
  opened: number
  voided: number
  counted: number
  refused: number
  finished: number
}

/**
 * Draws votes, opens them, counts ballots and writes results, while voting is open. A run may be killed at any point,
 * and two runs may overlap: each step is one database transaction that checks what it needs. Never throws for a fault of
 * an endpoint: what could not be read waits for a later run, and operators see why.
 */
export async function runVoteJob(config: Config, fetch: typeof globalThis.fetch, log: Log): Promise<void> {
  const { SUPABASE_SECRET_KEY: secret } = config
  if (!secret || !config.VOTING_OPEN) return
  const startedAt = Date.now()
  const service = createService(config.SUPABASE_URL, secret, fetch)
  const due = await service.call('vote_work', work, { most: mostBallots })
  const goals = [
    ...due.undrawn,
    ...due.stuck,
    ...due.draws.map(({ goal }) => goal),
    ...due.open.map(({ goal }) => goal),
  ]
  if (goals.length + due.ballots.length === 0) return
  const report: VoteReport = { drawn: 0, opened: 0, voided: 0, counted: 0, refused: 0, finished: 0 }
  const waits = new Map(
    due.stuck.map((goal) => [goal, 'three votes were void: two operators decide on a draw']),
  )
  let chain: Chain | null = null
  try {
    const unasked = unaskedOf(await readSilence(service))
    const deadline = AbortSignal.timeout(runTimeout)
    chain = await openChain(config.CHAIN_RPC_URLS, config.CHAIN_ID, deadline, undefined, unasked)
    await followVotes(config, service, chain, due, report, waits)
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    for (const goal of goals) waits.set(goal, error.message)
  }
  await storeWaits(service, due.waits, waits)
  if (due.open.length > 0) report.finished = await service.call('finish_votes', integerColumn, {})
  const { faults = {}, calls = 0 } = chain ?? {}
  const isWell = waits.size + Object.keys(faults).length === 0
  log[isWell ? 'info' : 'warn']('votes.run', {
    ...report,
    waits: waits.size,
    faults,
    calls,
    ms: Date.now() - startedAt,
  })
}

/** `waits` gets the goals of which something could not be read or stored, each with the reason. */
async function followVotes(
  config: Config,
  service: Service,
  chain: Chain,
  due: Work,
  report: VoteReport,
  waits: Map<string, string>,
): Promise<void> {
  /** False if the step failed. */
  const attempt = (goal: string, step: () => Promise<void>) =>
    step().then(
      () => true,
      (error: unknown) => {
        waits.set(goal, reasonOf(error))
        return false
      },
    )
  const compared = new Map<number, Promise<boolean>>()
  /** Compares a vote with the chain, once in a run. */
  const compare = (vote: OpenVote) => {
    const comparing =
      compared.get(vote.id) ??
      attempt(vote.goal, async () => {
        if (await isVoid(service, chain, vote, due.waits)) report.voided++
      })
    compared.set(vote.id, comparing)
    return comparing
  }
  const results = await weigh(chain, due, waits, compare)
  if (results.length > 0) {
    const { counted, refused } = await service.call('count_ballots', decided, { results })
    Object.assign(report, { counted, refused })
  }
  const minute = Math.floor(Date.now() / 60_000)
  // A vote that may get its result in this run is compared too.
  const isDue = ({ id, goal, closes_at }: OpenVote) =>
    closes_at.getTime() < (minute + 3) * 60_000 ||
    due.waits.some((known) => known.goal === goal) ||
    (id + minute) % comparisonInterval === 0
  await mapInBatches(chain, due.open.filter(isDue), compare)
  for (const one of due.draws)
    await attempt(one.goal, async () => {
      const done = await openDrawn(config, service, chain, one, due.waits)
      if (done) report[done]++
    })
  for (const goal of due.undrawn)
    await attempt(goal, async () => {
      if (await drawFor(config, service, chain, goal)) report.drawn++
    })
}

/** Why a goal waits. Whatever fails for one goal, such as an odd token, must not stop the others. */
function reasonOf(error: unknown): string {
  if (error instanceof CallRefused && error.words) return `${error.message}: ${error.words}`
  return (error instanceof Error && error.message) || 'unexpected error'
}

async function storeWaits(service: Service, known: Work['waits'], waits: ReadonlyMap<string, string>) {
  for (const [goal, reason] of waits) await service.call('record_vote_wait', z.unknown(), { goal, reason })
  for (const { goal } of known)
    if (!waits.has(goal)) await service.call('record_vote_wait', z.unknown(), { goal, reason: null })
}

/**
 * Compares the blocks of a vote with the chain. Declares the vote void if one of them has another hash, and had this one
 * at the run before: endpoints on a fork may soon return, and a void is final.
 */
async function isVoid(
  service: Service,
  chain: Chain,
  vote: OpenVote,
  known: Work['waits'],
): Promise<boolean> {
  requireChain(chain, vote.chain_id)
  const blocks = [
    [vote.block_number, vote.block_hash],
    [vote.seed_block, vote.seed_hash],
  ] as const
  for (const [number, hash] of blocks) {
    const block = await requireOldBlock(chain, number)
    if (block.hash === hash) continue
    return voidAgain(
      service,
      vote.draw,
      block,
      vote.goal,
      `block ${number} has another hash: ${block.hash}`,
      known,
    )
  }
  return false
}

/** Declares the vote of a draw void, if the run before found the same fault of this block. Throws it otherwise. */
async function voidAgain(
  service: Service,
  draw: number,
  block: Block,
  goal: string,
  fault: string,
  known: Work['waits'],
): Promise<boolean> {
  if (!known.some((one) => one.goal === goal && one.reason === fault)) throw new CallRefused(fault)
  const given = { draw, block_number: block.number, block_hash: block.hash }
  return service.call('void_vote', z.boolean(), given)
}

/**
 * Stores the terms of a goal's vote and its seed block, which no endpoint has: the newest common block is recent, and the
 * seed comes after the newest block of each endpoint. First reads the supply at the oldest block that the draw can choose.
 */
async function drawFor(config: Config, service: Service, chain: Chain, goal: string): Promise<boolean> {
  const { head, newest } = chain
  const age = Math.floor(Date.now() / 1000) - (await requireOldBlock(chain, head)).timestamp
  if (age > oldestHead) throw new CallRefused(`the newest block, ${head}, is ${age} seconds old`)
  if (newest - head > seedDistance)
    throw new CallRefused(`one endpoint is at block ${newest}, the others at block ${head}`)
  const start_block = config.CHAIN_START_BLOCK ?? 0
  const seed_block = newest + seedDistance
  const [oldest, last] = [
    oldestBlock(start_block, seed_block),
    seed_block - windowOf(start_block, seed_block),
  ]
  const window_seconds =
    (await requireOldBlock(chain, last)).timestamp - (await requireOldBlock(chain, oldest)).timestamp
  if (window_seconds < leastWindow)
    throw new CallRefused(
      `the blocks of a draw lie within ${window_seconds} seconds, which is less than a day`,
    )
  const token = tokenOf(config)
  await readNumber(chain, token, supplyCall, oldest)
  const terms = {
    ...{ chain_id: chain.id, start_block, seed_block, window_seconds, token },
    ...{ excluded: excludedOf(config), quorum_percent: config.FUNDME_QUORUM },
  }
  return service.call('append_draw', z.boolean(), { goal, terms })
}

/**
 * Opens the vote of a draw once its seed block is final, or declares the draw void if that block is older than the draw:
 * no vote could ever follow. Says what was done; null for nothing yet, or if another run was faster.
 */
async function openDrawn(
  config: Config,
  service: Service,
  chain: Chain,
  { id, goal, chain_id, start_block, seed_block, token, excluded, drawn_at }: Work['draws'][number],
  known: Work['waits'],
): Promise<'opened' | 'voided' | null> {
  requireChain(chain, chain_id)
  if (seed_block > chain.head - config.CHAIN_CONFIRMATIONS + 1) return null
  const seed = await requireOldBlock(chain, seed_block)
  if (seed.timestamp * 1000 < drawn_at.getTime()) {
    const fault = `the seed block ${seed_block} is older than the draw`
    return (await voidAgain(service, id, seed, goal, fault, known)) ? 'voided' : null
  }
  const block = await requireOldBlock(chain, drawnBlock(start_block, seed_block, seed.hash))
  const supply = await readNumber(chain, token, supplyCall, block.number)
  const decimals = await readNumber(chain, token, decimalsCall, block.number)
  const balances = await mapInBatches(chain, excluded, async (address) => ({
    address,
    balance: (await weightOf(chain, token, address, block.number)).toString(),
  }))
  const eligible = balances.reduce((rest, { balance }) => rest - BigInt(balance), supply)
  if (decimals > mostDecimals) throw new CallRefused(`the token has ${decimals} decimals`)
  if (eligible <= 0n) throw new CallRefused(`no token may vote at block ${block.number}`)
  const isOpened = await service.call('open_vote', z.boolean(), {
    draw: id,
    facts: {
      seed_hash: seed.hash,
      seed_time: new Date(seed.timestamp * 1000).toISOString(),
      block_number: block.number,
      block_hash: block.hash,
      decimals: Number(decimals),
      supply: supply.toString(),
      excluded: balances,
    },
  })
  return isOpened ? 'opened' : null
}

/** The addresses whose tokens do not count, in order. */
function excludedOf(config: Config): string[] {
  const watch = readWatch(config)
  const ours = watch ? walletsOf(watch) : []
  return [...new Set([zeroAddress, deadAddress, tokenOf(config), ...ours, ...config.FUNDME_EXCLUDED])].sort()
}

function tokenOf({ TOKEN_ADDRESS = zeroAddress }: Config): string {
  return TOKEN_ADDRESS.toLowerCase()
}

/**
 * Verifies each ballot and reads its weight, after `compare` for its vote. A ballot whose weight cannot be read, or whose
 * vote waits, has neither a weight nor a reason, and waits; `waits` gets the goal.
 */
function weigh(
  chain: Chain,
  { ballots, open }: Work,
  waits: Map<string, string>,
  compare: (vote: OpenVote) => Promise<boolean>,
) {
  const votes = new Map(open.map((vote) => [vote.id, vote]))
  return mapInBatches(chain, ballots, async ({ id, ...ballot }) => {
    const vote = votes.get(ballot.vote)
    if (!vote) return { id, reason: 'closed' }
    const text = { ...ballot, goal: vote.goal, vote: vote.leaf }
    if (!(await isGenuine(ballot, vote, text))) return { id, reason: 'signature' }
    if (!(await compare(vote))) return { id }
    try {
      const weight = await weightOf(chain, vote.token, ballot.wallet, vote.block_number)
      const digest = bytesToHex(sha256(utf8ToBytes(writeBallot(text))))
      return { id, weight: weight.toString(), digest }
    } catch (error) {
      waits.set(vote.goal, reasonOf(error))
      return { id }
    }
  })
}

async function isGenuine(
  { wallet, time, signature, arrived_at }: Omit<WaitingBallot, 'id'>,
  { opened_at }: OpenVote,
  text: Parameters<typeof writeBallot>[0],
): Promise<boolean> {
  return isInTime(time, opened_at, arrived_at) && (await signerOfBallot(text, signature)) === wallet
}

function weightOf(chain: Chain, address: string, wallet: string, at: number): Promise<bigint> {
  return balanceOf(chain, { symbol: 'the token', address, decimals: 0, value: null }, wallet, at)
}

/** A number that the token returns at a block. Throws CallRefused if the token has no such function, or does not exist. */
async function readNumber(chain: Chain, token: string, data: string, at: number): Promise<bigint> {
  const word = await chain.call(token, data, at)
  if (word.length !== 66) throw new CallRefused(`TOKEN_ADDRESS is no token at block ${at}`)
  return BigInt(word)
}

async function requireOldBlock(chain: Chain, number: number) {
  const block = await chain.block(number)
  if (!block) throw new CallRefused(`the endpoints do not have block ${number}`)
  return block
}

function requireChain({ id }: Chain, drawn: number): void {
  if (id !== drawn) throw new CallRefused(`the vote was drawn on chain ${drawn}, and CHAIN_ID is ${id}`)
}
