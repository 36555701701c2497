import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Abi,
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  type Hex,
  http,
  type PrivateKeyAccount,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { freePort } from '../../scripts/free-port.ts'
import { startGeth } from './geth.ts'
import { answers, type Control, type Node, stop } from './node.ts'
import type { RpcProxy } from './rpc-proxy.ts'

const blocksPerCall = 100

/** A chain id that no public chain uses. */
export const chainId = 731_999

/** The gas limit of a block: it allows a transaction with megabytes of event data, and thousands of transfers. */
const gasLimit = 400_000_000n

/** What anvil alone can do, beside what `Control` says: lower a balance. */
export const isRealNode = process.env.GETH_BIN !== undefined

/**
 * Takes the coins of an address, and returns a function that gives them back. A real node lowers no balance, so its
 * endpoints refuse transactions in its words.
 */
export async function takeCoins(
  { control, reader }: Evm,
  endpoints: readonly Pick<RpcProxy, 'fault'>[],
  address: Hex,
): Promise<() => Promise<void>> {
  const value = await reader.getBalance({ address })
  const refuse = (fault: RpcProxy['fault']) => {
    for (const endpoint of endpoints) endpoint.fault = fault
  }
  if (isRealNode) refuse('misses coins')
  else await control.setBalance({ address, value: 1n })
  return async () => (isRealNode ? refuse('none') : control.setBalance({ address, value }))
}

/** A local chain, which mines a block only on request: anvil, or with GETH_BIN a real node. */
export type Evm = Awaited<ReturnType<typeof startEvm>>

async function startAnvil(age: number): Promise<Node> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const gas = ['--gas-limit', `${gasLimit}`, '--hardfork', 'prague']
  const time = age > 0 ? ['--timestamp', `${Math.floor(Date.now() / 1000) - age}`] : []
  const more = ['--silent', '--no-mining', ...gas, ...time]
  const options = ['--port', `${port}`, '--chain-id', `${chainId}`, ...more]
  // A process group of its own: `anvil` is a script that starts the program; `stop` must end both.
  const child = spawn('anvil', options, { stdio: 'ignore', detached: true })
  // Calls are not retried, because a call that timed out may already have mined its blocks.
  const client = createTestClient({ transport: http(url, { retryCount: 0 }), mode: 'anvil' })
  const control: Control = {
    ...client,
    reorg: (depth) => client.request({ method: 'anvil_reorg', params: [depth, []] } as never),
  }
  await answers(url, child)
  return { url, control, takeAccount: () => undefined, close: () => stop(child) }
}

/** `age`: the seconds before now at which the chain begins; its clock goes on from there. */
export async function startEvm(age = 0) {
  const program = process.env.GETH_BIN
  const node = program ? await startGeth(program, { chainId, gasLimit, age }) : await startAnvil(age)
  const { url, control } = node
  const chain = defineChain({
    id: chainId,
    name: 'test',
    nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })
  const transport = http(url, { retryCount: 20, retryDelay: 50 })
  const reader = createPublicClient({ chain, transport, cacheTime: 0 })

  const nonces = new Map<string, number>()
  /** The hashes of the transactions that sent coins. */
  const valued: Hex[] = []
  /** Sends a transaction, which stays pending until a block is mined. Returns the signed transaction and its hash. */
  async function send(
    account: PrivateKeyAccount,
    to: Hex | null,
    more: { value?: bigint; data?: Hex; gas?: bigint },
  ) {
    const nonce = nonces.get(account.address) ?? 0
    nonces.set(account.address, nonce + 1)
    const wallet = createWalletClient({ account, chain, transport })
    const raw = await wallet.signTransaction({
      to,
      gas: 3_000_000n,
      ...more,
      nonce,
      maxFeePerGas: 10n ** 11n,
      maxPriorityFeePerGas: 1n,
    })
    const hash = await wallet.sendRawTransaction({ serializedTransaction: raw })
    if (more.value) valued.push(hash)
    return { raw, hash }
  }
  /** An account with coins, or an empty one. */
  async function newAccount({ isEmpty = false } = {}): Promise<PrivateKeyAccount> {
    const ready = isEmpty ? undefined : node.takeAccount()
    if (ready) return ready
    const account = privateKeyToAccount(generatePrivateKey())
    if (!isEmpty) await control.setBalance({ address: account.address, value: 10n ** 24n })
    return account
  }
  /** Sends transactions from a key that the site uses too, and mines them. */
  async function spend(account: PrivateKeyAccount, count: number): Promise<void> {
    const { address } = account
    const first = await reader.getTransactionCount({ address })
    const wallet = createWalletClient({ account, chain, transport })
    for (let nonce = first; nonce < first + count; nonce += 1)
      await wallet.sendTransaction({ to: address, nonce, gas: 21_000n, gasPrice: 10n ** 10n, type: 'legacy' })
    await control.mine({ blocks: 1 })
  }
  async function deploy(account: PrivateKeyAccount, data: Hex, value = 0n): Promise<Hex> {
    const { hash } = await send(account, null, { data, value })
    await control.mine({ blocks: 1 })
    const { contractAddress } = await reader.getTransactionReceipt({ hash })
    if (!contractAddress) throw new Error('The contract was not made')
    return contractAddress.toLowerCase() as Hex
  }
  return {
    url,
    reader,
    control,
    send,
    valued,
    newAccount,
    spend,
    deploy,
    /** Mines blocks, at most `blocksPerCall` at a time, so that no call reaches the client's timeout. */
    mine: async (blocks = 1, interval = 1) => {
      for (let left = blocks; left > 0; left -= blocksPerCall)
        await control.mine({ blocks: Math.min(left, blocksPerCall), interval })
    },
    close: node.close,
  }
}

interface Compiled {
  abi: Abi
  evm: { bytecode: { object: string } }
}

const names = [
  'List',
  'Token',
  'Sweeper',
  'Taxed',
  'Costly',
  'Feed',
  'Noise',
  'Hostile',
  'Pair',
  'Safe',
  'Payer',
  'Wrapped',
  'Reflecting',
  'Elastic',
  'Rebasing',
] as const
type Contracts = Record<(typeof names)[number], { abi: Abi; bytecode: Hex }>

/**
 * The contracts of Token.sol. They are compiled once and stored, because loading the compiler takes longer
 * than many tests. Throws the errors of the compiler if it produces no contract.
 */
export async function readContracts(): Promise<Contracts> {
  const content = readFileSync(fileURLToPath(new URL('./Token.sol', import.meta.url)), 'utf8')
  const version = readFileSync('node_modules/solc/package.json')
  const hash = createHash('sha256').update(version).update(content).digest('hex').slice(0, 16)
  const file = resolve(`node_modules/.cache/goodblock-contracts-${hash}.json`)
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  const compiled = await compile(content)
  mkdirSync('node_modules/.cache', { recursive: true })
  // A different test process may write the same file at the same time, but renaming is atomic.
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(compiled))
  renameSync(`${file}.${process.pid}`, file)
  return compiled
}

async function compile(content: string): Promise<Contracts> {
  const { default: solc } = await import('solc')
  const input = {
    language: 'Solidity',
    sources: { 'Token.sol': { content } },
    settings: { outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
  }
  const { contracts, errors } = JSON.parse(solc.compile(JSON.stringify(input)))
  if (!contracts) throw new Error(JSON.stringify(errors))
  const of = ({ abi, evm }: Compiled) => ({ abi, bytecode: `0x${evm.bytecode.object}` as Hex })
  return Object.fromEntries(names.map((name) => [name, of(contracts['Token.sol'][name])])) as Contracts
}
