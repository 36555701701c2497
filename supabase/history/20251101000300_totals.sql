-- Stored sums of the ledger, so that the number of rows that a page reads does not grow with the number of transfers.
-- Sums by month are for totals and charts; sums by day are for the sums of a filter.

-- Signed: PostgreSQL checks the values of an insert, which are negative for a removal, before `on conflict` adds them.
create domain private.row_count as bigint
  constraint row_count_range check (value between -9007199254740991 and 9007199254740991);
-- Below 2^46 dollars a JSON number (a double) is exact to the cent.
create domain private.dollar_sum as numeric(16, 2)
  constraint dollar_sum_range check (value between -70000000000000 and 70000000000000);
create domain private.calendar_day as date
  constraint calendar_day_range check (value between '2015-01-01' and '2099-12-31');

create type private.sum_change as (sign integer, transaction_id bigint, status text);

create table private.sums_by_month (
  month private.calendar_day not null,
  account text not null,
  counter_account text,
  direction text not null,
  type text not null,
  pool_slug text,
  status text not null,
  row_count private.row_count not null,
  valued_count private.row_count not null,
  sum_usd private.dollar_sum not null,
  constraint sums_by_month_key
    unique nulls not distinct (month, account, counter_account, direction, type, pool_slug, status)
);
comment on table private.sums_by_month is 'Running sums over the latest revisions, by month (UTC) and status. Triggers keep them.';

create table private.sums_by_day (
  day private.calendar_day not null,
  account text not null,
  counter_account text,
  direction text not null,
  type text not null,
  pool_slug text,
  status text not null,
  row_count private.row_count not null,
  valued_count private.row_count not null,
  sum_usd private.dollar_sum not null,
  constraint sums_by_day_key
    unique nulls not distinct (day, account, counter_account, direction, type, pool_slug, status)
);
comment on table private.sums_by_day is 'As sums_by_month, by day (UTC).';

create table private.gross_sum (
  is_only_row boolean primary key default true
    constraint gross_sum_is_only_row check (is_only_row),
  sum_usd private.dollar_sum not null
);
comment on table private.gross_sum is 'The dollars of all latest revisions, of every status and direction. No published sum can exceed it, so its bound refuses a row that would make a sum unreadable.';
insert into private.gross_sum (sum_usd) values (0);

-- Adds each row to the sums of its status (sign 1) or subtracts it (sign -1). The caller holds the log's lock.
create function private.change_sums(changes private.sum_change[]) returns void
language sql set search_path = '' as $$
  with changed as (
    select
      (facts.occurred_at at time zone 'UTC')::date as day, facts.account, facts.counter_account, facts.direction,
      facts.type, facts.pool_slug, change.status,
      sum(change.sign) as row_count,
      coalesce(sum(change.sign) filter (where facts.amount_usd is not null), 0) as valued_count,
      coalesce(sum(change.sign * facts.amount_usd), 0) as sum_usd
    from unnest(changes) as change
    join public.transactions as facts on facts.id = change.transaction_id
    group by 1, 2, 3, 4, 5, 6, 7
  ), days as (
    insert into private.sums_by_day as sums
      (day, account, counter_account, direction, type, pool_slug, status, row_count, valued_count, sum_usd)
    select day, account, counter_account, direction, type, pool_slug, status, row_count, valued_count, sum_usd
    from changed
    on conflict on constraint sums_by_day_key do update set
      row_count = sums.row_count + excluded.row_count,
      valued_count = sums.valued_count + excluded.valued_count,
      sum_usd = sums.sum_usd + excluded.sum_usd
  ), gross as (
    update private.gross_sum set sum_usd = gross_sum.sum_usd + (select coalesce(sum(changed.sum_usd), 0) from changed)
  )
  insert into private.sums_by_month as sums
    (month, account, counter_account, direction, type, pool_slug, status, row_count, valued_count, sum_usd)
  select
    date_trunc('month', day)::date, account, counter_account, direction, type, pool_slug, status,
    sum(row_count), sum(valued_count), sum(sum_usd)
  from changed
  group by 1, 2, 3, 4, 5, 6, 7
  on conflict on constraint sums_by_month_key do update set
    row_count = sums.row_count + excluded.row_count,
    valued_count = sums.valued_count + excluded.valued_count,
    sum_usd = sums.sum_usd + excluded.sum_usd
$$;

-- New rows are pending. A correction replaces the revision before it, also in the sums, and is checked again.
create function private.count_transactions() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  changes private.sum_change[];
begin
  perform private.lock_log('ledger');
  if not exists (select from added where revision > 0) then
    select array_agg((1, id, 'pending')::private.sum_change) into changes from added;
    perform private.change_sums(changes);
    insert into private.transaction_statuses (transaction_id) select id from added;
    return null;
  end if;

  -- A row that was recorded and corrected in one SQL statement has no status yet.
  select array_agg(change) into changes
  from (
    select (1, added.id, 'pending')::private.sum_change as change from added
    union all
    select (-1, former.id, coalesce(before.status, 'pending'))::private.sum_change
    from added
    join public.transactions as former on former.chain_id = added.chain_id and former.tx_hash = added.tx_hash
      and former.ordinal = added.ordinal and former.revision = added.revision - 1
    left join private.transaction_statuses as before on before.transaction_id = former.id
    where added.revision > 0
  ) as changed;
  perform private.change_sums(changes);

  delete from private.transaction_statuses
  using added, public.transactions as former
  where added.revision > 0 and former.chain_id = added.chain_id and former.tx_hash = added.tx_hash
    and former.ordinal = added.ordinal and former.revision = added.revision - 1
    and transaction_statuses.transaction_id = former.id;

  -- Only this SQL statement can have inserted a later revision.
  insert into private.transaction_statuses (transaction_id)
  select added.id from added
  where not exists (
    select from added as later
    where later.chain_id = added.chain_id and later.tx_hash = added.tx_hash
      and later.ordinal = added.ordinal and later.revision = added.revision + 1
  );
  return null;
end;
$$;

create trigger count_rows after insert on public.transactions
  referencing new table as added for each statement execute function private.count_transactions();

create function private.count_checks() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  changes private.sum_change[];
begin
  perform private.lock_log('ledger');
  with found as (
    -- The latest check with a result; if there is none, the latest check.
    select distinct on (transaction_id) transaction_id, id, status, checked_at
    from added order by transaction_id, status = 'unreachable', id desc
  ), attempted as (
    select distinct on (transaction_id) transaction_id, id, status, checked_at
    from added order by transaction_id, id desc
  ), before as (
    select statuses.transaction_id, statuses.status
    from private.transaction_statuses as statuses join found using (transaction_id)
  ), after as (
    update private.transaction_statuses as statuses
    set
      status = case when found.status <> 'unreachable' or statuses.check_id is null or statuses.status = 'unreachable'
        then found.status else statuses.status end,
      check_id = case when found.status <> 'unreachable' or statuses.check_id is null or statuses.status = 'unreachable'
        then found.id else statuses.check_id end,
      checked_at = attempted.checked_at,
      unreachable_at = case when attempted.status = 'unreachable' then attempted.checked_at end
    from found join attempted using (transaction_id)
    where statuses.transaction_id = found.transaction_id
    returning statuses.transaction_id, statuses.status
  )
  select array_agg(change) into changes
  from (
    select (-1, before.transaction_id, before.status)::private.sum_change as change
    from before join after using (transaction_id) where before.status <> after.status
    union all
    select (1, after.transaction_id, after.status)::private.sum_change
    from before join after using (transaction_id) where before.status <> after.status
  ) as changed;
  perform private.change_sums(changes);
  return null;
end;
$$;

create trigger count_rows after insert on public.transaction_checks
  referencing new table as added for each statement execute function private.count_checks();

revoke all on all functions in schema private from public, anon, authenticated, service_role;
