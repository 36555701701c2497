-- Operators see the updates of goals that are mailed within the hour: to freeze a goal stops its mails.

create or replace function public.goals_overview() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_operator() then
    return null;
  end if;
  return jsonb_build_object(
    'submitted', private.queue_of((
      select jsonb_agg(jsonb_build_object(
        'slug', goals.slug, 'title', goals.title, 'submitted_at', goals.submitted_at, 'mine', private.is_own_goal(goals, null)
      ) order by goals.submitted_at)
      from (select * from public.goals where stage = 'submitted' order by submitted_at limit 101) as goals
    )),
    'complaints', private.queue_of((
      select jsonb_agg(jsonb_build_object(
        'slug', goals.slug, 'title', words.title, 'stage', goals.stage, 'frozen', goals.frozen, 'count', open.count,
        'oldest_at', open.oldest_at, 'items', (
          select jsonb_agg(jsonb_build_object('reason', item.reason, 'text', item.text, 'made_at', item.made_at))
          from (
            select * from public.goal_complaints
            where goal_complaints.goal = goals.id and closed_at is null order by made_at limit 20
          ) as item
        )
      ) order by open.count desc, open.oldest_at)
      from (
        select goal, count(*) as count, min(made_at) as oldest_at from public.goal_complaints
        where closed_at is null group by goal order by count(*) desc, min(made_at) limit 101
      ) as open
      join public.goals on goals.id = open.goal
      join private.goal_words as words on words.id = goals.id
    )),
    'updates', private.queue_of((
      select jsonb_agg(jsonb_build_object('slug', waiting.topic, 'title', words.title, 'due_at', waiting.due_at) order by waiting.due_at)
      from (
        select * from private.outbox as open
        where open.kind = 'update' and open.expanded_at is null and open.topic ~ '^goal-[a-z]{8}$'
        order by open.due_at limit 101
      ) as waiting
      join public.goals on goals.slug = waiting.topic and not goals.frozen and not goals.hidden
      join private.goal_words as words on words.id = goals.id
    )),
    'reports', private.queue_of((
      select jsonb_agg(jsonb_build_object('slug', goals.slug, 'title', words.title, 'ended_at', goals.ended_at) order by goals.ended_at)
      from (
        select * from public.goals where stage = 'ended' and report_number is not null order by ended_at limit 101
      ) as goals
      join private.goal_words as words on words.id = goals.id
    )),
    'overdue', private.queue_of((
      select jsonb_agg(jsonb_build_object('slug', goals.slug, 'title', words.title, 'ended_at', goals.ended_at) order by goals.ended_at)
      from (
        select * from public.goals
        where stage = 'ended' and report_number is null and ended_at < now() - interval '90 days'
        order by ended_at limit 101
      ) as goals
      join private.goal_words as words on words.id = goals.id
    ))
  );
end;
$$;
