-- As before, with the same result: the whole months of a range are read from the sums by month, and only the days at its
-- two ends from the sums by day. A long range has one line for each month in place of thirty.
create or replace function public.sum_transactions(filter jsonb) returns jsonb
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  most constant integer := 10000;
  first_day constant date := greatest(coalesce(filter ->> 'from', '2015-01-01')::date, '2015-01-01');
  last_day constant date := least(coalesce(filter ->> 'to', '2099-12-31')::date, '2099-12-31');
  of_type constant text := filter ->> 'type';
  of_direction constant text := filter ->> 'direction';
  of_status constant text := nullif(filter ->> 'status', 'not-checked');
  not_checked constant boolean := coalesce(filter ->> 'status', '') = 'not-checked';
  pool constant text := nullif(filter ->> 'pool', 'none');
  without_pool constant boolean := coalesce(filter ->> 'pool', '') = 'none';
  party constant text := filter ->> 'party';
  hash constant text := filter ->> 'tx_hash';
  by_row constant boolean := hash is not null or coalesce(party, '') like '0x%';
  -- The whole months of the range are [first_month, end_of_months). A range within one or two months can have no whole month.
  first_month constant date := date_trunc('month', first_day + interval '1 month' - interval '1 day');
  end_of_months constant date := greatest(first_month, date_trunc('month', last_day + 1)::date);
  result jsonb;
begin
  with periods as (
    select month as day, row_count, valued_count, sum_usd, status, type, direction, account, counter_account, pool_slug
    from private.sums_by_month where month >= first_month and month < end_of_months
    union all
    select day, row_count, valued_count, sum_usd, status, type, direction, account, counter_account, pool_slug
    from private.sums_by_day where day >= first_day and day <= least(last_day, first_month - 1)
    union all
    select day, row_count, valued_count, sum_usd, status, type, direction, account, counter_account, pool_slug
    from private.sums_by_day where day >= end_of_months and day <= last_day
  ), lines as (
    select
      day,
      case when not_checked and periods.status = 'verified' then row_count - valued_count else row_count end as row_count,
      case when not_checked and periods.status = 'verified' then 0 else valued_count end as valued_count,
      case when not_checked then 0 else sum_usd end as sum_usd, periods.status, type, direction, counter_account, pool_slug,
      case party when account then direction when counter_account then
        case direction when 'in' then 'out' else 'in' end
      end as side
    from periods
    where not by_row
      and (of_type is null or type = of_type)
      and (of_status is null or periods.status = of_status)
      and not (not_checked and periods.status = 'verified' and row_count = valued_count)
      and (pool is null or pool_slug = pool) and not (without_pool and pool_slug is not null)
      and (party is null or party in (account, counter_account))
    union all
    (
      select
        (facts.occurred_at at time zone 'UTC')::date, 1, case when facts.amount_usd is null then 0 else 1 end,
        coalesce(facts.amount_usd, 0), statuses.status, facts.type, facts.direction, facts.counter_account,
        facts.pool_slug, sides.side
      from (
        select id, 'out' as side from public.transactions where by_row and hash is null and from_address = party
        union all
        select id, 'in' from public.transactions where by_row and hash is null and to_address = party
        union all
        select id, case party
          when from_address then 'out'
          when to_address then 'in'
          when account then direction
          when counter_account then case direction when 'in' then 'out' else 'in' end
        end
        from public.transactions
        where by_row and tx_hash = hash
          and (party is null or party in (account, counter_account, from_address, to_address))
      ) as sides
      join public.transactions as facts on facts.id = sides.id
      join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
      where (of_type is null or facts.type = of_type)
        and (of_direction is null or coalesce(sides.side, facts.direction) = of_direction)
        and (of_status is null or statuses.status = of_status)
        and not (not_checked and statuses.status = 'verified' and facts.amount_usd is not null)
        and (pool is null or facts.pool_slug = pool) and not (without_pool and facts.pool_slug is not null)
        and facts.occurred_at >= first_day::timestamp at time zone 'UTC'
        and facts.occurred_at < (last_day + 1)::timestamp at time zone 'UTC'
      limit most + 1
    )
  ), seen as (
    select
      date_trunc('month', day)::date as month, row_count, valued_count, status,
      case status when 'verified' then sum_usd else 0 end as sum_usd,
      case when pool_slug is not null then pool_slug when type = 'donation' then 'other-causes' else type end as use,
      case
        when side is not null then side = 'in'
        when pool is not null then type in ('donation', 'gift', 'goal-gift')
        when type = 'goal-gift' then of_type is not null or hash is not null
        else direction = 'in' and counter_account is null
      end as is_received,
      side is null and pool is null and counter_account is not null as is_moved,
      case
        when side is not null then side = 'out'
        when pool is not null then type = 'spending' or (type = 'donation' and counter_account is null)
        else direction = 'out' and counter_account is null
      end as is_paid
    from lines
    where of_direction is null or of_direction = coalesce(side, direction)
  ), sums as (
    select
      case when grouping(month) = 0 then 'month' when grouping(use) = 0 then 'use' else 'all' end as part, month, use,
      coalesce(sum(row_count), 0)::bigint as row_count,
      coalesce(sum(row_count) filter (where status = 'verified'), 0)::bigint as verified_count,
      coalesce(sum(row_count) filter (where status in ('pending', 'unreachable')), 0)::bigint as pending_count,
      coalesce(sum(row_count) filter (where status in ('mismatch', 'reorganised')), 0)::bigint as disputed_count,
      coalesce(sum(row_count - valued_count) filter (where status = 'verified'), 0)::bigint as unvalued_count,
      coalesce(sum(sum_usd) filter (where is_received), 0)::numeric(20, 2) as received_usd,
      coalesce(sum(sum_usd) filter (where is_moved), 0)::numeric(20, 2) as moved_usd,
      coalesce(sum(sum_usd) filter (where is_paid), 0)::numeric(20, 2) as paid_usd
    from seen
    group by grouping sets ((), (month), (use))
  )
  select
    case
      when by_row and row_count > most then jsonb_build_object(
        'count', most, 'verified_count', null, 'pending_count', null, 'disputed_count', null, 'unvalued_count', null,
        'received_usd', null, 'moved_usd', null, 'paid_usd', null, 'months', null, 'uses', null, 'exact', false
      )
      else jsonb_build_object(
        'count', row_count, 'verified_count', verified_count, 'pending_count', pending_count,
        'disputed_count', disputed_count, 'unvalued_count', unvalued_count,
        'received_usd', received_usd::text, 'moved_usd', moved_usd::text, 'paid_usd', paid_usd::text,
        'months', coalesce((
          select jsonb_agg(jsonb_build_object(
            'month', month, 'count', row_count, 'checked_count', verified_count - unvalued_count,
            'received_usd', received_usd::text, 'moved_usd', moved_usd::text, 'paid_usd', paid_usd::text
          ) order by month desc)
          from sums where part = 'month' and row_count > 0
        ), '[]'),
        'uses', coalesce((
          select jsonb_object_agg(use, paid_usd::text) from sums where part = 'use' and paid_usd > 0
        ), '{}'),
        'exact', true
      )
    end
  into result
  from sums where part = 'all';
  return result;
end;
$$;
