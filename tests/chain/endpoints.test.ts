import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { providers, withoutLogs } from '../support/providers.ts'
import { type Site, startSite } from '../support/site.ts'
import { dollars, type Project, startProject } from './project.ts'
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

async function give(amount: number) {
  const { hash } = await project.pay(project.who.stranger, project.who.treasury, dollars(amount))
  await project.evm.mine(8)
  return hash
}

test('a run names what each endpoint serves and lacks', async () => {
  const [, second] = project.endpoints
  if (second) second.fault = 'refuses old state'
  const site = await startSite(project.backend, project.variables)
  toClose.push(site)
  expect((await project.tick(site)).endpoints).toMatchObject({
    'endpoint 1': 'serves logs, receipts, old state, final blocks',
    'endpoint 2': 'serves logs, receipts, final blocks; lacks old state',
  })
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

test('with a single endpoint, a gift that a node behind it did not have is found minutes later', async () => {
  await project.tick(single)
  const endpoint = first()
  Object.assign(endpoint, { fault: 'logs are behind', lag: 30 })
  const hash = await give(7)
  expect(await project.tick(single)).toMatchObject({ added: 0 })
  expect(await hasRow(hash)).toBe(false)
  endpoint.fault = 'none'
  await project.evm.mine(610)
  expect(await project.tick(single)).toMatchObject({ late: 1, level: 'warn' })
  expect(await hasRow(hash)).toBe(true)
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

test.each(providers)(
  'the scan reads everything from an endpoint like that of $name',
  async (provider) => {
    first().provider = provider
    const site = await startSingle()
    const { evm, who, pay, tick } = project
    await give(8)
    await pay(who.treasury, who.pool, dollars(5))
    await evm.send(who.stranger, who.pool.address, { value: 12n })
    await evm.mine(12)
    await catchUp({ ...project, tick: () => tick(site) })
    await expectEqualToChain(project)
  },
  60_000,
)
