-- Names of members: what a reader sees is what is stored. Emoji and some scripts need joiners, so a text on one line may
-- have them too.

-- False for a name that shows nothing, or that has characters which change the order of others or hide a text. The name is
-- empty for a member without one. app/forms/name.ts refuses the same characters.
create function private.is_name(words text) returns boolean
language sql immutable set search_path = '' as $$
  select words = '' or (
    words !~ '[\u0001-\u001f\u007f-\u009f\u202d\u202e\u2028\u2029\ufff9-\ufffb]'
    and private.plain_text(words) ~ '[^[:space:]]'
  )
$$;

-- Refuses what was changed, not what was stored before this rule.
create function private.check_username() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_name(new.username) then
    raise check_violation using
      message = 'the username violates check constraint "profiles_username_name"', constraint = 'profiles_username_name';
  end if;
  return new;
end;
$$;
create trigger check_username before update of username on public.profiles
  for each row when (new.username is distinct from old.username) execute function private.check_username();

-- As before, and: a name that is no name is left out.
create or replace function private.create_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  typed constant text := case when jsonb_typeof(new.raw_user_meta_data -> 'username') = 'string'
    then left(new.raw_user_meta_data ->> 'username', 100) else '' end;
begin
  insert into public.profiles (id, username)
  values (new.id, case when private.is_name(typed) then typed else '' end);
  return new;
end;
$$;

create or replace function private.is_goal_text(words text, many_lines boolean) returns boolean
language sql immutable set search_path = '' as $$
  select words !~ (case when many_lines
    then '[\u0001-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]'
    else '[\u0001-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]' end)
    and words !~* '0x[0-9a-f]{40}' and words !~* '(https?://|www\.)'
$$;

create or replace function private.check_words(
  field text, words text, shortest integer, longest integer, many_lines boolean default false
) returns void
language plpgsql set search_path = '' as $$
begin
  if words is null or words = '' then
    if shortest > 0 then
      perform private.refuse_field(field, 'missing');
    end if;
    return;
  end if;
  if char_length(words) not between shortest and longest then
    perform private.refuse_field(field, 'length');
  elsif words <> btrim(words, E' \n') then
    perform private.refuse_field(field, 'spaces');
  elsif words ~ (case when many_lines
    then '[\u0001-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]'
    else '[\u0001-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]' end) then
    perform private.refuse_field(field, 'characters');
  end if;
end;
$$;

revoke all on function private.is_name(text), private.check_username() from public, anon, authenticated, service_role;
