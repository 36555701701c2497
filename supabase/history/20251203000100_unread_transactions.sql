-- A stranger can send a transaction that no endpoint delivers, for example one with megabytes of event data, and can fill
-- a block with transfers to us. So the scan stores its position inside a block, and sets a transaction that it could
-- not read aside: it is tried again later, and the scan goes on.

alter table private.ledger_scans
  add column begun_hash private.hash32,
  add column begun_index private.safe_integer,
  add constraint ledger_scans_begun_whole check ((begun_hash is null) = (begun_index is null));
comment on column private.ledger_scans.block_number is 'The last block of which every transaction was read.';
comment on column private.ledger_scans.begun_hash is
  'The hash of the block after it, if a part of that block was read; begun_index is the index of the last transaction of this part.';

create table private.unread_transactions (
  chain_id private.chain_id,
  tx_hash private.hash32,
  block_number private.safe_integer not null,
  block_hash private.hash32 not null,
  block_time private.moment not null,
  fault text not null
    constraint unread_transactions_fault_length check (char_length(fault) between 1 and 300),
  is_too_large boolean not null,
  found_at private.moment not null default now(),
  tried_at private.moment not null default now(),
  primary key (chain_id, tx_hash)
);
comment on table private.unread_transactions is
  'Transactions that may have a transfer of ours, and whose receipt no endpoint delivered. A row is deleted once the transaction was read.';
comment on column private.unread_transactions.is_too_large is
  'The answer is too large, which does not pass soon: tried again once a day. Other faults are tried again after a minute, then after doubled times of up to a day.';
create index unread_transactions_newest on private.unread_transactions (chain_id, block_number desc, tx_hash);

revoke all on private.unread_transactions from public, anon, authenticated, service_role;

-- Stores the results of reading transactions whose receipt was not delivered before, or now: [{tx_hash, block_number,
-- block_hash, block_time, fault, is_too_large}]. One without a fault was read, and is no longer unread.
create function private.store_unread(chain integer, results jsonb) returns void
language sql set search_path = '' as $$
  delete from private.unread_transactions as unread
  using jsonb_to_recordset(results) as result (tx_hash text, fault text)
  where unread.chain_id = chain and unread.tx_hash = result.tx_hash and result.fault is null;
  insert into private.unread_transactions as unread
    (chain_id, tx_hash, block_number, block_hash, block_time, fault, is_too_large)
  select chain, result.tx_hash, result.block_number, result.block_hash, result.block_time, result.fault, result.is_too_large
  from jsonb_to_recordset(results) as result (
    tx_hash text, block_number bigint, block_hash text, block_time timestamptz, fault text, is_too_large boolean
  )
  where result.fault is not null
  on conflict (chain_id, tx_hash) do update set
    block_number = excluded.block_number, block_hash = excluded.block_hash, block_time = excluded.block_time,
    fault = excluded.fault, is_too_large = excluded.is_too_large, tried_at = now()
$$;
revoke all on function private.store_unread(integer, jsonb) from public, anon, authenticated, service_role;

-- Appends rows to the ledger, and in the same transaction stores how far the chain was read. A transfer or a correction
-- (revision > 0) that the ledger has is skipped. `note` and `proof_url` are texts: a correction that repeats the text of
-- the revision before keeps its hash, so that one withdrawal removes both. `scan`: {chain_id, after, after_index,
-- block_number, block_hash, block_time, begun_hash, begun_index, unread}; `after` and `after_index` are the stored
-- block_number and begun_index when the caller began, null if there were none; `unread` as private.store_unread takes
-- it. If another run has moved the stored position since, nothing is written
-- and SQLSTATE 40001 is raised. Returns {added, size}: the number of new rows and the size of the log.
create or replace function public.append_ledger(entries jsonb, scan jsonb default null) returns jsonb
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  added bigint;
begin
  perform private.lock_log('ledger');
  if scan is not null and exists (
    select from (select (scan ->> 'after')::bigint as block_number, (scan ->> 'after_index')::bigint as begun_index) as expected
    left join private.ledger_scans as stored on stored.chain_id = (scan ->> 'chain_id')::integer
    where (stored.block_number, stored.begun_index) is distinct from (expected.block_number, expected.begun_index)
  ) then
    raise serialization_failure using message = 'another run has moved the scan';
  end if;
  perform private.check_https('transactions_proof_url', entry ->> 'proof_url')
  from jsonb_array_elements(entries) as entry where entry ->> 'proof_url' is not null;

  insert into public.transactions (
    occurred_at, account, counter_account, direction, type, pool_slug, amount_usd, rate_usd, rate_source, token_amount,
    token_symbol, token_decimals, token_address, from_address, to_address, tx_hash, chain_id, ordinal, revision,
    proof_hash, note_hash
  )
  select
    entry.occurred_at, entry.account, entry.counter_account, entry.direction, entry.type, entry.pool_slug,
    entry.amount_usd, entry.rate_usd, entry.rate_source, entry.token_amount, entry.token_symbol, entry.token_decimals,
    entry.token_address, entry.from_address, entry.to_address, entry.tx_hash, entry.chain_id, entry.ordinal,
    coalesce(entry.revision, 0),
    case when entry.proof_url is not null then private.keep_text_again('ledger', entry.proof_url, former.proof_hash) end,
    case when entry.note is not null then private.keep_text_again('ledger', entry.note, former.note_hash) end
  from rows from (
    jsonb_to_recordset(entries) as (
      occurred_at timestamptz, account text, counter_account text, direction text, type text, pool_slug text,
      amount_usd numeric, rate_usd numeric, rate_source text, token_amount numeric, token_symbol text,
      token_decimals smallint, token_address text, from_address text, to_address text, tx_hash text, chain_id integer,
      ordinal integer, revision integer, proof_url text, note text
    )
  ) with ordinality as entry
  left join public.transactions as former
    on former.tx_hash = entry.tx_hash and former.chain_id = entry.chain_id and former.ordinal = entry.ordinal
      and former.revision = entry.revision - 1
  where not exists (
    select from public.transactions as known
    where known.tx_hash = entry.tx_hash and known.chain_id = entry.chain_id and known.ordinal = entry.ordinal
      and known.revision = coalesce(entry.revision, 0)
  )
  order by entry.ordinality
  on conflict on constraint transactions_key do nothing;
  get diagnostics added = row_count;

  if scan is not null then
    insert into private.ledger_scans (chain_id, block_number, block_hash, block_time, begun_hash, begun_index)
    values (
      (scan ->> 'chain_id')::integer, (scan ->> 'block_number')::bigint, scan ->> 'block_hash',
      (scan ->> 'block_time')::timestamptz, scan ->> 'begun_hash', (scan ->> 'begun_index')::bigint
    )
    on conflict (chain_id) do update set
      block_number = excluded.block_number, block_hash = excluded.block_hash,
      block_time = excluded.block_time, begun_hash = excluded.begun_hash, begun_index = excluded.begun_index,
      scanned_at = now();
    perform private.store_unread((scan ->> 'chain_id')::integer, scan -> 'unread');
  end if;

  if exists (select from private.unread_transactions) then
    delete from private.unread_transactions as unread
    using jsonb_to_recordset(entries) as entry (tx_hash text, chain_id integer)
    where unread.chain_id = entry.chain_id and unread.tx_hash = entry.tx_hash;
  end if;

  return jsonb_build_object('added', added, 'size', public.log_size('ledger'));
end;
$$;


-- Up to `most` unread transactions that are due to be tried again: [{tx_hash, block_number, block_hash, block_time}].
create function public.unread_due(chain integer, most integer) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'tx_hash', tx_hash, 'block_number', block_number, 'block_hash', block_hash, 'block_time', block_time
  ) order by tried_at), '[]')
  from (
    select * from private.unread_transactions
    where chain_id = chain and tried_at + case
      when is_too_large then interval '1 day'
      else least(interval '1 day', tried_at - found_at + interval '30 seconds')
    end <= now()
    order by tried_at limit most
  ) as due
$$;

-- Appends rows as append_ledger does, and in the same transaction stores which transactions were and were not read:
-- `results` as private.store_unread takes them. Returns {added, size} of append_ledger.
create function public.append_unread(chain integer, entries jsonb, results jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  answer jsonb := public.append_ledger(entries);
begin
  perform private.store_unread(chain, results);
  return answer;
end;
$$;

revoke all on function public.unread_due(integer, integer), public.append_unread(integer, jsonb, jsonb)
  from public, anon, authenticated;
grant execute on function public.unread_due(integer, integer), public.append_unread(integer, jsonb, jsonb)
  to service_role;

create or replace view public.ledger_status with (security_invoker = false) as
select
  logs.size::bigint as size,
  (select encode(leaf, 'hex') from private.log_entries where log = 'ledger' and index = logs.size - 1) as leaf,
  (select recorded_at from public.transactions order by id desc limit 1) as recorded_at,
  (select max(id) from public.transaction_checks) as check_id,
  (select size from public.newest_checkpoints where log = 'ledger') as signed_size,
  rollback.size::bigint as rolled_back_size, rollback.noticed_at as rolled_back_at,
  scan.chain_id, scan.block_number, scan.block_hash, scan.block_time, scan.scanned_at,
  scan.begun_hash, scan.begun_index,
  (select count(*) from private.unread_transactions as unread where unread.chain_id = scan.chain_id) as unread_count,
  (
    select coalesce(jsonb_agg(jsonb_build_object('tx_hash', newest.tx_hash, 'block_time', newest.block_time, 'fault', newest.fault)), '[]')
    from (
      select * from private.unread_transactions as unread where unread.chain_id = scan.chain_id
      order by unread.block_number desc, unread.tx_hash limit 20
    ) as newest
  ) as unread
from private.logs
left join private.log_rollbacks as rollback on rollback.log = logs.name
left join lateral (select * from private.ledger_scans order by scanned_at desc limit 1) as scan on true
where logs.name = 'ledger';
comment on column public.ledger_status.unread_count is
  'Number of transactions that no endpoint delivered, and that may have transfers of ours.';
comment on column public.ledger_status.unread is 'The newest 20 of these: [{"tx_hash", "block_time", "fault"}].';

create or replace view public.live_state with (security_invoker = false) as
select
  concat_ws(
    ' ',
    (select max(id) from public.transactions),
    (select max(id) from public.reconciliations),
    (select max(id) from private.log_withdrawals),
    -- Open pages are updated after a check that changes a status, and a changed status changes these sums.
    (
      select md5(string_agg(concat_ws(':', status, rows, valued, usd), ' ' order by status))
      from (
        select status, sum(row_count) as rows, sum(valued_count) as valued, sum(sum_usd) as usd
        from private.sums_by_month group by status
      ) as by_status
    ),
    (select concat_ws('-', count(*), max(found_at)) from private.unread_transactions)
  ) as ledger,
  concat_ws(' ', (select max(id) from public.cz_calls), (select max(id) from private.log_withdrawals)) as calls,
  concat_ws(' ', (select max(id) from public.pool_updates), (select max(id) from private.log_withdrawals)) as pools;
