import { createPublicKey, verify } from 'node:crypto'
import { encodeFunctionData } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startSite } from '../support/site.ts'
import { contracts, dollars, type Project, startProject } from './project.ts'
import { catchUp, compareBalances, expectEqualToChain } from './truth.ts'

let project: Project
beforeAll(async () => {
  project = await startProject(1)
  const { evm, who, pay } = project
  for (const account of [who.treasury, who.pool]) await pay(who.stranger, account, dollars(300))
  await pay(who.stranger, who.treasury, 5_000_000_000n, project.coin)
  await evm.mine(10)
})
afterAll(() => project.close())
afterEach(() => {
  for (const endpoint of project.endpoints) endpoint.fault = 'none'
})

interface Reconciled {
  wallet: string
  symbol: string
  difference: string
  unlisted: { tx_hash: string; ordinal: number; direction: string; amount: string }[]
}

function reconciliations() {
  return project.backend.sql<Reconciled>(
    `select wallet, token_symbol as symbol, difference, unlisted from public.published_reconciliations
     where difference <> '0' order by wallet, token_symbol`,
  )
}

test('without a chain the site is empty, and the scheduled work only signs', async () => {
  const { SUPABASE_SECRET_KEY, LOG_KEY } = project.variables
  const keyed = await startSite(project.backend, { SUPABASE_SECRET_KEY, LOG_KEY })
  await keyed.runSchedule()
  expect(keyed.log.filter((line) => line.includes('ledger.run')).map((line) => JSON.parse(line))).toEqual([
    { level: 'info', event: 'ledger.run', requestId: expect.any(String), ms: expect.any(Number) },
  ])
  await keyed.close()
  const bare = await startSite(project.backend)
  await bare.runSchedule()
  expect(bare.log).toEqual([])
  expect((await fetch(`${bare.url}/transparency`)).status).toBe(200)
  await bare.close()
  expect(await project.rows()).toEqual([])
  expect(project.endpoints[0]?.called).toEqual([])
})

test('a row without a price is excluded from every sum, and is counted separately', async () => {
  const run = await project.tick()
  expect(run).toMatchObject({ added: 3, unvalued: 1 })
  await catchUp(project)
  await expectEqualToChain(project)
  const [coin] = (await project.rows()).filter(({ token_address }) => token_address === project.coin)
  expect(coin).toMatchObject({ status: 'verified', amount_usd: null, rate_source: null })
  const totals = await project.backend.sql(
    'select treasury_usd::text, unvalued_count::int from public.ledger_totals',
  )
  // A gift to a pool's wallet does not count towards the treasury total.
  expect(totals).toEqual([{ treasury_usd: '300.00', unvalued_count: 1 }])
})

test('balances at one block equal the sums of the verified rows, and a missing transfer is reported', async () => {
  const { evm, who, pay, backend, tick, variables } = project
  const count =
    'select count(*)::int as count, min(block_number)::int as block from public.published_reconciliations'
  // Rows for three wallets with two tokens and the coin, of which each has more than the ledger.
  expect(await backend.sql(count)).toEqual([{ count: 9, block: expect.any(Number) }])
  expect((await reconciliations()).map(({ symbol, difference }) => [symbol, difference])).toEqual([
    ['BNB', String(10n ** 24n)],
    ['BNB', String(10n ** 24n)],
    ['BNB', String(10n ** 24n)],
  ])

  // The scan is moved past a transfer, so the ledger lacks that transfer.
  const { hash } = await pay(who.treasury, who.stranger, dollars(40))
  await evm.mine(2)
  const head = Number(await evm.reader.getBlockNumber())
  await backend.sql(`select public.append_ledger('[]', $1)`, [
    JSON.stringify({
      chain_id: Number(variables.CHAIN_ID),
      after: (
        await backend.sql<{ at: number }>('select block_number::int as at from public.ledger_status')
      )[0]?.at,
      block_number: head,
      block_hash: (await evm.reader.getBlock()).hash,
      block_time: new Date().toISOString(),
    }),
  ])
  await evm.mine(8)
  expect(await tick()).not.toHaveProperty('differences') // The last reconciliation is less than an hour old.
  expect(await compareBalances(project)).toMatchObject({ level: 'warn', differences: 3, recovered: 1 })
  expect((await reconciliations()).filter(({ symbol }) => symbol === 'USDX')).toEqual([])
  expect((await project.rows()).find(({ tx_hash }) => tx_hash === hash)).toMatchObject({ status: 'verified' })
})

test('signs the newest size of the log once, and the signature is valid', async () => {
  const checkpoints = await project.backend.sql<Record<'root' | 'note' | 'vkey', string> & { size: number }>(
    'select size::int, root, note, vkey from public.published_checkpoints order by id',
  )
  const newest = checkpoints.at(-1)
  // The rows, the terms of payments, and who can move the money of three wallets.
  expect(newest?.size).toBe((await project.rows()).length + 1 + 3)
  expect(checkpoints.length).toBe(new Set(checkpoints.map(({ size }) => size)).size)
  const [log] = await project.backend.sql<{ root: string }>("select public.log_root('ledger', $1) as root", [
    newest?.size,
  ])
  expect(newest?.root).toBe(log?.root)

  // A signed note of three lines, and a verifier key 'name+key id+base64 of 0x01 and the public key' (C2SP).
  const [text = '', signatures = ''] = newest?.note.split(/(?<=\n)\n/) ?? []
  const [, name, id, key = ''] = /^(\S+?)\+([0-9a-f]{8})\+(\S+)$/.exec(newest?.vkey ?? '') ?? []
  expect(text).toBe(`${name}\n${newest?.size}\n${newest?.root}\n`)
  const [, signer, signature = ''] = /^— (\S+) (\S+)\n$/.exec(signatures) ?? []
  expect(signer).toBe(name)
  const bytes = Buffer.from(signature, 'base64')
  expect(bytes.subarray(0, 4).toString('hex')).toBe(id)
  const spki = Buffer.concat([
    Buffer.from('302a300506032b6570032100', 'hex'),
    Buffer.from(key, 'base64').subarray(1),
  ])
  const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  expect(verify(null, Buffer.from(text), publicKey, bytes.subarray(4))).toBe(true)
})

test('does not verify a failed transaction, or a transfer that a transaction does not contain', async () => {
  const { evm, who, backend, pay, tick, variables } = project
  const failed = await pay(who.dreamer, who.treasury, dollars(1)) // The dream wallet has no tokens.
  const native = await evm.send(who.stranger, who.treasury.address, { value: 5n })
  await evm.mine(6)
  const claim = {
    occurred_at: '2025-11-20T18:30:00Z',
    account: 'treasury',
    type: 'other',
    direction: 'in',
    token_amount: '5',
    token_symbol: 'X',
    token_decimals: 18,
    from_address: who.stranger.address.toLowerCase(),
    to_address: who.treasury.address.toLowerCase(),
    chain_id: variables.CHAIN_ID,
    ordinal: -1,
  }
  await backend.sql('select public.append_ledger($1)', [
    JSON.stringify([
      { ...claim, tx_hash: failed.hash, ordinal: 0 },
      { ...claim, tx_hash: native.hash, ordinal: 0 },
      { ...claim, tx_hash: native.hash, from_address: who.tax.address.toLowerCase() },
      { ...claim, tx_hash: `0x${'e'.repeat(64)}` },
    ]),
  ])
  await tick()
  const rows = await project.rows()
  const checkOf = (hash: string, ordinal: number) => {
    const row = rows.find(({ tx_hash, ordinal: place }) => tx_hash === hash && place === ordinal)
    return [row?.status, row?.reason]
  }
  expect(checkOf(failed.hash, 0)).toEqual(['mismatch', 'This transaction failed.'])
  expect(checkOf(native.hash, 0)).toEqual(['mismatch', "This transaction doesn't contain that transfer."])
  expect(checkOf(native.hash, -1)).toEqual(['mismatch', 'The blockchain shows a different sender.'])
  expect(checkOf(`0x${'e'.repeat(64)}`, -1)).toEqual([
    'reorganised',
    "This transaction isn't on the blockchain.",
  ])
})

test('rows of transactions that a node has forgotten stay verified, and one that is in no block does not', async () => {
  const { evm, who, backend, pay, tick, endpoints, variables } = project
  const rows = () => project.rows()
  const isVerified = ({ status }: { status: string }) => status === 'verified'
  const known = (await rows()).filter(isVerified)
  const old = await pay(who.treasury, who.pool, dollars(3))
  const coins = await evm.send(who.stranger, who.treasury.address, { value: 6n })
  const foreign = await pay(who.stranger, who.tax, dollars(2))
  await evm.mine()
  const { timestamp } = await evm.reader.getBlock()
  await evm.mine(30)
  for (const endpoint of endpoints) Object.assign(endpoint, { fault: 'forgets old transactions', kept: 10 })
  const claim = {
    ...{
      occurred_at: new Date(Number(timestamp) * 1000),
      account: 'treasury',
      type: 'other',
      direction: 'in',
    },
    ...{
      token_amount: `${dollars(2)}`,
      token_symbol: 'USDX',
      token_decimals: 18,
      token_address: project.dollar,
    },
    ...{ from_address: who.stranger.address.toLowerCase(), to_address: who.tax.address.toLowerCase() },
    ...{ chain_id: variables.CHAIN_ID, ordinal: 0 },
  }
  // No check has found their blocks.
  const claims = [foreign.hash, `0x${'d'.repeat(64)}`].map((tx_hash) => ({ ...claim, tx_hash }))
  await backend.sql('select public.append_ledger($1)', [JSON.stringify(claims)])
  await backend.sql("update private.transaction_statuses set checked_at = now() - interval '2 days'")
  const run = await tick()
  expect(run.faults).toEqual({})
  expect(run).not.toHaveProperty('unread')
  const all = await rows()
  const statusOf = (hash: string) => all.find(({ tx_hash }) => tx_hash === hash)?.status
  expect([old, coins, foreign].map(({ hash }) => statusOf(hash))).toEqual(Array(3).fill('verified'))
  expect(statusOf(`0x${'d'.repeat(64)}`)).toBe('reorganised')
  expect(all.filter(({ id }) => known.some((each) => each.id === id)).filter(isVerified)).toHaveLength(
    known.length,
  )
})

test('while a node indexes its transactions, rows stay as they are, and new ones are read later', async () => {
  const { evm, who, backend, pay, tick, endpoints } = project
  const before = await project.rows()
  const { hash } = await pay(who.treasury, who.pool, dollars(4))
  await evm.mine(6)
  for (const endpoint of endpoints) endpoint.fault = 'indexes transactions'
  await backend.sql("update private.transaction_statuses set checked_at = now() - interval '2 days'")
  expect(await tick()).toMatchObject({ unread: 1 })
  const statuses = (rows: typeof before) => rows.map(({ id, status }) => [id, status])
  expect(statuses(await project.rows())).toEqual(statuses(before))
  for (const endpoint of endpoints) endpoint.fault = 'none'
  const earlier = "found_at = found_at - interval '1 minute', tried_at = tried_at - interval '1 minute'"
  await backend.sql(`update private.unread_transactions set ${earlier}`)
  await tick()
  expect((await project.rows()).find(({ tx_hash }) => tx_hash === hash)).toMatchObject({ status: 'verified' })
})

test('a hostile token does not prevent the comparison of other tokens', async () => {
  const { evm, who, backend, variables, tick } = project
  const { abi, bytecode } = contracts.Hostile
  const hostile = await evm.deploy(who.stranger, bytecode)
  const CHAIN_TOKENS = `EVIL:${hostile}:18: ${variables.CHAIN_TOKENS}`
  const site = await startSite(backend, { ...variables, CHAIN_TOKENS })
  const withHostile = { ...project, tick: () => tick(site) }
  const give = encodeFunctionData({ abi, functionName: 'give', args: [who.treasury.address] })
  for (let sent = 0; sent < 2; sent += 1) await evm.send(who.stranger, hostile, { data: give })
  await evm.mine(6)
  await catchUp(withHostile)
  const compared = () =>
    backend.sql<{ symbol: string; wallet: string; id: number }>(
      'select token_symbol as symbol, wallet, id::int from public.published_reconciliations order by id',
    )
  const before = new Set((await compared()).map(({ id }) => id))
  expect(await compareBalances(withHostile)).not.toHaveProperty('notCompared')
  const all = await compared()
  // The rows are for three wallets with the hostile token, two other tokens and the coin.
  expect(all.filter(({ id }) => !before.has(id))).toHaveLength(12)
  const [sum] = await backend.sql<{ amount: string }>(
    "select ledger_amount as amount from public.published_reconciliations where token_symbol = 'EVIL' and ledger_amount <> '0'",
  )
  expect(BigInt(sum?.amount ?? 0)).toBe(2n * (2n ** 256n - 1n))
  const page = await (await fetch(`${site.url}/transparency/wallets`)).text()
  expect(page).toContain('EVIL')

  await evm.send(who.stranger, hostile, { data: encodeFunctionData({ abi, functionName: 'breakDown' }) })
  await evm.mine(6)
  await catchUp(withHostile)
  const run = await compareBalances(withHostile)
  expect(run.notCompared).toHaveLength(3)
  expect(run.notCompared?.[0]).toMatch(/^EVIL of 0x[0-9a-f]{40}: eth_call is refused$/)
  expect((await compared()).filter(({ id }) => !all.some((each) => each.id === id))).toHaveLength(9)
  await site.close()
})

test('an ordinary run makes few requests to the endpoints, and writes one log line', async () => {
  await project.evm.mine(3)
  const before = project.site.log.length
  const run = await project.tick()
  // The calls include the balance and the nonce of each of 3 wallets.
  expect(run.calls).toBeLessThanOrEqual(16)
  expect(project.site.log.length - before).toBe(1)
})
