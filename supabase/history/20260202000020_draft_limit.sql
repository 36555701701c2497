-- Refuses a draft too many by a code, as the other functions for members do.

create or replace function private.limit_goals() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('goals ' || new.member, 0));
  if (select count(*) from public.goals where member = new.member and stage in ('draft', 'returned')) > 3 then
    raise exception 'too_many_drafts' using errcode = 'check_violation';
  end if;
  return null;
end;
$$;
