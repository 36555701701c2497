-- Members: a profile for everyone who signs up, and the FundMe pools that they own.
-- A hosted project grants every privilege on new public objects to anon and authenticated. So each migration revokes
-- everything on an object, then grants the privileges that the site needs.

create schema private;
comment on schema private is 'Not exposed by the API: trigger functions and running sums.';

create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  username text not null default ''
    constraint profiles_username_length check (char_length(username) <= 100),
  wallet_address text
    constraint profiles_wallet_address_format check (wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  avatar_url text
    constraint profiles_avatar_url_https check (avatar_url ~ '^https://\S+$' and char_length(avatar_url) <= 2000),
  created_at timestamptz not null default now()
    constraint profiles_created_at_range check (created_at between '2015-01-01T00:00:00Z' and '2100-01-01T00:00:00Z')
);
comment on table public.profiles is 'One row per member, created at sign-up. Usernames are not unique.';

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

alter table public.profiles enable row level security;
alter table public.fundme_pools enable row level security;

revoke all on public.profiles, public.fundme_pools from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.profiles, public.fundme_pools to service_role;

-- Column privileges, not a policy, keep members from changing id, avatar_url and created_at.
grant select, update (username, wallet_address) on public.profiles to authenticated;
grant select on public.fundme_pools to authenticated;

create policy "Members read their own profile" on public.profiles
  for select to authenticated using (id = (select auth.uid()));

create policy "Members update their own profile" on public.profiles
  for update to authenticated using (id = (select auth.uid())) with check (id = (select auth.uid()));

create policy "Members read their own pools" on public.fundme_pools
  for select to authenticated using (user_id = (select auth.uid()));

-- An exception here would make the sign-up fail, so this function must not raise one: jsonb has already refused a NUL
-- character, a username that is not a text is left out, and a long username is cut to the column's length.
create function private.create_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.profiles (id, username)
  values (
    new.id,
    case when jsonb_typeof(new.raw_user_meta_data -> 'username') = 'string'
      then left(new.raw_user_meta_data ->> 'username', 100)
      else ''
    end
  );
  return new;
end;
$$;
revoke all on function private.create_profile() from public, anon, authenticated;

create trigger create_profile after insert on auth.users
  for each row execute function private.create_profile();
