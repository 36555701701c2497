-- The text of each entry is a row of a view, and two trigger functions append them for every table. Row-level security on
-- the private tables too.

create or replace procedure private.refuse(events text, variadic tables regclass[])
language plpgsql set search_path = '' as $$
declare
  each regclass;
begin
  foreach each in array tables loop
    execute format(
      'create trigger append_only before %s on %s for each statement execute function private.refuse_change()', events, each
    );
  end loop;
end;
$$;

revoke all on procedure private.refuse from public;

create view private.entry_of_withdrawal as
select 'withdrawal' as kind, id, private.entry_time(recorded_at) as recorded_at, text_hash, reason
from private.log_withdrawals;

create view private.entry_of_restore as
select 'restore' as kind, id, private.entry_time(recorded_at) as recorded_at, size::bigint, root, reason
from private.log_restores;

create view private.entry_of_transaction as
select
  'transaction' as kind, id, revision::integer,
  to_char(recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as recorded_at, chain_id::integer,
  tx_hash::text, ordinal, to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as occurred_at,
  account, counter_account, direction, type, pool_slug as pool, from_address::text, to_address::text,
  token_address::text, token_symbol, token_decimals::integer, token_amount::text as token_amount,
  amount_usd::text as amount_usd, trim_scale(rate_usd)::text as rate_usd, rate_source, proof_hash, note_hash
from public.transactions;

create view private.entry_of_name as
select 'name' as kind, id, revision::integer, private.entry_time(recorded_at) as recorded_at, address::text, name_hash
from public.wallet_names;

create view private.entry_of_act as
select
  'act' as kind, number::bigint as id, private.entry_time(final_at) as recorded_at, acts.kind as act, subject, "by", second,
  (select row_to_json(made) from (select made_kind as kind, made_id::bigint as id) as made where made.kind is not null) as made,
  reason_hash
from public.operator_acts as acts;

create view private.entry_of_statement as
select
  'statement' as kind, id, revision::integer, private.entry_time(recorded_at) as recorded_at,
  private.entry_time(posted_at) as posted_at, private.entry_time(captured_at) as captured_at, author, tweet_url as url,
  verified as confirmed, confirmed_by_hash, text_hash, action_hash, chain_id::integer, tx_hash::text
from public.cz_calls;

create view private.entry_of_update as
select
  'update' as kind, id, revision::integer, private.entry_time(recorded_at) as recorded_at, pool_slug as pool, number,
  private.entry_time(published_at) as published_at, text_hash, links_hash, helping::bigint, helping_source_hash
from public.pool_updates;

create view private.entry_of_goal as
select
  'goal' as kind, id, revision::integer, private.entry_time(recorded_at) as recorded_at, slug as goal, stage, frozen,
  hidden, changed_by as "by", target_usd::text as target_usd, wallet::text as wallet, picture,
  private.entry_time(opened_at) as opened_at, private.entry_time(ends_at) as ends_at, title_hash, byline_hash,
  category_hash, plan_hash, story_hash, links_hash, picture_text_hash, reason_hash
from public.goal_changes;

create view private.entry_of_order as
select
  'order' as kind, changes.id, changes.revision::integer, private.entry_time(changes.recorded_at) as recorded_at,
  changes.number, changes.state, facts.account, facts.recipient, facts.recipient_account, facts.chain_id::integer,
  facts.from_address::text, facts.to_address::text, facts.token_address::text, facts.token_symbol,
  facts.token_decimals::integer, facts.token_amount::text as token_amount, facts.type, facts.pool_slug as pool,
  facts.purpose_hash, facts.statement, private.entry_time(facts.due_at) as due_at, changes.tx_hash::text, changes.ordinal
from public.order_changes as changes join public.orders as facts on facts.id = changes.number;

create view private.entry_of_draw as
select
  'draw' as kind, id, private.entry_time(recorded_at) as recorded_at, slug as goal, chain_id::bigint, start_block::bigint,
  seed_block::bigint
from public.vote_draws;

create view private.entry_of_vote as
select
  'vote' as kind, votes.id, private.entry_time(votes.recorded_at) as recorded_at, votes.slug as goal, goal_leaf,
  draws.chain_id::bigint as chain_id, token::text as token_address, decimals::integer as token_decimals,
  (select row_to_json(seed) from (select draws.seed_block::bigint as number, seed_hash::text as hash) as seed) as seed,
  (select row_to_json(block) from (select block_number::bigint as number, block_hash::text as hash) as block) as block,
  supply::text as supply, (
    select ('[' || coalesce(string_agg(row_to_json(one)::text, ',' order by one.address), '') || ']')::json
    from (
      select item ->> 'address' as address, item ->> 'balance' as balance from jsonb_array_elements(excluded) as item
    ) as one
  ) as excluded,
  eligible::text as eligible, trim_scale(quorum_percent)::text as quorum_percent, quorum::text as quorum,
  least_weight::text as least_weight, private.entry_time(closes_at) as closes_at
from public.votes join public.vote_draws as draws on draws.id = votes.draw;

create view private.entry_of_void as
select
  'void' as kind, voids.id, private.entry_time(voids.recorded_at) as recorded_at, votes.slug as goal,
  (select row_to_json(block) from (select voids.block_number::bigint as number, voids.block_hash::text as hash) as block) as block
from public.vote_voids as voids join public.votes on votes.id = voids.vote;

create view private.entry_of_ballot as
select
  'ballot' as kind, ballots.id, private.entry_time(ballots.recorded_at) as recorded_at, votes.slug as goal,
  number::bigint as number, wallet::text as wallet, choice, private.ballot_time(signed_at) as "time", signature,
  weight::text as weight
from public.vote_ballots as ballots join public.votes on votes.id = ballots.vote;

create view private.entry_of_result as
select
  'result' as kind, results.id, private.entry_time(results.recorded_at) as recorded_at, votes.slug as goal,
  ballots::bigint as ballots, support::text as support, support_wallets::bigint as support_wallets,
  against::text as against, against_wallets::bigint as against_wallets, votes.eligible::text as eligible,
  votes.quorum::text as quorum, won
from public.vote_results as results join public.votes on votes.id = results.vote;

create view private.entry_of_split_result as
select
  'split-result' as kind, results.id, private.entry_time(results.recorded_at) as recorded_at, votes.slug as goal,
  ballots::bigint as ballots, support::text as weight, support_wallets::bigint as wallets,
  votes.eligible::text as eligible, votes.quorum::text as quorum, shares, won as valid
from public.vote_results as results join public.votes on votes.id = results.vote;

create view private.entry_of_split_vote as
select
  'split-vote' as kind, id, private.entry_time(recorded_at) as recorded_at, slug as goal, least, most,
  private.entry_time(ends_at) as ends_at
from public.split_votes;

create view private.entry_of_standing_order as
select
  'standing-order' as kind, changes.id, changes.revision::integer,
  private.entry_time(changes.recorded_at) as recorded_at, changes.number, changes.state, facts.rule, facts.account,
  facts.chain_id::integer, facts.from_address::text, facts.token_address::text, facts.token_symbol,
  facts.token_decimals::integer, facts.order_limit::text as order_limit, facts.month_limit::text as month_limit,
  private.entry_time(facts.ends_at) as ends_at, facts.purpose_hash, facts.source, facts.words_hash, facts.recipient,
  facts.recipient_account, facts.to_address::text, facts.token_amount::text as token_amount, facts.pool_slug as pool,
  facts.every_days, facts.percent, facts.day
from public.standing_changes as changes join public.standing_orders as facts on facts.id = changes.number;

create view private.entry_of_standing_payment as
select
  'standing-payment' as kind, id, private.entry_time(recorded_at) as recorded_at, order_id as "order", standing, occasion
from public.standing_payments;

create view private.entry_of_split as
select
  'split' as kind, id, private.entry_time(recorded_at) as recorded_at, to_char(from_month, 'YYYY-MM') as from_month, (
    select ('{' || string_agg(to_json(part.key)::text || ':' || part.value, ',' order by part.key) || '}')::json
    from jsonb_each_text(parts) as part
  ) as parts, cause
from public.payment_splits;

create view private.entry_of_allocation as
select
  'allocation' as kind, id, private.entry_time(recorded_at) as recorded_at, chain_id::integer,
  to_char(month, 'YYYY-MM') as month, standing, split, tax_usd::text as tax_usd
from public.allocations;

create or replace function private.append_entries(log text, kind text, ids bigint[]) returns void
language plpgsql set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  lines text[];
begin
  execute format(
    'select array_agg(row_to_json(line)::text order by line.id) from private.%I as line where line.id = any ($1)',
    'entry_of_' || replace(kind, '-', '_')
  ) into lines using ids;
  perform private.append_to_log(log, kind, ids, lines);
end;
$$;

create or replace function private.log_row() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.append_entries(
    coalesce(to_jsonb(new) ->> 'log', 'ledger'), tg_argv[0], array[(to_jsonb(new) ->> tg_argv[1])::bigint]
  );
  return null;
end;
$$;

create or replace function private.log_rows() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  has_gap boolean := false;
  ids bigint[];
begin
  perform private.lock_log('ledger');
  if tg_nargs > 1 then
    execute format(
      'select exists (select from added where added.revision > 0 and not exists (
         select from %s as former where former.revision = added.revision - 1 and %s
       ))',
      tg_relid::regclass,
      (select string_agg(format('former.%1$I = added.%1$I', key), ' and ') from unnest(tg_argv[1:]) as key)
    ) into has_gap;
  end if;
  if has_gap then
    raise check_violation using
      message = 'a revision must follow the one before it', constraint = tg_table_name || '_revision_follows',
      table = tg_table_name, schema = tg_table_schema;
  end if;
  select array_agg(id order by id) into ids from added;
  perform private.append_entries('ledger', tg_argv[0], ids);
  return null;
end;
$$;

create or replace function private.check_update_numbers() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off as $$
begin
  perform private.lock_log('ledger');
  if exists (
    select from added
    where (added.revision > 0 or added.number > 1) and not exists (
      select from public.pool_updates as former
      where former.pool_slug = added.pool_slug
        and former.number = case when added.revision > 0 then added.number else added.number - 1 end
        and (added.revision = 0 or former.revision = added.revision - 1)
    )
  ) then
    raise check_violation using
      message = 'a revision must follow the one before it, and a number too',
      constraint = 'pool_updates_revision_follows', table = 'pool_updates', schema = 'public';
  end if;
  return null;
end;
$$;

create or replace function private.log_result() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.append_entries('ledger', case when exists (
    select from public.split_votes join public.votes on votes.slug = split_votes.slug where votes.id = new.vote
  ) then 'split-result' else 'result' end, array[new.id]);
  return null;
end;
$$;

revoke all on function private.append_entries, private.log_row, private.log_rows, private.check_update_numbers from public;

drop trigger if exists log_rows on private.log_withdrawals;
create trigger log_rows after insert on private.log_withdrawals
  for each row execute function private.log_row('withdrawal', 'id');
drop trigger if exists log_rows on private.log_restores;
create trigger log_rows after insert on private.log_restores
  for each row execute function private.log_row('restore', 'id');
drop trigger if exists log_rows on public.transactions;
create trigger log_rows after insert on public.transactions
  referencing new table as added for each statement
  execute function private.log_rows('transaction', 'chain_id', 'tx_hash', 'ordinal');
drop trigger if exists log_rows on public.wallet_names;
create trigger log_rows after insert on public.wallet_names
  referencing new table as added for each statement execute function private.log_rows('name', 'address');
drop trigger if exists log_rows on public.operator_acts;
create trigger log_rows after insert or update on public.operator_acts
  for each row when (new.state = 'done') execute function private.log_row('act', 'number');
drop trigger if exists log_rows on public.cz_calls;
create trigger log_rows after insert on public.cz_calls
  referencing new table as added for each statement execute function private.log_rows('statement', 'tweet_url');
drop trigger if exists log_rows on public.pool_updates;
create trigger log_rows after insert on public.pool_updates
  referencing new table as added for each statement execute function private.log_rows('update');
drop trigger if exists log_rows on public.goal_changes;
create trigger log_rows after insert on public.goal_changes
  for each row execute function private.log_row('goal', 'id');
drop trigger if exists log_rows on public.order_changes;
create trigger log_rows after insert on public.order_changes
  for each row execute function private.log_row('order', 'id');
drop trigger if exists log_rows on public.vote_draws;
create trigger log_rows after insert on public.vote_draws
  for each row execute function private.log_row('draw', 'id');
drop trigger if exists log_rows on public.votes;
create trigger log_rows after insert on public.votes
  for each row execute function private.log_row('vote', 'id');
drop trigger if exists log_rows on public.vote_voids;
create trigger log_rows after insert on public.vote_voids
  for each row execute function private.log_row('void', 'id');
drop trigger if exists log_rows on public.vote_ballots;
create trigger log_rows after insert on public.vote_ballots
  referencing new table as added for each statement execute function private.log_rows('ballot');
drop trigger if exists log_rows on public.split_votes;
create trigger log_rows after insert on public.split_votes
  for each row execute function private.log_row('split-vote', 'id');
drop trigger if exists log_rows on public.standing_changes;
create trigger log_rows after insert on public.standing_changes
  for each row execute function private.log_row('standing-order', 'id');
drop trigger if exists log_rows on public.standing_payments;
create trigger log_rows after insert on public.standing_payments
  for each row execute function private.log_row('standing-payment', 'id');
drop trigger if exists log_rows on public.payment_splits;
create trigger log_rows after insert on public.payment_splits
  for each row execute function private.log_row('split', 'id');
drop trigger if exists log_rows on public.allocations;
create trigger log_rows after insert on public.allocations
  for each row execute function private.log_row('allocation', 'id');
create trigger check_numbers after insert on public.pool_updates
  referencing new table as added for each statement execute function private.check_update_numbers();

drop function private.log_withdrawal(),
  private.log_restore(),
  private.log_transactions(),
  private.log_names(),
  private.log_act(),
  private.log_statements(),
  private.log_updates(),
  private.log_goal_change(),
  private.log_order_change(),
  private.log_draw(),
  private.log_vote(),
  private.log_void(),
  private.log_ballots(),
  private.log_split_vote(),
  private.log_standing_change(),
  private.log_standing_payment(),
  private.log_split(),
  private.log_allocation();

do $$
declare
  each regclass;
begin
  for each in select oid from pg_class where relnamespace::regnamespace::text in ('public', 'private') and relkind = 'r' loop
    execute format('alter table %s enable row level security', each);
  end loop;
end $$;
