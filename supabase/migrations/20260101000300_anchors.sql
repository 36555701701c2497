-- Anchors: transactions that write the root of a checkpoint to a blockchain, so that the log cannot be replaced later.

set check_function_bodies = off;

-- Tables ----------------------------------------------------------------------------------------------------

-- The bytes of a signed transaction are stored before they are sent. Until one is mined, the job sends the same bytes
-- again, or another transaction with the same nonce and a higher gas price.
create table private.log_anchors (
  id bigint generated always as identity primary key,
  log text collate "C" not null references private.logs (name),
  size private.safe_integer not null
    constraint log_anchors_size_positive check (size > 0),
  root text not null
    constraint log_anchors_root_format check (root ~ '^[A-Za-z0-9+/]{43}=$'),
  chain_id private.chain_id not null,
  address private.address not null,
  nonce private.safe_integer not null,
  recorded_at private.moment not null default now(),
  constraint log_anchors_once unique (log, chain_id, size, root),
  constraint log_anchors_nonce unique (chain_id, address, nonce)
);
comment on table private.log_anchors is 'Each checkpoint that is anchored, once for each chain.';

create table private.log_anchor_transactions (
  id bigint generated always as identity primary key,
  anchor_id bigint not null references private.log_anchors (id),
  raw text not null
    constraint log_anchor_transactions_raw_format check (raw ~ '^0x[0-9a-f]+$' and char_length(raw) <= 4000),
  tx_hash private.hash32 not null unique,
  gas_price private.base_units not null,
  signed_at private.moment not null default now()
);
comment on table private.log_anchor_transactions is 'The signed transactions of an anchor. They have one nonce, so that at most one of them is mined.';
create index log_anchor_transactions_of_anchor on private.log_anchor_transactions (anchor_id, id desc);

create table private.log_anchor_checks (
  id bigint generated always as identity primary key,
  transaction_id bigint not null references private.log_anchor_transactions (id),
  status text not null
    constraint log_anchor_checks_status_known check (status in ('sent', 'pending', 'anchored', 'lost')),
  block_number private.safe_integer,
  block_hash private.hash32,
  block_time private.moment,
  checked_at private.moment not null default now(),
  constraint log_anchor_checks_has_block check (status in ('sent', 'lost') or (block_number is not null and block_hash is not null and block_time is not null))
);
comment on column private.log_anchor_checks.status is 'sent: not mined. pending: mined, not final yet. anchored: final. lost: another transaction used its nonce.';
create index log_anchor_checks_of_transaction on private.log_anchor_checks (transaction_id, id desc);

call private.refuse(
  'update or delete or truncate', 'private.log_anchors', 'private.log_anchor_transactions', 'private.log_anchor_checks'
);

-- What the job may call -------------------------------------------------------------------------------------

-- The state from which the scheduled job continues: {open: the oldest anchor that is neither final nor lost, with its
-- signed transactions, newest first; latest: the newest anchor; day_count: number of anchors of the last 24 hours;
-- next_nonce: the highest nonce of the wallet address, plus 1}. A key without a value is null.
create function public.anchor_state(log text, chain integer, address text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'open', (
      select to_jsonb(published) || jsonb_build_object('transactions', (
        select jsonb_agg(jsonb_build_object(
          'id', id, 'raw', raw, 'tx_hash', tx_hash, 'gas_price', gas_price::text, 'signed_at', signed_at,
          'status', (
            select status from private.log_anchor_checks where transaction_id = transactions.id
            order by log_anchor_checks.id desc limit 1
          )
        ) order by id desc)
        from private.log_anchor_transactions as transactions where anchor_id = published.id
      ))
      from public.published_anchors as published
      where published.log = anchor_state.log and chain_id = chain and status not in ('anchored', 'lost')
      order by id limit 1
    ),
    'latest', (
      select to_jsonb(published) from public.published_anchors as published
      where published.log = anchor_state.log and chain_id = chain order by id desc limit 1
    ),
    'day_count', (
      select count(*) from private.log_anchors
      where log_anchors.log = anchor_state.log and chain_id = chain and recorded_at > now() - interval '24 hours'
    ),
    'next_nonce', (
      select max(nonce) + 1 from private.log_anchors
      where chain_id = chain and log_anchors.address = anchor_state.address
    )
  )
$$;

-- Stores an anchor with its first signed transaction, before the transaction is sent: {size, root, chain_id, address,
-- nonce, raw, tx_hash, gas_price, min_seconds, day_most}. Returns the anchor's id. Raises SQLSTATE PT409 if no anchor
-- is due on this chain: the checkpoint is not the newest or is anchored already, an anchor is neither final nor lost,
-- one is less than min_seconds old, or there were day_most anchors in 24 hours. Raises check_violation if no checkpoint
-- has this size and root.
create function public.store_anchor(log text, anchor jsonb) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  chain integer := (anchor ->> 'chain_id')::integer;
  added bigint;
begin
  perform private.lock_log(log);
  if not exists (
    select from private.log_checkpoints
    where log_checkpoints.log = store_anchor.log and size = (anchor ->> 'size')::bigint and root = anchor ->> 'root'
  ) then
    raise check_violation using
      message = 'no signed checkpoint has this size and root', constraint = 'log_anchors_of_checkpoint',
      table = 'log_anchors', schema = 'private';
  end if;
  if exists (
    select from public.newest_checkpoints as newest
    where newest.log = store_anchor.log and newest.size > (anchor ->> 'size')::bigint
  ) or exists (
    select from public.published_anchors as published
    where published.log = store_anchor.log and chain_id = chain
      and (status not in ('anchored', 'lost') or recorded_at > now() - make_interval(secs => (anchor ->> 'min_seconds')::integer)
        or (size = (anchor ->> 'size')::bigint and root = anchor ->> 'root'))
  ) or (
    select count(*) from private.log_anchors
    where log_anchors.log = store_anchor.log and chain_id = chain and recorded_at > now() - interval '24 hours'
  ) >= (anchor ->> 'day_most')::integer then
    raise exception 'no anchor is due' using errcode = 'PT409';
  end if;
  insert into private.log_anchors (log, size, root, chain_id, address, nonce)
  values (
    store_anchor.log, (anchor ->> 'size')::bigint, anchor ->> 'root', chain, anchor ->> 'address', (anchor ->> 'nonce')::bigint
  )
  returning id into added;
  insert into private.log_anchor_transactions (anchor_id, raw, tx_hash, gas_price)
  values (added, anchor ->> 'raw', anchor ->> 'tx_hash', (anchor ->> 'gas_price')::numeric);
  return added;
end;
$$;

-- Stores another transaction of an anchor, with the same nonce and a higher gas price. Returns false if it is stored
-- already.
create function public.store_anchor_transaction(anchor_id bigint, raw text, tx_hash text, gas_price numeric) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.log_anchor_transactions (anchor_id, raw, tx_hash, gas_price)
  values (
    store_anchor_transaction.anchor_id, store_anchor_transaction.raw, store_anchor_transaction.tx_hash,
    store_anchor_transaction.gas_price
  )
  on conflict do nothing;
  return found;
end;
$$;

-- Records the result of a check of an anchor's transaction: {transaction_id, status, block_number, block_hash,
-- block_time}. Returns false, without a record, if status and block_hash are those of the check before.
create function public.record_anchor_check(result jsonb) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  of_transaction bigint := (result ->> 'transaction_id')::bigint;
begin
  insert into private.log_anchor_checks (transaction_id, status, block_number, block_hash, block_time)
  select
    of_transaction, result ->> 'status', (result ->> 'block_number')::bigint, result ->> 'block_hash',
    (result ->> 'block_time')::timestamptz
  where not exists (
    select from (
      select status, block_hash from private.log_anchor_checks
      where transaction_id = of_transaction order by id desc limit 1
    ) as latest
    where latest.status = result ->> 'status' and latest.block_hash is not distinct from result ->> 'block_hash'
  );
  return found;
end;
$$;

-- What everyone reads ---------------------------------------------------------------------------------------

create view public.published_anchors with (security_invoker = false) as
select
  anchors.id, anchors.log, anchors.size, anchors.root, anchors.chain_id, anchors.address, anchors.nonce,
  sent.tx_hash, sent.signed_at, coalesce(found.status, 'sent') as status, found.block_number, found.block_hash,
  found.block_time, anchors.recorded_at
from private.log_anchors as anchors
join lateral (
  -- The final transaction. If none is final, the mined one; of several, the one with the newest check, because a
  -- reorganisation may mine another one. If none is mined, the newest one that is not lost, or the newest of all.
  select transactions.id, transactions.tx_hash, transactions.signed_at
  from private.log_anchor_transactions as transactions
  left join lateral (
    select id, status from private.log_anchor_checks where transaction_id = transactions.id order by id desc limit 1
  ) as latest on true
  where transactions.anchor_id = anchors.id
  order by
    case latest.status when 'anchored' then 0 when 'pending' then 1 when 'lost' then 3 else 2 end,
    case when latest.status = 'pending' then latest.id end desc,
    transactions.id desc
  limit 1
) as sent on true
left join lateral (
  select * from private.log_anchor_checks where transaction_id = sent.id order by id desc limit 1
) as found on true;
comment on view public.published_anchors is 'Every anchor, with the transaction that carries it. The newest has the highest id.';

-- Grants ----------------------------------------------------------------------------------------------------

grant select on public.published_anchors to anon, authenticated, service_role;
grant execute on function
  public.anchor_state, public.store_anchor, public.store_anchor_transaction, public.record_anchor_check
  to service_role;

reset check_function_bodies;
