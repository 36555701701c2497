import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  clientOf,
  czCall,
  startTemporary,
  type TemporaryBackend,
  type TransactionRow,
  transaction,
} from '../support/temporary-backend.ts'

let backend: TemporaryBackend
beforeAll(async () => {
  backend = await startTemporary()
})
afterAll(() => backend.close())

async function record(rows: TransactionRow[]) {
  const columns = Object.keys(rows[0] ?? {})
  await backend.sql(
    `insert into public.transactions (${columns}) select ${columns} from jsonb_populate_recordset(null::public.transactions, $1)`,
    [JSON.stringify(rows)],
  )
}

/** Empties the ledger behind its triggers' back. */
async function empty() {
  await backend.sql('set session_replication_role = replica')
  await backend.sql(
    'truncate public.transactions, public.transaction_checks, public.ledger_heads, private.transaction_standings, private.ledger_sums restart identity',
  )
  await backend.sql('set session_replication_role = origin')
}

function dice(seed: number) {
  let state = seed
  return (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * limit)
  }
}

const KINDS = [
  ['tax', 'in', null],
  ['dream', 'out', null],
  ['other', 'in', null],
  ['other', 'out', null],
  ['donation', 'out', null],
  ['donation', 'out', 'education'],
  ['donation', 'out', 'humanitarian-relief'],
  ['donation', 'out', 'animal-welfare'],
] as const

function randomFacts(below: (limit: number) => number) {
  const [type, direction, pool_slug] = KINDS[below(KINDS.length)] ?? KINDS[0]
  const amount_usd = below(6) === 0 ? null : (below(10_000_000) / 100).toFixed(2)
  const occurred_at = new Date(Date.UTC(2025, 0, 1) + below(200) * 3_600_000).toISOString()
  return { type, direction, pool_slug, amount_usd, occurred_at }
}

/** What checks found, for the latest revision of each transfer. */
async function check(found: { row: TransactionRow; status: string }[]) {
  const checks = found.map(({ row, status }) => ({ tx_hash: row.tx_hash, status, ...BLOCK }))
  await backend.sql(
    `select public.record_checks(jsonb_agg(made.entry || jsonb_build_object('transaction_id', facts.id) order by made.place))
     from jsonb_array_elements($1::jsonb) with ordinality as made (entry, place)
     join public.published_transactions as facts on facts.tx_hash = made.entry ->> 'tx_hash'`,
    [JSON.stringify(checks)],
  )
}

const BLOCK = { block_number: 9, block_hash: `0x${'9'.repeat(64)}`, confirmations: 20 }
const STATUSES = ['verified', 'verified', 'verified', 'pending', 'unreachable', 'mismatch', 'reorganised']

/** The standing after a check: not to be answered says nothing about a row that once was. */
function standing(former: string | undefined, found: string): string {
  const answered = former !== undefined && former !== 'unreachable'
  return found === 'unreachable' && answered ? former : found
}

describe('an empty ledger', () => {
  beforeEach(empty)

  test('has totals of zero and every pool', async () => {
    const client = clientOf(backend)
    expect((await client.from('ledger_totals').select().single()).data).toEqual({
      treasury_usd: 0,
      donated_usd: 0,
      dreams_funded_usd: 0,
      dreams_count: 0,
      transactions_count: 0,
      verified_count: 0,
      pending_count: 0,
      disputed_count: 0,
      unvalued_count: 0,
      last_occurred_at: null,
      as_of: null,
    })
    const { data: pools } = await client.from('pool_totals').select().order('slug')
    const nothing = {
      total_usd: 0,
      donations_count: 0,
      pending_count: 0,
      disputed_count: 0,
      unvalued_count: 0,
      last_donation_at: null,
    }
    expect(pools).toEqual(
      ['animal-welfare', 'education', 'humanitarian-relief'].map((slug) => ({ slug, ...nothing })),
    )
    for (const view of ['published_transactions', 'published_donations', 'published_cz_calls'] as const) {
      expect((await client.from(view).select()).data).toEqual([])
    }
  })

  test('totals are those of a count over the latest revisions, whatever was recorded, corrected and checked', async () => {
    const below = dice(42)
    const latest = new Map<string, TransactionRow>()
    const standings = new Map<string, string>()
    const seen = new Set<string>()
    for (let batch = 0; batch < 60; batch += 1) {
      // One statement may hold a transfer and its correction.
      const rows: TransactionRow[] = []
      for (let i = 0; i <= below(6); i += 1) {
        const known = [...latest.values()]
        const former = below(3) === 0 ? known[below(known.length)] : undefined
        const key = former && { tx_hash: former.tx_hash, revision: former.revision + 1 }
        const row = transaction({ ...randomFacts(below), ...key })
        latest.set(row.tx_hash, row)
        standings.delete(row.tx_hash)
        rows.push(row)
      }
      await record(rows)
      const found = [...latest.values()]
        .filter(() => below(3) === 0)
        // Now and then one statement holds two checks of a row.
        .flatMap((row) => (below(5) === 0 ? [row, row] : [row]))
        .map((row) => ({ row, status: STATUSES[below(STATUSES.length)] ?? 'verified' }))
      if (found.length > 0) await check(found)
      for (const { row, status } of found) {
        const stands = standing(standings.get(row.tx_hash), status)
        standings.set(row.tx_hash, stands)
        seen.add(stands)
      }
      if (batch % 6 === 5) await expectTotals([...latest.values()], standings)
    }
    expect(seen.size).toBe(5)
    expect([...latest.values()].filter((row) => row.revision > 1).length).toBeGreaterThan(5)
  })

  test('a revision follows the one before it, a fact is recorded once, and a refusal changes nothing', async () => {
    const row = transaction({ type: 'donation', direction: 'out', pool_slug: 'education' })
    await expect(record([{ ...row, revision: 1 }])).rejects.toThrow(
      'a revision must follow the one before it',
    )
    await record([row])
    await expect(record([row])).rejects.toThrow('transactions_key')
    await expect(record([transaction(), { ...row, revision: 2 }])).rejects.toThrow('a revision must follow')
    await check([{ row, status: 'verified' }])
    await expectTotals([row], new Map([[row.tx_hash, 'verified']]))

    // A correction is another fact: it has to be checked anew.
    const unpublished = { ...row, revision: 1, type: 'other', pool_slug: null, amount_usd: null }
    await record([unpublished])
    await expectTotals([unpublished], new Map())
  })

  async function expectTotals(rows: TransactionRow[], standings: Map<string, string>) {
    const statusOf = (row: TransactionRow) => standings.get(row.tx_hash) ?? 'pending'
    const standingAs = (chosen: TransactionRow[], ...statuses: string[]) =>
      chosen.filter((row) => statuses.includes(statusOf(row)))
    const cents = (row: TransactionRow) =>
      row.amount_usd === null ? 0n : BigInt(Math.round(Number(row.amount_usd) * 100))
    const sum = (chosen: TransactionRow[]) =>
      standingAs(chosen, 'verified').reduce((total, row) => total + cents(row), 0n)
    const dollars = (total: bigint) => Number(total) / 100
    const last = (chosen: TransactionRow[]) =>
      chosen.length === 0 ? null : Math.max(...chosen.map((row) => Date.parse(String(row.occurred_at))))
    const incoming = rows.filter((row) => row.direction === 'in')
    const outgoing = rows.filter((row) => row.direction === 'out')
    const dreams = outgoing.filter((row) => row.type === 'dream')

    const client = clientOf(backend)
    const { data: totals } = await client.from('ledger_totals').select().single()
    expect({ ...totals, last_occurred_at: Date.parse(totals?.last_occurred_at ?? ''), as_of: null }).toEqual({
      treasury_usd: dollars(sum(incoming) - sum(outgoing)),
      donated_usd: dollars(sum(outgoing.filter((row) => row.type === 'donation'))),
      dreams_funded_usd: dollars(sum(dreams)),
      dreams_count: standingAs(dreams, 'verified').length,
      transactions_count: rows.length,
      verified_count: standingAs(rows, 'verified').length,
      pending_count: standingAs(rows, 'pending', 'unreachable').length,
      disputed_count: standingAs(rows, 'mismatch', 'reorganised').length,
      unvalued_count: rows.filter((row) => row.amount_usd === null).length,
      last_occurred_at: last(rows),
      as_of: null,
    })
    const { data: pools } = await client.from('pool_totals').select()
    expect(pools).toHaveLength(3)
    for (const pool of pools ?? []) {
      const donations = rows.filter((row) => row.pool_slug === pool.slug)
      expect({
        ...pool,
        last_donation_at: pool.last_donation_at && Date.parse(pool.last_donation_at),
      }).toEqual({
        slug: pool.slug,
        total_usd: dollars(sum(donations)),
        donations_count: donations.length,
        pending_count: standingAs(donations, 'pending', 'unreachable').length,
        disputed_count: standingAs(donations, 'mismatch', 'reorganised').length,
        unvalued_count: donations.filter((row) => row.amount_usd === null).length,
        last_donation_at: last(donations),
      })
    }
  }
})

describe('a ledger of some length', () => {
  const ROWS = 20_000
  beforeAll(async () => {
    await empty()
    await backend.sql(
      `insert into public.transactions
         (occurred_at, type, direction, amount_usd, rate_source, from_address, to_address, tx_hash, chain_id, ordinal, pool_slug)
       select
         timestamptz '2020-01-01' + (i * 7919 % $1) / 4 * interval '10 minutes', type,
         case when type in ('donation', 'dream') then 'out' else 'in' end, i % 10000, 'test',
         '0x' || repeat('1', 40), '0x' || repeat('2', 40), '0x' || md5(i::text) || md5(i::text), 56, 0,
         case when type = 'donation' then (array['education', 'humanitarian-relief', 'animal-welfare', null])[1 + i / 10 % 4] end
       from (
         select i, (array['tax', 'tax', 'tax', 'tax', 'tax', 'donation', 'donation', 'dream', 'other', 'other'])[1 + i % 10] as type
         from generate_series(1, $1::int) i
       ) as made`,
      [ROWS],
    )
    await backend.sql(
      `select public.record_checks(jsonb_agg(jsonb_build_object('transaction_id', id, 'status', 'verified',
         'block_number', id, 'block_hash', '0x' || repeat('9', 64), 'confirmations', 20))) from public.transactions`,
    )
    await backend.sql(
      `insert into public.cz_calls (posted_at, author, tweet_text, tweet_url, action_taken)
       select timestamptz '2020-01-01' + i * interval '1 hour', 'author', 'text', 'https://example.org/statement/' || i, 'action'
       from generate_series(1, 2000) i`,
    )
    await backend.sql('analyze')
  })

  const deep = `occurred_at <= '2020-02-01' and (occurred_at < '2020-02-01' or (occurred_at = '2020-02-01' and id < 9))`
  const month = `occurred_at >= '2020-01-15' and occurred_at < '2020-02-15'`
  const page = 'order by occurred_at desc, id desc limit 26'
  const donation = `type = 'donation' and pool_slug = 'education'`

  const queries = [
    ['the first page', `select * from published_transactions ${page}`],
    ['a deep page', `select * from published_transactions where ${deep} ${page}`],
    ['a type', `select * from published_transactions where type = 'dream' ${page}`],
    [
      'a deep page of a type',
      `select * from published_transactions where type = 'dream' and ${deep} ${page}`,
    ],
    ['a pool', `select * from published_transactions where ${donation} ${page}`],
    ['a deep page of a pool', `select * from published_transactions where ${donation} and ${deep} ${page}`],
    ['a month', `select * from published_transactions where ${month} ${page}`],
    ['a month of a type', `select * from published_transactions where type = 'tax' and ${month} ${page}`],
    ['donations', `select * from published_donations ${page}`],
    ['donations to a pool', `select * from published_donations where pool_slug = 'education' ${page}`],
    ['one transaction', 'select * from published_transactions where id = 77'],
    ['one hash', `select * from published_transactions where chain_id = 56 and tx_hash = '0x0'`],
    ['the chain', 'select * from published_chain where seq > 9000 order by seq limit 1000'],
    ['the checks of a row', 'select * from published_checks where transaction_id = 77 order by id desc'],
    ['the state of the ledger', 'select * from ledger_status'],
    ['the totals', 'select * from ledger_totals'],
    ['the totals of pools', 'select * from pool_totals'],
    ['statements', 'select * from published_cz_calls order by posted_at desc, id desc limit 26'],
  ]
  test.each(queries)('%s is read from an index of its own', async (_, query) => {
    const plan = await backend.sql<Record<string, string>>(`explain (analyze, costs off) ${query}`)
    // Sums, scans and heads are a few rows however long the ledger is.
    const lines = plan
      .map((row) => row['QUERY PLAN'])
      .join('\n')
      .replaceAll(/ *Sort Key: (ledger_heads|ledger_scans)\..*\n.*Sort Method.*\n/g, '')
      .replaceAll(/Seq Scan on ledger_sums.*\n.*\n *Rows Removed by Filter.*/g, '')
    expect(lines).not.toMatch(/Seq Scan on transaction|Seq Scan on cz_calls|Sort Key/)
    const skipped = [...lines.matchAll(/Rows Removed by Filter: (\d+)/g)].map((match) => Number(match[1]))
    expect(Math.max(0, ...skipped), lines).toBeLessThan(10)
  })

  test.each([
    ['everything', {}],
    ['a type', { type: 'donation' }],
    ['a pool', { type: 'donation', pool_slug: 'animal-welfare' }],
  ])('paging by key through the API shows %s once and in order, equal times included', async (_, filter) => {
    const client = clientOf(backend)
    const seen: number[] = []
    let after: { occurred_at: string | null; id: number | null } | undefined
    for (let number = 0; number < 12; number += 1) {
      let query = client
        .from('published_transactions')
        .select('id, occurred_at')
        .match(filter)
        .order('occurred_at', { ascending: false })
        .order('id', { ascending: false })
        .limit(7)
      if (after) {
        const { occurred_at, id } = after
        query = query
          .lte('occurred_at', occurred_at)
          .or(`occurred_at.lt.${occurred_at},and(occurred_at.eq.${occurred_at},id.lt.${id})`)
      }
      const { data } = await query
      seen.push(...(data ?? []).map((row) => row.id ?? 0))
      after = data?.at(-1)
    }
    const where = Object.entries(filter).map(([column, value]) => ` and ${column} = '${value}'`)
    const expected = await backend.sql<{ id: number }>(
      `select id from public.transactions where true${where.join('')} order by occurred_at desc, id desc limit 84`,
    )
    expect(seen).toEqual(expected.map((row) => row.id))
  })
})

const append = (entries: TransactionRow[], scan?: Record<string, unknown>) =>
  clientOf(backend, backend.secretKey).rpc('append_ledger', { entries, scan } as never)

test.each([
  [{ direction: 'out' }, 'transactions_direction_of_type'],
  [{ type: 'donation', direction: 'in' }, 'transactions_direction_of_type'],
  [{ type: 'gift', direction: 'out' }, 'transactions_type_known'],
  [{ direction: 'up' }, 'transactions_direction_known'],
  [{ pool_slug: 'education' }, 'transactions_pool_of_donation'],
  [{ type: 'donation', direction: 'out', pool_slug: 'ocean' }, 'transactions_pool_slug_fkey'],
  [{ rate_source: null }, 'transactions_value_has_source'],
  [{ amount_usd: -1 }, 'transactions_amount_usd_positive'],
  [{ rate_usd: 0 }, 'transactions_rate_usd_positive'],
  [{ token_amount: -1 }, 'transactions_token_amount_positive'],
  [{ tx_hash: `0x${'A'.repeat(64)}` }, 'transactions_tx_hash_format'],
  [{ from_address: `0x${'A'.repeat(40)}` }, 'transactions_from_address_format'],
  [{ to_address: '0x1' }, 'transactions_to_address_format'],
  [{ ordinal: -2 }, 'transactions_ordinal_range'],
  [{ chain_id: 0 }, 'transactions_chain_id_positive'],
  [{ proof_url: 'http://example.org' }, 'transactions_proof_url_https'],
  [{ proof_url: 'https://example.org/ onclick' }, 'transactions_proof_url_https'],
])('the service may not record %o', async (changes, constraint) => {
  const { error } = await append([transaction(changes)])
  expect(error?.message).toContain(`"${constraint}"`)
})

test('the service records, and reads exact figures back', async () => {
  const row = transaction({
    occurred_at: '2025-06-01T10:20:30.123456Z',
    amount_usd: '1234567.1',
    rate_usd: '612.500000000000000001',
    token_amount: '123456789012345678901234567890',
    token_symbol: 'BNB',
    token_decimals: 18,
    // Neither the number, the date nor the hash of a row is the service's to choose.
    id: 1,
    recorded_at: '2020-01-01',
    hash: '0'.repeat(64),
  })
  expect((await append([row])).error).toBeNull()
  const { data } = await clientOf(backend)
    .from('published_transactions')
    .select()
    .eq('tx_hash', row.tx_hash)
    .single()
  expect(data).toMatchObject({
    occurred_at: '2025-06-01T10:20:30.123456+00:00',
    amount_usd: 1234567.1,
    rate_usd: '612.500000000000000001',
    token_amount: '123456789012345678901234567890',
    chain_id: 56,
  })
  expect(data?.id).toBeGreaterThan(1)
  expect(Date.parse(data?.recorded_at ?? '')).toBeGreaterThan(Date.parse('2026-01-01'))
  expect(data?.hash).not.toBe(row.hash)
})

test('a statement is corrected by a revision, which alone is published', async () => {
  const service = clientOf(backend, backend.secretKey)
  const call = czCall()
  const skipped = await service.from('cz_calls').insert({ ...call, revision: 1 })
  expect(skipped.error).toMatchObject({ code: '23514', message: 'a revision must follow the one before it' })
  expect((await service.from('cz_calls').insert(call)).error).toBeNull()
  expect((await service.from('cz_calls').insert({ ...call, revision: 1, verified: true })).error).toBeNull()
  expect((await service.from('cz_calls').insert({ ...call, revision: 1 })).error?.code).toBe('23505')
  const { data } = await clientOf(backend)
    .from('published_cz_calls')
    .select('revision, verified')
    .eq('tweet_url', call.tweet_url)
  expect(data).toEqual([{ revision: 1, verified: true }])
})
