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
  expect(second).toMatchObject({ code: 0, output: expect.stringContaining('100 %') })
  await expectEqualToChain(project)

  // The scheduled run adds no row a second time.
  await catchUp(project)
  await expectEqualToChain(project)
})

test('the command records a native transfer that the scheduled work has not yet found, values it at a rate with a source, and corrects it', async () => {
  const { evm, who } = project
  const { hash } = await evm.send(who.stranger, who.treasury.address, { value: 15n * 10n ** 17n })
  await evm.mine(6)
  const unasked = await ledger('add', hash).ended
  expect(unasked).toMatchObject({ code: 1, output: expect.stringContaining('Not published') })

  const rate = ['--rate', '600.5', '--rate-source', 'Closing price, as the exchange states it']
  const added = await ledger('add', hash, ...rate, '--yes').ended
  expect(added).toMatchObject({ code: 0, output: expect.stringContaining('Blockchain check: verified') })
  const row = async () => (await project.rows()).find(({ tx_hash }) => tx_hash === hash)
  expect(await row()).toMatchObject({
    ordinal: -1,
    account: 'treasury',
    type: 'gift',
    direction: 'in',
    amount_usd: '900.75',
  })

  expect((await ledger('add', hash, '--yes').ended).output).toContain('Already in the ledger')
  const wrong = await ledger('add', hash, '--revision', '--type', 'donation', '--yes').ended
  expect(wrong).toMatchObject({
    code: 1,
    output: '--type must be gift, tax, exchange, or other for a transfer to treasury.\n',
  })
  const corrected = await ledger('add', hash, '--revision', '--type', 'tax', '--note', 'Tax in coin', '--yes')
    .ended
  expect(corrected.code).toBe(0)
  expect(await row()).toMatchObject({ revision: 1, type: 'tax', amount_usd: '900.75', status: 'verified' })
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

  const donation = ['--type', 'donation', '--pool', 'education', '--proof', 'https://example.org/receipt']
  expect(await ledger('add', partner.hash, '--revision', ...donation, '--yes').ended).toMatchObject({
    code: 0,
  })
  expect(await ledger('add', gas.hash, '--revision', '--type', 'cost', '--yes').ended).toMatchObject({
    code: 0,
  })
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

test('an update of a pool states whom it helps, with a source; a correction keeps the fields that are not given', async () => {
  const update = (...more: string[]) => ledger('update', '--pool', 'education', ...more, '--yes').ended
  expect((await update()).output).toMatch(/^Missing:\n {2}--text /)
  expect((await update('--text', 'Books arrived.', '--helping', '120')).output).toContain(
    'Use --helping and --helping-source together',
  )
  const source = ['--helping-source', 'https://example.org/report']
  const links = ['--links', 'https://example.org/a https://example.org/b']
  const added = await update('--text', 'Books arrived.', '--helping', '120', ...source, ...links)
  expect(added).toMatchObject({ code: 0, output: expect.stringContaining('Published as update 1') })
  expect(await update('--number', '1', '--revision', '--helping', '130')).toMatchObject({ code: 0 })
  expect((await update('--number', '9', '--revision', '--helping', '1')).output).toContain('has no update 9')
  expect(
    await project.backend.sql(
      `select number::int, revision::int, text, links, helping::int, helping_source
       from public.published_updates where pool_slug = 'education'`,
    ),
  ).toEqual([
    {
      number: 1,
      revision: 1,
      text: 'Books arrived.',
      links: 'https://example.org/a\nhttps://example.org/b',
      helping: 130,
      helping_source: 'https://example.org/report',
    },
  ])
})

test("someone else's wallet gets a name, which the operator can change", async () => {
  const { who, backend } = project
  const partner = who.stranger.address
  const name = (...words: string[]) => ledger('name', ...words, '--yes').ended
  const faults: [said: string, ...words: string[]][] = [
    ['must start with 0x', '0x12', 'Books'],
    [
      'has a typo',
      partner.replace(/[a-f]/i, (digit) =>
        digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase(),
      ),
      'Books',
    ],
    ['our own wallet (Treasury)', who.treasury.address, 'Books'],
    ['Give the name in quotation marks', partner, '  '],
    ['has 61 characters', partner, 'a'.repeat(61)],
    ['control or direction character', partner, 'sk\u202eooB'],
    ['reads like one of our own wallets', partner, 'treasury'],
    ['has no name yet', partner, 'Books', '--revision'],
  ]
  for (const [said, ...words] of faults)
    expect(await name(...words)).toMatchObject({ code: 1, output: expect.stringContaining(said) })
  expect((await ledger('name', partner, 'Books').ended).output).toContain('Not published')
  const named = await name(partner, 'Riverside Books, supplier')
  expect(named).toMatchObject({
    code: 0,
    output: expect.stringContaining('Name organisations; a private person only with their consent.'),
  })
  expect((await name(partner, 'Books')).output).toContain('has a name already: Riverside Books, supplier')
  expect((await name(`0x${'9'.repeat(40)}`, 'Riverside books, supplier')).output).toContain(
    'Another wallet has this name',
  )
  expect(await name(partner, 'Riverside Books, partner', '--revision')).toMatchObject({ code: 0 })
  expect(await backend.sql('select name, revision::int from public.published_names')).toEqual([
    { name: 'Riverside Books, partner', revision: 1 },
  ])
})

test('a text is withdrawn by its hash: the row stays, and the log has the reason', async () => {
  const [text] = await project.backend.sql<{ hash: string }>(
    "select hash from public.published_texts where text = 'Tax in coin'",
  )
  const withdraw = (...words: string[]) => ledger('withdraw-text', ...words).ended
  const hash = text?.hash ?? ''
  expect((await withdraw('12')).output).toContain('Give the hash of the text')
  expect((await withdraw('0'.repeat(64), '--reason', 'x', '--yes')).output).toContain(
    "doesn't have that text",
  )
  expect(await withdraw(hash, '--reason', 'It named a person')).toMatchObject({
    code: 1,
    output: expect.stringContaining('Not published'),
  })
  expect(await withdraw(hash, '--reason', 'It named a person', '--yes')).toMatchObject({ code: 0 })
  expect((await withdraw(hash, '--reason', 'Again', '--yes')).output).toContain('was already withdrawn')
  expect(
    await project.backend.sql(
      `select text, salt, reason, withdrawn_index = (select max(log_index) - 1 from public.published_acts) as acted
       from public.published_texts where hash = $1`,
      [hash],
    ),
  ).toEqual([{ text: null, salt: null, reason: 'It named a person', acted: true }])
  const noted = await project.backend.sql(
    'select note, note_withdrawn from public.published_transactions where note_hash = $1',
    [hash],
  )
  expect(noted).toEqual([{ note: null, note_withdrawn: true }])
})

test('after a rollback nothing is signed until the operator accepts the rollback with a public reason', async () => {
  const { backend } = project
  const accept = (...words: string[]) => ledger('accept-restore', ...words).ended
  expect((await accept('--reason', 'x', '--yes')).output).toContain('there is nothing to accept')
  // The job makes this call if the log lacks a checkpoint that the job signed.
  const lost = Buffer.alloc(32, 7).toString('base64')
  await backend.sql("select public.report_rollback('ledger', 1000000, $1)", [lost])
  expect((await accept('--yes')).output).toMatch(/^Missing:\n {2}--reason /)
  expect(await accept('--reason', 'Restored the backup of Tuesday', '--yes')).toMatchObject({
    code: 0,
    output: expect.stringContaining('A checkpoint of 1000000 entries was signed'),
  })
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

test('an operator can confirm a statement only by stating how the source was checked, and the statement links to its payment', async () => {
  const [payment] = await project.rows()
  const about = ['--author', 'Somebody', '--posted', '2025-11-20T18:30:00Z', '--action', 'A donation']
  const links = ['https://example.org/1', 'https://example.org/2']
  const call = (at: number, ...more: string[]) =>
    ledger('call', '--link', links[at] ?? '', '--text', 'Help them.', ...about, ...more, '--yes').ended
  expect((await call(0)).output).toContain('source not confirmed')
  expect(
    (await call(1, '--confirmed-by', 'Read on the account itself', '--tx', payment?.tx_hash ?? '')).code,
  ).toBe(0)
  expect((await call(0)).output).toContain('Already published')
  expect((await call(0, '--revision', '--tx', `0x${'1'.repeat(64)}`)).output).toContain(
    "isn't in the ledger yet",
  )
  expect(
    await project.backend.sql(
      'select verified, tx_hash, status, answered_at is not null as answered from public.published_cz_calls order by id',
    ),
  ).toEqual([
    { verified: false, tx_hash: null, status: null, answered: false },
    { verified: true, tx_hash: payment?.tx_hash, status: 'verified', answered: true },
  ])
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
  expect(found).toMatchObject({
    code: 1,
    output: expect.stringContaining(`${row?.tx_hash} ${row?.ordinal}: mismatch`),
  })
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
    ['add', `0x${'2'.repeat(64)}`],
  ])
    expect(await ledger(...words).ended).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^[^\n]+\n$/),
    })
  expect(await ledger('call').ended).toMatchObject({
    code: 1,
    output: expect.stringMatching(
      /^Missing:\n {2}--link .*\n {2}--text .*\n {2}--author .*\n {2}--posted .*\n {2}--action .*\n$/,
    ),
  })
  for (const endpoint of project.endpoints) endpoint.fault = 'dead'
  expect((await ledger('verify').ended).output).toMatch(/^We can't read the blockchain: [^\n]+\n$/)

  const { secretKey, logKey } = project.backend
  for (const secret of [secretKey, logKey, ...project.endpoints.map(({ url }) => url)])
    expect(said.join()).not.toContain(secret)
})
