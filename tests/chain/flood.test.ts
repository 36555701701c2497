import { encodeFunctionData } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { contracts, dollars, type Project, startProject } from './project.ts'
import { catchUp, compareBalances } from './truth.ts'

/** What a stranger may send to stop the ledger. After each flood, the next run lists an honest gift. */

let project: Project
beforeAll(async () => {
  project = await startProject(1)
  await project.evm.mine(2)
  await catchUp(project)
})
afterAll(() => project?.close())
const endpoint = () => project.endpoints[0] as Project['endpoints'][number]
beforeEach(() => {
  endpoint().called.length = 0
})
afterEach(() => Object.assign(endpoint(), { fault: 'none', delay: 0, dies: Number.POSITIVE_INFINITY }))

/**
 * Sends transactions to the treasury. They stay pending. Each transaction has one transfer of one base unit,
 * and further transfers of a zero amount. The latter make no rows, but they make the responses from the
 * endpoints larger.
 */
async function sendDust(transactions: number, transfers = 1) {
  const { who, pay, payMany } = project
  const amounts = Array.from({ length: transfers }, (_, at) => (at === 0 ? 1n : 0n))
  for (let sent = 0; sent < transactions; sent += 1)
    if (transfers === 1) await pay(who.stranger, who.treasury, 1n)
    else await payMany(who.stranger, Array(transfers).fill(who.treasury), amounts)
}

/** Sends an honest gift after the flood, and expects the next run to list it. */
async function expectNextGift() {
  const { evm, who, pay, tick } = project
  const { hash } = await pay(who.tax, who.treasury, dollars(5))
  await evm.mine(1)
  const run = await tick()
  const rows = await project.backend.sql('select from public.transactions where tx_hash = $1', [hash])
  expect(rows, JSON.stringify(run)).toHaveLength(1)
  expect(run).not.toHaveProperty('stopped')
  return run
}

const count = (method: string) => endpoint().called.filter((each) => each === method).length
const unread = () =>
  project.backend.sql<{ tx_hash: string; fault: string }>(
    'select tx_hash, fault from private.unread_transactions',
  )
const begun = async () =>
  (await project.backend.sql<{ at: number | null }>('select begun_index::int as at from ledger_status'))[0]
    ?.at

test('without a flood, the next run lists an honest gift', async () => {
  const { evm, who, pay, tick } = project
  await pay(who.stranger, who.tax, dollars(1_000))
  await evm.mine(1)
  await tick()
  await expectNextGift()
})

test('if the response with the event logs is too large, a range of blocks is halved and a single block is split', async () => {
  const { evm, backend, tick } = project
  const dust = async () =>
    (await backend.sql('select from public.transactions where token_amount = 1')).length
  const before = await dust()
  for (const blocks of [27, 1]) {
    for (let sent = 0; sent < blocks; sent += 1) {
      await sendDust(135 / blocks, 100)
      await evm.mine(1)
    }
    const run = await tick()
    expect(run).not.toHaveProperty('stopped')
    expect(run.faults).toEqual({})
    await expectNextGift()
  }
  expect(await dust()).toBe(before + 270)
})

test('a slow endpoint returns the receipts of many transactions in one block with one call', async () => {
  const { evm } = project
  endpoint().delay = 250
  await sendDust(300)
  await evm.mine(1)
  const run = await expectNextGift()
  expect(run.added).toBe(301)
  expect(count('eth_getBlockReceipts')).toBe(1)
  expect(count('eth_getTransactionReceipt')).toBeLessThan(10)
})

test('an endpoint without the call for all receipts of a block is healthy, and a killed run continues inside the block', async () => {
  const { evm, tick } = project
  Object.assign(endpoint(), { fault: 'lacks block receipts', dies: 130 })
  await sendDust(150)
  await evm.mine(1)
  const stopped = await tick()
  expect(stopped.stopped).toBeDefined()
  expect(stopped.faults).toEqual({ 'endpoint 1': 'does not respond' })
  expect(await begun()).toBe(99)
  endpoint().dies = Number.POSITIVE_INFINITY
  endpoint().called.length = 0
  const run = await expectNextGift()
  expect(run.faults).toEqual({})
  // The scan comes before the search for coins. The scan reads the rest of the block, and the gift.
  const scan = endpoint().called.slice(0, endpoint().called.indexOf('eth_getBalance'))
  expect(scan.filter((method) => method === 'eth_getTransactionReceipt')).toHaveLength(51)
  expect(await begun()).toBeNull()
})

test('a transaction that the endpoints do not deliver for a while is read again soon', async () => {
  const { evm, backend, who, pay, tick } = project
  const { hash } = await pay(who.tax, who.treasury, dollars(1))
  await evm.mine(1)
  endpoint().fault = 'denies receipts'
  expect(await tick()).toMatchObject({ unread: 1 })
  expect(await unread()).toEqual([{ tx_hash: hash, fault: 'no endpoint has its receipt' }])
  endpoint().fault = 'none'
  const earlier = "found_at = found_at - interval '1 minute', tried_at = tried_at - interval '1 minute'"
  await backend.sql(`update private.unread_transactions set ${earlier}`)
  expect(await tick()).toMatchObject({ added: 1 })
  expect(await unread()).toEqual([])
})

test('a transaction whose receipt is too large stays unread, and is reported with the true reason', async () => {
  const { evm, who, dollar, backend, tick, site } = project
  const noise = await evm.deploy(who.stranger, contracts.Noise.bytecode)
  const approve = encodeFunctionData({
    abi: contracts.Token.abi,
    functionName: 'approve',
    args: [noise, dollars(1)],
  })
  await evm.send(who.stranger, dollar, { data: approve })
  const args = [dollar, who.treasury.address, 1n, 4_500_000n]
  const data = encodeFunctionData({ abi: contracts.Noise.abi, functionName: 'pay', args })
  const { hash } = await evm.send(who.stranger, noise, { data, gas: 200_000_000n })
  await evm.mine(1)
  expect((await evm.reader.getTransactionReceipt({ hash })).status).toBe('success')

  const run = await tick()
  expect(run).toMatchObject({ level: 'warn', unread: 1, faults: {} })
  expect(run).not.toHaveProperty('stopped')
  const fault = 'the answer to eth_getTransactionReceipt is too large'
  expect(await unread()).toEqual([{ tx_hash: hash, fault }])
  await expectNextGift()
  const page = await (await fetch(`${site.url}/transparency`)).text()
  expect(page).toContain(hash)
  expect(page).toContain('read 1 transaction.')

  // The transaction is read again once a day, and does not prevent the comparison of balances.
  const triedAt = () => backend.sql('select tried_at::text from private.unread_transactions')
  const before = await triedAt()
  await tick()
  expect(await triedAt()).toEqual(before)
  await evm.mine(6)
  expect(await compareBalances(project)).not.toHaveProperty('stopped')
  await backend.sql("update private.unread_transactions set tried_at = tried_at - interval '25 hours'")
  expect(await tick()).not.toHaveProperty('unread')
  expect(await unread()).toEqual([{ tx_hash: hash, fault }])
  expect(
    await backend.sql(
      "select tried_at > now() - interval '1 hour' as recent from private.unread_transactions",
    ),
  ).toEqual([{ recent: true }])
})
