import { encodeDeployData, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSite } from '../support/site.ts'
import { contracts, dollars, type Project, startProject } from './project.ts'
import { catchUp, compareBalances } from './truth.ts'

const bnb = 10n ** 18n

let project: Project
let pair: Hex
let payer: Hex
/** The treasury is a contract: a multi-signature wallet. */
let safe: Hex
let wrapped: Hex
const toSite: (() => Promise<void>)[] = []

type Contract = keyof typeof contracts
const call = (
  from: Project['who']['pool'],
  to: Hex,
  of: Contract,
  name: string,
  args: unknown[],
  value = 0n,
) =>
  project.evm.send(from, to, {
    value,
    data: encodeFunctionData({ abi: contracts[of].abi, functionName: name, args }),
  })

beforeAll(async () => {
  project = await startProject(3, { empty: ['giver', 'pool'] })
  const { evm, who, dollar } = project
  const deploy = (of: Contract, args: unknown[] = [], value = 0n) =>
    evm.deploy(who.stranger, encodeDeployData({ ...contracts[of], args }), value)
  pair = await deploy('Pair', [dollar, 600n], 10n * bnb)
  payer = await deploy('Payer')
  safe = await deploy('Safe')
  wrapped = await deploy('Wrapped')
  const variables = {
    ...project.variables,
    TREASURY_WALLET: safe,
    CHAIN_TOKENS: `${project.variables.CHAIN_TOKENS} WBNB:${wrapped}:18:${project.feed}`,
  }
  const site = await startSite(project.backend, variables)
  toSite.push(() => site.close())
  const { tick } = project
  project.tick = (on = site) => tick(on)
  project.variables = variables
  await project.tell(61_234_000_000n)
  await project.pay(who.stranger, who.pool, dollars(1_500))
  await evm.send(who.stranger, safe, { value: 20n * bnb })
  await evm.send(who.stranger, who.pool.address, { value: 20n * bnb })
  await project.pay(who.stranger, { address: pair } as never, dollars(100_000))
  await evm.mine(6)
  await catchUp(project)
})
afterAll(async () => {
  for (const close of toSite) await close()
  await project.close()
})

const rowsOf = async (hash: Hex) =>
  (await project.rows())
    .filter((row) => row.tx_hash === hash)
    .sort((a, b) => b.direction.localeCompare(a.direction))
    .map(({ type, direction, account, amount_usd, rate_source }) => ({
      type,
      direction,
      account,
      amount_usd,
      rate_source,
    }))

async function figures() {
  const [totals] = await project.backend.sql<Record<string, string>>(
    'select donated_usd::text, spent_usd::text, treasury_usd::text, received_usd::text, paid_usd::text, waiting_usd::text from public.ledger_totals',
  )
  return totals as Record<string, string>
}

/** The balances that differ from the ledger, and those that could not be compared. */
async function differences() {
  await compareBalances(project)
  return project.backend.sql(
    "select token_symbol, wallet, difference from public.published_reconciliations where difference is distinct from '0'",
  )
}

test('a pool that exchanges coins for tokens gave nothing and was given nothing', async () => {
  const before = await figures()
  const { hash } = await call(project.who.pool, pair, 'Pair', 'buy', [], bnb)
  await project.evm.mine(6)
  await catchUp(project)
  const words = 'Exchange of 1 BNB for 600 USDX'
  expect(await rowsOf(hash)).toEqual([
    { type: 'exchange', direction: 'out', account: 'education', amount_usd: '600.00', rate_source: words },
    { type: 'exchange', direction: 'in', account: 'education', amount_usd: '600.00', rate_source: words },
  ])
  expect(await figures()).toEqual(before)
})

test('tokens that become coins are an exchange too, although a contract moved the coins', async () => {
  const before = await figures()
  await call(project.who.pool, project.dollar, 'Token', 'approve', [pair, dollars(1_200)])
  const { hash } = await call(project.who.pool, pair, 'Pair', 'sell', [dollars(1_200)])
  await project.evm.mine(6)
  await catchUp(project)
  const words = 'Exchange of 1200 USDX for 2 BNB'
  expect(await rowsOf(hash)).toEqual([
    { type: 'exchange', direction: 'out', account: 'education', amount_usd: '1200.00', rate_source: words },
    { type: 'exchange', direction: 'in', account: 'education', amount_usd: '1200.00', rate_source: words },
  ])
  expect(await figures()).toEqual(before)
})

test('an exchange whose coins reach two of our wallets is one exchange: both sides have one value', async () => {
  const { who, evm } = project
  const before = await figures()
  await call(who.pool, project.dollar, 'Token', 'approve', [pair, dollars(300)])
  const { hash } = await call(who.pool, pair, 'Pair', 'sellFor', [
    dollars(300),
    [who.pool.address, who.giver.address],
  ])
  await evm.mine(6)
  await catchUp(project)
  const rows = await rowsOf(hash)
  expect(rows.map(({ type, account, amount_usd }) => `${type} ${account} ${amount_usd}`).sort()).toEqual([
    'exchange donation-wallet 150.00',
    'exchange education 150.00',
    'exchange education 300.00',
  ])
  const after = await figures()
  const changes = ['donated_usd', 'spent_usd', 'treasury_usd', 'waiting_usd', 'received_usd', 'paid_usd'].map(
    (name) => Number(after[name]) - Number(before[name]),
  )
  expect(changes).toEqual([0, 0, 150, -150, 0, 0])
  expect(await differences()).toEqual([])
})

// https://github.com/safe-global/safe-transaction-service/pull/2773
test('a multi-signature treasury that pays many wallets in one transaction makes a row for each', async () => {
  const { who, evm } = project
  const data = encodeFunctionData({
    abi: contracts.Payer.abi,
    functionName: 'payMany',
    args: [
      [who.pool.address, who.dreamer.address],
      [bnb / 2n, bnb / 4n],
    ],
  })
  const { hash } = await call(who.stranger, safe, 'Safe', 'execTransaction', [payer, (bnb * 3n) / 4n, data])
  await evm.mine(6)
  await catchUp(project)
  const rows = await rowsOf(hash)
  expect(rows.map(({ type, account }) => `${type} ${account}`).sort()).toEqual([
    'donation treasury',
    'dream treasury',
  ])
  expect(await differences()).toEqual([])
})

test('a gift of the same contract, in a transaction of its own, stays a gift', async () => {
  const { hash } = await call(project.who.stranger, pair, 'Pair', 'payOut', [
    project.who.pool.address,
    dollars(5),
  ])
  await project.evm.mine(6)
  await catchUp(project)
  expect(await rowsOf(hash)).toMatchObject([{ type: 'gift', amount_usd: '5.00' }])
})

test('what comes back to a pool from an address that it paid is no gift, and lowers what is spent', async () => {
  const { who, pay, evm } = project
  const before = await figures()
  await pay(who.stranger, who.dreamer, dollars(100))
  await pay(who.pool, who.dreamer, dollars(80))
  await evm.mine(6)
  await catchUp(project)
  const refund = await pay(who.dreamer, who.pool, dollars(30))
  const gift = await pay(who.dreamer, who.pool, dollars(51))
  await evm.mine(6)
  await catchUp(project)
  expect(await rowsOf(refund.hash)).toMatchObject([
    { type: 'returned', direction: 'in', amount_usd: '30.00' },
  ])
  // More than the pool paid cannot have come back.
  expect(await rowsOf(gift.hash)).toMatchObject([{ type: 'gift' }])
  const after = await figures()
  expect(Number(after.spent_usd) - Number(before.spent_usd)).toBe(50)
  expect(Number(after.donated_usd) - Number(before.donated_usd)).toBe(51)
})

test('a multi-signature treasury pays coins to a pool: a donation, and to a stranger: a payment', async () => {
  const { who, evm } = project
  const before = await figures()
  const donation = await call(who.stranger, safe, 'Safe', 'execTransaction', [
    who.pool.address,
    3n * bnb,
    '0x',
  ])
  await evm.mine(3)
  const payment = await call(who.stranger, safe, 'Safe', 'execTransaction', [who.tax.address, bnb, '0x'])
  await evm.mine(6)
  await catchUp(project)
  expect(await rowsOf(donation.hash)).toMatchObject([
    { type: 'donation', direction: 'out', account: 'treasury', amount_usd: '1837.02' },
  ])
  expect(await rowsOf(payment.hash)).toMatchObject([{ type: 'other', direction: 'out', account: 'treasury' }])
  expect(Number((await figures()).donated_usd) - Number(before.donated_usd)).toBeCloseTo(1837.02, 2)
  expect(await differences()).toEqual([])
})

test('a payer of many and a contract that ends pay coins within a transaction', async () => {
  const { who, evm } = project
  const many = await call(
    who.stranger,
    payer,
    'Payer',
    'payMany',
    [
      [who.pool.address, who.dreamer.address, safe],
      [bnb, bnb, 2n * bnb],
    ],
    4n * bnb,
  )
  await evm.mine(3)
  const end = await call(who.stranger, payer, 'Payer', 'end', [who.pool.address], bnb)
  await evm.mine(6)
  await catchUp(project)
  expect((await rowsOf(many.hash)).map(({ type, account }) => `${type} ${account}`).sort()).toEqual([
    'gift education',
    'gift treasury',
  ])
  expect(await rowsOf(end.hash)).toMatchObject([{ type: 'gift', account: 'education' }])
  expect(await differences()).toEqual([])
})

test('a wrapped coin is an exchange in both directions, and no payment is missing', async () => {
  const { who, evm } = project
  const before = await figures()
  const wrap = await call(who.pool, wrapped, 'Wrapped', 'deposit', [], 5n * bnb)
  await evm.mine(3)
  const unwrap = await call(who.pool, wrapped, 'Wrapped', 'withdraw', [2n * bnb])
  await evm.mine(6)
  await catchUp(project)
  expect(await rowsOf(wrap.hash)).toMatchObject([
    { type: 'exchange', direction: 'out', rate_source: 'Exchange of 5 BNB for 5 WBNB' },
    { type: 'exchange', direction: 'in' },
  ])
  expect((await rowsOf(unwrap.hash)).map(({ type }) => type)).toEqual(['exchange', 'exchange'])
  expect(await figures()).toEqual(before)
  expect(await differences()).toEqual([])
})

test('a token whose contract has other decimals than CHAIN_TOKENS is named in the first run, and its rows get no value', async () => {
  const site = await startSite(project.backend, {
    ...project.variables,
    CHAIN_TOKENS: `USDX:${project.dollar}:6:usd BNB:native:18:${project.feed}`,
  })
  const { hash } = await project.pay(project.who.stranger, project.who.pool, dollars(1) / 1000n)
  await project.evm.mine(1)
  const run = await project.tick(site)
  await site.close()
  expect(run).toMatchObject({
    level: 'warn',
    tokens: ['USDX: CHAIN_TOKENS says 6 decimals, its contract 18'],
  })
  expect(await rowsOf(hash)).toMatchObject([{ type: 'gift', amount_usd: null }])
})

test('of a token that shares a fee among its holders, no payment is missing, and the job names it', async () => {
  const { evm, who } = project
  const token = await evm.deploy(who.stranger, encodeDeployData({ ...contracts.Reflecting, args: [] }))
  const site = await startSite(project.backend, {
    ...project.variables,
    CHAIN_TOKENS: `${project.variables.CHAIN_TOKENS} RFI:${token}:18`,
  })
  const { hash } = await call(who.stranger, token, 'Reflecting', 'transfer', [who.pool.address, dollars(10)])
  await call(who.stranger, token, 'Reflecting', 'share', [])
  await evm.mine(6)
  const named = 'RFI: its contract changes balances without transfers, so they are not compared'
  expect(await project.tick(site)).toMatchObject({ level: 'warn', tokens: [named] })
  expect(await rowsOf(hash)).toMatchObject([{ type: 'gift', account: 'education' }])
  const { tick } = project
  await compareBalances({ ...project, tick: () => tick(site) })
  await site.close()
  const compared = await project.backend.sql(
    "select 1 from public.published_reconciliations where token_symbol = 'RFI'",
  )
  expect(compared).toEqual([])
})

// Interest and rebases: https://github.com/duneanalytics/spellbook/issues/4735,
// https://github.com/rainbow-me/rainbow/issues/2581, https://github.com/pinax-network/substreams-evm-tokens/issues/3
async function startElastic(contract: 'Elastic' | 'Rebasing') {
  const { evm, who, backend, tick } = project
  const token = await evm.deploy(who.stranger, encodeDeployData({ ...contracts[contract], args: [] }))
  const CHAIN_TOKENS = `${project.variables.CHAIN_TOKENS} ELA:${token}:18`
  const site = await startSite(backend, { ...project.variables, CHAIN_TOKENS })
  const onSite = { ...project, tick: () => tick(site) }
  return {
    site,
    onSite,
    /** The difference of each wallet that has some of the token. */
    compared: async () =>
      Object.fromEntries(
        (
          await backend.sql<{ wallet: string; difference: string }>(
            `select wallet, difference from public.published_reconciliations
              where token_address = $1 and chain_amount <> '0'`,
            [token.toLowerCase()],
          )
        ).map(({ wallet, difference }) => [wallet, difference]),
      ),
    /** Changes all balances, and in the same block others in secret; then compares. */
    change: async (percent: bigint, hidden: [from: string, to: string, value: bigint][] = []) => {
      await call(who.stranger, token, contract, 'change', [percent])
      for (const args of hidden) await call(who.stranger, token, contract, 'hide', args)
      await evm.mine(6)
      return compareBalances(onSite)
    },
    give: async (to: string, amount: number) => {
      const { hash } = await call(who.stranger, token, contract, 'give', [to, dollars(amount)])
      await evm.mine(6)
      await catchUp(onSite)
      return hash
    },
  }
}
const named = 'ELA: its contract changes balances without transfers, so they are not compared'

test('a token whose functions do not show that balances grow without transfers is recognised by two balances; one balance and a loss stay differences', async () => {
  const { evm, who } = project
  const { site, onSite, compared, change, give } = await startElastic('Elastic')
  const [pool, treasury] = [who.pool.address.toLowerCase(), safe.toLowerCase()]
  await give(who.pool.address, 100)
  await compareBalances(onSite)
  expect(await compared()).toEqual({ [pool]: '0' })
  // One balance: it is named, and published as a difference.
  const untold = `ELA: the balance of ${pool} grew without a transfer. With one wallet this cannot be told from a missing payment`
  expect(await change(110n)).toMatchObject({ level: 'warn', differences: 1, tokens: [untold] })
  expect(await compared()).toEqual({ [pool]: `${dollars(10)}` })
  // The rate is 100 again: 110 × 91 / 100, rounded down.
  await change(91n)
  await give(safe, 50)
  await compareBalances(onSite)
  expect(await compared()).toEqual({ [pool]: '0', [treasury]: '0' })
  expect(await change(110n)).toMatchObject({ level: 'warn', differences: 0, tokens: [named] })
  expect(await compared()).toEqual({ [pool]: '0', [treasury]: '0' })
  await evm.mine(1)
  expect(await onSite.tick()).toMatchObject({ tokens: [named] })
  // Smaller balances are missing money.
  expect(await change(80n)).toMatchObject({ differences: 2 })
  expect(await compared()).toEqual({ [pool]: `${dollars(-12)}`, [treasury]: `${dollars(-6)}` })
  // A transfer that the ledger lacks is still found.
  const hash = await give(who.pool.address, 9)
  await site.close()
  expect(await rowsOf(hash)).toMatchObject([{ type: 'gift', account: 'education' }])
})

test('a token whose balances grow without transfers is recognised by its supply; a hidden payment and a loss stay differences', async () => {
  const { who } = project
  const { site, compared, change, give } = await startElastic('Rebasing')
  const [pool, stranger] = [who.pool.address.toLowerCase(), who.stranger.address]
  await give(who.pool.address, 100)
  await compareBalances({ ...project, tick: () => project.tick(site) })
  // The wallet has the whole supply: its growth may be a payment of new tokens.
  const untold = `ELA: the balance of ${pool} grew without a transfer. With one wallet this cannot be told from a missing payment`
  expect(await change(110n)).toMatchObject({ differences: 1, tokens: [untold] })
  await change(91n)
  await give(stranger, 900)
  expect(await change(100n)).toMatchObject({ differences: 0 })
  expect(await compared()).toEqual({ [pool]: '0' })
  expect(await change(110n)).toMatchObject({ level: 'warn', differences: 0, tokens: [named] })
  expect(await compared()).toEqual({ [pool]: '0' })
  // With a payment that has no event beside it, the balance grew more than the supply.
  expect(await change(100n, [[stranger, who.pool.address, dollars(11)]])).toMatchObject({
    differences: 1,
    tokens: expect.arrayContaining([untold]),
  })
  expect(await compared()).toEqual({ [pool]: `${dollars(21)}` })
  expect(await change(100n, [[who.pool.address, stranger, dollars(33)]])).toMatchObject({ differences: 1 })
  expect(await compared(), 'a loss').toEqual({ [pool]: `${dollars(-12)}` })
  await site.close()
})

test('an amount of more than 1,000 times the largest row waits for two people', async () => {
  await project.evm.mine(6)
  await catchUp(project)
  const { hash } = await project.pay(project.who.stranger, project.who.pool, dollars(100_000_000))
  await project.evm.mine(1)
  const run = await project.tick()
  expect(run).toMatchObject({ level: 'warn', outsized: [expect.stringContaining(hash)] })
  expect(await rowsOf(hash)).toMatchObject([{ type: 'gift', amount_usd: null }])
})
