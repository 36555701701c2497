/**
 * A private chain on a real node: go-ethereum, or a fork of it with the Engine API. It mines a block only on request, as
 * `anvil --no-mining` does. GETH_BIN: the program; GETH_FLAGS: more of its flags.
 */
import { execFileSync, spawn } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { freePort } from '../../scripts/free-port.ts'
import { answers, type Control, type Node, stop } from './node.ts'

const toHex = (number: number | bigint) => `0x${number.toString(16)}` as Hex
const zero: Hex = `0x${'0'.repeat(64)}`
/** The coins of an account that has some. */
const coins = 10n ** 24n
/** The base units of the coin in one unit of a withdrawal. */
const gwei = 10n ** 9n

/** The accounts that have coins in the first block: the only way to give coins without a transaction or a block. */
const createAccounts = () => Array.from({ length: 60 }, () => privateKeyToAccount(generatePrivateKey()))

/** A chain with the rules of Prague from its first block, and the system contracts of the node's own development chain. */
interface Options {
  chainId: number
  gasLimit: bigint
  /** The seconds before now at which the chain begins; its clock goes on from there. */
  age: number
}

function genesisOf(program: string, { chainId, gasLimit, age }: Options, addresses: readonly string[]) {
  const dumped = execFileSync(program, ['--dev', 'dumpgenesis'], { stdio: ['ignore', 'pipe', 'ignore'] })
  const { alloc } = JSON.parse(dumped.toString()) as { alloc: Record<string, { code?: string }> }
  const system = Object.fromEntries(Object.entries(alloc).filter(([, { code }]) => code))
  const blobs = { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 }
  const forks = ['homestead', 'eip150', 'eip155', 'eip158', 'byzantium', 'constantinople', 'petersburg']
  const blocks = [...forks, 'istanbul', 'berlin', 'london'].map((fork) => [`${fork}Block`, 0])
  return {
    config: {
      ...{ chainId, ...Object.fromEntries(blocks), shanghaiTime: 0, cancunTime: 0, pragueTime: 0 },
      ...{ terminalTotalDifficulty: 0, terminalTotalDifficultyPassed: true },
      depositContractAddress: `0x${'0'.repeat(40)}`,
      blobSchedule: { cancun: blobs, prague: blobs },
    },
    ...{ nonce: '0x0', timestamp: toHex(Math.floor(Date.now() / 1000) - age - 5), gasLimit: toHex(gasLimit) },
    ...{ difficulty: '0x0', baseFeePerGas: toHex(gwei), extraData: '0x', mixHash: zero },
    coinbase: `0x${'0'.repeat(40)}`,
    alloc: {
      ...system,
      ...Object.fromEntries(addresses.map((address) => [address, { balance: toHex(coins) }])),
    },
  }
}

export async function startGeth(program: string, given: Options): Promise<Node> {
  const { chainId, gasLimit, age } = given
  const folder = mkdtempSync(join(tmpdir(), 'geth-'))
  const secret = randomBytes(32)
  const accounts = createAccounts()
  const genesis = join(folder, 'genesis.json')
  const addresses = accounts.map(({ address }) => address)
  writeFileSync(genesis, JSON.stringify(genesisOf(program, given, addresses)))
  writeFileSync(join(folder, 'jwt'), secret.toString('hex'))
  execFileSync(program, ['--datadir', folder, '--state.scheme', 'hash', 'init', genesis], { stdio: 'ignore' })
  const [port, enginePort] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const options = [
    ...['--datadir', folder, '--state.scheme', 'hash', '--gcmode', 'archive', '--syncmode', 'full'],
    ...['--http', '--http.addr', '127.0.0.1', '--http.port', `${port}`, '--http.api', 'eth,txpool,debug'],
    ...['--authrpc.addr', '127.0.0.1', '--authrpc.port', `${enginePort}`, '--authrpc.jwtsecret'],
    ...[join(folder, 'jwt'), '--networkid', `${chainId}`, '--nodiscover', '--maxpeers', '0', '--port', '0'],
    // Without a journal, a restart forgets the transactions that wait.
    ...['--ipcdisable', '--txpool.nolocals', '--txpool.journal', '', '--txpool.accountslots', '20000'],
    ...['--txpool.globalslots', '60000', '--miner.gasprice', '1', '--miner.gaslimit', `${gasLimit}`],
    ...['--miner.recommit', '60s'],
    ...['--rpc.txfeecap', '0', '--cache', '256', '--verbosity', '2'],
    ...(process.env.GETH_FLAGS ?? '').split(' ').filter(Boolean),
  ]
  const log = openSync(join(folder, 'log'), 'a')
  const launch = () => spawn(program, options, { stdio: ['ignore', log, log], detached: true })
  let child = launch()

  async function call<T>(to: string, method: string, params: unknown[], headers: object = {}): Promise<T> {
    const response = await fetch(to, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }
  const ask = <T>(method: string, ...params: unknown[]) => call<T>(url, method, params)
  function engine<T>(method: string, ...params: unknown[]): Promise<T> {
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
    const claims = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ iat: Math.floor(Date.now() / 1000) })}`
    const signature = createHmac('sha256', secret).update(claims).digest('base64url')
    return call(`http://127.0.0.1:${enginePort}`, method, params, {
      Authorization: `Bearer ${claims}.${signature}`,
    })
  }

  /** The seconds by which the chain's clock is ahead. */
  let ahead = -age
  /** Mines blocks, the first one with all transactions that wait. */
  async function mineBlocks(count: number, interval: number, withdrawals: object[] = []): Promise<void> {
    let parent = await ask<{ hash: Hex; timestamp: Hex }>('eth_getBlockByNumber', 'latest', false)
    for (let at = 0; at < count; at += 1)
      parent = await mineOne(parent, interval, withdrawals, at === 0 ? await waiting() : 0)
  }
  const waiting = async () => Number((await ask<{ pending: Hex }>('txpool_status')).pending)

  async function mineOne(
    parent: { hash: Hex; timestamp: Hex },
    interval: number,
    withdrawals: object[],
    transactions: number,
  ) {
    const choice = (head: Hex) => ({
      ...{ headBlockHash: head, safeBlockHash: parent.hash, finalizedBlockHash: parent.hash },
    })
    for (let attempt = 0; ; attempt += 1) {
      const clock = Math.floor(Date.now() / 1000) + ahead
      const { payloadId } = await engine<{ payloadId: Hex | null }>(
        'engine_forkchoiceUpdatedV3',
        choice(parent.hash),
        {
          ...{
            timestamp: toHex(Math.max(Number(parent.timestamp) + interval, clock) + attempt),
            withdrawals,
          },
          ...{ prevRandao: `0x${randomBytes(32).toString('hex')}`, parentBeaconBlockRoot: zero },
          suggestedFeeRecipient: `0x${'f'.repeat(40)}`,
        },
      )
      if (!payloadId) throw new Error('The node builds no block')
      // The node adds the transactions in the background, and delivers what it has.
      if (transactions > 0) await sleep((80 + transactions / 4) * 2 ** attempt)
      const { executionPayload: block, executionRequests } = await engine<{
        executionPayload: { blockHash: Hex; timestamp: Hex; transactions: Hex[] }
        executionRequests?: Hex[]
      }>('engine_getPayloadV4', payloadId)
      if (block.transactions.length < transactions && attempt < 6) continue
      const { status } = await engine<{ status: string }>(
        'engine_newPayloadV4',
        block,
        [],
        zero,
        executionRequests ?? [],
      )
      if (status !== 'VALID') throw new Error(`The node finds its own block ${status}`)
      await engine('engine_forkchoiceUpdatedV3', choice(block.blockHash), null)
      return { hash: block.blockHash, timestamp: block.timestamp }
    }
  }

  let withdrawn = 0
  /** Raises a balance by a withdrawal, which needs no transaction, in a block of its own. */
  async function raiseBalance(address: Hex, value: bigint): Promise<void> {
    const missing = value - BigInt(await ask<Hex>('eth_getBalance', address, 'latest'))
    if (missing < 0n || missing % gwei !== 0n)
      throw new Error('A node can only raise a balance, by whole gwei')
    withdrawn += 1
    const withdrawal = {
      index: toHex(withdrawn),
      validatorIndex: '0x1',
      address,
      amount: toHex(missing / gwei),
    }
    if (missing > 0n) await mineBlocks(1, 1, [withdrawal])
  }

  let turn: Promise<void> = Promise.resolve()
  const inTurn = (work: () => Promise<void>) => {
    turn = turn.catch(() => {}).then(work)
    return turn
  }
  const mine: Control['mine'] = ({ blocks, interval = 1 }) => inTurn(() => mineBlocks(blocks, interval))
  const headNumber = async () => Number(await ask<Hex>('eth_blockNumber'))
  const goBackTo = async (number: number) => void (await ask('debug_setHead', toHex(number)))
  const control: Control = {
    mine,
    setBalance: ({ address, value }) => inTurn(() => raiseBalance(address, value)),
    snapshot: async () => toHex(await headNumber()),
    revert: ({ id }) => goBackTo(Number(id)),
    increaseTime: async ({ seconds }) => {
      ahead += seconds
    },
    // A restart empties the pool.
    dropTransaction: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      process.kill(-(child.pid as number), 'SIGTERM')
      await ended
      child = launch()
      await answers(url, child)
    },
    reorg: async (depth) => {
      await goBackTo((await headNumber()) - depth)
      await mine({ blocks: depth })
    },
  }
  await answers(url, child).catch((error: Error) => {
    throw new Error(`${error.message}: ${readFileSync(join(folder, 'log'), 'utf8').slice(-500)}`)
  })
  return {
    ...{ url, control },
    takeAccount: () => accounts.pop(),
    close: async () => {
      await stop(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
