import { afterAll, expect, test } from 'vitest'
import { insertOrder } from '../support/orders.ts'
import { startSiteWithBackend } from '../support/site.ts'
import { clientOf, czCall, transaction } from '../support/temporary-backend.ts'
import { documentOf, Visitor } from '../support/visitor.ts'

const site = await startSiteWithBackend({
  variables: { PAGE_CACHE: 'off', CHAIN_TOKENS: `USDX:0x${'e'.repeat(40)}:6:usd` },
})

afterAll(() => site.close())

const service = () => clientOf(site.backend, site.backend.secretKey)

async function withdraw(text: string, reason: string): Promise<void> {
  const [found] = await site.backend.sql<{ hash: string }>(
    'select hash from published_texts where text = $1',
    [text],
  )
  expect((await service().rpc('withdraw_text', { hash: found?.hash ?? '', reason })).data, text).toBe(true)
}

async function mainText(path: string): Promise<string> {
  const page = await new Visitor(site.url).get(path)
  expect(page.status, path).toBe(200)
  return documentOf(page).querySelector('main')?.structuredText.replace(/\s+/g, ' ') ?? ''
}

test('every page with a withdrawn text says that the text was withdrawn, and why', async () => {
  const row = transaction({
    type: 'donation',
    direction: 'out',
    account: 'treasury',
    counter_account: 'education',
    pool_slug: 'education',
    note: 'A note that names Ana',
    proof_url: 'https://example.org/ana',
  })
  const appended = await service().rpc('append_ledger', { entries: [row] as never })
  expect(appended.error).toBeNull()
  const call = czCall({
    chain_id: 56,
    tx_hash: row.tx_hash,
    tweet_text: 'A statement about Ana',
    action_taken: 'Paid Ana',
  })
  expect((await service().rpc('append_statement', { statement: call as never })).error).toBeNull()
  const update = { pool_slug: 'education', published_at: '2025-04-01T00:00:00Z', text: 'Ana has books' }
  expect((await service().rpc('append_update', { entry: update as never })).error).toBeNull()

  await withdraw('A note that names Ana', 'The note named a person.')
  await withdraw('https://example.org/ana', 'The proof showed a person.')
  await withdraw('A statement about Ana', 'The author asked for it.')
  await withdraw('Paid Ana', 'The action named a person.')
  await withdraw('Ana has books', 'The update named a person.')

  const [{ id } = { id: 0 }] = await site.backend.sql<{ id: number }>(
    'select id from transactions where tx_hash = $1',
    [row.tx_hash],
  )
  const record = await mainText(`/transparency/${id}`)
  for (const reason of ['The note named a person.', 'The proof showed a person.', 'The author asked for it.'])
    expect(record).toContain(`This text was withdrawn. The reason: ${reason}`)
  const feed = await mainText('/cz-call')
  expect(feed).toContain('This text was withdrawn. The reason: The author asked for it.')
  expect(feed).toContain('This text was withdrawn. The reason: The action named a person.')
  expect(await mainText('/voting/education')).toContain(
    'This text was withdrawn. The reason: The update named a person.',
  )
  for (const path of [`/transparency/${id}`, '/cz-call', '/voting/education'])
    expect(await mainText(path)).not.toContain('Ana')
})

const address = (digit: string) => `0x${digit.repeat(40)}`

/** Appends a row of the ledger. Returns its id and its name in acts. */
async function appendRow(changes: Record<string, unknown>) {
  const row = transaction({ token_amount: '5000000', token_symbol: 'USDX', token_decimals: 6, ...changes })
  expect((await service().rpc('append_ledger', { entries: [row] as never })).error).toBeNull()
  const [found] = await site.backend.sql<{ id: number }>(
    'select id from transactions where tx_hash = $1 and revision = $2',
    [row.tx_hash, row.revision],
  )
  return { id: Number(found?.id), row, subject: `56/${row.tx_hash}/0` }
}

const act = (kind: string, subject: string, given: Record<string, string>, reason: string) =>
  service().rpc('act_with_key', { kind, subject, arguments: given, reason, version: 0 } as never)

async function check(id: number, status: string, reason: string | null) {
  const block = { block_number: 7, block_hash: `0x${'7'.repeat(64)}`, confirmations: 20 }
  const found = { transaction_id: id, status, reason, ...(status === 'verified' && block) }
  expect((await service().rpc('record_checks', { checks: [found] as never })).error).toBeNull()
}

async function compareBalance(held: number) {
  const balance = {
    ...{
      chain_id: 56,
      block_number: 7,
      block_hash: `0x${'7'.repeat(64)}`,
      block_time: '2025-03-01T12:00:00Z',
    },
    ...{ wallet: address('2'), token_address: address('e'), token_symbol: 'USDX', token_decimals: 6 },
    ...{ chain_amount: `${held}`, ledger_amount: '4000000', gas_paid: '0' },
  }
  expect((await service().rpc('record_reconciliations', { entries: [balance] as never })).error).toBeNull()
}

async function mistakes() {
  const { data } = await clientOf(site.backend)
    .from('published_mistakes')
    .select('subject, kind, state, ended_at, words')
    .neq('kind', 'withdrawal')
    .order('id')
  return data?.map(({ subject, state, ended_at: end }) => `${subject} ${state} ${end ? 'ended' : 'open'}`)
}

test('a mistake is what the records show, an operator adds a sentence to it, and the first value is none', async () => {
  const unvalued = await appendRow({ amount_usd: null, rate_source: null })
  const price = { rate: '2', rate_source: 'An exchange' }
  expect((await act('value', unvalued.subject, price, 'Read by hand.')).error).toBeNull()
  expect(await mistakes()).toEqual([])

  const wrong = await appendRow({})
  expect((await act('value', wrong.subject, price, 'The rate was of another day.')).error).toBeNull()
  const healed = await appendRow({})
  await check(healed.id, 'mismatch', 'The blockchain shows a different amount.')
  await check(healed.id, 'verified', null)
  const gone = await appendRow({})
  await check(gone.id, 'reorganised', 'It is in no block.')
  const replaced = await appendRow({})
  await check(replaced.id, 'mismatch', 'The blockchain shows a different amount.')
  expect((await act('value', replaced.subject, price, 'It was wrong.')).error).toBeNull()
  for (const held of [4_000_000, 4_500_000, 4_600_000, 4_000_000, 3_000_000]) await compareBalance(held)
  await site.backend.sql(
    "insert into public.operators (handle, until) select handle, now() from unnest('{ada,bob}'::text[]) as handle",
  )
  const order = await insertOrder(site.backend, {
    ...{
      chain: 56,
      from: address('2'),
      to: address('3'),
      token: address('e'),
      decimals: 6,
      amount: 9_000_000n,
    },
  })
  for (const state of ['sent', 'lost'])
    await site.backend.sql('select private.move_order($1, $2)', [order, state])

  const [first, second] = await site.backend.sql<{ number: number }>(
    "select number from operator_acts where kind = 'value' and subject <> $1 order by number",
    [unvalued.subject],
  )
  const [begun, later] = await site.backend.sql<{ id: number }>(
    'select id from reconciliations where chain_amount in (4500000, 3000000) order by id',
  )
  expect(await mistakes()).toEqual([
    `correction/${first?.number} transaction ended`,
    `correction/${second?.number} transaction ended`,
    `mismatch/${healed.id} mismatch ended`,
    `mismatch/${gone.id} reorganised open`,
    `mismatch/${replaced.id} replaced ended`,
    `balance/${begun?.id} null ended`,
    `balance/${later?.id} null open`,
    `payment/${order} lost open`,
  ])

  const said = 'A node had forgotten the transaction, and we sent the money again.'
  const unknown = await act('mistake-note', 'payment/999', {}, said)
  expect(unknown.error?.message).toBe('not_found')
  expect((await act('mistake-note', `payment/${order}`, {}, said)).error).toBeNull()
  const words = await mainText('/transparency/mistakes')
  for (const sentence of [
    'A payment was recorded wrong',
    'The rate was of another day. It was corrected. The wrong version stays in the log.',
    '$100.00 The blockchain shows a different amount. It matches the blockchain again.',
    '$100.00 The blockchain shows a different amount. A corrected payment replaced it.',
    '$100.00 It is in no block. It is not solved yet. No total includes this payment.',
    '0.5 USDX 0x22222222…22222222 The two agree again.',
    '1 USDX 0x22222222…22222222 It is not solved yet.',
    `$9.00 Rent All payments were suspended until two operators resumed them. ${said}`,
    'A published text was removed',
  ])
    expect(words).toContain(sentence)
  expect(words.match(/not solved Entry|, not solved/g)).toHaveLength(2)
  expect(words).not.toContain('The records show no mistake')
})
