-- The payer: an address whose key the worker holds. It owns only coins for gas, and pays due orders by transferFrom,
-- within the allowances that the owners of the paying wallets gave it. Each order gets one nonce of the payer, in the
-- transaction that makes it `sent`; the signed bytes are stored before they are sent. So at most one transaction of an
-- order can be mined.

-- SQL functions of this file name views and tables that are created later.
set check_function_bodies = off;

-- Tables ----------------------------------------------------------------------------------------------------

create table private.order_payments (
  order_id bigint primary key references public.orders (id),
  chain_id private.chain_id not null,
  payer private.address not null,
  nonce private.safe_integer not null,
  bound_at private.moment not null default now(),
  constraint order_payments_nonce unique (chain_id, payer, nonce)
);
comment on table private.order_payments is 'The nonce of each order that the payer pays.';

create table private.order_transactions (
  id bigint generated always as identity primary key,
  order_id bigint not null references private.order_payments (order_id),
  raw text not null
    constraint order_transactions_raw_format check (raw ~ '^0x[0-9a-f]+$' and char_length(raw) <= 4000),
  tx_hash private.hash32 not null unique,
  gas_price private.base_units not null,
  signed_at private.moment not null default now()
);
comment on table private.order_transactions is 'The signed transactions of an order. They have one nonce, so that at most one of them is mined.';
create index order_transactions_of_order on private.order_transactions (order_id, id desc);

-- The newest row says whether payments by the payer are on hold.
create table private.payment_holds (
  id bigint generated always as identity primary key,
  is_held boolean not null,
  cause text not null
    constraint payment_holds_cause_known check (cause in ('operator', 'lost')),
  made_at private.moment not null default now()
);
comment on column private.payment_holds.cause is
  'operator: an act. lost: another transaction used the nonce of an order.';

alter table public.operator_acts drop constraint operator_acts_kind_known;
alter table public.operator_acts add constraint operator_acts_kind_known check (kind in (
  'statement', 'confirmation', 'update', 'purpose', 'value', 'reading', 'name', 'withdrawal', 'operator',
  'operator-end', 'goal-approval', 'goal-return', 'goal-rejection', 'goal-freeze', 'goal-release',
  'goal-annulment', 'goal-report', 'complaint-dismissal', 'order', 'stop',
  'payments-hold', 'payments-release'
));

-- Triggers --------------------------------------------------------------------------------------------------

create trigger append_only before update or delete or truncate on private.order_payments
  for each statement execute function private.refuse_change();
create trigger append_only before update or delete or truncate on private.order_transactions
  for each statement execute function private.refuse_change();
create trigger append_only before update or delete or truncate on private.payment_holds
  for each statement execute function private.refuse_change();

-- As before, and: a transaction of the payer pays only its own order.
create or replace function private.order_of_row(facts public.transactions) returns bigint
language sql stable security definer set search_path = '' as $$
  select min(open.id) from public.orders as open
  left join private.order_transactions as sent on sent.tx_hash = facts.tx_hash
  where open.chain_id = facts.chain_id and open.from_address = facts.from_address
    and open.to_address = facts.to_address and open.token_address = facts.token_address
    and open.token_amount = facts.token_amount and open.announced_at <= facts.occurred_at
    and case when sent.order_id is null then open.state = 'announced' else open.state = 'sent' and open.id = sent.order_id end
    and not exists (
      select from public.orders as former
      where former.chain_id = facts.chain_id and former.tx_hash = facts.tx_hash and former.ordinal = facts.ordinal
    )
$$;

-- What operators may call -----------------------------------------------------------------------------------

create function private.payments_are_held() returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce((select is_held from private.payment_holds order by id desc limit 1), false)
$$;

-- One operator puts all payments on hold, two release them.
create function private.perform_hold(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  if private.payments_are_held() = (act.kind = 'payments-hold') then
    perform private.refuse_act('changed');
  elsif act.kind = 'payments-release' and act."by" is null then
    perform private.refuse_act('operators_only');
  end if;
  insert into private.payment_holds (is_held, cause) values (act.kind = 'payments-hold', 'operator');
  return jsonb_build_object('subject', 'payments');
end;
$$;

create or replace function private.needs_two(kind text) returns boolean
language sql immutable set search_path = '' as $$
  select kind in ('value', 'withdrawal', 'operator', 'goal-approval', 'goal-release', 'goal-annulment', 'order',
    'payments-release')
$$;

create or replace function private.least_reason(kind text) returns integer
language sql immutable set search_path = '' as $$
  select case when kind in (
    'withdrawal', 'operator-end', 'goal-return', 'goal-rejection', 'goal-freeze', 'goal-release', 'goal-annulment', 'stop',
    'payments-hold', 'payments-release'
  ) then 10 else 0 end
$$;

-- As before, and: holds and their releases begin without a subject.
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
    when save_act.kind in ('operator', 'order', 'payments-hold', 'payments-release') then save_act.subject is null
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

-- As before, and: holds and their releases.
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
      when 'payments-hold' then private.perform_hold(act)
      when 'payments-release' then private.perform_hold(act)
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

-- A uint256 as 64 hex digits.
create function private.to_word(amount numeric) returns text
language plpgsql immutable set search_path = '' as $$
declare
  rest numeric := amount;
  word text := '';
begin
  for part in 1..8 loop
    word := lpad(to_hex(mod(rest, 4294967296)::bigint), 8, '0') || word;
    rest := div(rest, 4294967296);
  end loop;
  return word;
end;
$$;

create function private.order_facts(facts public.orders) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', facts.id, 'from_address', facts.from_address, 'to_address', facts.to_address,
    'token_address', facts.token_address, 'token_symbol', facts.token_symbol, 'token_amount', facts.token_amount::text
  )
$$;

-- The state from which the payer continues: {held; open: the order that is sent, with its nonce and its signed
-- transactions, newest first; due: the due orders, oldest first, at most 20; next_nonce: the highest nonce of the payer,
-- plus 1}. A key without a value is null.
create function public.payment_state(chain integer, payer text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'held', private.payments_are_held(),
    'open', (
      select private.order_facts(orders) || jsonb_build_object('payer', bound.payer, 'nonce', bound.nonce, 'transactions', (
        select jsonb_agg(jsonb_build_object(
          'id', id, 'raw', raw, 'tx_hash', tx_hash, 'gas_price', gas_price::text, 'signed_at', signed_at
        ) order by id desc)
        from private.order_transactions where order_id = orders.id
      ))
      from public.orders
      join private.order_payments as bound on bound.order_id = orders.id
      where orders.state = 'sent' and orders.chain_id = chain
      order by orders.id limit 1
    ),
    'due', (
      select coalesce(jsonb_agg(private.order_facts(due) order by due.due_at, due.id), '[]')
      from (
        select * from public.orders
        where state = 'announced' and orders.chain_id = chain and due_at <= now() and expires_at > now()
        order by due_at, id limit 20
      ) as due
    ),
    'next_nonce', (
      select max(nonce) + 1 from private.order_payments
      where chain_id = chain and order_payments.payer = payment_state.payer
    )
  )
$$;

-- Gives an order its nonce and stores its first signed transaction, before it is sent: {payer, nonce, raw, tx_hash,
-- gas_price, block_time}; `block_time` is the time of the newest final block. This is where an order can no longer be
-- stopped. Checks everything again, whatever the worker checked. Returns 'bound', or why nothing was done.
create function public.bind_order(of_order bigint, payment jsonb) returns text
language plpgsql security definer set search_path = '' as $$
declare
  wanted public.orders;
  settings private.payment_settings;
  whom jsonb;
begin
  perform private.lock_log('ledger');
  select * into wanted from public.orders where id = of_order for update;
  select * into settings from private.payment_settings;
  whom := private.recipient_of(wanted.chain_id, wanted.to_address);
  if wanted.state is distinct from 'announced' then
    return 'state';
  elsif private.payments_are_held() then
    return 'held';
  elsif exists (select from public.orders where state = 'sent') then
    return 'another is sent';
  elsif now() < wanted.due_at or (payment ->> 'block_time')::timestamptz < wanted.due_at then
    return 'notice';
  elsif now() >= wanted.expires_at then
    return 'expired';
  elsif not exists (
    select from public.operator_acts as acts
    join public.order_changes as first on first.id = acts.made_id and first.number = wanted.id and first.revision = 0
    where acts.kind = 'order' and acts.state = 'done' and acts.made_kind = 'order'
      and acts.by is not null and acts.second is not null and not private.is_same_person(acts.by, acts.second)
  ) then
    return 'approval';
  elsif whom ->> 'recipient' is distinct from wanted.recipient or whom ->> 'account' is distinct from wanted.recipient_account then
    return 'recipient';
  elsif settings.chain_id is distinct from wanted.chain_id or not exists (
    select from private.paying_wallets
    where chain_id = wanted.chain_id and account = wanted.account and address = wanted.from_address
  ) then
    return 'wallet';
  elsif wanted.token_amount > settings.limit_tokens * ('1e' || wanted.token_decimals)::numeric then
    return 'limit';
  elsif exists (
    select from public.transactions as facts
    join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
    where private.order_of_row(facts) is not null and facts.from_address = wanted.from_address
      and facts.to_address = wanted.to_address and facts.occurred_at >= wanted.announced_at
      and statuses.status in ('pending', 'unreachable', 'verified')
  ) then
    return 'paid by hand';
  elsif exists (
    select from private.order_payments
    where chain_id = wanted.chain_id and payer = payment ->> 'payer' and nonce >= (payment ->> 'nonce')::bigint
  ) then
    return 'nonce';
  elsif position(
    '23b872dd' || lpad(substr(wanted.from_address, 3), 64, '0') || lpad(substr(wanted.to_address, 3), 64, '0')
      || private.to_word(wanted.token_amount)
    in payment ->> 'raw'
  ) = 0 then
    return 'bytes';
  end if;
  insert into private.order_payments (order_id, chain_id, payer, nonce)
  values (wanted.id, wanted.chain_id, payment ->> 'payer', (payment ->> 'nonce')::bigint);
  insert into private.order_transactions (order_id, raw, tx_hash, gas_price)
  values (wanted.id, payment ->> 'raw', payment ->> 'tx_hash', (payment ->> 'gas_price')::numeric);
  perform private.move_order(wanted.id, 'sent');
  return 'bound';
end;
$$;
comment on function public.bind_order(bigint, jsonb) is 'Gives an order its nonce and its first signed transaction.';

-- Stores another transaction of an order that is sent, with the same nonce and a higher gas price. Returns false if it
-- is stored already, or if the order is no longer sent.
create function public.replace_order_transaction(of_order bigint, raw text, tx_hash text, gas_price numeric) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  added bigint;
begin
  perform private.lock_log('ledger');
  insert into private.order_transactions (order_id, raw, tx_hash, gas_price)
  select of_order, replace_order_transaction.raw, replace_order_transaction.tx_hash, replace_order_transaction.gas_price
  from public.orders where orders.id = of_order and orders.state = 'sent'
  on conflict do nothing;
  get diagnostics added = row_count;
  return added > 0;
end;
$$;

-- Ends an order that is sent: 'failed' (the transaction failed) or 'lost'. A loss puts all payments on hold. Returns false if the order is no longer sent.
create function public.end_payment(of_order bigint, outcome text, tx text) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform private.lock_log('ledger');
  if outcome not in ('failed', 'lost') or not exists (
    select from public.orders where id = of_order and state = 'sent'
  ) then
    return false;
  end if;
  perform private.move_order(of_order, outcome, tx);
  if outcome = 'lost' then
    insert into private.payment_holds (is_held, cause) values (true, 'lost');
  end if;
  return true;
end;
$$;

-- What everyone reads ---------------------------------------------------------------------------------------

create view public.payment_hold with (security_invoker = false) as
select holds.id, holds.cause, holds.made_at from private.payment_holds as holds
where holds.is_held and not exists (select from private.payment_holds as later where later.id > holds.id);
comment on view public.payment_hold is 'One row while payments by the site are on hold.';

-- Grants ----------------------------------------------------------------------------------------------------

revoke all on
  private.order_payments, private.order_transactions, private.payment_holds, public.payment_hold
  from public, anon, authenticated, service_role;
grant select on public.payment_hold to anon, authenticated, service_role;
revoke all on all sequences in schema public from anon, authenticated, service_role;
revoke all on function
  private.payments_are_held, private.perform_hold, private.to_word, private.order_facts, public.payment_state,
  public.bind_order, public.replace_order_transaction, public.end_payment
  from public, anon, authenticated, service_role;
grant execute on function
  public.payment_state, public.bind_order, public.replace_order_transaction, public.end_payment
  to service_role;

reset check_function_bodies;
