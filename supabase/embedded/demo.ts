import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { impactPools } from '../../app/impact-pools.ts'

type Sql = <T>(text: string, params?: unknown[]) => Promise<T[]>
type Row = Record<string, unknown>

/** Who can sign in to the demonstration; its whole point is that everybody knows this password. */
export const demoMember = {
  id: '0000dead-0000-4000-8000-000000000001',
  email: 'demo@goodblock.example',
  password: 'demo-goodblock',
  username: 'Demo Member',
}
// bcrypt of the password above, kept so that every demonstration is the same to the byte.
const PASSWORD_HASH = '$2b$10$3Hpv40bcpm6JxfhH7w9p4.gSaduprFn4MJcUtmgatI7JhgvbzsN0.'

const LAST_DAY = Date.UTC(2025, 10, 1)
const MONTHS = 14
const HOUR = 3_600_000
const CHAIN_ID = 56

// Every address and hash starts with fa4e, as close to "fake" as hexadecimal gets.
const address = (name: string) => `0xfa4e${createHash('sha256').update(name).digest('hex').slice(0, 36)}`
const TREASURY = address('treasury')
const TAX_COLLECTOR = address('tax collector')
const DREAMER = address('dreamer')
const CAUSE = address('another cause')
const EXCHANGE = address('exchange')
const HEAD_BLOCK = 40_000_000 + Math.floor(LAST_DAY / 1_000_000)
const LAST_BLOCK = {
  block_number: HEAD_BLOCK,
  block_hash: `0xfa4e${'b'.repeat(60)}`,
  block_time: new Date(LAST_DAY).toISOString(),
}

/** What a site in front of the demonstration is configured with. */
export const demoVariables = {
  DEMO: '1',
  TREASURY_WALLET: TREASURY,
  DONATION_WALLET: address('donation wallet'),
  ...Object.fromEntries(impactPools.map(({ walletVariable, slug }) => [walletVariable, address(slug)])),
  CHAIN_TOKENS: `DEMOUSD:${address('DEMOUSD')}:18:usd BNB:native:18`,
}

const POOLS = impactPools.map(({ slug }) => slug)

// All but a few of the newest rows are verified; those few show what else a check can find.
const CHECKS = `
insert into public.transaction_checks
  (transaction_id, status, block_number, block_hash, block_time, confirmations, reason, checked_at)
select
  id, status,
  case when status not in ('unreachable', 'reorganised') then 40000000 + extract(epoch from occurred_at)::bigint / 1000 end,
  case when status not in ('unreachable', 'reorganised') then '0xfa4e' || substr(hash, 1, 60) end,
  case when status not in ('unreachable', 'reorganised') then occurred_at end,
  case status when 'verified' then 60 when 'mismatch' then 60 when 'pending' then 4 end,
  case status
    when 'mismatch' then 'The amount on chain is another one'
    when 'reorganised' then 'The chain no longer has this transaction'
  end,
  recorded_at + interval '10 minutes'
from (
  select *, case row_number() over (order by occurred_at desc, id desc)
    when 1 then 'pending' when 2 then 'pending' when 5 then 'unreachable'
    when 9 then 'mismatch' when 17 then 'reorganised' else 'verified' end as status
  from public.transactions as facts
  where not exists (
    select from public.transactions as later where later.tx_hash = facts.tx_hash and later.revision > facts.revision
  )
) as facts
order by seq`

/**
 * Fills the embedded backend with the demonstration set: the same rows wherever and whenever it runs.
 * A database that has it is left alone; one that has rows of its own is refused.
 */
export async function fillDemo(sql: Sql): Promise<void> {
  const [found] = await sql<{ filled: boolean; used: boolean }>(
    `select
      exists (select from auth.users where id = $1) as filled,
      exists (select from auth.users) or exists (select from public.transactions) or exists (select from public.cz_calls) as used`,
    [demoMember.id],
  )
  if (found?.filled) return
  if (found?.used)
    throw new Error('The demonstration set goes into an empty data folder, and this one has rows')

  await sql('begin')
  try {
    await insert(sql, 'auth.users', [demoUser()])
    await insert(sql, 'auth.identities', [demoIdentity()])
    await sql('update public.profiles set wallet_address = $2, created_at = $3 where id = $1', [
      demoMember.id,
      DREAMER,
      daysBefore(400),
    ])
    await insert(sql, 'public.fundme_pools', pools())
    const ledger = transactions()
    await insert(sql, 'public.transactions', ledger)
    await sql(CHECKS)
    await signHeads(sql)
    await insert(sql, 'private.ledger_scans', [
      { chain_id: CHAIN_ID, ...LAST_BLOCK, scanned_at: daysBefore(0) },
    ])
    await insert(sql, 'public.reconciliations', await reconciliations(sql))
    await insert(sql, 'public.cz_calls', czCalls(ledger))
    await sql('commit')
  } catch (error) {
    await sql('rollback')
    throw error
  }
}

/** The newest head and one from before, signed with a key that is as public as the password. */
async function signHeads(sql: Sql) {
  // PKCS #8 around a seed that anyone can write down: what it signs is worth as much as the rest of these rows.
  const der = Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    Buffer.alloc(32, 'demo'),
  ])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key)
    .export({ format: 'der', type: 'spki' })
    .subarray(-32)
    .toString('base64')
  const heads = await sql<{ seq: number; hash: string }>(
    'select seq, hash from public.transactions where seq in (100, (select max(seq) from public.transactions)) order by seq',
  )
  const signed = heads.map(({ seq, hash }, at) => {
    const signed_at = daysBefore(heads.length - 1 - at)
    const text = `goodblock-head-1\nseq ${seq}\nhash ${hash}\nsigned_at ${signed_at}\n`
    const signature = sign(null, Buffer.from(text), key).toString('base64')
    return { seq: Number(seq), hash, signed_at, public_key: publicKey, signature }
  })
  await insert(sql, 'public.ledger_heads', signed)
}

/** The treasury's tokens at one block: all but one add up to what the chain holds. */
async function reconciliations(sql: Sql): Promise<Row[]> {
  const [found] = await sql<{ balances: { token_address: string | null; amount: string }[] }>(
    'select public.ledger_balances($1, $2, $3) as balances',
    [CHAIN_ID, JSON.stringify([TREASURY]), HEAD_BLOCK],
  )
  const held = new Map(found?.balances.map(({ token_address, amount }) => [token_address, BigInt(amount)]))
  const unlisted = 750_000_000_000_000_000n
  const entry = (token_symbol: string, token_address: string | null, beyond = 0n): Row => {
    const ledger = held.get(token_address) ?? 0n
    const transfer = {
      tx_hash: `0xfa4e${'0'.repeat(57)}777`,
      ordinal: -1,
      direction: 'in',
      amount: `${beyond}`,
    }
    return {
      ...LAST_BLOCK,
      chain_id: CHAIN_ID,
      wallet: TREASURY,
      token_address,
      token_symbol,
      token_decimals: 18,
      chain_amount: `${ledger + beyond}`,
      ledger_amount: `${ledger}`,
      unlisted: beyond > 0n ? [transfer] : [],
      taken_at: daysBefore(0),
    }
  }
  return [entry('BNB', null, unlisted), entry('DEMOUSD', address('DEMOUSD')), entry('GIFT', address('GIFT'))]
}

async function insert(sql: Sql, table: string, rows: Row[]) {
  const columns = Object.keys(rows[0] ?? {}).join(', ')
  await sql(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows)],
  )
}

function demoUser(): Row {
  const { id, email, username } = demoMember
  return {
    id,
    email,
    encrypted_password: PASSWORD_HASH,
    aud: 'authenticated',
    role: 'authenticated',
    email_confirmed_at: daysBefore(400),
    raw_app_meta_data: { provider: 'email', providers: ['email'] },
    raw_user_meta_data: { sub: id, email, username, email_verified: true, phone_verified: false },
    email_change_confirm_status: 0,
    is_sso_user: false,
    is_anonymous: false,
    created_at: daysBefore(400),
    updated_at: daysBefore(400),
  }
}

function demoIdentity(): Row {
  const { id, email } = demoMember
  return {
    id: '0000dead-0000-4000-8000-000000000002',
    provider: 'email',
    provider_id: id,
    user_id: id,
    identity_data: { sub: id, email, email_verified: true, phone_verified: false },
    created_at: daysBefore(400),
    updated_at: daysBefore(400),
  }
}

function pools(): Row[] {
  const pool = (
    number: number,
    title: string,
    status: string,
    current_amount: string,
    goal_amount: string | null,
    description: string,
  ): Row => ({
    id: `0000dead-0000-4000-8000-00000000001${number}`,
    user_id: demoMember.id,
    title,
    description,
    status,
    current_amount,
    goal_amount,
    created_at: daysBefore(380 - number * 55),
  })
  return [
    pool(
      1,
      'School bags for Riverside',
      'completed',
      '3200.00',
      '3200.00',
      'Bags, books and a warm coat for forty children before the first day of school.',
    ),
    pool(
      2,
      'A well for the upper village',
      'completed',
      '18450.75',
      '15000.00',
      'Drilling, a hand pump and two years of upkeep. The surplus pays for a second tap.',
    ),
    pool(
      3,
      'Winter shelter',
      'active',
      '4310.50',
      '9000.00',
      'Beds, blankets and one hot meal a day from December to March.',
    ),
    pool(
      4,
      'A travelling clinic that visits every mountain village twice a month, with a nurse, a midwife and a dentist on board',
      'active',
      '1284900.00',
      '2500000.00',
      'Three vans, equipment, fuel and salaries for four years, started together with the district hospital.',
    ),
    pool(
      5,
      'Food for the street dogs of the old harbour',
      'active',
      '912.40',
      null,
      'As much as comes in, every week. There is no goal to reach.',
    ),
    pool(
      6,
      'Instruments for the youth orchestra',
      'voting',
      '0.00',
      '5600.00',
      'Twelve violins, four cellos and somebody to tune them.',
    ),
  ]
}

/** Some 140 transfers over fourteen months, one without a value and one corrected by a second revision. */
function transactions(): Row[] {
  const { below, hex } = dice(20251101)
  const rows: Row[] = []

  const add = (month: number, row: Row, token: Row) => {
    const at = LAST_DAY - (MONTHS - month) * 30.4 * 24 * HOUR + below(30 * 24) * HOUR + below(3600) * 1000
    rows.push({
      occurred_at: new Date(at).toISOString(),
      amount_usd: null,
      rate_usd: null,
      rate_source: null,
      token_address: null,
      pool_slug: null,
      proof_url: null,
      note: null,
      ...row,
      ...token,
      tx_hash: `0xfa4e${hex(60)}`,
      chain_id: CHAIN_ID,
      revision: 0,
      recorded_at: new Date(at + 5 * 60_000).toISOString(),
    })
  }
  const dollars = (cents: number): Row => ({
    amount_usd: decimal(cents, 2),
    rate_usd: '1',
    rate_source: 'Stablecoin, one to one',
    token_amount: `${cents}${'0'.repeat(16)}`,
    token_symbol: 'DEMOUSD',
    token_decimals: 18,
    token_address: address('DEMOUSD'),
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

  for (let month = 0; month < MONTHS; month += 1) {
    for (let i = 0; i < 6; i += 1) {
      const tax = { type: 'tax', direction: 'in', from_address: TAX_COLLECTOR, to_address: TREASURY }
      add(month, tax, i % 2 === 0 ? coins(1500 + below(6500)) : dollars(90_000 + below(430_000)))
    }
    for (const pool of month % 4 === 0 ? POOLS.slice(0, 1) : month % 4 === 1 ? POOLS.slice(1) : POOLS) {
      const proof = `https://example.org/goodblock-demo/proof/${pool}/${month + 1}`
      const donation = { type: 'donation', direction: 'out', from_address: TREASURY, pool_slug: pool }
      add(
        month,
        { ...donation, to_address: address(pool), proof_url: proof },
        dollars(40_000 + below(420_000)),
      )
    }
    if (month % 3 === 2) {
      const donation = { type: 'donation', direction: 'out', from_address: TREASURY, to_address: CAUSE }
      const proof = `https://example.org/goodblock-demo/proof/cause/${month + 1}`
      add(
        month,
        { ...donation, proof_url: proof, note: 'In answer to a call for help.' },
        coins(800 + below(2500)),
      )
    }
    if (month > 3) {
      const dream = { type: 'dream', direction: 'out', from_address: TREASURY, to_address: DREAMER }
      add(month, { ...dream, note: 'A community dream, chosen by vote.' }, dollars(60_000 + below(220_000)))
    }
    if (month % 2 === 1) {
      const fee = { type: 'other', direction: 'out', from_address: TREASURY, to_address: EXCHANGE }
      add(month, { ...fee, note: 'Network and listing costs.' }, coins(60 + below(400)))
    }
  }
  const gift = { type: 'other', direction: 'in', from_address: EXCHANGE, to_address: TREASURY }
  add(
    9,
    { ...gift, note: 'A gift in a token without a price.' },
    {
      token_amount: '250000000000000000000000',
      token_symbol: 'GIFT',
      token_decimals: 18,
      token_address: address('GIFT'),
      ordinal: 3,
    },
  )

  rows.sort((a, b) => String(a.occurred_at).localeCompare(String(b.occurred_at)))
  const corrected = rows.findLast((row) => row.pool_slug === 'education' && row.token_symbol === 'DEMOUSD')
  if (corrected) {
    rows.push({
      ...corrected,
      ...dollars(205_000),
      ordinal: corrected.ordinal,
      note: `Corrected: first recorded as ${corrected.amount_usd} dollars.`,
      revision: 1,
      recorded_at: new Date(LAST_DAY).toISOString(),
    })
  }
  return rows
}

/** Twelve statements; each that was paid for names the first payment of the ledger after it. */
function czCalls(ledger: Row[]): Row[] {
  const { below } = dice(19)
  const calls: [text: string, action: string][] = [
    [
      'A school by the river lost its roof in the storm. Worth a hand.',
      'Roof sheets and labour for one school.',
    ],
    ['Clean water should not depend on where you were born.', 'Filters for three villages.'],
    ['The animal shelter in the old port is full again.', 'Food and vaccinations for six weeks.'],
    ['Thinking of everyone in the flooded districts tonight.', 'Emergency kits for 120 families.'],
    ['If you can spare a coat, spare a coat.', 'Winter clothes handed out at four shelters.'],
    ['Teachers there have not been paid since spring.', 'Two months of stipends for nine teachers.'],
    ['Small clinics do great work with very little.', 'A refrigerator for vaccines.'],
    ['Good to see builders give back.', 'Noted. No donation was asked for.'],
    ['The earthquake appeal is open. Every block counts.', 'A donation to the relief appeal.'],
    ['A reader asked how to help the refuge. Start here.', 'Fencing for the refuge.'],
    ['Books for children who have none: simple and good.', 'Six hundred books, delivered.'],
    ['Charity first, always.', 'Under review: the source is being confirmed.'],
  ]
  return calls.map(([tweet_text, action_taken], index) => {
    const at = LAST_DAY - (calls.length - index) * 27 * 24 * HOUR + below(20) * HOUR
    const posted_at = new Date(at).toISOString()
    const answer = ledger.find((row) => row.type === 'donation' && String(row.occurred_at) > posted_at)
    const paid = ![7, 9, 11].includes(index)
    return {
      posted_at,
      author: 'Demonstration account',
      verified: ![2, 7, 11].includes(index),
      tweet_text,
      tweet_url: `https://example.org/goodblock-demo/statement/${index + 1}`,
      action_taken,
      tx_hash: paid ? answer?.tx_hash : null,
      chain_id: paid ? CHAIN_ID : null,
      captured_at: new Date(at + HOUR).toISOString(),
      recorded_at: new Date(at + 2 * HOUR).toISOString(),
    }
  })
}

function daysBefore(days: number): string {
  return new Date(LAST_DAY - days * 24 * HOUR).toISOString()
}

function decimal(units: number, places: number): string {
  const digits = String(units).padStart(places + 1, '0')
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** Mulberry32: the same throws for the same seed. */
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
