import { createHash } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { signedCall } from '../support/arrival.ts'
import { passTime, requestKey, sendAll } from '../support/followers.ts'
import { addOperator } from '../support/operators.ts'
import { clientOf, startTemporary, transaction } from '../support/temporary-backend.ts'

const backend = await startTemporary()
afterAll(() => backend.close())
const ada = await addOperator(backend, 'ada')
const bob = await addOperator(backend, 'bob')
await backend.sql('select public.keep_request_key($1)', [requestKey])

type Person = typeof ada
type Ask = {
  state: string
  outcome?: string
  answers: { answer: string; name: string | null; words: string | null; waits: boolean }[]
}
const visitor = clientOf(backend)
const hex = (text: string) => createHash('sha256').update(text).digest('hex')
const neverOf = (token: string) => hex(`never ${token}`)

async function rpc<T>(name: string, parameters: object, client = visitor): Promise<T> {
  const { data, error } = await client.rpc(name as never, parameters as never)
  if (!error) return data as T
  const { field, why } = JSON.parse(error.details || '{}')
  return [error.message, field, why].filter(Boolean).join(' ') as T
}
const read = (token: string) => rpc<Ask>('read_ask', { token })
const answer = (
  token: string,
  given: string,
  seen = 0,
  words: string | null = null,
  name: string | null = null,
) => rpc<Ask>('answer_ask', { token, answer: given, name, words, seen })

let wallets = 0
const newWallet = () => `0x${(++wallets).toString(16).padStart(40, 'd')}`

/** An act that ada proposes and bob confirms, or one of ada alone. Returns the outcome. */
async function decide(kind: string, subject: string | null, values: object, reason: string | null = null) {
  const id = crypto.randomUUID()
  const state = await rpc<{ state: string } | string>(
    'save_act',
    { act: id, kind, subject, arguments: values, reason },
    ada.client,
  )
  if (typeof state === 'string') return state
  const submitted = await rpc<{ state: string } | string>('submit_act', { act: id }, ada.client)
  if (typeof submitted === 'string' || submitted.state === 'done') return submitted
  return rpc<{ state: string } | string>('confirm_act', { act: id }, bob.client)
}
const contact = (to: string, email: string, who = 'organisation') =>
  decide('contact', null, { to, email, language: 'ar', who })

/** A payment of now or of some minutes ago, verified. Returns its row. */
async function pay(to: string, changes: Record<string, unknown> = {}, usd = 645.5) {
  const row = transaction({
    ...{
      occurred_at: new Date().toISOString(),
      account: 'education',
      pool_slug: 'education',
      type: 'spending',
    },
    ...{ direction: 'out', to_address: to, amount_usd: usd, note: 'Lamps', ...changes },
  })
  await backend.sql('select public.append_ledger($1)', [JSON.stringify([row])])
  await check(row.tx_hash)
  return row
}
async function check(hash: string, status = 'verified') {
  await backend.sql(
    `insert into public.transaction_checks (transaction_id, status, block_number, block_hash, confirmations, checked_at)
     select max(id), $2, 9, $1::text, 20, clock_timestamp() from public.transactions where tx_hash = $1::text`,
    [hash, status],
  )
}
/** Corrects a payment, and verifies the new revision. */
async function correct(row: { tx_hash: string }) {
  await backend.sql(
    `select private.revise_payment(concat_ws('/', chain_id, tx_hash, ordinal), '{"note": "Lamps and wires"}')
     from public.transactions where tx_hash = $1 and revision = 0`,
    [row.tx_hash],
  )
  await check(row.tx_hash)
}
/** The mails to an address since the last call, each with its token. */
async function mailsTo(address: string) {
  await passTime(backend, '61 minutes')
  const { mails } = await sendAll(backend)
  return mails.filter((mail) => mail.address === address) as unknown as {
    token: string
    ask: { never: string }
    language: string
  }[]
}
async function asked(address: string, changes = {}, usd?: number) {
  const to = newWallet()
  expect(await contact(to, address)).toMatchObject({ state: 'done' })
  const row = await pay(to, changes, usd)
  const [mail] = await mailsTo(address)
  return { to, row, token: mail?.token ?? '', never: mail?.ask.never ?? '' }
}
const stateOf = async ({ tx_hash }: { tx_hash: string }) => {
  const rows = await backend.sql<{ state: string }>(
    'select state from public.published_arrivals where id = (select max(id) from public.transactions where tx_hash = $1)',
    [tx_hash],
  )
  return rows[0]?.state ?? null
}
const published = ({ tx_hash }: { tx_hash: string }) =>
  backend.sql<Record<string, unknown>>(
    'select * from public.published_answers where tx_hash = $1 order by id',
    [tx_hash],
  )
const totals = async () =>
  (await backend.sql<Record<string, string>>('select * from public.arrival_totals'))[0] ?? {}
const subjectOf = ({ chain_id, tx_hash, ordinal }: Record<string, unknown>) =>
  `${chain_id}/${tx_hash}/${ordinal}`
const print = (person: Person, row: Record<string, unknown>) =>
  rpc<{ token: string } | string>('print_ask', { subject: subjectOf(row) }, person.client)

describe('a link that is mailed', () => {
  test('goes only to an address that two operators entered before the payment, and its token is not stored afterwards', async () => {
    const to = newWallet()
    await pay(to)
    await contact(to, 'late@example.org')
    expect(await mailsTo('late@example.org')).toEqual([])
    const row = await pay(to)
    const [mail, ...more] = await mailsTo('late@example.org')
    expect([more, mail?.language, mail?.token.length]).toEqual([[], 'ar', 64])
    expect(await backend.sql(`select from private.asks where token is not null`)).toEqual([])
    expect(await stateOf(row)).toBe('asked')
    expect(await mailsTo('late@example.org')).toEqual([])
    expect(await contact(newWallet(), 'ADA@example.org')).toBe('invalid_field email own')
    expect(await contact('0x12', 'a@example.org')).toBe('invalid_field to format')
  })

  test('takes an answer once, of two presses the first, and a second answer, of which the newest counts', async () => {
    const { row, token } = await asked('first@example.org')
    const both = await Promise.all([answer(token, 'yes'), answer(token, 'no')])
    expect(both.map(({ outcome }) => outcome).sort()).toEqual(['stored', 'used'])
    const [first] = (await read(token)).answers
    expect(both.map(({ answers }) => answers.map((one) => one.answer))).toEqual([
      [first?.answer],
      [first?.answer],
    ])
    expect((await answer(token, 'but', 1, 'Half of them.')).outcome).toBe('stored')
    expect((await answer(token, 'no', 2)).outcome).toBe('closed')
    expect(await stateOf(row)).toBe('but')
    expect(await published(row)).toMatchObject([
      { answer: first?.answer, strength: 'mail', by: 'ada', second: 'bob' },
      { answer: 'but', words: null, words_wait: true },
    ])
  })

  test('shows nothing to a guesser, refuses words with a way to pay, and ends after 180 days', async () => {
    expect(await read('0'.repeat(64))).toEqual({ state: 'unknown' })
    expect((await answer('0'.repeat(64), 'yes')).outcome).toBe('closed')
    const { token, row } = await asked('words@example.org')
    expect(await answer(token, 'yes', 0, `Send to 0x${'a'.repeat(40)}`)).toBe('invalid_field words address')
    expect(await answer(token, 'yes', 0, 'x'.repeat(501))).toBe('invalid_field words length')
    expect(await answer(token, 'perhaps')).toBe('invalid_field answer missing')
    expect(await published(row)).toEqual([])
    await answer(token, 'yes', 0, 'They shine.', 'Amina')
    await backend.sql(
      `update private.asks set expires_at = now() - interval '1 second' where token_hash = $1`,
      [hex(token)],
    )
    expect(await read(token)).toMatchObject({ state: 'ended', answers: [] })
    expect((await answer(token, 'no', 1)).outcome).toBe('closed')
    expect((await rpc<Ask>('withdraw_answer', { token })).outcome).toBe('closed')
  })

  test('asks a private person for no name, and keeps none', async () => {
    const to = newWallet()
    await contact(to, 'person@example.org', 'person')
    const row = await pay(to)
    const [mail] = await mailsTo('person@example.org')
    expect(await read(mail?.token ?? '')).toMatchObject({ asks_name: false })
    await answer(mail?.token ?? '', 'yes', 0, null, 'Amina')
    expect(await backend.sql('select name_hash from private.answers order by id desc limit 1')).toEqual([
      { name_hash: null },
    ])
    expect(await published(row)).toMatchObject([{ name: null, words_wait: false }])
  })

  test('never writes again to an address that said so, or that does not work', async () => {
    const { to, row, token, never } = await asked('never@example.org')
    expect(never).toBe(neverOf(token))
    expect(await rpc('never_ask', { token })).toBe('unknown')
    expect(await rpc('never_ask', { token: never })).toBe('stopped')
    expect(await rpc('never_ask', { token: never })).toBe('stopped')
    await pay(to)
    expect(await mailsTo('never@example.org')).toEqual([])
    expect(await contact(newWallet(), 'Never@example.org')).toBe('invalid_field email never')
    // The answer is still possible by the link that they have.
    expect((await answer(token, 'yes')).outcome).toBe('stored')
    expect(await stateOf(row)).toBe('mail')
    // Even after operators entered another address.
    const former = await asked('former@example.org')
    await contact(former.to, 'newer@example.org')
    expect(await rpc('never_ask', { token: former.never })).toBe('stopped')
    expect(await contact(newWallet(), 'former@example.org')).toBe('invalid_field email never')
    const bounced = await asked('bounced@example.org')
    await backend.sql(`select public.stop_address('bounced@example.org', 'bounce')`)
    expect(await stateOf(bounced.row)).toBe(null)
  })
})

describe('a payment that changed after the answer', () => {
  test('keeps the answer with what it answered, and asks again', async () => {
    const { row, token } = await asked('again@example.org')
    await answer(token, 'yes')
    await correct(row)
    expect((await read(token)).state).toBe('corrected')
    expect((await answer(token, 'no', 1)).outcome).toBe('closed')
    const [mail, ...more] = await mailsTo('again@example.org')
    expect(more).toEqual([])
    expect(await stateOf(row)).toBe('asked')
    expect(await published(row)).toMatchObject([{ answer: 'yes', is_current: false }])
    await answer(mail?.token ?? '', 'yes')
    expect(await stateOf(row)).toBe('mail')
    await check(row.tx_hash, 'reorganised')
    expect(await stateOf(row)).toBe(null)
    await check(row.tx_hash)
    expect(await stateOf(row)).toBe('asked')
    expect(await mailsTo('again@example.org')).toHaveLength(1)
  })

  test('does not hide a no', async () => {
    const { row, token } = await asked('hidden@example.org')
    await answer(token, 'no')
    await correct(row)
    expect(await stateOf(row)).toBe('no')
    const [mail] = await mailsTo('hidden@example.org')
    await answer(mail?.token ?? '', 'yes')
    expect(await stateOf(row)).toBe('mail')
  })
})

describe('a no', () => {
  test('is a mistake until the recipient says otherwise, and an operator can only write beside it', async () => {
    const { row, token } = await asked('no@example.org')
    await answer(token, 'no', 0, 'Nothing came.')
    const [no] = await published(row)
    const mistake = () =>
      backend.sql('select * from public.published_mistakes where subject = $1', [`arrival/${no?.id}`])
    expect(await mistake()).toMatchObject([{ kind: 'arrival', state: 'mail', ended_at: null, notes: [] }])
    expect(
      await decide('mistake-note', `arrival/${no?.id}`, {}, 'The shop delivers on Friday.'),
    ).toMatchObject({ state: 'done' })
    expect(await published(row)).toMatchObject([
      { answer: 'no', is_standing_no: true, notes: [{ by: 'ada', text: 'The shop delivers on Friday.' }] },
    ])
    for (const change of ['update', 'delete from'])
      await expect(
        backend.sql(
          change === 'update' ? `update private.answers set answer = 'yes'` : 'delete from private.answers',
        ),
      ).rejects.toThrow('is append-only')
    await answer(token, 'yes', 1)
    expect(await mistake()).toMatchObject([{ ended_at: expect.anything() }])
    expect(await published(row)).toMatchObject([{ is_standing_no: false }, { answer: 'yes' }])
  })
})

describe('words', () => {
  test('wait for one operator, are not published before, and go at one press of the recipient', async () => {
    const { row, token } = await asked('shy@example.org')
    await answer(token, 'but', 0, 'One was broken.', 'Lamp Shop')
    const [entry] = await backend.sql<{ facts: Record<string, string> }>(
      `select entry::jsonb as facts from private.ledger_entries where kind = 'answer' order by index desc limit 1`,
    )
    const hashes = [entry?.facts.name_hash, entry?.facts.words_hash]
    const texts = () =>
      backend.sql<{ text: string | null }>(
        'select text from public.published_texts where hash = any ($1::text[]) order by id',
        [hashes],
      )
    expect(await texts()).toEqual([])
    expect(await rpc('waiting_answers', {})).toContain('permission denied')
    const waiting = await rpc<{ id: number; words: string }[]>('waiting_answers', {}, ada.client)
    const one = waiting.find(({ words }) => words === 'One was broken.')
    expect(await decide('answer-words', `${one?.id}`, {})).toMatchObject({ state: 'done' })
    expect(await texts()).toEqual([{ text: 'Lamp Shop' }, { text: 'One was broken.' }])
    expect(await published(row)).toMatchObject([
      { name: 'Lamp Shop', words: 'One was broken.', words_wait: false },
    ])
    expect((await rpc<Ask>('withdraw_answer', { token })).outcome).toBe('withdrawn')
    expect(await texts()).toEqual([{ text: null }, { text: null }])
    expect(await published(row)).toMatchObject([
      { answer: 'but', name: null, words: null, words_withdrawn: true },
    ])
    const mistakes = await backend.sql(`select from public.published_mistakes where kind = 'withdrawal'`)
    expect(mistakes).toEqual([])
  })

  test('are not published by an operator, whose reason is public: the answer stays, and the link shows why', async () => {
    const { row, token } = await asked('loud@example.org')
    await answer(token, 'no', 0, 'Ask my neighbour Ada.')
    const waiting = () => rpc<{ id: number; words: string }[]>('waiting_answers', {}, ada.client)
    const number = `${(await waiting()).find(({ words }) => words === 'Ask my neighbour Ada.')?.id}`
    const because = 'They name another person.'
    expect(await decide('answer-rejection', number, {}, 'Short.')).toContain('reason')
    expect(await decide('answer-rejection', number, {}, because)).toMatchObject({ state: 'done' })
    expect((await waiting()).map(({ id }) => `${id}`)).not.toContain(number)
    // No operator publishes them after that.
    expect(await decide('answer-words', number, {})).not.toMatchObject({ state: 'done' })
    expect(await published(row)).toMatchObject([
      {
        ...{ answer: 'no', words: null, words_wait: false, words_withdrawn: false, is_standing_no: true },
        ...{ rejected_by: 'ada', rejected_because: because },
      },
    ])
    expect(await stateOf(row)).toBe('no')
    const { answers } = await read(token)
    expect(answers).toMatchObject([{ words: 'Ask my neighbour Ada.', waits: false, rejected: because }])
    const texts = await backend.sql('select from public.published_texts where text like $1', ['Ask my%'])
    expect(texts).toEqual([])
  })
})

test('two operators mark a wallet as an exchange wallet: the mark is public, and a signature of the wallet is not accepted as an answer', async () => {
  const to = newWallet()
  const exchange = () =>
    backend.sql('select "by", second from public.exchange_wallets where wallet = $1', [to])
  await decide('contact', null, { to, email: '', language: 'ar', who: 'organisation' }, 'They asked us.')
  expect(await exchange()).toEqual([])
  const said = await decide(
    'contact',
    null,
    { to, email: '', language: 'ar', who: 'exchange' },
    'They asked us.',
  )
  expect(said).toMatchObject({ state: 'done' })
  expect(await exchange()).toEqual([{ by: 'ada', second: 'bob' }])
  const [act] = await backend.sql<{ reason: string }>(
    "select reason from public.published_acts where act = 'contact' and subject = $1 order by id desc limit 1",
    [to],
  )
  expect(act?.reason).toBe('The wallet of an exchange, which signs no answer.\nThey asked us.')
  await pay(to, { occurred_at: new Date(Date.now() - 3_600_000).toISOString() })
  const [{ id } = { id: 0 }] = await backend.sql<{ id: number }>(
    'select max(id)::int as id from public.transactions',
  )
  const sign = () => rpc<{ outcome: string }>('answer_by_wallet', signedCall(id, 'yes', new Date()))
  expect(await sign()).toEqual({ outcome: 'closed' })
  await decide('contact', null, { to, email: '', language: 'ar', who: 'organisation' })
  expect(await exchange()).toEqual([])
  expect(await sign()).toMatchObject({ outcome: 'stored' })
})

describe('a link that is printed', () => {
  test('names who printed it, with a fresh code, and the row of the log says so before the answer', async () => {
    const row = await pay(newWallet())
    expect(await stateOf(row)).toBe(null)
    const made = await print(bob, row)
    const { token } = made as { token: string }
    expect(await stateOf(row)).toBe('asked')
    expect((await answer(token, 'yes')).outcome).toBe('stored')
    expect(await published(row)).toMatchObject([{ strength: 'print', by: 'bob', second: null }])
    const entries = await backend.sql<{ entry: string }>(
      'select entry from private.ledger_entries order by index desc limit 2',
    )
    expect(entries.map(({ entry }) => JSON.parse(entry))).toMatchObject([
      { kind: 'answer', strength: 'print', by: 'bob' },
      { kind: 'act', act: 'arrival-print', by: 'bob', made: null },
    ])
    expect(await rpc('print_ask', { subject: subjectOf(row) })).toContain('permission denied')
    const tax = transaction({ occurred_at: new Date().toISOString() })
    await backend.sql('select public.append_ledger($1)', [JSON.stringify([tax])])
    await check(tax.tx_hash)
    expect(await print(ada, tax)).toBe('not_found')
  })
})

describe('an answer that a wallet signed', () => {
  test('comes only from the site, once for each text, and its link takes the words back', async () => {
    const row = await pay(newWallet(), { occurred_at: new Date(Date.now() - 3_600_000).toISOString() })
    const [{ id } = { id: 0 }] = await backend.sql<{ id: number }>(
      'select max(id)::int as id from public.transactions',
    )
    const [now, before] = [new Date(), new Date(Date.now() - 60_000)]
    const send = (values: object) =>
      rpc<{ outcome: string; token: string } | string>('answer_by_wallet', values)
    expect(await send({ ...signedCall(id, 'no', before), answer: 'yes' })).toContain(
      'has not signed this request',
    )
    expect(await send(signedCall(id, 'no', new Date(Date.now() - 2 * 86_400_000)))).toBe(
      'invalid_field signature time',
    )
    const first = (await send(signedCall(id, 'no', before))) as { outcome: string; token: string }
    expect(first.outcome).toBe('stored')
    expect(await stateOf(row)).toBe('no')
    expect(await send(signedCall(id, 'no', before))).toEqual({ outcome: 'used' })
    const second = (await send(signedCall(id, 'yes', now))) as { token: string }
    expect(await stateOf(row)).toBe('wallet')
    expect((await answer(second.token, 'no', 2)).outcome).toBe('closed')
    expect((await read(first.token)).state).toBe('unknown')
    expect((await rpc<Ask>('withdraw_answer', { token: second.token })).outcome).toBe('withdrawn')
    expect(await send(signedCall(id, 'no', new Date(Date.now() + 60_000)))).toEqual({ outcome: 'used' })
    expect(await send(signedCall(999_999, 'yes', now))).toEqual({ outcome: 'closed' })
  })
})

test('the figures by strength are those of the rows, and what was not asked is the rest', async () => {
  const before = await totals()
  const silent = await asked('silent@example.org', {}, 100)
  await pay(newWallet(), {}, 30)
  const yes = await asked('yes@example.org', {}, 7)
  await answer(yes.token, 'yes')
  const cents = (values: Record<string, string>, name: string) => Math.round(100 * Number(values[name]))
  const after = await totals()
  const grown = (name: string) => cents(after, name) - cents(before, name)
  expect([grown('asked_usd'), grown('not_asked_usd'), grown('mail_usd')]).toEqual([10_000, 3_000, 700])
  expect(await stateOf(silent.row)).toBe('asked')
  const parts = ['wallet_usd', 'mail_usd', 'print_usd', 'no_usd', 'asked_usd', 'not_asked_usd']
  const [ledger] = await backend.sql<{ usd: string }>(
    `select sum(amount_usd) as usd from public.published_transactions
     where status = 'verified' and direction = 'out' and type in ('spending', 'donation', 'dream') and counter_account is null`,
  )
  expect(parts.reduce((sum, name) => sum + cents(after, name), 0)).toBe(Math.round(100 * Number(ledger?.usd)))
})
