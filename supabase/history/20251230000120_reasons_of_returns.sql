-- Operators who review a returned goal again see why it was returned. The reason is deleted with the goal, or when the
-- goal is approved.

alter table private.goal_moves add column reason text;
comment on column private.goal_moves.reason is
  'Why operators returned or rejected the goal, for its member and for operators; deleted when the goal is approved.';
comment on column public.goals.reason is
  'Why operators returned or rejected it, for the member and for operators. SHA-256 of reason_salt and it is in the log.';

update private.goal_moves as moves set reason = goals.reason
from public.goals
where goals.id = moves.goal and goals.reason is not null and moves.id = (
  select max(latest.id) from private.goal_moves as latest where latest.goal = goals.id
);

-- Runs after private.move_goal has stored the reason in the goal.
create function private.keep_reason_of_move() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.stage in ('returned', 'rejected') then
    new.reason := (select goals.reason from public.goals where goals.id = new.goal);
  elsif new.stage = 'open' then
    update private.goal_moves set reason = null where goal_moves.goal = new.goal and goal_moves.reason is not null;
  end if;
  return new;
end;
$$;
create trigger keep_reason before insert on private.goal_moves
  for each row execute function private.keep_reason_of_move();

-- As before, but each move also has its reason.
create or replace function public.read_goal(goal text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  about public.goals;
begin
  if not private.is_operator() then
    return null;
  end if;
  select * into about from public.goals where slug = read_goal.goal and stage <> 'draft';
  if about.id is null then
    return null;
  end if;
  return jsonb_build_object(
    'id', about.id, 'slug', about.slug, 'stage', about.stage, 'revision', about.revision, 'frozen', about.frozen,
    'hidden', about.hidden, 'target_usd', about.target_usd::text, 'days', about.days, 'wallet', about.wallet,
    'picture_path', about.picture_path, 'plan', about.plan, 'report_number', about.report_number,
    'submitted_at', about.submitted_at, 'opened_at', about.opened_at, 'ends_at', about.ends_at,
    'ended_at', about.ended_at, 'completed_at', about.completed_at, 'fault', about.fault,
    'mine', private.is_own_goal(about, null),
    'words', (select to_jsonb(words) - 'id' from private.goal_words as words where words.id = about.id),
    'submitted', (
      select coalesce(jsonb_agg(moves.texts order by moves.id desc), '[]')
      from (
        select id, texts from private.goal_moves
        where goal_moves.goal = about.id and texts is not null order by id desc limit 2
      ) as moves
    ),
    'check', (select to_jsonb(checks) - 'goal' from private.goal_checks as checks where checks.goal = about.id),
    'complaints', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'reason', open.reason, 'text', open.text, 'made_at', open.made_at
      ) order by open.made_at), '[]')
      from public.goal_complaints as open where open.goal = about.id and open.closed_at is null
    ),
    'earlier', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'slug', other.slug, 'stage', other.stage, 'frozen', other.frozen, 'title', words.title,
        'complaints', (select count(*) from public.goal_complaints where goal_complaints.goal = other.id)
      ) order by other.created_at desc), '[]')
      from (
        select * from public.goals
        where member = about.member and id <> about.id and slug is not null order by created_at desc limit 50
      ) as other
      join private.goal_words as words on words.id = other.id
    ),
    'moves', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'stage', moves.stage, 'frozen', moves.frozen, 'hidden', moves.hidden, 'moved_by', moves.moved_by,
        'moved_at', moves.moved_at, 'reason', moves.reason
      ) order by moves.id), '[]')
      from private.goal_moves as moves where moves.goal = about.id
    )
  );
end;
$$;

-- As before, but with all reasons, for the file with the member's data.
create or replace view public.my_goals with (security_invoker = false, security_barrier = true) as
select
  goals.id, goals.slug, goals.stage, goals.version, goals.frozen, goals.hidden, words.title, words.byline, words.category,
  goals.plan as draft_plan, words.plan, words.story, words.links, goals.picture_path, words.picture_text,
  goals.target_usd, goals.days, goals.wallet, goals.reason, goals.fault, goals.report_number, goals.saved_at,
  goals.submitted_at, goals.ends_at, goals.ended_at, goals.completed_at,
  goals.ended_at + interval '90 days' as report_due_at,
  goals.stage = 'ended' and goals.ended_at < now() - interval '90 days' as is_overdue,
  sums.received_usd, sums.verified_count, sums.pending_count, sums.unvalued_count,
  case when goals.stage in ('draft', 'returned') then private.goal_faults(goals) else '[]' end as faults,
  goals.created_at,
  (
    select coalesce(jsonb_agg(moves.reason order by moves.id), '[]') from private.goal_moves as moves
    where moves.goal = goals.id and moves.reason is not null
  ) as reasons
from public.goals
join private.goal_words as words on words.id = goals.id
left join private.goal_sums as sums on sums.id = goals.id
where goals.member = (select auth.uid()) and (select private.is_assured());
comment on column public.my_goals.reasons is 'Why operators returned or rejected it, oldest first; empty after the approval.';

revoke all on function private.keep_reason_of_move() from public, anon, authenticated, service_role;
