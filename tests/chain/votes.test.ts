import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  createWalletClient,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  http,
  type PrivateKeyAccount,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import type { OpenedVote } from '../../app/votes/votes.server.ts'
import { readWalletWeight } from '../../app/votes/wallet-weight.server.ts'
import { temporaryFolder } from '../support/data-folder.ts'
import { addGoal } from '../support/goals.ts'
import { startSite } from '../support/site.ts'
import { signUp } from '../support/temporary-backend.ts'
import { endSoon, readVote, signBallot, waitForEnd } from '../support/votes.ts'
import { chainId } from './evm.ts'
import { contracts, startProject } from './project.ts'
import type { RpcFault } from './rpc-proxy.ts'

const began = Date.now()
/** The chain is two days old, and its first blocks are too. */
const project = await startProject(3, { age: 172_800 })
afterAll(() => project.close())
const { backend, evm, who, endpoints } = project
const token = await evm.deploy(
  who.stranger,
  encodeDeployData({ ...contracts.Token, args: ['Token', 'VOTE', 18] }),
)
const exchange = privateKeyToAccount(generatePrivateKey())
/** Runs the scheduled work, and returns what the vote job logged; null if it had no work. */
async function tick(on = site): Promise<Record<string, unknown> | null> {
  const before = on.log.length
  await on.runSchedule()
  const line = on.log.slice(before).findLast((text) => text.includes('"votes.run"'))
  return line ? JSON.parse(line) : null
}

async function give(to: Hex[], amounts: bigint[], from = who.stranger) {
  const data = encodeFunctionData({ abi: contracts.Token.abi, functionName: 'payMany', args: [to, amounts] })
  await evm.send(from, token, { data, gas: 60_000_000n })
  await evm.mine(1)
}

const balanceAt = (of: Hex, at: number) =>
  evm.reader.readContract({
    ...{ address: token, abi: contracts.Token.abi, functionName: 'balanceOf', args: [of] },
    blockNumber: BigInt(at),
  }) as Promise<bigint>

const wallets = Array.from({ length: 300 }, () => privateKeyToAccount(generatePrivateKey()))
/** One wallet of seven holds too little, or nothing. */
const heldBy = (at: number) =>
  at % 14 === 6 ? 0n : (at % 7 === 6 ? 0n : BigInt(at + 1) * 10n ** 25n) + BigInt(at)
await give(
  [...wallets.map(({ address }) => address), exchange.address],
  [...wallets.map((_, at) => heldBy(at)), 10n ** 28n],
)
const startBlock = Number(await evm.reader.getBlockNumber())
await evm.mine(40)
await evm.control.increaseTime({ seconds: 172_800 })
const variables = {
  ...project.variables,
  ...{
    FUNDME_OPEN: '1',
    CHAIN_START_BLOCK: `${startBlock}`,
    TOKEN_ADDRESS: token,
    FUNDME_EXCLUDED: exchange.address,
    FUNDME_QUORUM: '0.25',
  },
}
const site = await startSite(backend, variables)
afterAll(() => site.close())

const members = await Promise.all(
  Array.from({ length: 16 }, (_, at) => signUp(backend, `voter${at}@example.org`)),
)

const [first] = members
if (!first) throw new Error('There is no member')

function walletAt(at: number): PrivateKeyAccount {
  const wallet = wallets[at]
  if (!wallet) throw new Error(`There is no wallet ${at}`)
  return wallet
}

/** Sets the fault of an endpoint. */
function fail(at: number, fault: RpcFault): void {
  const endpoint = endpoints[at]
  if (endpoint) endpoint.fault = fault
}

/** Hands in ballots, in turn by several members. */
async function handIn(rows: Awaited<ReturnType<typeof signBallot>>[]) {
  const errors = await Promise.all(
    members.map(async ({ id, client }, at) => {
      const own = rows
        .filter((_, row) => row % members.length === at)
        .map(({ message, ...row }) => ({ ...row, member: id }))
      return own.length > 0 ? (await client.from('fundme_ballots').insert(own)).error : null
    }),
  )
  expect(errors.filter(Boolean)).toEqual([])
}

test('a vote is drawn, opened, counted and decided from the chain, while endpoints fail', async () => {
  // On a busy machine the ballots need longer, in proportion to the start of the project.
  const started = Date.now() - began
  await evm.mine(1_200)
  const { slug } = await addGoal(backend, { days: 7 })
  await endSoon(backend, slug, Math.max(25, (6 * started) / 1000))
  expect(await tick()).toMatchObject({ drawn: 1, opened: 0 })
  expect(await tick()).toMatchObject({ drawn: 0, opened: 0 })
  await evm.mine(410)

  // Two of three endpoints have lost old state: the vote waits, with the reason, and nothing else is drawn.
  fail(0, 'refuses old calls')
  fail(1, 'refuses old calls')
  expect(await tick()).toMatchObject({ opened: 0, waits: 1 })
  expect(await backend.sql('select slug, reason from private.vote_waits')).toEqual([
    { slug, reason: 'eth_call is refused: missing trie node' },
  ])
  fail(0, 'none')
  fail(1, 'invents calls')
  expect(await tick()).toMatchObject({ opened: 1, waits: 0 })
  expect(await backend.sql('select * from private.vote_waits')).toEqual([])

  const vote = await readVote(backend, slug)
  if (!vote) throw new Error('The vote is missing')
  const block = Number(vote.block_number)
  const seed = await evm.reader.getBlock({ blockNumber: BigInt(Number(vote.seed_block)) })
  const window = Math.floor((Number(vote.seed_block) - startBlock) / 2)
  expect(block).toBe(Number(vote.seed_block) - window - Number(BigInt(seed.hash) % BigInt(window)))
  const kept = await balanceAt(exchange.address, block)
  expect(vote.eligible).toBe(String(10n ** 30n - kept))
  expect((vote.excluded as unknown as { address: string }[]).map(({ address }) => address)).toEqual(
    excludedFor(token),
  )

  // Tokens that move after the block change nothing.
  await give(
    wallets.slice(0, 50).map(({ address }) => address),
    wallets.slice(0, 50).map(() => 10n ** 27n),
  )
  const ballot = (of: PrivateKeyAccount, choice: 'support' | 'against', at = new Date()) =>
    signBallot(of, { goal: slug, id: Number(vote.id), leaf: String(vote.leaf) }, choice, at)
  const early = new Date(Math.ceil(Date.now() / 1000) * 1000)
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  const choiceOf = (at: number) => (at % 3 === 0 ? 'against' : 'support')
  await handIn(await Promise.all(wallets.map((of, at) => ballot(of, choiceOf(at), early))))
  const stranger = privateKeyToAccount(generatePrivateKey())
  const foreign = await ballot(stranger, 'support')
  // A ballot that names another wallet, and one of an excluded address.
  await handIn([{ ...foreign, wallet: walletAt(0).address.toLowerCase() }, await ballot(exchange, 'support')])
  fail(2, 'dead')
  fail(1, 'none')
  // The first run counts 200, the second the others.
  expect(await tick()).toMatchObject({ counted: expect.any(Number) })
  fail(2, 'lags')
  await tick()
  const expected = { support: 0n, support_wallets: 0, against: 0n, against_wallets: 0 }
  const least = BigInt(String(vote.least_weight))
  for (const [at, of] of wallets.entries()) {
    const weight = await balanceAt(of.address, block)
    if (weight === 0n || weight < least) continue
    const choice = choiceOf(at)
    expected[choice] += weight
    expected[`${choice}_wallets`] += 1
  }
  expect(expected.support_wallets).toBeGreaterThan(100)
  const strings = (sums: typeof expected) =>
    Object.fromEntries(
      Object.entries(sums).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]),
    )
  expect(await readVote(backend, slug)).toMatchObject({ ...strings(expected), waiting_count: 0 })
  expect(
    await backend.sql(
      'select reason, count(*)::int from public.fundme_ballots group by reason order by reason',
    ),
  ).toEqual([
    { reason: 'excluded', count: 1 },
    { reason: 'light', count: 21 },
    { reason: 'nothing', count: 21 },
    { reason: 'signature', count: 1 },
  ])

  // A wallet changes its mind, an old ballot is sent again, and one arrives while no endpoint responds.
  await handIn([await ballot(walletAt(1), 'against'), await ballot(walletAt(2), 'support', early)])
  const waits = () => backend.sql('select slug, reason from private.vote_waits')
  fail(0, 'refuses old calls')
  fail(1, 'refuses old calls')
  expect(await tick()).toMatchObject({ level: 'warn', counted: 0, waits: 1 })
  expect(await waits()).toEqual([{ slug, reason: 'eth_call is refused: missing trie node' }])
  for (const endpoint of endpoints) endpoint.fault = 'dead'
  expect(await tick()).toMatchObject({ counted: 0, waits: 1 })
  await waitForEnd(backend, Number(vote.id))
  const late = await first.client
    .from('fundme_ballots')
    .insert({ ...(({ message, ...row }) => row)(await ballot(walletAt(3), 'support')), member: first.id })
  expect(late.error?.message).toBe('ballot_closed')
  expect(await tick()).toMatchObject({ counted: 0, finished: 0 })
  for (const endpoint of endpoints) endpoint.fault = 'none'
  expect(await tick()).toMatchObject({ counted: 1, finished: 1 })
  const moved = await balanceAt(walletAt(1).address, block)
  expected.support -= moved
  expected.against += moved
  expected.support_wallets -= 1
  expected.against_wallets += 1
  expect(await readVote(backend, slug)).toMatchObject({ ...strings(expected), won: true, waiting_count: 0 })
  expect(await tick()).toBeNull()

  // The log is signed by now. The verifier compares everything with the chain, and names each difference.
  const folder = temporaryFolder()
  const verify = async (...options: string[]) => {
    const all = [
      'public/verify-ledger.mjs',
      site.url,
      '--remember',
      join(folder.path, 'kept.json'),
      ...options,
    ]
    return promisify(execFile)(process.execPath, all).then(
      ({ stdout }) => `0 ${stdout}`,
      (error) => `${error.code} ${error.stderr}`,
    )
  }
  expect(await verify('--votes', slug, '--rpc', evm.url)).toMatch(
    /^0 .*: won\..*are those of the blockchain/s,
  )
  expect(await verify('--whole', '--rpc', evm.url)).toMatch(/^0 .*: won\./s)
  fail(0, 'refuses old calls')
  expect(await verify('--votes', slug, '--rpc', endpoints[0]?.url ?? '')).toMatch(
    /^2 The endpoint did not respond/,
  )
  fail(0, 'invents calls')
  expect(await verify('--votes', slug, '--rpc', endpoints[0]?.url ?? '')).toMatch(
    /^1 Entry \d+ of the vote on goal-\w+ differs from the blockchain: we read \d+ as the supply/,
  )
  fail(0, 'none')
  folder.remove()
}, 600_000)

test('a vote whose seed block has another hash later is void, with an entry, and is drawn again', async () => {
  const { slug } = await addGoal(backend)
  expect(await tick()).toMatchObject({ drawn: 1 })
  const before = await evm.control.snapshot()
  await evm.mine(410)
  expect(await tick()).toMatchObject({ opened: 1 })
  const former = await readVote(backend, slug)
  const { message: _, ...row } = await signBallot(
    walletAt(5),
    { goal: slug, id: Number(former?.id), leaf: String(former?.leaf) },
    'support',
  )
  await evm.control.revert({ id: before })
  await evm.mine(420, 2)
  await first.client
    .from('fundme_ballots')
    .insert({ ...row, member: first.id })
    .throwOnError()
  // A second run confirms it.
  expect(await tick()).toMatchObject({ voided: 0, counted: 0, waits: 1 })
  expect(await tick()).toMatchObject({ voided: 1, counted: 0 })
  expect(await tick()).toMatchObject({ drawn: 1, voided: 0 })
  await evm.mine(420)
  expect(await tick()).toMatchObject({ opened: 1 })
  const vote = await readVote(backend, slug)
  expect([vote?.attempt, vote?.ballots, vote?.leaf === former?.leaf]).toEqual([2, 0, false])
  // The ballot was signed for the former vote.
  expect(await backend.sql('select reason from public.fundme_ballots where vote = $1', [former?.id])).toEqual(
    [{ reason: 'closed' }],
  )
  await first.client
    .from('fundme_ballots')
    .insert({
      ...row,
      vote: Number(vote?.id),
      member: first.id,
      signed_at: new Date().toISOString().replace(/\.\d+/, ''),
    })
    .throwOnError()
  expect(await tick()).toMatchObject({ counted: 0, refused: 1 })
  await tick()
  const folder = temporaryFolder()
  const kept = join(folder.path, 'kept.json')
  const all = ['public/verify-ledger.mjs', site.url, '--remember', kept, '--whole', '--rpc', evm.url]
  const verify = () =>
    promisify(execFile)(process.execPath, all).then(
      ({ stdout }) => stdout,
      (error) => `${error.code} ${error.stderr}`,
    )
  expect(await verify()).toContain('Votes that are void, because the log says that a block changed: 1.')

  // The next vote is made void, while the chain has both of its blocks.
  await backend.sql('select public.void_vote(draw, block_number, $2) from public.votes where id = $1', [
    vote?.id,
    `0x${'9'.repeat(64)}`,
  ])
  await tick()
  await tick()
  expect(await verify()).toMatch(
    /^1 Entry \d+ of the vote on goal-\w+ differs from the blockchain: it says that a block changed, but none did/,
  )
  folder.remove()
}, 120_000)

/** The addresses that are excluded from a vote of this token, in order. */
const excludedFor = (of: Hex) =>
  [
    `0x${'0'.repeat(40)}`,
    '0x000000000000000000000000000000000000dead',
    ...[of, who.treasury.address, who.giver.address, who.pool.address, exchange.address],
  ]
    .map((address) => address.toLowerCase())
    .sort()

/** Stores a draw that the job did not make. */
const appendDraw = (slug: string, start_block: number, seed_block: number, of: Hex = token) =>
  backend.sql('select public.append_draw($1, $2) as is_drawn', [
    slug,
    JSON.stringify({
      ...{ chain_id: chainId, start_block, seed_block, window_seconds: 172_800, token: of.toLowerCase() },
      ...{ excluded: excludedFor(of), quorum_percent: '0.25' },
    }),
  ])

/** Opens a vote on another goal, with the facts of the newest vote. Returns its goal. */
async function openAnother(): Promise<string> {
  const { slug } = await addGoal(backend)
  await backend.sql(
    `select public.append_draw($1, to_jsonb(vote_draws)) from public.vote_draws where id = (select max(draw) from public.votes)`,
    [slug],
  )
  await backend.sql(
    `select public.open_vote((select max(id) from public.vote_draws), to_jsonb(votes) || '{"seed_time": "2099-01-01"}')
     from public.votes where id = (select max(id) from public.votes)`,
  )
  return slug
}

test('a token that cannot be counted stops its vote only', async () => {
  const over = await openAnother()
  await backend.sql('set session_replication_role = replica')
  await backend.sql('update public.votes set closes_at = now() where slug = $1', [over])
  await backend.sql('set session_replication_role = origin')
  const deployOdd = (by: PrivateKeyAccount, decimals: number) =>
    evm.deploy(by, encodeDeployData({ ...contracts.Token, args: ['Odd', 'ODD', decimals] }))
  const [strange, ours] = [await deployOdd(who.stranger, 200), await deployOdd(who.treasury, 18)]
  const start = Number(await evm.reader.getBlockNumber())
  await evm.mine(50)
  for (const [address, fault, finished] of [
    [strange, 'the token has 200 decimals', 1],
    [ours, 'no token may vote', 0],
  ] as const) {
    const { slug } = await addGoal(backend)
    await appendDraw(slug, start, start + 40, address)
    expect(await tick()).toMatchObject({ opened: 0, finished })
    expect(await backend.sql('select reason from private.vote_waits where slug = $1', [slug])).toEqual([
      { reason: expect.stringContaining(fault) },
    ])
  }
}, 60_000)

test('ballots are weighed before votes without ballots are compared with the chain', async () => {
  const slugs: string[] = []
  for (let at = 0; at < 12; at++) slugs.push(await openAnother())
  const vote = await readVote(backend, slugs.at(-1) ?? '')
  const { message: _, ...row } = await signBallot(
    walletAt(7),
    { goal: String(vote?.goal), id: Number(vote?.id), leaf: String(vote?.leaf) },
    'support',
  )
  await first.client
    .from('fundme_ballots')
    .insert({ ...row, member: first.id })
    .throwOnError()
  const calls: string[] = []
  const seed = `0x${Number(vote?.seed_block).toString(16)}`
  for (const endpoint of endpoints)
    endpoint.onCall = ({ method, params }) => {
      if (params[0] === seed) calls.push('block')
      if (JSON.stringify(params).includes(row.wallet.slice(2))) calls.push(method)
    }
  expect(await tick()).toMatchObject({ counted: 1 })
  expect(calls.slice(0, calls.indexOf('eth_call'))).toEqual(['block', 'block'])
})

test('no vote is drawn from an old block, or from one that an endpoint alone has, nor opened by an old seed', async () => {
  const { slug } = await addGoal(backend)
  const reason = async () =>
    (
      await backend.sql<{ reason: string }>('select reason from private.vote_waits where slug = $1', [slug])
    )[0]?.reason
  const head = Number(await evm.reader.getBlockNumber())
  for (const endpoint of endpoints) Object.assign(endpoint, { fault: 'lags', lag: 500 })
  fail(2, 'none')
  expect(await tick()).toMatchObject({ drawn: 0 })
  expect(await reason()).toBe(`one endpoint is at block ${head}, the others at block ${head - 500}`)
  for (const endpoint of endpoints) Object.assign(endpoint, { fault: 'lags', lag: head - startBlock - 20 })
  expect(await tick()).toMatchObject({ drawn: 0 })
  expect(await reason()).toMatch(/^the newest block, \d+, is \d{6} seconds old$/)
  for (const endpoint of endpoints) endpoint.fault = 'none'

  // A draw whose seed is older is void at the second run that sees it. After three of them, two operators decide.
  for (const seed of [30, 34, 38]) {
    expect(await appendDraw(slug, startBlock, startBlock + seed)).toEqual([{ is_drawn: true }])
    expect(await tick()).toMatchObject({ opened: 0, voided: 0 })
    expect(await reason()).toBe(`the seed block ${startBlock + seed} is older than the draw`)
    expect(
      await backend
        .sql(
          `select public.open_vote(max(draws.id), jsonb_build_object('seed_time', '2020-01-01', 'supply', 1, 'excluded', '[]'::jsonb))
           from public.vote_draws as draws`,
        )
        .catch((error: Error) => error.message),
    ).toBe('the seed block is older than the draw')
    expect(await tick()).toMatchObject({ opened: 0, voided: 1 })
  }
  expect(await appendDraw(slug, startBlock, head + 400)).toEqual([{ is_drawn: false }])
  expect(await tick()).toMatchObject({ drawn: 0, opened: 0 })
  expect(await reason()).toBe('three votes were void: two operators decide on a draw')
})

test('an endpoint that was silent for a day is not asked, and a draw needs two others', async () => {
  await tick()
  const since = new Date(Date.now() - 25.5 * 3_600_000).toISOString()
  await backend.sql(
    `update private.last_runs set report = jsonb_set(report, '{silent,endpoint 3}', to_jsonb($1::text)) where which = 'last'`,
    [since],
  )
  for (const endpoint of endpoints) endpoint.called.length = 0
  await addGoal(backend)
  const fault = 'has not answered for a day, and is asked once an hour'
  expect(await tick()).toMatchObject({ drawn: 1, faults: { 'endpoint 3': fault } })
  expect(endpoints.map(({ called }) => called.length > 0)).toEqual([true, true, false])
})

test('what a wallet held is read before it signs, and whether its ballot would count', async () => {
  const vote = await readVote(backend, await openAnother())
  const opened = {
    ...{ token, blockNumber: Number(vote?.block_number), leastWeight: BigInt(Number(vote?.least_weight)) },
    excluded: excludedFor(token).map((address) => ({ address, balance: 0n })),
  } as OpenedVote
  const config = { CHAIN_RPC_URLS: endpoints.map(({ url }) => url), CHAIN_ID: chainId }
  const held = (address: Hex) => readWalletWeight(config, opened, address)
  const [holder, empty, small] = [0, 6, 13].map((at) => walletAt(at).address) as [Hex, Hex, Hex]
  expect(await held(holder)).toEqual({ weight: heldBy(0), fault: null })
  expect(await held(empty)).toEqual({ weight: 0n, fault: 'nothing' })
  expect(await held(small)).toEqual({ weight: 13n, fault: 'light' })
  expect(await held(exchange.address)).toMatchObject({ fault: 'excluded' })
  expect(await held(token)).toMatchObject({ fault: 'contract' })
  // A wallet with a key may let a contract act for it (EIP-7702).
  await evm.control.setBalance({ address: holder, value: 10n ** 18n })
  const wallet = createWalletClient({
    account: walletAt(0),
    chain: evm.reader.chain,
    transport: http(evm.url),
  })
  const delegation = await wallet.signAuthorization({
    contractAddress: `0x${'1'.repeat(40)}`,
    executor: 'self',
  })
  await wallet.sendTransaction({ authorizationList: [delegation], to: holder, gas: 100_000n })
  await evm.mine(1)
  expect(await evm.reader.getCode({ address: holder })).toBe(`0xef0100${'1'.repeat(40)}`)
  expect(await held(holder)).toEqual({ weight: heldBy(0), fault: null })
  // A single endpoint that answers says nothing.
  for (const at of [0, 1]) fail(at, 'dead')
  expect(await held(holder)).toBeNull()
  for (const at of [0, 1]) fail(at, 'none')
})
