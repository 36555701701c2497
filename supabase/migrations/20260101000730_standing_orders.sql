-- Standing orders: rules that two operators approve and one suspends, which make orders by themselves within limits. A
-- rule of kind `call` answers a post of one source, `allocation` divides the trading tax of a month, `vote` pays a goal
-- that won. Each order that a rule makes is public before it is paid, as every other order.

set check_function_bodies = off;

-- Tables ----------------------------------------------------------------------------------------------------

create table public.standing_orders (
  id bigint generated always as identity primary key,
  state text not null default 'active'
    constraint standing_orders_state_known check (state in ('active', 'suspended')),
  revision private.revision not null default 0,
  rule text not null
    constraint standing_orders_rule_known check (rule in ('call', 'allocation', 'vote')),
  account text not null references private.accounts (slug),
  chain_id private.chain_id not null,
  from_address private.address not null,
  token_address private.address not null,
  token_symbol text not null,
  token_decimals private.decimals not null,
  order_limit private.base_units not null
    constraint standing_orders_limit_positive check (order_limit > 0),
  month_limit private.base_units not null,
  made_at private.moment not null default now(),
  ends_at private.moment not null,
  purpose_hash text not null references private.log_texts (hash),
  source text,
  words_hash text references private.log_texts (hash),
  recipient text
    constraint standing_orders_recipient_known check (recipient in ('named', 'pool')),
  recipient_account text references private.accounts (slug),
  to_address private.address,
  token_amount private.base_units,
  pool_slug text references private.accounts (slug),
  every_days integer
    constraint standing_orders_every_days_range check (every_days between 1 and 366),
  percent integer
    constraint standing_orders_percent_range check (percent between 1 and 1000),
  day integer
    constraint standing_orders_day_range check (day between 2 and 28),
  constraint standing_orders_limits check (month_limit >= order_limit),
  constraint standing_orders_end check (ends_at > made_at and ends_at <= made_at + interval '1 year'),
  constraint standing_orders_call_whole check (
    (rule = 'call') = (source is not null and words_hash is not null and recipient is not null and to_address is not null
      and token_amount is not null and every_days is not null and account = 'donation-wallet')
    and (token_amount is null or token_amount between 1 and order_limit)
  ),
  constraint standing_orders_allocation_whole check ((rule = 'allocation') = (percent is not null and day is not null))
);
comment on table public.standing_orders is 'Rules that make orders by themselves. Two operators approved each.';
comment on column public.standing_orders.order_limit is 'The most that one order of the rule may pay.';
comment on column public.standing_orders.month_limit is 'The most that its orders of 30 days may pay together; of an allocation, those for a month of tax.';
comment on column public.standing_orders.every_days is 'call: it makes at most one order in so many days.';
comment on column public.standing_orders.percent is 'allocation: the part of the tax that it divides, in tenths of a percent.';
comment on column public.standing_orders.day is 'allocation: the day of the month on which it divides the tax of the month before.';
create unique index standing_orders_one_active on public.standing_orders (chain_id, rule)
  where state = 'active' and rule <> 'call';

create table public.standing_changes (
  id bigint generated always as identity primary key,
  number bigint not null references public.standing_orders (id),
  revision private.revision not null,
  state text not null,
  recorded_at private.moment not null default now(),
  constraint standing_changes_key unique (number, revision)
);
comment on table public.standing_changes is 'The approval of each standing order (revision 0), and its suspension. Each is an entry `standing-order`.';

create table public.standing_payments (
  id bigint generated always as identity primary key,
  order_id bigint not null unique references public.orders (id),
  standing bigint not null references public.standing_orders (id),
  occasion text not null
    constraint standing_payments_occasion_length check (char_length(occasion) between 1 and 2000),
  payee private.address not null,
  recorded_at private.moment not null default now(),
  constraint standing_payments_once unique (standing, occasion, payee)
);
comment on table public.standing_payments is 'The orders that standing orders made. Each is an entry `standing-payment`, directly after the first entry of its order.';
comment on column public.standing_payments.occasion is 'What it answers: the link of a statement, the month of a tax (2026-11), or the name of a goal.';

create table public.payment_splits (
  id bigint generated always as identity primary key,
  from_month private.calendar_day not null
    constraint payment_splits_month check (extract(day from from_month) = 1),
  parts jsonb not null
    constraint payment_splits_parts check (jsonb_typeof(parts) = 'object'),
  cause text not null unique
    constraint payment_splits_cause_length check (char_length(cause) between 1 and 100),
  recorded_at private.moment not null default now()
);
comment on table public.payment_splits is 'How an allocation is divided from a month on, in tenths of a percent. Each is an entry `split`.';
comment on column public.payment_splits.cause is 'What decided it: `standing-order 3`, or a vote.';

create table public.allocations (
  id bigint generated always as identity primary key,
  chain_id private.chain_id not null,
  month private.calendar_day not null
    constraint allocations_month check (extract(day from month) = 1),
  standing bigint not null references public.standing_orders (id),
  split bigint not null references public.payment_splits (id),
  tax_usd private.dollar_sum not null,
  recorded_at private.moment not null default now(),
  constraint allocations_once unique (chain_id, month)
);
comment on table public.allocations is 'The months whose tax was divided. Each is an entry `allocation`, before its orders.';
comment on column public.allocations.tax_usd is 'The verified tax of the month when it was divided. A later correction is shown, and not paid.';

create table private.suspended_tokens (
  chain_id private.chain_id,
  address private.address,
  order_id bigint not null references public.orders (id),
  since private.moment not null default now(),
  primary key (chain_id, address)
);
comment on table private.suspended_tokens is 'Tokens that moved another amount than an order says, for example because they take a fee. The payer pays nothing in them.';

-- What the job found out while the payer's transactions on chain differ from the ones that the ledger knows.
create table private.payer_gaps (
  is_only_row boolean primary key default true
    constraint payer_gaps_is_only_row check (is_only_row),
  chain_id private.chain_id not null,
  payer private.address not null,
  nonce private.safe_integer not null,
  found_at private.moment not null default now(),
  looked_at private.moment not null default now()
);
comment on table private.payer_gaps is 'The payer has sent `nonce` transactions, and the ledger knows another number.';

create table private.payment_senders (
  tx_hash private.hash32 primary key,
  sender private.address not null
);
comment on table private.payment_senders is 'Who sent the transactions of payments without an order, read while there is a gap.';

create table private.payer_acceptances (
  id bigint generated always as identity primary key,
  chain_id private.chain_id not null,
  payer private.address not null,
  nonce private.safe_integer not null,
  made_at private.moment not null default now()
);
comment on table private.payer_acceptances is 'From which nonce on two operators let the payer go on, after each of its transfers had an order.';

-- Triggers --------------------------------------------------------------------------------------------------

create function private.keep_standing_order() returns trigger
language plpgsql set search_path = '' as $$
begin
  if old.state <> 'active' or new.state <> 'suspended' or new.revision <> old.revision + 1
    or to_jsonb(new) - '{state,revision}'::text[] <> to_jsonb(old) - '{state,revision}'::text[] then
    raise exception 'standing order % can only be suspended', old.id
      using errcode = 'check_violation', constraint = 'standing_orders_move';
  end if;
  return new;
end;
$$;
create trigger keep_standing_order before update on public.standing_orders
  for each row execute function private.keep_standing_order();

call private.refuse('delete or truncate', 'public.standing_orders');
call private.refuse(
  'update or delete or truncate', 'public.standing_changes', 'public.standing_payments', 'public.payment_splits',
  'public.allocations', 'private.suspended_tokens', 'private.payer_acceptances'
);

create view private.entry_of_standing_order as
select
  'standing-order' as kind, changes.id, changes.revision::integer,
  private.entry_time(changes.recorded_at) as recorded_at, private.rules() as rules,
  changes.number, changes.state, facts.rule, facts.account,
  facts.chain_id::integer, facts.from_address::text, facts.token_address::text, facts.token_symbol,
  facts.token_decimals::integer, facts.order_limit::text as order_limit, facts.month_limit::text as month_limit,
  private.entry_time(facts.ends_at) as ends_at, facts.purpose_hash, facts.source, facts.words_hash, facts.recipient,
  facts.recipient_account, facts.to_address::text, facts.token_amount::text as token_amount, facts.pool_slug as pool,
  facts.every_days, facts.percent, facts.day
from public.standing_changes as changes join public.standing_orders as facts on facts.id = changes.number;
create trigger log_rows after insert on public.standing_changes
  for each row execute function private.log_row('standing-order', 'id');

create view private.entry_of_standing_payment as
select
  'standing-payment' as kind, id, private.entry_time(recorded_at) as recorded_at, private.rules() as rules,
  order_id as "order", standing, occasion
from public.standing_payments;
create trigger log_rows after insert on public.standing_payments
  for each row execute function private.log_row('standing-payment', 'id');

create view private.entry_of_split as
select
  'split' as kind, id, private.entry_time(recorded_at) as recorded_at, private.rules() as rules,
  to_char(from_month, 'YYYY-MM') as from_month, (
    select ('{' || string_agg(to_json(part.key)::text || ':' || part.value, ',' order by part.key) || '}')::json
    from jsonb_each_text(parts) as part
  ) as parts, cause
from public.payment_splits;
create trigger log_rows after insert on public.payment_splits
  for each row execute function private.log_row('split', 'id');

create view private.entry_of_allocation as
select
  'allocation' as kind, id, private.entry_time(recorded_at) as recorded_at, private.rules() as rules,
  chain_id::integer,
  to_char(month, 'YYYY-MM') as month, standing, split, tax_usd::text as tax_usd
from public.allocations;
create trigger log_rows after insert on public.allocations
  for each row execute function private.log_row('allocation', 'id');

-- The split from the next month on, or from this month if a standing order has it. `parts`: tenths of a percent of each pool, of
-- 'donation-wallet' (CZ Call), 'goals' (winners of FundMe) and 'reserve', together 1000; the last two stay in the
-- treasury. `cause`: what decided it; the same cause sets it once. Returns the id. The caller holds the log's lock.
create function private.set_split(parts jsonb, cause text) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  this_month constant date := date_trunc('month', now() at time zone 'UTC');
  known bigint;
begin
  select id into known from public.payment_splits where payment_splits.cause = set_split.cause;
  if known is not null then
    return known;
  elsif exists (
    select from jsonb_each_text(set_split.parts) as part
    where part.value !~ '^\d{1,4}$' or (part.key not in ('donation-wallet', 'goals', 'reserve') and not exists (
      select from private.accounts where slug = part.key and is_pool
    ))
  ) or (select sum(part.value::integer) from jsonb_each_text(set_split.parts) as part) is distinct from 1000 then
    raise exception 'a split has parts of pools, the donation wallet, goals and the reserve, together 1000'
      using errcode = 'check_violation', constraint = 'payment_splits_whole';
  end if;
  insert into public.payment_splits (from_month, parts, cause)
  values (
    case when set_split.cause like 'standing-order %' then this_month else this_month + interval '1 month' end,
    set_split.parts, set_split.cause
  )
  returning id into known;
  return known;
end;
$$;

-- What operators may call -----------------------------------------------------------------------------------

create function private.standing_revision(subject text) returns integer
language sql stable security definer set search_path = '' as $$
  select revision from public.standing_orders where id::text = subject
$$;

create function private.whole_between(field text, typed text, lowest integer, highest integer) returns integer
language plpgsql set search_path = '' as $$
begin
  perform private.check_words(field, typed, 1, 12);
  perform private.check_pattern(field, typed, '^\d{1,6}$');
  if typed::integer not between lowest and highest then
    perform private.refuse_field(field, 'range');
  end if;
  return typed::integer;
end;
$$;

-- The lines 'education 30' of a split, in tenths of a percent.
create function private.split_parts(typed text) returns jsonb
language plpgsql set search_path = '' as $$
declare
  line text;
  parts jsonb := '{}'::jsonb;
  name text;
begin
  perform private.check_words('split', typed, 1, 1000, true);
  for line in select regexp_split_to_table(typed, E'\n') loop
    perform private.check_pattern('split', line, '^[a-z][a-z-]{0,49} \d{1,3}(\.\d)?$');
    name := split_part(line, ' ', 1);
    if parts ? name or not (name in ('donation-wallet', 'goals', 'reserve') or exists (
      select from private.open_pools where slug = name
    )) then
      perform private.refuse_field('split', 'format');
    end if;
    parts := parts || jsonb_build_object(name, (split_part(line, ' ', 2)::numeric * 10)::integer);
  end loop;
  if (select sum(part.value::integer) from jsonb_each_text(parts) as part) <> 1000 then
    perform private.refuse_field('split', 'sum');
  end if;
  return parts;
end;
$$;

-- What a rule of each kind has: who pays, the token, the limits and the end. `fields`: those that its kind has besides.
create function private.common_rule(given jsonb, settings private.payment_settings, fields text[])
returns public.standing_orders
language plpgsql security definer set search_path = '' as $$
declare
  rule public.standing_orders;
  token private.payment_tokens;
  other text;
begin
  select field into other
  from unnest('{source,words,to,amount,every,pool,percent,day,split}'::text[]) as field
  where given ->> field is not null and field <> all (fields) limit 1;
  if other is not null then
    perform private.refuse_field(other, 'other_rule');
  end if;
  rule.rule := given ->> 'rule';
  rule.chain_id := settings.chain_id;
  rule.account := case rule.rule when 'call' then 'donation-wallet' else 'treasury' end;
  select address into rule.from_address from private.paying_wallets
  where chain_id = settings.chain_id and account = rule.account;
  if rule.from_address is null then
    perform private.refuse_field('rule', 'no_wallet');
  end if;
  perform private.check_words('token', given ->> 'token', 1, 32);
  select * into token from private.payment_tokens
  where chain_id = settings.chain_id and symbol = given ->> 'token';
  if token.address is null then
    perform private.refuse_field('token', 'unknown');
  end if;
  rule.token_address := token.address;
  rule.token_symbol := token.symbol;
  rule.token_decimals := token.decimals;
  rule.order_limit := private.token_units('order_limit', given ->> 'order_limit', token, settings.limit_tokens);
  rule.month_limit := private.token_units('month_limit', given ->> 'month_limit', token, 31 * settings.limit_tokens::numeric);
  if rule.month_limit < rule.order_limit then
    perform private.refuse_field('month_limit', 'range');
  end if;
  perform private.check_words('ends', given ->> 'ends', 1, 40);
  perform private.check_pattern('ends', given ->> 'ends', '^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$');
  rule.ends_at := (given ->> 'ends')::timestamptz;
  if rule.ends_at < now() + interval '1 hour' then
    perform private.refuse_field('ends', 'past');
  elsif rule.ends_at > now() + interval '1 year' then
    perform private.refuse_field('ends', 'year');
  end if;
  perform private.check_words('purpose', given ->> 'purpose', 1, 2000, true);
  rule.purpose_hash := private.keep_text('ledger', given ->> 'purpose');
  return rule;
end;
$$;

-- A rule of kind `call`, with what it answers and pays. `operator`: who proposed it.
create function private.call_rule(given jsonb, common public.standing_orders, operator text) returns public.standing_orders
language plpgsql security definer set search_path = '' as $$
declare
  rule public.standing_orders := common;
  token constant private.payment_tokens := (rule.chain_id, rule.token_symbol, rule.token_address, rule.token_decimals);
  whom jsonb;
begin
  rule.source := given ->> 'source';
  perform private.check_words('source', rule.source, 1, 500);
  if rule.source = 'x:posts' or not exists (
    select from private.statement_sources where source = rule.source and is_configured
  ) then
    perform private.refuse_field('source', 'unknown');
  end if;
  perform private.check_words('words', given ->> 'words', 2, 1000, true);
  if exists (
    select from regexp_split_to_table(given ->> 'words', E'\n') as line
    where char_length(btrim(line)) not between 2 and 100
  ) then
    perform private.refuse_field('words', 'length');
  elsif private.has_bare_line(given ->> 'words') then
    perform private.refuse_field('words', 'letters');
  end if;
  rule.words_hash := private.keep_text('ledger', given ->> 'words');
  perform private.check_words('to', given ->> 'to', 1, 42);
  perform private.check_pattern('to', given ->> 'to', '^0x[0-9a-f]{40}$');
  rule.to_address := given ->> 'to';
  rule.pool_slug := given ->> 'pool';
  whom := private.recipient_of(rule.chain_id, rule.to_address);
  rule.recipient := whom ->> 'recipient';
  rule.recipient_account := whom ->> 'account';
  if rule.to_address = rule.from_address then
    perform private.refuse_field('to', 'same');
  elsif rule.recipient is null or rule.recipient = 'goal' then
    perform private.refuse_field('to', 'unnamed');
  elsif private.is_own_wallet(rule.to_address, operator) then
    perform private.refuse_act('own_payment', jsonb_build_object('field', 'to'));
  elsif rule.pool_slug is not null and rule.recipient = 'pool' then
    perform private.refuse_field('pool', 'fixed');
  elsif rule.pool_slug is not null and not exists (
    select from private.open_pools where slug = rule.pool_slug
  ) then
    perform private.refuse_field('pool', 'unknown');
  end if;
  rule.token_amount := private.token_units(
    'amount', given ->> 'amount', token, rule.order_limit / ('1e' || rule.token_decimals)::numeric
  );
  rule.every_days := private.whole_between('every', given ->> 'every', 1, 366);
  return rule;
end;
$$;

-- A rule of kind `allocation`, with the part of the tax that it divides and its day.
create function private.allocation_rule(given jsonb, common public.standing_orders) returns public.standing_orders
language plpgsql security definer set search_path = '' as $$
declare
  rule public.standing_orders := common;
begin
  perform private.check_words('percent', given ->> 'percent', 1, 12);
  perform private.check_pattern('percent', given ->> 'percent', '^\d{1,3}(\.\d)?$');
  rule.percent := ((given ->> 'percent')::numeric * 10)::integer;
  if rule.percent not between 1 and 1000 then
    perform private.refuse_field('percent', 'range');
  end if;
  rule.day := private.whole_between('day', given ->> 'day', 2, 28);
  return rule;
end;
$$;

-- The split of a rule of kind `allocation`; null if it is voted: what token holders decided stays until they decide again.
create function private.split_of_rule(given jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.payment_splits where cause not like 'standing-order %') then
    return private.split_parts(given ->> 'split');
  elsif given ->> 'split' is not null then
    perform private.refuse_field('split', 'voted');
  end if;
  return null;
end;
$$;

create function private.perform_standing_order(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  given constant jsonb := act.arguments;
  kind_of constant text := coalesce(given ->> 'rule', '');
  settings constant private.payment_settings := private.settings_for(act);
  rule public.standing_orders;
  parts jsonb;
  made bigint;
  change bigint;
begin
  if kind_of not in ('call', 'allocation', 'vote') then
    perform private.refuse_field('rule', 'unknown');
  elsif kind_of <> 'call' and exists (
    select from public.standing_orders as others
    where others.chain_id = settings.chain_id and others.rule = kind_of and others.state = 'active'
  ) then
    perform private.refuse_act('exists', jsonb_build_object('field', 'rule'));
  end if;
  rule := private.common_rule(given, settings, case kind_of
    when 'call' then '{source,words,to,amount,every,pool}'::text[]
    when 'allocation' then '{percent,day,split}'::text[]
    else '{}'::text[] end);
  if kind_of = 'call' then
    rule := private.call_rule(given, rule, act."by");
  elsif kind_of = 'allocation' then
    rule := private.allocation_rule(given, rule);
    parts := private.split_of_rule(given);
  end if;
  insert into public.standing_orders (
    rule, account, chain_id, from_address, token_address, token_symbol, token_decimals, order_limit, month_limit, ends_at,
    purpose_hash, source, words_hash, recipient, recipient_account, to_address, token_amount, pool_slug, every_days,
    percent, day
  )
  values (
    rule.rule, rule.account, rule.chain_id, rule.from_address, rule.token_address, rule.token_symbol, rule.token_decimals,
    rule.order_limit, rule.month_limit, rule.ends_at, rule.purpose_hash, rule.source, rule.words_hash, rule.recipient,
    rule.recipient_account, rule.to_address, rule.token_amount, rule.pool_slug, rule.every_days, rule.percent, rule.day
  )
  returning id into made;
  if parts is not null then
    perform private.set_split(parts, 'standing-order ' || made);
  end if;
  insert into public.standing_changes (number, revision, state) values (made, 0, 'active') returning id into change;
  return jsonb_build_object('subject', made::text, 'made_kind', 'standing-order', 'made_id', change);
end;
$$;

-- Ends a standing order, and stops its orders that are not sent.
create function private.perform_suspend(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  about public.standing_orders;
  change bigint;
begin
  select * into about from public.standing_orders where id::text = act.subject for update;
  if about.state <> 'active' then
    perform private.refuse_act('changed');
  end if;
  perform private.move_order(orders.id, 'stopped')
  from (
    select orders.id from public.standing_payments as made
    join public.orders on orders.id = made.order_id and orders.state in ('announced', 'taken')
    where made.standing = about.id order by orders.id
  ) as orders;
  update public.standing_orders set state = 'suspended', revision = about.revision + 1 where id = about.id;
  insert into public.standing_changes (number, revision, state) values (about.id, about.revision + 1, 'suspended')
  returning id into change;
  return jsonb_build_object('subject', act.subject, 'made_kind', 'standing-order', 'made_id', change);
end;
$$;

-- Rows of the ledger out of our wallets that no order paid and whose sender is unknown, since the first order.
create function private.unmatched_payments(chain integer) returns table (id bigint, tx_hash text, is_checked boolean, sender text)
language sql stable security definer set search_path = '' as $$
  select facts.id::bigint, facts.tx_hash::text, statuses.status = 'verified', senders.sender::text
  from public.transactions as facts
  join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
  left join private.payment_senders as senders on senders.tx_hash = facts.tx_hash
  where facts.chain_id = chain and facts.direction = 'out' and statuses.status in ('verified', 'pending', 'unreachable')
    and facts.from_address in (select address from private.paying_wallets where chain_id = chain)
    and facts.occurred_at >= coalesce((select min(announced_at) from public.orders where orders.chain_id = chain), '2015-01-01')
    and not exists (
      select from public.orders
      where orders.chain_id = facts.chain_id and orders.tx_hash = facts.tx_hash
        and (orders.ordinal = facts.ordinal or orders.state = 'mismatched')
    )
    and not exists (
      select from public.transactions as later
      where later.chain_id = facts.chain_id and later.tx_hash = facts.tx_hash and later.ordinal = facts.ordinal
        and later.revision = facts.revision + 1
    )
$$;

-- Two operators let the payer go on after a restored backup: each transfer that the payer made has its order.
create function private.perform_acceptance(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  gap private.payer_gaps;
begin
  if act."by" is null then
    perform private.refuse_act('operators_only');
  end if;
  select * into gap from private.payer_gaps where looked_at > now() - interval '1 hour';
  if gap.nonce is null then
    perform private.refuse_act('no_gap');
  elsif exists (
    select from private.unmatched_payments(gap.chain_id) where not is_checked or sender is null
  ) then
    perform private.refuse_act('gap_unread');
  elsif exists (select from private.unmatched_payments(gap.chain_id) where sender = gap.payer) then
    perform private.refuse_act('gap_unmatched');
  end if;
  insert into private.payer_acceptances (chain_id, payer, nonce) values (gap.chain_id, gap.payer, gap.nonce);
  delete from private.payer_gaps where is_only_row;
  return jsonb_build_object('subject', gap.payer || '/' || gap.nonce);
end;
$$;

insert into private.act_kinds (kind, people, subject, least_reason, performer, revision_of, fields) values
  ('standing-order', 2, 'none', 0, 'perform_standing_order', null,
    '{rule,token,order_limit,month_limit,ends,purpose,source,words,to,amount,pool,every,percent,day,split}'),
  ('suspend', 1, 'required', 10, 'perform_suspend', 'standing_revision', '{}'),
  ('payer-acceptance', 2, 'none', 10, 'perform_acceptance', null, '{}');

-- What standing orders do -----------------------------------------------------------------------------------

-- What the orders of a rule pay together in the 30 days until a time, or for a month of tax. An order that ended before it
-- had a nonce does not count. One that failed counts, because only the worker says that it failed.
create function private.standing_sum(of_rule bigint, until timestamptz, of_month text default null) returns numeric
language sql stable security definer set search_path = '' as $$
  select coalesce(sum(orders.token_amount), 0)
  from public.standing_payments as made join public.orders on orders.id = made.order_id
  where made.standing = of_rule and orders.state not in ('stopped', 'expired')
    and case when of_month is null then orders.announced_at > until - interval '720 hours' and orders.announced_at <= until
      else made.occasion = of_month end
$$;

-- Whether a rule may order payments now: it is active, and its wallet and its token are configured.
create function private.may_order(rule public.standing_orders) returns boolean
language sql stable security definer set search_path = '' as $$
  select rule.state = 'active' and rule.ends_at > now() and exists (
    select from private.paying_wallets as wallets
    where wallets.chain_id = rule.chain_id and wallets.account = rule.account and wallets.address = rule.from_address
  ) and private.takes_payments(rule.chain_id, rule.token_address, rule.token_decimals)
$$;

-- What a rule may still order now, in base units.
create function private.standing_room(rule public.standing_orders) returns numeric
language sql stable security definer set search_path = '' as $$
  select case when private.may_order(rule)
  then greatest(0, rule.month_limit - private.standing_sum(rule.id, now())) else 0 end
$$;

-- The most that one order of a rule may pay now, in base units.
create function private.most_of_order(rule public.standing_orders) returns numeric
language sql stable security definer set search_path = '' as $$
  select least(rule.order_limit, limit_tokens * ('1e' || rule.token_decimals)::numeric) from private.payment_settings
$$;

-- Announces an order of a rule: its first entry, and the entry that names the rule. The caller has checked the limits and
-- holds the log's lock. Returns the number of the order.
create function private.announce_order(
  rule public.standing_orders, whom jsonb, payee text, amount numeric, kind_of text, pool text, occasion text,
  statement text default null
) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  settings private.payment_settings;
  notice interval;
  begins timestamptz;
  made bigint;
begin
  select * into settings from private.payment_settings;
  notice := make_interval(hours => settings.notice_hours);
  begins := private.notice_begins(settings, rule.from_address, whom);
  insert into public.orders (
    account, recipient, recipient_account, chain_id, from_address, to_address, token_address, token_symbol,
    token_decimals, token_amount, type, pool_slug, purpose_hash, statement, due_at, expires_at
  )
  values (
    rule.account, whom ->> 'recipient', whom ->> 'account', rule.chain_id, rule.from_address, payee, rule.token_address,
    rule.token_symbol, rule.token_decimals, amount, kind_of, pool, rule.purpose_hash, announce_order.statement,
    begins + notice, begins + notice + interval '7 days'
  )
  returning id into made;
  insert into public.order_changes (number, revision, state) values (made, 0, 'announced');
  insert into public.standing_payments (order_id, standing, occasion, payee)
  values (made, rule.id, announce_order.occasion, announce_order.payee);
  return made;
end;
$$;

-- A text in lower case, the same on each locale of a database: Latin, Greek and Cyrillic letters, and each i of Turkish as i.
create function private.folded(text text) returns text
language sql immutable set search_path = '' as $$
  select translate(normalize(folded.text, nfkc), letters.upper, letters.lower)
  from (
    select string_agg(chr(code), '' order by code) as upper, string_agg(chr(code + gap), '' order by code) as lower
    from (
      select code, 32 as gap from generate_series(65, 90) as code
      union all select code, 32 from generate_series(192, 222) as code where code <> 215
      union all select code, 1 from generate_series(256, 310, 2) as code where code <> 304
      union all select code, 1 from generate_series(313, 327, 2) as code
      union all select code, 1 from generate_series(330, 374, 2) as code
      union all select code, 1 from generate_series(377, 381, 2) as code
      union all select code, -199 from (values (304)) as one (code)
      union all select code, -200 from (values (305)) as one (code)
      union all select code, 32 from generate_series(913, 939) as code where code <> 930
      union all select code, 80 from generate_series(1024, 1039) as code
      union all select code, 32 from generate_series(1040, 1071) as code
    ) as pairs
  ) as letters
$$;

-- The words of a text, folded, with a space before and after each. Words of tags are apart ('#CleanWater'); each character of
-- a script without spaces (Thai, Lao, Burmese, Khmer, Kana, Chinese) is a word, so that a line in it is found anywhere.
create function private.spaced(text text) returns text
language sql immutable set search_path = '' as $$
  select ' ' || btrim(regexp_replace(regexp_replace(
    private.folded(regexp_replace(
      regexp_replace(spaced.text, '[\u00ad\u034f\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]', '', 'g'),
      '(?<=[a-z0-9])(?=[A-Z])', ' ', 'g'
    )),
    '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u9fff\U00020000-\U0003ffff])', ' \& ', 'g'
  ), '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u2010-\u206f\u20a0-\u20ff\u2190-\u2bff\u3000-\u303f\ufe10-\ufe6f\uff00-\uff0f\uff1a-\uff20\U0001f000-\U0001faff]+', ' ', 'g')) || ' '
$$;

-- Whether a line of `words` has fewer than three letters and digits, or two characters of a script without spaces: nearly
-- every post has it.
create function private.has_bare_line(words text) returns boolean
language sql immutable set search_path = '' as $$
  select exists (
    select from regexp_split_to_table(has_bare_line.words, E'\n') as line
    where char_length(replace(private.spaced(line), ' ', '')) < case when private.spaced(line) ~ '[\u3400-\u9fff]' then 2 else 3 end
  )
$$;

-- Whether a text has one of the lines of `words`, as whole words, in any case.
create function private.has_words(text text, words text) returns boolean
language sql immutable set search_path = '' as $$
  select exists (
    select from regexp_split_to_table(has_words.words, E'\n') as line
    where private.spaced(line) <> '  '
      and strpos(private.spaced(has_words.text) collate "C", private.spaced(line) collate "C") > 0
  )
$$;

-- A post that a source has for the first time, with its words and as this source has it, becomes a statement with its
-- orders if rules answer it, in the transaction that stores it. Others wait for an operator.
create function private.answer_post(post private.statement_posts, words text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  rule public.standing_orders;
  whom jsonb;
  action text := '';
  rules public.standing_orders[] := '{}'::public.standing_orders[];
begin
  if exists (select from public.cz_calls where tweet_url = post.url) then
    return;
  end if;
  -- What an operator could not publish waits for one.
  begin
    perform private.check_words('text', words, 1, 5000, true);
    perform private.check_words('author', post.author, 1, 100);
  exception when raise_exception then
    return;
  end;
  for rule in
    select * from public.standing_orders as rules
    where rules.rule = 'call' and rules.state = 'active' and rules.ends_at > now() and rules.source = post.source
      and rules.made_at <= post.posted_at and rules.made_at <= now()
    order by rules.id
  loop
    whom := private.recipient_of(rule.chain_id, rule.to_address);
    if private.has_words(words, (select text from private.log_texts where hash = rule.words_hash))
      and not exists (
        select from public.standing_payments as former
        where former.standing = rule.id and (
          former.recorded_at > now() - make_interval(hours => 24 * rule.every_days) or former.occasion = post.url
        )
      )
      and whom ->> 'recipient' = rule.recipient and (whom ->> 'account') is not distinct from rule.recipient_account
      and rule.token_amount <= least(private.standing_room(rule), private.most_of_order(rule)) then
      rules := rules || rule;
      action := concat_ws(E'\n', nullif(action, ''), format(
        'Standing order %s: %s %s to %s.', rule.id,
        trim_scale(rule.token_amount / ('1e' || rule.token_decimals)::numeric), rule.token_symbol,
        coalesce(whom ->> 'account', (select name from private.current_names where address = rule.to_address))
      ));
    end if;
  end loop;
  if cardinality(rules) = 0 then
    return;
  end if;
  perform public.append_statement(jsonb_build_object(
    'posted_at', post.posted_at, 'captured_at', now(), 'author', post.author, 'tweet_text', words,
    'tweet_url', post.url, 'action_taken', action, 'revision', 0
  ));
  foreach rule in array rules loop
    perform private.announce_order(
      rule, private.recipient_of(rule.chain_id, rule.to_address), rule.to_address, rule.token_amount, 'donation',
      rule.pool_slug, post.url, post.url
    );
  end loop;
end;
$$;

-- Which of the last 100 posts of a source have a line of `words` in their first text, newest first: [{id, url, author,
-- posted_at}], and how many posts there are. For operators, before they approve a rule; null for other members.
create function public.posts_with_words(source text, words text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('many', count(*), 'posts', coalesce(jsonb_agg(jsonb_build_object(
    'id', last.id, 'url', last.url, 'author', last.author, 'posted_at', last.posted_at
  ) order by last.id desc) filter (where private.has_words(last.text, posts_with_words.words)), '[]'))
  from (
    select posts.id, posts.url, posts.author, posts.posted_at, (
      select captures.text from private.statement_captures as captures where captures.post = posts.id
      order by captures.id limit 1
    ) as text
    from private.statement_posts as posts where posts.source = posts_with_words.source
    order by posts.id desc limit 100
  ) as last
  where private.is_operator()
  having private.is_operator()
$$;

-- Answers a post when its first text is stored. A time that the source does not state proves nothing.
create function private.answer_capture() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.answer_post(posts, new.text) from private.statement_posts as posts
  where posts.id = new.post and posts.state = 'open' and not posts.time_is_capture and not exists (
    select from private.statement_captures as former where former.post = new.post and former.id < new.id
  );
  return null;
end;
$$;
create trigger answer_capture after insert on private.statement_captures
  for each row execute function private.answer_capture();

-- Locks the log before the posts of a source, as every other function does, if a rule may answer one of them.
create function private.lock_for_calls() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from public.standing_orders where rule = 'call' and state = 'active' and ends_at > now()
  ) then
    perform private.lock_log('ledger');
  end if;
  return null;
end;
$$;
create trigger lock_for_calls before update on private.statement_sources
  for each statement execute function private.lock_for_calls();

-- The order of a goal that won its vote: what it lacks, from the treasury, if a rule of kind `vote` allows it.
-- Returns its number; null leaves the order to operators. The caller holds the log's lock.
create function private.order_of_vote(goal text) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  rule public.standing_orders;
  winner public.goals;
  decided timestamptz;
  approval public.operator_acts;
  whom jsonb;
  amount numeric;
begin
  select max(results.recorded_at) into decided
  from public.vote_results as results join public.votes on votes.id = results.vote
  where votes.slug = goal and results.won;
  select * into winner from public.goals where goals.slug = goal and stage in ('open', 'ended') and not frozen;
  select * into rule from public.standing_orders as rules
  where rules.rule = 'vote' and rules.state = 'active' and rules.ends_at > now()
    and rules.chain_id = (select chain_id from private.payment_settings);
  select acts.* into approval
  from public.operator_acts as acts
  join public.standing_changes as first on first.id = acts.made_id and first.number = rule.id and first.revision = 0
  where acts.kind = 'standing-order' and acts.made_kind = 'standing-order';
  whom := private.recipient_of(rule.chain_id, winner.wallet);
  amount := trunc(private.goal_lacks(winner.slug) * ('1e' || rule.token_decimals)::numeric);
  if decided is null or rule.id is null or whom ->> 'account' is distinct from goal or amount is null or amount <= 0
    or amount > private.most_of_order(rule) or amount > private.standing_room(rule)
    or private.is_own_goal(winner, approval."by") or private.is_own_goal(winner, approval.second)
    or exists (
      select from public.standing_payments where standing = rule.id and occasion = goal
    ) then
    return null;
  end if;
  return private.announce_order(rule, whom, winner.wallet, amount, 'dream', null, goal);
end;
$$;

create function private.order_result() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  about constant text := (select slug from public.votes where id = new.vote);
begin
  if exists (select from public.split_votes where slug = about) then
    perform private.set_split((
      select jsonb_object_agg(shares.name, shares.share)
      from public.split_votes, unnest(split_votes.names, new.shares) as shares (name, share) where slug = about
    ), about);
  else
    perform private.order_of_vote(about);
  end if;
  return null;
end;
$$;
-- Its name puts it behind log_rows: the entry of the result comes first.
create trigger order_result after insert on public.vote_results
  for each row when (new.won) execute function private.order_result();

-- What the job may call -------------------------------------------------------------------------------------

-- Keeps the table of accounts as the site's table of pools is (app/platform/impact-pools.ts), in its order: adds pools, opens
-- one that was closed, and closes those that are not named. A pool that is part of an open vote on the split, or has an
-- order that is not paid yet, stays open. Returns the names of these.
create function public.keep_pools(slugs text[]) returns text[]
language plpgsql security definer set search_path = '' as $$
declare
  kept constant text[] := array(
    select slug from private.open_pools as pools
    where slug <> all (slugs) and (
      exists (
        select from public.orders where recipient_account = pools.slug and state in ('announced', 'taken', 'sent', 'lost')
      ) or exists (
        select from public.split_votes as splits
        where pools.slug = any (splits.names) and (
          splits.ends_at > now() or exists (select from private.counting_votes where counting_votes.slug = splits.slug)
        ) and not exists (
          select from public.vote_results as results join public.votes on votes.id = results.vote where votes.slug = splits.slug
        )
      )
    ) order by place
  );
begin
  if array(select slug from private.open_pools order by place, slug) = slugs || kept then
    return kept;
  end if;
  perform private.lock_log('ledger');
  if exists (select from private.accounts where slug = any (slugs) and not is_pool) then
    raise exception 'a pool has the name of another account' using errcode = 'check_violation';
  end if;
  insert into private.accounts as known (slug, is_pool, place)
  select slug, true, at from unnest(slugs || kept) with ordinality as one (slug, at)
  on conflict on constraint accounts_pkey do update set place = excluded.place, closed_at = null;
  update private.accounts set closed_at = now() where is_pool and closed_at is null and slug <> all (slugs || kept);
  return kept;
end;
$$;

-- The months whose tax a rule has to divide at a time: their day came since the rule was made, they have a split, and
-- nothing divided them.
create function private.months_to_divide(rule public.standing_orders, at timestamptz) returns setof date
language sql stable set search_path = '' as $$
  select months.month::date
  from generate_series(
    date_trunc('month', rule.made_at at time zone 'UTC') - interval '1 month', at at time zone 'UTC' - interval '1 month',
    interval '1 month'
  ) as months (month)
  where (months.month + interval '1 month' + make_interval(days => rule.day - 1)) at time zone 'UTC' between rule.made_at and at
    and exists (select from public.payment_splits where from_month <= months.month + interval '1 month')
    and not exists (
      select from public.allocations where allocations.chain_id = rule.chain_id and allocations.month = months.month::date
    )
  order by months.month
$$;

-- Divides the verified tax of a month by the split of the next one. A pool without a wallet gets no share: it stays in the
-- treasury. Returns how many orders it made. The caller holds the log's lock.
create function private.divide_month(rule public.standing_orders, tax_month date) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  -- Amounts are in cents: a cent in base units.
  unit constant numeric := ('1e' || rule.token_decimals)::numeric / 100;
  room constant numeric := floor(rule.month_limit / unit);
  most constant numeric := floor(private.most_of_order(rule) / unit);
  chosen public.payment_splits;
  tax numeric;
  amount numeric;
  part record;
  made integer := 0;
begin
  select * into strict chosen from public.payment_splits
  where from_month <= tax_month + interval '1 month' order by id desc limit 1;
  select coalesce(sum(sum_usd), 0) into tax from private.sums_by_month
  where month = tax_month and account = 'treasury' and type = 'tax' and status = 'verified';
  insert into public.allocations (chain_id, month, standing, split, tax_usd)
  values (rule.chain_id, tax_month, rule.id, chosen.id, tax);
  for part in
    select shares.*, sum(shares.cents) over () as total
    from (
      select
        parts.key as name, wallets.address::text as address, wallets.since, accounts.is_pool,
        least(most, div(tax * 100 * rule.percent * parts.value::integer, 1000000)) as cents
      from jsonb_each_text(chosen.parts) as parts
      join private.accounts on accounts.slug = parts.key
      join private.paying_wallets as wallets
        on wallets.chain_id = rule.chain_id and wallets.account = parts.key and wallets.address <> rule.from_address
    ) as shares
    order by shares.name
  loop
    amount := trunc(case when part.total > room then div(part.cents * room, part.total) else part.cents end * unit);
    continue when amount <= 0;
    perform private.announce_order(
      rule, jsonb_build_object(
        'recipient', case when part.is_pool then 'pool' else 'wallet' end, 'account', part.name, 'since', part.since
      ),
      part.address, amount, case when part.is_pool then 'donation' else 'move' end, null, to_char(tax_month, 'YYYY-MM')
    );
    made := made + 1;
  end loop;
  return made;
end;
$$;

-- Divides the tax of each month that a rule has to divide, oldest first: on the day of the rule, or later if no run came
-- until then. Its clock is the newest block that the ledger has read. Returns how many orders it made. A month is divided
-- once, whatever fails or is corrected later.
create function public.allocate_tax(chain integer) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  block_time constant timestamptz := (select scans.block_time from private.ledger_scans as scans where scans.chain_id = chain);
  rule public.standing_orders;
  tax_month date;
  made integer := 0;
begin
  select * into rule from public.standing_orders as rules
  where rules.chain_id = chain and rules.rule = 'allocation' and rules.state = 'active';
  if block_time is null or rule.id is null
    or not exists (select from private.months_to_divide(rule, least(now(), block_time))) then
    return 0;
  end if;
  perform private.lock_log('ledger');
  select * into rule from public.standing_orders where id = rule.id;
  if not private.may_order(rule) then
    return 0;
  end if;
  for tax_month in select private.months_to_divide(rule, least(now(), block_time)) loop
    made := made + private.divide_month(rule, tax_month);
  end loop;
  return made;
end;
$$;

-- Whether two operators approved an order, or the standing order that made it and still allows it.
create function private.is_approved(wanted public.orders) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.operator_acts as acts
    join public.order_changes as first on first.id = acts.made_id and first.number = wanted.id and first.revision = 0
    where acts.kind = 'order' and acts.state = 'done' and acts.made_kind = 'order'
      and acts.by is not null and acts.second is not null and not private.is_same_person(acts.by, acts.second)
  ) or exists (
    select from public.standing_payments as made
    join public.standing_orders as rules on rules.id = made.standing
    join public.standing_changes as first on first.number = rules.id and first.revision = 0
    join public.operator_acts as acts on acts.made_kind = 'standing-order' and acts.made_id = first.id
    where made.order_id = wanted.id and acts.kind = 'standing-order' and acts.state = 'done'
      and acts.by is not null and acts.second is not null and not private.is_same_person(acts.by, acts.second)
      and rules.state = 'active' and wanted.announced_at between rules.made_at and rules.ends_at
      and (wanted.chain_id, wanted.account, wanted.from_address::text, wanted.token_address::text)
        = (rules.chain_id, rules.account, rules.from_address::text, rules.token_address::text)
      and wanted.token_amount <= rules.order_limit
      and private.standing_sum(
        rules.id, wanted.announced_at, case rules.rule when 'allocation' then made.occasion end
      ) <= rules.month_limit
      and case rules.rule
        when 'call' then wanted.to_address = rules.to_address and wanted.token_amount = rules.token_amount
          and wanted.statement = made.occasion and not exists (
            select from public.standing_payments as former
            where former.standing = rules.id and former.id < made.id
              and former.recorded_at > made.recorded_at - make_interval(hours => 24 * rules.every_days)
          )
        when 'allocation' then wanted.recipient in ('pool', 'wallet') and exists (
          select from public.allocations
          where allocations.standing = rules.id and to_char(allocations.month, 'YYYY-MM') = made.occasion
        )
        else wanted.recipient = 'goal' and wanted.recipient_account = made.occasion and exists (
          select from public.vote_results as results join public.votes on votes.id = results.vote
          where votes.slug = made.occasion and results.won
        )
      end
  )
$$;

-- The next nonce of the payer: after the last one that the ledger gave since two operators let it go on last, upwards or
-- downwards.
create function private.next_nonce(chain integer, of_payer text) returns bigint
language sql stable security definer set search_path = '' as $$
  select greatest(max(given.nonce) + 1, accepted.nonce, 0)
  from (select) as one
  left join lateral (
    select nonce::bigint, made_at from private.payer_acceptances where chain_id = chain and payer = of_payer
    order by id desc limit 1
  ) as accepted on true
  left join private.order_payments as given
    on given.chain_id = chain and given.payer = of_payer and given.bound_at > coalesce(accepted.made_at, '2015-01-01')
  group by accepted.nonce
$$;

-- Whether a transaction of an order may have used its nonce: it is not lost, and no reorganisation removed its payment.
create function private.has_nonce(of_order bigint) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.orders
    left join public.transactions as facts
      on facts.chain_id = orders.chain_id and facts.tx_hash = orders.tx_hash and facts.ordinal = orders.ordinal
    left join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
    where orders.id = of_order
      and (orders.state in ('sent', 'failed', 'mismatched') or statuses.status in ('pending', 'unreachable', 'verified'))
  )
$$;

-- Stores a gap, {chain_id, payer, nonce}, and who sent payments without an order: [{tx_hash, sender}]. Returns the hashes
-- of at most 50 whose sender is still to be read. A nonce that an order still has is no gap.
create function public.record_gap(gap jsonb, senders jsonb default '[]') returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.payer_gaps as kept (chain_id, payer, nonce)
  select (gap ->> 'chain_id')::integer, gap ->> 'payer', (gap ->> 'nonce')::bigint
  where not exists (
    select from private.order_payments as given
    where given.chain_id = (gap ->> 'chain_id')::integer and given.payer = gap ->> 'payer'
      and given.nonce >= (gap ->> 'nonce')::bigint and private.has_nonce(given.order_id)
  )
  on conflict (is_only_row) do update set
    chain_id = excluded.chain_id, payer = excluded.payer, nonce = excluded.nonce, looked_at = now(),
    found_at = case when kept.payer = excluded.payer then kept.found_at else now() end;
  insert into private.payment_senders (tx_hash, sender)
  select tx_hash, sender from jsonb_to_recordset(senders) as one (tx_hash text, sender text)
  on conflict do nothing;
  return (
    select coalesce(jsonb_agg(unread.tx_hash), '[]')
    from (
      select distinct payments.tx_hash from private.unmatched_payments((gap ->> 'chain_id')::integer) as payments
      where payments.is_checked and payments.sender is null limit 50
    ) as unread
  );
end;
$$;

-- What everyone reads ---------------------------------------------------------------------------------------

create view public.published_orders with (security_invoker = false) as
select
  orders.id, orders.state, orders.revision::integer as revision, orders.account, orders.recipient,
  orders.recipient_account, named.name as recipient_name, orders.chain_id, orders.from_address::text as from_address,
  orders.to_address::text as to_address, orders.token_address::text as token_address, orders.token_symbol,
  orders.token_decimals, orders.token_amount::text as token_amount, orders.type, orders.pool_slug, orders.purpose_hash,
  purpose.text as purpose, orders.statement, orders.announced_at, orders.due_at, orders.expires_at,
  approval.number as approval, approval.by as approved_by, approval.second as approved_second, taking.by as taken_by,
  stop.by as stopped_by, coalesce(stop.reason_hash, later.reason_hash) as stop_reason_hash, reason.text as stop_reason, newest.recorded_at as moved_at, entries.index as log_index,
  orders.tx_hash::text as tx_hash, orders.ordinal, paying.id as transaction_id, paying.occurred_at as paid_at,
  paying.amount_usd::text as amount_usd, made.standing, made.occasion,
  orders.state = 'sent' and orders.tx_hash is not null or coalesce(paying.is_gone, false) as is_removed
from public.orders
join public.order_changes as newest on newest.number = orders.id and newest.revision = orders.revision
join public.order_changes as first on first.number = orders.id and first.revision = 0
left join public.standing_payments as made on made.order_id = orders.id
left join public.standing_changes as rule on rule.number = made.standing and rule.revision = 0
left join public.standing_changes as suspended on suspended.number = made.standing and suspended.revision = 1
left join private.ledger_entries as entries on entries.kind = 'order' and entries.row_id = newest.id
left join public.operator_acts as approval
  on approval.made_kind = case when made.id is null then 'order' else 'standing-order' end
  and approval.made_id = coalesce(rule.id, first.id)
left join public.operator_acts as own_stop
  on orders.state in ('stopped', 'lost') and own_stop.made_kind = 'order' and own_stop.made_id = newest.id
left join public.order_changes as take on take.number = orders.id and take.state = 'taken'
left join public.operator_acts as taking on taking.made_kind = 'order' and taking.made_id = take.id
left join public.operator_acts as suspension
  on orders.state = 'stopped' and suspension.made_kind = 'standing-order' and suspension.made_id = suspended.id
left join public.operator_acts as stop on stop.id = coalesce(own_stop.id, suspension.id)
left join public.operator_acts as later
  on orders.state = 'stopped' and later.kind = 'stop-reason' and later.subject = orders.id::text and later.number is not null
left join private.log_texts as reason on reason.hash = coalesce(stop.reason_hash, later.reason_hash)
left join private.log_texts as purpose on purpose.hash = orders.purpose_hash
left join private.ledger_entries as announced on announced.kind = 'order' and announced.row_id = first.id
left join lateral (
  select words.text as name
  from public.wallet_names as names
  join private.ledger_entries as given on given.kind = 'name' and given.row_id = names.id
  left join private.log_texts as words on words.hash = names.name_hash
  where orders.recipient = 'named' and names.address = orders.to_address
    and (given.index < announced.index or names.revision = 0)
  order by names.revision desc limit 1
) as named on true
left join lateral (
  select id, occurred_at, amount_usd, statuses.status in ('reorganised', 'mismatch') as is_gone from public.transactions
  left join private.transaction_statuses as statuses on statuses.transaction_id = transactions.id
  where transactions.chain_id = orders.chain_id and transactions.tx_hash = orders.tx_hash
    and transactions.ordinal = orders.ordinal
  order by transactions.revision desc limit 1
) as paying on true;
comment on view public.published_orders is
  'Every payment that two operators approved, with its state. The newest has the highest id, which is its number.';
comment on column public.published_orders.recipient_name is 'The name of the recipient when the order was announced.';
comment on column public.published_orders.stop_reason_hash is 'Null if its stop has no reason.';
comment on column public.published_orders.log_index is 'Place of its newest entry in the log, from 0.';
comment on column public.published_orders.transaction_id is 'The row of the ledger that paid it.';
comment on column public.published_orders.is_removed is 'Whether a reorganisation removed its payment from the chain.';
comment on column public.published_orders.amount_usd is 'What that row is worth; null before it is paid.';
comment on column public.published_orders.approved_by is 'Who approved it, or the standing order that made it.';
comment on column public.published_orders.taken_by is 'Who pays it by hand; the site does not pay it.';
comment on column public.published_orders.standing is 'The number of the standing order that made it.';
comment on column public.published_orders.occasion is 'What the standing order answered: a statement, a month, or a goal.';

create view public.published_splits with (security_invoker = false) as
select
  splits.slug, to_jsonb(splits.names) as names, to_jsonb(splits.least) as least, to_jsonb(splits.most) as most, splits.ends_at,
  splits.recorded_at as opened_at, to_jsonb(results.shares) as shares,
  made.from_month::timestamp at time zone 'UTC' as from_month, (
    select percent from public.standing_orders
    where rule = 'allocation' and state = 'active' and standing_orders.ends_at > now() order by id desc limit 1
  ) as percent
from public.split_votes as splits
left join (
  public.votes join public.vote_results as results on results.vote = votes.id and results.won
) on votes.slug = splits.slug
left join public.payment_splits as made on made.cause = splits.slug;
comment on view public.published_splits is 'The votes on the split that two operators opened. Read the newest by opened_at.';
comment on column public.published_splits.shares is 'The result in thousandths, if it is valid.';
comment on column public.published_splits.from_month is 'The first day of the month from which a valid result holds.';
comment on column public.published_splits.percent is 'Which part of the tax is divided so now, in tenths of a percent; null without a rule that divides it.';
grant select on public.published_splits to anon, authenticated, service_role;

create view public.published_standing_orders with (security_invoker = false) as
select
  rules.id, rules.state, rules.revision::integer as revision, rules.rule, rules.account, rules.chain_id,
  rules.from_address::text as from_address, rules.token_address::text as token_address, rules.token_symbol,
  rules.token_decimals, rules.order_limit::text as order_limit, rules.month_limit::text as month_limit, rules.made_at,
  rules.ends_at, purpose.text as purpose, rules.source, words.text as words, rules.recipient, rules.recipient_account,
  named.name as recipient_name, rules.to_address::text as to_address, rules.token_amount::text as token_amount,
  rules.pool_slug, rules.every_days, rules.percent, rules.day, split.parts as split, split.from_month as split_from,
  approval.by as approved_by, approval.second as approved_second, stop.by as suspended_by,
  reason.text as suspension_reason, newest.recorded_at as moved_at, entries.index as log_index,
  done.spent::text as spent, done.orders, done.paid::text as paid,
  allocated.month as allocated_month, allocated.tax_usd::text as allocated_tax_usd, allocated.now_usd::text as allocated_now_usd
from public.standing_orders as rules
join public.standing_changes as newest on newest.number = rules.id and newest.revision = rules.revision
join public.standing_changes as first on first.number = rules.id and first.revision = 0
left join private.ledger_entries as entries on entries.kind = 'standing-order' and entries.row_id = newest.id
left join public.operator_acts as approval on approval.made_kind = 'standing-order' and approval.made_id = first.id
left join public.operator_acts as stop
  on rules.state = 'suspended' and stop.made_kind = 'standing-order' and stop.made_id = newest.id
left join private.log_texts as reason on reason.hash = stop.reason_hash
left join private.log_texts as purpose on purpose.hash = rules.purpose_hash
left join private.log_texts as words on words.hash = rules.words_hash
left join private.current_names as named on rules.recipient = 'named' and named.address = rules.to_address
left join lateral (
  select splits.parts, splits.from_month from public.payment_splits as splits
  where rules.rule = 'allocation' and splits.from_month <= now() at time zone 'UTC' order by splits.id desc limit 1
) as split on true
left join lateral (
  select
    count(*) as orders, coalesce(sum(orders.token_amount) filter (where orders.state = 'paid'), 0) as paid,
    coalesce(sum(orders.token_amount) filter (
      where orders.state not in ('stopped', 'expired') and orders.announced_at > now() - interval '720 hours'
    ), 0) as spent
  from public.standing_payments as made join public.orders on orders.id = made.order_id where made.standing = rules.id
) as done on true
left join lateral (
  select months.month, months.tax_usd, (
    select coalesce(sum(sum_usd), 0) from private.sums_by_month as sums
    where sums.month = months.month and sums.account = 'treasury' and sums.type = 'tax' and sums.status = 'verified'
  ) as now_usd
  from public.allocations as months where months.standing = rules.id order by months.month desc limit 1
) as allocated on true;
comment on view public.published_standing_orders is 'Every standing order, with its limits and what it did.';
comment on column public.published_standing_orders.spent is 'What its orders of the last 30 days pay together, in base units.';
comment on column public.published_standing_orders.allocated_now_usd is 'The verified tax of the last month that it divided, as the ledger has it now.';

create view public.suspended_tokens with (security_invoker = false) as
select orders.id, tokens.chain_id, tokens.address::text as address, orders.token_symbol, tokens.since
from private.suspended_tokens as tokens join public.orders on orders.id = tokens.order_id;
comment on column public.suspended_tokens.id is 'The number of that order.';
comment on view public.suspended_tokens is 'Tokens in which the payer pays nothing, since an order moved another amount.';

-- What operators read about the payer: {held, most, run, doubles, gap, sight, means}; null for other members. `run`: what the
-- last run of the job said of payments. `doubles`:
-- payments of the last 30 days without an order that equal one with an order, {transaction, order}. `most`: the limit of an order
-- in tokens. `gap`: the gap between the payer's transactions on chain and those that the ledger knows, {payer, nonce,
-- since, unread, unmatched}; null without one. `sight`: what it saw last. `means`: for each wallet and token its
-- allowance and balance then, what its open orders need, and what the payer paid in the last 30 days.
create function public.payer_overview() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'held', private.payments_are_held(),
    'most', (select limit_tokens from private.payment_settings),
    'run', (select report -> 'payer' from private.last_runs where which = 'last'),
    'doubles', (
      select coalesce(jsonb_agg(jsonb_build_object('transaction', facts.id, 'order', orders.id) order by facts.id desc), '[]')
      from public.transactions as facts
      join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
      join public.orders on orders.state = 'paid' and orders.chain_id = facts.chain_id
        and orders.from_address = facts.from_address and orders.to_address = facts.to_address
        and orders.token_address = facts.token_address and orders.token_amount = facts.token_amount
      where facts.occurred_at > now() - interval '30 days' and facts.revision = 0 and facts.direction = 'out'
        and statuses.status in ('pending', 'unreachable', 'verified') and not exists (
          select from public.orders as own
          where own.chain_id = facts.chain_id and own.tx_hash = facts.tx_hash and own.ordinal = facts.ordinal
        )
    ),
    'gap', (
      select jsonb_build_object(
        'payer', gaps.payer, 'nonce', gaps.nonce, 'since', gaps.found_at,
        'unread', (
          select count(*) from private.unmatched_payments(gaps.chain_id) as payments
          where not payments.is_checked or payments.sender is null
        ),
        'unmatched', (
          select coalesce(jsonb_agg(payments.id), '[]')
          from private.unmatched_payments(gaps.chain_id) as payments where payments.sender = gaps.payer
        )
      )
      from private.payer_gaps as gaps where gaps.looked_at > now() - interval '1 hour'
    ),
    'sight', (
      select jsonb_build_object(
        'payer', seen.payer, 'gas', seen.gas::text, 'payment_gas', seen.payment_gas::text, 'seen_at', seen.seen_at
      )
      from private.payer_sights as seen
    ),
    'means', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'account', wallets.account, 'owner', wallets.address, 'token', tokens.address, 'symbol', tokens.symbol,
        'decimals', tokens.decimals, 'chain_id', tokens.chain_id, 'allowance', seen.allowance, 'balance', seen.balance,
        'needed', sums.needed::text, 'paid', sums.paid::text
      ) order by wallets.account <> 'treasury', wallets.account, tokens.symbol), '[]')
      from private.paying_wallets as wallets
      join private.payment_tokens as tokens on tokens.chain_id = wallets.chain_id
      left join lateral (
        select means.allowance, means.balance
        from private.payer_sights as sights, jsonb_to_recordset(sights.means)
          as means (owner text, token text, allowance text, balance text)
        where sights.chain_id = wallets.chain_id and means.owner = wallets.address and means.token = tokens.address
      ) as seen on true
      cross join lateral (
        select
          coalesce(sum(token_amount) filter (where state = 'announced'), 0) as needed,
          coalesce(sum(token_amount) filter (where state = 'paid' and bound.bound_at > now() - interval '30 days'), 0) as paid
        from public.orders left join private.order_payments as bound on bound.order_id = orders.id
        where orders.chain_id = wallets.chain_id and orders.from_address = wallets.address
          and orders.token_address = tokens.address and orders.state in ('announced', 'paid')
      ) as sums
    )
  )
  where private.is_operator()
$$;

-- Grants ----------------------------------------------------------------------------------------------------

grant select on
  public.standing_orders, public.standing_changes, public.standing_payments, public.payment_splits, public.allocations
  to service_role;
grant select on public.published_orders, public.published_standing_orders, public.suspended_tokens to anon, authenticated, service_role;
grant execute on function public.payer_overview, public.posts_with_words to authenticated;
grant execute on function public.allocate_tax, public.record_gap, public.keep_pools to service_role;

reset check_function_bodies;
