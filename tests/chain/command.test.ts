import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dollars, type Project, startProject } from './project.ts'
import { catchUp, expectEqualToChain } from './truth.ts'

let project: Project
const said: string[] = []
beforeAll(async () => {
  project = await startProject(2)
  const { evm, who, pay } = project
  for (const account of [who.treasury, who.giver, who.tax]) await pay(who.stranger, account, dollars(900))
  await evm.mine(5)
})
afterAll(() => project.close())

/** Runs `npm run ledger -- …` against the embedded backend, and tells how it ended and what it said. */
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

test('a range of blocks is filled in; stopped in the middle, the rest is filled in afterwards', async () => {
  const { evm, who, pay } = project
  for (let i = 0; i < 2; i += 1) {
    await pay(who.tax, who.treasury, dollars(10 + i))
    await evm.mine(1_100)
  }
  const head = String(await evm.reader.getBlockNumber())
  const first = ledger('backfill', '--from', '1', '--to', head, '--yes')
  await expect.poll(first.output, { interval: 5, timeout: 20_000 }).toMatch(/% *, block/)
  first.child.kill('SIGKILL')
  await first.ended
  const second = await ledger('backfill', '--from', '1', '--to', head, '--yes').ended
  expect(second).toMatchObject({ code: 0, output: expect.stringContaining('100 %') })
  await expectEqualToChain(project)

  // The schedule then finds nothing that is new.
  await catchUp(project)
  await expectEqualToChain(project)
}, 60_000)

test('a native transfer is recorded by hand, valued by a rate with its source, and corrected', async () => {
  const { evm, who } = project
  const { hash } = await evm.send(who.stranger, who.treasury.address, { value: 15n * 10n ** 17n })
  await evm.mine(6)
  const unasked = await ledger('add', hash).ended
  expect(unasked).toMatchObject({ code: 1, output: expect.stringContaining('Nothing was written') })

  const rate = ['--rate', '600.5', '--rate-source', 'Closing price, as the exchange states it']
  const added = await ledger('add', hash, ...rate, '--yes').ended
  expect(added).toMatchObject({ code: 0, output: expect.stringContaining('On chain: verified') })
  const row = async () => (await project.rows()).find(({ tx_hash }) => tx_hash === hash)
  expect(await row()).toMatchObject({ ordinal: -1, type: 'other', direction: 'in', amount_usd: '900.75' })

  expect((await ledger('add', hash, '--yes').ended).output).toContain('has it already')
  const wrong = await ledger('add', hash, '--revision', '--type', 'donation', '--yes').ended
  expect(wrong).toMatchObject({ code: 1, output: 'It went into the treasury: that is no donation.\n' })
  const corrected = await ledger('add', hash, '--revision', '--type', 'tax', '--note', 'Tax in coin', '--yes')
    .ended
  expect(corrected.code).toBe(0)
  expect(await row()).toMatchObject({ revision: 1, type: 'tax', amount_usd: '900.75', status: 'verified' })
}, 60_000)

test('a statement is confirmed only where somebody says how; it leads to the payment that answered it', async () => {
  const [payment] = await project.rows()
  const about = ['--author', 'Somebody', '--posted', '2025-11-20T18:30:00Z', '--action', 'A donation']
  const links = ['https://example.org/1', 'https://example.org/2']
  const call = (at: number, ...more: string[]) =>
    ledger('call', '--link', links[at] ?? '', '--text', 'Help them.', ...about, ...more, '--yes').ended
  expect((await call(0)).output).toContain('not confirmed by its source')
  expect(
    (await call(1, '--confirmed-by', 'Read on the account itself', '--tx', payment?.tx_hash ?? '')).code,
  ).toBe(0)
  expect((await call(0)).output).toContain('has it already')
  expect((await call(0, '--revision', '--tx', `0x${'1'.repeat(64)}`)).output).toContain(
    'does not have that transaction',
  )
  expect(
    await project.backend.sql(
      'select verified, tx_hash, status, answered_at is not null as answered from public.published_cz_calls order by id',
    ),
  ).toEqual([
    { verified: false, tx_hash: null, status: null, answered: false },
    { verified: true, tx_hash: payment?.tx_hash, status: 'verified', answered: true },
  ])
}, 60_000)

test('every row is checked: one that says another amount than the chain is named', async () => {
  expect(await ledger('verify').ended).toMatchObject({ code: 0 })
  const [row] = await project.rows()
  await project.backend.sql(
    `select public.append_ledger(jsonb_build_array(to_jsonb(facts) || '{"revision": 1, "token_amount": "1"}'))
     from public.transactions as facts where seq = 1`,
  )
  const found = await ledger('verify').ended
  expect(found).toMatchObject({
    code: 1,
    output: expect.stringContaining(`${row?.tx_hash} ${row?.ordinal}: mismatch`),
  })
  expect((await project.rows()).find(({ tx_hash }) => tx_hash === row?.tx_hash)).toMatchObject({
    status: 'mismatch',
    reason: 'Another amount on chain.',
  })
}, 60_000)

test('where it stands is said, faults in one line, and no key nor address of an endpoint at all', async () => {
  const status = await ledger('status').ended
  expect(status.code).toBe(0)
  expect(status.output).toMatch(/disputed +1\n/)
  for (const words of [
    ['add', '0x12'],
    ['backfill', '--from', 'x'],
    ['call'],
    ['nothing'],
    ['add', `0x${'2'.repeat(64)}`],
  ])
    expect(await ledger(...words).ended).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^[^\n]+\n$/),
    })
  for (const endpoint of project.endpoints) endpoint.fault = 'dead'
  expect((await ledger('verify').ended).output).toMatch(/^The chain can't be read: [^\n]+\n$/)

  const { secretKey, headKey } = project.backend
  for (const secret of [secretKey, headKey, ...project.endpoints.map(({ url }) => url)])
    expect(said.join()).not.toContain(secret)
}, 60_000)
