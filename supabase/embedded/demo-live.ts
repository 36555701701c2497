import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { demoOperators } from './demo-operators.ts'
import { blockAt, chainId, fakeAddress, type Row, type Sql } from './demo-rows.ts'

/** The time between two changes, in milliseconds. */
const interval = 6_000

/**
 * `npm run demo -- --live`: changes the demonstration every few seconds until the signal aborts, so that a
 * developer can watch live pages. `pause`: milliseconds before each change. The changes are a gift and its check, a donation to a pool and its check, an
 * order of two operators, its payment and its check, a statement, and an update. Calls `changed` after each change.
 */
export async function playDemo(
  sql: Sql,
  changed: () => Promise<void>,
  signal: AbortSignal,
  pause = interval,
): Promise<void> {
  for (let round = 1; !signal.aborted; round++)
    for (const change of [
      addGift,
      check,
      addDonation,
      check,
      addOrder,
      payOrder,
      check,
      addStatement,
      addUpdate,
    ]) {
      await sleep(pause)
      if (signal.aborted) return
      await change(sql, round)
      await changed()
    }
}

function addGift(sql: Sql, round: number): Promise<unknown> {
  return append(sql, 10 + round, {
    account: 'treasury',
    direction: 'in',
    type: 'gift',
    from_address: fakeAddress(`giver ${round}`),
    to_address: fakeAddress('treasury'),
  })
}

function addDonation(sql: Sql, round: number): Promise<unknown> {
  return append(sql, 100 + round, donation)
}

const donation: Row = {
  account: 'treasury',
  counter_account: 'education',
  pool_slug: 'education',
  direction: 'out',
  type: 'donation',
  from_address: fakeAddress('treasury'),
  to_address: fakeAddress('education'),
}

/** Mara proposes an order, and Tomas confirms it. */
async function addOrder(sql: Sql, round: number): Promise<void> {
  const [mara, tomas] = demoOperators
  const as = async ({ id: sub }: { id: string }, call: string, ...values: unknown[]) => {
    // The functions of operators ask for a session that has not ended.
    await sql('insert into auth.sessions (id, user_id, aal) values ($1, $1, $2) on conflict do nothing', [
      sub,
      'aal2',
    ])
    const amr = [{ method: 'totp', timestamp: Math.floor(Date.now() / 1000) }]
    const claims = JSON.stringify({ sub, session_id: sub, role: 'authenticated', aal: 'aal2', amr })
    const me = `select set_config('request.jwt.claims', $1, true), set_config('request.jwt.claim.sub', $2, true)`
    return sql(`with me as materialized (${me}) select public.${call} from me`, [claims, sub, ...values])
  }
  const order = {
    ...{ from: 'treasury', to: fakeAddress('education'), token: 'DEMOUSD', amount: `${300 + round}` },
    ...{ type: 'donation', purpose: `Order ${round} of this demonstration.` },
  }
  const act = randomUUID()
  await as(mara, "save_act($3, 'order', null, $4::jsonb, null)", act, JSON.stringify(order))
  await as(mara, 'submit_act($3)', act)
  await as(tomas, 'confirm_act($3)', act)
}

/** Pays the order by hand. Its check marks the order as paid. */
function payOrder(sql: Sql, round: number): Promise<unknown> {
  return append(sql, 300 + round, { ...donation, occurred_at: new Date().toISOString() })
}

/**
 * Pays each order that is due, and verifies the payment: what the payer and the ledger of a real site do. Calls `changed`
 * after payments; again each minute until the signal aborts.
 */
export async function payDemo(sql: Sql, changed: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const due = await sql<Row>(
      `select account, orders.type, from_address, to_address, 'out' as direction, token_amount::text, token_address, token_symbol,
         round(token_amount / 10::numeric ^ token_decimals, 2)::text as amount_usd,
         case when recipient in ('pool', 'wallet') then recipient_account end as counter_account,
         case when recipient = 'pool' then recipient_account when is_pool then account end as pool_slug
       from public.orders
       left join private.accounts on slug = account
       join public.payment_state($1, '') as payer on not (payer ->> 'held')::boolean
       where id in (select (facts ->> 'id')::bigint from jsonb_array_elements(payer -> 'due') as facts)
       order by id`,
      [chainId],
    )
    for (const order of due) {
      await append(sql, 0, { ...order, occurred_at: new Date().toISOString() })
      await check(sql)
    }
    if (due.length > 0) await changed()
    await sleep(60_000, null, { signal }).catch(() => {})
  }
}

function append(sql: Sql, dollars: number, row: Row): Promise<unknown> {
  const entry = {
    occurred_at: new Date(Date.now() - 60_000).toISOString(),
    amount_usd: dollars,
    rate_usd: 1,
    rate_source: 'Stablecoin, one to one',
    token_amount: `${dollars}${'0'.repeat(18)}`,
    token_symbol: 'DEMOUSD',
    token_decimals: 18,
    token_address: fakeAddress('DEMOUSD'),
    tx_hash: newHash(),
    chain_id: chainId,
    ordinal: 0,
    revision: 0,
    ...row,
  }
  return sql('select public.append_ledger($1::jsonb)', [JSON.stringify([entry])])
}

/** Adds a check that verifies the newest row. */
async function check(sql: Sql): Promise<void> {
  const [newest] = await sql<{ id: number; occurred_at: string }>(
    'select id, occurred_at from public.transactions order by id desc limit 1',
  )
  const result = {
    transaction_id: newest?.id,
    status: 'verified',
    ...blockAt(Date.parse(newest?.occurred_at ?? '')),
    confirmations: 20,
  }
  await sql('select public.record_checks($1::jsonb)', [JSON.stringify([result])])
}

function addStatement(sql: Sql, round: number): Promise<unknown> {
  return act(sql, 'statement', {
    link: `https://example.org/goodblock-demo/live/${newHash().slice(2, 18)}`,
    text: `A made-up statement, number ${round} of this demonstration.`,
    author: 'Demo Author',
    posted: new Date().toISOString(),
    captured: new Date().toISOString(),
    action: 'Nothing was paid: this is a demonstration.',
  })
}

function addUpdate(sql: Sql, round: number): Promise<unknown> {
  return act(sql, 'update', {
    pool: 'education',
    text: `A made-up update, number ${round} of this demonstration.`,
    dated: new Date().toISOString(),
  })
}

/** Performs an act as the command line does. */
function act(sql: Sql, kind: string, values: Row): Promise<unknown> {
  return sql('select public.act_with_key($1, null, $2::jsonb, null)', [kind, JSON.stringify(values)])
}

function newHash(): string {
  return `0xfa4e${randomBytes(30).toString('hex')}`
}
