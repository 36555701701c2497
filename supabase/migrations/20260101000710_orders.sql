-- Orders: decisions of two operators to pay an amount of a token from one of our wallets to one recipient, for one
-- purpose. An order is public before it is paid, and one operator can stop it until then. order_changes has the public
-- history; each of its rows is an entry of the log. The ledger finds the payment and links it to its order.
-- The payer is an address whose key the worker holds. It owns only coins for gas, and pays due orders by transferFrom,
-- within the allowances that the owners of the paying wallets gave it. Each order gets one nonce of the payer, in the
-- transaction that makes it `sent`; the signed bytes are stored before they are sent. So at most one transaction of an
-- order can be mined.

set check_function_bodies = off;

-- Tables ----------------------------------------------------------------------------------------------------

-- What the configuration says about payments, each time that it changed: an entry of the log, on each site.
create table public.payment_terms (
  id bigint generated always as identity primary key,
  chain_id private.chain_id not null,
  payer private.address,
  notice_hours integer not null
    constraint payment_terms_notice_range check (notice_hours between 1 and 720),
  limit_tokens integer not null
    constraint payment_terms_limit_range check (limit_tokens between 1 and 1000000000),
  wallets jsonb not null,
  tokens jsonb not null,
  recorded_at private.moment not null default now()
);
comment on table public.payment_terms is 'The configuration of payments, and each change of it. Each row is an entry `payment-terms`.';
comment on column public.payment_terms.payer is 'The address of PAYER_KEY; null without a payer.';
comment on column public.payment_terms.wallets is '[{account, address}], in the order of the accounts.';
comment on column public.payment_terms.tokens is '[{symbol, address, decimals}], in the order of the symbols: those that take orders.';

-- The terms that hold now: what tightens counts immediately, what loosens after the notice. So the notice is the longest, and
-- the limit the smallest, of all terms that held within that notice.
create view private.payment_settings as
with terms as (select *, lead(recorded_at) over (order by id) as replaced_at from public.payment_terms)
select
  newest.chain_id, newest.payer, notice.hours as notice_hours,
  (
    select min(limit_tokens) from terms where replaced_at is null or replaced_at > now() - make_interval(hours => notice.hours)
  ) as limit_tokens
from terms as newest
cross join (
  select max(notice_hours) as hours from terms
  where replaced_at is null or replaced_at > now() - make_interval(hours => notice_hours)
) as notice
where newest.replaced_at is null;

create table private.paying_wallets (
  chain_id private.chain_id,
  account text references private.accounts (slug),
  address private.address not null,
  since private.moment,
  primary key (chain_id, account),
  constraint paying_wallets_address unique (chain_id, address)
);
comment on table private.paying_wallets is 'The wallets of our accounts, as the newest terms name them.';
comment on column private.paying_wallets.since is 'When it became ours; null if the first terms of its chain named it.';

create table private.payment_tokens (
  chain_id private.chain_id,
  symbol text
    constraint payment_tokens_symbol_length check (char_length(symbol) between 1 and 32),
  address private.address not null,
  decimals private.decimals not null,
  primary key (chain_id, symbol),
  constraint payment_tokens_address unique (chain_id, address)
);
comment on table private.payment_tokens is
  'The tokens that take orders and payments: worth a dollar each, and configured as their contracts say.';

-- Only private.move_order changes the state of an order:
-- announced -> sent (the payer), paid (by hand; the ledger found it), taken (one operator), stopped (one operator),
-- expired (schedule)
-- taken -> paid (by hand), stopped, expired
-- sent -> paid, failed (the transaction failed; the money stayed), mismatched (another amount than ordered left the
-- wallet), lost (another transaction used its nonce)
-- lost, failed -> paid (the ledger found its transaction later)
-- paid -> sent (a reorganisation removed the payer's transaction: it is sent again)
-- The recipient `wallet` is the donation wallet, paid by the treasury.
-- The number of the next order. An act is tried before it is confirmed, so a sequence would leave gaps, which look like
-- orders that were removed.
create function private.next_order() returns bigint
language plpgsql security definer set search_path = '' as $$
begin
  perform private.lock_log('ledger');
  return (select coalesce(max(id), 0) + 1 from public.orders);
end;
$$;

create table public.orders (
  id bigint primary key default private.next_order()
    constraint orders_id_range check (id between 1 and 9007199254740991),
  state text not null default 'announced'
    constraint orders_state_known check (state in (
      'announced', 'taken', 'sent', 'paid', 'failed', 'mismatched', 'lost', 'stopped', 'expired'
    )),
  revision private.revision not null default 0,
  account text not null references private.accounts (slug),
  recipient text not null
    constraint orders_recipient_known check (recipient in ('named', 'pool', 'goal', 'wallet')),
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
create index orders_open on public.orders (from_address, to_address, id) where state in ('announced', 'taken', 'sent', 'lost', 'failed');
create index orders_in_state on public.orders (state, id desc);
create index orders_statement on public.orders (statement) where statement is not null;
create index orders_to_account on public.orders (recipient_account, id desc) where recipient_account is not null;
create index orders_from_account on public.orders (account, id desc);

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

create table private.order_payments (
  order_id bigint primary key references public.orders (id),
  chain_id private.chain_id not null,
  payer private.address not null,
  nonce private.safe_integer not null,
  bound_at private.moment not null default now()
);
comment on table private.order_payments is
  'The nonce of each order that the payer pays. Two orders have one nonce only if two operators let the payer go on downwards.';
create index order_payments_nonce on private.order_payments (chain_id, payer, nonce);

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

create table private.order_tries (
  order_id bigint primary key references public.orders (id),
  tried_at private.moment not null default now(),
  reason text not null
    constraint order_tries_reason_length check (char_length(reason) between 1 and 300)
);
comment on table private.order_tries is 'When the payer last found that it cannot pay an order yet, and why.';

-- What the payer saw of the chain: its coins for gas, what a payment takes of them, and what each paying wallet lets it spend of each token.
create table private.payer_sights (
  is_only_row boolean primary key default true
    constraint payer_sights_is_only_row check (is_only_row),
  chain_id private.chain_id not null,
  payer private.address not null,
  gas private.base_units not null,
  payment_gas private.base_units not null,
  means jsonb not null,
  seen_at private.moment not null default now()
);
comment on column private.payer_sights.means is '[{owner, token, allowance, balance}], in base units; null for what the token does not say.';

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

-- Triggers --------------------------------------------------------------------------------------------------

-- app/payments/states.ts has the same moves.
create function private.order_may_move(former text, next text) returns boolean
language sql immutable set search_path = '' as $$
  select (former || ' ' || next) in (
    'announced sent', 'announced paid', 'announced taken', 'announced stopped', 'announced expired', 'taken paid',
    'taken stopped', 'taken expired', 'sent paid', 'sent failed', 'sent mismatched', 'sent lost', 'lost paid', 'failed paid',
    'paid sent'
  )
$$;

create function private.keep_order() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.revision <> old.revision + 1 or private.order_may_move(old.state, new.state) is not true
    or to_jsonb(new) - '{state,revision,tx_hash,ordinal}'::text[] <> to_jsonb(old) - '{state,revision,tx_hash,ordinal}'::text[] then
    raise exception 'order % cannot go from % to %, and keeps its facts', old.id, old.state, new.state
      using errcode = 'check_violation', constraint = 'orders_move';
  end if;
  return new;
end;
$$;
create trigger keep_order before update on public.orders
  for each row execute function private.keep_order();

call private.refuse('delete or truncate', 'public.orders');
call private.refuse('update or truncate', 'private.payment_tokens');
call private.refuse(
  'update or delete or truncate', 'public.payment_terms', 'public.order_changes', 'private.order_payments', 'private.order_transactions',
  'private.payment_holds'
);

create view private.entry_of_payment_terms as
select
  'payment-terms' as kind, id, private.entry_time(recorded_at) as recorded_at, private.rules() as rules,
  chain_id::integer, payer::text, notice_hours, limit_tokens, (
    select ('[' || coalesce(string_agg(row_to_json(one)::text, ',' order by one.account collate "C"), '') || ']')::json
    from jsonb_to_recordset(wallets) as one (account text, address text)
  ) as wallets, (
    select ('[' || coalesce(string_agg(row_to_json(one)::text, ',' order by one.symbol collate "C"), '') || ']')::json
    from jsonb_to_recordset(tokens) as one (symbol text, address text, decimals integer)
  ) as tokens
from public.payment_terms;
create trigger log_rows after insert on public.payment_terms
  for each row execute function private.log_row('payment-terms', 'id');

-- The wallets and the tokens of the newest terms.
create function private.keep_wallets() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.payment_tokens where chain_id > 0;
  insert into private.payment_tokens (chain_id, symbol, address, decimals)
  select new.chain_id, symbol, address, decimals
  from jsonb_to_recordset(new.tokens) as token (symbol text, address text, decimals integer);
  delete from private.paying_wallets as former where not exists (
    select from jsonb_to_recordset(new.wallets) as wallet (account text, address text)
    where (former.chain_id, former.account, former.address::text) = (new.chain_id, wallet.account, wallet.address)
  );
  insert into private.paying_wallets (chain_id, account, address, since)
  select new.chain_id, wallet.account, wallet.address, case when exists (
    select from public.payment_terms as former where former.chain_id = new.chain_id and former.id < new.id
  ) then new.recorded_at end
  from jsonb_to_recordset(new.wallets) as wallet (account text, address text)
  where not exists (
    select from private.paying_wallets as kept where (kept.chain_id, kept.account) = (new.chain_id, wallet.account)
  );
  return null;
end;
$$;
create trigger keep_wallets after insert on public.payment_terms
  for each row execute function private.keep_wallets();

create view private.entry_of_order as
select
  'order' as kind, changes.id, changes.revision::integer, private.entry_time(changes.recorded_at) as recorded_at,
  private.rules() as rules,
  changes.number, changes.state, facts.account, facts.recipient, facts.recipient_account, facts.chain_id::integer,
  facts.from_address::text, facts.to_address::text, facts.token_address::text, facts.token_symbol,
  facts.token_decimals::integer, facts.token_amount::text as token_amount, facts.type, facts.pool_slug as pool,
  facts.purpose_hash, facts.statement, private.entry_time(facts.due_at) as due_at, changes.tx_hash::text, changes.ordinal
from public.order_changes as changes join public.orders as facts on facts.id = changes.number;
create trigger log_rows after insert on public.order_changes
  for each row execute function private.log_row('order', 'id');

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
  -- A statement whose texts were withdrawn stays as it is.
  if (said.tx_hash is null or exists (select from private.order_transactions where order_id = of_order and tx_hash = said.tx_hash))
    and said.tx_hash is distinct from by_row.tx_hash and private.text_of(said.text_hash) is not null and private.text_of(said.action_hash) is not null
    and (said.confirmed_by_hash is null or private.text_of(said.confirmed_by_hash) is not null) then
    perform private.revise_statement(said, jsonb_build_object('tx_hash', by_row.tx_hash, 'chain_id', by_row.chain_id));
  end if;
end;
$$;

-- A row that was verified pays the oldest order with its wallet, recipient, token and amount that was approved before. Between
-- two of our wallets it is an incoming row if the one that paid has left the configuration. An order of the payer whose row a
-- reorganisation removed is in flight again, unless another of its transactions paid it.
create function private.link_orders() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  paid public.transactions;
  matching bigint;
  again bigint[] := array(
    select orders.id from added
    join public.transactions as facts on facts.id = added.transaction_id
    join public.orders on orders.chain_id = facts.chain_id and orders.tx_hash = facts.tx_hash and orders.ordinal = facts.ordinal
    join private.order_transactions as sent on sent.order_id = orders.id and sent.tx_hash = orders.tx_hash
    where added.status in ('reorganised', 'mismatch')
  );
begin
  foreach matching in array again loop
    perform private.move_order(matching, 'sent');
  end loop;
  for paid in
    select facts.* from (
      select transaction_id as id from added where status = 'verified'
      union
      select own.id from private.order_transactions as sent
      join public.transactions as own on own.tx_hash = sent.tx_hash
      join private.transaction_statuses as statuses on statuses.transaction_id = own.id and statuses.status = 'verified'
      where sent.order_id = any (again)
    ) as verified
    join public.transactions as facts using (id)
    where exists (
        select from public.orders as open
        where open.state in ('announced', 'taken', 'sent', 'lost', 'failed') and open.from_address = facts.from_address
          and open.to_address = facts.to_address
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

-- The open order that a row pays; null without one, or if the row paid one before. The first entry of the row follows that
-- of the order; the clocks of both may differ by two minutes. A transaction of the payer pays only its own order, also one
-- that was taken for lost, or that failed before a reorganisation.
create function private.order_of_row(facts public.transactions) returns bigint
language sql stable security definer set search_path = '' as $$
  select min(open.id) from public.orders as open
  left join private.order_transactions as sent on sent.tx_hash = facts.tx_hash
  where open.chain_id = facts.chain_id and open.from_address = facts.from_address
    and open.to_address = facts.to_address and open.token_address = facts.token_address
    and open.token_amount = facts.token_amount and open.announced_at - interval '2 minutes' <= facts.occurred_at
    and exists (
      select from public.transactions as first
      join private.ledger_entries as found on found.kind = 'transaction' and found.row_id = first.id
      join public.order_changes as change on change.number = open.id and change.revision = 0
      join private.ledger_entries as approved on approved.kind = 'order' and approved.row_id = change.id
      where first.chain_id = facts.chain_id and first.tx_hash = facts.tx_hash and first.ordinal = facts.ordinal
        and first.revision = 0 and found.index > approved.index
    )
    and case when sent.order_id is null then open.state in ('announced', 'taken') else open.state in ('sent', 'lost', 'failed') and open.id = sent.order_id end
    and not exists (
      select from public.orders as former
      where former.chain_id = facts.chain_id and former.tx_hash = facts.tx_hash and former.ordinal = facts.ordinal
    )
$$;

-- What operators may call -----------------------------------------------------------------------------------

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

-- Who an address is: {recipient, account, since (when it got its name, or became ours)}, a pool, a goal that is shown, or a wallet that two operators named;
-- null for any other.
create function private.recipient_of(chain integer, wallet text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select found.whom from (
    select 1 as place, jsonb_build_object('recipient', 'pool', 'account', wallets.account, 'since', wallets.since) as whom
    from private.paying_wallets as wallets
    join private.accounts on accounts.slug = wallets.account and accounts.is_pool
    where wallets.chain_id = chain and wallets.address = wallet
    union all
    select 2, jsonb_build_object('recipient', 'goal', 'account', goals.slug) from public.goals
    where goals.wallet = recipient_of.wallet and stage in ('open', 'ended') and not frozen
    union all
    select 3, jsonb_build_object('recipient', 'named', 'since', named.recorded_at) from private.current_names as named
    where named.address = recipient_of.wallet and named.name is not null
      and exists (
        select from public.operator_acts as acts
        where acts.kind = 'name' and acts.made_kind = 'name' and acts.made_id = named.id and acts.second is not null
      )
      and not exists (select from private.paying_wallets where chain_id = chain and paying_wallets.address = wallet)
  ) as found
  order by found.place limit 1
$$;

-- When the notice of a new order begins: when the name or the wallet of its recipient, and the wallet that pays, are as old
-- as the notice.
create function private.notice_begins(settings private.payment_settings, wallet text, whom jsonb) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select greatest(now(), greatest((whom ->> 'since')::timestamptz, (
    select since from private.paying_wallets where chain_id = settings.chain_id and address = wallet
  )) + make_interval(hours => settings.notice_hours))
$$;

-- An amount in whole tokens, as typed, in base units.
create function private.token_units(field text, typed text, token private.payment_tokens, most numeric) returns numeric
language plpgsql set search_path = '' as $$
begin
  perform private.check_words(field, typed, 1, 40);
  perform private.check_pattern(field, typed, '^\d{1,15}(\.\d{1,18})?$');
  if typed::numeric = 0 then
    perform private.refuse_field(field, 'zero');
  elsif typed::numeric > most then
    perform private.refuse_act('invalid_field', jsonb_build_object(
      'field', field, 'why', 'limit', 'most', trim_scale(most) || ' ' || token.symbol
    ));
  elsif scale(trim_scale(typed::numeric)) > token.decimals then
    perform private.refuse_act('invalid_field', jsonb_build_object(
      'field', field, 'why', 'decimals', 'most', token.decimals::text
    ));
  end if;
  return typed::numeric * ('1e' || token.decimals)::numeric;
end;
$$;

-- What a goal lacks, in dollars: its target less what it received and less its open orders, or those before an order. A paid
-- order whose row is not verified yet, or has no value in dollars, is not in what the goal received.
create function private.goal_lacks(goal text, before bigint default null) returns numeric
language sql stable security definer set search_path = '' as $$
  select greatest(0, max(goals.target_usd - sums.received_usd) - coalesce(sum(
    orders.token_amount / ('1e' || orders.token_decimals)::numeric
  ), 0))
  from public.goals
  join private.goal_sums as sums on sums.id = goals.id
  left join public.orders on orders.recipient = 'goal' and orders.recipient_account = goals.slug
    and orders.id < coalesce(before, orders.id + 1)
    and (
      orders.state in ('announced', 'taken', 'sent')
      or orders.state = 'paid' and exists (
        select from public.transactions as facts
        join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
        where facts.chain_id = orders.chain_id and facts.tx_hash = orders.tx_hash and facts.ordinal = orders.ordinal
          and (statuses.status not in ('verified', 'reorganised') or statuses.status = 'verified' and facts.amount_usd is null and not exists (
            select from public.transactions as later
            where later.chain_id = facts.chain_id and later.tx_hash = facts.tx_hash and later.ordinal = facts.ordinal
              and later.revision > facts.revision
          ))
      )
    )
  where goals.slug = goal_lacks.goal
$$;

-- The settings of payments for an act of two operators that decides about money: the secret key alone decides about none.
create function private.settings_for(act public.operator_acts) returns private.payment_settings
language plpgsql security definer set search_path = '' as $$
declare
  settings private.payment_settings;
begin
  if act."by" is null then
    perform private.refuse_act('operators_only');
  end if;
  select * into settings from private.payment_settings;
  if settings.chain_id is null then
    perform private.refuse_act('no_payments');
  end if;
  return settings;
end;
$$;

-- An order of two operators.
create function private.perform_order(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  given constant jsonb := act.arguments;
  payee constant text := given ->> 'to';
  kind_of constant text := given ->> 'type';
  pool text := given ->> 'pool';
  settings constant private.payment_settings := private.settings_for(act);
  payer private.paying_wallets;
  token private.payment_tokens;
  whom jsonb;
  units numeric;
  begins timestamptz;
  made bigint;
  change bigint;
begin
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
  units := private.token_units('amount', given ->> 'amount', token, least(
    settings.limit_tokens, case when whom ->> 'recipient' = 'goal' then private.goal_lacks(whom ->> 'account') end
  ));
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
  elsif pool is not null and not exists (select from private.open_pools where slug = pool) then
    perform private.refuse_field('pool', 'unknown');
  end if;
  perform private.check_words('purpose', given ->> 'purpose', 1, 2000, true);
  perform private.check_link('statement', given ->> 'statement');
  if given ->> 'statement' is not null and not exists (
    select from public.cz_calls where tweet_url = given ->> 'statement'
  ) then
    perform private.refuse_field('statement', 'unknown');
  end if;
  begins := private.notice_begins(settings, payer.address, whom);
  insert into public.orders (
    account, recipient, recipient_account, chain_id, from_address, to_address, token_address, token_symbol,
    token_decimals, token_amount, type, pool_slug, purpose_hash, statement, due_at, expires_at
  )
  values (
    payer.account, whom ->> 'recipient', whom ->> 'account', settings.chain_id, payer.address, payee, token.address,
    token.symbol, token.decimals, units, kind_of, pool,
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
  elsif about.state not in ('announced', 'taken') then
    perform private.refuse_act('order_over');
  end if;
  return jsonb_build_object(
    'subject', act.subject, 'made_kind', 'order', 'made_id', private.move_order(about.id, 'stopped')
  );
end;
$$;

-- An operator pays an order by hand: from then on the payer never pays it. An operator has at most five that are open.
create function private.perform_take(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  about public.orders;
begin
  if act."by" is null then
    perform private.refuse_act('operators_only');
  end if;
  select * into about from public.orders where id::text = act.subject for update;
  if about.state = 'sent' then
    perform private.refuse_act('bound');
  elsif about.state <> 'announced' then
    perform private.refuse_act('order_over');
  elsif (
    select count(*) from public.operator_acts as former join public.orders on orders.id::text = former.subject
    where former.kind = 'take' and former.state = 'done' and former."by" = act."by" and orders.state = 'taken'
  ) >= 5 then
    perform private.refuse_act('many_taken');
  end if;
  return jsonb_build_object(
    'subject', act.subject, 'made_kind', 'order', 'made_id', private.move_order(about.id, 'taken')
  );
end;
$$;

-- Two operators end an order in flight that ends by no evidence of the chain: the reason names theirs. It counts as lost, so
-- a row that the ledger finds later makes it paid. With fewer than three operators, only after 30 days.
create function private.perform_order_end(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  about public.orders;
  change bigint;
begin
  if act."by" is null then
    perform private.refuse_act('operators_only');
  end if;
  select * into about from public.orders where id::text = act.subject for update;
  if about.state <> 'sent' then
    perform private.refuse_act('not_in_flight');
  elsif exists (
    select from private.order_payments where order_id = about.id and bound_at > now() - case
      when (select count(*) from public.operators where until is null) >= 3 then interval '30 minutes' else interval '30 days'
    end
  ) then
    perform private.refuse_act('too_early');
  end if;
  change := private.move_order(about.id, 'lost');
  insert into private.payment_holds (is_held, cause) values (true, 'lost');
  return jsonb_build_object('subject', act.subject, 'made_kind', 'order', 'made_id', change);
end;
$$;

-- Stops those of these orders that are not sent. A stop can only keep money: it needs no fresh code, and no reason.
create function public.stop_orders(numbers bigint[]) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  caller constant text := private.begin_act(false);
  act public.operator_acts;
  number bigint;
  stopped jsonb := '[]'::jsonb;
begin
  for number in select id from public.orders where id = any (numbers) and state in ('announced', 'taken') order by id loop
    act := jsonb_populate_record(null::public.operator_acts, jsonb_build_object(
      'id', gen_random_uuid(), 'kind', 'stop', 'subject', number::text, 'arguments', '{}'::jsonb, 'by', caller,
      'version', 0, 'created_at', now(), 'saved_at', now()
    ));
    perform private.finish_act(act, private.perform(act), null);
    stopped := stopped || to_jsonb(number);
  end loop;
  return jsonb_build_object('stopped', stopped);
end;
$$;

-- Why an order was stopped, said after the stop. Its reason is that of the act.
create function private.perform_stop_reason(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.orders where id::text = act.subject and state = 'stopped') then
    perform private.refuse_act('not_found');
  elsif exists (select from public.published_orders where id::text = act.subject and stop_reason_hash is not null) then
    perform private.refuse_act('exists');
  end if;
  return jsonb_build_object('subject', act.subject);
end;
$$;

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

-- An order keeps its facts, and perform_stop reads its state: a stop belongs to no revision.
create function private.order_revision(number text) returns integer
language sql stable set search_path = '' as $$
  select 0 from public.orders where id::text = number
$$;

insert into private.act_kinds (kind, people, subject, least_reason, performer, revision_of, fields) values
  ('order', 2, 'none', 0, 'perform_order', null, '{from,to,token,amount,type,pool,purpose,statement}'),
  ('take', 1, 'required', 0, 'perform_take', 'order_revision', '{}'),
  ('order-end', 2, 'required', 10, 'perform_order_end', 'order_revision', '{}'),
  ('stop', 1, 'required', 0, 'perform_stop', 'order_revision', '{}'),
  ('stop-reason', 1, 'required', 10, 'perform_stop_reason', 'order_revision', '{}'),
  ('payments-hold', 1, 'none', 10, 'perform_hold', null, '{}'),
  ('payments-release', 2, 'none', 10, 'perform_hold', null, '{}');

-- What the job may call -------------------------------------------------------------------------------------

-- Whether a token takes payments: it is configured with these decimals, and moved what its orders said.
create function private.takes_payments(chain integer, token text, decimals integer) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from private.payment_tokens as tokens
    where tokens.chain_id = chain and tokens.address = token and tokens.decimals = takes_payments.decimals
  ) and not exists (
    select from private.suspended_tokens as tokens where tokens.chain_id = chain and tokens.address = token
  )
$$;

-- Stores the configuration of payments: {chain_id, payer, notice_hours, limit_tokens, wallets: [{account, address}],
-- tokens: [{symbol, address, decimals}]}; a change of it is an entry of the log. A token that changed waits, and takes no
-- orders, until its open orders have ended. Returns the symbols of the tokens that wait.
create function public.store_payment_terms(terms jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  chain constant integer := (terms ->> 'chain_id')::integer;
  given_wallets jsonb;
  given_tokens jsonb;
  changed jsonb;
begin
  select coalesce(jsonb_agg(jsonb_build_object('account', account, 'address', address) order by account collate "C"), '[]')
  into given_wallets
  from jsonb_to_recordset(terms -> 'wallets') as wallet (account text, address text);
  select
    coalesce(jsonb_agg(to_jsonb(token) - 'is_changed' order by symbol collate "C") filter (where not is_changed), '[]'),
    coalesce(jsonb_agg(symbol) filter (where is_changed), '[]')
  into given_tokens, changed
  from (
    select given.*, exists (
      select from public.orders as open
      where open.state in ('announced', 'taken', 'sent') and open.chain_id = chain and (
        open.token_address = given.address and open.token_decimals <> given.decimals
        or open.token_symbol = given.symbol and open.token_address <> given.address
      )
    ) as is_changed
    from jsonb_to_recordset(terms -> 'tokens') as given (symbol text, address text, decimals integer)
  ) as token;
  if exists (
    select from public.payment_terms as newest
    where newest.id = (select max(id) from public.payment_terms) and (newest.wallets, newest.tokens) = (given_wallets, given_tokens)
      and newest.chain_id = chain and newest.payer is not distinct from terms ->> 'payer'
      and newest.notice_hours = (terms ->> 'notice_hours')::integer
      and newest.limit_tokens = (terms ->> 'limit_tokens')::integer
  ) then
    return changed;
  end if;
  perform private.lock_log('ledger');
  insert into public.payment_terms (chain_id, payer, notice_hours, limit_tokens, wallets, tokens)
  values (
    chain, terms ->> 'payer', (terms ->> 'notice_hours')::integer, (terms ->> 'limit_tokens')::integer, given_wallets,
    given_tokens
  );
  return changed;
end;
$$;

-- Suspends rules of before that have a line of fewer than three letters. Then ends the orders whose time is over: the ledger has read
-- all blocks until then, and has no row that may pay them. Returns how many orders ended.
create function public.end_orders() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  over bigint;
  ended integer := 0;
begin
  perform public.act_with_key('suspend', rules.id::text, '{}', 'A line of its words has fewer than three letters or digits.')
  from public.standing_orders as rules join private.log_texts as words on words.hash = rules.words_hash
  where rules.state = 'active' and private.has_bare_line(words.text);
  if exists (select from public.orders where state in ('announced', 'taken') and expires_at < now()) then
    perform private.lock_log('ledger');
  end if;
  for over in
    select orders.id from public.orders
    join private.ledger_scans as scans on scans.chain_id = orders.chain_id and scans.block_time >= orders.expires_at
    where orders.state in ('announced', 'taken') and orders.expires_at < now() and not exists (
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
    'token_address', facts.token_address, 'token_symbol', facts.token_symbol, 'token_decimals', facts.token_decimals,
    'token_amount', facts.token_amount::text
  )
$$;

-- The state from which the payer continues: {held; open: the order that is sent (the first of several), with its nonce and its signed
-- transactions, newest first; due: the due orders of five lanes, a lane being a wallet and a token, at most 10 of each. First
-- come the lanes and within them the orders whose last try is the longest ago, so that orders that cannot be paid stop no
-- other; waiting: why those that were tried wait, by number, with the time of a try before the last runs; next_nonce; look: the
-- wallets and tokens whose allowance is to be read, [{owner, token}], empty for five minutes after a look}.
create function public.payment_state(chain integer, payer text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'held', private.payments_are_held(),
    'open', (
      select private.order_facts(orders) || jsonb_build_object('account', orders.account, 'token_decimals', orders.token_decimals,
        'payer', bound.payer, 'nonce', bound.nonce, 'transactions', (
        select jsonb_agg(jsonb_build_object(
          'id', id, 'raw', raw, 'tx_hash', tx_hash, 'gas_price', gas_price::text, 'signed_at', signed_at
        ) order by id desc)
        from private.order_transactions where order_id = orders.id
      ))
      from public.orders
      join private.order_payments as bound on bound.order_id = orders.id
      where orders.state = 'sent' and orders.chain_id = chain
      order by bound.bound_at, orders.id limit 1
    ),
    'due', (
      select coalesce(jsonb_agg(private.order_facts(due.facts) order by due.turn, due.place), '[]')
      from (
        select facts, place, dense_rank() over (
          order by lane_at nulls first, lane_due, (facts).from_address, (facts).token_address
        ) as turn
        from (
          select orders as facts,
            row_number() over (lane order by tries.tried_at nulls first, due_at, id) as place,
            min(due_at) over lane as lane_due, greatest(max(tries.tried_at) over lane, (
              select max(bound_at) from private.order_payments as bound join public.orders as former on former.id = bound.order_id
              where former.from_address = orders.from_address and former.token_address = orders.token_address
                and bound.bound_at > now() - interval '1 day'
            )) as lane_at
          from public.orders left join private.order_tries as tries on tries.order_id = orders.id
          where state = 'announced' and orders.chain_id = chain and due_at <= now() and expires_at > now()
            and not exists (
              select from private.suspended_tokens as tokens
              where tokens.chain_id = orders.chain_id and tokens.address = orders.token_address
            )
          window lane as (partition by from_address, token_address)
        ) as placed
        where place <= 10
      ) as due
      where due.turn <= 5
    ),
    'waiting', (
      select coalesce(jsonb_object_agg(tries.order_id, tries.reason || case
        when tries.tried_at < now() - interval '2 minutes'
        then to_char(tries.tried_at at time zone 'UTC', ' "(tried" YYYY-MM-DD HH24:MI "UTC)"') else ''
      end), '{}')
      from private.order_tries as tries join public.orders on orders.id = tries.order_id
      where orders.state = 'announced' and orders.chain_id = chain and orders.expires_at > now()
        and not exists (
          select from private.suspended_tokens as tokens
          where tokens.chain_id = orders.chain_id and tokens.address = orders.token_address
        )
    ),
    'next_nonce', private.next_nonce(chain, payment_state.payer),
    'look', (
      select coalesce(jsonb_agg(jsonb_build_object('owner', wallets.address, 'token', tokens.address)), '[]')
      from private.paying_wallets as wallets
      join private.payment_tokens as tokens on tokens.chain_id = wallets.chain_id
      where wallets.chain_id = chain and not exists (
        select from private.payer_sights as seen
        where seen.chain_id = chain and seen.payer = payment_state.payer and seen.seen_at > now() - interval '5 minutes'
      )
    )
  )
$$;

-- Stores that orders cannot be paid yet. `reasons`: an object of their numbers and reasons.
create function public.record_tries(reasons jsonb) returns void
language sql security definer set search_path = '' as $$
  insert into private.order_tries (order_id, reason)
  select orders.id, left(tried.value, 300) from jsonb_each_text(reasons) as tried
  join public.orders on orders.id = tried.key::bigint and orders.state = 'announced'
  on conflict (order_id) do update set tried_at = excluded.tried_at, reason = excluded.reason
$$;

-- Stores what the payer saw: {chain_id, payer, gas, payment_gas, means: [{owner, token, allowance, balance}]}.
create function public.record_payer(sight jsonb) returns void
language sql security definer set search_path = '' as $$
  insert into private.payer_sights (chain_id, payer, gas, payment_gas, means)
  values (
    (sight ->> 'chain_id')::integer, sight ->> 'payer', (sight ->> 'gas')::numeric, (sight ->> 'payment_gas')::numeric,
    sight -> 'means'
  )
  on conflict (is_only_row) do update set
    chain_id = excluded.chain_id, payer = excluded.payer, gas = excluded.gas, payment_gas = excluded.payment_gas,
    means = excluded.means, seen_at = now()
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
  whom := case when wanted.recipient = 'wallet' then (
    select jsonb_build_object('recipient', 'wallet', 'account', wallets.account) from private.paying_wallets as wallets
    where wallets.chain_id = wanted.chain_id and wallets.address = wanted.to_address
  ) else private.recipient_of(wanted.chain_id, wanted.to_address) end;
  -- A comparison with a null would pass below.
  if num_nulls(
    payment ->> 'payer', payment ->> 'nonce', payment ->> 'raw', payment ->> 'tx_hash', payment ->> 'gas_price',
    payment ->> 'block_time'
  ) > 0 then
    return 'incomplete';
  elsif wanted.state is distinct from 'announced' then
    return 'state';
  elsif private.payments_are_held() then
    return 'held';
  elsif exists (select from public.orders where state = 'sent' and chain_id = wanted.chain_id) then
    return 'another is sent';
  elsif now() < wanted.due_at or (payment ->> 'block_time')::timestamptz < wanted.due_at then
    return 'notice';
  elsif now() >= wanted.expires_at then
    return 'expired';
  elsif not private.is_approved(wanted) then
    return 'approval';
  elsif whom ->> 'recipient' is distinct from wanted.recipient or whom ->> 'account' is distinct from wanted.recipient_account then
    return 'recipient';
  elsif settings.payer is distinct from payment ->> 'payer' then
    return 'payer';
  elsif settings.chain_id is distinct from wanted.chain_id or not exists (
    select from private.paying_wallets
    where chain_id = wanted.chain_id and account = wanted.account and address = wanted.from_address
  ) then
    return 'wallet';
  elsif wanted.token_amount > settings.limit_tokens * ('1e' || wanted.token_decimals)::numeric then
    return 'limit';
  elsif wanted.recipient = 'goal' and wanted.token_amount
    > private.goal_lacks(wanted.recipient_account, wanted.id) * ('1e' || wanted.token_decimals)::numeric then
    return 'the goal lacks less';
  elsif not private.takes_payments(wanted.chain_id, wanted.token_address, wanted.token_decimals) then
    return 'token';
  elsif exists (
    select from public.transactions as facts
    join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
    where private.order_of_row(facts) is not null and facts.from_address = wanted.from_address
      and facts.to_address = wanted.to_address and facts.occurred_at >= wanted.announced_at - interval '2 minutes'
      and statuses.status in ('pending', 'unreachable', 'verified')
  ) then
    return 'paid by hand';
  elsif exists (
    select from public.orders as former
    join public.order_changes as ended on ended.number = former.id and ended.state in ('failed', 'mismatched', 'lost')
    join public.order_changes as paid on paid.number = former.id and paid.revision = former.revision
    where former.state = 'paid' and former.from_address = wanted.from_address and former.to_address = wanted.to_address
      and former.token_address = wanted.token_address and former.token_amount = wanted.token_amount
      and ended.recorded_at <= wanted.announced_at and paid.recorded_at > wanted.announced_at
  ) then
    return 'paid after all';
  elsif (payment ->> 'nonce')::bigint <> private.next_nonce(wanted.chain_id, payment ->> 'payer') then
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

-- The order that had a nonce of the payer last, if it ended without its payment: {id, gas_price (the greatest of its
-- transactions)}; otherwise null.
create function public.ended_order(chain integer, payer text, nonce bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('id', last.id, 'gas_price', (
    select max(gas_price)::text from private.order_transactions where order_id = last.id
  ))
  from (
    select orders.id, orders.state
    from private.order_payments as bound join public.orders on orders.id = bound.order_id
    where bound.chain_id = chain and bound.payer = ended_order.payer and bound.nonce = ended_order.nonce
    order by bound.bound_at desc, orders.id desc limit 1
  ) as last
  where last.state in ('failed', 'mismatched')
$$;

-- Stores another transaction of an order that is sent, with the same nonce and a higher gas price. Returns false if it
-- is stored already, or if the order is no longer sent.
create function public.replace_order_transaction(of_order bigint, raw text, tx_hash text, gas_price numeric) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform private.lock_log('ledger');
  insert into private.order_transactions (order_id, raw, tx_hash, gas_price)
  select of_order, replace_order_transaction.raw, replace_order_transaction.tx_hash, replace_order_transaction.gas_price
  from public.orders where orders.id = of_order and orders.state = 'sent'
  on conflict do nothing;
  return found;
end;
$$;

-- Ends an order that is sent: 'failed' (the transaction failed), 'mismatched' (another amount left the wallet, which
-- suspends the token), or 'lost', which puts all payments on hold. Returns false if the order is no longer sent, or if the
-- ledger has its payment by this transaction.
create function public.end_payment(of_order bigint, outcome text, tx text) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform private.lock_log('ledger');
  if coalesce(outcome, '') not in ('failed', 'mismatched', 'lost') or not exists (
    select from public.orders where id = of_order and state = 'sent'
  ) or outcome <> 'mismatched' and exists (
    select from public.orders join public.transactions as facts
      on facts.tx_hash = tx and facts.chain_id = orders.chain_id and facts.from_address = orders.from_address
      and facts.to_address = orders.to_address and facts.token_address = orders.token_address
      and facts.token_amount = orders.token_amount
    join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
    where orders.id = of_order and statuses.status in ('pending', 'unreachable', 'verified')
  ) then
    return false;
  end if;
  perform private.move_order(of_order, outcome, tx);
  if outcome = 'lost' then
    insert into private.payment_holds (is_held, cause) values (true, 'lost');
  elsif outcome = 'mismatched' then
    insert into private.suspended_tokens (chain_id, address, order_id)
    select chain_id, token_address, id from public.orders where id = of_order
    on conflict do nothing;
  end if;
  return true;
end;
$$;

-- Grants ----------------------------------------------------------------------------------------------------

grant select on public.payment_terms, public.orders, public.order_changes to service_role;
grant execute on function public.stop_orders to authenticated;
grant execute on function
  public.store_payment_terms, public.end_orders, public.payment_state, public.bind_order, public.ended_order,
  public.replace_order_transaction, public.end_payment, public.record_payer, public.record_tries
  to service_role;

reset check_function_bodies;
