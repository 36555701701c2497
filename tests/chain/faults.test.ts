import { encodeFunctionData } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startSite } from '../support/site.ts'
import { contracts, dollars, type Project, startProject } from './project.ts'
import { catchUp, expectEqualToChain } from './truth.ts'

let project: Project
beforeAll(async () => {
  project = await startProject()
  const { evm, who, pay } = project
  for (const account of Object.values(who))
    if (account !== who.stranger) await pay(who.stranger, account, dollars(500))
  await evm.mine(10)
  await catchUp(project)
})
afterAll(() => project.close())
afterEach(() => {
  for (const endpoint of project.endpoints) Object.assign(endpoint, { fault: 'none', provider: null })
})

/** Makes five transfers from or to the project's wallets, and mines until they are final. */
async function payAround() {
  const { evm, who, pay, payMany } = project
  await pay(who.stranger, who.treasury, dollars(7))
  await payMany(who.stranger, [who.treasury, who.tax, who.pool], [dollars(1), dollars(2), dollars(3)])
  await evm.mine()
  await pay(who.treasury, who.pool, dollars(5))
  await evm.send(who.stranger, who.pool.address, { value: 12n })
  await evm.mine(6)
}

test.each([
  ['dead', 'does not respond'],
  ['half a response', 'does not respond'],
  ['not JSON', 'returns an unexpected format'],
  ['hangs', 'does not respond'],
  ['limits', 'limits our rate'],
  ['other chain', 'is on chain 1'],
  ['lags', 'is 30 blocks behind'],
  ['drops logs', 'disagrees with two others on eth_getLogs'],
  ['invents amounts', 'disagrees with two others on eth_'],
  ['denies receipts', 'disagrees with two others on eth_getTransactionReceipt'],
  ['invents balances', 'disagrees with two others on eth_getBalance'],
  ['hides transactions', 'disagrees with two others on eth_getBlockByNumber'],
] as const)(
  'the ledger matches the chain while one endpoint of three has a fault: %s',
  async (fault, said) => {
    const [first] = project.endpoints
    if (first) first.fault = fault
    await payAround()
    const run = await project.tick()
    expect(run.faults?.['endpoint 1']).toContain(said)
    expect(run).toMatchObject({ added: 5 })
    expect(run).not.toHaveProperty('stopped')
    await expectEqualToChain(project)
  },
)

test('endpoints that forget old transactions, and deliver no receipts of a block, agree with one that does not', async () => {
  const { evm, endpoints, tick } = project
  const [first, second] = endpoints
  await payAround()
  await evm.mine(20)
  const error = { code: -32601, message: 'the method eth_getBlockReceipts does not exist' }
  const lacks = { methods: ['eth_getBlockReceipts'], error }
  const forgetful = { fault: 'forgets old transactions', kept: 10 }
  Object.assign(first ?? {}, { ...forgetful, provider: { name: 'without receipts of a block', lacks } })
  Object.assign(second ?? {}, forgetful)
  const run = await tick()
  expect(run).toMatchObject({ added: 5, faults: {} })
  expect(run).not.toHaveProperty('unread')
  await expectEqualToChain(project)
})

test('if two endpoints differ and the third does not respond, nothing is written until two endpoints agree', async () => {
  const [first, second] = project.endpoints
  if (first && second) {
    first.fault = 'invents amounts'
    second.fault = 'dead'
  }
  await payAround()
  const before = await project.rows()
  const run = await project.tick()
  expect(run.stopped).toContain('no result for eth_getLogs')
  expect(run.faults).toMatchObject({ eth_getLogs: 'no two endpoints agree' })
  expect(await project.rows()).toEqual(before)

  if (first) first.fault = 'none'
  await catchUp(project)
  await expectEqualToChain(project)
})

test('shrinks the range until endpoints that allow only small ranges respond', async () => {
  for (const endpoint of project.endpoints) endpoint.fault = 'small ranges'
  await payAround()
  await project.evm.mine(60)
  await catchUp(project)
  await expectEqualToChain(project)
})

test('keeps the known rows when no endpoint responds, and the page shows these rows with their age', async () => {
  const { evm, who, pay, backend, endpoints, tick } = project
  await pay(who.tax, who.treasury, dollars(9))
  await evm.mine(2)
  expect((await tick()).checked).toMatchObject({ pending: 1 })
  const known = await project.rows()

  for (const endpoint of endpoints) endpoint.fault = 'dead'
  expect((await tick()).stopped).toContain('too few endpoints respond')
  expect((await tick()).stopped).toContain('too few endpoints respond')
  const after = await project.rows()
  const last = after.at(-1)
  expect(last).toMatchObject({ status: 'pending', unreachable_at: expect.any(String) })
  expect(after.slice(0, -1)).toEqual(known.slice(0, -1))
  const checks = await backend.sql<{ count: number }>(
    "select count(*)::int from public.transaction_checks where status = 'unreachable'",
  )
  expect(checks).toEqual([{ count: 1 }])

  const page = await (await fetch(`${project.site.url}/transparency?rows=all`)).text()
  expect(page).toContain(last?.tx_hash)
  expect(page).toMatch(/Waiting/)

  for (const endpoint of endpoints) endpoint.fault = 'none'
  await evm.mine(5)
  await catchUp(project)
  expect((await project.rows()).at(-1)).toMatchObject({ status: 'verified', unreachable_at: null })
  await expectEqualToChain(project)
})

test('concurrent runs neither lose nor duplicate a row', async () => {
  const other = await startSite(project.backend, project.variables)
  for (let i = 0; i < 3; i += 1) await payAround()
  const before = project.site.log.length
  await Promise.all([project.site, other, project.site, other].map((site) => site.runSchedule()))
  await other.close()
  const runs = [...project.site.log.slice(before), ...other.log].filter((line) =>
    line.includes('"ledger.run"'),
  )
  expect(runs).toHaveLength(4)
  const stops = runs.flatMap((line) => JSON.parse(line).stopped ?? [])
  expect(stops).toEqual(stops.map(() => 'another run was faster'))
  await catchUp(project)
  await expectEqualToChain(project)
})

test('a run that is killed at any point neither loses nor duplicates a row', async () => {
  for (const method of [
    'eth_getLogs',
    'eth_getTransactionReceipt',
    'eth_getBlockByNumber',
    'eth_getBalance',
    'append',
  ]) {
    await payAround()
    const other = await startSite(project.backend, project.variables)
    for (const { called } of project.endpoints) called.length = 0
    const count = (await project.rows()).length
    const run = other.runSchedule().catch(() => {})
    await expect
      .poll(
        async () =>
          method === 'append'
            ? (await project.rows()).length > count
            : project.endpoints.some(({ called }) => called.includes(method)),
        { interval: 1 },
      )
      .toBe(true)
    await other.close()
    await run
  }
  await catchUp(project)
  await expectEqualToChain(project)
})

test('after a reorganisation, shows lost transfers as lost and moves the transfers that were mined again', async () => {
  const { evm, who, pay, tick } = project
  const snapshot = await evm.control.snapshot()
  const kept = await pay(who.tax, who.treasury, dollars(11))
  const keptCoins = await evm.send(who.tax, who.treasury.address, { value: 11n })
  await evm.mine(3)
  const lost = await pay(who.dreamer, who.treasury, dollars(12))
  const lostCoins = await evm.send(who.dreamer, who.treasury.address, { value: 12n })
  const later = await pay(who.giver, who.pool, dollars(13))
  await evm.mine(8) // The number of confirmations makes the transfers final.
  await catchUp(project)
  await expectEqualToChain(project)

  await evm.control.revert({ id: snapshot })
  await evm.control.increaseTime({ seconds: 100 })
  await evm.reader.request({ method: 'eth_sendRawTransaction', params: [later.raw] })
  await evm.mine(2)
  for (const { raw } of [kept, keptCoins])
    await evm.reader.request({ method: 'eth_sendRawTransaction', params: [raw] })
  await pay(who.treasury, who.dreamer, dollars(14))
  await evm.mine(2)
  const run = await tick() // The chain is now shorter than the part that the job has read.
  expect(run).not.toHaveProperty('stopped')
  await evm.mine(20)
  const found = await tick()
  expect(found.reorganisedAt).toBeGreaterThan(0)
  await catchUp(project)
  await expectEqualToChain(project)

  const rows = await project.rows()
  for (const { hash } of [lost, lostCoins])
    expect(rows.find(({ tx_hash }) => tx_hash === hash)).toMatchObject({
      status: 'reorganised',
      reason: "This transaction isn't on the blockchain.",
    })
  for (const { hash } of [kept, keptCoins, later]) {
    expect(rows.find(({ tx_hash }) => tx_hash === hash)).toMatchObject({ status: 'verified', revision: 1 })
  }
})

test('after a reorganisation, corrects the amount of a transfer that was mined again with another one', async () => {
  const { evm, who, pay, tick, dollar } = project
  const sweeper = await evm.deploy(who.stranger, contracts.Sweeper.bytecode)
  const other = await evm.newAccount()
  await pay(who.stranger, other, dollars(2))
  await pay(who.stranger, { ...who.stranger, address: sweeper }, dollars(5))
  await evm.mine(1)
  const snapshot = await evm.control.snapshot()
  await pay(other, { ...other, address: sweeper }, dollars(2))
  await evm.mine(1)
  const args = [dollar, who.treasury.address]
  const data = encodeFunctionData({ abi: contracts.Sweeper.abi, functionName: 'sweep', args })
  const { raw, hash } = await evm.send(who.tax, sweeper, { data, gas: 200_000n })
  await evm.mine(8)
  await catchUp(project)
  const rowOf = async () => (await project.rows()).find(({ tx_hash }) => tx_hash === hash)
  const first = await rowOf()
  expect(first).toMatchObject({ status: 'verified', token_amount: `${dollars(7)}`, amount_usd: '7.00' })

  await evm.control.revert({ id: snapshot })
  await evm.mine(1)
  await evm.reader.request({ method: 'eth_sendRawTransaction', params: [raw] })
  await evm.mine(20)
  expect((await tick()).reorganisedAt).toBeGreaterThan(0)
  await catchUp(project)
  await expectEqualToChain(project)
  expect(await rowOf()).toMatchObject({
    ...{ status: 'verified', revision: Number(first?.revision) + 1 },
    ...{ token_amount: `${dollars(5)}`, amount_usd: '5.00' },
  })
})

test('after empty blocks replace the last blocks, no sum includes the rows of the replaced blocks', async () => {
  const { evm, who, pay, tick } = project
  const { hash } = await pay(who.stranger, who.treasury, dollars(1000))
  await evm.mine(2)
  await tick()
  await evm.control.reorg(3)
  await evm.mine(1)
  expect((await tick()).reorganisedAt).toBeGreaterThan(0)
  await evm.mine(6)
  await catchUp(project)
  const row = (await project.rows()).find(({ tx_hash }) => tx_hash === hash)
  // The node may have mined the transaction again by itself.
  const receipt = await evm.reader.getTransactionReceipt({ hash }).catch(() => null)
  expect(row?.status).toBe(receipt ? 'verified' : 'reorganised')
  await expectEqualToChain(project)
})
