import { createHash } from 'node:crypto'
import { toPictureLink } from '../../app/ledger/update-picture.ts'
import { signCheckpoint } from '../../app/log/checkpoint.ts'
import { verifierKeyOf } from '../../app/log/note.ts'
import { impactPools } from '../../app/platform/impact-pools.ts'
import { formatDollars, toCents } from '../../app/platform/money.ts'
import { fillDemoArrival, partnerWallet } from './demo-arrival.ts'
import { demoCustody, donationWallet, signedBy, unreadWallet } from './demo-custody.ts'
import { demoGoalEntries, fillDemoGoals } from './demo-goals.ts'
import { actsWithoutEntry, failureNotes, reasons, withActs } from './demo-operators.ts'
import { allocatedPayments, answeredStatement, demoOrders, demoPayer } from './demo-orders.ts'
import {
  blockInterval,
  chainId,
  daysBefore,
  fakeAddress,
  firstBlockAt,
  hashOf,
  hour,
  insertRows,
  lastBlock,
  lastDay,
  type Row,
  type Sql,
  saltOf,
} from './demo-rows.ts'
import { demoSplitEntry, fillDemoSplit, fillDemoVotes } from './demo-votes.ts'

const months = 14
const pools: readonly string[] = impactPools.map(({ slug }) => slug)
const [education = '', relief = '', animals = ''] = pools

const treasury = fakeAddress('treasury')
const taxCollector = fakeAddress('tax collector')
const dreamers = ['a bakery', 'a choir', 'a workshop', 'a boat'].map(fakeAddress)
const givers = Array.from({ length: 14 }, (_, at) => fakeAddress(`giver ${at}`))
const causes = Array.from({ length: 5 }, (_, at) => fakeAddress(`cause ${at}`))
const partners = (pool: string) => [1, 2, 3].map((number) => partnerWallet(`${pool} partner ${number}`))
const exchange = fakeAddress('exchange')

const wallets = {
  TREASURY_WALLET: treasury,
  DONATION_WALLET: donationWallet,
  ...Object.fromEntries(impactPools.map(({ slug, walletVariable }) => [walletVariable, fakeAddress(slug)])),
}

/** Two sources of statements. The scheduled work of the demonstration reads neither of them. */
const demoSources = ['https://news.example.org/feed.xml', 'https://blog.goodblock.example/feed.json']

/**
 * The log key of the demonstration: an Ed25519 key in PKCS #8, made from a published seed. Anyone can sign with
 * it, so its signatures prove nothing.
 */
export const demoLogKey = Buffer.concat([
  Buffer.from('302e020100300506032b657004220420', 'hex'),
  Buffer.alloc(32, 'demo'),
]).toString('base64')

/** Variables of a site that shows the demonstration. */
export const demoVariables = {
  DEMO: '1',
  DEMO_DAY: process.env.DEMO_DAY ?? '',
  CONTACT_EMAIL: 'hello@goodblock.example',
  FUNDME_OPEN: '1',
  ...wallets,
  // The contract pays the trading tax to the treasury.
  TOKEN_ADDRESS: taxCollector,
  CHAIN_TOKENS: `DEMOUSD:${fakeAddress('DEMOUSD')}:18:usd BNB:native:18`,
  STATEMENT_SOURCES: demoSources.join(' '),
}

/**
 * Fills the ledger and its log: rows and their checks, statements, updates, names of wallets, a correction, a
 * withdrawal, goals, acts of operators, checkpoints, an anchor, the position of the scan and reconciliations.
 * `origin` is the origin of the log.
 */
export async function fillDemoLedger(sql: Sql, origin: string): Promise<void> {
  const transfers = transactions()
  const calls = statements(transfers)
  addPurposes(transfers)
  addPurposeLater(transfers)
  const { orders, standing, entries, late } = demoOrders(walletOf, transfers)
  const facts = [
    ...calls.slice(-1).map((row) => ({ table: 'public.cz_calls', row })),
    ...entries,
    ...transfers.map((row) => ({ table: 'public.transactions', row })),
    ...calls.slice(0, -1).map((row) => ({ table: 'public.cz_calls', row })),
    ...updates().map((row) => ({ table: 'public.pool_updates', row })),
    ...names().map((row) => ({ table: 'public.wallet_names', row })),
    ...demoGoalEntries(treasury),
    { table: 'private.log_withdrawals', row: withdrawal },
    demoSplitEntry(),
    ...demoCustody(treasury, demoPayer),
  ].sort((a, b) => String(a.row.recorded_at).localeCompare(String(b.row.recorded_at)))
  await insertRows(
    sql,
    'private.log_texts',
    texts([...facts.map(({ row }) => row), ...orders, ...standing, ...reasons()]),
  )
  await fillDemoGoals(sql)
  await insertRows(sql, 'public.orders', orders.map(withHashes))
  await insertRows(sql, 'public.standing_orders', standing.map(withHashes))
  const events = withActs(facts)
  await insertEvents(sql, events)
  await insertRows(
    sql,
    'public.operator_acts',
    actsWithoutEntry(transfers.find((row) => row.token_symbol === 'GIFT') ?? {}),
  )
  await sql(checks)
  await sql('update private.log_texts set salt = null, text = null where hash = $1', [withdrawal.text_hash])
  await fillDemoVotes(sql, taxCollector, Object.values(wallets))
  const acts = events.filter(({ table }) => table === 'public.operator_acts')
  await insertEvents(sql, [...late, ...failureNotes(late, acts.length + 1)])
  await fillDemoSplit(sql, taxCollector, Object.values(wallets))
  await fillDemoArrival(sql)
  await signCheckpoints(sql, origin)
  await insertRows(sql, 'private.ledger_scans', [
    { chain_id: chainId, ...lastBlock, scanned_at: daysBefore(0) },
  ])
  await sql(
    `insert into private.control_reads (chain_id, wallet, read_at, allowances, allowances_at)
    select distinct on (chain_id, wallet) chain_id, wallet, reads.at, allowances, reads.at
    from public.wallet_controls
    cross join lateral (select case when wallet = $1 then $2 else $3 end::timestamptz as at) as reads
    order by chain_id, wallet, id desc`,
    // Nothing reads the wallets of the demonstration again, so the other readings stay new for a week.
    [unreadWallet, daysBefore(3), daysBefore(-7)],
  )
  await insertRows(sql, 'public.reconciliations', await reconciliations(sql))
}

/** Writes events in their order. Neighbours in one table are written together. */
async function insertEvents(sql: Sql, events: { table: string; row: Row }[]): Promise<void> {
  for (let from = 0; from < events.length; ) {
    const table = events[from]?.table ?? ''
    const length = events.slice(from).findIndex((event) => event.table !== table)
    // The text of a signature names the entry before it.
    const isSigned = table === 'public.custody_signatures'
    const to = isSigned ? from + 1 : length < 0 ? events.length : from + length
    const rows = events.slice(from, to).map(({ row }) => withHashes(row))
    await insertRows(sql, table, isSigned && rows[0] ? [await signedBy(sql, rows[0])] : rows)
    from = to
  }
}

// Texts -----------------------------------------------------------------------------------------------

/** The text columns of a row, each with the column that stores its hash. */
const textColumns = {
  note: 'note_hash',
  proof_url: 'proof_hash',
  tweet_text: 'text_hash',
  action_taken: 'action_hash',
  confirmed_by: 'confirmed_by_hash',
  text: 'text_hash',
  links: 'links_hash',
  helping_source: 'helping_source_hash',
  name: 'name_hash',
  act_reason: 'reason_hash',
  purpose: 'purpose_hash',
  words: 'words_hash',
  title: 'title_hash',
  byline: 'byline_hash',
  category: 'category_hash',
  plan: 'plan_hash',
  story: 'story_hash',
  picture_text: 'picture_text_hash',
} as const

function textsOf(row: Row): [hashColumn: string, text: string | null][] {
  return Object.entries(textColumns).flatMap(([column, hashColumn]) =>
    column in row ? [[hashColumn, row[column] as string | null] as [string, string | null]] : [],
  )
}

function texts(rows: Row[]): Row[] {
  const found = new Set(rows.flatMap((row) => textsOf(row).flatMap(([, text]) => text ?? [])))
  return [...found].map((text) => ({
    log: 'ledger',
    hash: hashOf(text),
    salt: `\\x${saltOf(text).toString('hex')}`,
    text,
  }))
}

function withHashes(row: Row): Row {
  const facts = Object.entries(row).filter(([column]) => !(column in textColumns))
  const hashes = textsOf(row).map(([column, text]) => [column, text && hashOf(text)])
  return Object.fromEntries([...facts, ...hashes])
}

const namedNote = 'Paid for the surgery of the daughter of Demo Person.'

/** The withdrawal of the note that names a person. */
const withdrawal = {
  log: 'ledger',
  text_hash: hashOf(namedNote),
  reason: 'It named a person.',
  recorded_at: daysBefore(1),
}

// Transactions ----------------------------------------------------------------------------------------

/** Over 200 transfers: every type, one without a dollar value, and one that a revision corrects. */
function transactions(): Row[] {
  const { below, hex } = dice(20251101)
  const rows: Row[] = []
  const pick = (addresses: string[]) => addresses[below(addresses.length)] ?? exchange

  /** `month`: the number of the month, or the time in milliseconds. */
  const add = (month: number, row: Row, token: Row, texts: { note?: string; proof_url?: string } = {}) => {
    const start = lastDay - (months - month) * 30.4 * 24 * hour
    const within = () =>
      Math.min(start + below(30 * 24) * hour + below(3600) * 1000, lastDay - (1 + below(20)) * hour)
    const at = month > months ? month : within()
    rows.push({
      occurred_at: new Date(at).toISOString(),
      amount_usd: null,
      rate_usd: null,
      rate_source: null,
      token_address: null,
      counter_account: null,
      pool_slug: null,
      ...row,
      ...token,
      tx_hash: `0xfa4e${hex(60)}`,
      chain_id: chainId,
      revision: 0,
      recorded_at: new Date(at + 2 * 60_000).toISOString(),
      note: texts.note ?? null,
      proof_url: texts.proof_url ?? null,
    })
  }
  const dollars = (cents: number): Row => ({
    amount_usd: decimal(cents, 2),
    rate_usd: '1',
    rate_source: 'Stablecoin, one to one',
    token_amount: `${cents}${'0'.repeat(16)}`,
    token_symbol: 'DEMOUSD',
    token_decimals: 18,
    token_address: fakeAddress('DEMOUSD'),
    ordinal: below(200),
  })
  const coins = (thousandths: number): Row => {
    const rateCents = 52_000 + below(30_000)
    return {
      amount_usd: decimal(Math.round((thousandths * rateCents) / 1000), 2),
      rate_usd: decimal(rateCents, 2),
      rate_source: 'Demonstration price',
      token_amount: `${thousandths}${'0'.repeat(15)}`,
      token_symbol: 'BNB',
      token_decimals: 18,
      ordinal: -1,
    }
  }
  const into = (account: string, type: string, from: string): Row => ({
    account,
    direction: 'in',
    type,
    from_address: from,
    to_address: walletOf(account),
    pool_slug: pools.includes(account) ? account : null,
  })
  const outOf = (account: string, type: string, to: string): Row => ({
    account,
    direction: 'out',
    type,
    from_address: walletOf(account),
    to_address: to,
    pool_slug: pools.includes(account) ? account : null,
  })
  const between = (account: string, counter: string, type: string): Row => ({
    ...outOf(account, type, walletOf(counter)),
    counter_account: counter,
    pool_slug: [counter, account].find((each) => pools.includes(each)) ?? null,
  })
  const proofOf = (what: string, month: number) => ({
    proof_url: `https://example.org/goodblock-demo/proof/${what}/${month + 1}`,
  })

  for (let month = 0; month < months; month += 1) {
    for (let i = 0; i < 6; i += 1)
      add(
        month,
        into('treasury', 'tax', taxCollector),
        i % 2 === 0 ? coins(1500 + below(6500)) : dollars(260_000 + below(480_000)),
      )
    add(month, into('treasury', 'gift', pick(givers)), dollars(5_000 + below(60_000)))
    add(month, between('treasury', 'donation-wallet', 'move'), dollars(240_000 + below(90_000)))
    const chosen = month % 4 === 0 ? pools.slice(0, 1) : month % 4 === 1 ? pools.slice(1) : pools
    for (const pool of chosen) {
      add(month, between('treasury', pool, 'donation'), dollars(80_000 + below(420_000)))
      if (month % 2 === 0) add(month, into(pool, 'gift', pick(givers)), dollars(2_500 + below(20_000)))
      // The pool spends less than the donation that it received just before.
      if (month > 0)
        add(
          month + 0.9,
          outOf(pool, 'spending', pick(partners(pool))),
          dollars(30_000 + below(50_000)),
          proofOf(pool, month),
        )
    }
    if (month > 0)
      add(
        month + 0.2,
        outOf('donation-wallet', 'donation', pick(causes)),
        dollars(110_000 + below(110_000)),
        proofOf('cause', month),
      )
    if (month % 5 === 2)
      add(
        month,
        { ...outOf('treasury', 'donation', pick(partners(education))), pool_slug: education },
        dollars(60_000 + below(60_000)),
        proofOf('education-direct', month),
      )
    if (month > 3)
      add(
        month,
        outOf('treasury', 'dream', pick(dreamers)),
        dollars(60_000 + below(220_000)),
        month === 6 ? { note: namedNote } : {},
      )
    if (month % 2 === 1)
      add(month, outOf('treasury', 'cost', exchange), coins(60 + below(400)), {
        note: 'Network and listing costs.',
      })
  }
  add(11, between(animals, 'treasury', 'move'), dollars(12_500), { note: 'Not needed: returned.' })
  add(12, outOf('treasury', 'other', exchange), coins(900), { note: 'Sent to an exchange to be sold.' })
  add(12, into('treasury', 'other', exchange), dollars(52_310), { note: 'Proceeds of the sale.' })
  add(
    9,
    into('treasury', 'gift', pick(givers)),
    {
      token_amount: '250000000000000000000000',
      token_symbol: 'GIFT',
      token_decimals: 18,
      token_address: fakeAddress('GIFT'),
      ordinal: 3,
    },
    { note: 'A gift in a token without a price.' },
  )

  rows.sort((a, b) => String(a.occurred_at).localeCompare(String(b.occurred_at)))
  const corrected = rows.findLast((row) => row.type === 'donation' && row.counter_account === education)
  if (corrected)
    rows.push({
      ...corrected,
      ...dollars(205_000),
      ordinal: corrected.ordinal,
      note: `Corrected from ${formatDollars(toCents(String(corrected.amount_usd)))}.`,
      revision: 1,
      recorded_at: new Date(lastDay).toISOString(),
    })
  for (const { account, cents, at } of allocatedPayments(rows))
    add(at, between('treasury', account, account === 'donation-wallet' ? 'move' : 'donation'), dollars(cents))
  return rows
}

function walletOf(account: string): string {
  if (account === 'treasury') return treasury
  return account === 'donation-wallet' ? donationWallet : fakeAddress(account)
}

/**
 * Adds a check of the newest revision of each transfer. All transfers are verified, except the newest gift to
 * a goal and five transfers that show the other results; the tax that was divided, and what orders paid, is verified.
 */
const checks = `
insert into public.transaction_checks
  (transaction_id, status, block_number, block_hash, block_time, confirmations, reason, checked_at)
select
  id, status, block_number,
  '0xfa4e' || substr(encode(sha256(convert_to('block ' || block_number, 'UTF8')), 'hex'), 1, 60),
  case when block_number is not null then occurred_at end,
  case status when 'verified' then 60 when 'mismatch' then 60 when 'pending' then 4 end,
  case status
    when 'mismatch' then 'The blockchain shows a different amount.'
    when 'reorganised' then 'This transaction isn''t on the blockchain.'
  end,
  recorded_at + interval '1 minute'
from (
  select *, case row_number() over (partition by is_of_goal, is_counted order by occurred_at desc, id desc)
      * case when is_counted then 1000 when is_of_goal then 100 else 1 end
    when 100 then 'pending' when 1 then 'pending' when 2 then 'pending' when 5 then 'unreachable'
    when 9 then 'mismatch' when 17 then 'reorganised' else 'verified' end as status
  from (
    select *, to_address in (select wallet from public.goals where wallet is not null) as is_of_goal,
      type = 'tax' or exists (select from public.orders where orders.tx_hash = transactions.tx_hash) as is_counted
    from public.transactions
  ) as facts
  where not exists (
    select from public.transactions as later where later.tx_hash = facts.tx_hash and later.revision > facts.revision
  )
) as facts
cross join lateral (
  select case when status not in ('unreachable', 'reorganised')
    then floor((extract(epoch from occurred_at) * 1000 - ${firstBlockAt}) / ${blockInterval})::bigint
  end as block_number
) as block
order by id`

// Recipients and purposes -----------------------------------------------------------------------------

/**
 * The recipients of payments, keyed by the made-up wallet. Each has the name that we gave the wallet, and the
 * purpose of each payment, oldest first. A purpose of null is not published yet. For most payments to causes,
 * a statement names the purpose (statements).
 */
const recipients: Record<string, { name: string | null; bought: (string | null)[] }> = {
  [`${education} partner 1`]: {
    name: 'Lantern Workshop, supplier',
    bought: [
      '40 desk lamps for two schools',
      '19 reading lamps',
      'Wiring for the third school',
      'Lamps for 38 pupils',
    ],
  },
  [`${education} partner 2`]: {
    name: 'Open Page, bookshop',
    bought: ['Books for the spring term', 'Books for 38 pupils'],
  },
  [`${education} partner 3`]: {
    name: 'Hillside School, partner',
    bought: [
      'School fees for 41 pupils',
      'Uniforms and school bags',
      'School meals for a month',
      'Fees for the spring term',
      null,
      'Desks for the third school',
    ],
  },
  [`${relief} partner 1`]: {
    name: 'Harbour Kitchen, partner',
    bought: ['Hot meals for 60 families', 'Rice and oil for 75 families', 'Hot meals after the flood'],
  },
  [`${relief} partner 2`]: {
    name: 'Lower Valley Supply, supplier',
    bought: ['A pump for two villages', 'Water filters', 'A refrigerator for the clinic'],
  },
  [`${relief} partner 3`]: {
    name: 'Coast Shelter Group, partner',
    bought: ['Ten tents', 'Twenty tents and blankets', 'Ten tents, forty mats', null],
  },
  [`${animals} partner 1`]: { name: 'City Vet Practice, vet', bought: ['First neutering round', null] },
  [`${animals} partner 2`]: {
    name: 'Old Port Shelter, partner',
    bought: [
      'Winter food for 48 animals',
      'Two warm kennels',
      'Second neutering round',
      'Vet bills of eleven dogs',
      'Winter food for 57 animals',
    ],
  },
  [`${animals} partner 3`]: {
    name: 'Greenwood Refuge, partner',
    bought: ['Care of injured birds', 'Crates and a transport', null],
  },
  'cause 0': { name: 'Neighbours First, partner', bought: [] },
  'cause 1': { name: 'Clear Water Group, partner', bought: ['Repairs at four wells'] },
  'cause 2': { name: 'Quick Relief Network, partner', bought: [] },
  'cause 3': { name: null, bought: [] },
  'cause 4': { name: 'Open Hand Fund, partner', bought: ['First aid after a storm', null] },
  'a bakery': { name: 'Corner Bakery, cooperative', bought: ['An oven for the bakery'] },
  'a choir': { name: 'Harbour Choir, association', bought: ['A piano for the choir'] },
  'a workshop': {
    name: 'Repair Workshop, association',
    bought: ['Tools for the workshop', 'Two workbenches'],
  },
  'a boat': {
    name: 'Ferry Crew, cooperative',
    bought: ['A motor for the ferry', 'Life jackets', 'Paint and ropes', null, 'A second motor'],
  },
}

/** Writes the missing purpose of each payment to a recipient. A purpose that is not published stays null. */
function addPurposes(rows: Row[]) {
  for (const [wallet, { bought }] of Object.entries(recipients)) {
    const payments = rows.filter((row) => row.to_address === partnerWallet(wallet) && row.note === null)
    for (const [at, row] of payments.entries()) row.note = bought[at] ?? null
  }
}

/** Withholds the newest published purpose of a pool's payment, and publishes it ten days later. */
function addPurposeLater(rows: Row[]) {
  const payment = rows.findLast(
    (row) => row.type === 'spending' && row.note && String(row.recorded_at) < daysBefore(20),
  )
  if (!payment) return
  const at = new Date(Date.parse(String(payment.recorded_at)) + 10 * 24 * hour)
  rows.push({ ...payment, revision: 1, recorded_at: at.toISOString() })
  payment.note = null
}

/**
 * The names of the recipients. An operator gave one of these names; the other names were given before the
 * first operator joined.
 */
function names(): Row[] {
  return Object.entries(recipients).flatMap(([wallet, { name }]) => {
    const recorded_at = wallet === 'a boat' ? daysBefore(31) : daysBefore(67)
    return name ? { address: partnerWallet(wallet), name, revision: 0, recorded_at } : []
  })
}

// Statements and updates ------------------------------------------------------------------------------

/**
 * Adds two sources of statements, three posts that wait for an operator, and the post of a statement, which
 * was edited after its words were published. The data is as of the last day: one source has been unreachable
 * since the day before.
 */
export async function fillDemoSources(sql: Sql): Promise<void> {
  const [news = '', blog = ''] = demoSources
  await sql('select public.claim_sources($1)', [JSON.stringify(demoSources)])
  const postOf = (source: string, index: number, text: string, url?: string) => ({
    url: url ?? `${new URL(source).origin}/post/${index}`,
    author: 'Demonstration account',
    posted_at: new Date(lastDay - index * hour).toISOString(),
    text,
    sha256: createHash('sha256').update(text).digest('hex'),
    matches: true,
  })
  const record = (source: string, reading: Row, posts: object[] = []) =>
    sql('select public.record_source($1, $2, $3)', [source, JSON.stringify(reading), JSON.stringify(posts)])
  const edited = 'https://example.org/goodblock-demo/statement/12'
  const site = (source: string) => ({ state: 'well', name: new URL(source).host, link: new URL(source).href })
  await record(news, site(news), [
    postOf(news, 1, 'The flood took the only bridge to the school. We will match every donation this week.'),
    postOf(news, 2, '慈善不分大小。 A small donation is a donation.'),
    postOf(news, 3, 'Charity first, always.', edited),
  ])
  await record(news, site(news), [
    postOf(news, 3, 'Charity first. Always. Starting with the shelters.', edited),
  ])
  await record(blog, site(blog), [postOf(blog, 4, 'Scholarships for forty girls: how we chose them.')])
  await record(blog, { state: 'fault', fault: 'it did not answer within 5 seconds' })
  // The database functions would store the time of the call.
  await sql(
    `update private.statement_sources set
      asked_at = $1::timestamptz, well_at = case when fault is null then $1::timestamptz else $2::timestamptz end,
      fault_since = case when fault is not null then $2::timestamptz + interval '1 minute' end`,
    [daysBefore(0), daysBefore(1)],
  )
  await sql(
    `update private.statement_posts set
      captured_at = posted_at::timestamptz + interval '1 minute',
      edited_at = case when edited_at is not null then $1::timestamptz end
    where source is not null`,
    [daysBefore(0.1)],
  )
  await sql(
    `update private.statement_captures as captures set
      captured_at = case when captures.sha256 = posts.sha256 then coalesce(posts.edited_at, posts.captured_at) else posts.captured_at end
    from private.statement_posts as posts where posts.id = captures.post`,
  )
}

/**
 * Fourteen statements, each with its age in days. Ten of them name a payment: the first later payment from the
 * donation wallet to a cause, unless another statement already names it. The statement also determines the
 * purpose of the payment. The last one was read by the system, which ordered its payment.
 */
function statements(ledger: Row[]): Row[] {
  const { below } = dice(19)
  const calls: [daysAgo: number, text: string, action: string][] = [
    [
      324,
      'A school by the river lost its roof in the storm. Worth a hand.',
      'Roof sheets and labour for one school.',
    ],
    [297, 'Clean water should not depend on where you were born.', 'Filters for three villages.'],
    [270, 'The animal shelter in the old port is full again.', 'Food and vaccinations for six weeks.'],
    [243, 'Thinking of everyone in the flooded districts tonight.', 'Emergency kits for 120 families.'],
    [216, 'If you can spare a coat, spare a coat.', 'Winter clothes handed out at four shelters.'],
    [189, 'Teachers there have not been paid since spring.', 'Two months of stipends for nine teachers.'],
    [162, 'Small clinics do great work with very little.', 'A refrigerator for vaccines.'],
    [135, 'Good to see builders give back.', 'Noted. No donation was asked for.'],
    [108, 'The earthquake appeal is open. Every block counts.', 'A donation to the relief appeal.'],
    [81, 'A reader asked how to help the refuge. Start here.', 'We asked the refuge what it needs.'],
    [54, 'Books for children who have none: simple and good.', 'Six hundred books, delivered.'],
    [27, 'Charity first, always.', 'Under review: the source is being confirmed.'],
    [11, 'No clinic can work without clean water.', 'Water for two clinics.'],
  ]
  const entered = calls.flatMap(([daysAgo, tweet_text, action_taken], index) => {
    const at = lastDay - daysAgo * 24 * hour + below(20) * hour
    const posted_at = new Date(at).toISOString()
    const paid = ![7, 9, 11].includes(index)
    const answer = ledger.find(
      (row) =>
        paid &&
        row.account === 'donation-wallet' &&
        row.type === 'donation' &&
        row.note === null &&
        String(row.occurred_at) > posted_at,
    )
    if (answer) answer.note = action_taken.replace(/\.$/, '')
    const confirmed = ![2, 7, 11].includes(index)
    const first = {
      posted_at,
      author: 'Demonstration account',
      tweet_url: `https://example.org/goodblock-demo/statement/${index + 1}`,
      verified: confirmed,
      tx_hash: answer?.tx_hash ?? null,
      chain_id: answer ? chainId : null,
      revision: 0,
      captured_at: new Date(at + hour).toISOString(),
      recorded_at: new Date(at + 2 * hour).toISOString(),
      tweet_text,
      action_taken,
      confirmed_by: confirmed ? 'Read on the account itself by two operators.' : null,
    }
    // Once the first operator has joined, one operator enters a statement and another confirms it.
    if (daysAgo >= 60 || !confirmed) return [first]
    return [
      { ...first, verified: false, confirmed_by: null },
      {
        ...first,
        revision: 1,
        confirmed_by: 'I opened the link and read the account.',
        recorded_at: new Date(at + 26 * hour).toISOString(),
      },
    ]
  })
  const posted = lastDay - 5.2 * hour
  return [
    ...entered,
    {
      posted_at: new Date(posted).toISOString(),
      author: 'Demonstration account',
      verified: false,
      tweet_url: answeredStatement,
      tx_hash: null,
      chain_id: null,
      revision: 0,
      confirmed_by: null,
      captured_at: new Date(lastDay - 5 * hour).toISOString(),
      recorded_at: new Date(lastDay - 5 * hour).toISOString(),
      tweet_text: 'Clean water first. A pump costs less than a truck of bottles.',
      action_taken: 'Standing order 2: 600 DEMOUSD to Lower Valley Supply, supplier.',
    },
  ]
}

/**
 * The updates of each pool, oldest first, each with a drawing from public/drawings/scenes/ and its
 * description. Under 'Helping', the site shows the field `helping` of the newest update that has this field.
 */
function updates(): Row[] {
  const reports: [daysAgo: number, pool: string, helping: number | null, text: string, picture: Picture][] = [
    [
      300,
      education,
      null,
      'The first two partner schools are chosen. Both publish their accounts.',
      ['school', 'A teacher welcomes two pupils with new school bags in front of a school.'],
    ],
    [
      180,
      education,
      86,
      'Fees and books for the spring term are paid.',
      ['books', 'Two children read. Between them is a stack of new books.'],
    ],
    [
      110,
      education,
      null,
      'The reading room is open every afternoon. A librarian helps with homework.',
      ['library', 'A librarian gives a book to a child in front of full shelves.'],
    ],
    [
      40,
      education,
      124,
      'A third school joined. Each pupil has a desk and books.',
      ['classroom', 'A teacher at the board, and three pupils at desks with lamps.'],
    ],
    [
      210,
      relief,
      null,
      'Forty tents stand on dry ground near the coast.',
      ['shelter', 'A helper ties down a tent, and a family sits in front of it.'],
    ],
    [
      120,
      relief,
      null,
      'Two villages have a pump. The water is clean.',
      ['water', 'A woman pumps water into a can, and a boy drinks.'],
    ],
    [
      25,
      relief,
      310,
      'After the flood in the lower valley, the clinic got a refrigerator for vaccines.',
      ['clinic', 'A nurse opens a full refrigerator, and a mother waits with her baby.'],
    ],
    [
      200,
      animals,
      null,
      'Eleven healed birds and foxes are back in the forest.',
      ['wildlife', 'A ranger opens a crate, and a fox runs towards the trees.'],
    ],
    [
      95,
      animals,
      57,
      'Two neutering rounds in the old harbour, with the city vet.',
      ['vet', 'A vet listens to the heart of a dog on a table.'],
    ],
    [
      33,
      animals,
      57,
      'The shelter is ready for the winter. 57 animals have a warm place.',
      ['dogs', 'A woman kneels beside a sack of food and feeds a dog.'],
    ],
  ]
  const numbers = new Map<string, number>()
  return reports.map(([daysAgo, pool_slug, helping, text, [drawing, alt]]) => {
    const number = (numbers.get(pool_slug) ?? 0) + 1
    numbers.set(pool_slug, number)
    const report = `https://example.org/goodblock-demo/report/${pool_slug}/${number}`
    const picture = { path: `/drawings/scenes/${drawing}.svg`, width: 480, height: 270, alt }
    return {
      pool_slug,
      number,
      revision: 0,
      published_at: daysBefore(daysAgo),
      helping,
      recorded_at: daysBefore(daysAgo - 0.1),
      text,
      links: `${toPictureLink('https://example.org', picture)}\n${report}`,
      helping_source: helping === null ? null : `${report}#helping`,
    }
  })
}

type Picture = [drawing: string, alt: string]

// Checkpoints, anchor, reconciliation -------------------------------------------------------------------

/** Adds two checkpoints, signed with the published key, and an anchor of the first checkpoint. */
async function signCheckpoints(sql: Sql, origin: string) {
  const vkey = await verifierKeyOf({ name: origin, privateKey: demoLogKey })
  const [log] = await sql<{ size: number }>(`select public.log_size('ledger') as size`)
  const last = Number(log?.size)
  const sizes = [100, last]
  for (const [at, size] of sizes.entries()) {
    const [found] = await sql<{ root: string }>(`select public.log_root('ledger', $1) as root`, [size])
    const root = found?.root ?? ''
    const note = await signCheckpoint(demoLogKey, origin, size, root)
    const signed_at = daysBefore(sizes.length - 1 - at)
    await insertRows(sql, 'private.log_checkpoints', [{ log: 'ledger', size, root, note, vkey, signed_at }])
    if (at === 0) await insertAnchor(sql, { size, root, recorded_at: signed_at })
  }
}

async function insertAnchor(sql: Sql, { size, root, recorded_at }: Row) {
  const common = { log: 'ledger', chain_id: chainId, address: fakeAddress('anchors'), nonce: 0 }
  await insertRows(sql, 'private.log_anchors', [{ ...common, size, root, recorded_at }])
  const [anchor] = await sql<{ id: number }>('select id from private.log_anchors')
  await insertRows(sql, 'private.log_anchor_transactions', [
    {
      anchor_id: Number(anchor?.id),
      raw: '0xfa4e',
      tx_hash: `0xfa4e${'a'.repeat(60)}`,
      gas_price: 1_000_000_000,
      signed_at: recorded_at,
    },
  ])
  const [sent] = await sql<{ id: number }>('select id from private.log_anchor_transactions')
  await insertRows(sql, 'private.log_anchor_checks', [
    { transaction_id: Number(sent?.id), status: 'anchored', ...lastBlock, checked_at: daysBefore(0) },
  ])
}

/**
 * The balances of the wallets at one block. All equal the sums of the ledger, except the treasury's BNB
 * balance, which lacks the gas that was paid, and includes a transfer that the ledger does not have.
 */
async function reconciliations(sql: Sql): Promise<Row[]> {
  const [found] = await sql<{ balances: { wallet: string; token_address: string | null; amount: string }[] }>(
    'select public.ledger_balances($1, $2, $3) as balances',
    [chainId, JSON.stringify(Object.values(wallets)), lastBlock.block_number],
  )
  const heldBy = (wallet: string, token: string | null) =>
    BigInt(
      found?.balances.find((each) => each.wallet === wallet && each.token_address === token)?.amount ?? 0,
    )
  const unlisted = 750_000_000_000_000_000n
  const gasPaid = 2_730_000_000_000_000n
  const compare = (wallet: string, token_symbol: string, token: string | null, more = 0n): Row => {
    const gas = token ? 0n : gasPaid
    const ledger = heldBy(wallet, token)
    const transfer = {
      tx_hash: `0xfa4e${'0'.repeat(57)}777`,
      ordinal: -1,
      direction: 'in',
      amount: `${more}`,
    }
    return {
      ...lastBlock,
      chain_id: chainId,
      wallet,
      token_address: token,
      token_symbol,
      token_decimals: 18,
      chain_amount: `${ledger + more - gas}`,
      ledger_amount: `${ledger}`,
      gas_paid: `${gas}`,
      unlisted: more > 0n ? [transfer] : [],
      taken_at: daysBefore(0),
    }
  }
  return [
    compare(treasury, 'BNB', null, unlisted),
    compare(treasury, 'GIFT', fakeAddress('GIFT')),
    ...Object.values(wallets).map((wallet) => compare(wallet, 'DEMOUSD', fakeAddress('DEMOUSD'))),
  ]
}

function decimal(units: number, places: number): string {
  const digits = String(units).padStart(places + 1, '0')
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** A pseudorandom generator (Mulberry32), which gives the same numbers for the same seed. */
function dice(seed: number) {
  let state = seed
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * limit)
  }
  const hex = (length: number) => Array.from({ length }, () => below(16).toString(16)).join('')
  return { below, hex }
}
