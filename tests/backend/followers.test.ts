import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { drawFrom } from '../support/draw.ts'
import { addFollowers, claim, passTime, requestKey, sendAll, signedRequest } from '../support/followers.ts'
import { addOperator } from '../support/operators.ts'
import { insertOrder } from '../support/orders.ts'
import {
  clientOf,
  czCall,
  signUp,
  startTemporary,
  type TemporaryBackend,
  transaction,
} from '../support/temporary-backend.ts'

let backend: TemporaryBackend
beforeAll(async () => {
  backend = await startTemporary()
  await call('keep_request_key', requestKey)
})
afterAll(() => backend.close())
beforeEach(async () => {
  await backend.sql('delete from private.outbox')
  await backend.sql('delete from private.followers')
  await backend.sql('delete from private.follow_requests')
  await backend.sql('delete from private.stopped_addresses')
  await backend.sql(
    'update private.mail_state set sent = 0, failed = 0, paused_until = null, pause_reason = null',
  )
})

async function call<T>(name: string, ...values: unknown[]): Promise<T> {
  const places = values.map((_, at) => `$${at + 1}`)
  const [row] = await backend.sql<{ answer: T }>(`select public.${name}(${places}) as answer`, values)
  return row?.answer as T
}
const follow = (address: string, topic = 'education', network = 'here') =>
  call<string>('follow', ...Object.values(signedRequest(address, topic, network)))
/** Makes an address follow a topic, without the email that asks for a confirmation. */
const join = (address: string, topic = 'education') =>
  backend.sql(`select private.add_topic($1, $2, 'en')`, [address, topic])
async function tokenOf(address: string): Promise<string> {
  const [row] = await backend.sql<{ token: string }>(
    'select token from private.followers where address = $1',
    [address],
  )
  return row?.token ?? ''
}
const counts = () => call<Record<string, number | string | null>>('mail_counts')
const addresses = (mails: { address: string }[]) => mails.map(({ address }) => address).sort()

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
const publish = (pool = 'education', entry: object = {}) =>
  call<{ number: number }>(
    'append_update',
    JSON.stringify({ pool_slug: pool, published_at: hoursAgo(1), text: 'Forty desks arrived.', ...entry }),
  )
async function pay(changes: Record<string, unknown>) {
  const row = transaction({
    ...{ type: 'spending', direction: 'out', account: 'education', pool_slug: 'education' },
    ...{ occurred_at: hoursAgo(1), ...changes },
  })
  await call('append_ledger', JSON.stringify([row]))
  return row
}
async function verify({ tx_hash }: { tx_hash: string }, status = 'verified') {
  const [row] = await backend.sql<{ id: number }>(
    'select max(id) as id from public.transactions where tx_hash = $1',
    [tx_hash],
  )
  const block = { block_number: 9, block_hash: `0x${'9'.repeat(64)}`, confirmations: 20 }
  await call(
    'record_checks',
    JSON.stringify([{ transaction_id: row?.id, status, ...(status === 'verified' && block) }]),
  )
}

// The tests that use a client come first, because its connection would be closed after a long idle time.
describe('members', () => {
  test('follow with their confirmed address, see what they follow, and stop following', async () => {
    const { client } = await signUp(backend, 'Member@example.org')
    expect((await client.rpc('follow_as_member', { topic: 'month' })).data).toBe(true)
    expect((await client.rpc('member_follows')).data).toMatchObject([{ topic: 'month' }])
    const stranger = await signUp(backend, 'stranger@example.org')
    expect((await stranger.client.rpc('member_follows')).data).toEqual([])
    expect((await stranger.client.rpc('leave_as_member', { topic: 'month' })).data).toBe(false)
    expect((await client.rpc('leave_as_member', {})).data).toBe(true)
    expect(await counts()).toMatchObject({ followers: 0 })
    expect((await clientOf(backend).rpc('follow_as_member', { topic: 'month' })).error?.code).toBe('42501')
  })

  test('the address of a follower changes with the address of the account, and is deleted with the account', async () => {
    const [ana, bob] = [await signUp(backend, 'ana@example.org'), await signUp(backend, 'bob@example.org')]
    await join('ana@example.org')
    await join('bob@example.org')
    await join('new@example.org', 'month')
    await backend.sql(`update auth.users set email = 'ana2@example.org' where id = $1`, [ana.id])
    await backend.sql(`update auth.users set email = 'new@example.org' where id = $1`, [bob.id])
    const left = () => backend.sql('select address from private.followers order by 1')
    expect(await left()).toEqual([{ address: 'ana2@example.org' }, { address: 'new@example.org' }])
    await backend.sql('delete from auth.users where id = $1', [ana.id])
    expect(await left()).toEqual([{ address: 'new@example.org' }])
  })

  test('a member gets emails about the pools to which their wallets gave, with each fact in only one email', async () => {
    const { client, id } = await signUp(backend, 'giver@example.org')
    const wallet = `0x${'5'.repeat(40)}`
    await client.from('proven_wallets').insert({
      ...{ user_id: id, address: wallet, message: 'a message', signature: `0x${'9'.repeat(130)}` },
    })
    const gift = { type: 'gift', direction: 'in', from_address: wallet }
    await verify(await pay({ ...gift, account: 'animal-welfare', pool_slug: 'animal-welfare' }))
    expect((await client.rpc('follow_as_member', { topic: 'gifts' })).data).toBe(true)
    for (const pool of ['animal-welfare', 'education'])
      await verify(await pay({ account: pool, pool_slug: pool }))
    await passTime(backend, '61 minutes')
    expect((await sendAll(backend)).mails).toMatchObject([{ topic: 'gifts' }])
    await client.rpc('follow_as_member', { topic: 'animal-welfare' })
    await passTime(backend, '7 days')
    await verify(await pay({ account: 'animal-welfare', pool_slug: 'animal-welfare' }))
    await passTime(backend, '61 minutes')
    expect((await sendAll(backend)).mails).toMatchObject([{ topic: 'animal-welfare' }])
  })
})

describe('a request', () => {
  test('sends one email, and the link in the email confirms the request once', async () => {
    expect(await follow('Ana@Example.org')).toBe('asked')
    const { mails } = await sendAll(backend)
    expect(mails).toMatchObject([{ address: 'ana@example.org', topic: 'education', is_request: true }])
    const token = mails[0]?.token
    expect(await backend.sql('select token from private.follow_requests')).toEqual([{ token: null }])
    expect(await call('confirm_follow', token)).toEqual({
      state: 'confirmed',
      topic: 'education',
      leave: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(await call('confirm_follow', token)).toMatchObject({ state: 'used', topic: 'education' })
    await call('leave', await tokenOf('ana@example.org'), null)
    expect(await call('confirm_follow', token)).toEqual({ state: 'unknown' })
  })

  test('is deleted after three days without a confirmation, and causes no further email', async () => {
    await follow('ana@example.org')
    const { mails } = await sendAll(backend)
    await publish()
    expect((await sendAll(backend)).mails).toEqual([])
    await passTime(backend, '3 days 1 minute')
    expect(await call('confirm_follow', mails[0]?.token)).toEqual({ state: 'unknown' })
    await sendAll(backend)
    expect(await backend.sql('select from private.follow_requests')).toEqual([])
  })

  test('has limits: one email a day for an inbox and topic, three a day for an inbox', async () => {
    const spellings = ['ana@example.org', 'Ana+1@example.org', 'ana+2+3@example.org']
    for (let more = 0; more < 20; more++) expect(await follow(spellings[more % 3] ?? '')).toBe('asked')
    for (const topic of ['humanitarian-relief', 'animal-welfare', 'cz-call', 'month'])
      expect(await follow(`ana+${topic}@example.org`, topic)).toBe('asked')
    expect((await sendAll(backend)).mails.map(({ topic }) => topic)).toEqual([
      'education',
      'humanitarian-relief',
      'animal-welfare',
    ])
    await passTime(backend, '25 hours')
    await follow('ana@example.org')
    expect((await sendAll(backend)).mails).toHaveLength(1)
  })

  test('belongs to one inbox in all spellings of the address that reach it', async () => {
    for (const address of ['a.na@gmail.com', 'ana+x@googlemail.com', 'A.N.A@GMAIL.com'])
      expect(await follow(address)).toBe('asked')
    for (const address of ['a.na@example.org', 'ana@example.org']) expect(await follow(address)).toBe('asked')
    expect(addresses((await sendAll(backend)).mails)).toEqual([
      'a.na@example.org',
      'a.na@gmail.com',
      'ana@example.org',
    ])
  })

  test('of one network has a limit of 20 emails an hour, and others can still follow; the network is forgotten after an hour', async () => {
    const answers: string[] = []
    for (let more = 0; more < 300; more++) answers.push(await follow(`a${more}@example.org`))
    expect(answers).toEqual([...Array(20).fill('asked'), ...Array(280).fill('network')])
    expect(await follow('ana@example.org', 'education', 'there')).toBe('asked')
    expect(await counts()).toMatchObject({ waiting: 21, is_flooded: false })
    await passTime(backend, '61 minutes')
    expect(await follow('bob@example.org')).toBe('asked')
    await call('keep_request_key', requestKey)
    expect(await backend.sql('select distinct network from private.follow_requests')).toEqual(
      expect.arrayContaining([{ network: null }, { network: 'here' }]),
    )
  })

  test('of many networks alarms operators after 300 in an hour, and is refused after 3,000', async () => {
    const ask = (from: number, to: number) =>
      backend.sql<{ answer: string }>(
        `select private.ask_to_follow('a' || n || '@example.org', 'education', 'en', 'n' || n) as answer
         from generate_series($1::int, $2::int) n`,
        [from, to],
      )
    await ask(1, 301)
    expect(await counts()).toMatchObject({ is_flooded: true })
    expect(await follow('ana@example.org')).toBe('asked')
    await backend.sql(
      `insert into private.follow_requests (address, topic, language, token_hash)
       select 'b' || n || '@example.org', 'education', 'en', 'b' || n from generate_series(1, 2698) n`,
    )
    expect(await follow('bob@example.org')).toBe('all')
  })

  test('that the site has not signed, or not now, is refused', async () => {
    const signed = signedRequest('ana@example.org', 'education')
    const changed = [
      { ...signed, network: 'there' },
      { ...signed, address: 'bob@example.org' },
      { ...signed, proof: '' },
      { ...signed, asked_at: signed.asked_at - 301 },
    ]
    for (const request of changed)
      await expect(call('follow', ...Object.values(request))).rejects.toThrow('has not signed')
    expect((await clientOf(backend).rpc('follow', signed)).data).toBe('asked')
    expect((await clientOf(backend).rpc('keep_request_key', { key: requestKey })).error?.code).toBe('42501')
  })

  test.each([
    ['an address without a domain', 'ana@'],
    ['two addresses', 'ana@example.org,eve@example.org'],
    ['a line end', 'ana@example.org\r\nBcc: eve@example.org'],
    ['a long address', `${'a'.repeat(300)}@example.org`],
  ])('with %s is refused', async (_, address) => {
    await expect(follow(address)).rejects.toThrow('not an email address')
  })

  test.each(['', 'treasury', 'gifts', 'nothing'])('for the topic "%s" is refused', async (topic) => {
    await expect(follow('ana@example.org', topic)).rejects.toThrow('no such topic')
  })
})

describe('emails about facts', () => {
  test('an update is mailed once to each follower who joined before it was published, and to no one else', async () => {
    await join('before@example.org')
    await join('other@example.org', 'animal-welfare')
    await publish()
    await join('after@example.org')
    const { mails, facts } = await sendAll(backend)
    expect(addresses(mails)).toEqual(['before@example.org'])
    expect(Object.values(facts)[0]).toMatchObject({
      kind: 'update',
      topic: 'education',
      content: { text: 'Forty desks arrived.' },
    })
    expect((await sendAll(backend)).mails).toEqual([])
    expect(await counts()).toMatchObject({ sent: 1, waiting: 0, failed: 0, followers: 3 })
  })

  test('a mail about a topic announces the next payments of its wallet, and no others', async () => {
    for (const handle of ['ada', 'bob']) await addOperator(backend, handle)
    const wallet = `0x${'7'.repeat(40)}`
    const order = (account: string, amount: bigint) =>
      insertOrder(backend, {
        ...{
          account,
          chain: 56,
          from: wallet,
          to: `0x${'9'.repeat(40)}`,
          token: `0x${'d'.repeat(40)}`,
          amount,
        },
      })
    const [coming, stopped] = [await order('education', 7n), await order('education', 8n)]
    const ofCalls = await order('donation-wallet', 9n)
    await backend.sql('select private.move_order($1, $2)', [stopped, 'stopped'])
    await join('before@example.org')
    await publish()
    const { mails } = await sendAll(backend)
    expect(mails.map(({ coming }) => coming)).toEqual([
      [expect.objectContaining({ id: coming, token_amount: '7' })],
    ])
    const [row] = await backend.sql<{ ids: number[] }>(
      "select array(select (jsonb_array_elements(private.coming_orders('cz-call')) ->> 'id')::int) as ids",
    )
    expect(row?.ids).toEqual([ofCalls])
  })

  test('an old, a corrected and a withdrawn update are not mailed', async () => {
    await join('ana@example.org')
    await publish('education', { published_at: hoursAgo(24 * 8) })
    const { number } = await publish()
    await sendAll(backend)
    await publish('education', { number, revision: 1, text: 'Forty-one desks arrived.' })
    await publish('education', { text: 'A text with a name' })
    await backend.sql(
      `select public.withdraw_text(text_hash, 'a test') from public.published_updates where text = 'A text with a name'`,
    )
    expect((await sendAll(backend)).mails).toEqual([])
  })

  test('the payments of a pool are mailed together, at most once a week, and each payment only once', async () => {
    await join('ana@example.org')
    const desks = await pay({ amount_usd: 900 })
    await verify(desks)
    await verify(await pay({ amount_usd: 220.4, note: 'Riverside Books', occurred_at: hoursAgo(0.5) }))
    await pay({ amount_usd: 7, note: 'not verified' })
    // The operator adds the purpose of the payment, and the new revision is checked again.
    await call('append_ledger', JSON.stringify([{ ...desks, note: '40 desks', revision: 1 }]))
    await verify(desks)
    await sendAll(backend)
    await passTime(backend, '61 minutes')
    const { mails, facts } = await sendAll(backend)
    expect(mails).toHaveLength(1)
    expect(Object.values(facts)[0]?.content.payments).toMatchObject([
      { usd: '900.00', note: '40 desks' },
      { usd: '220.40', note: 'Riverside Books' },
    ])
    await verify(desks, 'reorganised')
    await verify(desks)
    await verify(await pay({ amount_usd: 5 }))
    await passTime(backend, '6 days 23 hours')
    expect((await sendAll(backend)).mails).toEqual([])
    await passTime(backend, '1 hour')
    const next = await sendAll(backend)
    expect(Object.values(next.facts)[0]?.content.payments).toMatchObject([{ usd: '5.00' }])
  })

  test('a statement is mailed once, after its confirmation and the verification of its payment, in either order; the email omits the text of a post on X', async () => {
    await join('ana@example.org', 'cz-call')
    const urls = { 'statement first': 'https://news.example/1', 'payment first': 'https://x.com/cz/status/1' }
    for (const [order, tweet_url] of Object.entries(urls)) {
      const paid = { type: 'donation', direction: 'out', account: 'donation-wallet', pool_slug: null }
      const row = await pay({ ...paid, amount_usd: 50 })
      const statement = {
        ...czCall({ posted_at: hoursAgo(2), tweet_url }),
        tx_hash: row.tx_hash,
        chain_id: 56,
      }
      const append = (changes: object) =>
        call('append_statement', JSON.stringify({ ...statement, ...changes }))
      await append({})
      if (order === 'payment first') await verify(row)
      expect((await sendAll(backend)).mails, order).toEqual([])
      await append({ revision: 1, confirmed_by: 'read at the source' })
      if (order === 'statement first') await verify(row)
      const { mails, facts } = await sendAll(backend)
      expect(mails, order).toHaveLength(1)
      const text = tweet_url.startsWith('https://x.com') ? null : 'text'
      expect(Object.values(facts)[0]?.content).toMatchObject({
        ...{ text, url: tweet_url, action: 'action', usd: '50.00' },
      })
    }
  })

  test('the monthly account has the amounts that came in, went out and are left', async () => {
    const [month] = await backend.sql<{ content: Record<string, unknown> }>(
      `select private.fact_content(row(1, 'month', 'month', '2025-03', now(), now(), null)::private.outbox) as content`,
    )
    await verify(
      await pay({
        account: 'treasury',
        type: 'tax',
        direction: 'in',
        pool_slug: null,
        amount_usd: 80,
        occurred_at: '2025-03-05T00:00:00Z',
      }),
    )
    await verify(await pay({ amount_usd: 30, occurred_at: '2025-03-06T00:00:00Z' }))
    const [later] = await backend.sql<{ content: Record<string, unknown> }>(
      `select private.fact_content(row(1, 'month', 'month', '2025-03', now(), now(), null)::private.outbox) as content`,
    )
    expect(month?.content).toMatchObject({ received_usd: '0', paid_usd: '0', compared_wallets: 0 })
    expect(later?.content).toMatchObject({
      ...{ month: '2025-03', received_usd: '80.00', paid_usd: '30.00', left_usd: '50.00' },
      ...{ disputed_count: 0, different_wallets: 0, unvalued_count: 0 },
    })
  })

  test('the monthly account counts the wallets that differ from the blockchain, and the wallets that were not compared', async () => {
    const unlisted = [{ tx_hash: `0x${'1'.repeat(64)}`, ordinal: 0, direction: 'in', amount: '1' }]
    const wallets = [
      { wallet: 'a', block_time: '2025-04-01T00:00:00Z' },
      { wallet: 'b', block_time: '2025-04-01T00:00:00Z', chain_amount: '6' },
      { wallet: 'c', block_time: '2025-04-01T00:00:00Z', unlisted },
      { wallet: 'd', block_time: '2025-04-01T00:00:00Z', gas_paid: null },
      { wallet: 'e', block_time: '2025-03-31T23:59:59Z' },
    ]
    const entries = wallets.map(({ wallet, ...found }) => ({
      ...{
        chain_id: 56,
        block_number: 9,
        block_hash: `0x${'9'.repeat(64)}`,
        wallet: `0x${wallet.repeat(40)}`,
      },
      ...{ token_address: null, token_symbol: 'BNB', token_decimals: 18 },
      ...{ chain_amount: '5', ledger_amount: '5', gas_paid: '0', unlisted: [], ...found },
    }))
    await call('record_reconciliations', JSON.stringify(entries))
    const [month] = await backend.sql<{ content: Record<string, unknown> }>(
      `select private.fact_content(row(1, 'month', 'month', '2025-03', now(), now(), null)::private.outbox) as content`,
    )
    expect(month?.content).toMatchObject({ compared_wallets: 5, different_wallets: 2, unknown_wallets: 2 })
  })

  test('those who asked are told once that the site opens; then no one can ask, and their addresses are deleted', async () => {
    expect(await follow('asks@example.org', 'opens')).toBe('asked')
    await join('waits@example.org', 'opens')
    await join('both@example.org', 'opens')
    await join('both@example.org')
    await join('other@example.org')
    for (const _ of [1, 2]) await call('tell_opening')
    await join('late@example.org')
    const { mails, facts } = await sendAll(backend)
    const told = mails.filter(({ is_request }) => !is_request)
    expect(addresses(told)).toEqual(['both@example.org', 'waits@example.org'])
    expect(Object.values(facts)).toEqual([{ kind: 'opens', topic: 'opens', content: {} }])
    await call('tell_opening')
    expect((await sendAll(backend)).mails).toEqual([])
    await expect(follow('next@example.org', 'opens')).rejects.toThrow('no such topic')
    await passTime(backend, '9 days')
    await backend.sql(`update private.mail_state set opened_at = opened_at - interval '9 days'`)
    await call('tell_opening')
    expect(await backend.sql('select address from private.followers order by 1')).toEqual(
      ['both', 'late', 'other'].map((name) => ({ address: `${name}@example.org` })),
    )
    await backend.sql('update private.mail_state set opened_at = null')
  })

  test('a fact that is older than a week is not mailed', async () => {
    await join('ana@example.org')
    await publish()
    await passTime(backend, '7 days 1 minute')
    expect((await sendAll(backend)).mails).toEqual([])
  })
})

describe('sending emails', () => {
  test('after a fault, sending an email is retried with backoff for 20 hours, always with the same key', async () => {
    await join('ana@example.org')
    await publish()
    await backend.sql('select public.prepare_mails()')
    const keys = new Set<string>()
    let attempts = 0
    for (let minutes = 0; minutes < 22 * 60; minutes += 30) {
      const { mails } = await claim(backend)
      for (const { id, key } of mails) {
        attempts++
        keys.add(key)
        await claim(backend, [{ id, outcome: 'again' }])
      }
      await passTime(backend, '30 minutes')
    }
    expect(keys.size).toBe(1)
    expect(attempts).toBeGreaterThan(10)
    expect(attempts).toBeLessThan(30)
    expect(await counts()).toMatchObject({ failed: 1, waiting: 0, followers: 1 })
  })

  test('if the email service refuses all emails, sending pauses and no address is removed', async () => {
    await join('ana@example.org')
    await publish()
    await backend.sql('select public.prepare_mails()')
    const { mails } = await claim(backend)
    await claim(backend, [{ id: mails[0]?.id ?? 0, outcome: 'paused', reason: 'daily_quota_exceeded' }])
    expect(await counts()).toMatchObject({ pause_reason: 'daily_quota_exceeded', waiting: 1 })
    await passTime(backend, '14 minutes')
    expect((await claim(backend)).mails).toEqual([])
    await passTime(backend, '2 minutes')
    expect((await sendAll(backend)).mails).toHaveLength(1)
    expect(await counts()).toMatchObject({ pause_reason: null, sent: 1, followers: 1 })
  })

  test('an address gets no more emails after the service has refused an email or the recipient has complained', async () => {
    await join('ana@example.org')
    await publish()
    await backend.sql('select public.prepare_mails()')
    const { mails } = await claim(backend)
    await claim(backend, [{ id: mails[0]?.id ?? 0, outcome: 'refused' }])
    await call('stop_address', 'Eve@example.org', 'complaint')
    expect(await counts()).toMatchObject({ failed: 1, stopped: 2, followers: 0 })
    await follow('ana@example.org')
    await follow('eve@example.org')
    expect((await sendAll(backend)).mails).toEqual([])
    expect(await backend.sql('select from private.follow_requests')).toEqual([])
  })

  test('at most two emails a second and 100 a minute are claimed, whatever the number of runs', async () => {
    await backend.sql(
      `select private.add_topic('a' || n || '@example.org', 'education', 'en') from generate_series(1, 120) n`,
    )
    await publish()
    await backend.sql('select public.prepare_mails()')
    const runs = await Promise.all([1, 2, 3].map(() => call<{ mails: unknown[] }>('next_mails', '[]')))
    expect(runs.map(({ mails }) => mails.length).sort()).toEqual([0, 0, 2])
    expect((await claim(backend)).mails).toHaveLength(2)
    await backend.sql(`update private.mails set claimed_at = now(), due_at = now() + interval '1 hour' where id in (
      select id from private.mails where claimed_at is null limit 95)`)
    expect((await claim(backend)).mails).toHaveLength(1)
    expect(await claim(backend)).toMatchObject({ mails: [], more: true })
  })
})

describe('unfollowing', () => {
  test('ends one topic, then all topics, and waiting emails are not sent', async () => {
    for (const topic of ['education', 'cz-call', 'month']) await join('ana@example.org', topic)
    const token = await tokenOf('ana@example.org')
    await publish()
    await backend.sql('select public.prepare_mails()')
    expect(await call('leave', token, 'education')).toEqual({ state: 'left', topics: ['cz-call', 'month'] })
    expect((await sendAll(backend)).mails).toEqual([])
    expect(await call('leave', token, null)).toEqual({ state: 'left', topics: [] })
    expect(await call('leave', token, null)).toEqual({ state: 'unknown', topics: [] })
    expect(await counts()).toMatchObject({ followers: 0, waiting: 0 })
  })

  test('after 12 months an email asks the follower whether to continue; after 13 months the address is deleted unless the follower has agreed', async () => {
    await join('gone@example.org')
    await join('ana@example.org')
    await passTime(backend, '12 months 1 day')
    const { mails } = await sendAll(backend)
    expect(mails).toMatchObject([{ fact_id: null }, { fact_id: null }])
    expect((await sendAll(backend)).mails).toEqual([])
    expect(await call('keep_following', await tokenOf('ana@example.org'))).toEqual({
      state: 'kept',
      topics: ['education'],
    })
    await passTime(backend, '32 days')
    await sendAll(backend)
    expect(await backend.sql('select address from private.followers')).toEqual([
      { address: 'ana@example.org' },
    ])
  })
})

test('after a restore nothing is sent until an operator accepts the restore; then each follower is first asked whether to continue', async () => {
  await publish('animal-welfare')
  await join('ana@example.org')
  await follow('eve@example.org')
  await publish()
  await call('report_rollback', 'ledger', 1_000_000, `${'A'.repeat(43)}=`)
  expect((await sendAll(backend)).mails).toEqual([])
  await call('accept_restore', 'ledger', 'a test')
  expect((await sendAll(backend)).mails).toMatchObject([
    { address: 'ana@example.org', fact_id: null, is_request: false },
  ])
  await publish()
  expect((await sendAll(backend)).mails).toEqual([])
  await call('keep_following', await tokenOf('ana@example.org'))
  await publish()
  expect((await sendAll(backend)).mails).toHaveLength(1)
})

/**
 * Simulates followers, facts and runs, and keeps track of the expected followers. A run may be killed between
 * its claim and its result, before or after the service has accepted the emails.
 */
test.each([1, 2, 3, 4])(
  'in any order of facts, joins, leaves, kills and overlapping runs, each follower gets each fact once: seed %i',
  async (seed) => {
    const draw = drawFrom(seed)
    const pick = <T>(list: readonly T[]) => list[Math.floor(draw() * list.length)] as T
    const people = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}${seed}@example.org`)
    const topics = ['education', 'animal-welfare', 'humanitarian-relief'] as const
    const following = new Map<string, number>()
    const facts: { topic: string; number: number; at: number }[] = []
    const accepted = new Map<string, string>()
    const delivered: string[] = []
    let step = 0

    const deliver = async () => {
      const { mails, facts: told } = await claim(backend)
      const results: { id: number; outcome: string }[] = []
      for (const { id, key, address, fact_id } of mails) {
        const fact = told[`${fact_id}`]
        const name = `${fact?.topic} ${fact?.content.number}`
        const since = following.get(`${address} ${fact?.topic}`)
        const at = facts.find((one) => `${one.topic} ${one.number}` === name)?.at ?? -1
        expect(since, `${address} does not follow ${name}`).toBeLessThan(at)
        const fate = draw()
        if (fate < 0.2) continue
        // The service sends only one email for each idempotency key.
        if (fate > 0.3 && !accepted.has(key)) {
          accepted.set(key, name)
          delivered.push(`${address} ${name}`)
        }
        if (fate > 0.45) results.push({ id, outcome: 'sent' })
        else if (fate < 0.3 && fate > 0.25) results.push({ id, outcome: 'again' })
      }
      if (results.length > 0) await claim(backend, results)
    }

    for (; step < 120; step++) {
      // PGlite's clock counts milliseconds: a new follower receives all facts of the first one.
      await passTime(backend, '1 millisecond')
      const action = draw()
      const [address, topic] = [pick(people), pick(topics)]
      if (action < 0.25) {
        if (!following.has(`${address} ${topic}`)) following.set(`${address} ${topic}`, step)
        await join(address, topic)
      } else if (action < 0.4) {
        const one = draw() < 0.7 ? topic : null
        await call('leave', await tokenOf(address), one)
        for (const name of one ? [one] : topics) following.delete(`${address} ${name}`)
      } else if (action < 0.55) {
        const { number } = await publish(topic)
        facts.push({ topic, number, at: step })
      } else if (action < 0.65) await Promise.all([call('prepare_mails'), call('prepare_mails')])
      else if (action < 0.9) await deliver()
      else await passTime(backend, pick(['3 minutes', '1 hour']))
    }
    for (let round = 0; round < 400 && (await counts()).waiting; round++) {
      await passTime(backend, '3 minutes')
      await call('prepare_mails')
      await deliver()
    }
    await call('prepare_mails')
    for (let round = 0; round < 400 && (await counts()).waiting; round++) {
      await passTime(backend, '3 minutes')
      await deliver()
    }

    expect(new Set(delivered).size).toBe(delivered.length)
    const due = facts.flatMap(({ topic, number, at }) =>
      people
        .filter((address) => (following.get(`${address} ${topic}`) ?? Number.POSITIVE_INFINITY) < at)
        .map((address) => `${address} ${topic} ${number}`),
    )
    expect(due.length).toBeGreaterThan(0)
    expect(due.filter((name) => !delivered.includes(name))).toEqual([])
  },
)

/** Adds members with a proven wallet who follow the pools they gave to. */
async function addGivers(count: number): Promise<void> {
  await addFollowers(backend, count, 'gifts')
  await backend.sql('set session_replication_role = replica')
  await backend.sql(
    `with made as (
       insert into auth.users (id, email, email_confirmed_at)
       select gen_random_uuid(), 'a' || n || '@example.org', now() from generate_series(1, $1::integer) n returning id, email
     ) insert into public.proven_wallets (user_id, address, message, signature)
     select id, '0x' || left(encode(sha256(email::bytea), 'hex'), 40), 'm', '0x' || repeat('9', 130) from made`,
    [count],
  )
  await backend.sql('set session_replication_role = origin')
}

test('one call prepares the emails of one update for 20,000 followers', async () => {
  await addFollowers(backend, 20_000, 'education')
  await publish()
  expect(await call('prepare_mails')).toBe(20_000)
})

test('one call prepares emails for 300 of 2,000 members who follow the pools they gave to', async () => {
  await addGivers(2_000)
  const givers = await backend.sql<{ address: string }>(
    "select address from public.proven_wallets where message = 'm' limit 300",
  )
  const gifts = givers.map(({ address }) =>
    transaction({
      ...{ type: 'gift', direction: 'in', account: 'education', pool_slug: 'education' },
      ...{ from_address: address, occurred_at: hoursAgo(24 * 30) },
    }),
  )
  await call('append_ledger', JSON.stringify(gifts))
  await backend.sql(`update private.transaction_statuses set status = 'verified' where status = 'pending'`)
  await backend.sql(
    `insert into private.outbox (kind, topic, source) values ('spending', 'education', 'a test')`,
  )
  expect(await call('prepare_mails')).toBe(300)
})
