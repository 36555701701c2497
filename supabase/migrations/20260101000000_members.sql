-- Members: the profile of everyone who signs up, their wallets and pictures, and what guards them.
-- Each file of this folder describes one domain, in this order: types, tables, triggers, functions for other files,
-- what members, operators and the job may call, what everyone reads, grants. A private function comes before the first
-- function that calls it. Files whose SQL functions name later views and tables begin with `set check_function_bodies = off`.

-- A hosted project grants every privilege on new public objects to these roles, and PostgreSQL lets everyone execute new
-- functions. Not so in these files: each grants what the site needs, and the last one restores the defaults.
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
alter default privileges revoke execute on functions from public;

create schema private;
comment on schema private is 'Not exposed by the API: trigger functions and running sums.';

-- Tables ----------------------------------------------------------------------------------------------------

create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  username text not null default ''
    constraint profiles_username_length check (char_length(username) <= 100),
  wallet_address text
    constraint profiles_wallet_address_format check (wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  avatar_url text
    constraint profiles_avatar_url_https check (avatar_url ~ '^https://\S+$' and char_length(avatar_url) <= 2000),
  created_at timestamptz not null default now()
    constraint profiles_created_at_range check (created_at between '2015-01-01T00:00:00Z' and '2100-01-01T00:00:00Z'),
  proven_wallet_address text
    constraint profiles_proven_wallet_address_format check (proven_wallet_address ~ '^0x[0-9a-f]{40}$'),
  avatar_path text
    constraint profiles_avatar_path_own check (
      avatar_path ~ '^[0-9a-f-]{36}/[0-9a-f]{64}\.(webp|jpg|png)$' and starts_with(avatar_path, id::text || '/')
    )
);
comment on table public.profiles is 'One row per member, created at sign-up. Usernames are not unique.';
comment on column public.profiles.proven_wallet_address is
  'The wallet that a member signs in with, set from the identity only. Members can only read it.';
comment on column public.profiles.avatar_path is 'The name of the member''s picture in the bucket avatars.';

create policy "Members read their own profile" on public.profiles
  for select to authenticated using (id = (select auth.uid()));

create policy "Members update their own profile" on public.profiles
  for update to authenticated using (id = (select auth.uid())) with check (id = (select auth.uid()));

create table private.used_codes (
  member uuid not null references auth.users (id) on delete cascade,
  code_hash text not null
    constraint used_codes_hash_format check (code_hash ~ '^[0-9a-f]{64}$'),
  used_at timestamptz not null default now()
    constraint used_codes_used_at_range check (used_at >= '2015-01-01T00:00:00Z' and used_at < '2100-01-01T00:00:00Z'),
  primary key (member, code_hash)
);
comment on table private.used_codes is
  'Hashes of the codes of authenticator apps that members entered, so that one code is accepted once. Deleted after two minutes.';

-- Whether the session of the caller's token has not ended: a token is valid for up to an hour after it.
create function private.has_session() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from auth.sessions where id = (auth.jwt() ->> 'session_id')::uuid and user_id = auth.uid()
  );
$$;

-- Members read and change rows only in a session that has not ended, and with a verified factor only in one that used it.
-- The policy that Supabase documents reads auth.mfa_factors as the member, who has no privilege for this table. With the
-- privilege, row-level security would return no rows, and every session would pass. So a definer function reads the table.
create function private.is_assured() returns boolean
language sql stable security definer set search_path = '' as $$
  select private.has_session() and (
    coalesce(auth.jwt() ->> 'aal', '') = 'aal2'
    or not exists (select from auth.mfa_factors where user_id = auth.uid() and status = 'verified')
  );
$$;

create policy "A second factor guards the profile" on public.profiles
  as restrictive for all to authenticated using ((select private.is_assured()));
create index profiles_avatar_path on public.profiles (avatar_path) where avatar_path is not null;

create table public.fundme_pools (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  title text not null
    constraint fundme_pools_title_length check (char_length(title) between 1 and 200),
  description text not null default ''
    constraint fundme_pools_description_length check (char_length(description) <= 5000),
  status text not null default 'voting'
    constraint fundme_pools_status_length check (char_length(status) between 1 and 40),
  current_amount numeric(14, 2) not null default 0
    constraint fundme_pools_current_amount_range check (current_amount between 0 and 999999999999.99),
  goal_amount numeric(14, 2)
    constraint fundme_pools_goal_amount_range check (goal_amount > 0 and goal_amount <= 999999999999.99),
  created_at timestamptz not null default now()
    constraint fundme_pools_created_at_range check (created_at between '2015-01-01T00:00:00Z' and '2100-01-01T00:00:00Z')
);
comment on column public.fundme_pools.goal_amount is 'US dollars; null means that the pool has no goal.';
create index fundme_pools_of_member on public.fundme_pools (user_id, created_at desc, id desc);

create policy "Members read their own pools" on public.fundme_pools
  for select to authenticated using (user_id = (select auth.uid()));

create policy "A second factor guards the pools" on public.fundme_pools
  as restrictive for all to authenticated using ((select private.is_assured()));

create table public.proven_wallets (
  user_id uuid not null references auth.users (id) on delete cascade,
  address text not null
    constraint proven_wallets_address_format check (address ~ '^0x[0-9a-f]{40}$'),
  message text not null
    constraint proven_wallets_message_length check (char_length(message) between 1 and 2000)
    constraint proven_wallets_message_characters check (message !~ '[\u0001-\u0009\u000b-\u001f\u007f-\u009f]'),
  signature text not null
    constraint proven_wallets_signature_format check (signature ~ '^0x[0-9a-f]{130}$'),
  proven_at timestamptz not null default now()
    constraint proven_wallets_proven_at_range check (proven_at between '2015-01-01T00:00:00Z' and '2100-01-01T00:00:00Z'),
  primary key (user_id, address)
);
comment on table public.proven_wallets is
  'Messages that wallets signed for a member. Members write them, so the site verifies them at each read. Deleted with the member.';
comment on column public.proven_wallets.proven_at is
  'The database''s time of the insert. Members cannot set it, so readers can check that the message was valid then.';

create policy "Members read their own wallets" on public.proven_wallets
  for select to authenticated using (user_id = (select auth.uid()));

create policy "Members add their own wallets" on public.proven_wallets
  for insert to authenticated with check (user_id = (select auth.uid()));

create policy "Members revoke their own wallets" on public.proven_wallets
  for delete to authenticated using (user_id = (select auth.uid()));

create policy "A second factor guards the wallets" on public.proven_wallets
  as restrictive for all to authenticated using ((select private.is_assured()));

-- Pictures of members, of updates of impact pools, and of goals. The bytes are in Supabase Storage, and the site serves them
-- from its own URL. The bucket of goals is not public: who may see a picture can change.
-- No `alter table storage.objects`: on a hosted project that table belongs to another role, and row-level security is
-- already enabled on it.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
select name, name, is_public, 2097152, array['image/webp', 'image/jpeg', 'image/png']
from (values ('avatars', true), ('pools', true), ('goals', false)) as buckets (name, is_public)
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

-- An object is named <member>/<SHA-256 of its bytes>.<type>. It never changes, so there is no policy for updates.
create policy "Members add pictures to their own folder" on storage.objects
  for insert to authenticated with check (
    bucket_id = 'avatars'
    and (storage.foldername(name))[1] = (select auth.uid())::text
    and name ~ '^[0-9a-f-]{36}/[0-9a-f]{64}\.(webp|jpg|png)$'
  );

create policy "Members read their own pictures" on storage.objects
  for select to authenticated using (
    bucket_id = 'avatars' and (storage.foldername(name))[1] = (select auth.uid())::text
  );

create policy "Members remove their own pictures" on storage.objects
  for delete to authenticated using (
    bucket_id = 'avatars' and (storage.foldername(name))[1] = (select auth.uid())::text
  );

create policy "A second factor guards the pictures" on storage.objects
  as restrictive for all to authenticated using (bucket_id <> 'avatars' or (select private.is_assured()));

-- True if someone is a member and their folder has fewer than 20 pictures and less than 8 MiB: a member can call the
-- storage API directly. The storage service checks a policy before it knows the size of the new picture, which the bucket
-- limits to 2 MiB. Security definer, because a policy of storage.objects cannot read storage.objects. The profile is
-- checked, because an access token of a deleted member is valid until it expires.
create function private.has_picture_room(member uuid, picture text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.profiles where id = member)
    and count(*) < 20 and coalesce(sum((metadata ->> 'size')::bigint), 0) < 8 * 1024 * 1024
  from storage.objects
  -- The names that begin with '<member>/' ('0' follows '/'), by the index of the storage service on name.
  where bucket_id = 'avatars'
    and name ~>=~ (member || '/') and name ~<~ (member || '0');
$$;

create policy "A member stores a limited number of pictures" on storage.objects
  as restrictive for insert to authenticated with check (
    bucket_id <> 'avatars' or private.has_picture_room((select auth.uid()), name)
  );

-- The storage service asks the policies before it stores the bytes, and adds the row afterwards as a role without
-- policies. So uploads at the same time would pass a limit: each row asks the function of its bucket again, after the other
-- rows of the member. And the service compares only a declared length with the limit of the bucket.
create function private.limit_pictures() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  has_room boolean;
begin
  if (new.metadata ->> 'size')::bigint > (select file_size_limit from storage.buckets where id = new.bucket_id) then
    raise insufficient_privilege using message = 'this picture is too large';
  end if;
  if new.owner_id is null then
    return new;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('pictures of ' || new.owner_id, 0));
  execute format('select private.%I($1, $2)', tg_argv[0]) into has_room using new.owner_id::uuid, new.name;
  if not has_room then
    raise insufficient_privilege using message = 'there is no room for another picture';
  end if;
  return new;
end;
$$;
create trigger limit_avatars before insert on storage.objects for each row
  when (new.bucket_id = 'avatars') execute function private.limit_pictures('has_picture_room');

-- Triggers --------------------------------------------------------------------------------------------------

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

-- An exception here would make the sign-up fail, so this function must not raise one: jsonb has already refused a NUL
-- character, a username that is not a name is left out, and a long username is cut to the column's length.
create function private.create_profile() returns trigger
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
create trigger create_profile after insert on auth.users
  for each row execute function private.create_profile();

-- An exception here would make the sign-in fail, so this function must not raise one: for an identity without an
-- Ethereum address the column becomes null.
create function private.prove_wallet_address() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.profiles
  set proven_wallet_address = lower(substring(new.provider_id from '^web3:ethereum:(0x[0-9a-fA-F]{40})$'))
  where id = new.user_id;
  return new;
end;
$$;
create trigger prove_wallet_address after insert on auth.identities
  for each row when (new.provider = 'web3' and new.provider_id like 'web3:ethereum:%')
  execute function private.prove_wallet_address();

-- After the insert, because the policies then apply first and the error reveals nothing about another member. Lock, so
-- that concurrent inserts of one member wait, and each count includes the rows of the others.
create function private.limit_proven_wallets() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('proven_wallets ' || new.user_id, 0));
  if (select count(*) from public.proven_wallets where user_id = new.user_id) > 10 then
    raise exception 'a member has at most 10 proven wallets' using errcode = 'check_violation';
  end if;
  return null;
end;
$$;
create trigger limit_proven_wallets after insert on public.proven_wallets
  for each row execute function private.limit_proven_wallets();

-- What members may call -------------------------------------------------------------------------------------

-- Keeps a code of an authenticator app that the caller enters. Returns false if it is kept already: the auth service
-- accepts a code again while it is valid, for at most 90 seconds. `failed`: forgets a code that the service did not accept. At
-- most 100 codes of a member are kept.
create function public.use_code(hash text, failed boolean default false) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.used_codes
  where used_at < now() - interval '2 minutes' or failed and member = auth.uid() and code_hash = use_code.hash;
  if failed or not private.has_session()
    or (select count(*) from private.used_codes where member = auth.uid()) >= 100 then
    return false;
  end if;
  insert into private.used_codes (member, code_hash) values (auth.uid(), use_code.hash) on conflict do nothing;
  return found;
end;
$$;

-- A member deletes their own account. The auth service has no such call for members, so a definer function does it. Raises
-- 'fresh_sign_in_needed' without an authentication within the last ten minutes (private.proven_within). Two tables of the
-- auth service have no foreign key to users: this function deletes their rows if it has the privilege.
create function public.delete_account() returns void
language plpgsql security definer set search_path = '' as $$
declare
  caller uuid := auth.uid();
begin
  if caller is null or not private.is_assured() or not private.proven_within(600) then
    raise exception 'fresh_sign_in_needed';
  end if;
  if exists (select from public.operators where operators.member = caller and until is null)
    or exists (select from public.goals where goals.member = caller and stage = 'open') then
    perform private.lock_log('ledger');
  end if;
  if to_regclass('auth.flow_state') is not null and has_table_privilege('auth.flow_state', 'delete') then
    execute 'delete from auth.flow_state where user_id = $1' using caller;
  end if;
  if to_regclass('auth.audit_log_entries') is not null
    and has_table_privilege('auth.audit_log_entries', 'delete') then
    execute 'delete from auth.audit_log_entries where payload ->> ''actor_id'' = $1' using caller::text;
  end if;
  delete from auth.users where id = caller;
end;
$$;

-- What the job may call -------------------------------------------------------------------------------------

-- Names of up to 100 pictures that no profile uses, oldest first. They are at least an hour old, because a member's
-- picture is stored before the profile names it.
create function public.orphaned_pictures() returns setof text
language sql stable security definer set search_path = '' as $$
  select objects.name
  from storage.objects
  where objects.bucket_id = 'avatars'
    and objects.created_at < now() - interval '1 hour'
    and not exists (select from public.profiles where profiles.avatar_path = objects.name)
  order by objects.created_at
  limit 100;
$$;

-- The id of the member with this email address, in any case; null without one. For operators.
create function public.find_member(address text) returns uuid
language sql stable security definer set search_path = '' as $$
  select id from auth.users where lower(email) = lower(address);
$$;

-- Ends all sessions of a member, with their refresh tokens, and returns their number. For the operator's command about a
-- lost second factor: the auth service deletes the factor, but only lowers the sessions that used it to aal1, so a thief
-- who has one of them would stay signed in.
create function public.end_sessions(member uuid) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  ended integer;
begin
  delete from auth.sessions where user_id = member;
  get diagnostics ended = row_count;
  return ended;
end;
$$;

-- Grants ----------------------------------------------------------------------------------------------------

grant select, update (username, wallet_address, avatar_path) on public.profiles to authenticated;
grant select, insert, update, delete on
  public.profiles, public.fundme_pools, public.proven_wallets
  to service_role;
grant select on public.fundme_pools to authenticated;
grant select, insert (user_id, address, message, signature), delete on public.proven_wallets to authenticated;
grant execute on function
  private.is_assured, private.has_picture_room, public.delete_account, public.use_code
  to authenticated;
grant execute on function public.orphaned_pictures, public.find_member, public.end_sessions to service_role;
