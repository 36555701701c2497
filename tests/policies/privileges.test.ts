import { afterAll, expect, test } from 'vitest'
import { unboundedWrites, withoutComments } from '../support/sql.ts'
import { startTemporary, transaction } from '../support/temporary-backend.ts'

const backend = await startTemporary()
afterAll(() => backend.close())

const published = [
  'arrival_totals',
  'exchange_wallets',
  'former_log_names',
  'goal_totals',
  'ledger_months',
  'ledger_status',
  'ledger_totals',
  'listening_sources',
  'live_state',
  'newest_checkpoints',
  'pool_totals',
  'published_acts',
  'published_anchors',
  'published_answers',
  'published_arrivals',
  'published_ballots',
  'published_cause_payments',
  'published_checkpoints',
  'published_checks',
  'published_cosignatures',
  'published_cz_calls',
  'published_donations',
  'published_entries',
  'published_goal_changes',
  'published_goal_rows',
  'published_goals',
  'published_holders',
  'published_name_changes',
  'published_names',
  'published_operators',
  'published_controls',
  'published_mistakes',
  'published_orders',
  'published_standing_orders',
  'suspended_tokens',
  'published_party_transactions',
  'published_reconciliations',
  'published_rates',
  'published_records',
  'published_row_goals',
  'published_splits',
  'published_texts',
  'published_transactions',
  'published_unchecked_transactions',
  'published_updates',
  'published_vote_entries',
  'published_votes',
  'vote_totals',
  'witness_states',
]

test('the roles have exactly the listed privileges', async () => {
  const granted = await backend.sql<{ grant: string }>(
    `select distinct grantee || ' ' || privilege_type || ' ' || table_schema || '.' || table_name as grant
     from information_schema.role_table_grants
     where table_schema in ('public', 'private') and grantee in ('PUBLIC', 'anon', 'authenticated', 'service_role')`,
  )
  const service = ['SELECT', 'INSERT', 'UPDATE', 'DELETE']
  expect(granted.map((row) => row.grant).sort()).toEqual(
    [
      ...['anon', 'authenticated', 'service_role'].flatMap((role) =>
        published.map((view) => `${role} SELECT public.${view}`),
      ),
      'authenticated SELECT public.profiles',
      'authenticated SELECT public.fundme_pools',
      'authenticated SELECT public.goals',
      'authenticated SELECT public.my_goals',
      'authenticated DELETE public.goals',
      'authenticated SELECT public.goal_complaints',
      'authenticated SELECT public.fundme_ballots',
      'authenticated SELECT public.operator_acts',
      'authenticated SELECT public.proven_wallets',
      'authenticated DELETE public.proven_wallets',
      ...service.flatMap((verb) =>
        ['profiles', 'fundme_pools', 'proven_wallets'].map((table) => `service_role ${verb} public.${table}`),
      ),
      ...[
        'transactions',
        'cz_calls',
        'transaction_checks',
        'pool_updates',
        'reconciliations',
        'wallet_names',
        'token_rates',
        'operators',
        'operator_acts',
        'orders',
        'wallet_controls',
        'custody_signatures',
        'split_votes',
        'payment_terms',
        'order_changes',
        'standing_orders',
        'standing_changes',
        'standing_payments',
        'payment_splits',
        'allocations',
        'source_states',
        'goals',
        'goal_changes',
        'goal_complaints',
        'fundme_ballots',
        'vote_ballots',
        'vote_draws',
        'vote_results',
        'vote_voids',
        'votes',
      ].map((table) => `service_role SELECT public.${table}`),
    ].sort(),
  )
})

test('the roles have exactly the listed privileges on columns', async () => {
  const granted = await backend.sql<{ role: string; verb: string; columns: string }>(
    `select grantee as role, privilege_type as verb, table_name || ': ' || string_agg(column_name, ' ' order by column_name) as columns
     from information_schema.column_privileges as granted
     where table_schema in ('public', 'private') and grantee in ('PUBLIC', 'anon', 'authenticated', 'service_role')
       and not exists (
         select from information_schema.role_table_grants as whole
         where whole.table_name = granted.table_name and whole.grantee = granted.grantee
           and whole.privilege_type = granted.privilege_type
       )
     group by grantee, privilege_type, table_name order by 1, 2, 3`,
  )
  expect(granted).toEqual([
    {
      role: 'authenticated',
      verb: 'INSERT',
      columns: 'fundme_ballots: choice member signature signed_at vote wallet',
    },
    {
      role: 'authenticated',
      verb: 'INSERT',
      columns:
        'goals: byline category days id links member picture_path picture_text plan story target_usd title wallet',
    },
    { role: 'authenticated', verb: 'INSERT', columns: 'proven_wallets: address message signature user_id' },
    {
      role: 'authenticated',
      verb: 'UPDATE',
      columns:
        'goals: byline category days links picture_path picture_text plan story target_usd title wallet',
    },
    { role: 'authenticated', verb: 'UPDATE', columns: 'profiles: avatar_path username wallet_address' },
  ])
})

test('no role of the API may use a sequence, the private schema or one of our functions', async () => {
  for (const role of ['anon', 'authenticated', 'service_role']) {
    const [found] = await backend.sql<Record<string, boolean | number>>(
      `select
        (select count(*)::int from pg_sequence
          where has_sequence_privilege($1, seqrelid, 'usage, select, update')) as sequences,
        has_schema_privilege($1, 'private', 'usage') as private,
        has_schema_privilege($1, 'public', 'create') as creates,
        (select count(*)::int from pg_proc where pronamespace in ('public'::regnamespace, 'private'::regnamespace)
          and $1 <> 'service_role' and has_function_privilege($1, oid, 'execute')) as functions`,
      [role],
    )
    // Everyone may execute twenty functions: six of the log, one for the keys of wallets, sum_transactions, four for following, five for recipients, two that
    // views call (x_post_id, post_key), and one for a policy (can_see_goal_picture). A member may also
    // execute seven functions for the policies (is_assured, has_picture_room, has_update_picture_room,
    // has_goal_picture_room, is_draft_picture, is_operator, operator_handle), three for the constraints of
    // goals, one that a view calls (goal_faults), delete_account, use_code, three for following with the account,
    // one of the wallets paid to the member, five about goals, and nineteen for operators.
    const functions = { anon: 20, authenticated: 61 }[role] ?? 0
    expect(found, role).toEqual({ sequences: 0, private: false, creates: false, functions })
  }
})

test('the roles can name the type of each column that they may write, and of each argument: PostgREST does so with their rights', async () => {
  const unnamed = await backend.sql(
    `with roles as (select unnest(array['anon', 'authenticated', 'service_role']) as role), written as (
       select role, attrelid::regclass || '.' || attname as name, atttypid as type
       from roles, pg_attribute join pg_class on pg_class.oid = attrelid
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and attnum > 0 and not attisdropped
         and has_column_privilege(role, attrelid, attnum, 'insert, update')
       union all
       select role, pg_proc.oid::regprocedure::text, argument
       from roles, pg_proc cross join unnest(coalesce(proallargtypes, proargtypes::oid[])) as argument
       where pronamespace = 'public'::regnamespace and has_function_privilege(role, pg_proc.oid, 'execute')
     )
     select role, name, type::regtype::text from written join pg_type on pg_type.oid = type
     where not has_schema_privilege(role, typnamespace, 'usage') or not has_type_privilege(role, type, 'usage')`,
  )
  expect(unnamed).toEqual([])
})

test('every table has row-level security, and every function sets its search path', async () => {
  expect(
    await backend.sql(
      `select oid::regclass from pg_class where relnamespace in ('public'::regnamespace, 'private'::regnamespace)
       and relkind in ('r', 'p') and not relrowsecurity`,
    ),
  ).toEqual([])
  expect(
    await backend.sql(
      `select proname from pg_proc where pronamespace in ('public'::regnamespace, 'private'::regnamespace)
       and not coalesce('search_path=""' = any (proconfig), false)`,
    ),
  ).toEqual([])
})

/** The name and the body of each function. */
async function bodies() {
  const functions = await backend.sql<{ name: string; body: string }>(
    `select oid::regprocedure::text as name, coalesce(pg_get_function_sqlbody(oid), prosrc) as body from pg_proc
     where pronamespace in ('public'::regnamespace, 'private'::regnamespace)`,
  )
  expect(functions.length).toBeGreaterThan(250)
  return functions
}

test('no function has an UPDATE or DELETE without WHERE, which a hosted project refuses (safeupdate)', async () => {
  const writes = (await bodies()).flatMap(({ name, body }) =>
    unboundedWrites(body).map((write) => [name, write]),
  )
  expect(writes).toEqual([])
})

test('no function deletes rows of storage, which a trigger of a hosted project refuses', async () => {
  const deleting = (await bodies()).filter(({ body }) =>
    /delete\s+from\s+storage\./i.test(withoutComments(body)),
  )
  expect(deleting.map(({ name }) => name)).toEqual([])
})

test('no function raises a code after which PostgREST repeats the call for ever', async () => {
  const codes = /40001|40P01|serialization_failure|deadlock_detected/i
  const raising = (await bodies()).filter(({ body }) => codes.test(withoutComments(body)))
  expect(raising.map(({ name }) => name)).toEqual([])
})

test.each([
  ['transactions', transaction()],
  ['transaction_checks', { transaction_id: 1, status: 'pending' }],
  [
    'reconciliations',
    {
      chain_id: 56,
      block_number: 1,
      block_hash: `0x${'9'.repeat(64)}`,
      block_time: '2025-03-01',
      wallet: `0x${'1'.repeat(40)}`,
      token_symbol: 'BNB',
      token_decimals: 18,
      chain_amount: 1,
      ledger_amount: 1,
      unlisted: [],
    },
  ],
])('even the owner of %s can only add rows to it', async (table, row) => {
  const columns = Object.keys(row)
  await backend.sql(
    `insert into public.${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::public.${table}, $1)`,
    [JSON.stringify([row])],
  )
  const read = () => backend.sql(`select * from public.${table}`)
  const before = await read()
  for (const change of [
    `update public.${table} set ${columns[0]} = ${columns[0]}`,
    `delete from public.${table}`,
    `truncate public.${table} cascade`,
    `update public.${table} set ${columns[0]} = ${columns[0]} where false`,
  ]) {
    await expect(backend.sql(change), change).rejects.toThrow('is append-only')
  }
  expect(await read()).toEqual(before)
})
