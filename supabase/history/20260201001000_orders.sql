-- Orders: decisions of two operators to pay an amount of a token from one of our wallets to one recipient, for one
-- purpose. An order is public before it is paid, and one operator can stop it until then. order_changes has the public
-- history; each of its rows is an entry of the log. The ledger finds the payment and links it to its order.

-- SQL functions of this file name views and tables that are created later.
set check_function_bodies = off;

-- Tables ----------------------------------------------------------------------------------------------------

-- What the configuration says about payments. The job writes it in each run; the demonstration has it from the start.
create table private.payment_settings (
  is_only_row boolean primary key default true
    constraint payment_settings_is_only_row check (is_only_row),
  chain_id private.chain_id not null,
  notice_hours integer not null
    constraint payment_settings_notice_range check (notice_hours between 1 and 720),
  limit_tokens integer not null
    constraint payment_settings_limit_range check (limit_tokens between 1 and 1000000000),
  given jsonb not null
);
comment on table private.payment_settings is 'The configuration of payments. `given` is what the job sent, to compare.';

create table private.paying_wallets (
  chain_id private.chain_id,
  account text references private.accounts (slug),
  address private.address not null,
  primary key (chain_id, account),
  constraint paying_wallets_address unique (chain_id, address)
);
comment on table private.paying_wallets is 'The wallets of our accounts, as configured.';

-- Never changed, so that an amount cannot become another one between two decisions.
create table private.payment_tokens (
  chain_id private.chain_id,
  symbol text
    constraint payment_tokens_symbol_length check (char_length(symbol) between 1 and 32),
  address private.address not null,
  decimals private.decimals not null,
  primary key (chain_id, symbol),
  constraint payment_tokens_address unique (chain_id, address)
);
comment on table private.payment_tokens is 'The tokens of orders: those that are worth a dollar.';

-- Only private.move_order changes the state of an order:
-- announced -> sent (the payer), paid (by hand; the ledger found it), stopped (one operator), expired (schedule)
-- sent -> paid, failed (the transaction failed; the money stayed), lost (another transaction used its nonce)
create table public.orders (
  id bigint generated always as identity primary key,
  state text not null default 'announced'
    constraint orders_state_known check (state in (
      'announced', 'sent', 'paid', 'failed', 'lost', 'stopped', 'expired'
    )),
  revision private.revision not null default 0,
  account text not null references private.accounts (slug),
  recipient text not null
    constraint orders_recipient_known check (recipient in ('named', 'pool', 'goal')),
  recipient_account text references private.accounts (slug),
  chain_id private.chain_id not null,
  from_address private.address not null,
  to_address private.address not null,
  token_address private.address not null,
  token_symbol text not null,
  token_decimals private.decimals not null,
  token_amount private.base_units not null
    constraint orders_amount_positive check (token_amount > 0),
  type text not null
    constraint orders_type_known check (type in ('donation', 'cost', 'spending', 'dream', 'move')),
  pool_slug text references private.accounts (slug),
  purpose_hash text not null references private.log_texts (hash),
  statement text,
  announced_at private.moment not null default now(),
  due_at private.moment not null,
  expires_at private.moment not null,
  tx_hash private.hash32,
  ordinal integer,
  constraint orders_recipient_whole check ((recipient = 'named') = (recipient_account is null)),
  constraint orders_to_another check (from_address <> to_address),
  constraint orders_notice check (due_at >= announced_at + interval '1 hour' and expires_at > due_at),
  constraint orders_paid_has_row check ((state = 'paid') = (ordinal is not null) and (ordinal is null or tx_hash is not null)),
  constraint orders_row_once unique (chain_id, tx_hash, ordinal)
);
comment on table public.orders is 'Payments that two operators approved.';
comment on column public.orders.due_at is 'The end of its notice: it is not paid by the site before.';
comment on column public.orders.expires_at is 'If it was not paid by then, it ends.';
comment on column public.orders.tx_hash is 'The transaction that paid it, or that failed.';
comment on column public.orders.ordinal is 'The transfer within that transaction, if it was paid.';
create index orders_open on public.orders (from_address, to_address, id) where state in ('announced', 'sent');
create index orders_in_state on public.orders (state, id desc);
create index orders_statement on public.orders (statement) where statement is not null;
create index orders_to_account on public.orders (recipient_account, id desc) where recipient_account is not null;
create index orders_from_account on public.orders (account, id desc);
alter table public.orders enable row level security;

create table public.order_changes (
  id bigint generated always as identity primary key,
  number bigint not null references public.orders (id),
  revision private.revision not null,
  state text not null,
  tx_hash private.hash32,
  ordinal integer,
  recorded_at private.moment not null default now(),
  constraint order_changes_key unique (number, revision)
);
comment on table public.order_changes is 'Every state of an order, from its approval (revision 0). Each is an entry `order` of the log.';
alter table public.order_changes enable row level security;

alter table public.operator_acts drop constraint operator_acts_kind_known;
alter table public.operator_acts add constraint operator_acts_kind_known check (kind in (
  'statement', 'confirmation', 'update', 'purpose', 'value', 'reading', 'name', 'withdrawal', 'operator',
  'operator-end', 'goal-approval', 'goal-return', 'goal-rejection', 'goal-freeze', 'goal-release',
  'goal-annulment', 'goal-report', 'complaint-dismissal', 'order', 'stop'
));

-- Triggers --------------------------------------------------------------------------------------------------

-- app/orders/states.ts has the same moves.
create function private.order_may_move(former text, next text) returns boolean
language sql immutable set search_path = '' as $$
  select (former || ' ' || next) in (
    'announced sent', 'announced paid', 'announced stopped', 'announced expired', 'sent paid', 'sent failed', 'sent lost'
  )
$$;

create function private.keep_order() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.revision <> old.revision + 1 or not private.order_may_move(old.state, new.state)
    or to_jsonb(new) - '{state,revision,tx_hash,ordinal}'::text[] <> to_jsonb(old) - '{state,revision,tx_hash,ordinal}'::text[] then
    raise exception 'order % cannot go from % to %, and keeps its facts', old.id, old.state, new.state
      using errcode = 'check_violation', constraint = 'orders_move';
  end if;
  return new;
end;
$$;
create trigger keep_order before update on public.orders
  for each row execute function private.keep_order();
create trigger append_only before delete or truncate on public.orders
  for each statement execute function private.refuse_change();
create trigger append_only before update or delete or truncate on public.order_changes
  for each statement execute function private.refuse_change();
create trigger append_only before update or delete or truncate on private.payment_tokens
  for each statement execute function private.refuse_change();

create function private.log_order_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.append_to_log('ledger', 'order', array[new.id::bigint], array[(
    select row_to_json(line)::text from (
      select
        'order' as kind, new.id::bigint, new.revision::integer, private.entry_time(new.recorded_at) as recorded_at,
        new.number::bigint, new.state, facts.account, facts.recipient, facts.recipient_account,
        facts.chain_id::integer, facts.from_address::text, facts.to_address::text, facts.token_address::text,
        facts.token_symbol, facts.token_decimals::integer, facts.token_amount::text as token_amount, facts.type,
        facts.pool_slug as pool, facts.purpose_hash, facts.statement, private.entry_time(facts.due_at) as due_at,
        new.tx_hash::text, new.ordinal
      from public.orders as facts where facts.id = new.number
    ) as line
  )]);
  return null;
end;
$$;
create trigger log_rows after insert on public.order_changes
  for each row execute function private.log_order_change();

-- Moves an order to a state and records the move. The caller holds the log's lock. Returns the id of the change.
create function private.move_order(of_order bigint, to_state text, tx text default null, place integer default null)
returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  moved public.orders;
  change bigint;
begin
  update public.orders set
    state = to_state, revision = orders.revision + 1, tx_hash = coalesce(tx, orders.tx_hash), ordinal = place
  where orders.id = of_order
  returning * into strict moved;
  insert into public.order_changes (number, revision, state, tx_hash, ordinal)
  values (moved.id, moved.revision, moved.state, moved.tx_hash, moved.ordinal)
  returning id into change;
  return change;
end;
$$;

-- Marks an order as paid by a transfer of the ledger, and gives its purpose to the row, unless an operator already did.
create function private.pay_order(of_order bigint, by_row public.transactions) returns void
language plpgsql security definer set search_path = '' as $$
declare
  paid public.orders;
  said public.cz_calls;
  words text;
  action text;
  confirmed text;
begin
  perform private.move_order(of_order, 'paid', by_row.tx_hash, by_row.ordinal);
  select * into paid from public.orders where id = of_order;
  if by_row.note_hash is null then
    insert into public.transactions (
      occurred_at, account, counter_account, direction, type, pool_slug, amount_usd, rate_usd, rate_source,
      token_amount, token_symbol, token_decimals, token_address, from_address, to_address, tx_hash, chain_id, ordinal,
      revision, proof_hash, note_hash
    )
    values (
      by_row.occurred_at, by_row.account, by_row.counter_account, by_row.direction,
      case when by_row.type = 'other' and by_row.counter_account is null then paid.type else by_row.type end,
      case when by_row.type = 'other' and by_row.counter_account is null and paid.type = 'donation' then paid.pool_slug
        else by_row.pool_slug end,
      by_row.amount_usd, by_row.rate_usd, by_row.rate_source, by_row.token_amount, by_row.token_symbol,
      by_row.token_decimals, by_row.token_address, by_row.from_address, by_row.to_address, by_row.tx_hash,
      by_row.chain_id, by_row.ordinal, by_row.revision + 1, by_row.proof_hash, paid.purpose_hash
    );
  end if;
  select * into said from public.cz_calls where tweet_url = paid.statement order by revision desc limit 1;
  if said.id is null or said.tx_hash is not null then
    return;
  end if;
  select text into words from private.log_texts where hash = said.text_hash;
  select text into action from private.log_texts where hash = said.action_hash;
  select text into confirmed from private.log_texts where hash = said.confirmed_by_hash;
  -- A statement whose texts were withdrawn stays as it is.
  if words is not null and action is not null and (said.confirmed_by_hash is null or confirmed is not null) then
    perform public.append_statement(jsonb_build_object(
      'posted_at', said.posted_at, 'captured_at', said.captured_at, 'author', said.author, 'tweet_text', words,
      'tweet_url', said.tweet_url, 'action_taken', action, 'confirmed_by', confirmed, 'tx_hash', by_row.tx_hash,
      'chain_id', by_row.chain_id, 'revision', said.revision + 1
    ));
  end if;
end;
$$;

-- A row that was verified pays the oldest order with its wallet, recipient, token and amount that was approved before.
create function private.link_orders() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  paid public.transactions;
  matching bigint;
begin
  for paid in
    select facts.* from added
    join public.transactions as facts on facts.id = added.transaction_id
    where added.status = 'verified' and facts.direction = 'out'
      and exists (
        select from public.orders as open
        where open.state in ('announced', 'sent') and open.from_address = facts.from_address and open.to_address = facts.to_address
      )
      and not exists (
        select from public.transactions as later
        where later.chain_id = facts.chain_id and later.tx_hash = facts.tx_hash and later.ordinal = facts.ordinal
          and later.revision = facts.revision + 1
      )
    order by facts.occurred_at, facts.id
  loop
    matching := private.order_of_row(paid);
    if matching is not null then
      perform private.pay_order(matching, paid);
    end if;
  end loop;
  return null;
end;
$$;
-- Its name puts it behind count_rows, which stores the status.
create trigger link_orders after insert on public.transaction_checks
  referencing new table as added for each statement execute function private.link_orders();

-- The open order that a row pays; null without one, or if the row paid one before.
create function private.order_of_row(facts public.transactions) returns bigint
language sql stable security definer set search_path = '' as $$
  select min(open.id) from public.orders as open
  where open.state = 'announced' and open.chain_id = facts.chain_id and open.from_address = facts.from_address
    and open.to_address = facts.to_address and open.token_address = facts.token_address
    and open.token_amount = facts.token_amount and open.announced_at <= facts.occurred_at
    and not exists (
      select from public.orders as former
      where former.chain_id = facts.chain_id and former.tx_hash = facts.tx_hash and former.ordinal = facts.ordinal
    )
$$;

-- What operators may call -----------------------------------------------------------------------------------

create or replace function private.version_of(kind text, subject text) returns integer
language sql stable security definer set search_path = '' as $$
  select case
    when kind in ('statement', 'confirmation') then
      (select max(revision) from public.cz_calls where tweet_url = subject)
    when kind = 'update' then (
      select max(revision) from public.pool_updates
      where pool_slug = split_part(subject, '/', 1) and number::text = split_part(subject, '/', 2)
    )
    when kind in ('purpose', 'value', 'reading') then (
      select max(revision) from public.transactions
      where chain_id::text = split_part(subject, '/', 1) and tx_hash = split_part(subject, '/', 2)
        and ordinal::text = split_part(subject, '/', 3)
    )
    when kind = 'name' then (select max(revision) from public.wallet_names where address = subject)
    when kind = 'stop' then (select revision from public.orders where id::text = subject)
    -- The newest complaint, so that a complaint that the operator did not see is not dismissed, even if an older one was deleted with its account.
    when kind = 'complaint-dismissal' then (
      select (max(id) % 10000)::integer from public.goal_complaints
      where goal = (select id from public.goals where slug = subject) and closed_at is null
    )
    -- A new final report is not accepted unseen.
    when kind = 'goal-report' then (
      select revision + coalesce(report_number, 0) from public.goals where slug = subject
    )
    when private.is_goal_act(kind) then (select revision from public.goals where slug = subject)
  end
$$;

create or replace function private.needs_two(kind text) returns boolean
language sql immutable set search_path = '' as $$
  select kind in ('value', 'withdrawal', 'operator', 'goal-approval', 'goal-release', 'goal-annulment', 'order')
$$;

create or replace function private.least_reason(kind text) returns integer
language sql immutable set search_path = '' as $$
  select case when kind in (
    'withdrawal', 'operator-end', 'goal-return', 'goal-rejection', 'goal-freeze', 'goal-release', 'goal-annulment', 'stop'
  ) then 10 else 0 end
$$;

create or replace function private.fields_of(kind text) returns text[]
language sql immutable set search_path = '' as $$
  select case kind
    when 'statement' then '{link,text,author,posted,action,captured,tx}'
    when 'confirmation' then '{how}'
    when 'update' then '{pool,text,links,dated,helping,helping_source}'
    when 'purpose' then '{type,pool,note,proof}'
    when 'value' then '{rate,rate_source}'
    when 'reading' then '{occurred_at,token_amount,token_symbol,token_decimals,token_address,from_address,to_address}'
    when 'name' then '{address,name}'
    when 'operator' then '{email,handle}'
    when 'goal-freeze' then '{hide}'
    when 'order' then '{from,to,token,amount,type,pool,purpose,statement}'
    else '{}'
  end::text[]
$$;

-- As before, and: an order begins without a subject, a stop has its order.
create or replace function public.save_act(
  act uuid, kind text, subject text, arguments jsonb, reason text, version integer default null
) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  caller constant text := private.begin_act(false);
  current_version constant integer := private.version_of(save_act.kind, save_act.subject);
  draft public.operator_acts;
begin
  if octet_length(save_act.arguments::text) > 32000 or octet_length(save_act.reason) > 32000 then
    perform private.refuse_act('too_large');
  elsif jsonb_typeof(save_act.arguments) is distinct from 'object' then
    perform private.refuse_act('refused', jsonb_build_object('why', 'arguments must be an object'));
  end if;
  if exists (select from public.operator_acts where id = save_act.act) then
    draft := private.open_act(save_act.act, caller, '{draft}');
    update public.operator_acts set
      arguments = save_act.arguments, reason = nullif(save_act.reason, ''), saved_at = now()
    where id = draft.id;
    return jsonb_build_object('id', draft.id, 'state', 'draft', 'version', draft.version);
  end if;
  if save_act.kind is null or save_act.kind = 'reading' or not (case
    when save_act.kind in ('statement', 'update', 'name') then save_act.subject is null or current_version is not null
    when save_act.kind in ('confirmation', 'purpose', 'value', 'stop') or private.is_goal_act(save_act.kind) then current_version is not null
    when save_act.kind = 'withdrawal' then
      exists (select from private.log_texts where hash = save_act.subject and log = 'ledger')
    when save_act.kind in ('operator', 'order') then save_act.subject is null
    when save_act.kind = 'operator-end' then exists (select from public.operators where handle = save_act.subject)
    else false
  end) then
    perform private.refuse_act('not_found');
  elsif (select count(*) from public.operator_acts as acts where acts.by = caller and acts.state = 'draft') >= 50 then
    perform private.refuse_act('too_many');
  end if;
  insert into public.operator_acts (id, kind, subject, arguments, reason, version, by)
  values (
    coalesce(save_act.act, gen_random_uuid()), save_act.kind, save_act.subject, save_act.arguments, nullif(save_act.reason, ''),
    case when current_version is not null then least(greatest(coalesce(save_act.version, current_version), 0), 10000) end,
    caller
  )
  returning * into draft;
  return jsonb_build_object('id', draft.id, 'state', 'draft', 'version', draft.version);
end;
$$;

-- Whether a wallet is a proven one of this operator, or of the caller.
create function private.is_own_wallet(wallet text, handle text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.proven_wallets
    where address = wallet and user_id in (
      select member from public.operators where operators.handle = is_own_wallet.handle
      union all
      select auth.uid()
    )
  )
$$;

-- Who an address is: {recipient, account, since}, a pool, a goal that is shown, or a named wallet; null for any other.
create function private.recipient_of(chain integer, wallet text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select found.whom from (
    select 1 as place, jsonb_build_object('recipient', 'pool', 'account', wallets.account) as whom
    from private.paying_wallets as wallets
    join private.accounts on accounts.slug = wallets.account and accounts.is_pool
    where wallets.chain_id = chain and wallets.address = wallet
    union all
    select 2, jsonb_build_object('recipient', 'goal', 'account', goals.slug) from public.goals
    where goals.wallet = recipient_of.wallet and stage in ('open', 'ended') and not frozen
    union all
    select 3, jsonb_build_object('recipient', 'named', 'since', named.recorded_at) from private.current_names as named
    where named.address = recipient_of.wallet and named.name is not null
      and not exists (select from private.paying_wallets where chain_id = chain and paying_wallets.address = wallet)
  ) as found
  order by found.place limit 1
$$;

-- An order of two operators. The command line cannot make one: the secret key alone decides about no money.
create function private.perform_order(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  given constant jsonb := act.arguments;
  payee constant text := given ->> 'to';
  amount constant text := given ->> 'amount';
  kind_of constant text := given ->> 'type';
  pool text := given ->> 'pool';
  settings private.payment_settings;
  payer private.paying_wallets;
  token private.payment_tokens;
  whom jsonb;
  begins timestamptz := now();
  made bigint;
  change bigint;
begin
  if act."by" is null then
    perform private.refuse_act('operators_only');
  end if;
  select * into settings from private.payment_settings;
  if settings.chain_id is null then
    perform private.refuse_act('no_payments');
  end if;
  perform private.check_words('from', given ->> 'from', 1, 50);
  select * into payer from private.paying_wallets
  where chain_id = settings.chain_id and account = given ->> 'from';
  if payer.address is null then
    perform private.refuse_field('from', 'unknown');
  end if;
  perform private.check_words('to', payee, 1, 42);
  perform private.check_pattern('to', payee, '^0x[0-9a-f]{40}$');
  whom := private.recipient_of(settings.chain_id, payee);
  if payee = payer.address then
    perform private.refuse_field('to', 'same');
  elsif whom is null then
    perform private.refuse_field('to', 'unnamed');
  elsif private.is_own_wallet(payee, act."by")
    or private.is_own_goal((select goals from public.goals where slug = whom ->> 'account'), act."by") then
    perform private.refuse_act('own_payment', jsonb_build_object('field', 'to'));
  end if;
  perform private.check_words('token', given ->> 'token', 1, 32);
  select * into token from private.payment_tokens
  where chain_id = settings.chain_id and symbol = given ->> 'token';
  if token.address is null then
    perform private.refuse_field('token', 'unknown');
  end if;
  perform private.check_words('amount', amount, 1, 40);
  perform private.check_pattern('amount', amount, '^\d{1,15}(\.\d{1,18})?$');
  if amount::numeric = 0 then
    perform private.refuse_field('amount', 'zero');
  elsif amount::numeric > settings.limit_tokens then
    perform private.refuse_act('invalid_field', jsonb_build_object(
      'field', 'amount', 'why', 'limit', 'most', settings.limit_tokens || ' ' || token.symbol
    ));
  elsif scale(trim_scale(amount::numeric)) > token.decimals then
    perform private.refuse_act('invalid_field', jsonb_build_object(
      'field', 'amount', 'why', 'decimals', 'most', token.decimals::text
    ));
  end if;
  -- As the ledger classifies a transfer between these wallets. The chain does not show why the treasury pays others.
  if kind_of is null or kind_of <> all (case
    when payer.account not in ('treasury', 'donation-wallet') then
      case whom ->> 'recipient' when 'pool' then array['move'] else array['spending'] end
    when whom ->> 'recipient' = 'pool' then array['donation']
    when whom ->> 'recipient' = 'goal' then array['dream']
    else array['donation', 'cost']
  end) then
    perform private.refuse_field('type', 'transactions_account_of_type');
  end if;
  if kind_of <> 'donation' or whom ->> 'recipient' = 'pool' then
    if pool is not null then
      perform private.refuse_field('pool', 'fixed');
    end if;
  elsif pool is not null and not exists (select from private.accounts where slug = pool and is_pool) then
    perform private.refuse_field('pool', 'unknown');
  end if;
  perform private.check_words('purpose', given ->> 'purpose', 1, 2000, true);
  perform private.check_link('statement', given ->> 'statement');
  if given ->> 'statement' is not null and not exists (
    select from public.cz_calls where tweet_url = given ->> 'statement'
  ) then
    perform private.refuse_field('statement', 'unknown');
  end if;
  -- The notice begins when the name is as old as the notice.
  if whom ? 'since' then
    begins := greatest(now(), (whom ->> 'since')::timestamptz + make_interval(hours => settings.notice_hours));
  end if;
  insert into public.orders (
    account, recipient, recipient_account, chain_id, from_address, to_address, token_address, token_symbol,
    token_decimals, token_amount, type, pool_slug, purpose_hash, statement, due_at, expires_at
  )
  values (
    payer.account, whom ->> 'recipient', whom ->> 'account', settings.chain_id, payer.address, payee, token.address,
    token.symbol, token.decimals, amount::numeric * ('1e' || token.decimals)::numeric, kind_of, pool,
    private.keep_text('ledger', given ->> 'purpose'), given ->> 'statement',
    begins + make_interval(hours => settings.notice_hours),
    begins + make_interval(hours => settings.notice_hours) + interval '7 days'
  )
  returning id into made;
  insert into public.order_changes (number, revision, state) values (made, 0, 'announced') returning id into change;
  return jsonb_build_object('subject', made::text, 'made_kind', 'order', 'made_id', change);
end;
$$;

create function private.perform_stop(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  about public.orders;
begin
  select * into about from public.orders where id::text = act.subject for update;
  if about.state = 'sent' then
    perform private.refuse_act('bound');
  elsif about.state <> 'announced' then
    perform private.refuse_act('order_over');
  end if;
  return jsonb_build_object(
    'subject', act.subject, 'made_kind', 'order', 'made_id', private.move_order(about.id, 'stopped')
  );
end;
$$;

-- As before, and: orders and their stops.
create or replace function private.perform(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  current_version constant integer := private.version_of(act.kind, act.subject);
  keeps_reason constant boolean := act.kind = 'withdrawal';
  least_reason constant integer := private.least_reason(act.kind);
  field text;
  made jsonb;
  broken text;
  why text;
begin
  select key into field from jsonb_each(act.arguments)
  where key <> all (private.fields_of(act.kind)) or jsonb_typeof(value) not in ('string', 'null') limit 1;
  if field is not null and act.kind <> 'reading' then
    perform private.refuse_field(field, 'unknown');
  end if;
  perform private.check_words('reason', act.reason, least_reason, 500, true);
  if current_version is null and (
    private.is_goal_act(act.kind) or act.kind in ('confirmation', 'purpose', 'value', 'reading', 'stop')
    or (act.kind in ('statement', 'update', 'name') and act.subject is not null)
  ) then
    perform private.refuse_act('not_found');
  elsif act.version is distinct from current_version then
    perform private.refuse_act('changed');
  end if;

  begin
    made := case act.kind
      when 'statement' then private.perform_statement(act)
      when 'confirmation' then private.perform_confirmation(act)
      when 'update' then private.perform_update(act)
      when 'purpose' then private.perform_purpose(act)
      when 'value' then private.perform_value(act)
      when 'reading' then private.perform_reading(act)
      when 'name' then private.perform_name(act)
      when 'withdrawal' then private.perform_withdrawal(act)
      when 'operator' then private.perform_operator(act)
      when 'operator-end' then private.perform_operator_end(act)
      when 'order' then private.perform_order(act)
      when 'stop' then private.perform_stop(act)
      else private.perform_goal(act)
    end;
  exception when integrity_constraint_violation or data_exception then
    get stacked diagnostics broken = constraint_name, why = message_text;
    field := case
      when broken in ('transactions_direction_of_type', 'transactions_account_of_type',
        'transactions_counter_account_of_type', 'transactions_type_known') then 'type'
      when broken = 'transactions_pool_of_account' then 'pool'
      when broken = 'wallet_names_of_others' then 'address'
      when broken in ('wallet_names_name', 'wallet_names_unique', 'wallet_names_letters') then 'name'
    end;
    if field is not null then
      perform private.refuse_field(field, broken);
    end if;
    perform private.refuse_act('refused', jsonb_build_object('why', why));
  end;

  return jsonb_build_object(
    'reason_hash', case when act.reason is not null and not keeps_reason and not made ? 'reason_hash'
      then private.keep_text('ledger', act.reason) end
  ) || made;
end;
$$;

-- What the job may call -------------------------------------------------------------------------------------

-- Stores the configuration of payments: {chain_id, notice_hours, limit_tokens, wallets: [{account, address}], tokens:
-- [{symbol, address, decimals}]}. A token that is known keeps its address and its decimals. Then ends the orders whose
-- time is over: the ledger has read all blocks until then, and has no row that may pay them. Returns how many ended.
create function public.keep_orders(settings jsonb) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  chain constant integer := (settings ->> 'chain_id')::integer;
  over bigint;
  ended integer := 0;
begin
  if not exists (select from private.payment_settings where given = settings) then
    insert into private.payment_settings as stored (chain_id, notice_hours, limit_tokens, given)
    values (chain, (settings ->> 'notice_hours')::integer, (settings ->> 'limit_tokens')::integer, settings)
    on conflict (is_only_row) do update set
      chain_id = excluded.chain_id, notice_hours = excluded.notice_hours, limit_tokens = excluded.limit_tokens,
      given = excluded.given;
    delete from private.paying_wallets where chain_id > 0;
    insert into private.paying_wallets (chain_id, account, address)
    select chain, account, address from jsonb_to_recordset(settings -> 'wallets') as wallet (account text, address text);
    insert into private.payment_tokens (chain_id, symbol, address, decimals)
    select chain, symbol, address, decimals
    from jsonb_to_recordset(settings -> 'tokens') as token (symbol text, address text, decimals integer)
    on conflict do nothing;
  end if;
  if not exists (select from public.orders where state = 'announced' and expires_at < now()) then
    return 0;
  end if;
  perform private.lock_log('ledger');
  for over in
    select orders.id from public.orders
    join private.ledger_scans as scans on scans.chain_id = orders.chain_id and scans.block_time >= orders.expires_at
    where orders.state = 'announced' and orders.expires_at < now() and not exists (
      select from public.transactions as facts
      join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
      where facts.from_address = orders.from_address and facts.to_address = orders.to_address
        and facts.token_amount = orders.token_amount and facts.occurred_at >= orders.announced_at
        and statuses.status in ('pending', 'unreachable')
    )
    order by orders.id limit 50
  loop
    perform private.move_order(over, 'expired');
    ended := ended + 1;
  end loop;
  return ended;
end;
$$;
comment on function public.keep_orders(jsonb) is 'Stores the configuration of payments, and ends the orders whose time is over.';

-- What everyone reads ---------------------------------------------------------------------------------------

create view public.published_orders with (security_invoker = false) as
select
  orders.id, orders.state, orders.revision::integer as revision, orders.account, orders.recipient,
  orders.recipient_account, named.name as recipient_name, orders.chain_id, orders.from_address::text as from_address,
  orders.to_address::text as to_address, orders.token_address::text as token_address, orders.token_symbol,
  orders.token_decimals, orders.token_amount::text as token_amount, orders.type, orders.pool_slug, orders.purpose_hash,
  purpose.text as purpose, orders.statement, orders.announced_at, orders.due_at, orders.expires_at,
  approval.number as approval, approval.by as approved_by, approval.second as approved_second,
  stop.by as stopped_by, reason.text as stop_reason, newest.recorded_at as moved_at, entries.index as log_index,
  orders.tx_hash::text as tx_hash, orders.ordinal, paying.id as transaction_id, paying.occurred_at as paid_at
from public.orders
join public.order_changes as newest on newest.number = orders.id and newest.revision = orders.revision
join public.order_changes as first on first.number = orders.id and first.revision = 0
left join private.log_entries as entries
  on entries.log = 'ledger' and entries.kind = 'order' and entries.row_id = newest.id
left join public.operator_acts as approval on approval.made_kind = 'order' and approval.made_id = first.id
left join public.operator_acts as stop
  on orders.state = 'stopped' and stop.made_kind = 'order' and stop.made_id = newest.id
left join private.log_texts as reason on reason.hash = stop.reason_hash
left join private.log_texts as purpose on purpose.hash = orders.purpose_hash
left join private.current_names as named on orders.recipient = 'named' and named.address = orders.to_address
left join lateral (
  select id, occurred_at from public.transactions
  where transactions.chain_id = orders.chain_id and transactions.tx_hash = orders.tx_hash
    and transactions.ordinal = orders.ordinal
  order by transactions.revision desc limit 1
) as paying on true;
comment on view public.published_orders is
  'Every payment that two operators approved, with its state. The newest has the highest id, which is its number.';
comment on column public.published_orders.log_index is 'Place of its newest entry in the log, from 0.';
comment on column public.published_orders.transaction_id is 'The row of the ledger that paid it.';

-- Grants ----------------------------------------------------------------------------------------------------

revoke all on
  private.payment_settings, private.paying_wallets, private.payment_tokens, public.orders, public.order_changes,
  public.published_orders
  from public, anon, authenticated, service_role;
grant select on public.orders, public.order_changes to service_role;
grant select on public.published_orders to anon, authenticated, service_role;
revoke all on all sequences in schema public from anon, authenticated, service_role;
revoke all on function
  private.order_may_move, private.keep_order, private.log_order_change, private.move_order, private.pay_order,
  private.link_orders, private.order_of_row, private.is_own_wallet, private.recipient_of, private.perform_order,
  private.perform_stop, public.keep_orders
  from public, anon, authenticated, service_role;
grant execute on function public.keep_orders to service_role;

reset check_function_bodies;
