-- The sources and the uses of the treasury's money are equal whatever an exchange does: what the treasury itself lost by
-- exchanges counts as 'other', what it gained as 'returned', even if only one side of an exchange is verified or valued.

create or replace view public.ledger_totals with (security_invoker = false) as
select
  (
    coalesce(sum(case direction when 'in' then sum_usd else -sum_usd end)
      filter (where status = 'verified' and account in ('treasury', 'donation-wallet')), 0)
    + coalesce(sum(sum_usd)
      filter (where status = 'verified' and counter_account in ('treasury', 'donation-wallet')), 0)
  )::numeric(20, 2) as treasury_usd,
  coalesce(sum(sum_usd) filter (where status = 'verified' and (
    type = 'donation' or (type = 'gift' and pool_slug is not null)
  )), 0)::numeric(20, 2) as donated_usd,
  coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'donation' and pool_slug is null), 0)::numeric(20, 2) as donated_elsewhere_usd,
  coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'dream'), 0)::numeric(20, 2) as dreams_funded_usd,
  coalesce(sum(row_count) filter (where status = 'verified' and type = 'dream'), 0)::bigint as dreams_count,
  coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'tax' and pool_slug is null), 0)::numeric(20, 2) as tax_usd,
  coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'gift' and pool_slug is null), 0)::numeric(20, 2) as gifts_usd,
  coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'cost'), 0)::numeric(20, 2) as costs_usd,
  coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'other' and pool_slug is null and direction = 'in'), 0)::numeric(20, 2) as other_in_usd,
  (
    coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'other' and pool_slug is null and direction = 'out'), 0)
    + greatest(0, coalesce(sum(case direction when 'out' then sum_usd else -sum_usd end)
    filter (where status = 'verified' and type = 'exchange' and account in ('treasury', 'donation-wallet')), 0))
  )::numeric(20, 2) as other_out_usd,
  (
    coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'move' and pool_slug is not null
      and counter_account in ('treasury', 'donation-wallet')), 0)
    + greatest(0, coalesce(sum(case direction when 'in' then sum_usd else -sum_usd end)
    filter (where status = 'verified' and type = 'exchange' and account in ('treasury', 'donation-wallet')), 0))
  )::numeric(20, 2) as returned_usd,
  coalesce(sum(row_count), 0)::bigint as transactions_count,
  coalesce(sum(row_count) filter (where status = 'verified'), 0)::bigint as verified_count,
  coalesce(sum(row_count) filter (where status in ('pending', 'unreachable')), 0)::bigint as pending_count,
  coalesce(sum(row_count) filter (where status in ('mismatch', 'reorganised')), 0)::bigint as disputed_count,
  -- Verified rows only: the others are in pending_count or disputed_count, with or without a value.
  coalesce(sum(row_count - valued_count) filter (where status = 'verified'), 0)::bigint as unvalued_count,
  (select occurred_at from public.transactions where type <> 'goal-gift' order by occurred_at desc, id desc limit 1) as last_occurred_at,
  (select recorded_at from public.transactions where type <> 'goal-gift' order by id desc limit 1) as as_of,
  coalesce(sum(sum_usd) filter (where status = 'verified' and direction = 'in' and counter_account is null
    and type not in ('exchange', 'returned')), 0)::numeric(20, 2) as received_usd,
  coalesce(sum(sum_usd) filter (where status = 'verified' and counter_account is not null), 0)::numeric(20, 2) as moved_usd,
  coalesce(sum(case type when 'returned' then -sum_usd else sum_usd end) filter (where status = 'verified' and (
    type = 'returned' or (direction = 'out' and counter_account is null and type <> 'exchange')
  )), 0)::numeric(20, 2) as paid_usd,
  coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'gift' and pool_slug is not null), 0)::numeric(20, 2) as pool_gifts_usd,
  coalesce(sum(case type when 'returned' then -sum_usd else sum_usd end) filter (where status = 'verified' and (
    type in ('spending', 'returned') or (type = 'donation' and counter_account is null)
  )), 0)::numeric(20, 2) as spent_usd,
  (
    coalesce(sum(case direction when 'in' then sum_usd else -sum_usd end)
      filter (where status = 'verified' and account not in ('treasury', 'donation-wallet')), 0)
    + coalesce(sum(sum_usd)
      filter (where status = 'verified' and counter_account not in ('treasury', 'donation-wallet')), 0)
  )::numeric(20, 2) as waiting_usd
from private.sums_by_month
where type <> 'goal-gift';

-- The report of the last run of the ledger job, for /healthz; null before the first run.
create function public.last_run() returns jsonb
language sql stable security definer set search_path = '' as $$
  select report from private.last_runs where which = 'last'
$$;
comment on function public.last_run() is 'The report of the last run of the ledger job.';
revoke all on function public.last_run() from public, anon, authenticated, service_role;
grant execute on function public.last_run() to service_role;
