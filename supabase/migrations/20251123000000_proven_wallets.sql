-- The wallets that a member has proven to be theirs, each by a signed message. The site verifies the signature and
-- writes the row with the secret key, so a member cannot claim a wallet. A member can revoke each proof.

create table public.proven_wallets (
  user_id uuid not null references auth.users (id) on delete cascade,
  address text not null
    constraint proven_wallets_address_format check (address ~ '^0x[0-9a-f]{40}$'),
  proven_at timestamptz not null default now()
    constraint proven_wallets_proven_at_range check (proven_at between '2015-01-01T00:00:00Z' and '2100-01-01T00:00:00Z'),
  primary key (user_id, address)
);
comment on table public.proven_wallets is 'Wallets whose owner signed a message for this member. Deleted with the member.';

alter table public.proven_wallets enable row level security;

revoke all on public.proven_wallets from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.proven_wallets to service_role;
grant select, delete on public.proven_wallets to authenticated;

create policy "Members read their own wallets" on public.proven_wallets
  for select to authenticated using (user_id = (select auth.uid()));

create policy "Members revoke their own wallets" on public.proven_wallets
  for delete to authenticated using (user_id = (select auth.uid()));

create policy "A second factor guards the wallets" on public.proven_wallets
  as restrictive for all to authenticated using ((select private.is_assured()));
