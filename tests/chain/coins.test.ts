import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openChain } from '../../app/chain/rpc.ts'
import { scanCoins } from '../../app/ledger/job/coin-scan.ts'
import type { Watch } from '../../app/ledger/job/watch.ts'
import { startSite } from '../support/site.ts'
import { type Project, startProject } from './project.ts'
import { catchUp, compareBalances, expectEqualToChain } from './truth.ts'

const bnb = 10n ** 18n

let project: Project
beforeAll(async () => {
  // The wallets begin empty, so their whole balances equal the sums of the ledger.
  project = await startProject(3, { empty: ['treasury', 'giver', 'pool'] })
  await give(10n * bnb)
  await project.tell(61_234_000_000n) // The price is 612.34 dollars for a coin.
  await project.evm.mine(6)
  await catchUp(project)
})
afterAll(() => project.close())
afterEach(() => {
  for (const endpoint of project.endpoints) endpoint.fault = 'none'
})

const give = (value: bigint, to = project.who.treasury, from = project.who.stranger) =>
  project.evm.send(from, to.address, { value })

async function rowOf(hash: string) {
  return (await project.rows()).find(({ tx_hash }) => tx_hash === hash)
}

test('the scheduled work finds a gift of coins as soon as the gift is final, and takes its value from the price feed', async () => {
  const { evm, tick } = project
  const gift = await give(bnb / 2n)
  await evm.mine(4)
  expect(await tick()).not.toHaveProperty('coins')
  expect(await rowOf(gift.hash)).toBeUndefined()
  await evm.mine(1)
  expect(await tick()).toMatchObject({ level: 'info', added: 1, unvalued: 0, checked: { verified: 1 } })
  expect(await rowOf(gift.hash)).toMatchObject({
    ordinal: -1,
    token_address: null,
    account: 'treasury',
    type: 'gift',
    direction: 'in',
    amount_usd: '306.17',
    status: 'verified',
  })
  await expectEqualToChain(project)
})

test('several gifts and payments in one block are each counted once, and a payment that fails is not counted', async () => {
  const { evm, who, pay, tick } = project
  await give(bnb)
  await give(2n * bnb)
  await give(3n * bnb, who.pool)
  await evm.mine(3)
  await give(bnb)
  const payment = await give(4n * bnb, who.pool, who.treasury)
  await pay(who.treasury, who.stranger, 10n ** 40n) // This transaction reverts, and its gas is paid.
  await evm.mine(6)
  const run = await tick()
  expect(run).toMatchObject({ level: 'info', added: 5 })
  expect(run).not.toHaveProperty('coins')
  expect(await rowOf(payment.hash)).toMatchObject({
    account: 'treasury',
    counter_account: 'education',
    type: 'donation',
    direction: 'out',
    pool_slug: 'education',
  })
  await expectEqualToChain(project)
})

/** Reads the page about the wallets from a new site, whose cache is empty. */
async function readWalletsPage() {
  const site = await startSite(project.backend, project.variables)
  const page = await (await fetch(`${site.url}/transparency/wallets`)).text()
  await site.close()
  return page
}

/** The latest comparison of each wallet's coins, in base units: the gas that was subtracted, and the difference. */
async function coinComparisons() {
  const rows = await project.backend.sql<{ wallet: string; gas: string | null; difference: string | null }>(
    `select wallet, gas_paid as gas, difference from public.published_reconciliations where token_address is null`,
  )
  return (account: { address: string }) => {
    const found = rows.find(({ wallet }) => wallet === account.address.toLowerCase())
    return { gas: found?.gas, difference: found?.difference }
  }
}

/** The base units that the wallet has paid for gas up to the newest final block, read from every block. */
async function gasTruth(account: { address: string }) {
  const { reader } = project.evm
  let sum = 0n
  const final = (await reader.getBlockNumber()) - 4n
  for (let blockNumber = 1n; blockNumber <= final; blockNumber += 1n) {
    const { transactions } = await reader.getBlock({ blockNumber })
    for (const hash of transactions) {
      const { from, gasUsed, effectiveGasPrice } = await reader.getTransactionReceipt({ hash })
      if (from === account.address.toLowerCase()) sum += gasUsed * effectiveGasPrice
    }
  }
  return String(sum)
}

test('gas has no row, but is subtracted from the ledger’s sum, so the coins of the wallets match the chain', async () => {
  const { evm, who, pay } = project
  await give(bnb)
  await give(bnb, who.giver)
  await evm.mine(2)
  // Three payments of tokens: the first fails, the last one's block also has a payment of coins.
  await pay(who.giver, who.stranger, 10n ** 40n)
  await evm.mine(2)
  await pay(who.stranger, who.giver, bnb)
  await evm.mine(1)
  await pay(who.giver, who.pool, bnb)
  await give(bnb / 10n, who.pool, who.giver)
  await evm.mine(6)
  await catchUp(project)
  const run = await compareBalances(project)
  expect(run).toMatchObject({ level: 'info', differences: 0 })
  expect(run).not.toHaveProperty('coins')
  const of = await coinComparisons()
  for (const wallet of [who.treasury, who.giver])
    expect(of(wallet)).toEqual({ gas: await gasTruth(wallet), difference: '0' })
  expect(of(who.giver).gas).toMatch(/^[1-9]/)
  expect(of(who.pool)).toEqual({ gas: '0', difference: '0' })

  const page = await readWalletsPage()
  expect(page).toContain('The balances of all 3 wallets match the blockchain')
  expect(page.match(/Network fees: (<!-- -->)?0\.[0-9]+ BNB/g)).toHaveLength(2)
})

test('a payment and a gift that leave the balance unchanged are found from the number of transactions', async () => {
  const { evm, who, tick } = project
  const { reader } = evm
  await evm.mine(6)
  await catchUp(project)
  const before = await reader.getBalance({ address: who.treasury.address })
  await evm.mine(3)
  const payment = await give(bnb, who.stranger, who.treasury)
  await evm.mine(3)
  const { gasUsed, effectiveGasPrice } = await reader.getTransactionReceipt({ hash: payment.hash })
  const gift = await give(bnb + gasUsed * effectiveGasPrice)
  await evm.mine(8)
  expect(await reader.getBalance({ address: who.treasury.address })).toBe(before)
  const run = await tick()
  expect(run).toMatchObject({ level: 'info', added: 2 })
  expect(run).not.toHaveProperty('coins')
  expect(await rowOf(payment.hash)).toMatchObject({ direction: 'out', status: 'verified' })
  expect(await rowOf(gift.hash)).toMatchObject({ direction: 'in', status: 'verified' })
  await expectEqualToChain(project)
  await compareBalances(project)
  expect((await coinComparisons())(who.treasury)).toEqual({
    gas: await gasTruth(who.treasury),
    difference: '0',
  })
})

test('after a reorganisation of final blocks, gas that was not paid is not counted, and nothing is counted twice', async () => {
  const { evm, who, pay } = project
  const { gas: before } = (await coinComparisons())(who.giver)
  const snapshot = await evm.control.snapshot()
  const kept = await pay(who.giver, who.stranger, 1n)
  await evm.mine(2)
  await pay(who.giver, who.stranger, 1n) // lost in the reorganisation
  await give(bnb / 100n, who.pool, who.giver) // lost in the reorganisation
  await evm.mine(8)
  await catchUp(project)
  await compareBalances(project)
  const { gas: lost } = (await coinComparisons())(who.giver)

  await evm.control.revert({ id: snapshot })
  await evm.control.increaseTime({ seconds: 100 })
  await evm.mine(3)
  await evm.reader.request({ method: 'eth_sendRawTransaction', params: [kept.raw] })
  await evm.mine(30)
  await catchUp(project)
  expect(await compareBalances(project)).toMatchObject({ differences: 0 })
  await expectEqualToChain(project)
  const of = await coinComparisons()
  expect(of(who.giver)).toEqual({ gas: await gasTruth(who.giver), difference: '0' })
  expect(BigInt(of(who.giver).gas ?? 0)).toBeGreaterThan(BigInt(before ?? 0))
  expect(BigInt(of(who.giver).gas ?? 0)).toBeLessThan(BigInt(lost ?? 0))
})

test('a transfer that the operator has added is not added again', async () => {
  const { evm, backend } = project
  const gift = await give(7n * bnb)
  await evm.mine(2)
  await backend.sql(
    `select public.append_ledger(jsonb_build_array(to_jsonb(facts) || jsonb_build_object(
       'tx_hash', $1::text, 'token_amount', $2::text, 'amount_usd', '1.00', 'rate_source', 'The operator')))
     from (select * from public.transactions where ordinal = -1 order by id limit 1) as facts`,
    [gift.hash, String(7n * bnb)],
  )
  await evm.mine(6)
  await catchUp(project)
  const rows = (await project.rows()).filter(({ tx_hash }) => tx_hash === gift.hash)
  expect(rows).toMatchObject([{ amount_usd: '1.00', rate_source: 'The operator' }])
})

test('coins that a contract moved are a row, as are the gift and the token transfer in the same block', async () => {
  const { evm, who, pay, tick } = project
  // A contract that gives its coins to the treasury while it is created: PUSH20 address, SELFDESTRUCT.
  const end = await evm.send(who.stranger, null, {
    data: `0x73${who.treasury.address.slice(2)}ff` as `0x${string}`,
    value: 5n * bnb,
  })
  await give(bnb)
  await pay(who.stranger, who.treasury, bnb)
  await evm.mine(6)
  const run = await tick()
  expect(run).toMatchObject({ level: 'info', added: 3 })
  expect(run).not.toHaveProperty('coins')
  expect(await rowOf(end.hash)).toMatchObject({
    type: 'gift',
    account: 'treasury',
    token_amount: String(5n * bnb),
    from_address: who.stranger.address.toLowerCase(),
    status: 'verified',
  })
  await expectEqualToChain(project)
})

test('if endpoints lack old state, the job reads all blocks since the last run', async () => {
  const { evm, endpoints, tick } = project
  for (const endpoint of endpoints) Object.assign(endpoint, { fault: 'refuses old state', kept: 5 })
  await give(bnb)
  await evm.mine(30)
  await give(2n * bnb)
  await evm.mine(30)
  const run = await tick()
  expect(run).toMatchObject({ level: 'info', added: 2 })
  await expectEqualToChain(project)
})

test('if endpoints lack old state after a long stop, the job reads all blocks, and the gas is known', async () => {
  const { evm, who, endpoints, tick } = project
  for (const endpoint of endpoints) Object.assign(endpoint, { fault: 'refuses old state', kept: 5 })
  await give(bnb)
  await evm.mine(130)
  await evm.send(who.treasury, who.stranger.address, { value: 1n })
  await evm.mine(130)
  await give(2n * bnb)
  await evm.mine(6)
  const run = await tick()
  expect(run).toMatchObject({ level: 'info', added: 3 })
  expect(run).not.toHaveProperty('coins')
  await expectEqualToChain(project)
  await evm.mine(1)
  await compareBalances(project)
  expect((await coinComparisons())(who.treasury).difference).toBe('0')
})

test('a scan of blocks without state ends after its calls, and the next scan continues from there', async () => {
  const { evm, who, endpoints, variables } = project
  const wallet = who.treasury.address.toLowerCase()
  const head = async () => Number(await evm.reader.getBlockNumber())
  const [amount, sent] = await Promise.all([
    evm.reader.getBalance({ address: who.treasury.address }),
    evm.reader.getTransactionCount({ address: who.treasury.address }),
  ])
  const start = { wallet, block_number: await head(), amount, nonce: sent, gas_paid: 0n }
  const gift = await give(bnb)
  await evm.mine(10)
  const paid = await evm.send(who.treasury, who.stranger.address, { value: 2n })
  await evm.mine(30)
  for (const endpoint of endpoints) Object.assign(endpoint, { fault: 'refuses old state', kept: 5 })
  const urls = endpoints.map(({ url }) => url)
  const chain = await openChain(urls, Number(variables.CHAIN_ID))
  const watch: Watch = {
    ...{ chainId: chain.id, urls, startBlock: 1, confirmations: 5, taxSenders: [], dreamWallets: [] },
    tokens: [{ symbol: 'BNB', address: null, decimals: 18, value: null }],
    ...{ accounts: new Map([[wallet, 'treasury']]), goals: new Map() },
  }
  const limits = { calls: 80, duration: 60_000 }
  const first = await scanCoins(chain, watch, start, await head(), limits)
  expect(first).toMatchObject({ unread: [], unexplained: [] })
  expect(first.last.block_number).toBeLessThan(await head())
  const rest = await scanCoins(chain, watch, first.last, await head())
  expect(rest).toMatchObject({ unread: [], unexplained: [] })
  const hashes = [...first.newRows, ...rest.newRows].map(({ tx_hash }) => tx_hash)
  expect(hashes).toEqual([gift.hash, paid.hash])
  const { gasUsed, effectiveGasPrice } = await evm.reader.getTransactionReceipt({ hash: paid.hash })
  expect(rest.last.gas_paid).toBe(gasUsed * effectiveGasPrice)
})

test('if endpoints lack the state at the start of a wallet, the job reports the unread blocks and finds later gifts', async () => {
  const { evm, who, endpoints, pay, tick, backend } = project
  for (const endpoint of endpoints) Object.assign(endpoint, { fault: 'refuses old state', kept: 5 })
  await backend.sql('delete from private.coin_balances where wallet = $1', [
    who.treasury.address.toLowerCase(),
  ])
  const gift = await give(bnb)
  await evm.mine(260)
  await pay(who.stranger, who.treasury, bnb)
  await evm.mine(6)
  const run = await tick()
  expect(run).toMatchObject({ level: 'warn', added: 1 }) // the row of the token transfer
  expect(run.coins?.unread).toEqual([
    expect.stringMatching(/^0x[0-9a-f]{40}: blocks 1 to \d+ may have changed it$/),
  ])
  expect(await rowOf(gift.hash)).toBeUndefined()
  const next = await give(3n * bnb)
  await evm.mine(6)
  expect(await tick()).toMatchObject({ level: 'info', added: 1 })
  expect(await rowOf(next.hash)).toMatchObject({ status: 'verified' })
  // The treasury's gas in those blocks is unknown; the other wallets' coins did not change there.
  await evm.mine(1)
  await compareBalances(project)
  const of = await coinComparisons()
  expect(of(who.treasury)).toEqual({ gas: null, difference: null })
  expect(of(who.pool)).toEqual({ gas: '0', difference: '0' })
})

test('if all blocks that the job remembers were replaced, the gas is unknown, and no coins are compared', async () => {
  const { evm, who, backend } = project
  await backend.sql("update private.coin_balances set block_hash = '0x' || repeat('e', 64)")
  await evm.mine(1)
  expect(await compareBalances(project)).toMatchObject({ differences: 0 })
  const of = await coinComparisons()
  for (const wallet of [who.treasury, who.giver, who.pool])
    expect(of(wallet)).toEqual({ gas: null, difference: null })
  const page = await readWalletsPage()
  expect(page).toContain('fully compare 3 of 3 wallets with the blockchain yet')
  expect(page).toContain('Not compared yet')
})

test('the price of the coin is stored once an hour, and /donate offers amounts at this price while the price is fresh', async () => {
  const { backend, evm, site, tell, tick } = project
  const storedPrice = () =>
    backend.sql("select rate_usd from public.published_rates where symbol = 'BNB'").then(([row]) => row)
  const setAge = (column: string, age: string) =>
    backend.sql(`update public.token_rates set ${column} = now() - interval '${age}'`)
  const change = async (price: bigint) => {
    await tell(price)
    await evm.mine(1)
    return tick()
  }
  expect(await storedPrice()).toEqual({ rate_usd: '612.34' })
  expect(await change(70_000_000_000n)).not.toHaveProperty('priced')
  await setAge('asked_at', '61 minutes')
  expect(await change(71_000_000_000n)).toMatchObject({ priced: 2 })
  expect(await storedPrice()).toEqual({ rate_usd: '710' })
  // If the feed has no price, the stored price stays, and the feed is read again after an hour.
  await setAge('asked_at', '61 minutes')
  expect(await change(0n)).toMatchObject({ priced: 0 })
  expect(await change(72_000_000_000n)).not.toHaveProperty('priced')
  expect(await storedPrice()).toEqual({ rate_usd: '710' })

  // Each cause has a separate page in the cache.
  const open = async (to: string) => {
    const response = await fetch(`${site.url}/donate?to=${to}&token=BNB`)
    const { status, headers } = response
    return { status, cache: headers.get('Cache-Control'), html: await response.text() }
  }
  const fresh = await open('treasury')
  expect(fresh.html).toContain('0.02817 BNB')
  expect((await fetch(`${site.url}/donate?to=treasury&token=BNB&amount=20`)).url).toMatch(/amount=20$/)
  await setAge('priced_at', '27 hours')
  const aged = await open('donation-wallet')
  expect(aged.html).toContain('We have no fresh price of BNB')
  await backend.sql('alter view public.published_rates rename to published_rates_gone')
  try {
    const unread = await open('education')
    expect(unread.html).toContain('We have no fresh price of BNB')
    // The cache stores the page without the amounts.
    expect(unread).toMatchObject({ status: 200, cache: fresh.cache })
    expect(fresh.cache).not.toContain('no-store')
  } finally {
    await backend.sql('alter view public.published_rates_gone rename to published_rates')
  }
})
