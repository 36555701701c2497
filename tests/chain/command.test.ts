import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { act } from '../support/operators.ts'
import { dollars, type Project, startProject } from './project.ts'
import { catchUp, expectEqualToChain } from './truth.ts'

/** The end of a run: its exit code, and a part of its output. */
const says = (code: number, text: string) => ({ code, output: expect.stringContaining(text) })

let project: Project
const said: string[] = []
beforeAll(async () => {
  project = await startProject(2)
  const { evm, who, pay } = project
  for (const account of [who.treasury, who.giver, who.tax]) await pay(who.stranger, account, dollars(900))
  await evm.mine(5)
})
afterAll(() => project.close())

/** Runs a command of `npm run ledger` against the embedded backend; `ended` has its exit code and output. */
function ledger(...words: string[]) {
  const { SUPABASE_SECRET_KEY: _, ...variables } = project.variables
  const env = {
    ...process.env,
    ...variables,
    DATA_DIR: project.backend.dataDir,
    SUPABASE_PORT: new URL(project.backend.url).port,
  }
  const child = spawn('node', ['scripts/ledger.ts', ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once('close', (code) => {
      said.push(output)
      resolve({ code, output })
    }),
  )
  return { child, ended, output: () => output }
}

test('adds the transfers of a range of blocks, and continues after an interruption', async () => {
  const { evm, who, pay } = project
  // The last transfer is after the first step of 1,000 blocks.
  await pay(who.tax, who.treasury, dollars(10))
  await evm.send(who.tax, who.treasury.address, { value: 9n })
  await evm.mine(1_010)
  await pay(who.tax, who.treasury, dollars(11))
  await evm.mine(10)
  const head = String(await evm.reader.getBlockNumber())
  const first = ledger('backfill', '--from', '1', '--to', head, '--yes')
  await expect.poll(first.output, { interval: 5 }).toMatch(/% *, block/)
  first.child.kill('SIGKILL')
  await first.ended
  const second = await ledger('backfill', '--from', '1', '--to', head, '--yes').ended
  expect(second).toMatchObject(says(0, '100 %'))
  await expectEqualToChain(project)

  // The scheduled run adds no row a second time.
  await catchUp(project)
  await expectEqualToChain(project)
})

test('the command records a native transfer that the scheduled work has not yet found, values it at a rate with a source, and reads it again', async () => {
  const { evm, who } = project
  const { hash } = await evm.send(who.stranger, who.treasury.address, { value: 15n * 10n ** 17n })
  await evm.mine(6)
  const unasked = await ledger('add', hash).ended
  expect(unasked).toMatchObject(says(1, 'Not published'))

  expect(await ledger('add', hash, '--type', 'donation', '--yes').ended).toMatchObject({
    code: 1,
    output: '--type must be gift, tax, exchange, or other for a transfer to treasury.\n',
  })
  const rate = ['--rate', '600.5', '--rate-source', 'Closing price, as the exchange states it']
  const added = await ledger('add', hash, ...rate, '--yes').ended
  expect(added).toMatchObject(says(0, 'Blockchain check: verified'))
  const row = async () => (await project.rows()).find(({ tx_hash }) => tx_hash === hash)
  expect(await row()).toMatchObject({
    ordinal: -1,
    account: 'treasury',
    type: 'gift',
    direction: 'in',
    amount_usd: '900.75',
  })

  expect((await ledger('add', hash, '--yes').ended).output).toContain('Already in the ledger')
  expect((await ledger('list', '--type', 'gift').ended).output).toContain(`${hash} --ordinal -1`)
  const again = (...more: string[]) => ledger('add', hash, '--revision', ...more, '--yes').ended
  expect(await again('--note', 'Tax in coin')).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^Leave out --note: an operator corrects it at .*\/operator\.\n$/),
  })
  expect((await again()).output).toContain('the ledger has what the blockchain shows')
  const [published] = await project.backend.sql<{ id: string }>(
    'select id from public.published_transactions where tx_hash = $1',
    [hash],
  )
  await project.backend.sql(
    `select public.append_ledger(jsonb_build_array(to_jsonb(facts) || '{"revision": 1, "token_amount": "1"}'))
     from public.transactions as facts where id = $1`,
    [published?.id],
  )
  expect(await again()).toMatchObject(says(0, 'Corrected 1 row.'))
  expect(await row()).toMatchObject({ revision: 2, type: 'gift', status: 'verified' })
})

test('the command records a transfer that the endpoints no longer find by its hash, with the number of its block', async () => {
  const { evm, who, pay, endpoints } = project
  const { hash } = await pay(who.tax, who.treasury, dollars(2))
  await evm.mine(1)
  const block = `${await evm.reader.getBlockNumber()}`
  await evm.mine(12)
  for (const endpoint of endpoints) Object.assign(endpoint, { fault: 'forgets old transactions', kept: 10 })
  expect(await ledger('add', hash, '--block', block, '--yes').ended).toMatchObject(
    says(0, 'Blockchain check: verified'),
  )
  for (const endpoint of endpoints) endpoint.fault = 'none'
})

test('gas that has become unknown is read again from the first block', async () => {
  const { evm, who, pay, backend } = project
  const gas = () =>
    backend.sql<{ wallet: string; gas: string | null }>(
      `select distinct on (wallet) wallet, gas_paid::text as gas from private.coin_balances
       order by wallet, block_number desc`,
    )
  await pay(who.giver, who.stranger, dollars(1))
  await evm.mine(6)
  await catchUp(project)
  const before = await gas()
  expect(before.find(({ wallet }) => wallet === who.giver.address.toLowerCase())?.gas).toMatch(/^[1-9]/)

  await backend.sql('update private.coin_balances set gas_paid = null')
  await evm.mine(1)
  await catchUp(project)
  expect((await gas()).map((each) => each.gas)).toEqual([null, null, null])
  const head = String(await evm.reader.getBlockNumber())
  expect(await ledger('backfill', '--from', '1', '--to', head, '--yes').ended).toMatchObject({ code: 0 })
  expect(await gas()).toEqual(before)
  await evm.mine(1)
  await catchUp(project)
  expect(await gas()).toEqual(before)
})

test('a correction turns a payment to an unknown wallet into a donation for a pool or into a cost', async () => {
  const { evm, who, pay } = project
  const partner = await pay(who.treasury, who.stranger, dollars(30))
  const gas = await pay(who.giver, who.stranger, dollars(4))
  await evm.mine(6)
  await catchUp(project)
  const row = async (of: string) => (await project.rows()).find(({ tx_hash }) => tx_hash === of)
  expect(await row(partner.hash)).toMatchObject({ type: 'other', direction: 'out', pool_slug: null })

  const subject = async (of: string) => {
    const [found] = await project.backend.sql<{ subject: string }>(
      `select chain_id || '/' || tx_hash || '/' || ordinal as subject
       from public.published_transactions where tx_hash = $1`,
      [of],
    )
    return found?.subject ?? null
  }
  await act(project.backend, 'purpose', await subject(partner.hash), {
    type: 'donation',
    pool: 'education',
    proof: 'https://example.org/receipt',
  })
  await act(project.backend, 'purpose', await subject(gas.hash), { type: 'cost' })
  expect(await ledger('verify', partner.hash, gas.hash).ended).toMatchObject({ code: 0 })
  expect(await row(partner.hash)).toMatchObject({
    revision: 1,
    account: 'treasury',
    counter_account: null,
    type: 'donation',
    pool_slug: 'education',
    status: 'verified',
  })
  expect(await row(gas.hash)).toMatchObject({ revision: 1, account: 'donation-wallet', type: 'cost' })
  const [pool] = await project.backend.sql(
    "select donations_usd::text, direct_usd::text from public.pool_totals where slug = 'education'",
  )
  expect(pool).toEqual({ donations_usd: '30.00', direct_usd: '30.00' })
})

test('after a rollback nothing is signed until the operator accepts the rollback with a public reason', async () => {
  const { backend } = project
  const accept = (...words: string[]) => ledger('accept-restore', ...words).ended
  expect((await accept('--reason', 'x', '--yes')).output).toContain('there is nothing to accept')
  // The job makes this call if the log lacks a checkpoint that the job signed.
  const lost = Buffer.alloc(32, 7).toString('base64')
  await backend.sql("select public.report_rollback('ledger', 1000000, $1)", [lost])
  expect((await accept('--yes')).output).toMatch(/^Missing:\n {2}--reason /)
  expect(await accept('--reason', 'Restored the backup of Tuesday', '--yes')).toMatchObject(
    says(0, 'A checkpoint of 1000000 entries was signed'),
  )
  const [entry] = await backend.sql<{ entry: string }>(
    'select entry from public.published_entries order by index desc limit 1',
  )
  expect(JSON.parse(entry?.entry ?? '')).toMatchObject({
    kind: 'restore',
    size: 1_000_000,
    root: lost,
    reason: 'Restored the backup of Tuesday',
  })
  expect(await backend.sql('select rolled_back_size from public.ledger_status')).toEqual([
    { rolled_back_size: null },
  ])
  expect((await accept('--reason', 'x', '--yes')).output).toContain('there is nothing to accept')
})

test('checks every row, and reports the row whose amount differs from the blockchain', async () => {
  expect(await ledger('verify').ended).toMatchObject({ code: 0 })
  const row = (await project.rows()).find(({ revision }) => revision === 0)
  const absent = `0x${'9'.repeat(64)}`
  expect(await ledger('verify', `${row?.tx_hash}`, absent).ended).toMatchObject({
    code: 1,
    output: `The ledger has no row of ${absent}.\n`,
  })
  await project.backend.sql(
    `select public.append_ledger(jsonb_build_array(to_jsonb(facts) || '{"revision": 1, "token_amount": "1"}'))
     from public.transactions as facts where id = $1`,
    [row?.id],
  )
  const found = await ledger('verify').ended
  expect(found).toMatchObject(says(1, `${row?.tx_hash} ${row?.ordinal}: mismatch`))
  expect((await project.rows()).find(({ tx_hash }) => tx_hash === row?.tx_hash)).toMatchObject({
    status: 'mismatch',
    reason: 'The blockchain shows a different amount.',
  })
})

test('reports the state and faults in one line, without a key or the URL of an endpoint', async () => {
  const status = await ledger('status').ended
  expect(status.code).toBe(0)
  expect(status.output).toMatch(/disputed +1\n/)
  for (const words of [
    ['add', '0x12'],
    ['backfill', '--from', 'x'],
    ['nothing'],
    ['call'],
    ['add', `0x${'2'.repeat(64)}`],
  ])
    expect(await ledger(...words).ended).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^[^\n]+\n$/),
    })
  for (const endpoint of project.endpoints) endpoint.fault = 'dead'
  expect((await ledger('verify').ended).output).toMatch(/^We can't read the blockchain: [^\n]+\n$/)

  const { secretKey, logKey } = project.backend
  for (const secret of [secretKey, logKey, ...project.endpoints.map(({ url }) => url)])
    expect(said.join()).not.toContain(secret)
})
