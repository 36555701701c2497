import type { Queries } from './database.ts'
import { demoGoalMembers, demoGoalPictures } from './demo-goals.ts'
import { fillDemoLedger, fillDemoSources } from './demo-ledger.ts'
import { demoOperators, fillDemoOperators } from './demo-operators.ts'
import { demoPayer } from './demo-orders.ts'
import { daysBefore, fakeAddress, insertRows, type Row, type Sql } from './demo-rows.ts'
import type { Handler } from './http.ts'
import { dummyHash } from './password-timing.ts'

/** The demonstration's member. The password is public on purpose; its operators have the same. */
export const demoMember = {
  id: '0000dead-0000-4000-8000-000000000001',
  email: 'demo@goodblock.example',
  password: 'demo-goodblock',
  username: 'Demo Member',
}

/**
 * Fills the embedded backend with the demonstration, which has the same rows in every run. Does nothing if
 * the database already has the demonstration; throws if the database has other members, ledger rows or
 * statements. `origin` is the origin of the log.
 */
export async function fillDemo(sql: Sql, origin: string): Promise<void> {
  await fillOnce(sql, origin)
  // The demonstration's job checks no wallets, and to approve a goal its wallet must be checked today.
  await sql('update private.goal_checks set checked_at = now()')
  // Nor does it pay anything on a chain, and operators see what the payer may spend.
  await sql(
    `select public.record_payer(jsonb_build_object(
      'chain_id', min(chain_id), 'payer', $1::text, 'gas', '400000000000000000', 'payment_gas', '50000000000000',
      'means', jsonb_agg(jsonb_build_object(
        'owner', wallet, 'token', token_address, 'balance', ledger_amount::text, 'allowance', coalesce((
          select one ->> 'amount' from private.control_reads as reads, jsonb_array_elements(reads.allowances) as one
          where reads.wallet = owned.wallet and one ->> 'spender' = $1
        ), '0')
      ))
    )) from public.reconciliations as owned where token_symbol = 'DEMOUSD'`,
    [demoPayer],
  )
}

/** Whether a database, of whatever schema, was filled with the demonstration. */
export async function isDemo(database: Queries): Promise<boolean> {
  const { rows } = await database.query('select from auth.users where id = $1', [demoMember.id])
  return rows.length > 0
}

/** Whether the rows of the demonstration end on another day than those that would be written now. */
export async function isOtherDay(database: Queries): Promise<boolean> {
  if (!(await isDemo(database))) return false
  const { rows } = await database.query(
    `select from private.ledger_scans where (scanned_at at time zone 'UTC')::date = $1::date`,
    [daysBefore(0).slice(0, 10)],
  )
  return rows.length === 0
}

async function fillOnce(sql: Sql, origin: string): Promise<void> {
  const [found] = await sql<{ filled: boolean; used: boolean }>(
    `select
      exists (select from auth.users where id = $1) as filled,
      exists (select from auth.users) or exists (select from public.transactions) or exists (select from public.cz_calls) as used`,
    [demoMember.id],
  )
  if (found?.filled) return
  if (found?.used)
    throw new Error('This data folder already has data. Set DATA_DIR to an empty folder for the demo.')

  await sql('begin')
  try {
    const members = [demoMember, ...demoOperators, ...demoGoalMembers]
    await insertRows(sql, 'auth.users', members.map(userOf))
    await insertRows(sql, 'auth.identities', members.map(identityOf))
    await sql('update public.profiles set created_at = $1', [daysBefore(400)])
    await sql('update public.profiles set wallet_address = $2 where id = $1', [
      demoMember.id,
      fakeAddress('giver 3'),
    ])
    await insertRows(sql, 'public.fundme_pools', pools())
    await fillDemoOperators(sql)
    await fillDemoLedger(sql, origin)
    await fillDemoSources(sql)
    await fillFollowers(sql)
    await sql('commit')
  } catch (error) {
    await sql('rollback')
    throw error
  }
}

/** Stores the missing pictures of the goals through the storage API. */
export async function storeDemoPictures(
  sql: Sql,
  handler: Handler,
  { url, secretKey }: { url: string; secretKey: string },
): Promise<void> {
  const stored = await sql<{ name: string }>(`select name from storage.objects where bucket_id = 'goals'`)
  for (const { name, bytes } of demoGoalPictures()) {
    if (stored.some((object) => object.name === name)) continue
    const headers = { apikey: secretKey, Authorization: `Bearer ${secretKey}`, 'Content-Type': 'image/webp' }
    const address = `${url}/storage/v1/object/goals/${name}`
    const response = await handler(
      new Request(address, { method: 'POST', headers, body: new Uint8Array(bytes) }),
    )
    if (!response.ok) throw new Error(`A picture of the demonstration was not stored: ${response.status}.`)
  }
}

/**
 * Adds followers, and facts whose emails the first run of the scheduled work sends to the mailbox: the newest
 * update, the newest payments, the newest statement with its payment, and the last complete month.
 */
async function fillFollowers(sql: Sql): Promise<void> {
  await sql(
    `select private.add_topic(address, topic, 'en') from (values
      ($1, 'education'), ($1, 'gifts'), ('reader@goodblock.example', 'education'),
      ('reader@goodblock.example', 'cz-call'), ('accountant@goodblock.example', 'month')
    ) as follower (address, topic)`,
    [demoMember.email],
  )
  await sql(`select private.ask_to_follow('newcomer@goodblock.example', 'month', 'en', 'demo')`)
  // Rows of the last hours made facts by themselves.
  await sql('delete from private.outbox_payments')
  await sql('delete from private.outbox')
  await sql(
    `insert into private.outbox (kind, topic, source)
    (select 'update', pool_slug, number::text from public.published_updates
      where pool_slug = 'education' and text is not null order by published_at desc limit 1)
    union all
    (select 'call', 'cz-call', tweet_url from public.published_cz_calls
      where verified and status = 'verified' order by posted_at desc limit 1)
    union all
    (select 'month', 'month', to_char(max(month) - interval '1 month', 'YYYY-MM') from public.ledger_months)
    union all
    select 'spending', 'education', 'the demonstration'`,
  )
  await sql(
    `insert into private.outbox_payments (chain_id, tx_hash, ordinal, fact_id)
    select chain_id, tx_hash, ordinal, (select id from private.outbox where kind = 'spending')
    from public.published_transactions
    where pool_slug = 'education' and type = 'spending' and status = 'verified' order by occurred_at desc limit 3`,
  )
}

interface Account {
  id: string
  email: string
  username: string
}

function userOf({ id, email, username }: Account): Row {
  return {
    id,
    email,
    // A fixed hash of the password above, so that every demonstration has the same rows.
    encrypted_password: dummyHash,
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

function identityOf({ id, email }: Account): Row {
  return {
    id: id.replace('-8000-0', '-8000-1'),
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
      'Twelve violins, four cellos and someone to tune them.',
    ),
  ]
}
