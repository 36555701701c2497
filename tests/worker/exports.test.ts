import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { parse } from 'node-html-parser'
import { formatUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountName } from '../../app/ledger/accounts.ts'
import { type LedgerFilter, partyOf } from '../../app/ledger/filter.ts'
import { type Sides, signOf } from '../../app/ledger/row-sign.ts'
import { transactionTypes } from '../../app/ledger/transaction-types.ts'
import { typeLabel } from '../../app/ledger/transactions.ts'
import { impactPools } from '../../app/platform/impact-pools.ts'
import { listWords } from '../../app/platform/list.ts'
import { formatDollars, formatExactDollars, formatRoundDollars, toCents } from '../../app/platform/money.ts'
import { formatTokens } from '../../app/platform/tokens.ts'
import { count, holds, typed } from '../support/cases.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { addGoal, openVariables } from '../support/goals.ts'
import { type Site, type SiteWithBackend, startSite, startSiteWithBackend } from '../support/site.ts'

/** More rows than two calls of the data API return, even without the one row in twenty that is corrected. */
const rowCount = process.env.DEEP === '1' ? 10_000 : 2_200
/** The number of history pages that are read one after the other. */
const pageCount = process.env.DEEP === '1' ? Number.POSITIVE_INFINITY : 20
const pools = impactPools.map(({ slug }) => slug)
const goal = { slug: 'goal-exported', title: 'School coats' }
const days = Array.from({ length: 31 }, (_, day) => `2025-03-${`${day + 1}`.padStart(2, '0')}`)

let whole: SiteWithBackend
let proxy: FaultProxy
/** A site behind a fault proxy. */
let broken: Site

type Row = Record<string, string | number | null>

beforeAll(async () => {
  whole = await startSiteWithBackend({ mail: true, variables: openVariables })
  proxy = await startFaultProxy(whole.backend.url)
  broken = await startSite({ url: proxy.url, publishableKey: whole.backend.publishableKey })
  await fill()
})

afterAll(async () => {
  await broken?.close()
  await proxy?.close()
  await whole?.close()
})

const get = (path: string, headers: Record<string, string> = {}, base: Site = whole) =>
  fetch(base.url + path, { headers, redirect: 'manual' })

/** Null or a text that PostgreSQL can store. Many of the texts are spreadsheet formulas. */
const note = fc
  .tuple(
    fc.constantFrom(
      '',
      '',
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '\t=1',
      '\r=1',
      '"=1',
      '";=1',
      'a\n=1',
      ' =1',
      '＝1',
      "'=1",
    ),
    typed,
  )
  // UTF-8 cannot encode half of a surrogate pair, so it becomes the replacement character.
  .map((parts) => Buffer.from(parts.join('').replaceAll('\0', '').slice(0, 500)).toString())
  .map((text) => text || null)

type Kind = [type: string, direction: string, account: string, counter: string | null, pool: string | null]
const kind = fc.constantFrom<Kind>(
  ['tax', 'in', 'treasury', null, null],
  ['gift', 'in', 'donation-wallet', null, null],
  ['gift', 'in', 'education', null, 'education'],
  ['spending', 'out', 'education', null, 'education'],
  ['cost', 'out', 'treasury', null, null],
  ['dream', 'out', 'treasury', null, null],
  ['move', 'out', 'donation-wallet', 'treasury', null],
  ['other', 'in', 'treasury', null, null],
  ['other', 'out', 'treasury', null, null],
  ['donation', 'out', 'treasury', null, null],
  ['goal-gift', 'in', goal.slug, null, goal.slug],
  ...pools.map((pool): Kind => ['donation', 'out', 'treasury', pool, pool]),
)

const facts = fc.record({
  kind,
  day: fc.constantFrom(...days),
  // Only a few times, so that many rows share one, and some are the first or last of a day.
  clock: fc.constantFrom('00:00:00', '00:00:00.000001', '12:30:00.5', '23:59:59.999999'),
  cents: fc.option(fc.bigInt({ min: 0n, max: 9_999_999_999_99n })),
  rate: fc.option(fc.constantFrom('1', '612.500000000000000001', '0.000000000000000001')),
  tokens: fc.option(fc.tuple(fc.bigInt({ min: 0n, max: 2n ** 255n }), fc.integer({ min: 0, max: 20 }))),
  address: fc.stringMatching(/^[0-9a-f]{40}$/),
  proof: fc.option(fc.webUrl({ validSchemes: ['https'], withQueryParameters: true })),
  note,
  status: fc.option(fc.constantFrom('pending', 'verified', 'mismatch', 'reorganised', 'unreachable')),
  corrects: fc.integer({ min: 0, max: 19 }),
})

/** Appends `rowCount` rows with results of checks. About one in twenty corrects an earlier row. */
async function fill(): Promise<void> {
  await addGoal(whole.backend, goal)
  const revisions = new Map<string, number>()
  const rows = fc.sample(facts, { numRuns: rowCount, seed: 20261121 }).map((made, index) => {
    const place = made.corrects === 0 && index > 0 ? Math.floor(index / 2) : index
    const tx_hash = `0x${Math.floor(place / 3)
      .toString(16)
      .padStart(64, '0')}`
    const ordinal = (place % 3) - 1
    const revision = revisions.get(`${tx_hash}${ordinal}`) ?? 0
    revisions.set(`${tx_hash}${ordinal}`, revision + 1)
    const [type, direction, account, counter_account, pool_slug] = made.kind
    const [token_amount, token_decimals] = made.tokens ?? [null, null]
    // Income above expenses: with a negative balance of the treasury no page would draw the flow.
    const cents = made.cents !== null && direction === 'out' ? made.cents / 100n : made.cents
    return {
      occurred_at: `${made.day}T${made.clock}Z`,
      account,
      counter_account,
      type,
      direction,
      pool_slug,
      amount_usd: cents === null ? null : `${cents / 100n}.${`${cents % 100n}`.padStart(2, '0')}`,
      rate_usd: made.rate,
      rate_source: 'a test, "quoted"; and more',
      token_amount: token_amount === null ? null : `${token_amount}`,
      token_symbol: token_amount === null ? null : '=BNB',
      token_decimals,
      token_address: token_amount === null ? null : `0x${made.address}`,
      from_address: `0x${made.address}`,
      to_address: `0x${'2'.repeat(40)}`,
      tx_hash,
      chain_id: 56,
      ordinal,
      revision,
      proof_url: made.proof,
      note: made.note,
      status: made.status,
    }
  })
  for (let from = 0; from < rows.length; from += 1_000)
    await whole.backend.sql('select public.append_ledger($1)', [
      JSON.stringify(rows.slice(from, from + 1_000)),
    ])
  await whole.backend.sql(
    `insert into public.transaction_checks
      (transaction_id, status, block_number, block_hash, block_time, confirmations, reason)
     select published.id, found.status, 7, published.tx_hash, published.occurred_at, 20, 'because, "so"'
     from jsonb_to_recordset($1) as found (tx_hash text, ordinal integer, revision integer, status text)
     join public.published_transactions as published using (tx_hash, ordinal, revision)
     where found.status is not null`,
    [JSON.stringify(rows)],
  )
  const giver = rows.find(({ type }) => type === 'gift')?.from_address
  await whole.backend.sql('select public.append_name($1)', [
    JSON.stringify({ address: giver, name: '=HYPERLINK, "a" partner' }),
  ])
}

/** Returns the rows that match a filter, read from the tables without the views and queries of the site. */
async function expected(filter: LedgerFilter): Promise<Row[]> {
  const spelt = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
  return whole.backend.sql<Row>(
    `select id, ${spelt('occurred_at')} as occurred_at, type, direction, amount_usd::text, trim_scale(rate_usd)::text as rate_usd,
      rate_source, token_amount::text, token_symbol, token_decimals, token_address, from_address, to_address,
      tx_hash, chain_id, ordinal, revision, pool_slug,
      (select text from private.log_texts where hash = proof_hash) as proof_url,
      (select text from private.log_texts where hash = note_hash) as note, ${spelt('recorded_at')} as recorded_at,
      coalesce(found.status, 'pending') as status, ${spelt('found.checked_at')} as checked_at,
      case found.status when 'unreachable' then ${spelt('found.checked_at')} end as unreachable_at,
      found.block_number, found.block_hash, ${spelt('found.block_time')} as block_time, found.confirmations, found.reason,
      account, counter_account,
      (select index::integer from private.log_entries where kind = 'transaction' and row_id = facts.id) as log_index,
      (
        select text from public.wallet_names join private.log_texts on hash = name_hash
        where counter_account is null and address = case direction when 'in' then from_address else to_address end
      ) as counter_name
     from public.transactions as facts
     left join (select transaction_id, status, checked_at, block_number, block_hash, block_time, confirmations, reason
       from public.transaction_checks) as found on found.transaction_id = facts.id
     where revision = (select max(revision) from public.transactions as other
         where (other.chain_id, other.tx_hash, other.ordinal) = (facts.chain_id, facts.tx_hash, facts.ordinal))
       and ($1::text is null or type = $1) and ($2::text is null or pool_slug = $2)
       and ($3::date is null or (occurred_at at time zone 'UTC')::date >= $3::date)
       and ($4::date is null or (occurred_at at time zone 'UTC')::date <= $4::date)
     order by facts.occurred_at desc, id desc`,
    [filter.type ?? null, filter.pool ?? null, filter.from ?? null, filter.to ?? null],
  )
}

const ending = /[,\r\n"]/g

/** A CSV parser that was written from RFC 4180, independent of any library. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (let at = 0; at < text.length; ) {
    let field = ''
    if (text[at] === '"') {
      for (at += 1; text[at] !== '"' || text[at + 1] === '"'; at += 1) {
        if (at >= text.length) throw new Error('a quote is not closed')
        field += text[at]
        if (text[at] === '"') at += 1
      }
      at += 1
    } else {
      ending.lastIndex = at
      const end = ending.exec(text)?.index ?? text.length
      field = text.slice(at, end)
      at = end
    }
    row.push(field)
    if (text[at] === ',') at += 1
    else if (text.startsWith('\r\n', at)) {
      rows.push(row)
      row = []
      at += 2
    } else throw new Error(`neither a comma nor a line break after ${field.slice(0, 50)}`)
  }
  return rows
}

/** The visible text of a row, with its two links: to its page and to the block explorer. */
function shown(row: Row, filter: LedgerFilter = {}): string {
  const { token_amount: amount, token_symbol: symbol, token_decimals: decimals } = row
  const cents = row.amount_usd === null ? null : toCents(row.amount_usd as string)
  const tokens = () =>
    amount === null
      ? 'No dollar value yet'
      : formatTokens(
          { amount: BigInt(amount as string), symbol: symbol as string, decimals: Number(decimals) },
          { places: 2 },
        )
  return [
    new Date(row.occurred_at as string).toISOString(),
    typeLabel(row.type as string),
    cents === null || (cents === 0 && amount !== null) ? tokens() : amountOf(row, cents, filter),
    partiesOf(row),
    `/transparency/${row.id}`,
    `https://bscscan.com/tx/${row.tx_hash}`,
  ].join(' | ')
}

/** A minus only if the money left the project, or the wallet of the filter. */
function amountOf(row: Row, cents: number, filter: LedgerFilter): string {
  const [account, counter] = [row.account, row.counter_account] as (string | null)[]
  const [fromAccount, toAccount] = row.direction === 'out' ? [account, counter] : [counter, account]
  const sides = { fromAccount, toAccount, fromAddress: row.from_address, toAddress: row.to_address } as Sides
  const sign = signOf(sides, partyOf(filter))
  return `${sign === 'between' ? '⇄ ' : ''}${formatExactDollars(sign === 'out' ? -cents : cents)}`
}

/** Returns both parties of a row, by name if they have one, for example 'Treasury → 0x12…cdef'. */
function partiesOf({ account, counter_account: counter, direction, ...row }: Row): string {
  const short = (address: unknown) => `${address}`.replace(/^(.{10}).*(.{8})$/, '$1…$2')
  const other = (address: unknown) => row.counter_name ?? short(address)
  const [from, to] = direction === 'out' ? [account, counter] : [counter, account]
  const nameOf = (side: unknown) => (side === goal.slug ? goal.title : accountName(side as string | null))
  return [nameOf(from) ?? other(row.from_address), nameOf(to) ?? other(row.to_address)].join(' → ')
}

function readTable(html: string): string[] {
  const table = parse(html).querySelector('table.rows')
  return (table?.querySelectorAll('tbody tr') ?? []).map((row) => {
    const cell = (name: string) => row.querySelector(`.rows-${name}`)
    return [
      cell('date')?.querySelector('time')?.getAttribute('datetime'),
      cell('type')?.text.trim(),
      cell('amount')?.text.trim(),
      cell('party')
        ?.querySelectorAll('a')
        .map(({ text }) => text.trim())
        .join(' → '),
      cell('date')?.querySelector('a')?.getAttribute('href'),
      cell('details')?.querySelector('a')?.getAttribute('href'),
    ].join(' | ')
  })
}

/** The visible rows of at most `pages` pages: the first, and the next through the Older links. */
async function walk(search: URLSearchParams, pages: number): Promise<string[]> {
  const seen: string[] = []
  let address: string | undefined = `/transparency?rows=all&${search}`
  for (let page = 0; address && page < pages; page += 1) {
    const html: string = await (await get(address)).text()
    seen.push(...readTable(html))
    address = /href="([^"#]*)[^"]*" rel="next"/.exec(html)?.[1]?.replaceAll('&amp;', '&')
  }
  return seen
}

/** Compares row by row, because printing the difference of two long lists takes a minute. */
function expectSame<T>(actual: T[], wanted: T[], what: string): void {
  const at = wanted.findIndex((row, index) => JSON.stringify(actual[index]) !== JSON.stringify(row))
  if (at >= 0) expect(actual[at], `${what}, row ${at}`).toEqual(wanted[at])
  expect(actual.length, what).toBe(wanted.length)
}

/** Returns a cell without its apostrophes, which prevent formulas. */
const bare = (text: string) => text.replaceAll("'", '')

/** A formula at the start of a cell, even if a spreadsheet splits elsewhere or drops spaces. */
const startsFormula = /^["\s]*[=+\-@＝＋－＠]|^[\t\r\n]|[";\t\r\n][=+\-@]/

async function expectEqual(filter: LedgerFilter, from: number, pages: number): Promise<void> {
  const search = new URLSearchParams({ ...filter })
  const rows = await expected(filter)
  const document = JSON.parse(await (await get(`/transparency.json?${search}`)).text())
  expectSame(document.transactions, rows, `JSON ${search}`)

  const text = await (await get(`/transparency.csv?${search}`)).text()
  // Response.text() drops the byte order mark.
  const [header = [], ...cells] = parseCsv(text)
  const columns = header.filter((column) => column !== 'tokens')
  const wanted = rows.map((row) => [
    ...columns.map((column) => (row[column] === null ? '' : bare(`${row[column]}`))),
    row.token_amount === null ? '' : formatUnits(BigInt(`${row.token_amount}`), Number(row.token_decimals)),
  ])
  expectSame(
    cells.map((row) => row.map(bare)),
    wanted,
    `CSV ${search}`,
  )
  const dangerous = cells.flat().filter((field) => !/^-?\d+$/.test(field) && startsFormula.test(field))
  expect(dangerous, `CSV ${search}`).toEqual([])

  const start = rows[from % Math.max(1, rows.length)]
  if (start) {
    const time =
      BigInt(Date.parse(start.occurred_at as string)) * 1000n + BigInt(`${start.occurred_at}`.slice(-4, -1))
    search.set('before', `${time}-${start.id}`)
  }
  const seen = await walk(search, pages)
  const behind = rows.slice(start ? rows.indexOf(start) + 1 : 0)
  expectSame(
    seen,
    behind.slice(0, pages * 25).map((row) => shown(row, filter)),
    `HTML ${search}`,
  )
}

describe('exported rows equal the rows of the page and of the database', () => {
  test(`of the whole ledger, on ${pageCount === 20 ? '20 pages' : 'all pages'}`, async () => {
    const rows = await expected({})
    expect(rows.length).toBeGreaterThan(rowCount * 0.9)
    const onPages = rows.slice(0, pageCount * 25).map((row) => shown(row))
    expectSame(await walk(new URLSearchParams(), pageCount), onPages, 'HTML')
    const lines = (await (await get('/transparency.ndjson')).text()).split('\n')
    expect(lines.pop()).toBe('')
    expectSame(
      lines,
      rows.map((row) => JSON.stringify(row)),
      'NDJSON',
    )
  })

  test('under any filter', async () => {
    const filter: fc.Arbitrary<LedgerFilter> = fc
      .record(
        {
          type: fc.constantFrom(...(Object.keys(transactionTypes) as (keyof typeof transactionTypes)[])),
          pool: fc.constantFrom(...pools),
          from: fc.constantFrom(...days),
          to: fc.constantFrom(...days),
        },
        { requiredKeys: [] },
      )
      .filter(({ from, to }) => !from || !to || from <= to)
    await holds(
      'exports: HTML, CSV, JSON and SQL agree under a filter',
      count(6, 200),
      fc.asyncProperty(filter, fc.nat(rowCount), (asked, from) => expectEqual(asked, from, 4)),
      [[{}, rowCount]],
    )
  }, 600_000)
})

/** What a spreadsheet saves of a cell that it has read: numbers with 15 digits, and dates in its own format. */
function savedAgain(cell: string): string {
  if (/^\d{1,4}[-/]\d{1,2}([-/]\d{1,4})?$/.test(cell)) return 'a date'
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(cell) ? `${Number(Number(cell).toPrecision(15))}` : cell
}

test.each([
  // https://github.com/pulibrary/orangelight/issues/2695
  ['9912140633506421', '9912140633506420'],
  // https://github.com/SEED-platform/seed/issues/2562
  ['0030610', '30610'],
  // https://github.com/monero-project/monero-gui/issues/3566
  ['468768768833943384000000', '4.68768768833943e+23'],
  // https://github.com/hhyo/Archery/issues/645
  ['9615649975234172', '9615649975234170'],
])('a spreadsheet changes %s to %s', (cell, saved) => {
  expect(savedAgain(cell)).toBe(saved)
})

test('the page about files says which columns a spreadsheet changes, and no other column changes', async () => {
  const [header = [], ...rows] = parseCsv(await (await get('/transparency.csv')).text())
  const changed = header.filter((_, at) => rows.some((row) => savedAgain(row[at] ?? '') !== row[at]))
  expect(changed).toEqual(expect.arrayContaining(['token_amount', 'rate_usd']))
  const amounts = rows.map((row) => row[header.indexOf('amount_usd')] ?? '')
  expect(amounts.filter((amount) => amount && Number(savedAgain(amount)) !== Number(amount))).toEqual([])
  expect(amounts.filter((amount) => amount.replace(/\D/g, '').length > 15)).toEqual([])
  expect(parse(await (await get('/transparency/api')).text()).text).toContain(
    'Import every column except amount_usd as text: a spreadsheet rounds numbers of more than 15 digits',
  )
})

describe('the figures on the pages equal a recount of the downloaded rows, to the cent', () => {
  const listed = async (search: URLSearchParams | string = '') =>
    ((await (await get(`/transparency.json?${search}`)).json()) as { transactions: Row[] }).transactions
  const sum = (rows: Row[], factor: (row: Row) => number = () => 1) =>
    rows.reduce((total, row) => total + factor(row) * toCents(`${row.amount_usd ?? '0.00'}`), 0)
  const textOf = (html: string, selector: string) =>
    parse(html)
      .querySelectorAll(selector)
      .map(({ text }) => text.trim())

  /**
   * Returns whether a row's amount is received, moved or paid, from the point of view of the wallet if one is
   * named, otherwise of the pool, otherwise of the project.
   */
  function seenAs(row: Row, { wallet, pool }: { wallet?: string; pool?: string }) {
    const { account, counter_account: counter, direction, type } = row
    if (wallet) {
      const side = wallet === account ? direction : direction === 'in' ? 'out' : 'in'
      return { received: side === 'in', moved: false, paid: side === 'out' }
    }
    const outside = counter === null
    if (pool && pool !== 'none')
      return {
        received: type === 'donation' || type === 'gift',
        moved: false,
        paid: type === 'spending' || (type === 'donation' && outside),
      }
    return { received: outside && direction === 'in', moved: !outside, paid: outside && direction === 'out' }
  }

  /** The gifts to goals go to wallets of members, so none of our sums includes them. */
  const ours = (rows: Row[]) => rows.filter(({ type }) => type !== 'goal-gift')
  const only = (rows: Row[], ...statuses: string[]) =>
    rows.filter(({ status }) => statuses.includes(status as string))

  test('in the heading, under any filter', async () => {
    const filter = fc
      .record(
        {
          type: fc.constantFrom(...Object.keys(transactionTypes)),
          direction: fc.constantFrom('in', 'out'),
          status: fc.constantFrom(
            'verified',
            'pending',
            'mismatch',
            'reorganised',
            'unreachable',
            'not-checked',
          ),
          pool: fc.constantFrom(...pools, 'none'),
          wallet: fc.constantFrom('treasury', 'donation-wallet', ...pools),
          from: fc.constantFrom(...days),
          to: fc.constantFrom(...days),
        },
        { requiredKeys: [] },
      )
      .filter(({ from, to }) => !from || !to || from <= to)
    await holds(
      'exports: the heading equals a recount',
      count(7, 300),
      fc.asyncProperty(filter, async (asked) => {
        const search = new URLSearchParams(asked)
        const all = await listed(search)
        const rows = asked.type ? all : ours(all)
        const verified = only(rows, 'verified')
        const counted = verified.filter(({ amount_usd }) => amount_usd !== null).length
        const total = (how: 'received' | 'moved' | 'paid') =>
          formatExactDollars(sum(verified, (row) => (seenAs(row, asked)[how] ? 1 : 0)))
        const name = accountName(asked.wallet)
        const [received, paid] = name
          ? [`into ${name}`, 'out of it']
          : asked.pool && asked.pool !== 'none'
            ? ['given to this pool', 'spent by it']
            : ['in', 'out']
        const number = (count: number, one: string, other: string) =>
          count > 0 && `${count.toLocaleString('en-US')} ${count === 1 ? one : other}`
        const sums = [
          `: ${total('received')} ${received}, ${total('paid')} ${paid}.`,
          total('moved') === '$0.00' ? '' : ` Another ${total('moved')} moved between our own wallets.`,
        ].join('')
        const of = `${counted.toLocaleString('en-US')} of ${number(rows.length, 'payment', 'payments')} counted`
        const none =
          rows.length === 1
            ? 'This payment is not counted, so there is no sum.'
            : `None of these ${rows.length.toLocaleString('en-US')} payments is counted, so there is no sum.`
        const heading = rows.length === 0 ? [] : [counted === 0 ? none : of + sums]
        const reasons = [
          number(only(rows, 'pending', 'unreachable').length, 'is being verified', 'are being verified'),
          number(only(rows, 'mismatch', 'reorganised').length, "doesn't match", "don't match"),
          number(verified.length - counted, 'has no dollar value yet', 'have no dollar value yet'),
        ].filter((reason) => reason !== false)
        const left = (rows.length - counted).toLocaleString('en-US')
        const rest = reasons.length > 0 ? [`We left out ${left}: ${listWords(reasons, 'and')}.`] : []
        const apart = number(
          all.length - rows.length,
          "gift to a member's goal. It is not our money, so no sum counts it.",
          "gifts to members' goals. They are not our money, so no sum counts them.",
        )
        const html = await (await get(`/transparency?${search}`)).text()
        expect(textOf(html, '[data-history-sum]'), `${search}`).toEqual(heading)
        expect(textOf(html, '[data-history-rest]'), `${search}`).toEqual(rest)
        expect(textOf(html, '[data-history-goals]'), `${search}`).toEqual(
          apart ? [`The list also has ${apart}`] : [],
        )
      }),
      [[{}], [{ direction: 'out', type: 'move' }], [{ wallet: 'treasury' }], [{ status: 'mismatch' }]],
    )
  })

  test('in the totals, which equal the sums of their parts', async () => {
    const verified = await listed('status=verified')
    const inTreasury = (account: unknown) => account === 'treasury' || account === 'donation-wallet'
    const intoTreasury = (row: Row) =>
      (inTreasury(row.account) ? (row.direction === 'in' ? 1 : -1) : 0) +
      (inTreasury(row.counter_account) ? 1 : 0)
    const gift = ({ type, pool_slug }: Row) => type === 'gift' && pool_slug !== null
    const donated = (row: Row) => (row.type === 'donation' || gift(row) ? 1 : 0)
    const overview = await (await get('/transparency')).text()
    expect(textOf(overview, '#figures .stat-figure').slice(0, 2)).toEqual([
      formatRoundDollars(sum(verified, intoTreasury)),
      formatRoundDollars(sum(verified, donated)),
    ])
    const all = await listed()
    for (const slug of pools) {
      const rows = verified.filter(({ pool_slug }) => pool_slug === slug)
      const of = (type: string) => sum(rows.filter((row) => row.type === type))
      const html = await (await get(`/voting/${slug}`)).text()
      const [spent, left, ...lines] = parse(html)
        .querySelectorAll('#money dl > div, #sums dl > div')
        .map((line) => [line.querySelector('dt')?.text, line.querySelector('a')?.childNodes[0]?.text])
      expect([spent?.[1], left?.[1]], slug).toEqual([
        formatExactDollars(of('spending')),
        formatExactDollars(of('donation') + of('gift') - of('spending')),
      ])
      expect(lines, slug).toEqual([
        ['Donations from the treasury', formatExactDollars(of('donation'))],
        ['Gifts to its wallet', formatExactDollars(of('gift'))],
        ['Given to this pool', formatExactDollars(of('donation') + of('gift'))],
        ['Spent', formatExactDollars(-of('spending'))],
        ['Left', formatExactDollars(of('donation') + of('gift') - of('spending'))],
      ])
      const isGiven = ({ type, pool_slug }: Row) =>
        pool_slug === slug && (type === 'donation' || type === 'gift')
      const frame = await (await get(`/embed/${slug}`)).text()
      const given = sum(rows.filter((row) => ['donation', 'gift'].includes(row.type as string)))
      expect(frame, slug).toContain(
        `${formatRoundDollars(given)} given, ${formatRoundDollars(of('spending'))} spent`,
      )
      const page = parse(html)
      const last = page.querySelectorAll('#pool-lead .facts:not(.sums) > div').at(-1)
      expect([
        last?.querySelector('dt')?.text,
        last?.querySelector('time')?.getAttribute('datetime'),
      ]).toEqual(['Last donation', new Date(`${verified.find(isGiven)?.occurred_at}`).toISOString()])
      expect(page.querySelectorAll('#donations li').map((line) => line.getAttribute('data-key'))).toEqual(
        all
          .filter(isGiven)
          .slice(0, 6)
          .map(({ id }) => `${id}`),
      )
    }
  })

  test("in Home's figures, receipt and 'Of every $50', for the amounts that were given, spent and left in pools", async () => {
    const verified = ours(await listed('status=verified'))
    const home = parse(await (await get('/')).text())
    const toCauses = verified.filter(
      ({ type, counter_account }) => type === 'spending' || (type === 'donation' && counter_account === null),
    )
    const given = verified.filter(
      ({ type, pool_slug }) => type === 'donation' || (type === 'gift' && pool_slug !== null),
    )
    const counted = verified.filter(({ amount_usd }) => amount_usd !== null)
    const all = ours(await listed(''))
    const differing = only(all, 'mismatch', 'reorganised').length
    const receipt = home.querySelector('#receipt')
    expect(receipt?.querySelectorAll('li a').map((link) => link.getAttribute('href'))).toEqual(
      toCauses.slice(0, 3).map(({ id }) => `/transparency/${id}`),
    )
    const wordsAt = (selector: string) => home.querySelector(selector)?.text.replace(/\s+/g, ' ').trim()
    expect(wordsAt('#ledger-figures')).toContain(
      `Donated${formatRoundDollars(sum(given))}causes spent ${formatRoundDollars(sum(toCauses))} of it`,
    )
    expect(wordsAt('.receipt-checked')).toBe(
      `${[counted, all].map(({ length }) => length.toLocaleString('en-US')).join(' of ')} payments verified and counted; ${differing.toLocaleString('en-US')} don't match`,
    )
    const inPools = sum(
      verified.filter(({ account, counter_account }) =>
        pools.some((pool) => pool === account || pool === counter_account),
      ),
      ({ account, direction }) => (pools.some((pool) => pool === account) && direction === 'out' ? -1 : 1),
    )
    const amounts = Object.fromEntries(
      home
        .querySelectorAll('#amounts tbody tr')
        .map((row) => row.querySelectorAll('td, th').map(({ text }) => text.trim()))
        .map(([name = '', amount]) => [name, amount]),
    )
    expect(amounts).toMatchObject({
      Gifts: formatExactDollars(sum(verified.filter(({ type }) => type === 'gift'))),
      'Where it is': formatExactDollars(
        sum(verified, ({ direction, counter_account }) => (direction === 'in' && !counter_account ? 1 : 0)),
      ),
      Given: formatExactDollars(sum(given)),
      'of it, spent': formatExactDollars(sum(toCauses)),
      'of it, left in pools': formatExactDollars(inPools),
    })
  })

  /** The names and amounts in a table's rows or a list's lines, with the URLs of their links. */
  const figuresOf = (html: string, lines: string, name: string, amount: string) =>
    parse(html)
      .querySelectorAll(lines)
      .map((line) => ({
        name: line.querySelector(name)?.text.trim() ?? '',
        href: line.querySelector('a')?.getAttribute('href') ?? '',
        amount: line.querySelector(amount)?.text.trim() ?? '',
      }))
  /** Returns the sums in the heading of a history page, by name. A sum that is not shown is zero. */
  const headingOf = async (href: string) => {
    const sums = parse(await (await get(href)).text()).querySelectorAll('[data-history-sum] [data-sum]')
    const shown = Object.fromEntries(sums.map((sum) => [sum.getAttribute('data-sum') ?? '', sum.text]))
    return { received: '$0.00', paid: '$0.00', moved: '$0.00', ...shown }
  }
  const exact = (dollars: string) => (dollars.includes('.') ? dollars : `${dollars}.00`)

  test('by month, and each month equals the heading of the history to which it links', async () => {
    const verified = ours(await listed('status=verified'))
    const html = await (await get('/transparency/months')).text()
    const months = parse(html).querySelectorAll('table tbody tr')
    const names = [...new Set(verified.map(({ occurred_at }) => `${occurred_at}`.slice(0, 7)))].toSorted()
    expect(months.length).toBeGreaterThanOrEqual(names.length)
    let held = sum(verified, (row) => (row.counter_account !== null ? 0 : row.direction === 'in' ? 1 : -1))
    for (const month of months) {
      const cell = (label: string) => exact(month.querySelector(`[data-label="${label}"]`)?.text.trim() ?? '')
      const href = month.querySelector('a')?.getAttribute('href') ?? ''
      expect(await headingOf(href), href).toEqual({
        received: cell('Money in'),
        paid: cell('Money out'),
        moved: cell('Moved between our wallets'),
      })
      expect(cell('In our wallets at month end')).toBe(exact(formatDollars(held)))
      const rows = verified.filter(({ occurred_at }) => href.includes(`from=${`${occurred_at}`.slice(0, 7)}`))
      held -= sum(rows, (row) => (row.counter_account !== null ? 0 : row.direction === 'in' ? 1 : -1))
    }
    expect(held).toBe(0)
  })

  test('on Home, on /transparency and on /voting; if two figures differ, the page states the difference', async () => {
    const [home, overview, pools, totals] = await Promise.all(
      ['/', '/transparency', '/voting']
        .map(async (path) => (await get(path)).text())
        .concat(
          whole.backend.sql('select * from public.ledger_totals').then((rows) => JSON.stringify(rows[0])),
        ),
    )
    const [treasury, donated] = textOf(overview ?? '', '#figures .stat-figure')
    expect(textOf(home ?? '', '.stat-figure').slice(0, 2)).toEqual([treasury, donated])
    const { received_usd, paid_usd, treasury_usd, returned_usd } = JSON.parse(totals ?? '')
    const left = await whole.backend.sql<{ left_usd: string }>(
      'select left_usd::text from public.pool_totals',
    )
    const inPools = left.reduce((all, { left_usd }) => all + toCents(left_usd), 0)
    expect(toCents(received_usd) - toCents(paid_usd)).toBe(toCents(treasury_usd) + inPools)

    // Home divides 'given' into spent, left, returned; /transparency names what came and returned.
    const amountsIn = (html = '', selector = '') =>
      (
        textOf(html, selector)
          .join(' ')
          .match(/\$[\d,]+(\.\d\d)?/g) ?? []
      ).map((amount) => toCents(amount.replace(/[$,]/g, '')))
    const [given = 0] = amountsIn(home, '.fifty-parts dd')
    const [spent = 0, waiting = 0, cameBack = 0, ...others] = amountsIn(home, '.fifty-note')
    expect([spent + waiting + cameBack, others]).toEqual([given, []])
    expect(amountsIn(overview, '.flow-total')).toEqual(
      [received_usd, returned_usd]
        .map((dollars) => Math.round(toCents(dollars) / 100) * 100)
        .filter((cents) => cents > 0),
    )

    const uses = figuresOf(overview ?? '', '.flow-table tbody tr', 'a', 'td:nth-child(2)')
    expect(donated).toBe(
      formatRoundDollars(
        uses
          .filter(({ name, href }) => name === 'Causes outside the pools' || href.includes('?pool='))
          .reduce((all, { amount }) => all + toCents(amount.replace(/[$,]/g, '')), 0),
      ),
    )
    for (const { name, href, amount } of uses.filter(({ href }) => href.includes('?pool='))) {
      expect(pools, `${name} on /voting`).toContain(formatRoundDollars(toCents(amount.replace(/[$,]/g, ''))))
      expect(await headingOf(href), name).toMatchObject({ received: amount })
    }
    for (const html of [home ?? '', overview ?? '']) {
      expect(figuresOf(html, '.flow-table tbody tr', 'a', 'td').length).toBeGreaterThan(8)
      for (const { name, href, amount } of figuresOf(html, '.flow-table tbody tr', 'a', 'td:nth-child(2)')) {
        // There is no filter that selects only the moves from a pool back to the treasury.
        if (!href.includes('#history') || name === 'Returned by pools') continue
        expect(Object.values(await headingOf(href)), `${name}: ${href}`).toContain(amount)
      }
    }
  })
})

test('the JSON conforms to its schema', async () => {
  const schema = JSON.parse(readFileSync('public/transparency.schema.json', 'utf8'))
  const response = await get('/transparency.schema.json')
  expect(await response.json()).toEqual(schema)
  const validate = new Ajv2020({ validateFormats: false }).compile(schema)
  for (const path of [
    '/transparency.json',
    '/transparency.json?type=donation&pool=education&from=2025-03-02&to=2025-03-09',
  ])
    expect([validate(await (await get(path)).json()), validate.errors], path).toEqual([true, null])
  expect(validate({ $schema: 'x', filter: {}, log_size: null, transactions: [{ id: 1 }] })).toBe(false)
  const [header] = parseCsv(await (await get('/transparency.csv?limit=1')).text())
  expect(header).toEqual([...schema.$defs.transaction.required, 'tokens'])
})

test('the log has one entry for each appended row', async () => {
  const lines = (await (await get('/transparency/log.ndjson')).text()).trimEnd().split('\n')
  const rows = await whole.backend.sql<Row>(
    'select id, tx_hash, ordinal, revision from public.transactions order by id',
  )
  expect(rows).toHaveLength(rowCount)
  const inLog = lines.map((line) => JSON.parse(line)).filter((entry) => entry.kind === 'transaction')
  expectSame<Row>(
    inLog.map(({ id, tx_hash, ordinal, revision }): Row => ({ id, tx_hash, ordinal, revision })),
    rows,
    'log',
  )
})

test('each part links to the next part, and all parts together equal the whole export', async () => {
  for (const filter of ['type=donation', 'status=not-checked', 'status=not-checked&wallet=education']) {
    const seen: string[] = []
    let address: string | undefined = `/transparency.ndjson?${filter}&limit=200`
    while (address) {
      const part: Response = await get(address)
      seen.push(...(await part.text()).trimEnd().split('\n'))
      address = /<([^>]*)>; rel="next"/.exec(part.headers.get('Link') ?? '')?.[1]
    }
    const all = (await (await get(`/transparency.ndjson?${filter}`)).text()).trimEnd().split('\n')
    expect(seen.filter(Boolean), filter).toEqual(all)
    expect(new Set(all).size, filter).toBe(all.length)
  }
})

test('an export has the headers of a public file with an ETag, and gets a 304 response while the ledger is unchanged', async () => {
  for (const path of [
    '/transparency.csv?pool=education',
    '/transparency.csv?limit=2',
    '/transparency.json',
    '/transparency.ndjson',
    '/transparency/log.ndjson',
  ]) {
    const response = await get(path)
    await response.body?.cancel()
    const tag = response.headers.get('ETag') as string
    expect(response.headers.get('Content-Disposition'), path).toMatch(
      /^attachment; filename="(goodblock|ledger)-[a-z-]+\.(csv|json|ndjson)"$/,
    )
    expect(response.headers.get('Content-Type'), path).toMatch(
      /^(text\/csv|application\/(json|x-ndjson)); charset=utf-8(; header=present)?$/,
    )
    expect(response.headers.get('Cache-Control'), path).toBe('public, max-age=30')
    expect(response.headers.get('Access-Control-Allow-Origin'), path).toBe('*')
    expect(response.headers.getSetCookie(), path).toEqual([])
    const head = await fetch(whole.url + path, { method: 'HEAD' })
    expect([head.status, head.headers.get('ETag'), await head.text()], path).toEqual([200, tag, ''])
    const known = await get(path, { 'If-None-Match': tag })
    expect([known.status, known.headers.get('ETag'), await known.text()], path).toEqual([304, tag, ''])
  }
})

test('a 304 response costs one read, and a new check of a row changes the ETag', async () => {
  const path = '/transparency.csv?type=tax'
  const tag = (await fetch(broken.url + path, { method: 'HEAD' })).headers.get('ETag') as string
  const before = proxy.requests.length
  expect((await get(path, { 'If-None-Match': tag }, broken)).status).toBe(304)
  const asked = proxy.requests.slice(before)
  expect(asked).toHaveLength(1)
  expect(asked[0]).toContain('/rest/v1/ledger_status')
  await whole.backend.sql(
    `insert into public.transaction_checks (transaction_id, status) select max(id), 'unreachable' from public.transactions`,
  )
  const changed = await fetch(broken.url + path, { method: 'HEAD', headers: { 'If-None-Match': tag } })
  expect(changed.status).toBe(200)
})

test('a request with cookies gets the same bytes as a request without cookies', async () => {
  const cookie = 'sb-127-auth-token=base64-garbage; notice=signed-in'
  const path = '/transparency.json?from=2025-03-30'
  const [theirs, mine] = await Promise.all([get(path), get(path, { cookie })])
  expect(mine.headers.getSetCookie()).toEqual([])
  expect(await mine.text()).toBe(await theirs.text())
})

test('refuses invalid parameters instead of ignoring them', async () => {
  for (const search of [
    'type=present',
    'pool=ocean',
    'from=yesterday',
    'limit=0',
    'limit=1001',
    'before=x',
    'after=1-1',
  ]) {
    const response = await get(`/transparency.json?${search}`)
    expect(response.status, search).toBe(400)
    expect(JSON.parse(await response.text()).message, search).toMatch(/\w/)
  }
  expect((await get('/transparency/log.ndjson?from=-1')).status).toBe(400)
})

test('a download aborts when the backend fails, and is left incomplete', async () => {
  for (const path of ['/transparency.json', '/transparency.csv', '/transparency/log.ndjson']) {
    proxy.fault = 'none'
    const response = await get(path, {}, broken)
    const reader = response.body?.getReader()
    const first = await reader?.read()
    expect([response.status, first?.done], path).toEqual([200, false])
    proxy.fault = '500'
    const rest = async () => {
      for (let part = await reader?.read(); !part?.done; part = await reader?.read());
    }
    await expect(rest(), path).rejects.toThrow()
  }
  const refused = await get('/transparency.csv', {}, broken)
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '60'])
  proxy.fault = 'none'
})
