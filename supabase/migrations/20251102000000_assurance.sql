-- What a member has proven: the wallet they sign in with, and the second factor they have enrolled.

alter table public.profiles
  add column proven_wallet_address text
    constraint profiles_proven_wallet_address_format check (proven_wallet_address ~ '^0x[0-9a-f]{40}$');
comment on column public.profiles.proven_wallet_address is
  'The wallet that a member signs in with. Set from the identity alone; members can only read it.';

-- An exception in here would refuse the sign-in. It cannot raise: what is no Ethereum address is null.
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

-- Members who have a verified factor see and change what is theirs only in a session that used it.
-- The documented policy reads auth.mfa_factors as the member, who may not; and with the select granted, its
-- row-level security shows no rows, and the gate stands open. So a definer function reads it.
create function private.is_assured() returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(auth.jwt() ->> 'aal', '') = 'aal2'
    or not exists (
      select from auth.mfa_factors where user_id = auth.uid() and status = 'verified'
    );
$$;
-- A policy runs as who asks. They may execute this one, but not name it: the schema stays closed to them.
revoke all on function private.is_assured() from public, anon;
grant execute on function private.is_assured() to authenticated;

create policy "A second factor guards the profile" on public.profiles
  as restrictive for all to authenticated using ((select private.is_assured()));

create policy "A second factor guards the pools" on public.fundme_pools
  as restrictive for all to authenticated using ((select private.is_assured()));
