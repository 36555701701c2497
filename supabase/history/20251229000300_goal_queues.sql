-- The console of operators shows goals: their queues come with the one call of its page, and complaints have a page of
-- their own. A payment of ours that reached a goal's wallet before the approval becomes a dream.

-- With `goals`, also what waits because of goals (goals_overview); the site asks for it while FundMe is open.
drop function public.operator_overview();
create function public.operator_overview(goals boolean default false) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant text := private.operator_handle();
  mine constant jsonb := public.my_operator();
begin
  if mine is null then
    return null;
  end if;
  return jsonb_build_object(
    'operator', mine,
    'queues', case when caller is not null then private.operator_queues(caller) end,
    'listening', case when caller is not null then private.operator_listening() end,
    'health', case when caller is not null then private.operator_health() end,
    'mail', case when caller is not null then public.mail_counts() end
  ) || case when operator_overview.goals
    then jsonb_build_object('goals', case when caller is not null then public.goals_overview() end) else '{}' end;
end;
$$;
comment on function public.operator_overview(boolean) is
  'What waits for the calling operator, the sources, the health of the ledger, and the counts of mails; null for other members.';

-- Up to 100 goals with open complaints, those with the most first: [{slug, title, stage, frozen, mine, count, items}].
-- `items`: the 20 oldest ones. Operators do not see who complained.
create function public.read_complaints() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_operator() then
    return null;
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'slug', goals.slug, 'title', words.title, 'stage', goals.stage, 'frozen', goals.frozen,
      'mine', private.is_own_goal(goals, null), 'count', open.count, 'items', (
        select jsonb_agg(jsonb_build_object('reason', item.reason, 'text', item.text, 'made_at', item.made_at) order by item.made_at)
        from (
          select * from public.goal_complaints
          where goal_complaints.goal = goals.id and closed_at is null order by made_at limit 20
        ) as item
      )
    ) order by open.count desc, open.oldest_at), '[]')
    from (
      select goal, count(*) as count, min(made_at) as oldest_at from public.goal_complaints
      where closed_at is null group by goal order by count(*) desc, min(made_at) limit 100
    ) as open
    join public.goals on goals.id = open.goal
    join private.goal_words as words on words.id = goals.id
  );
end;
$$;
comment on function public.read_complaints() is 'The open complaints by goal, for an operator; null for other members.';

-- The scan before the approval did not know the wallet, so a payment of the treasury or the donation wallet to it is of
-- type `other`. Once the blocks since the check of the wallet are read, it becomes a dream.
create or replace function public.goal_was_read(goal text, next_block bigint) returns void
language plpgsql security definer set search_path = '' as $$
declare
  paid record;
begin
  if next_block is null then
    for paid in
      select concat_ws('/', facts.chain_id, facts.tx_hash, facts.ordinal) as subject
      from public.goals
      join public.transactions as facts on facts.to_address = goals.wallet
      where goals.slug = goal_was_read.goal and facts.type = 'other' and facts.direction = 'out'
        and not exists (
          select from public.transactions as later
          where later.chain_id = facts.chain_id and later.tx_hash = facts.tx_hash and later.ordinal = facts.ordinal
            and later.revision > facts.revision
        )
      order by facts.id
    loop
      perform private.revise_payment(paid.subject, jsonb_build_object('type', 'dream', 'pool_slug', null));
    end loop;
  end if;
  update public.goals set unread_from = next_block where slug = goal_was_read.goal and unread_from is not null;
end;
$$;

revoke all on function public.operator_overview(boolean), public.read_complaints()
  from public, anon, authenticated, service_role;
grant execute on function public.operator_overview(boolean), public.read_complaints() to authenticated;
