-- The state by which the site detects which open pages must be updated (app/live/): one row, read each minute and after
-- each notification of a write. The cost of reading it does not grow with the number of rows: the latest ids are read
-- from indexes, and the sums by month are few.
create view public.live_state with (security_invoker = false) as
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
    )
  ) as ledger,
  concat_ws(' ', (select max(id) from public.cz_calls), (select max(id) from private.log_withdrawals)) as calls,
  concat_ws(' ', (select max(id) from public.pool_updates), (select max(id) from private.log_withdrawals)) as pools;
comment on view public.live_state is
  'One row with a text for each kind of content, which differs after each change that a public page shows.';

revoke all on public.live_state from public, anon, authenticated, service_role;
grant select on public.live_state to anon, authenticated, service_role;
