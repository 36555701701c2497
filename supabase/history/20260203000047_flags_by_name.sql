-- The flags of a moved goal by name.

create or replace function private.leave_goals() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  left_open public.goals;
begin
  delete from public.goals where member = old.id and not private.is_public_stage(stage);
  if exists (select from public.goals where member = old.id and stage = 'open') then
    perform private.lock_log('ledger');
    for left_open in select * from public.goals where member = old.id and stage = 'open' for update loop
      perform private.move_goal(
        left_open.id, 'ended', 'deletion', frozen => left_open.frozen, hidden => left_open.hidden
      );
    end loop;
  end if;
  return old;
end;
$$;

create or replace function private.perform_goal(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  about public.goals;
  checked private.goal_checks;
  needed constant text[] := case act.kind
    when 'goal-approval' then '{submitted}'
    when 'goal-return' then '{submitted}'
    when 'goal-rejection' then '{submitted}'
    when 'goal-report' then '{ended}'
    when 'complaint-dismissal' then '{open,ended,completed,annulled}'
    else '{open,ended}'
  end;
  hides constant text := act.arguments ->> 'hide';
  made bigint;
begin
  select * into about from public.goals where slug = act.subject for update;
  if private.is_own_goal(about, act."by") then
    perform private.refuse_act('own_goal');
  elsif about.stage <> all (needed) then
    perform private.refuse_act('stage', jsonb_build_object('state', about.stage));
  elsif act.kind in ('goal-freeze', 'goal-release') and about.frozen <> (act.kind = 'goal-release') then
    perform private.refuse_act('changed');
  elsif act.kind = 'goal-report' and (about.frozen or about.report_number is null) then
    perform private.refuse_act(case when about.frozen then 'frozen' else 'no_report' end);
  elsif hides is not null and hides <> 'yes' then
    perform private.refuse_field('hide', 'unknown');
  end if;
  case act.kind
    when 'goal-approval' then
      select * into checked from private.goal_checks where goal_checks.goal = about.id;
      if checked.goal is null or checked.fault is not null or checked.wallet <> about.wallet
        or checked.checked_at < now() - interval '1 day' then
        perform private.refuse_act('unchecked');
      elsif (select count(*) from public.goals where stage = 'open') >= 200 then
        perform private.refuse_act('too_many_goals');
      end if;
      made := private.move_goal(about.id, 'open', 'operator');
      update public.goals set unread_from = checked.block_number + 1 where id = about.id;
    when 'goal-return' then
      perform private.move_goal(about.id, 'returned', 'operator', words => act.reason);
    when 'goal-rejection' then
      perform private.move_goal(about.id, 'rejected', 'operator', words => act.reason);
    when 'goal-freeze' then
      made := private.move_goal(about.id, about.stage, 'operator', frozen => true, hidden => hides is not null);
    when 'goal-release' then
      made := private.move_goal(about.id, about.stage, 'operator');
    when 'goal-annulment' then
      made := private.move_goal(about.id, 'annulled', 'operator', hidden => about.hidden);
      update public.goal_complaints set closed_at = now(), outcome = 'annulled'
      where goal_complaints.goal = about.id and closed_at is null;
    when 'goal-report' then
      made := private.move_goal(about.id, 'completed', 'operator', hidden => about.hidden);
    when 'complaint-dismissal' then
      update public.goal_complaints set closed_at = now(), outcome = 'dismissed'
      where goal_complaints.goal = about.id and closed_at is null;
  end case;
  return jsonb_build_object('subject', act.subject, 'made_kind', case when made is not null then 'goal' end, 'made_id', made)
    -- The reason of a return or a rejection is for the member: the log has its hash, and no one else has the text.
    || case when act.kind in ('goal-return', 'goal-rejection') then (
      select jsonb_build_object(
        'reason_hash', encode(sha256(decode(reason_salt, 'hex') || convert_to(reason, 'UTF8')), 'hex')
      )
      from public.goals where id = about.id
    ) else '{}' end;
end;
$$;

create or replace function public.end_goal(goal uuid, reason text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  own public.goals;
begin
  if end_goal.reason is not null then
    perform private.check_words('reason', end_goal.reason, 10, 500, true);
    perform private.check_goal_text('reason', end_goal.reason);
  end if;
  perform private.lock_log('ledger') where exists (
    select from public.goals where id = end_goal.goal and member = auth.uid()
  );
  own := private.own_goal(goal, '{open}');
  if own.frozen and end_goal.reason is not null then
    perform private.refuse_act('frozen');
  elsif not own.frozen and end_goal.reason is null then
    perform private.refuse_field('reason', 'missing');
  end if;
  perform private.move_goal(
    own.id, 'ended', 'member', frozen => own.frozen, hidden => own.hidden, words => end_goal.reason
  );
  return jsonb_build_object('stage', 'ended');
end;
$$;

create or replace function public.end_goals() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  over public.goals;
  many integer := 0;
begin
  if not exists (select from public.goals where stage = 'open' and ends_at <= now()) then
    return 0;
  end if;
  perform private.lock_log('ledger');
  for over in
    select * from public.goals where stage = 'open' and ends_at <= now() order by ends_at, id for update
  loop
    perform private.move_goal(over.id, 'ended', 'schedule', frozen => over.frozen, hidden => over.hidden);
    many := many + 1;
  end loop;
  return many;
end;
$$;
