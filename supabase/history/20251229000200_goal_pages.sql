-- What the public pages of goals read beside published_goals.

create index transactions_dreams on public.transactions (to_address) where type = 'dream';

-- The same figures as before, from the sums of all goals at once: the cost does not grow with the number of goals.
create or replace view public.goal_totals with (security_invoker = false) as
select
  (
    (
      select coalesce(sum(sum_usd), 0) from private.sums_by_month
      where type = 'goal-gift' and status = 'verified'
    )
    + (
      select coalesce(sum(facts.amount_usd), 0)
      from public.transactions as facts
      join private.transaction_statuses as statuses on statuses.transaction_id = facts.id and statuses.status = 'verified'
      where facts.type = 'dream' and exists (
        select from public.goals where wallet = facts.to_address and opened_at is not null
      )
    )
  )::numeric(20, 2) as funded_usd,
  (select count(*) from public.goals where stage = 'completed') as completed_count,
  (select count(*) from public.goals where stage = 'open') as open_count;

-- The goal that a row of the ledger paid: a gift to it, or a dream to its wallet.
create view public.published_row_goals with (security_invoker = false) as
select facts.id, goals.slug as goal, case when not goals.hidden then words.title end as title
from public.transactions as facts
cross join lateral (
  select id, slug, hidden from public.goals where facts.type = 'goal-gift' and slug = facts.account
  union all
  select id, slug, hidden from public.goals
  where facts.type = 'dream' and wallet = facts.to_address and opened_at is not null
    and stage not in ('draft', 'returned', 'rejected')
) as goals
join private.goal_words as words on words.id = goals.id
where facts.type in ('goal-gift', 'dream');
comment on view public.published_row_goals is
  'The goals of rows of the ledger. A title is null where it is hidden or withdrawn. Read it by id.';
revoke all on public.published_row_goals from public, anon, authenticated, service_role;
grant select on public.published_row_goals to anon, authenticated, service_role;

-- A goal can be followed until it is completed or annulled.
create or replace function private.is_topic(given text) returns boolean
language sql stable set search_path = '' as $$
  select given in ('cz-call', 'month')
    or exists (select from private.accounts where slug = given and is_pool)
    or exists (select from public.goals where slug = given and stage in ('open', 'ended'))
$$;
