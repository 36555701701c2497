-- The wallet with which a member signs in, and policies that require the second factor of a member who has one.

alter table public.profiles
  add column proven_wallet_address text
    constraint profiles_proven_wallet_address_format check (proven_wallet_address ~ '^0x[0-9a-f]{40}$');
comment on column public.profiles.proven_wallet_address is
  'The wallet that a member signs in with, set from the identity only. Members can only read it.';

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
revoke all on function private.prove_wallet_address() from public, anon, authenticated;

create trigger prove_wallet_address after insert on auth.identities
  for each row when (new.provider = 'web3' and new.provider_id like 'web3:ethereum:%')
  execute function private.prove_wallet_address();

-- A member with a verified factor reads and changes rows only in a session that used it. The policy that Supabase
-- documents reads auth.mfa_factors as the member, who has no privilege for this table. With the privilege, row-level
-- security would return no rows, and every session would pass. So a definer function reads the table.
create function private.is_assured() returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(auth.jwt() ->> 'aal', '') = 'aal2'
    or not exists (
      select from auth.mfa_factors where user_id = auth.uid() and status = 'verified'
    );
$$;
-- A policy runs with the member's privileges, so members must be allowed to execute the function. They cannot call it
-- through the API, which does not expose this schema.
revoke all on function private.is_assured() from public, anon;
grant execute on function private.is_assured() to authenticated;

create policy "A second factor guards the profile" on public.profiles
  as restrictive for all to authenticated using ((select private.is_assured()));

create policy "A second factor guards the pools" on public.fundme_pools
  as restrictive for all to authenticated using ((select private.is_assured()));
