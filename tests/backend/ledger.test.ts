import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Sides, signOf } from '../../app/ledger/row-sign.ts'
import { impactPools } from '../../app/platform/impact-pools.ts'
import {
  clientOf,
  czCall,
  emptyLedger,
  startTemporary,
  type TransactionRow,
  transaction,
} from '../support/temporary-backend.ts'

const backend = await startTemporary()
afterAll(() => backend.close())

async function record(rows: TransactionRow[]) {
  const columns = Object.keys(rows[0] ?? {})
  await backend.sql(
    `insert into public.transactions (${columns}) select ${columns} from jsonb_populate_recordset(null::public.transactions, $1)`,
    [JSON.stringify(rows)],
  )
}

const empty = () => emptyLedger(backend)

function dice(seed: number) {
  let state = seed
  return (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * limit)
  }
}

/** Accepted combinations of account, counter account, direction, type and pool, with every type. */
const kinds = [
  ['treasury', null, 'in', 'tax', null],
  ['treasury', null, 'in', 'gift', null],
  ['donation-wallet', null, 'in', 'gift', null],
  ['education', null, 'in', 'gift', 'education'],
  ['education', null, 'in', 'tax', 'education'],
  ['treasury', 'education', 'out', 'donation', 'education'],
  ['donation-wallet', 'animal-welfare', 'out', 'donation', 'animal-welfare'],
  ['donation-wallet', null, 'out', 'donation', null],
  ['treasury', null, 'out', 'donation', 'humanitarian-relief'],
  ['education', null, 'out', 'spending', 'education'],
  ['animal-welfare', null, 'out', 'spending', 'animal-welfare'],
  ['treasury', null, 'out', 'cost', null],
  ['donation-wallet', null, 'out', 'dream', null],
  ['treasury', 'donation-wallet', 'out', 'move', null],
  ['education', 'treasury', 'out', 'move', 'education'],
  ['education', 'animal-welfare', 'out', 'move', 'education'],
  ['treasury', null, 'in', 'other', null],
  ['treasury', null, 'out', 'other', null],
  ['animal-welfare', null, 'out', 'other', 'animal-welfare'],
  ['animal-welfare', null, 'in', 'other', 'animal-welfare'],
] as const

function randomFacts(below: (limit: number) => number) {
  const [account, counter_account, direction, type, pool_slug] = kinds[below(kinds.length)] ?? kinds[0]
  const amount_usd = below(6) === 0 ? null : (below(10_000_000) / 100).toFixed(2)
  const occurred_at = new Date(Date.UTC(2025, 0, 1) + below(200) * 12 * 3_600_000).toISOString()
  return { account, counter_account, type, direction, pool_slug, amount_usd, occurred_at }
}

/** Records check results for the latest revision of each transfer. */
async function check(found: { row: TransactionRow; status: string }[]) {
  const checks = found.map(({ row, status }) => ({ tx_hash: row.tx_hash, status, ...block }))
  await backend.sql(
    `select public.record_checks(jsonb_agg(made.entry || jsonb_build_object('transaction_id', facts.id) order by made.place))
     from jsonb_array_elements($1::jsonb) with ordinality as made (entry, place)
     join public.published_transactions as facts on facts.tx_hash = made.entry ->> 'tx_hash'`,
    [JSON.stringify(checks)],
  )
}

/** The rows of three groups: from outside to our wallets, between two of them, and to the outside. */
const received = (rows: TransactionRow[]) =>
  rows.filter((row) => row.direction === 'in' && row.counter_account === null)
const moved = (rows: TransactionRow[]) => rows.filter((row) => row.counter_account !== null)
const paid = (rows: TransactionRow[]) =>
  rows.filter((row) => row.direction === 'out' && row.counter_account === null)
/** Whether the page's history shows a row's amount with a minus, for the project or for a party. */
function isMinus(row: TransactionRow, party: string | undefined): boolean {
  const { account, counter_account: counter, from_address, to_address } = row
  const [fromAccount, toAccount] = row.direction === 'out' ? [account, counter] : [counter, account]
  const sides = { fromAccount, toAccount, fromAddress: from_address, toAddress: to_address } as Sides
  return signOf(sides, party) === 'out'
}

interface MonthSums {
  months: { month: string; paid_usd: string }[]
}

/** The rows of payments to a cause that is not a pool: spent money. */
const toCauses = (rows: TransactionRow[]) =>
  rows.filter((row) => row.type === 'spending' || (row.type === 'donation' && row.counter_account === null))

const block = { block_number: 9, block_hash: `0x${'9'.repeat(64)}`, confirmations: 20 }
const statuses = ['verified', 'verified', 'verified', 'pending', 'unreachable', 'mismatch', 'reorganised']

/** The status after a check: 'unreachable' does not replace an earlier result. */
function statusAfter(former: string | undefined, found: string): string {
  const hasResult = former !== undefined && former !== 'unreachable'
  return found === 'unreachable' && hasResult ? former : found
}

describe('an empty ledger', () => {
  beforeEach(empty)

  test('has every pool, and all its totals are zero', async () => {
    const client = clientOf(backend)
    expect((await client.from('ledger_totals').select().single()).data).toEqual({
      treasury_usd: 0,
      donated_usd: 0,
      donated_elsewhere_usd: 0,
      dreams_funded_usd: 0,
      dreams_count: 0,
      tax_usd: 0,
      gifts_usd: 0,
      costs_usd: 0,
      other_in_usd: 0,
      other_out_usd: 0,
      returned_usd: 0,
      transactions_count: 0,
      verified_count: 0,
      pending_count: 0,
      disputed_count: 0,
      unvalued_count: 0,
      last_occurred_at: null,
      as_of: null,
      received_usd: 0,
      moved_usd: 0,
      paid_usd: 0,
      pool_gifts_usd: 0,
      spent_usd: 0,
      waiting_usd: 0,
    })
    expect((await client.from('ledger_months').select()).data).toEqual([])
    const { data: pools } = await client.from('pool_totals').select().order('slug')
    const nothing = {
      total_usd: 0,
      donations_usd: 0,
      gifts_usd: 0,
      direct_usd: 0,
      spent_usd: 0,
      moved_in_usd: 0,
      moved_out_usd: 0,
      other_usd: 0,
      left_usd: 0,
      donations_count: 0,
      pending_count: 0,
      disputed_count: 0,
      unvalued_count: 0,
      last_donation_at: null,
      helping: null,
      helping_at: null,
      helping_source: null,
      pictured_text: null,
      pictured_at: null,
      pictured_links: null,
    }
    expect(pools).toEqual(
      impactPools.map(({ slug }) => ({ slug, ...nothing })).toSorted((a, b) => (a.slug < b.slug ? -1 : 1)),
    )
    for (const view of [
      'published_transactions',
      'published_donations',
      'published_cause_payments',
      'published_cz_calls',
    ] as const) {
      expect((await client.from(view).select()).data).toEqual([])
    }
  })

  test('totals equal a recount of the latest revisions, for any mix of rows, corrections and checks', async () => {
    const below = dice(42)
    const latest = new Map<string, TransactionRow>()
    const statusByHash = new Map<string, string>()
    const seen = new Set<string>()
    for (let batch = 0; batch < 60; batch += 1) {
      // One call may contain both a transfer and its correction.
      const rows: TransactionRow[] = []
      for (let i = 0; i <= below(6); i += 1) {
        const known = [...latest.values()]
        const former = below(3) === 0 ? known[below(known.length)] : undefined
        const key = former && { tx_hash: former.tx_hash, revision: former.revision + 1 }
        const row = transaction({ ...randomFacts(below), ...key })
        latest.set(row.tx_hash, row)
        statusByHash.delete(row.tx_hash)
        rows.push(row)
      }
      await record(rows)
      const found = [...latest.values()]
        .filter(() => below(3) === 0)
        // Sometimes one call has two checks of the same row.
        .flatMap((row) => (below(5) === 0 ? [row, row] : [row]))
        .map((row) => ({ row, status: statuses[below(statuses.length)] ?? 'verified' }))
      if (found.length > 0) await check(found)
      for (const { row, status } of found) {
        const next = statusAfter(statusByHash.get(row.tx_hash), status)
        statusByHash.set(row.tx_hash, next)
        seen.add(next)
      }
      if (batch % 6 === 5) await expectTotals([...latest.values()], statusByHash)
    }
    expect(seen.size).toBe(5)
    expect([...latest.values()].filter((row) => row.revision > 1).length).toBeGreaterThan(5)
  })

  test('requires consecutive revisions, stores each row once, and stores nothing from a refused call', async () => {
    const row = transaction({
      type: 'donation',
      direction: 'out',
      pool_slug: 'education',
      counter_account: 'education',
    })
    await expect(record([{ ...row, revision: 1 }])).rejects.toThrow(
      'a revision must follow the one before it',
    )
    await record([row])
    await expect(record([row])).rejects.toThrow('transactions_key')
    await expect(record([transaction(), { ...row, revision: 2 }])).rejects.toThrow('a revision must follow')
    await check([{ row, status: 'verified' }])
    await expectTotals([row], new Map([[row.tx_hash, 'verified']]))

    // A correction is a new row without a check, so its status is pending.
    const unpublished = {
      ...row,
      revision: 1,
      type: 'other',
      pool_slug: null,
      counter_account: null,
      amount_usd: null,
    }
    await record([unpublished])
    await expectTotals([unpublished], new Map())
  })

  async function expectTotals(rows: TransactionRow[], statusByHash: Map<string, string>) {
    const statusOf = (row: TransactionRow) => statusByHash.get(row.tx_hash) ?? 'pending'
    const withStatus = (chosen: TransactionRow[], ...statuses: string[]) =>
      chosen.filter((row) => statuses.includes(statusOf(row)))
    const cents = (row: TransactionRow) =>
      row.amount_usd === null ? 0n : BigInt(Math.round(Number(row.amount_usd) * 100))
    const sum = (chosen: TransactionRow[]) =>
      withStatus(chosen, 'verified').reduce((total, row) => total + cents(row), 0n)
    const dollars = (total: bigint) => Number(total) / 100
    const last = (chosen: TransactionRow[]) =>
      chosen.length === 0 ? null : Math.max(...chosen.map((row) => Date.parse(String(row.occurred_at))))
    const client = clientOf(backend)
    const { data: totals } = await client.from('ledger_totals').select().single()
    const ours = ['treasury', 'donation-wallet']
    const of = (type: string, more: (row: TransactionRow) => boolean = () => true) =>
      rows.filter((row) => row.type === type && more(row))
    const noPool = (row: TransactionRow) => row.pool_slug === null
    const balance = (accounts: string[]) =>
      sum(rows.filter((row) => accounts.includes(`${row.account}`) && row.direction === 'in')) -
      sum(rows.filter((row) => accounts.includes(`${row.account}`) && row.direction === 'out')) +
      sum(rows.filter((row) => accounts.includes(`${row.counter_account}`)))
    const given = [...of('donation'), ...of('gift', (row) => !noPool(row))]
    expect({ ...totals, last_occurred_at: Date.parse(totals?.last_occurred_at ?? ''), as_of: null }).toEqual({
      treasury_usd: dollars(balance(ours)),
      donated_usd: dollars(sum(given)),
      donated_elsewhere_usd: dollars(sum(of('donation', noPool))),
      dreams_funded_usd: dollars(sum(of('dream'))),
      dreams_count: withStatus(of('dream'), 'verified').length,
      tax_usd: dollars(sum(of('tax', noPool))),
      gifts_usd: dollars(sum(of('gift', noPool))),
      costs_usd: dollars(sum(of('cost'))),
      other_in_usd: dollars(sum(of('other', (row) => noPool(row) && row.direction === 'in'))),
      other_out_usd: dollars(sum(of('other', (row) => noPool(row) && row.direction === 'out'))),
      returned_usd: dollars(
        sum(of('move', (row) => ours.includes(`${row.counter_account}`) && !noPool(row))),
      ),
      transactions_count: rows.length,
      verified_count: withStatus(rows, 'verified').length,
      pending_count: withStatus(rows, 'pending', 'unreachable').length,
      disputed_count: withStatus(rows, 'mismatch', 'reorganised').length,
      unvalued_count: withStatus(rows, 'verified').filter((row) => row.amount_usd === null).length,
      last_occurred_at: last(rows),
      as_of: null,
      received_usd: dollars(sum(received(rows))),
      moved_usd: dollars(sum(moved(rows))),
      paid_usd: dollars(sum(paid(rows))),
      pool_gifts_usd: dollars(sum(of('gift', (row) => !noPool(row)))),
      spent_usd: dollars(sum(toCauses(rows))),
      waiting_usd: dollars(balance(impactPools.map(({ slug }) => slug))),
    })
    const { data: payments } = await client.from('published_cause_payments').select('tx_hash')
    expect(payments?.map(({ tx_hash }) => tx_hash).toSorted()).toEqual(
      withStatus(toCauses(rows), 'verified')
        .map(({ tx_hash }) => tx_hash)
        .toSorted(),
    )
    const { data: pools } = await client.from('pool_totals').select()
    expect(pools).toHaveLength(impactPools.length)
    const inCents = (value: number | null | undefined) => Math.round((value ?? 0) * 100)
    for (const pool of pools ?? []) {
      const donations = of('donation', (row) => row.pool_slug === pool.slug)
      const gifts = of('gift', (row) => row.pool_slug === pool.slug)
      const direct = donations.filter((row) => row.counter_account === null)
      const its = rows.filter((row) => row.pool_slug === pool.slug || row.counter_account === pool.slug)
      const counted = [...donations, ...gifts]
      expect({
        ...pool,
        last_donation_at: pool.last_donation_at && Date.parse(pool.last_donation_at),
      }).toEqual({
        slug: pool.slug,
        total_usd: dollars(sum(counted)),
        donations_usd: dollars(sum(donations)),
        gifts_usd: dollars(sum(gifts)),
        direct_usd: dollars(sum(direct)),
        spent_usd: dollars(sum(of('spending', (row) => row.pool_slug === pool.slug)) + sum(direct)),
        moved_in_usd: dollars(sum(of('move', (row) => row.counter_account === pool.slug))),
        moved_out_usd: dollars(sum(of('move', (row) => row.account === pool.slug))),
        other_usd: dollars(
          sum(its.filter((row) => ['tax', 'other'].includes(row.type) && row.direction === 'in')) -
            sum(its.filter((row) => ['tax', 'other'].includes(row.type) && row.direction === 'out')),
        ),
        left_usd: dollars(balance([pool.slug ?? ''])),
        donations_count: counted.length,
        pending_count: withStatus(its, 'pending', 'unreachable').length,
        disputed_count: withStatus(its, 'mismatch', 'reorganised').length,
        unvalued_count: withStatus(its, 'verified').filter((row) => row.amount_usd === null).length,
        last_donation_at: last(withStatus(counted, 'verified')),
        helping: null,
        helping_at: null,
        helping_source: null,
        pictured_text: null,
        pictured_at: null,
        pictured_links: null,
      })
    }
    // Pools and donations elsewhere add up to the totals; the balances are income less expenses.
    const part = (name: keyof NonNullable<typeof pools>[number]) =>
      (pools ?? []).reduce((total, pool) => total + inCents(pool[name] as number), 0)
    expect(part('total_usd') + inCents(totals?.donated_elsewhere_usd)).toBe(inCents(totals?.donated_usd))
    expect(part('spent_usd') + inCents(totals?.donated_elsewhere_usd)).toBe(inCents(totals?.spent_usd))
    expect(part('left_usd')).toBe(inCents(totals?.waiting_usd))
    expect(inCents(totals?.treasury_usd) + part('left_usd')).toBe(
      Number(sum(received(rows)) - sum(paid(rows))),
    )

    const monthOf = (row: TransactionRow) => `${String(row.occurred_at).slice(0, 7)}-01`
    const verified = withStatus(rows, 'verified').toSorted((a, b) => (monthOf(a) < monthOf(b) ? -1 : 1))
    const months = [...new Set(verified.map(monthOf))].map((month) => {
      const its = verified.filter((row) => monthOf(row) === month)
      const before = verified.filter((row) => monthOf(row) <= month)
      const out = its.filter((row) => row.direction === 'out' && row.counter_account === null)
      const partOf = ({ pool_slug, type }: (typeof out)[number]) =>
        `${pool_slug ?? (type === 'donation' ? 'other-causes' : type)}`
      const paidFor = (use: string) => sum(out.filter((row) => partOf(row) === use))
      return {
        month,
        received_usd: dollars(sum(received(its))),
        moved_usd: dollars(sum(moved(its))),
        paid_usd: dollars(sum(paid(its))),
        held_usd: dollars(sum(received(before)) - sum(paid(before))),
        uses:
          out.length > 0
            ? Object.fromEntries(
                [...new Set(out.map(partOf))].map((use) => [use, dollars(paidFor(use)).toFixed(2)]),
              )
            : null,
      }
    })
    expect((await client.from('ledger_months').select().order('month')).data).toEqual(months)
    await expectFilters(rows, statusOf)
  }

  /** Compares the sums that filters return with sums computed from the rows. */
  async function expectFilters(rows: TransactionRow[], statusOf: (row: TransactionRow) => string) {
    const client = clientOf(backend)
    const day = (row: TransactionRow) => String(row.occurred_at).slice(0, 10)
    const filters = [
      {},
      { type: 'donation' },
      { direction: 'out', status: 'verified' },
      { status: 'mismatch' },
      { status: 'not-checked' },
      { pool: 'education' },
      { pool: 'education', direction: 'in' },
      { party: 'education' },
      { party: 'animal-welfare', direction: 'in' },
      { party: 'donation-wallet', type: 'move', from: '2025-01-02', to: '2025-01-05' },
      { from: '2025-01-02', to: '2025-01-05' },
      { from: '2025-01-20', to: '2025-03-03' },
      { from: '2025-02-01', to: '2025-02-28' },
      { from: '2025-01-20', to: '2025-02-10', type: 'donation' },
      { from: '2025-01-31', to: '2025-02-01' },
      { from: '2025-02-02', pool: 'education' },
      { to: '2025-03-31', status: 'not-checked' },
      { party: `0x${'1'.repeat(40)}`, type: 'gift' },
      { tx_hash: rows[0]?.tx_hash ?? '' },
    ]
    for (const filter of filters as Record<string, string>[]) {
      const { type, direction, status, pool, party, tx_hash, from = '2015-01-01', to = '2099-12-31' } = filter
      const sides = rows.flatMap((row): { row: TransactionRow; side: string | null }[] => {
        const { account, counter_account, from_address, direction: own } = row
        const reverse = own === 'in' ? 'out' : 'in'
        if (!party) return [{ row, side: null }]
        const parties = party.startsWith('0x')
          ? [from_address === party && 'out', row.to_address === party && 'in']
          : [party === account && own, party === counter_account && reverse]
        return parties.filter(Boolean).map((side) => ({ row, side: String(side) }))
      })
      const matching = sides.filter(
        ({ row, side }) =>
          (!type || row.type === type) &&
          (!direction || (side ?? row.direction) === direction) &&
          (!status ||
            (status === 'not-checked'
              ? statusOf(row) !== 'verified' || row.amount_usd === null
              : statusOf(row) === status)) &&
          (!pool || row.pool_slug === pool) &&
          (!tx_hash || row.tx_hash === tx_hash) &&
          day(row) >= from &&
          day(row) <= to,
      )
      const withStatus = (...known: string[]) => matching.filter(({ row }) => known.includes(statusOf(row)))
      const verified = withStatus('verified')
      const straightToPartner = ({ type, counter_account }: TransactionRow) =>
        type === 'donation' && counter_account === null
      const isReceived = ({ row, side }: (typeof matching)[number]) =>
        side
          ? side === 'in'
          : pool
            ? ['donation', 'gift'].includes(String(row.type))
            : received([row]).length > 0
      const isPaid = ({ row, side }: (typeof matching)[number]) =>
        side
          ? side === 'out'
          : pool
            ? row.type === 'spending' || straightToPartner(row)
            : paid([row]).length > 0
      const inDollars = (found: typeof matching) =>
        (found.reduce((sum, { row }) => sum + Math.round(Number(row.amount_usd) * 100), 0) / 100).toFixed(2)
      /** The sums of the verified rows, as the project, the pool or the party of the filter sees them. */
      const sumsOf = (found: typeof matching) => {
        const counted = found.filter(({ row }) => statusOf(row) === 'verified')
        return {
          received_usd: inDollars(counted.filter(isReceived)),
          moved_usd: inDollars(counted.filter(({ row, side }) => !side && !pool && moved([row]).length > 0)),
          paid_usd: inDollars(counted.filter(isPaid)),
        }
      }
      const monthOf = (row: TransactionRow) => `${String(row.occurred_at).slice(0, 7)}-01`
      const months = [...new Set(matching.map(({ row }) => monthOf(row)))].toSorted().toReversed()
      const keyOfUse = ({ pool_slug, type }: TransactionRow) =>
        String(pool_slug ?? (type === 'donation' ? 'other-causes' : type))
      const spent = verified.filter(isPaid).filter(({ row }) => Number(row.amount_usd) > 0)
      const uses = [...new Set(spent.map(({ row }) => keyOfUse(row)))]
      const { data } = await client.rpc('sum_transactions', { filter })
      // The minus signs of the page's rows add up to 'out' of their month, for the project and for a party.
      if (!pool)
        for (const { month, paid_usd } of (data as unknown as MonthSums).months)
          expect(
            [month, inDollars(verified.filter(({ row }) => monthOf(row) === month && isMinus(row, party)))],
            JSON.stringify(filter),
          ).toEqual([month, paid_usd])
      expect(data, JSON.stringify(filter)).toEqual({
        count: matching.length,
        verified_count: verified.length,
        pending_count: withStatus('pending', 'unreachable').length,
        disputed_count: withStatus('mismatch', 'reorganised').length,
        unvalued_count: verified.filter(({ row }) => row.amount_usd === null).length,
        goal_count: 0,
        ...sumsOf(matching),
        months: months.map((month) => {
          const its = matching.filter(({ row }) => monthOf(row) === month)
          const checked = its.filter(({ row }) => statusOf(row) === 'verified' && row.amount_usd !== null)
          return { month, count: its.length, checked_count: checked.length, ...sumsOf(its) }
        }),
        uses: Object.fromEntries(
          uses.map((use) => [use, inDollars(spent.filter(({ row }) => keyOfUse(row) === use))]),
        ),
        exact: true,
      })
    }
  }
})

describe('a ledger with many rows', () => {
  const ROWS = 20_000
  beforeAll(async () => {
    await empty()
    await backend.sql(
      `insert into public.transactions
         (occurred_at, account, counter_account, type, direction, amount_usd, rate_source, from_address, to_address, tx_hash, chain_id, ordinal, pool_slug)
       select
         timestamptz '2020-01-01' + (i * 7919 % $1) / 4 * interval '10 minutes', 'treasury',
         case when type = 'donation' then (array['education', 'humanitarian-relief', 'animal-welfare', null])[1 + i / 10 % 4] end, type,
         case when type in ('donation', 'dream') then 'out' else 'in' end, i % 10000, 'test',
         '0x' || repeat('1', 40), '0x' || repeat('2', 40), '0x' || md5(i::text) || md5(i::text), 56, 0,
         case when type = 'donation' then (array['education', 'humanitarian-relief', 'animal-welfare', null])[1 + i / 10 % 4] end
       from (
         select i, (array['tax', 'tax', 'tax', 'tax', 'tax', 'donation', 'donation', 'dream', 'gift', 'gift'])[1 + i % 10] as type
         from generate_series(1, $1::int) i
       ) as made`,
      [ROWS],
    )
    await backend.sql(
      `select public.record_checks(jsonb_agg(jsonb_build_object('transaction_id', id, 'status', 'verified',
         'block_number', id, 'block_hash', '0x' || repeat('9', 64), 'confirmations', 20))) from public.transactions`,
    )
    await backend.sql(
      `select public.append_statement(jsonb_build_object('posted_at', timestamptz '2020-01-01' + i * interval '1 hour',
         'author', 'author', 'tweet_text', 'text', 'tweet_url', 'https://example.org/statement/' || i, 'action_taken', 'action'))
       from generate_series(1, 500) i`,
    )
    await backend.sql(
      `insert into public.operator_acts (kind, subject, state, submitted_at, final_at, number)
       select 'operator', 'operator-' || i, 'done', now(), now(), i from generate_series(1, 500) i`,
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
    [
      'the newest payments to causes',
      'select * from published_cause_payments order by occurred_at desc, id desc limit 3',
    ],
    ['donations to a pool', `select * from published_donations where pool_slug = 'education' ${page}`],
    ['one transaction', 'select * from published_transactions where id = 77'],
    ['one hash', `select * from published_transactions where chain_id = 56 and tx_hash = '0x0'`],
    [
      'the log',
      `select * from published_entries where log = 'ledger' and index >= 9000 order by index limit 1000`,
    ],
    ['a party', `select * from published_party_transactions where party = 'education' ${page}`],
    ['an address', `select * from published_party_transactions where party = '0x0' ${page}`],
    ['the checks of a row', 'select * from published_checks where transaction_id = 77 order by id desc'],
    ['the state of the ledger', 'select * from ledger_status'],
    ['the totals', 'select * from ledger_totals'],
    ['the totals of pools', 'select * from pool_totals'],
    ['statements', 'select * from published_cz_calls order by posted_at desc, id desc limit 26'],
    ['acts', 'select * from published_acts order by id desc limit 21'],
    ['acts of a kind', `select * from published_acts where act = 'introduction' order by id desc limit 200`],
    ['acts about a subject', `select * from published_acts where subject = 'a' order by id desc limit 100`],
  ]
  test.each(queries)('reads %s from an index', async (_, query) => {
    const plan = await backend.sql<Record<string, string>>(`explain (analyze, costs off) ${query}`)
    // Sums, scans, checkpoints and accounts have few rows in any ledger: their plan is ignored.
    const lines = plan
      .map((row) => row['QUERY PLAN'])
      .join('\n')
      .replaceAll(
        / *Sort Key: (log_checkpoints|checkpoints_\d|restores|unread\w*|ledger_scans|updates(?:_\d)?)\..*\n.*Sort Method.*\n/g,
        '',
      )
      .replaceAll(/Merge Append.*\n *Sort Key.*/g, '')
      .replaceAll(/Seq Scan on (sums_by_month|accounts).*\n.*\n *Rows Removed by Filter.*/g, '')
    expect(lines).not.toMatch(/Seq Scan on transaction|Seq Scan on cz_calls|Sort Key/)
    const skipped = [...lines.matchAll(/Rows Removed by Filter: (\d+)/g)].map((match) => Number(match[1]))
    expect(Math.max(0, ...skipped), lines).toBeLessThan(10)
  })

  test('uses indexes to find the few unchecked rows', async () => {
    const plan = await backend.sql<Record<string, string>>(
      `explain select * from published_unchecked_transactions
       where status <> 'verified' or amount_usd is null ${page}`,
    )
    for (const index of ['transaction_statuses_exceptions', 'transactions_unvalued'])
      expect(JSON.stringify(plan)).toContain(index)
  })

  test.each([
    ['everything', {}],
    ['a type', { type: 'donation' }],
    ['a pool', { type: 'donation', pool_slug: 'animal-welfare' }],
  ])(
    'paging by key through the API shows %s once and in order, including rows with equal times',
    async (_, filter) => {
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
    },
  )
})

const append = (entries: TransactionRow[], scan?: Record<string, unknown>) =>
  clientOf(backend, backend.secretKey).rpc('append_ledger', { entries, scan } as never)

test.each([
  [{ direction: 'out' }, 'transactions_direction_of_type'],
  [{ type: 'donation', direction: 'in' }, 'transactions_direction_of_type'],
  [{ type: 'present', direction: 'out' }, 'transactions_type_known'],
  [{ direction: 'up' }, 'transactions_direction_known'],
  [{ account: 'ocean', pool_slug: 'ocean' }, 'transactions_account_fkey'],
  [{ pool_slug: 'education' }, 'transactions_pool_of_account'],
  [{ account: 'education' }, 'transactions_pool_of_account'],
  [{ type: 'spending', direction: 'out' }, 'transactions_account_of_type'],
  [{ type: 'move', direction: 'out' }, 'transactions_counter_account_of_type'],
  [{ counter_account: 'donation-wallet' }, 'transactions_counter_account_of_type'],
  [{ type: 'donation', direction: 'out', pool_slug: 'ocean' }, 'transactions_pool_slug_fkey'],
  [{ rate_source: null }, 'transactions_value_has_source'],
  [{ amount_usd: -1 }, 'dollars_range'],
  [{ amount_usd: 'NaN' }, 'dollars_range'],
  [{ amount_usd: 'Infinity' }, 'overflow'],
  [{ amount_usd: 1e10 }, 'overflow'],
  [{ rate_usd: 0 }, 'dollar_rate_range'],
  [{ rate_usd: 'NaN' }, 'dollar_rate_range'],
  [{ token_amount: -1 }, 'base_units_range'],
  [{ token_amount: `${2n ** 256n}` }, 'base_units_range'],
  [{ token_decimals: 78 }, 'decimals_range'],
  [{ occurred_at: 'infinity' }, 'moment_range'],
  [{ occurred_at: '0044-03-15 BC' }, 'moment_range'],
  [{ occurred_at: '2014-12-31T23:59:59Z' }, 'moment_range'],
  [{ occurred_at: '2099-01-01T00:00:00Z' }, 'transactions_not_from_the_future'],
  [{ tx_hash: `0x${'A'.repeat(64)}` }, 'hash32_format'],
  [{ from_address: `0x${'A'.repeat(40)}` }, 'address_format'],
  [{ to_address: '0x1' }, 'address_format'],
  [{ ordinal: -2 }, 'transactions_ordinal_range'],
  [{ chain_id: 0 }, 'chain_id_range'],
  [{ proof_url: 'http://example.org' }, 'must be an https link'],
  [{ proof_url: 'https://example.org/ onclick' }, 'must be an https link'],
])('refuses a row with %o from the service', async (changes, constraint) => {
  const { error } = await append([transaction(changes)])
  expect(error?.message).toContain(constraint)
})

test('returns exact figures, and ignores an id, a time and an index that the service sends', async () => {
  const row = transaction({
    occurred_at: '2025-06-01T10:20:30.123456Z',
    amount_usd: '1234567.1',
    rate_usd: '612.500000000000000001',
    token_amount: '123456789012345678901234567890',
    token_symbol: 'BNB',
    token_decimals: 18,
    id: 1,
    recorded_at: '2020-01-01',
    log_index: 0,
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
  expect(data?.log_index).toBeGreaterThan(1)
  expect(Date.parse(data?.recorded_at ?? '')).toBeGreaterThan(Date.parse('2026-01-01'))
})

test('publishes the latest revision of a statement', async () => {
  const call = czCall()
  const append = (changes: object) =>
    clientOf(backend, backend.secretKey).rpc('append_statement', {
      statement: { ...call, ...changes } as never,
    })
  const skipped = await append({ revision: 1 })
  expect(skipped.error).toMatchObject({ message: 'a revision must follow the one before it' })
  expect((await append({})).error).toBeNull()
  expect((await append({ revision: 1, confirmed_by: 'Read at its source' })).error).toBeNull()
  expect((await append({ revision: 1 })).error?.code).toBe('23505')
  const { data } = await clientOf(backend)
    .from('published_cz_calls')
    .select('revision, verified, confirmed_by')
    .eq('tweet_url', call.tweet_url)
  expect(data).toEqual([{ revision: 1, verified: true, confirmed_by: 'Read at its source' }])
})

test('marks a payment as named if the latest revision of a confirmed statement states its transaction; of several transfers in the transaction, only the first is marked', async () => {
  const spending = { type: 'spending', direction: 'out', account: 'education', pool_slug: 'education' }
  const first = transaction(spending)
  const second = transaction({ ...spending, tx_hash: first.tx_hash, ordinal: 1 })
  const other = transaction(spending)
  expect((await append([first, second, other])).error).toBeNull()
  await check([first, other].map((row) => ({ row, status: 'verified' })))
  const hashes = [first.tx_hash, other.tx_hash]
  const named = async () =>
    (
      await backend.sql<{ is_named: boolean }>(
        `select payments.is_named from published_cause_payments as payments join transactions as facts using (id)
         where payments.tx_hash = any ($1) order by payments.tx_hash, facts.ordinal`,
        [hashes],
      )
    ).map(({ is_named }) => is_named)
  const call = { ...czCall(), chain_id: 56 }
  const state = async (changes: object) => {
    const statement = { ...call, ...changes } as never
    const { error } = await clientOf(backend, backend.secretKey).rpc('append_statement', { statement })
    expect(error).toBeNull()
  }
  const confirmed = { confirmed_by: 'Read at its source' }
  expect(await named()).toEqual([false, false, false])
  await state({ tx_hash: first.tx_hash })
  expect(await named()).toEqual([false, false, false])
  await state({ tx_hash: first.tx_hash, revision: 1, ...confirmed })
  expect(await named()).toEqual([true, false, false])
  await state({ tx_hash: other.tx_hash, revision: 2, ...confirmed })
  expect(await named()).toEqual([false, false, true])
})

test.each(['https://x.com/\u0001', 'https://x.com/ä', 'https://x.com/a b', 'https://', 'http://x.com/1'])(
  'refuses %j as the URL of a statement, because its entry in the log could become too long',
  async (tweet_url) => {
    const { error } = await clientOf(backend, backend.secretKey).rpc('append_statement', {
      statement: { ...czCall(), tweet_url } as never,
    })
    expect(error?.message).toContain('cz_calls_tweet_url_https')
  },
)
