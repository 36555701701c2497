import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openChain } from '../../app/chain/rpc.ts'
import { scanCoins, startBefore } from '../../app/ledger/job/coin-scan.ts'
import { scanSteps } from '../../app/ledger/job/scan.ts'
import type { Watch } from '../../app/ledger/job/watch.ts'
import { addOperator } from '../support/operators.ts'
import { providers, withoutLogs } from '../support/providers.ts'
import { type Site, startSite } from '../support/site.ts'
import { documentOf, sessionCookie, Visitor } from '../support/visitor.ts'
import { dollars, type Project, startProject } from './project.ts'
import { startRpcProxy } from './rpc-proxy.ts'
import { catchUp, compareBalances, expectEqualToChain } from './truth.ts'

let project: Project
/** A site with the first endpoint only. */
let single: Site
const toClose: Site[] = []

beforeAll(async () => {
  project = await startProject()
  await project.pay(project.who.stranger, project.who.treasury, dollars(500))
  await project.evm.mine(10)
  await catchUp(project)
  single = await startSingle()
})
afterAll(async () => {
  for (const site of toClose) await site.close()
  await project.close()
})
afterEach(() => {
  for (const endpoint of project.endpoints) Object.assign(endpoint, { fault: 'none', provider: null })
})

/** A new isolate, which has not probed the endpoint yet. */
async function startSingle(): Promise<Site> {
  const [first] = project.endpoints
  const site = await startSite(project.backend, { ...project.variables, CHAIN_RPC_URLS: first?.url ?? '' })
  toClose.push(site)
  return site
}

const first = () => {
  const [endpoint] = project.endpoints
  if (!endpoint) throw new Error('No endpoint')
  endpoint.called.length = 0
  return endpoint
}
const logCalls = () => project.endpoints[0]?.called.filter((method) => method === 'eth_getLogs').length
const hasRow = async (hash: string) => (await project.rows()).some(({ tx_hash }) => tx_hash === hash)

/** The words of an operator's page about the ledger job. */
async function operatorWords(site: Site): Promise<string> {
  operator ??= (await addOperator(project.backend, 'ada')).client.auth.getSession()
  const { data } = await operator
  const page = await new Visitor(site.url).carry(sessionCookie, data.session ?? {}).get('/operator')
  return documentOf(page).querySelector('main')?.text.replace(/\s+/g, ' ') ?? ''
}
let operator: ReturnType<Awaited<ReturnType<typeof addOperator>>['client']['auth']['getSession']> | undefined

async function give(amount: number) {
  const { hash } = await project.pay(project.who.stranger, project.who.treasury, dollars(amount))
  await project.evm.mine(8)
  return hash
}

/** What a full endpoint serves and lacks. Without validators, the node of BNB Smart Chain has no final block. */
async function served(lacks: string): Promise<string> {
  const hasFinal = await project.evm.reader.getBlock({ blockTag: 'finalized' }).then(
    () => true,
    () => false,
  )
  const all = ['logs', 'receipts', 'receipts of old transactions', 'old state', 'final blocks']
  const isLacked = (name: string) => name === lacks || (name === 'final blocks' && !hasFinal)
  const lacked = all.filter(isLacked)
  const serves = `serves ${all.filter((name) => !isLacked(name)).join(', ')}`
  return lacked.length > 0 ? `${serves}; lacks ${lacked.join(', ')}` : serves
}

test('a run names what each endpoint serves and lacks', async () => {
  const [, second] = project.endpoints
  if (second) second.fault = 'refuses old state'
  const site = await startSite(project.backend, project.variables)
  toClose.push(site)
  const [full, poor] = [await served(''), await served('old state')]
  expect((await project.tick(site)).endpoints).toMatchObject({ 'endpoint 1': full, 'endpoint 2': poor })
  expect(await operatorWords(site)).toMatch(
    new RegExp(`Endpoints:( \\(.+?\\))? endpoint 1 ${full}; endpoint 2 ${poor}; endpoint 3 serves`),
  )
})

test('a run names what an endpoint has forgotten of the oldest transaction', async () => {
  const [, second] = project.endpoints
  Object.assign(second ?? {}, { fault: 'forgets old transactions', kept: 1 })
  const site = await startSite(project.backend, project.variables)
  toClose.push(site)
  expect((await project.tick(site)).endpoints).toMatchObject({
    'endpoint 1': await served(''),
    'endpoint 2': await served('receipts of old transactions'),
  })
})

test('a token that differs from CHAIN_TOKENS is named on the pages of health and of operators', async () => {
  const { backend, variables, dollar, tick } = project
  const CHAIN_TOKENS = `USDX:${dollar}:6:usd USDY:${project.who.stranger.address}:18:usd`
  const site = await startSite(backend, { ...variables, CHAIN_TOKENS })
  toClose.push(site)
  const tokens = [
    'USDX: CHAIN_TOKENS says 6 decimals, its contract 18',
    'USDY: the address of CHAIN_TOKENS is not a token contract with decimals',
  ]
  expect(await tick(site)).toMatchObject({ level: 'warn', tokens })
  const health = await (await fetch(`${site.url}/healthz`)).json()
  expect(health).toMatchObject({ status: 'degraded', unavailable: expect.arrayContaining(['tokens']) })
  expect(await operatorWords(site)).toContain(tokens.join('; '))
})

test('an endpoint without eth_getLogs is named in its first run, on the page of health, and is not asked again', async () => {
  const hash = await give(1)
  await project.evm.mine(300)
  const endpoint = first()
  endpoint.provider = withoutLogs
  const site = await startSingle()
  const run = await project.tick(site)
  expect(run).toMatchObject({ level: 'warn', faults: { 'endpoint 1': 'does not serve eth_getLogs' } })
  expect(run.stopped).toContain('endpoint 1 does not serve eth_getLogs')
  expect(logCalls()).toBe(1)
  const health = await (await fetch(`${site.url}/healthz`)).json()
  expect(health).toMatchObject({ unavailable: expect.arrayContaining(['endpoints']) })
  expect(await operatorWords(site)).toMatch(/Endpoints:( \(.+?\))? endpoint 1 does not serve eth_getLogs/)

  endpoint.provider = null
  await project.tick(site)
  expect(await hasRow(hash)).toBe(true)
  expect(JSON.stringify(await (await fetch(`${site.url}/healthz`)).json())).toContain('endpoints')
})

test('an endpoint that switches eth_getLogs off is named in the next run', async () => {
  const hash = await give(2)
  await project.evm.mine(300)
  await project.tick(single)
  await give(3)
  const endpoint = first()
  endpoint.fault = 'serves no logs'
  const run = await project.tick(single)
  expect(run.stopped).toContain('endpoint 1 does not serve eth_getLogs')
  expect(logCalls()).toBeLessThan(30)
  expect(await hasRow(hash)).toBe(true)
})

test('an endpoint that was silent for a day is named, and is asked once an hour until it answers', async () => {
  const endpoint = first()
  const since = async (hours: number) => {
    const at = new Date(Date.now() - hours * 3_600_000 - 10_000).toISOString()
    await project.backend.sql(
      `update private.last_runs set report = jsonb_set(report, '{silent,endpoint 1}', to_jsonb($1::text)) where which = 'last'`,
      [at],
    )
    endpoint.called.length = 0
    return { silent: { 'endpoint 1': at } }
  }
  endpoint.fault = 'dead'
  expect(await project.tick()).toMatchObject({ silent: { 'endpoint 1': expect.stringMatching(/^20.+Z$/) } })
  expect(endpoint.called.length).toBeGreaterThan(0)
  const fault = 'has not answered for a day, and is asked once an hour'
  const known = await since(24.5)
  expect(await project.tick()).toMatchObject({ level: 'warn', faults: { 'endpoint 1': fault }, ...known })
  expect(endpoint.called).toEqual([])
  expect(await (await fetch(`${project.site.url}/healthz`)).json()).toMatchObject({
    unavailable: expect.arrayContaining(['endpoints']),
  })
  await since(23.5)
  await project.tick()
  expect(endpoint.called.length).toBeGreaterThan(0)
  endpoint.fault = 'none'
  await since(25)
  expect(await project.tick()).toMatchObject({ silent: {} })
  expect(endpoint.called.length).toBeGreaterThan(0)
})

test('with two others, an endpoint without eth_getLogs is named and the ledger is complete', async () => {
  first().fault = 'serves no logs'
  const site = await startSite(project.backend, project.variables)
  toClose.push(site)
  await give(4)
  const run = await project.tick(site)
  expect(run.faults).toEqual({ 'endpoint 1': 'does not serve eth_getLogs' })
  expect(run).not.toHaveProperty('stopped')
  await catchUp(project)
  await expectEqualToChain(project)
})

test('a run waits for an endpoint that limits the rate, names the limit, and then reads everything', async () => {
  const hash = await give(5)
  const endpoint = first()
  Object.assign(endpoint, { fault: 'limits logs', refuses: 2 })
  const run = await project.tick(single)
  expect(run).toMatchObject({ level: 'warn', faults: { 'endpoint 1': 'limits our rate' }, added: 1 })
  expect(run).not.toHaveProperty('stopped')
  expect(await hasRow(hash)).toBe(true)
})

test('a run stops asking an endpoint that limits the rate for long', async () => {
  await give(6)
  Object.assign(first(), { fault: 'limits logs', refuses: Number.POSITIVE_INFINITY })
  const run = await project.tick(single)
  expect(run.stopped).toContain('endpoint 1 limits our rate')
  expect(logCalls()).toBeLessThan(15)
}, 60_000)

test('with a single endpoint, gifts that a node behind it did not have are found minutes later', async () => {
  await project.tick(single)
  const endpoint = first()
  // A load balancer asks another node for logs than for blocks: https://github.com/subquery/subql/issues/1999
  Object.assign(endpoint, { fault: 'logs are behind', lag: 30 })
  const hashes = [await give(7)]
  expect(await project.tick(single)).toMatchObject({ added: 0 })
  // The node has the block, and not all its logs: https://github.com/ethereum/go-ethereum/issues/26098 (none yet),
  // https://github.com/cowprotocol/services/pull/2518 (a part)
  endpoint.fault = 'drops logs'
  hashes.push(await give(70))
  expect(await project.tick(single)).toMatchObject({ added: 0 })
  await give(71)
  hashes.push(await give(72))
  expect(await project.tick(single)).toMatchObject({ added: 1 })
  for (const hash of hashes) expect(await hasRow(hash)).toBe(false)
  endpoint.fault = 'none'
  await project.evm.mine(610)
  expect(await project.tick(single)).toMatchObject({ late: 3, level: 'warn' })
  for (const hash of hashes) expect(await hasRow(hash)).toBe(true)
})

test('a missed gift is found by the next comparison of balances, without an operator', async () => {
  await project.tick(single)
  const endpoint = first()
  Object.assign(endpoint, { fault: 'logs are behind', lag: 30 })
  const hash = await give(77)
  await project.tick(single)
  expect(await hasRow(hash)).toBe(false)
  endpoint.fault = 'none'
  const { tick } = project
  const run = await compareBalances({ ...project, tick: () => tick(single) })
  expect(run).toMatchObject({ recovered: 1, level: 'warn' })
  const missing = await project.backend.sql(
    "select 1 from public.published_reconciliations where token_symbol = 'USDX' and difference <> '0'",
  )
  expect(missing).toEqual([])
  expect((await project.rows()).find(({ tx_hash }) => tx_hash === hash)).toMatchObject({ status: 'verified' })
})

/** Gives coins while the endpoint has old balances, and reads them. */
async function giveUnseen() {
  const { evm, who } = project
  await evm.mine(6)
  await project.tick(single)
  await evm.mine(20)
  await project.tick(single)
  const endpoint = first()
  Object.assign(endpoint, { fault: 'balances are behind', lag: 30 })
  const { hash } = await evm.send(who.stranger, who.pool.address, { value: 7n })
  await evm.mine(8)
  await project.tick(single)
  expect(await hasRow(hash)).toBe(false)
  endpoint.fault = 'none'
  await evm.mine(30)
  return hash
}

// A node behind a load balancer that has old state: https://github.com/MetaMask/metamask-extension/issues/5883
test('coins that a wrong balance of the only endpoint hid are found by the next run', async () => {
  const hash = await giveUnseen()
  const run = await project.tick(single)
  expect(run).toMatchObject({ added: 1 })
  expect(run).not.toHaveProperty('coins')
  expect((await project.rows()).find(({ tx_hash }) => tx_hash === hash)).toMatchObject({ status: 'verified' })
})

test('coins that all remembered balances hide are found by the next comparison, without an operator', async () => {
  const { tick } = project
  // The wallets had coins before the first block, so each differs by the same amount as before.
  const difference = () =>
    project.backend.sql(
      'select wallet, difference from public.published_reconciliations order by token_address, wallet',
    )
  await compareBalances({ ...project, tick: () => tick(single) })
  const before = await difference()
  const hash = await giveUnseen()
  await project.backend.sql(
    'delete from private.coin_balances as old using private.coin_balances as newer where old.wallet = newer.wallet and old.block_number < newer.block_number',
  )
  expect((await tick(single)).coins?.unexplained).toHaveLength(1)
  expect(await hasRow(hash)).toBe(false)
  await project.evm.mine(1)
  const run = await compareBalances({ ...project, tick: () => tick(single) })
  expect(run).toMatchObject({ level: 'warn', recovered: 1 })
  expect(await difference()).toEqual(before)
  expect((await project.rows()).find(({ tx_hash }) => tx_hash === hash)).toMatchObject({ status: 'verified' })
})

/** Payments after the block `from`, with their hashes. All are final. */
async function payAll() {
  const { evm, who, pay } = project
  await evm.mine(6)
  const from = Number(await evm.reader.getBlockNumber())
  const hashes = [await give(8)]
  hashes.push((await pay(who.treasury, who.pool, dollars(5))).hash)
  hashes.push((await evm.send(who.stranger, who.pool.address, { value: 12n })).hash)
  await evm.mine(12)
  hashes.push(await give(9))
  await evm.mine(12)
  return { from, until: Number(await evm.reader.getBlockNumber()) - 4, hashes: hashes.sort() }
}
let paid: ReturnType<typeof payAll> | undefined

// In this process and at the same time, because a run of the worker for each provider would take half a minute.
test.concurrent.each(providers)(
  'the scan reads everything from an endpoint like that of $name',
  async (provider) => {
    paid ??= payAll()
    const { from, until, hashes } = await paid
    const { evm, who, dollar, variables } = project
    const endpoint = await startRpcProxy(evm.url)
    endpoint.provider = provider
    try {
      const chain = await openChain([endpoint.url], Number(variables.CHAIN_ID))
      const watch: Watch = {
        ...{ chainId: chain.id, urls: [endpoint.url], startBlock: from + 1, confirmations: 5 },
        tokens: [
          { symbol: 'USDX', address: dollar.toLowerCase(), decimals: 18, value: 'usd' },
          { symbol: 'BNB', address: null, decimals: 18, value: null },
        ],
        accounts: new Map([
          [who.treasury.address.toLowerCase(), 'treasury'],
          [who.pool.address.toLowerCase(), 'education'],
        ]),
        ...{ taxSenders: [], dreamWallets: [], goals: new Map() },
      }
      const found = new Set<string>()
      for await (const { newRows } of scanSteps(chain, watch, from + 1, until))
        for (const { tx_hash } of newRows) found.add(tx_hash)
      for (const wallet of watch.accounts.keys()) {
        const coins = await scanCoins(chain, watch, startBefore(from + 1, wallet, 0n), until)
        expect([coins.unread, coins.unexplained]).toEqual([[], []])
        for (const { tx_hash } of coins.newRows) found.add(tx_hash)
      }
      expect([...found].sort()).toEqual(hashes)
    } finally {
      await endpoint.close()
    }
  },
  60_000,
)

test('the ledger is complete with an endpoint that refuses ranges of more than 10 blocks and many calls a second', async () => {
  first().provider = providers.find(({ name }) => name.startsWith('Alchemy')) ?? null
  const site = await startSingle()
  await catchUp({ ...project, tick: () => project.tick(site) })
  await expectEqualToChain(project)
}, 60_000)
