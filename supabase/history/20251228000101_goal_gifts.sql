-- Gifts to goals: the type `goal-gift`, whose account and pool is the slug of the goal. It is in no total of before: only
-- in those of goals. What reaches the wallet of a goal from the treasury or the donation wallet is a dream, as before.

alter table public.transactions drop constraint transactions_type_known;
alter table public.transactions add constraint transactions_type_known
  check (type in ('donation', 'gift', 'spending', 'cost', 'tax', 'dream', 'move', 'other', 'goal-gift'));
alter table public.transactions drop constraint transactions_direction_of_type;
alter table public.transactions add constraint transactions_direction_of_type check (
  type = 'other' or direction = case when type in ('gift', 'tax', 'goal-gift') then 'in' else 'out' end
);
-- A goal's account has gifts to goals and nothing else.
alter table public.transactions add constraint transactions_goal_of_type check (
  (type = 'goal-gift') = (account ~ '^goal-[a-z]{8}$') and coalesce(counter_account, '') !~ '^goal-[a-z]{8}$'
);

-- The newest row that is no gift to a goal, for the totals.
create index transactions_newest_of_ours on public.transactions (occurred_at desc, id desc) where type <> 'goal-gift';
create index transactions_recorded_of_ours on public.transactions (id desc) where type <> 'goal-gift';
create index sums_by_month_of_goals on private.sums_by_month (account) where type = 'goal-gift';

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
  coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'other' and pool_slug is null and direction = 'out'), 0)::numeric(20, 2) as other_out_usd,
  coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'move' and pool_slug is not null
    and counter_account in ('treasury', 'donation-wallet')), 0)::numeric(20, 2) as returned_usd,
  coalesce(sum(row_count), 0)::bigint as transactions_count,
  coalesce(sum(row_count) filter (where status = 'verified'), 0)::bigint as verified_count,
  coalesce(sum(row_count) filter (where status in ('pending', 'unreachable')), 0)::bigint as pending_count,
  coalesce(sum(row_count) filter (where status in ('mismatch', 'reorganised')), 0)::bigint as disputed_count,
  -- Verified rows only: the others are in pending_count or disputed_count, with or without a value.
  coalesce(sum(row_count - valued_count) filter (where status = 'verified'), 0)::bigint as unvalued_count,
  (select occurred_at from public.transactions where type <> 'goal-gift' order by occurred_at desc, id desc limit 1) as last_occurred_at,
  (select recorded_at from public.transactions where type <> 'goal-gift' order by id desc limit 1) as as_of,
  coalesce(sum(sum_usd) filter (where status = 'verified' and direction = 'in' and counter_account is null), 0)::numeric(20, 2) as received_usd,
  coalesce(sum(sum_usd) filter (where status = 'verified' and counter_account is not null), 0)::numeric(20, 2) as moved_usd,
  coalesce(sum(sum_usd) filter (where status = 'verified' and direction = 'out' and counter_account is null), 0)::numeric(20, 2) as paid_usd,
  coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'gift' and pool_slug is not null), 0)::numeric(20, 2) as pool_gifts_usd,
  coalesce(sum(sum_usd) filter (where status = 'verified' and (
    type = 'spending' or (type = 'donation' and counter_account is null)
  )), 0)::numeric(20, 2) as spent_usd,
  (
    coalesce(sum(case direction when 'in' then sum_usd else -sum_usd end)
      filter (where status = 'verified' and account not in ('treasury', 'donation-wallet')), 0)
    + coalesce(sum(sum_usd)
      filter (where status = 'verified' and counter_account not in ('treasury', 'donation-wallet')), 0)
  )::numeric(20, 2) as waiting_usd
from private.sums_by_month
where type <> 'goal-gift';

create or replace view public.ledger_months with (security_invoker = false) as
select
  month, received_usd, moved_usd, paid_usd,
  sum(received_usd - paid_usd) over (order by month)::numeric(20, 2) as held_usd,
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
    coalesce(sum(sum_usd) filter (where direction = 'in' and counter_account is null), 0)::numeric(20, 2) as received_usd,
    coalesce(sum(sum_usd) filter (where counter_account is not null), 0)::numeric(20, 2) as moved_usd,
    coalesce(sum(sum_usd) filter (where direction = 'out' and counter_account is null), 0)::numeric(20, 2) as paid_usd
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
  result jsonb;
begin
  with lines as (
    select
      day,
      case when not_checked and days.status = 'verified' then row_count - valued_count else row_count end as row_count,
      case when not_checked and days.status = 'verified' then 0 else valued_count end as valued_count,
      case when not_checked then 0 else sum_usd end as sum_usd, days.status, type, direction, counter_account, pool_slug,
      case party when account then direction when counter_account then
        case direction when 'in' then 'out' else 'in' end
      end as side
    from private.sums_by_day as days
    where not by_row and day between first_day and last_day
      and (of_type is null or type = of_type)
      and (of_status is null or days.status = of_status)
      and not (not_checked and days.status = 'verified' and row_count = valued_count)
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

-- What is read ----------------------------------------------------------------------------------------------

-- What arrived at each public goal: gifts of others, and dreams that the treasury or the donation wallet paid.
create view private.goal_sums as
select
  goals.id,
  (gifts.usd + dreams.usd)::numeric(20, 2) as received_usd,
  (gifts.verified + dreams.verified)::bigint as verified_count,
  (gifts.open + dreams.open)::bigint as pending_count,
  (gifts.unvalued + dreams.unvalued)::bigint as unvalued_count
from public.goals
cross join lateral (
  select
    coalesce(sum(sum_usd) filter (where status = 'verified'), 0) as usd,
    coalesce(sum(row_count) filter (where status = 'verified'), 0) as verified,
    coalesce(sum(row_count) filter (where status in ('pending', 'unreachable')), 0) as open,
    coalesce(sum(row_count - valued_count) filter (where status = 'verified'), 0) as unvalued
  from private.sums_by_month where type = 'goal-gift' and account = goals.slug
) as gifts
cross join lateral (
  select
    coalesce(sum(amount_usd) filter (where status = 'verified'), 0) as usd,
    count(*) filter (where status = 'verified') as verified,
    count(*) filter (where status in ('pending', 'unreachable')) as open,
    count(*) filter (where status = 'verified' and amount_usd is null) as unvalued
  from public.transactions as facts
  join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
  where facts.to_address = goals.wallet and facts.type = 'dream'
) as dreams
where goals.opened_at is not null;

create view public.published_goals with (security_invoker = false) as
select
  goals.id, goals.slug, goals.stage, goals.frozen, goals.hidden, goals.revision,
  case when not goals.hidden then words.title end as title, case when not goals.hidden then words.byline end as byline,
  case when not goals.hidden then words.category end as category, case when not goals.hidden then words.plan end as plan,
  case when not goals.hidden then words.story end as story, case when not goals.hidden then words.links end as links,
  case when not goals.hidden then goals.picture_path end as picture_path,
  case when not goals.hidden then words.picture_text end as picture_text,
  case when goals.stage = 'open' and not goals.frozen then goals.wallet::text end as wallet,
  goals.target_usd, goals.opened_at, goals.ends_at, goals.ended_at, goals.ended_by, goals.completed_at,
  case when goals.stage = 'completed' or (goals.stage = 'ended' and not goals.hidden) then goals.report_number end as report_number,
  goals.ended_at + interval '90 days' as report_due_at,
  goals.stage = 'ended' and goals.ended_at < now() - interval '90 days' as is_overdue,
  goals.slug in (select slug from private.watched_goals) as is_watched,
  sums.received_usd, sums.verified_count, sums.pending_count, sums.unvalued_count
from public.goals
join private.goal_words as words on words.id = goals.id
join private.goal_sums as sums on sums.id = goals.id
where goals.opened_at is not null;
comment on view public.published_goals is
  'Every goal that was approved. A text is null where it is hidden or withdrawn; the wallet is null unless the goal is open and not frozen.';
comment on column public.published_goals.plan is 'One line for each item: the amount in dollars with two decimals, a space, and what for.';
comment on column public.published_goals.is_watched is 'Whether new gifts are found and counted.';
comment on column public.published_goals.received_usd is 'Verified gifts, and dreams to the wallet, with a value in dollars.';
comment on column public.published_goals.report_number is 'The number of the update that is the final report.';

create view public.published_goal_rows with (security_invoker = false) as
select goals.slug as goal, rows.*
from public.goals join public.published_transactions as rows on rows.account = goals.slug and rows.type = 'goal-gift'
union all
select goals.slug, rows.*
from public.goals join public.published_transactions as rows on rows.to_address = goals.wallet and rows.type = 'dream'
where goals.opened_at is not null;
comment on view public.published_goal_rows is 'The rows of which received_usd of published_goals is the sum. Read it by goal.';

create view public.goal_totals with (security_invoker = false) as
select
  coalesce(sum(sums.received_usd), 0)::numeric(20, 2) as funded_usd,
  count(*) filter (where goals.stage = 'completed') as completed_count,
  count(*) filter (where goals.stage = 'open') as open_count
from public.goals join private.goal_sums as sums on sums.id = goals.id;
comment on view public.goal_totals is 'One row: what arrived at all goals, how many are completed, and how many are open.';

revoke all on
  private.goal_sums, public.published_goals, public.published_goal_rows, public.goal_totals
  from public, anon, authenticated, service_role;
grant select on public.published_goals, public.published_goal_rows, public.goal_totals
  to anon, authenticated, service_role;
