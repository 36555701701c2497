import { expect, test } from 'vitest'
import { newLog } from '../../tests/support/log.ts'
import { selected } from '../../tests/support/selection.ts'
import { impactPools } from '../platform/impact-pools.ts'
import { createData } from '../platform/server/data.server.ts'
import type { Config } from '../platform/server/env.server.ts'
import { listCalls } from './calls.server.ts'
import { cursorOf, type Position, parsePosition, readPage } from './keyset.server.ts'
import { listPoolsWithTotals, readTotals } from './totals.server.ts'
import { listTransactions, sumTransactions } from './transactions.server.ts'

const position = (search: string) => parsePosition(new URLSearchParams(search))

/** A backend that returns `body` for every request, and records the requests. */
function fakeBackend(body: unknown, status = 200) {
  const asked: URL[] = []
  const fetch = async (input: string | URL | Request) => {
    const url = new URL(input instanceof Request ? input.url : input)
    asked.push(url)
    return Response.json(status === 200 ? selected(body, url) : body, { status })
  }
  const log = newLog()
  const config = { SUPABASE_URL: 'http://backend.test', SUPABASE_PUBLISHABLE_KEY: 'key' } as Config
  return { asked, log, data: createData(config, fetch, log, () => undefined) }
}

test.each([
  ['2026-11-20T22:59:56.819123+00:00', '2026-11-20T22:59:56.819123Z'],
  ['2026-11-20 22:59:56.819+00', '2026-11-20T22:59:56.819000Z'],
  ['2026-11-20T22:59:56+00:00', '2026-11-20T22:59:56.000000Z'],
  ['2026-11-20T22:59:56.1+00:00', '2026-11-20T22:59:56.100000Z'],
  ['1970-01-01T00:00:00.000001+00:00', '1970-01-01T00:00:00.000001Z'],
])('the cursor of %s keeps the microseconds', (time, at) => {
  expect(position(`before=${cursorOf(time, 7)}`)).toEqual({
    position: { side: 'older', at, id: 7 },
    valid: true,
  })
})

test.each([
  'before=x',
  'before=1-',
  'after=-1-2',
  'before=9999999999999999-1',
  'after=1-1234567890123456',
  'before=1-2)',
])('rejects the cursor %s', (search) => expect(position(search)).toEqual({ position: null, valid: false }))

test('requests the newest page if no cursor is given', () => {
  expect(position('')).toEqual({ position: null, valid: true })
  expect(position('before=&after=')).toEqual({ position: null, valid: true })
})

/** A `read` for readPage that returns `count` rows as the database: newest first, three for each time. */
function listOf(count: number) {
  const rows = Array.from({ length: count }, (_, at) => ({
    id: count - at,
    time: Math.floor((count - at) / 3),
  }))
  const all = rows.map(({ id, time }) => ({ id, time, cursor: `${time}-${id}` }))
  return async (at: Position | null, limit: number) => {
    if (!at) return all.slice(0, limit)
    const time = Number(at.at)
    const older = (row: { id: number; time: number }) =>
      row.time < time || (row.time === time && row.id < at.id)
    const newer = (row: { id: number; time: number }) =>
      row.time > time || (row.time === time && row.id > at.id)
    return at.side === 'older'
      ? all.filter(older).slice(0, limit)
      : all.filter(newer).reverse().slice(0, limit)
  }
}

function place(side: Position['side'], cursor: string | null): Position | null {
  const [at = '', id] = cursor?.split('-') ?? []
  return cursor === null ? null : { side, at, id: Number(id) }
}

test.each([0, 1, 9, 10, 11, 20, 21, 57])(
  'paging to the oldest page and back returns each of %i rows once in each direction',
  async (count) => {
    const read = listOf(count)
    const down: number[][] = []
    let page = await readPage(null, 10, read)
    for (;;) {
      down.push(page?.rows.map(({ id }) => id) ?? [])
      if (!page?.older) break
      page = await readPage(place('older', page.older), 10, read)
    }
    expect(down.flat()).toEqual(Array.from({ length: count }, (_, at) => count - at))
    const up = [down.at(-1)]
    while (page?.newer) {
      expect([page.neighbours.newer === null, page.neighbours.older === null]).toEqual([
        false,
        page.older === null,
      ])
      page = await readPage(place('newer', page.newer), 10, read)
      up.unshift(page?.rows.map(({ id }) => id) ?? [])
    }
    expect(up).toEqual(down)
  },
)

test('returns no page if the backend fails', async () => {
  expect(await readPage(null, 10, async () => null)).toBeNull()
})

const row = {
  id: 7,
  occurred_at: '2026-11-20T22:59:56.819123+00:00',
  type: 'donation',
  account: 'treasury',
  counter_account: 'education',
  direction: 'out',
  amount_usd: 12.5,
  token_amount: '123456789012345678901234567890',
  token_symbol: 'BNB',
  token_decimals: 18,
  from_address: '0x1',
  to_address: '0x2',
  tx_hash: '0x3',
  pool_slug: 'education',
  proof_url: 'javascript:alert(1)',
  note: null,
  counter_name: null,
  note_withdrawn: false,
  status: 'verified',
  checked_at: '2026-11-20T23:09:56+00:00',
  unreachable_at: null,
}

test('a single request reads the page after a cursor in a filtered history', async () => {
  const { asked, data } = fakeBackend([row])
  const at = { side: 'older', at: '2026-11-20T22:59:56.819123Z', id: 7 } as const
  const filter = { type: 'donation', pool: 'education', from: '2026-01-01', to: '2026-11-30' } as const
  const page = await listTransactions(data, filter, at)
  expect(asked).toHaveLength(1)
  const query = asked[0]?.searchParams
  expect(query?.getAll('occurred_at')).toEqual([
    'gte.2026-01-01T00:00:00Z',
    'lt.2026-12-01T00:00:00.000Z',
    'lte.2026-11-20T22:59:56.819123Z',
  ])
  expect(query?.get('or')).toBe(
    '(occurred_at.lt."2026-11-20T22:59:56.819123Z",and(occurred_at.eq."2026-11-20T22:59:56.819123Z",id.lt.7))',
  )
  expect(query?.get('type')).toBe('eq.donation')
  expect(query?.get('pool_slug')).toBe('eq.education')
  expect(query?.get('order')).toBe('occurred_at.desc,id.desc')
  expect(query?.get('limit')).toBe('26')
  expect(page?.rows[0]).toMatchObject({
    amountUsd: 1250,
    tokens: { amount: 123456789012345678901234567890n },
    proofUrl: null,
    cursor: '1795215596819123-7',
    status: 'verified',
    checkedAt: new Date('2026-11-20T23:09:56Z'),
    unreachableAt: null,
  })
})

test('requests the unchecked rows with one `or`, even on a later page', async () => {
  const { asked, data } = fakeBackend([row])
  await listTransactions(data, { status: 'not-checked' }, null)
  await listTransactions(data, { status: 'not-checked' }, { side: 'older', at: '2026-11-20', id: 7 })
  expect(asked.map(({ searchParams }) => searchParams.getAll('or'))).toEqual([
    ['(status.neq.verified,amount_usd.is.null)'],
    [
      '(and(status.neq.verified,occurred_at.lt."2026-11-20"),and(status.neq.verified,occurred_at.eq."2026-11-20",id.lt.7),and(amount_usd.is.null,occurred_at.lt."2026-11-20"),and(amount_usd.is.null,occurred_at.eq."2026-11-20",id.lt.7))',
    ],
  ])
})

test.each([
  ['an error', { message: 'no' }, 500],
  ['malformed rows', [{ id: 1 }], 200],
  ['a malformed amount', [{ ...row, amount_usd: 'much' }], 200],
  ['a malformed time', [{ ...row, occurred_at: 'then' }], 200],
  ['an unknown status', [{ ...row, status: 'fine' }], 200],
])('logs %s, and shows the list as unavailable', async (_, body, status) => {
  const { asked, data, log } = fakeBackend(body, status)
  expect(await listTransactions(data, {}, null)).toBeNull()
  expect(log.error).toHaveBeenCalledOnce()
  expect(asked).toHaveLength(1)
})

test('if the backend fails, returns null for the totals and the statements, and returns every pool without totals', async () => {
  const { data } = fakeBackend({ message: 'no' }, 503)
  expect(await readTotals(data)).toBeNull()
  expect(await listCalls(data, null)).toBeNull()
  const pools = await listPoolsWithTotals(data)
  expect(pools.map(({ totals }) => totals)).toEqual(impactPools.map(() => null))
})

test('a search by party reads the rows of that party, with the direction from the point of view of the party', async () => {
  const { asked, data } = fakeBackend([{ ...row, party_direction: 'in' }])
  const address = `0x${'ab'.repeat(20)}`
  const page = await listTransactions(data, { q: address, direction: 'in', status: 'verified' }, null)
  expect(asked[0]?.pathname).toMatch(/published_party_transactions$/)
  const query = asked[0]?.searchParams
  expect(query?.get('party')).toBe(`eq.${address}`)
  expect(query?.get('party_direction')).toBe('eq.in')
  expect(query?.get('status')).toBe('eq.verified')
  expect(page?.rows[0]?.direction).toBe('in')
})

test('requests the sums with the same filter, and returns no sums if the count is inexact', async () => {
  const exact = {
    count: 3,
    verified_count: 2,
    pending_count: 1,
    disputed_count: 0,
    unvalued_count: 1,
    goal_count: 4,
    received_usd: '1.50',
    moved_usd: '0.00',
    paid_usd: '0.25',
    months: [
      {
        month: '2025-10-01',
        count: 3,
        checked_count: 1,
        received_usd: '1.50',
        moved_usd: '0.00',
        paid_usd: '0.25',
      },
    ],
    uses: { education: '0.25' },
    exact: true,
  }
  expect(await sumTransactions(fakeBackend(exact).data, { wallet: 'treasury' })).toEqual({
    count: 3,
    sums: {
      verifiedCount: 2,
      pendingCount: 1,
      disputedCount: 0,
      unvaluedCount: 1,
      goalGiftsCount: 4,
      receivedUsd: 150,
      movedUsd: 0,
      paidUsd: 25,
      months: [
        {
          start: new Date('2025-10-01T00:00:00Z'),
          count: 3,
          countedCount: 1,
          receivedUsd: 150,
          movedUsd: 0,
          paidUsd: 25,
        },
      ],
      uses: { education: 25 },
    },
  })
  const nothing = Object.fromEntries(Object.keys(exact).map((name) => [name, null]))
  const more = { ...nothing, count: 10_000, exact: false }
  expect(await sumTransactions(fakeBackend(more).data, {})).toEqual({ count: 10_000, sums: null })
  expect(await sumTransactions(fakeBackend({ count: 'x' }).data, {})).toBeNull()
})

test('converts totals from numbers or strings to cents', async () => {
  const totals = {
    treasury_usd: '-12.34',
    donated_usd: 0,
    dreams_funded_usd: '1000000.00',
    donated_elsewhere_usd: '0.00',
    tax_usd: '1.01',
    gifts_usd: 0,
    other_in_usd: 0,
    returned_usd: 0,
    costs_usd: 0,
    other_out_usd: 0,
    transactions_count: '9',
    verified_count: '6',
    pending_count: 2,
    disputed_count: 1,
    unvalued_count: 1,
    as_of: null,
    received_usd: '5.01',
    paid_usd: 4,
    pool_gifts_usd: '0.50',
    spent_usd: 7,
    waiting_usd: '3.25',
  }
  expect(await readTotals(fakeBackend(totals).data)).toEqual({
    treasuryUsd: -1234,
    donatedUsd: 0,
    donatedElsewhereUsd: 0,
    dreamsFundedUsd: 100_000_000,
    taxUsd: 101,
    giftsUsd: 0,
    otherInUsd: 0,
    returnedUsd: 0,
    costsUsd: 0,
    otherOutUsd: 0,
    transactionsCount: 9,
    verifiedCount: 6,
    pendingCount: 2,
    disputedCount: 1,
    unvaluedCount: 1,
    asOf: null,
    receivedUsd: 501,
    paidUsd: 400,
    poolGiftsUsd: 50,
    spentUsd: 700,
    waitingUsd: 325,
  })
})
