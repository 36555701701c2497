-- Mistakes: what went wrong, since when, and until when, made from the tables of other domains. Nothing is written here:
-- an operator adds a sentence by an act, whose reason it is.

set check_function_bodies = off;

create index transaction_checks_failed on public.transaction_checks (transaction_id, id) where status in ('mismatch', 'reorganised');
create index reconciliations_differing on public.reconciliations (id) where chain_amount <> ledger_amount - gas_paid;

-- `subject` names a mistake in acts: its kind and what it is about. `id` orders mistakes of one time.
create view private.mistakes as
-- An act that replaced what was published. A value or a purpose that is given for the first time is no mistake.
select
  1000000000000 + acts.number as id, 'correction' as kind, 'correction/' || acts.number as subject, former.since,
  acts.final_at::timestamptz as ended_at, acts.made_kind as state, former.transaction_id, null::bigint as order_id,
  null::text as goal, former.pool, null::text as wallet, null::text as token_amount, null::text as token_symbol,
  null::integer as token_decimals, reason.text as words,
  acts.reason_hash is not null and reason.text is null as words_withdrawn, acts.by, acts.second,
  entries.index::bigint as log_index
from public.operator_acts as acts
join lateral (
  select former.recorded_at::timestamptz as since, later.id as transaction_id, null::text as pool
  from public.transactions as later
  join public.transactions as former
    on former.chain_id = later.chain_id and former.tx_hash = later.tx_hash and former.ordinal = later.ordinal
      and former.revision = later.revision - 1
  where acts.made_kind = 'transaction' and later.id = acts.made_id and (
    former.amount_usd is distinct from later.amount_usd and former.amount_usd is not null
    or former.type <> later.type and former.type <> 'other'
    or former.pool_slug is distinct from later.pool_slug and former.pool_slug is not null
    or former.note_hash is distinct from later.note_hash and former.note_hash is not null
    or former.proof_hash is distinct from later.proof_hash and former.proof_hash is not null
    or (former.occurred_at, former.token_amount, former.from_address, former.to_address)
      is distinct from (later.occurred_at, later.token_amount, later.from_address, later.to_address)
  )
  union all
  select former.recorded_at, null, null
  from public.cz_calls as later
  join public.cz_calls as former on former.tweet_url = later.tweet_url and former.revision = later.revision - 1
  where acts.kind = 'statement' and acts.made_kind = 'statement' and later.id = acts.made_id
  union all
  select former.recorded_at, null, former.pool_slug
  from public.pool_updates as later
  join public.pool_updates as former
    on former.pool_slug = later.pool_slug and former.number = later.number and former.revision = later.revision - 1
  where acts.made_kind = 'update' and later.id = acts.made_id
) as former on true
left join private.log_texts as reason on reason.hash = acts.reason_hash
left join private.ledger_entries as entries on entries.kind = 'act' and entries.row_id = acts.number
where acts.number is not null and acts.kind in ('value', 'purpose', 'reading', 'statement', 'update')
union all
select
  2000000000000 + withdrawals.id, 'withdrawal', 'withdrawal/' || withdrawals.id, withdrawals.recorded_at,
  withdrawals.recorded_at, null, null, null, null, null, null, null, null, null, withdrawals.reason, false, acts.by,
  acts.second, entries.index
from private.log_withdrawals as withdrawals
left join public.operator_acts as acts on acts.made_kind = 'withdrawal' and acts.made_id = withdrawals.id
left join private.ledger_entries as entries on entries.kind = 'withdrawal' and entries.row_id = withdrawals.id
where withdrawals.log = 'ledger' and (acts.number is not null or not exists (
  select from private.answers where withdrawals.text_hash in (answers.name_hash, answers.words_hash)
))
union all
-- A row that the blockchain did not show as the ledger states it: until it matched, or a later revision replaced it.
select
  3000000000000 + failed.transaction_id, 'mismatch', 'mismatch/' || failed.transaction_id, found.checked_at,
  case
    when statuses.transaction_id is null then (
      select later.recorded_at from public.transactions as later
      where later.chain_id = facts.chain_id and later.tx_hash = facts.tx_hash and later.ordinal = facts.ordinal
        and later.revision = facts.revision + 1
    )
    when statuses.status = 'verified' then (
      select checks.checked_at from public.transaction_checks as checks
      where checks.transaction_id = failed.transaction_id and checks.id > failed.last and checks.status = 'verified'
      order by checks.id limit 1
    )
  end,
  case when statuses.transaction_id is null then 'replaced' else found.status end, failed.transaction_id, null, null,
  null, null, facts.token_amount::text, facts.token_symbol, facts.token_decimals, found.reason, false, null, null,
  entries.index
from (
  select transaction_id, min(id) as first, max(id) as last
  from public.transaction_checks where status in ('mismatch', 'reorganised') group by transaction_id
) as failed
join public.transaction_checks as found on found.id = failed.first
join public.transactions as facts on facts.id = failed.transaction_id
left join private.transaction_statuses as statuses on statuses.transaction_id = failed.transaction_id
left join private.ledger_entries as entries on entries.kind = 'transaction' and entries.row_id = facts.id
union all
-- A balance that was not what the ledger says: from the first such comparison after an equal one to the next equal one.
select
  4000000000000 + differing.id, 'balance', 'balance/' || differing.id, differing.taken_at, (
    select equal.taken_at from public.reconciliations as equal
    where equal.chain_id = differing.chain_id and equal.wallet = differing.wallet and equal.id > differing.id
      and equal.token_address is not distinct from differing.token_address
      and equal.chain_amount = equal.ledger_amount - equal.gas_paid
    order by equal.id limit 1
  ),
  null, null, null, null, null, differing.wallet,
  (differing.chain_amount - (differing.ledger_amount - differing.gas_paid))::text, differing.token_symbol,
  differing.token_decimals, null, false, null, null, null
from public.reconciliations as differing
where differing.chain_amount <> differing.ledger_amount - differing.gas_paid and coalesce((
  select former.chain_amount = former.ledger_amount - former.gas_paid from public.reconciliations as former
  where former.chain_id = differing.chain_id and former.wallet = differing.wallet and former.id < differing.id
    and former.token_address is not distinct from differing.token_address and former.gas_paid is not null
  order by former.id desc limit 1
), true)
union all
select
  5000000000000 + orders.id, 'payment', 'payment/' || orders.id, changes.recorded_at, found.recorded_at, changes.state,
  paying.id, orders.id, null, null, null, orders.token_amount::text, orders.token_symbol, orders.token_decimals,
  purpose.text, purpose.text is null, null, null, entries.index
from public.order_changes as changes
join public.orders on orders.id = changes.number
left join public.order_changes as found
  on orders.state = 'paid' and found.number = orders.id and found.revision = orders.revision
left join private.log_texts as purpose on purpose.hash = orders.purpose_hash
left join private.ledger_entries as entries on entries.kind = 'order' and entries.row_id = changes.id
left join lateral (
  select id from public.transactions
  where transactions.chain_id = orders.chain_id and transactions.tx_hash = orders.tx_hash
    and transactions.ordinal = orders.ordinal
  order by transactions.revision desc limit 1
) as paying on true
where changes.state in ('failed', 'mismatched', 'lost')
union all
-- A goal whose member reported later than 90 days after its end, or has not reported.
select
  6000000000000 + ending.id, 'report', 'report/' || goals.slug, goals.ended_at + interval '90 days', goals.completed_at, null,
  null, null, goals.slug, null, null, null, null, null, words.title, words.title is null, null, null, null
from public.goals
join lateral (
  select min(changes.id) as id from public.goal_changes as changes where changes.slug = goals.slug and changes.stage = 'ended'
) as ending on ending.id is not null
left join private.goal_words as words on words.id = goals.id and not goals.hidden
where goals.stage in ('ended', 'completed') and goals.ended_at + interval '90 days' < coalesce(goals.completed_at, now())
union all
-- 30 days in which no one signed for a wallet, from its first reading or a signature on, as long as the wallet is read.
select
  7000000000000 + shown.place, 'custody', 'custody/' || shown.place, shown.at + interval '30 days', shown.next_at, null, null, null,
  null, null, shown.wallet, null, null, null, null, false, null, null, null
from (
  select signs.place, signs.chain_id, signs.wallet, signs.at, lead(signs.at) over (
    partition by signs.chain_id, signs.wallet order by signs.at, signs.place
  ) as next_at
  from (
    select 2 * min(id) as place, chain_id, wallet::text as wallet, min(recorded_at)::timestamptz as at
    from public.wallet_controls group by chain_id, wallet
    union all
    select 2 * id + 1, chain_id, wallet::text, recorded_at::timestamptz from public.custody_signatures
  ) as signs
) as shown
join private.current_controls as controls
  on controls.chain_id = shown.chain_id and controls.wallet = shown.wallet and controls.control <> 'contract'
where shown.at + interval '30 days' < coalesce(shown.next_at, least(controls.read_at::timestamptz, now()))
union all
-- A recipient says that a payment did not arrive: until the same strength says otherwise about the same transfer.
select
  8000000000000 + answers.id, 'arrival', 'arrival/' || answers.id, answers.recorded_at, (
    select min(later.recorded_at) from private.answers as later
    join private.asks as other on other.id = later.ask_id and other.strength = asks.strength
    join public.transactions as same on same.id = other.transaction_id
    where later.id > answers.id and later.answer <> 'no'
      and (same.chain_id, same.tx_hash, same.ordinal) = (facts.chain_id, facts.tx_hash, facts.ordinal)
  ),
  asks.strength, facts.id, null, null, null, null, facts.token_amount::text, facts.token_symbol, facts.token_decimals,
  note.text, false, null, null, entries.index
from private.answers
join private.asks on asks.id = answers.ask_id
join public.transactions as facts on facts.id = asks.transaction_id
left join private.log_texts as note on note.hash = facts.note_hash
left join private.ledger_entries as entries on entries.kind = 'answer' and entries.row_id = answers.id
where answers.answer = 'no';

-- A sentence belongs to no revision of a mistake.
create function private.mistake_revision(subject text) returns integer
language sql stable set search_path = '' as $$
  select 0 from private.mistakes where mistakes.subject = mistake_revision.subject
$$;

create function private.perform_mistake_note(act public.operator_acts) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('subject', act.subject)
$$;

insert into private.act_kinds (kind, people, subject, least_reason, performer, revision_of, fields) values
  ('mistake-note', 1, 'required', 10, 'perform_mistake_note', 'mistake_revision', '{}');

-- What everyone reads ---------------------------------------------------------------------------------------

create view public.published_mistakes with (security_invoker = false) as
select
  mistakes.*, coalesce((
    select jsonb_agg(jsonb_build_object(
      'number', notes.number, 'by', notes.by, 'text', words.text, 'said_at', notes.final_at, 'log_index', entries.index
    ) order by notes.number)
    from public.operator_acts as notes
    left join private.log_texts as words on words.hash = notes.reason_hash
    left join private.ledger_entries as entries on entries.kind = 'act' and entries.row_id = notes.number
    where notes.kind = 'mistake-note' and notes.subject = mistakes.subject and notes.number is not null
  ), '[]') as notes
from private.mistakes;
comment on view public.published_mistakes is
  'What went wrong, since when, and what operators said of it.';
comment on column public.published_mistakes.words is
  'The reason of a correction or a withdrawal, what did not match, the purpose of a payment, or the title of a goal.';
comment on column public.published_mistakes.ended_at is 'Null while the mistake is not corrected, and if it cannot be corrected.';

grant select on public.published_mistakes to anon, authenticated, service_role;

reset check_function_bodies;
