-- What leaves and reaches our wallets in one transaction is classified together (docs/specification.md). Two more types:
-- 'exchange', a part of a transaction that gave one token for another, and 'returned', money that came back to a pool from
-- an address that the pool paid. Both sides of an exchange have the same value in dollars, so it changes no total. What
-- was returned is subtracted from what was spent and paid; it is neither given nor received again.

alter table public.transactions drop constraint transactions_type_known;
alter table public.transactions add constraint transactions_type_known check (
  type in ('donation', 'gift', 'spending', 'cost', 'tax', 'dream', 'move', 'other', 'goal-gift', 'exchange', 'returned')
);
alter table public.transactions drop constraint transactions_direction_of_type;
alter table public.transactions add constraint transactions_direction_of_type check (
  type in ('other', 'exchange')
  or direction = case when type in ('gift', 'tax', 'goal-gift', 'returned') then 'in' else 'out' end
);
alter table public.transactions drop constraint transactions_account_of_type;
alter table public.transactions add constraint transactions_account_of_type check (case
  when type in ('donation', 'cost', 'dream') then account in ('treasury', 'donation-wallet')
  when type in ('spending', 'returned') then account not in ('treasury', 'donation-wallet')
  else true
end);

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
    + greatest(0, coalesce(sum(case direction when 'in' then sum_usd else -sum_usd end)
    filter (where status = 'verified' and type = 'exchange' and pool_slug is not null), 0))
  )::numeric(20, 2) as other_out_usd,
  (
    coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'move' and pool_slug is not null
      and counter_account in ('treasury', 'donation-wallet')), 0)
    + greatest(0, coalesce(sum(case direction when 'out' then sum_usd else -sum_usd end)
    filter (where status = 'verified' and type = 'exchange' and pool_slug is not null), 0))
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

create or replace view public.pool_totals with (security_invoker = false) as
select
  accounts.slug,
  coalesce(sums.donations_usd + sums.gifts_usd, 0)::numeric(20, 2) as total_usd,
  coalesce(sums.donations_usd, 0)::numeric(20, 2) as donations_usd,
  coalesce(sums.gifts_usd, 0)::numeric(20, 2) as gifts_usd,
  coalesce(sums.direct_usd, 0)::numeric(20, 2) as direct_usd,
  coalesce(sums.spending_usd + sums.direct_usd, 0)::numeric(20, 2) as spent_usd,
  coalesce(sums.moved_in_usd, 0)::numeric(20, 2) as moved_in_usd,
  coalesce(sums.moved_out_usd, 0)::numeric(20, 2) as moved_out_usd,
  coalesce(sums.other_usd, 0)::numeric(20, 2) as other_usd,
  coalesce(
    sums.donations_usd + sums.gifts_usd + sums.moved_in_usd + sums.other_usd
      - sums.spending_usd - sums.direct_usd - sums.moved_out_usd, 0
  )::numeric(20, 2) as left_usd,
  coalesce(sums.donations_count, 0)::bigint as donations_count,
  coalesce(sums.pending_count, 0)::bigint as pending_count,
  coalesce(sums.disputed_count, 0)::bigint as disputed_count,
  coalesce(sums.unvalued_count, 0)::bigint as unvalued_count,
  last_donation.occurred_at as last_donation_at,
  stated.helping, stated.published_at as helping_at, stated.helping_source,
  pictured.text as pictured_text, pictured.published_at as pictured_at, pictured.links as pictured_links
from private.accounts
left join (
  select
    party.slug,
    coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'donation'), 0) as donations_usd,
    coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'gift'), 0) as gifts_usd,
    coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'donation' and counter_account is null), 0) as direct_usd,
    coalesce(sum(case type when 'returned' then -sum_usd else sum_usd end)
      filter (where status = 'verified' and type in ('spending', 'returned')), 0) as spending_usd,
    coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'move' and counter_account = party.slug), 0) as moved_in_usd,
    coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'move' and account = party.slug), 0) as moved_out_usd,
    coalesce(sum(case direction when 'in' then sum_usd else -sum_usd end)
      filter (where status = 'verified' and type in ('tax', 'other', 'exchange')), 0) as other_usd,
    coalesce(sum(row_count) filter (where type in ('donation', 'gift')), 0) as donations_count,
    sum(row_count) filter (where status in ('pending', 'unreachable')) as pending_count,
    sum(row_count) filter (where status in ('mismatch', 'reorganised')) as disputed_count,
    sum(row_count - valued_count) filter (where status = 'verified') as unvalued_count
  from private.accounts as party
  join private.sums_by_month as sums
    on sums.pool_slug = party.slug or sums.counter_account = party.slug
  where party.is_pool
  group by party.slug
) as sums on sums.slug = accounts.slug
left join lateral (
  select occurred_at from public.published_transactions
  where published_transactions.pool_slug = accounts.slug and type in ('donation', 'gift') and status = 'verified'
  order by occurred_at desc, id desc limit 1
) as last_donation on true
left join lateral (
  select helping, published_at, helping_source from public.published_updates
  where published_updates.pool_slug = accounts.slug and helping is not null
  order by published_at desc, id desc limit 1
) as stated on true
left join lateral (
  select text, published_at, links from public.published_updates
  where published_updates.pool_slug = accounts.slug and links like '%#width=%'
  order by published_at desc, id desc limit 1
) as pictured on true
where accounts.is_pool;

create or replace view public.ledger_months with (security_invoker = false) as
select
  month, received_usd, moved_usd, paid_usd,
  sum(change_usd) over (order by month)::numeric(20, 2) as held_usd,
  (
    select jsonb_object_agg(pool_slug, sum_usd::text)
    from (
      select pool_slug, sum(sum_usd)::numeric(20, 2) as sum_usd
      from private.sums_by_month
      where sums_by_month.month = months.month and status = 'verified' and type in ('donation', 'gift')
        and pool_slug is not null
      group by pool_slug
      having sum(row_count) > 0
    ) as pools
  ) as pools
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
      date_trunc('month', day)::date as month, status, type, side,
      case when is_apart then 0 else row_count end as row_count,
      case when is_apart then 0 else valued_count end as valued_count,
      case when is_apart then row_count else 0 end as goal_count,
      case status when 'verified' then sum_usd else 0 end as sum_usd,
      case when pool_slug is not null then pool_slug when type = 'donation' then 'other-causes' else type end as use,
      case
        when side is not null then side = 'in'
        when pool is not null then type in ('donation', 'gift', 'goal-gift')
          or (type in ('exchange', 'returned') and of_type is not null and direction = 'in')
        when type = 'goal-gift' then not is_apart
        when type in ('exchange', 'returned') then of_type is not null and direction = 'in'
        else direction = 'in' and counter_account is null
      end as is_received,
      side is null and pool is null and counter_account is not null as is_moved,
      case
        when side is not null then side = 'out'
        when type = 'returned' then of_type is null
        when type = 'exchange' then of_type is not null and direction = 'out'
        when pool is not null then type = 'spending' or (type = 'donation' and counter_account is null)
        else direction = 'out' and counter_account is null
      end as is_paid
    from lines
    cross join lateral (
      select type = 'goal-gift' and coalesce(side, pool, of_type, hash) is null as is_apart
    ) as of_goals
    where of_direction is null or of_direction = coalesce(side, direction)
  ), sums as (
    select
      case when grouping(month) = 0 then 'month' when grouping(use) = 0 then 'use' else 'all' end as part, month, use,
      coalesce(sum(row_count), 0)::bigint as row_count,
      coalesce(sum(goal_count), 0)::bigint as goal_count,
      coalesce(sum(row_count) filter (where status = 'verified'), 0)::bigint as verified_count,
      coalesce(sum(row_count) filter (where status in ('pending', 'unreachable')), 0)::bigint as pending_count,
      coalesce(sum(row_count) filter (where status in ('mismatch', 'reorganised')), 0)::bigint as disputed_count,
      coalesce(sum(row_count - valued_count) filter (where status = 'verified'), 0)::bigint as unvalued_count,
      coalesce(sum(sum_usd) filter (where is_received), 0)::numeric(20, 2) as received_usd,
      coalesce(sum(sum_usd) filter (where is_moved), 0)::numeric(20, 2) as moved_usd,
      coalesce(sum(case when type = 'returned' and side is null then -sum_usd else sum_usd end)
        filter (where is_paid), 0)::numeric(20, 2) as paid_usd
    from seen
    group by grouping sets ((), (month), (use))
  )
  select
    case
      when by_row and row_count > most then jsonb_build_object(
        'count', most, 'verified_count', null, 'pending_count', null, 'disputed_count', null, 'unvalued_count', null,
        'goal_count', null, 'received_usd', null, 'moved_usd', null, 'paid_usd', null, 'months', null, 'uses', null,
        'exact', false
      )
      else jsonb_build_object(
        'count', row_count, 'verified_count', verified_count, 'pending_count', pending_count,
        'disputed_count', disputed_count, 'unvalued_count', unvalued_count, 'goal_count', goal_count,
        'received_usd', received_usd::text, 'moved_usd', moved_usd::text, 'paid_usd', paid_usd::text,
        'months', coalesce((
          select jsonb_agg(jsonb_build_object(
            'month', month, 'count', row_count, 'checked_count', verified_count - unvalued_count,
            'received_usd', received_usd::text, 'moved_usd', moved_usd::text, 'paid_usd', paid_usd::text
          ) order by month desc)
          from sums where part = 'month' and row_count + goal_count > 0
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

comment on column public.ledger_totals.spent_usd is
  'Of donated_usd, spent: the spending of the pools less what came back of it, and the donations that went straight to a recipient. It equals donated_elsewhere_usd + spent_usd of each pool.';
comment on view public.published_cause_payments is
  'Verified payments to a cause. Their sum less the rows of the type ''returned'' is spent_usd of ledger_totals.';
create index transactions_largest on public.transactions (amount_usd desc) where amount_usd is not null;
create index transactions_paid_to on public.transactions (account, to_address) where type = 'spending';

-- What the job must know of the ledger before it appends rows: the greatest value of a row, or null, and for each pair
-- of a pool and an address what the pool paid to it, less what came back, by token.
create function public.ledger_context(chain integer, pairs jsonb) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'largest_usd', (
      select amount_usd::text
      from public.transactions as facts join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
      where amount_usd is not null and statuses.status in ('verified', 'pending')
      order by amount_usd desc limit 1
    ),
    'paid', coalesce((
      select jsonb_agg(jsonb_build_object(
        'account', account, 'address', address, 'token_address', token_address, 'amount', amount::text,
        'usd', usd::text, 'first_at', first_at
      ))
      from (
        select
          pair.account, pair.address, facts.token_address,
          sum(case facts.direction when 'out' then facts.token_amount else -facts.token_amount end) as amount,
          sum(case facts.direction when 'out' then facts.amount_usd else -facts.amount_usd end) as usd,
          min(facts.occurred_at) as first_at
        from (select distinct account, address from jsonb_to_recordset(pairs) as given (account text, address text)) as pair
        join public.transactions as facts
          on facts.account = pair.account and facts.chain_id = chain and (
            (facts.type = 'spending' and facts.to_address = pair.address)
            or (facts.type = 'returned' and facts.from_address = pair.address)
          )
        join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
        where statuses.status not in ('mismatch', 'reorganised')
        group by 1, 2, 3
      ) as sums
    ), '[]')
  )
$$;
revoke all on function public.ledger_context(integer, jsonb) from public, anon, authenticated, service_role;
grant execute on function public.ledger_context(integer, jsonb) to service_role;
