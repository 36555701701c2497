-- The operator who reviews a goal again sees why it was returned, until the goal is approved or deleted.

alter table private.goal_moves add column reason text;
comment on column private.goal_moves.reason is
  'Why operators returned or rejected the goal, for the member and for operators; deleted when the goal is approved.';

-- Runs after private.move_goal stored the reason in the goal.
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

-- As before, and each move has its reason.
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

revoke all on function private.keep_reason_of_move() from public, anon, authenticated, service_role;
