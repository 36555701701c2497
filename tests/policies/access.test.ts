import { createHmac, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claimsOf } from '../../supabase/embedded/assurance.ts'
import { signedCall } from '../support/arrival.ts'
import { requestKey, signedCustody, signedRequest } from '../support/followers.ts'
import { act, addOperator } from '../support/operators.ts'
import { czCall, signUp, startTemporary, transaction } from '../support/temporary-backend.ts'
import { addSplit, openTestVote, signBallot } from '../support/votes.ts'

type Verb = 'select' | 'insert' | 'upsert' | 'update' | 'delete'
type Actor =
  | 'visitor'
  | 'owner'
  | 'stranger'
  | 'operator'
  | 'operator at aal1'
  | 'ended operator'
  | 'expired'
  | 'forged'
  | 'unsigned'
  | 'service'
/** An actor's outcome; one that is not listed is refused. `nothing`: allowed, but without a row. */
type Outcome = 'rows' | 'nothing' | 'refused'
type Rule = Partial<Record<Actor, Outcome>>

/** The same outcome for each actor whose account belongs to an operator. */
const eachOperator = (outcome: Outcome): Rule => ({
  operator: outcome,
  'operator at aal1': outcome,
  'ended operator': outcome,
})
const everyone: Rule = {
  ...{ visitor: 'rows', owner: 'rows', stranger: 'rows', service: 'rows' },
  ...eachOperator('rows'),
}
const ownRow: Rule = { owner: 'rows', stranger: 'nothing', service: 'rows', ...eachOperator('nothing') }
const service: Rule = { service: 'rows' }

// Every table and view of the API. The suite fails if a table or view has no rule here.
const rules: Record<string, Partial<Record<Verb, Rule>>> = {
  profiles: { select: ownRow, update: ownRow, insert: service, upsert: service, delete: service },
  fundme_pools: { select: ownRow, update: service, insert: service, upsert: service, delete: service },
  // A stranger's request names the owner in its body: RLS refuses it. Upserts also need UPDATE.
  proven_wallets: {
    select: ownRow,
    delete: ownRow,
    insert: { owner: 'rows', service: 'rows' },
    upsert: service,
    update: service,
  },
  // As for proven_wallets, the body names the member. No one may update this column; other columns are in 'by column'.
  goals: { select: ownRow, delete: { ...ownRow, service: 'refused' }, insert: { owner: 'rows' } },
  goal_changes: { select: service },
  goal_complaints: { select: ownRow },
  published_goals: { select: everyone },
  published_goal_changes: { select: everyone },
  published_goal_rows: { select: everyone },
  published_row_goals: { select: everyone },
  goal_totals: { select: everyone },
  vote_draws: { select: service },
  votes: { select: service },
  vote_voids: { select: service },
  vote_ballots: { select: service },
  vote_results: { select: service },
  split_votes: { select: service },
  published_splits: { select: everyone },
  // The body names the owner, so row-level security refuses other members.
  fundme_ballots: { select: ownRow, insert: { owner: 'rows' } },
  published_votes: { select: everyone },
  published_ballots: { select: everyone },
  published_vote_entries: { select: everyone },
  vote_totals: { select: everyone },
  my_goals: { select: { owner: 'rows', stranger: 'nothing', ...eachOperator('nothing') } },
  transactions: { select: service },
  transaction_checks: { select: service },
  pool_updates: { select: service },
  wallet_names: { select: service },
  reconciliations: { select: service },
  cz_calls: { select: service },
  operators: { select: service },
  operator_acts: {
    select: {
      ...eachOperator('nothing'),
      owner: 'nothing',
      stranger: 'nothing',
      service: 'rows',
      operator: 'rows',
    },
  },
  published_acts: { select: everyone },
  published_operators: { select: everyone },
  token_rates: { select: service },
  published_rates: { select: everyone },
  published_holders: { select: everyone },
  listening_sources: { select: everyone },
  source_states: { select: service },
  published_transactions: { select: everyone },
  published_donations: { select: everyone },
  published_cause_payments: { select: everyone },
  published_cz_calls: { select: everyone },
  published_party_transactions: { select: everyone },
  published_updates: { select: everyone },
  published_names: { select: everyone },
  payment_terms: { select: service },
  published_name_changes: { select: everyone },
  orders: { select: service },
  order_changes: { select: service },
  published_orders: { select: everyone },
  published_mistakes: { select: everyone },
  wallet_controls: { select: service },
  custody_signatures: { select: service },
  published_controls: { select: everyone },
  exchange_wallets: { select: everyone },
  published_answers: { select: everyone },
  published_arrivals: { select: everyone },
  arrival_totals: { select: everyone },
  standing_orders: { select: service },
  standing_changes: { select: service },
  standing_payments: { select: service },
  payment_splits: { select: service },
  allocations: { select: service },
  published_standing_orders: { select: everyone },
  suspended_tokens: { select: everyone },
  published_unchecked_transactions: { select: everyone },
  published_entries: { select: everyone },
  published_checkpoints: { select: everyone },
  newest_checkpoints: { select: everyone },
  published_texts: { select: everyone },
  published_anchors: { select: everyone },
  published_cosignatures: { select: everyone },
  witness_states: { select: everyone },
  former_log_names: { select: everyone },
  published_records: { select: everyone },
  published_checks: { select: everyone },
  published_reconciliations: { select: everyone },
  ledger_totals: { select: everyone },
  ledger_months: { select: everyone },
  ledger_status: { select: everyone },
  live_state: { select: everyone },
  pool_totals: { select: everyone },
}
/** API functions that only the service may call, with valid arguments. */
const serviceFunctions: Record<string, () => Record<string, unknown>> = {
  accept_restore: () => ({ log: 'ledger', reason: 'a test' }),
  act_with_key: () => ({
    ...{ kind: 'name', subject: null, reason: null },
    arguments: { address: hashOf().replace(/c{24}/, ''), name: `Books ${counter}` },
  }),
  anchor_state: () => ({ log: 'ledger', chain: 56, address: ledgerRow.to_address }),
  append_draw: () => ({ goal: 'goal-abcdefgh', terms: {} }),
  append_coins: () => ({
    chain: 56,
    entries: [transaction()],
    balances: [
      { wallet: ledgerRow.to_address, block_number: 9, block_hash: hashOf(), amount: '1', nonce: 0 },
    ],
  }),
  append_ledger: () => ({ entries: [transaction()] }),
  append_name: () => ({ entry: { address: hashOf().replace(/c{24}/, ''), name: `Books ${counter}` } }),
  append_statement: () => ({ statement: czCall() }),
  append_unread: () => ({ chain: 56, entries: [transaction()], results: [] }),
  append_update: () => ({
    entry: { pool_slug: 'education', published_at: '2025-03-01T12:00:00Z', text: 'An update' },
  }),
  archive_checkpoint: () => ({
    log: 'ledger',
    size: 1,
    root: firstRoot,
    note: noteOf(),
    vkey: 'a+00000000+AA==',
  }),
  check_writes: () => ({}),
  claim_holders: () => ({ token: hashOf().replace(/c{24}/, '') }),
  claim_sources: () => ({ sources: ['https://feed.example/1', `https://feed.example/${++counter}`] }),
  claim_witnesses: () => ({
    log: 'ledger',
    origin: 'origin',
    witnesses: [{ witness: `${++counter}`, url: 'https://witness.example' }],
  }),
  count_ballots: () => ({ results: [] }),
  end_goals: () => ({}),
  finish_votes: () => ({}),
  open_vote: () => ({ draw: 1, facts: { supply: '1', excluded: [] } }),
  record_vote_wait: () => ({ goal: 'goal-abcdefgh', reason: `${++counter}` }),
  void_vote: () => ({ draw: 999, block_number: 1, block_hash: hashOf() }),
  vote_work: () => ({ most: 5 }),
  end_sessions: () => ({ member: '00000000-0000-4000-8000-000000000000' }),
  find_member: () => ({ address: 'owner@example.org' }),
  goal_wallets: () => ({}),
  payment_state: () => ({ chain: 56, payer: ledgerRow.to_address }),
  bind_order: () => ({ of_order: 999, payment: {} }),
  ended_order: () => ({ chain: 56, payer: ledgerRow.to_address, nonce: 0 }),
  matched_before: () => ({ ids: [999] }),
  replace_order_transaction: () => ({ of_order: 999, raw: '0x02', tx_hash: hashOf(), gas_price: 2 }),
  allocate_tax: () => ({ chain: 56 }),
  record_gap: () => ({ gap: { chain_id: 56, payer: ledgerRow.to_address, nonce: 1 }, senders: [] }),
  record_payer: () => ({
    sight: { chain_id: 56, payer: ledgerRow.to_address, gas: '1', payment_gas: '1', means: [] },
  }),
  record_tries: () => ({ reasons: { 999: 'it has no order' } }),
  end_payment: () => ({ of_order: 999, outcome: 'failed', tx: hashOf() }),
  end_orders: () => ({}),
  store_payment_terms: () => ({
    terms: { chain_id: 56, notice_hours: 24, limit_tokens: 1000, wallets: [], tokens: [] },
  }),
  keep_request_key: () => ({ key: requestKey }),
  applied_migrations: () => ({}),
  claim_schedule: () => ({ site: 'https://a.example', holder: 'a test', schema_version: '20260101000900' }),
  keep_pools: () => ({ slugs: ['education', 'humanitarian-relief', 'animal-welfare'] }),
  goal_was_read: () => ({ goal: 'goal-zzzzzzzz', next_block: null }),
  goals_to_check: () => ({}),
  coin_balances: () => ({ chain: 56 }),
  ledger_balances: () => ({ chain: 56, wallets: [ledgerRow.to_address], until_block: 9 }),
  last_run: () => ({}),
  ledger_context: () => ({ chain: 56, pairs: [] }),
  mail_counts: () => ({}),
  next_mails: () => ({ results: [] }),
  orphaned_goal_pictures: () => ({}),
  orphaned_pictures: () => ({}),
  orphaned_update_pictures: () => ({}),
  prepare_mails: () => ({}),
  tell_opening: () => ({}),
  record_anchor_check: () => ({
    result: { transaction_id: 1, status: `${anchorChecks++ % 2 ? 'lost' : 'sent'}` },
  }),
  record_goal_check: () => ({ goal: stranger.id, result: {} }),
  record_checks: () => ({ checks: [{ transaction_id: 1, status: 'unreachable' }] }),
  record_reconciliations: () => ({ entries: [reconciliation] }),
  controls_due: () => ({ chain: 56, wallets: [] }),
  record_controls: () => ({ readings: [{ ...walletControl, wallet: addressOf(++counter) }] }),
  record_source: () => ({
    source: 'https://feed.example/1',
    reading: { state: 'well', name: `${++counter}` },
    posts: [],
    states: [],
  }),
  record_witness: () => ({ log: 'ledger', origin: 'origin', witness: `${++counter}`, answer: cosignature() }),
  record_run: () => ({ report: {}, trouble: true }),
  report_rollback: () => ({ log: 'ledger', size: 1_000_000, root: firstRoot }),
  stop_address: () => ({ address: `a${++counter}@example.org`, reason: 'bounce' }),
  store_anchor: () => ({
    log: 'ledger',
    anchor: {
      ...{ size: 1, root: firstRoot, chain_id: ++anchorChain, address: ledgerRow.to_address, nonce: 1 },
      ...{ raw: '0x01', tx_hash: hashOf(), gas_price: '1', min_seconds: 0, day_most: 5 },
    },
  }),
  store_anchor_transaction: () => ({ anchor_id: 1, raw: '0x02', tx_hash: hashOf(), gas_price: 2 }),
  store_holders: () => ({ token: `0x${'7'.repeat(40)}`, holders: ++counter, host: 'node.example' }),
  store_rates: () => ({
    chain: 56,
    rates: [{ symbol: 'BNB', rate_usd: `${++counter}.5`, priced_at: '2025-03-01T12:00:00Z' }],
  }),
  transactions_due: () => ({ chain: 56, settled_before: '2030-01-01T00:00:00Z', most: 5 }),
  unread_due: () => ({ chain: 56, most: 5 }),
  withdraw_text: () => ({ hash: withdrawable[0]?.hash, reason: 'a test' }),
  witness_proof: () => ({ log: 'ledger', origin: 'origin', known_size: 1, size: 1 }),
}
/** For members: tested in tests/backend (account-deletion, factors, followers) and in goals.test.ts. */
const memberFunctions = [
  'complain',
  'delete_account',
  'end_goal',
  'follow_as_member',
  'leave_as_member',
  'member_follows',
  'member_contacts',
  'post_goal_update',
  'submit_goal',
  'take_back_goal',
  'use_code',
]
/** Functions for operators. acts.test.ts and goals.test.ts call each of them as every actor. */
const operatorFunctions = [
  'confirm_act',
  'dismiss_post',
  'drop_act',
  'goals_overview',
  'my_operator',
  'operator_overview',
  'payer_overview',
  'posts_with_words',
  'print_ask',
  'read_appointee',
  'read_complaints',
  'read_consent',
  'read_goal',
  'read_post',
  'votes_overview',
  'waiting_answers',
  'save_act',
  'stop_orders',
  'submit_act',
]
/** Functions that everyone may call. They read published data, or serve followers by email. */
const publicFunctions: Record<string, Record<string, unknown>> = {
  answer_by_wallet: signedCall(0, 'yes', new Date()),
  answer_ask: { token: 'a', answer: 'yes', name: null, words: null, seen: 0 },
  confirm_follow: { token: 'a' },
  follow: signedRequest('ana@example.org', 'education'),
  keep_custody: signedCustody({ chain_id: 56, wallet: `0x${'1'.repeat(40)}`, date: '2025-03-01' }),
  keep_following: { token: 'a' },
  leave: { token: 'a', topic: null },
  log_bundle: { log: 'ledger', n: 0, width: 1 },
  log_consistency: { log: 'ledger', first_size: 1, second_size: 1 },
  log_inclusion: { log: 'ledger', index: 0, size: 1 },
  log_root: { log: 'ledger', size: 1 },
  log_size: { log: 'ledger' },
  log_tile: { log: 'ledger', level: 0, n: 0, width: 1 },
  never_ask: { token: 'a' },
  read_ask: { token: 'a' },
  sum_transactions: { filter: {} },
  withdraw_answer: { token: 'a' },
}
const allFunctions = { ...serviceFunctions, ...publicFunctions }
/**
 * Service functions that change no row that the test reads. Some only read, and some are called in a state
 * with nothing to change. The others write to private tables: write_check (`check_writes`), paying_wallets (`store_payment_terms`), last_runs
 * (`record_run`), the sources of statements (`claim_sources`, `record_source`) and token_holders
 * (`claim_holders`, `store_holders`).
 */
const readFunctions = [
  'accept_restore',
  'anchor_state',
  'check_writes',
  'claim_holders',
  'claim_sources',
  'controls_due',
  'coin_balances',
  'end_goals',
  'end_sessions',
  'find_member',
  'goal_wallets',
  'goal_was_read',
  'goals_to_check',
  'keep_request_key',
  'applied_migrations',
  'claim_schedule',
  'keep_pools',
  'ledger_balances',
  'last_run',
  'ledger_context',
  'mail_counts',
  'orphaned_goal_pictures',
  'orphaned_pictures',
  'orphaned_update_pictures',
  'record_goal_check',
  'record_run',
  'record_source',
  'store_holders',
  'transactions_due',
  'unread_due',
  'witness_proof',
  'append_draw',
  'count_ballots',
  'finish_votes',
  'open_vote',
  'record_vote_wait',
  'void_vote',
  'vote_work',
  'store_payment_terms',
  'end_orders',
  'allocate_tax',
  'record_gap',
  'record_payer',
  'record_tries',
  'bind_order',
  'end_payment',
  'payment_state',
  'ended_order',
  'matched_before',
  'replace_order_transaction',
]

let counter = 0
let anchorChecks = 0
let anchorChain = 100
const hashOf = () => `0x${(++counter).toString(16).padStart(64, 'c')}`
/** A note for the first checkpoint. Each call returns a different note. */
const noteOf = () => `origin\n1\n${firstRoot}\n\n— origin ${++counter}\n`

/** The cosignature of the first checkpoint, in the form of a witness's response. */
const cosignature = () => ({
  state: 'well',
  size: 1,
  root: firstRoot,
  line: '— w AAAA\n',
  cosigned_at: '2025-03-01T12:00:00Z',
})

const noPrivilege = '42501'
/** The error for a write to a view of sums. PostgreSQL returns it before it checks privileges. */
const notUpdatable = '55000'
const refusals: Partial<Record<Actor, string[]>> = {
  expired: ['PGRST303'],
  forged: ['PGRST301'],
  unsigned: ['PGRST301'],
}
const verbs: Verb[] = ['select', 'insert', 'upsert', 'update', 'delete']

type Role = 'anon' | 'authenticated' | 'service_role'
const roles: Role[] = ['anon', 'authenticated', 'service_role']
const roleOf = (actor: Actor): Role =>
  actor === 'visitor' ? 'anon' : actor === 'service' ? 'service_role' : 'authenticated'

/** Whether the role has the grant for a rule. Then row-level security decides what its actors get. */
const isGranted = (rule: Rule = {}, role: Role) =>
  Object.entries(rule).some(([actor, outcome]) => outcome !== 'refused' && roleOf(actor as Actor) === role)

/** The actors of roles that have the grant for a rule. */
const actorsOf = (rule?: Rule): Actor[] =>
  (['visitor', ...accounts, 'service'] as const).filter((actor) => isGranted(rule, roleOf(actor)))

/**
 * What the API refuses before it reads a row is asked over HTTP once for each relation, with PostgREST for each actor and
 * verb. In both, the catalog says which grants there are.
 */
const asksAll = Boolean(process.env.POSTGREST_BIN)
const everyActor: Actor[] = ['visitor', 'owner', 'operator', 'service', 'expired', 'forged', 'unsigned']
const accounts = ['owner', 'stranger', 'operator', 'operator at aal1', 'ended operator'] as const

const backend = await startTemporary()
afterAll(() => backend.close())

const owner = await signUp(backend, 'owner@example.org', 'Owner')
const stranger = await signUp(backend, 'stranger@example.org', 'Stranger')
const operator = await addOperator(backend, 'operator')
const ended = await addOperator(backend, 'ended')
await act(backend, 'operator-end', 'ended', {}, 'The year is over.')
await backend.sql(
  'insert into public.fundme_pools (user_id, title, goal_amount) values ($1, $3, 10), ($2, $3, null)',
  [owner.id, stranger.id, 'Pool'],
)
const insertWallets = `insert into public.proven_wallets (user_id, address, message, signature, proven_at)
  select member, '0x' || repeat('8', 40), 'a message', '0x' || repeat('9', 130), '2025-03-01' from unnest(array[$1, $2]::uuid[]) as member`
/** Drafts of goals, which `restore` inserts again. A third goal is public and has a gift and a complaint. */
const draftId = randomUUID()
const insertDrafts = `insert into public.goals (id, member, title) values ($3, $1, 'Goal'), (gen_random_uuid(), $2, 'Goal')`
await backend.sql(insertDrafts, [owner.id, stranger.id, draftId])
await backend.sql(
  `insert into public.goals (
     id, member, stage, slug, title, byline, category, target_usd, days, plan, story, wallet
   ) values (
     $1, $2, 'submitted', 'goal-abcdefgh', 'Coats', 'A school', 'School', 100, 7,
     '[{"amount": "100", "what": "Coats"}]', 'A story', '0x' || repeat('a', 40)
   )`,
  [stranger.id, stranger.id],
)
await backend.sql(`select private.move_goal($1, 'open', 'operator')`, [stranger.id])
await backend.sql(
  `insert into public.goal_complaints (goal, member, reason, text) values ($1, $2, 'scam', 'It is a scam.')`,
  [stranger.id, owner.id],
)
await addSplit(backend, 60)
// The first vote on the goal is void. No vote has a result beside; this one is for the rules only.
const { id: voidVote } = await openTestVote(backend, 'goal-abcdefgh')
await backend.sql(
  `select public.void_vote(draw, 321, '0x' || repeat('7', 64)) from public.votes where id = $1`,
  [voidVote],
)
await backend.sql(
  `insert into public.vote_results (vote, ballots, support, support_wallets, against, against_wallets, won)
   values ($1, 0, 0, 0, 0, 0, false)`,
  [voidVote],
)
const vote = await openTestVote(backend, 'goal-abcdefgh')
const voter = privateKeyToAccount(`0x${'1'.repeat(64)}`)
const { message: _, ...ballot } = await signBallot(voter, vote, 'support')
for (const member of [owner.id, stranger.id, owner.id])
  await backend.sql(
    'insert into public.fundme_ballots (member, vote, wallet, choice, signed_at, signature) values ($1, $2, $3, $4, $5, $6)',
    [member, vote.id, ballot.wallet, ballot.choice, ballot.signed_at, ballot.signature],
  )
await backend.sql(
  `select public.count_ballots(jsonb_build_array(jsonb_build_object('id', max(id), 'weight', '1000000000000000000', 'digest', 'a')))
   from public.fundme_ballots`,
)
/** The columns that members may update, with values that their constraints accept. */
const memberWrites: Record<string, Record<string, unknown>> = {
  profiles: {
    username: 'Renamed',
    wallet_address: `0x${'aB'.repeat(20)}`,
    avatar_path: `${owner.id}/${'a'.repeat(64)}.webp`,
  },
  goals: {
    ...{ title: 'Coats', byline: 'A school', category: 'School', target_usd: 60, days: 8, story: 'Cold' },
    plan: [{ amount: '60', what: 'Coats' }],
    links: 'https://example.org/school',
    picture_path: `${draftId}/${'a'.repeat(64)}.webp`,
    picture_text: 'A coat',
    wallet: `0x${'b'.repeat(40)}`,
  },
}
await backend.sql(insertWallets, [owner.id, stranger.id])
const ledgerRow = transaction({ type: 'donation', direction: 'out', pool_slug: 'education' })
const goalGift = transaction({
  ...{ type: 'goal-gift', direction: 'in', account: 'goal-abcdefgh', pool_slug: 'goal-abcdefgh' },
})
const withNotes = Array.from({ length: 4 }, () => transaction({ note: 'a note' }))
await backend.sql('select public.append_ledger($1)', [JSON.stringify([ledgerRow, ...withNotes, goalGift])])
await backend.sql('select public.append_statement($1)', [JSON.stringify(czCall())])
await backend.sql('select public.append_update($1)', [
  JSON.stringify({ pool_slug: 'education', published_at: '2025-03-01T12:00:00Z', text: 'An update' }),
])
await backend.sql(
  `with made as (
     insert into public.orders (account, recipient, chain_id, from_address, to_address, token_address, token_symbol,
       token_decimals, token_amount, type, purpose_hash, due_at, expires_at)
     values ('treasury', 'named', 56, '0x' || repeat('1', 40), '0x' || repeat('2', 40), '0x' || repeat('3', 40), 'USDT',
       18, 5, 'cost', private.keep_text('ledger', 'Rent'), now() + interval '1 day', now() + interval '8 days')
     returning id
   )
   insert into public.order_changes (number, revision, state) select id, 0, 'announced' from made`,
)
await backend.sql(
  `insert into public.payment_terms (chain_id, notice_hours, limit_tokens, wallets, tokens)
   values (56, 24, 1000, '[]', '[]')`,
)
await backend.sql(
  `with rule as (
     insert into public.standing_orders (rule, account, chain_id, from_address, token_address, token_symbol,
       token_decimals, order_limit, month_limit, ends_at, purpose_hash, percent, day)
     values ('allocation', 'treasury', 56, '0x' || repeat('1', 40), '0x' || repeat('3', 40), 'USDT', 18, 5, 9,
       now() + interval '9 days', private.keep_text('ledger', 'Tax'), 100, 5)
     returning id
   ), changed as (
     insert into public.standing_changes (number, revision, state) select id, 0, 'active' from rule
   ), split as (
     insert into public.payment_splits (from_month, parts, cause) values ('2026-01-01', '{"reserve": 1000}', 'a test')
     returning id
   ), allocated as (
     insert into public.allocations (chain_id, month, standing, split, tax_usd)
     select 56, '2026-01-01', rule.id, split.id, 0 from rule, split
   ), suspended as (
     insert into private.suspended_tokens (chain_id, address, order_id) values (56, '0x' || repeat('3', 40), 1)
   )
   insert into public.standing_payments (order_id, standing, occasion, payee)
   select 1, id, '2026-01', '0x' || repeat('2', 40) from rule`,
)
await backend.sql('select public.append_ledger($1)', [
  JSON.stringify([
    transaction({ type: 'spending', direction: 'out', account: 'education', pool_slug: 'education' }),
  ]),
])
await backend.sql(
  `with checked as (
     insert into public.transaction_checks (transaction_id, status, block_number, block_hash, confirmations)
     select max(id), 'verified', 9, '0x' || repeat('9', 64), 20 from public.transactions returning transaction_id
   )
   insert into private.answers (ask_id, answer) select private.make_ask(transaction_id, 'wallet', 'b'), 'yes' from checked`,
)
await backend.sql(
  `insert into public.operator_acts (kind, subject, state, final_at, number, reason_hash)
   select 'contact', '0x' || repeat('6', 40), 'done', now(), 1 + coalesce(max(number), 0),
     private.keep_text('ledger', 'The wallet of an exchange, which signs no answer.')
   from public.operator_acts`,
)
await backend.sql('select public.append_name($1)', [
  JSON.stringify({ address: `0x${'7'.repeat(40)}`, name: 'Books' }),
])
// A follower. prepare_mails and next_mails change the row of the follower's email.
await backend.sql(`select private.add_topic('ana@example.org', 'education', 'en')`)
await backend.sql('select public.keep_request_key($1)', [requestKey])
await backend.sql(`insert into private.outbox (kind, topic, source) values ('update', 'education', '1')`)
const withdrawable = await backend.sql<{ hash: string }>(
  `select note_hash as hash from public.transactions where note_hash is not null`,
)
const [first] = await backend.sql<{ root: string }>(`select public.log_root('ledger', 1) as root`)
const firstRoot = first?.root ?? ''

await backend.sql('select public.store_rates(56, $1)', [
  JSON.stringify([{ symbol: 'BNB', rate_usd: '612.34', priced_at: '2025-03-01T12:00:00Z' }]),
])
const walletControl = {
  ...{ chain_id: 56, wallet: ledgerRow.to_address, control: 'key', owners: [], modules: [], block_number: 9 },
}
const addressOf = (number: number) => `0x${number.toString(16).padStart(40, '8')}`
const reconciliation = {
  chain_id: 56,
  block_number: 9,
  block_hash: `0x${'9'.repeat(64)}`,
  block_time: '2025-03-02T12:00:00Z',
  wallet: ledgerRow.to_address,
  token_symbol: 'BNB',
  token_decimals: 18,
  chain_amount: '100',
  ledger_amount: '90',
}
await backend.sql('select public.record_checks($1)', [
  JSON.stringify([
    {
      transaction_id: 1,
      status: 'verified',
      block_number: 9,
      block_hash: reconciliation.block_hash,
      confirmations: 20,
    },
  ]),
])
const archive = (note: string) =>
  backend.sql('select public.archive_checkpoint($1, 1, $2, $3, $4)', [
    ...['ledger', firstRoot, note, 'a+00000000+AA=='],
  ])
// The log's name before a restore. The triggers are off: they would stop the emails to followers.
await archive(noteOf().replace('origin', 'former'))
await backend.sql('set session_replication_role = replica')
await backend.sql(
  `insert into private.log_restores (log, size, root, reason, recorded_at, newest_checkpoint_id)
   select 'ledger', 1000, $1, 'a test', '2025-01-01', max(id) from private.log_checkpoints`,
  [firstRoot],
)
await backend.sql('set session_replication_role = origin')
await archive(noteOf())
await backend.sql('select public.store_anchor($1, $2)', [
  'ledger',
  JSON.stringify({
    ...{ size: 1, root: firstRoot, chain_id: 56, address: ledgerRow.to_address, nonce: 1 },
    ...{ raw: '0x01', tx_hash: hashOf(), gas_price: '1', min_seconds: 0, day_most: 5 },
  }),
])
await backend.sql('select public.record_reconciliations($1)', [JSON.stringify([reconciliation])])
await backend.sql('select public.record_controls($1)', [JSON.stringify([walletControl])])
const keyProof = {
  ...{ chain_id: 56, wallet: ledgerRow.to_address, signer: ledgerRow.to_address, site: 'give.example' },
  ...{ date: new Date().toISOString().slice(0, 10), signature: `0x${'1'.repeat(128)}1b` },
}
const namedEntry = async () => {
  const [entry] = await backend.sql<{ entry: number; leaf: string }>(
    "select index::integer as entry, leaf from public.published_entries where log = 'ledger' order by index desc limit 1",
  )
  return entry ?? { entry: 0, leaf: '' }
}
const kept = await backend.sql<{ answer: string }>('select public.keep_custody($1, $2) as answer', [
  ...Object.values(signedCustody({ ...keyProof, ...(await namedEntry()) })),
])
expect(kept).toEqual([{ answer: 'signed' }])

await backend.sql(`select public.claim_witnesses('ledger', 'origin', $1)`, [
  JSON.stringify([{ witness: 'w', url: 'https://witness.example' }]),
])
await backend.sql('select public.claim_sources($1)', [JSON.stringify(['https://feed.example/1'])])
await backend.sql('select public.claim_holders($1)', [`0x${'7'.repeat(40)}`])
await backend.sql("select public.store_holders($1, 7, 'node.example')", [`0x${'7'.repeat(40)}`])
await backend.sql(`select public.record_witness('ledger', 'origin', 'w', $1)`, [
  JSON.stringify(cosignature()),
])

const { jwtSecret } = JSON.parse(readFileSync(join(backend.dataDir, 'keys.json'), 'utf8'))
const now = Math.floor(Date.now() / 1000)
const claims = { sub: owner.id, role: 'authenticated', aud: 'authenticated', exp: now + 3600 }

const actors: Record<Actor, { key: string; token?: string }> = {
  visitor: { key: backend.publishableKey },
  owner: { key: backend.publishableKey, token: owner.token },
  stranger: { key: backend.publishableKey, token: stranger.token },
  operator: { key: backend.publishableKey, token: operator.token },
  'operator at aal1': { key: backend.publishableKey, token: operator.weakToken },
  'ended operator': { key: backend.publishableKey, token: ended.token },
  expired: { key: backend.publishableKey, token: sign({ ...claims, exp: now - 60 }, jwtSecret) },
  forged: { key: backend.publishableKey, token: sign({ ...claims, role: 'service_role' }, 'another secret') },
  unsigned: { key: backend.publishableKey, token: sign({ ...claims, role: 'service_role' }) },
  service: { key: backend.secretKey },
}

const relations = await backend.sql<{ name: string; writable: boolean }>(
  `select relname as name, relkind in ('r', 'p') as writable from pg_class
   where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f') order by relname`,
)
const functions = await backend.sql<{ name: string; arguments: string }>(
  `select proname as name, pg_get_function_identity_arguments(oid) as arguments
   from pg_proc where pronamespace = 'public'::regnamespace order by 1`,
)

/** The rows of the public tables and of the log's tables, after the last allowed request. */
let rows: string
beforeAll(async () => void (await readRows()))
/**
 * Expects that no refused request has changed a row since the last allowed request. Called once for many
 * refused requests, because reading all rows takes longer than a request.
 */
async function expectUnchanged(): Promise<void> {
  const before = rows
  expect(await readRows()).toBe(before)
}

test('every relation and function of the API has a rule, and every rule belongs to a relation or function', () => {
  expect(relations.map((relation) => relation.name).sort()).toEqual(Object.keys(rules).sort())
  const names = functions.map((found) => found.name)
  expect(names.toSorted()).toEqual(
    [...Object.keys(allFunctions), ...memberFunctions, ...operatorFunctions].toSorted(),
  )
})

test('the roles have the grants of the rules, and no others', async () => {
  const granted = await backend.sql<{ role: Role; relation: string; verbs: Verb[] }>(
    `select role, relname as relation, array_remove(array[
       case when has_any_column_privilege(role, oid, 'select') then 'select' end,
       case when has_any_column_privilege(role, oid, 'insert') then 'insert' end,
       case when has_any_column_privilege(role, oid, 'insert') and has_any_column_privilege(role, oid, 'update') then 'upsert' end,
       case when has_any_column_privilege(role, oid, 'update') then 'update' end,
       case when has_table_privilege(role, oid, 'delete') then 'delete' end
     ], null) as verbs
     from unnest($1::text[]) as role, pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')`,
    [roles],
  )
  // 'by column' has the columns of a draft that its member may update. An upsert needs the others too.
  const byColumn = (role: Role, relation: string, verb: Verb) =>
    role === 'authenticated' && relation === 'goals' && ['update', 'upsert'].includes(verb)
  const expected = granted.map(({ role, relation }) => ({
    ...{ role, relation },
    verbs: verbs.filter((verb) => isGranted(rules[relation]?.[verb], role) || byColumn(role, relation, verb)),
  }))
  expect(granted).toEqual(expected)
})

test('each role may call the functions that are listed for it, and no others', async () => {
  const callable = await backend.sql<{ role: Role; names: string[] }>(
    `select role, array_agg(proname::text order by proname::text) filter (where has_function_privilege(role, oid, 'execute')) as names
     from unnest($1::text[]) as role, pg_proc where pronamespace = 'public'::regnamespace group by role order by role`,
    [roles],
  )
  const everyone = Object.keys(publicFunctions)
  expect(callable).toEqual([
    { role: 'anon', names: everyone.toSorted() },
    { role: 'authenticated', names: [...everyone, ...memberFunctions, ...operatorFunctions].toSorted() },
    { role: 'service_role', names: [...everyone, ...Object.keys(serviceFunctions)].toSorted() },
  ])
})

test.each(['visitor', 'owner', 'operator', 'service'] as Actor[])(
  'keeps no signature of a key that the site has not verified: %s',
  async (actor) => {
    const given = signedCustody({ ...keyProof, ...(await namedEntry()), signer: stranger.id })
    const other = signedCustody({ ...keyProof, chain_id: 97 }).proof
    const request = signedRequest('ana@example.org', 'education')
    for (const proof of ['', other, request.proof, 'f'.repeat(64)]) {
      const { key, token } = actors[actor]
      const response = await fetch(`${backend.url}/rest/v1/rpc/keep_custody`, {
        method: 'POST',
        headers: { apikey: key, authorization: `Bearer ${token ?? key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...given, proof }),
      })
      expect([response.status >= 400, await response.json()]).toMatchObject([true, { code: '42501' }])
    }
  },
)

test('keeps a signature of a key only of today, of a key of the wallet, once, with an entry that is new', async () => {
  const { entry, leaf } = await namedEntry()
  const fresh = { ...keyProof, wallet: addressOf(900), signer: addressOf(900), entry, leaf }
  await backend.sql('select public.record_controls($1)', [
    JSON.stringify([
      { ...walletControl, wallet: addressOf(900) },
      { ...walletControl, wallet: addressOf(901), control: 'contract' },
      { ...walletControl, wallet: addressOf(902) },
    ]),
  ])
  await backend.sql(
    "update private.control_reads set read_at = now() - interval '3 hours' where wallet = $1",
    [addressOf(902)],
  )
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const keep = async (changes: object) => {
    const given = signedCustody({ ...fresh, ...changes })
    const [row] = await backend.sql<{ answer: string }>(
      'select public.keep_custody($1, $2) as answer',
      Object.values(given),
    )
    return row?.answer
  }
  expect(await keep({ wallet: addressOf(903) })).toBe('unknown')
  expect(await keep({ wallet: addressOf(901), signer: addressOf(901) })).toBe('unknown')
  expect(await keep({ wallet: addressOf(902), signer: addressOf(902) })).toBe('unread')
  expect(await keep({ signer: addressOf(901) })).toBe('owner')
  for (const date of [day(-2), day(1), day(30)]) expect(await keep({ date })).toBe('day')
  expect(await keep({ leaf: 'ab'.repeat(32) })).toBe('day')
  expect(await keep({ entry: entry + 1 })).toBe('day')
  // Two presses at the same time: one is kept.
  expect((await Promise.all([keep({}), keep({})])).toSorted()).toEqual(['signed', 'twice'])
  expect(await keep({ date: day(-1) })).toBe('twice')
})

describe.each(Object.keys(publicFunctions))('%s()', (name) => {
  test.each(['visitor', 'owner', 'service'] as Actor[])('responds to the actor: %s', async (actor) => {
    const { key, token } = actors[actor]
    const response = await fetch(`${backend.url}/rest/v1/rpc/${name}`, {
      method: 'POST',
      headers: { apikey: key, authorization: `Bearer ${token ?? key}`, 'content-type': 'application/json' },
      body: JSON.stringify(publicFunctions[name]),
    })
    expect(response.status).toBe(200)
    expect(await response.json()).not.toBeNull()
    await readRows()
  })
})

describe.each(Object.keys(serviceFunctions))('%s()', (name) => {
  const callers: Actor[] = asksAll || name === 'append_ledger' ? everyActor : ['service']
  test.each(callers)('only the service may call the function; the caller is %s', async (actor) => {
    const { key, token } = actors[actor]
    if (actor === 'service') await expectUnchanged()
    const before = rows
    const response = await fetch(`${backend.url}/rest/v1/rpc/${name}`, {
      method: 'POST',
      headers: { apikey: key, authorization: `Bearer ${token ?? key}`, 'content-type': 'application/json' },
      body: JSON.stringify(serviceFunctions[name]?.()),
    })
    const body = JSON.parse((await response.text()) || 'null') as { code?: string }
    if (actor === 'service') {
      const after = await readRows()
      expect(response.status, JSON.stringify(body)).toBeLessThan(300)
      if (readFunctions.includes(name)) expect(after).toEqual(before)
      else expect(after).not.toEqual(before)
    } else {
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(refusals[actor] ?? [noPrivilege]).toContain(body.code)
    }
  })
})

describe.each(relations)('$name', ({ name }) => {
  const cells = verbs.flatMap((verb) => {
    const rule = rules[name]?.[verb]
    const asked =
      asksAll || name === 'goals' ? [...new Set([...actorsOf(rule), ...everyActor])] : actorsOf(rule)
    return asked.map((actor) => ({ verb, actor, outcome: rule?.[actor] ?? 'refused' }))
  })
  const refused = verbs.find((verb) => !isGranted(rules[name]?.[verb], 'anon')) ?? 'select'
  if (!asksAll) cells.push({ verb: refused, actor: 'visitor', outcome: 'refused' })

  test.each(cells)('$verb by $actor: $outcome', async ({ verb, actor, outcome }) => {
    const writes = verb !== 'select' && outcome === 'rows'
    if (writes) await expectUnchanged()
    const before = rows
    const answer = await request(actor, verb, name, bodyFor(name))
    if (outcome === 'refused') {
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(refusals[actor] ?? [noPrivilege, notUpdatable]).toContain(answer.body.code)
    } else {
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
      if (outcome === 'rows') expect(answer.body).not.toHaveLength(0)
      else expect(answer.body).toEqual([])
    }
    if (!writes) return
    expect(await readRows()).not.toEqual(before)
    await restore()
  })

  test('no refused request has changed a row', expectUnchanged)
})

describe('by column', () => {
  const writable = Object.entries(memberWrites).flatMap(([relation, values]) =>
    Object.entries(values).map(([name, value]) => ({ relation, name, value })),
  )

  test('members may update exactly these columns, and no other role', async () => {
    const updatable = await backend.sql<{ relation: string; name: string }>(
      `select relname as relation, attname as name from pg_attribute join pg_class on pg_class.oid = attrelid
       where relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
         and has_column_privilege('authenticated', attrelid, attnum, 'update')
       order by 1, 2`,
    )
    const names = writable.map(({ relation, name }) => `${relation} ${name}`).toSorted()
    expect(updatable.map(({ relation, name }) => `${relation} ${name}`).toSorted()).toEqual(names)
  })

  test.each(writable)('update of $relation.$name', async ({ relation, name, value }) => {
    await expectUnchanged()
    const answer = await request('owner', 'update', relation, { [name]: value })
    expect(answer.body).toEqual([expect.objectContaining({ [name]: value })])
    await restore()
    expect((await request('stranger', 'update', relation, { [name]: value })).body).toEqual([])
  })

  test.each(['profiles', 'goals'])('the API refuses an update of %s.id by its member', async (relation) => {
    const answer = await request('owner', 'update', relation, { id: stranger.id })
    expect(answer.body.code).toBe(noPrivilege)
  })

  test('no refused update has changed a row', expectUnchanged)
})

test.each([
  ['no visible character', '\u200b\u3164\u3164'],
  ['another direction', 'ana\u202egro.elpmaxe'],
])('a member cannot change the username to a name with %s', async (_, username) => {
  const { error } = await owner.client.from('profiles').update({ username }).eq('id', owner.id)
  expect(error?.code).toBe('23514')
})

// A write without a filter and without a result reads no row, so only the policy for this kind of write protects the rows of
// other members. The API refuses most of these writes (below), a function of the caller's would not.
describe('a write of a member that reads no row', () => {
  const write = async (statement: string) => {
    await backend.sql('begin')
    try {
      await backend.sql(
        `select set_config('request.jwt.claims', $1, true), set_config('request.jwt.claim.sub', $2, true)`,
        [JSON.stringify(claimsOf(owner.token)), owner.id],
      )
      await backend.sql('set local role authenticated')
      await backend.sql(statement)
      await backend.sql('commit')
    } catch (error) {
      await backend.sql('rollback')
      throw error
    }
  }

  test.each([
    ['id', `update public.profiles set username = 'Everybody'`],
    ['member', `update public.goals set title = 'Everybody'`],
    ['member', 'delete from public.goals'],
    ['user_id', 'delete from public.proven_wallets'],
  ])('changes own rows only (%s): %s', async (column, statement) => {
    const [table] = /public\.\w+/.exec(statement) ?? []
    const rowsOf = (of: '=' | '<>') =>
      backend.sql(`select * from ${table} where ${column} ${of} $1 order by 1`, [owner.id])
    const [own, others] = [await rowsOf('='), await rowsOf('<>')]
    expect(others).not.toEqual([])
    await write(statement)
    expect(await rowsOf('=')).not.toEqual(own)
    expect(await rowsOf('<>')).toEqual(others)
    await restore()
  })

  test.each([
    [
      'proven_wallets',
      `(user_id, address, message, signature) values ('${stranger.id}', '0x' || repeat('7', 40), 'm', '0x' || repeat('9', 130))`,
    ],
    ['goals', `(member, title) values ('${stranger.id}', 'Another')`],
    [
      'fundme_ballots',
      `(member, vote, wallet, choice, signed_at, signature) values ('${stranger.id}', ${vote.id}, '${ballot.wallet}', 'support', now(), '${ballot.signature}')`,
    ],
  ])('adds no row for another member: %s', async (table, values) => {
    await expect(write(`insert into public.${table} ${values}`)).rejects.toThrow('row-level security')
  })
})

describe('a write without a filter, which hosted projects refuse (safeupdate)', () => {
  const send = async (actor: Actor, method: string, path: string, body?: unknown, prefer = '') => {
    const { key, token } = actors[actor]
    const response = await fetch(`${backend.url}/rest/v1/${path}`, {
      method,
      headers: {
        ...{
          apikey: key,
          authorization: `Bearer ${token ?? key}`,
          'content-type': 'application/json',
          prefer,
        },
        // For one row or none.
        ...(prefer && { accept: 'application/vnd.pgrst.object+json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    return { status: response.status, code: JSON.parse((await response.text()) || '{}').code }
  }

  test.each([
    ['owner', 'PATCH', 'profiles', { username: 'Everybody' }, ''],
    ['owner', 'PATCH', 'profiles', [{ username: 'Everybody' }], 'return=representation'],
    ['visitor', 'PATCH', 'profiles?select=id', { username: 'Everybody' }, ''],
    ['service', 'PATCH', 'profiles?columns=username', { username: 'Everybody' }, ''],
    ['service', 'DELETE', 'fundme_pools', undefined, ''],
    ['owner', 'DELETE', 'goals?order=id&limit=1&offset=0', undefined, ''],
    ['owner', 'DELETE', 'goals?columns=title', undefined, 'return=representation'],
    ['visitor', 'DELETE', 'ledger_totals', undefined, ''],
  ] as const)('%s: %s %s %j %s', async (actor, method, path, body, prefer) => {
    expect(await send(actor, method, path, body, prefer)).toEqual({ status: 400, code: '21000' })
    await expectUnchanged()
  })

  test.each([
    ['forged', 'DELETE', 'goals', undefined, { status: 401, code: 'PGRST301' }],
    ['owner', 'DELETE', 'nothing', undefined, { status: 404, code: 'PGRST205' }],
    ['owner', 'PATCH', 'profiles', {}, { status: 204 }],
    ['owner', 'DELETE', 'goals?or=(title.eq.none)', undefined, { status: 204 }],
    ['owner', 'DELETE', 'goals?not.and=(title.neq.none)', undefined, { status: 204 }],
  ] as const)('is not %s: %s %s %j', async (actor, method, path, body, answer) => {
    expect(await send(actor, method, path, body)).toEqual(answer)
    await expectUnchanged()
  })
})

test.each(['private', 'auth', 'supabase_migrations'])('the schema %s is not exposed', async (schema) => {
  for (const table of [
    'sums_by_month',
    'transaction_statuses',
    'ledger_scans',
    'users',
    'schema_migrations',
  ]) {
    const response = await fetch(`${backend.url}/rest/v1/${table}`, {
      headers: { apikey: backend.secretKey, 'accept-profile': schema },
    })
    expect(response.status).toBe(406)
  }
})

test('without a key every request is refused', async () => {
  for (const { name } of relations) expect((await fetch(`${backend.url}/rest/v1/${name}`)).status).toBe(401)
  expect((await fetch(`${backend.url}/_system/info`)).status).toBe(404)
  expect((await fetch(`${backend.url}/_system/introspect`)).status).toBe(404)
})

/** A row that satisfies the table's constraints, so that only a privilege or a policy refuses it. */
function bodyFor(relation: string): Record<string, unknown> {
  const bodies: Record<string, Record<string, unknown>> = {
    profiles: { username: 'Another' },
    fundme_pools: { title: 'Another', user_id: owner.id },
    transactions: transaction(),
    cz_calls: { author: 'another', tweet_url: 'https://example.org/another' },
    published_transactions: transaction(),
    published_donations: { occurred_at: '2025-03-01T12:00:00Z', amount_usd: 5 },
    published_cause_payments: { note: 'changed' },
    published_cz_calls: czCall(),
    transaction_checks: { transaction_id: 1, status: 'pending' },
    proven_wallets: {
      user_id: owner.id,
      address: `0x${(++counter).toString(16).padStart(40, '7')}`,
      message: 'a message',
      signature: `0x${'9'.repeat(130)}`,
    },
    goals: { member: owner.id, title: 'Another' },
    goal_changes: { slug: 'goal-abcdefgh', revision: 9 },
    goal_complaints: { goal: stranger.id, member: owner.id, reason: 'scam', text: 'It is a scam.' },
    vote_draws: { slug: 'goal-abcdefgh', attempt: 9, chain_id: 56, start_block: 1, seed_block: 900 },
    votes: { draw: 1, slug: 'goal-abcdefgh' },
    vote_voids: { draw: 1, block_number: 1, block_hash: hashOf() },
    vote_ballots: { vote: 1, number: 99 },
    vote_results: { vote: 1, ballots: 0, won: true },
    split_votes: { id: 9 },
    published_splits: { ends_at: '2027-01-01' },
    fundme_ballots: { ...ballot, member: owner.id },
    published_votes: { won: true },
    published_ballots: { choice: 'support' },
    published_vote_entries: { entry: 'changed' },
    vote_totals: { ballots: 9 },
    my_goals: { title: 'changed' },
    published_goals: { title: 'changed' },
    published_goal_changes: { stage: 'changed' },
    published_goal_rows: { note: 'changed' },
    published_row_goals: { title: 'changed' },
    goal_totals: { funded_usd: 1_000_000 },
    pool_updates: { pool_slug: 'education', number: 9, published_at: '2025-03-01', text_hash: 'x' },
    reconciliations: reconciliation,
    published_party_transactions: { note: 'changed' },
    published_updates: { text: 'changed' },
    wallet_names: { address: `0x${'6'.repeat(40)}`, name_hash: 'x' },
    published_names: { name: 'changed' },
    payment_terms: { notice_hours: 1 },
    published_name_changes: { name: 'changed' },
    orders: { state: 'paid' },
    order_changes: { state: 'paid' },
    published_orders: { state: 'paid' },
    published_mistakes: { state: 'changed' },
    wallet_controls: { control: 'key' },
    custody_signatures: { signer: 'a' },
    published_controls: { control: 'changed' },
    standing_orders: { state: 'active' },
    standing_changes: { state: 'active' },
    standing_payments: { occasion: 'changed' },
    payment_splits: { cause: 'changed' },
    allocations: { tax_usd: 9 },
    published_standing_orders: { state: 'active' },
    suspended_tokens: { token_symbol: 'changed' },
    operators: { handle: 'another', member: owner.id },
    operator_acts: { kind: 'statement', by: 'operator' },
    published_acts: { reason: 'changed' },
    published_operators: { until: null },
    published_unchecked_transactions: { note: 'changed' },
    published_entries: { entry: 'changed' },
    published_checkpoints: { root: 'changed' },
    newest_checkpoints: { note: 'changed' },
    published_texts: { text: 'changed' },
    published_anchors: { root: 'changed' },
    published_cosignatures: { line: 'changed' },
    witness_states: { fault: 'changed' },
    former_log_names: { reason: 'changed' },
    published_records: { note: 'changed' },
    published_checks: { transaction_id: 1, status: 'pending' },
    published_reconciliations: reconciliation,
    ledger_months: { paid_usd: 1_000_000 },
    ledger_status: { size: 1_000_000 },
    ledger_totals: { treasury_usd: 1_000_000 },
    arrival_totals: { wallet_usd: 1_000_000 },
    exchange_wallets: { by: 'changed' },
    published_answers: { words: 'changed' },
    published_arrivals: { pool_slug: 'changed' },
    live_state: { ledger: 'changed' },
    pool_totals: { total_usd: 1_000_000 },
    token_rates: { rate_usd: 1_000_000 },
    published_rates: { symbol: 'changed' },
    published_holders: { holders: 1_000_000 },
    listening_sources: { name: 'changed' },
    source_states: { name: 'changed' },
  }
  return bodies[relation] ?? {}
}

/** Returns a filter for the owner's row if rows have owners, otherwise for any row. */
function filterFor(relation: string): string {
  if (relation === 'profiles') return `id=eq.${owner.id}`
  if (relation === 'fundme_pools' || relation === 'proven_wallets') return `user_id=eq.${owner.id}`
  if (relation === 'goals') return `member=eq.${owner.id}`
  if (relation === 'my_goals') return `id=eq.${draftId}`
  if (relation === 'goal_complaints') return `member=eq.${owner.id}`
  if (relation === 'published_goals') return 'slug=eq.goal-abcdefgh'
  if (relation === 'fundme_ballots') return `member=eq.${owner.id}`
  if (relation === 'published_splits') return 'slug=neq.none'
  if (relation === 'vote_totals') return 'ballots=gte.0'
  if (relation === 'published_vote_entries') return 'log_index=gte.0'
  if (relation === 'goal_totals') return 'open_count=gte.0'
  if (relation === 'arrival_totals') return 'no_count=gte.0'
  if (relation === 'ledger_totals') return 'transactions_count=gte.0'
  if (relation === 'ledger_months') return 'paid_usd=gte.0'
  if (relation === 'ledger_status') return 'size=gte.0'
  if (relation === 'live_state') return 'ledger=not.is.null'
  if (relation === 'published_entries') return 'index=gte.0'
  if (relation === 'operators' || relation === 'published_operators') return 'handle=eq.operator'
  if (relation === 'operator_acts') return 'number=gt.0'
  if (relation === 'witness_states') return 'failures=gte.0'
  if (relation === 'former_log_names') return 'origin=not.is.null'
  if (relation === 'pool_totals') return 'slug=eq.education'
  if (relation === 'published_rates') return 'chain_id=gt.0'
  if (relation === 'published_holders') return 'holders=gt.0'
  if (relation === 'listening_sources') return 'name=not.is.null'
  if (relation === 'source_states') return 'seen_count=gte.0'
  return 'id=gt.0'
}

async function request(actor: Actor, verb: Verb, relation: string, body: Record<string, unknown>) {
  const { key, token } = actors[actor]
  const methods = { select: 'GET', insert: 'POST', upsert: 'POST', update: 'PATCH', delete: 'DELETE' }
  const writes = verb !== 'select' && verb !== 'delete'
  const prefer =
    verb === 'upsert' ? 'return=representation,resolution=merge-duplicates' : 'return=representation'
  // Every member has a profile, with the member's id: the service deletes it before it inserts one.
  const row =
    relation === 'profiles' && (verb === 'insert' || verb === 'upsert') ? { ...body, id: owner.id } : body
  if (actor === 'service' && relation === 'profiles' && verb === 'insert') {
    await backend.sql('delete from public.profiles where id = $1', [owner.id])
  }
  const response = await fetch(
    `${backend.url}/rest/v1/${relation}${verb === 'insert' || verb === 'upsert' ? '' : `?${filterFor(relation)}`}`,
    {
      method: methods[verb],
      headers: {
        apikey: key,
        authorization: `Bearer ${token ?? key}`,
        'content-type': 'application/json',
        prefer: verb === 'select' ? '' : prefer,
      },
      body: writes ? JSON.stringify(row) : undefined,
    },
  )
  const answer = (await response.json().catch(() => null)) as Record<string, unknown> & unknown[]
  return { status: response.status, body: answer }
}

const logTables = [
  'log_entries',
  'log_texts',
  'log_checkpoints',
  'log_rollbacks',
  'log_anchors',
  'log_anchor_transactions',
  'log_anchor_checks',
  'log_cosignatures',
  'log_witnesses',
]
/** The tables of followers and emails, which no API role may read. */
const followerTables = [
  'followers',
  'follower_topics',
  'follow_requests',
  'request_key',
  'outbox',
  'mails',
  'stopped_addresses',
]

/** The tables whose rows are compared after each test. */
const tables = relations
  .filter((relation) => relation.writable)
  .map(({ name }) => `public.${name}`)
  .concat([...logTables, ...followerTables].map((name) => `private.${name}`))

// The query is prepared, because otherwise PostgreSQL takes longer to plan it than to run it. It returns one
// line for each table, with a hash of all rows. Converting a row to text takes a fifth of the time of
// converting it to JSON.
const lines = tables.map(
  (name) => `'${name} ' || (select md5(string_agg(t::text, E'\n' order by t::text)) from ${name} t)`,
)
await backend.sql(`prepare read_rows as select concat_ws(E'\n', ${lines}) as state`)

/** Reads the rows of `tables` into `rows`, so that the next test can compare them. */
async function readRows(): Promise<string> {
  const [row] = await backend.sql<{ state: string }>('execute read_rows')
  rows = row?.state ?? ''
  return rows
}

/** Restores the members' rows. Rows that the service added to the append-only ledger stay. */
async function restore() {
  await backend.sql('delete from public.profiles')
  await backend.sql(`insert into public.profiles (id, username) values ($1, 'Owner'), ($2, 'Stranger')`, [
    owner.id,
    stranger.id,
  ])
  await backend.sql('delete from public.proven_wallets')
  await backend.sql(insertWallets, [owner.id, stranger.id])
  await backend.sql(`delete from public.goals where stage = 'draft'`)
  await backend.sql(insertDrafts, [owner.id, stranger.id, draftId])
  await backend.sql('delete from public.fundme_pools')
  await backend.sql(`insert into public.fundme_pools (user_id, title) values ($1, 'Pool'), ($2, 'Pool')`, [
    owner.id,
    stranger.id,
  ])
  await readRows()
}

function sign(payload: Record<string, unknown>, secret?: string): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const content = `${encode({ alg: secret ? 'HS256' : 'none', typ: 'JWT' })}.${encode({ ...payload, jti: randomUUID() })}`
  return `${content}.${secret ? createHmac('sha256', secret).update(content).digest('base64url') : 'none'}`
}
