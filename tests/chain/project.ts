import { encodeDeployData, encodeFunctionData, type Hex, type PrivateKeyAccount } from 'viem'
import { type Site, startSite } from '../support/site.ts'
import { startTemporary, type TemporaryBackend } from '../support/temporary-backend.ts'
import { chainId, type Evm, readContracts, startEvm } from './evm.ts'
import { type RpcProxy, startRpcProxy } from './rpc-proxy.ts'

const names = ['treasury', 'giver', 'pool', 'tax', 'dreamer', 'stranger'] as const
type Name = (typeof names)[number]

/** One project with its own chain: wallets, tokens, endpoints, a backend, and the worker in workerd. */
export interface Project {
  evm: Evm
  /** The accounts of the configured wallets, and of a stranger. */
  who: Record<Name, PrivateKeyAccount>
  dollar: Hex
  coin: Hex
  feed: Hex
  endpoints: RpcProxy[]
  backend: TemporaryBackend
  site: Site
  variables: Record<string, string>
  /** Runs the scheduled work. The newest log line 'ledger.run', parsed; throws without one. */
  tick(site?: Site): Promise<Run>
  /** Sends a token transfer, which stays pending until a block is mined. */
  pay(
    from: PrivateKeyAccount,
    to: PrivateKeyAccount,
    amount: bigint,
    token?: Hex,
  ): Promise<{ raw: Hex; hash: Hex }>
  payMany(
    from: PrivateKeyAccount,
    to: PrivateKeyAccount[],
    amounts: bigint[],
  ): Promise<{ raw: Hex; hash: Hex }>
  tell(price: bigint): Promise<void>
  rows(): Promise<LedgerRow[]>
  close(): Promise<void>
}

interface Run {
  scanned?: string
  behind?: number
  added?: number
  unvalued?: number
  unread?: number
  checked?: Record<string, number>
  corrected?: number
  coins?: { behind?: number; unread?: string[]; unexplained?: string[]; stopped?: string }
  reorganisedAt?: number
  level?: string
  differences?: number
  notCompared?: string[]
  priced?: number
  signed?: number
  rolledBack?: true
  calls?: number
  faults?: Record<string, string>
  endpoints?: Record<string, string>
  late?: number
  recovered?: number
  stopped?: string
}

export interface LedgerRow {
  id: number
  log_index: number
  tx_hash: Hex
  ordinal: number
  revision: number
  from_address: string
  to_address: string
  token_address: string | null
  token_amount: string
  occurred_at: string
  account: string
  counter_account: string | null
  type: string
  direction: string
  pool_slug: string | null
  amount_usd: string | null
  rate_source: string | null
  status: string
  block_number: number | null
  block_hash: string | null
  checked_at: string | null
  unreachable_at: string | null
  reason: string | null
}

/** Converts an amount in dollars to base units of the token that is worth one dollar. */
export const dollars = (whole: number) => BigInt(whole) * 10n ** 18n

export const contracts = await readContracts()

/** `empty`: wallets without coins. `age`: the seconds before now at which the chain begins. */
interface Options {
  empty?: readonly Name[]
  age?: number
}

/** Starts all parts. If one part fails to start, closes the others, and throws. */
export async function startProject(endpointCount = 3, options: Options = {}): Promise<Project> {
  const parts: Part[] = []
  const start: Start = async (starting) => {
    const part = await starting
    parts.push(part)
    return part
  }
  const close = async () => {
    for (const part of parts.splice(0).reverse()) await part.close()
  }
  try {
    return { ...(await startParts(endpointCount, options, start)), close }
  } catch (error) {
    await close()
    throw error
  }
}

interface Part {
  close(): Promise<void>
}
type Start = <T extends Part>(starting: Promise<T>) => Promise<T>

async function startParts(
  endpointCount: number,
  { empty = [], age = 0 }: Options,
  start: Start,
): Promise<Omit<Project, 'close'>> {
  const evm = await start(startEvm(age))
  const backend = await start(startTemporary())
  const accounts = await Promise.all(
    names.map(async (name) => [name, await evm.newAccount({ isEmpty: empty.includes(name) })] as const),
  )
  const who = Object.fromEntries(accounts) as Project['who']

  const deployToken = (by: PrivateKeyAccount, symbol: string, decimals: number) =>
    evm.deploy(by, encodeDeployData({ ...contracts.Token, args: ['Token', symbol, decimals] }))
  const dollar = await deployToken(who.stranger, 'USDX', 18)
  const coin = await deployToken(who.stranger, 'COIN', 9)
  const feed = await evm.deploy(who.stranger, contracts.Feed.bytecode)

  const endpoints = await Promise.all(
    Array.from({ length: endpointCount }, () => start(startRpcProxy(evm.url))),
  )
  const variables = {
    SUPABASE_SECRET_KEY: backend.secretKey,
    LOG_KEY: backend.logKey,
    CHAIN_ID: String(chainId),
    CHAIN_RPC_URLS: endpoints.map(({ url }) => url).join(' '),
    CHAIN_START_BLOCK: '1',
    CHAIN_CONFIRMATIONS: '5',
    CHAIN_TOKENS: `USDX:${dollar}:18:usd COIN:${coin}:9:${feed} BNB:native:18:${feed}`,
    CHAIN_TAX_SENDERS: who.tax.address,
    CHAIN_DREAM_WALLETS: who.dreamer.address,
    TREASURY_WALLET: who.treasury.address,
    DONATION_WALLET: who.giver.address,
    POOL_WALLET_EDUCATION: who.pool.address,
  }
  const site = await start(startSite(backend, variables))

  const call = (
    by: PrivateKeyAccount,
    to: Hex,
    name: string,
    args: unknown[],
    of: 'Token' | 'Feed' = 'Token',
  ) => evm.send(by, to, { data: encodeFunctionData({ abi: contracts[of].abi, functionName: name, args }) })
  const pay: Project['pay'] = (from, to, amount, token = dollar) =>
    call(from, token, 'transfer', [to.address, amount])
  return {
    evm,
    who,
    dollar,
    coin,
    feed,
    endpoints,
    backend,
    site,
    variables,
    tick: async (on = site) => {
      const before = on.log.length
      await on.runSchedule()
      const lines = on.log.slice(before).flatMap((line) => (line.includes('"ledger.run"') ? [line] : []))
      const line = lines.at(-1)
      if (!line) throw new Error(`The run logged nothing: ${on.log.slice(before).join('\n')}`)
      return JSON.parse(line)
    },
    pay,
    payMany: (from, to, amounts) =>
      call(from, dollar, 'payMany', [to.map(({ address }) => address), amounts]),
    tell: async (price) => {
      await call(who.stranger, feed, 'tell', [price], 'Feed')
    },
    rows: () =>
      backend.sql<LedgerRow>(
        `select id::int, log_index::int, tx_hash, ordinal, revision, from_address, to_address, token_address, token_amount,
          to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as occurred_at, account, counter_account, type,
          direction, pool_slug, amount_usd::text, rate_source, status, block_number::int, block_hash, checked_at::text,
          unreachable_at::text, reason
        from public.published_transactions order by id`,
      ),
  }
}
