drop view public.ledger_months;
create view public.ledger_months with (security_invoker = false) as
select
  month, received_usd, moved_usd, paid_usd,
  sum(change_usd) over (order by month)::numeric(20, 2) as held_usd,
  (
    select jsonb_object_agg(use, paid_usd::text)
    from (
      select
        case when pool_slug is not null then pool_slug when type = 'donation' then 'other-causes' else type end as use,
        sum(case type when 'returned' then -sum_usd else sum_usd end)::numeric(20, 2) as paid_usd
      from private.sums_by_month
      where sums_by_month.month = months.month and status = 'verified' and (type = 'returned'
        or (direction = 'out' and counter_account is null and type <> 'exchange'))
      group by use
      having sum(row_count) > 0
    ) as parts
  ) as uses
from (
  select
    month,
    coalesce(sum(sum_usd) filter (where direction = 'in' and counter_account is null
      and type not in ('exchange', 'returned')), 0)::numeric(20, 2) as received_usd,
    coalesce(sum(sum_usd) filter (where counter_account is not null), 0)::numeric(20, 2) as moved_usd,
    coalesce(sum(case type when 'returned' then -sum_usd else sum_usd end) filter (where type = 'returned'
      or (direction = 'out' and counter_account is null and type <> 'exchange')), 0)::numeric(20, 2) as paid_usd,
    coalesce(sum(case direction when 'in' then sum_usd else -sum_usd end)
      filter (where counter_account is null), 0) as change_usd
  from private.sums_by_month
  where status = 'verified' and type <> 'goal-gift'
  group by month
  having sum(row_count) > 0
) as months;
comment on view public.ledger_months is
  'One row for each month (UTC) with a verified payment: received, moved and paid as in ledger_totals.';
comment on column public.ledger_months.held_usd is
  'In all our wallets at the end of the month. The newest equals the treasury plus what every pool has left.';
comment on column public.ledger_months.uses is
  'The parts of paid_usd, dollars as text: by the slug of a pool, ''other-causes'' or a type; null without any.';

revoke all on public.ledger_months from public, anon, authenticated, service_role;
grant select on public.ledger_months to anon, authenticated, service_role;
