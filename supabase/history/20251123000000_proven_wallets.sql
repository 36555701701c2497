-- The wallets that members state to be theirs, each with a message and a signature of the wallet. A member inserts and
-- deletes their own rows. A row proves nothing by itself: the site verifies message and signature each time it reads a
-- row (app/auth/proven-wallets.server.ts).

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

alter table public.proven_wallets enable row level security;

revoke all on public.proven_wallets from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.proven_wallets to service_role;
grant select, delete, insert (user_id, address, message, signature) on public.proven_wallets to authenticated;

create policy "Members read their own wallets" on public.proven_wallets
  for select to authenticated using (user_id = (select auth.uid()));

create policy "Members add their own wallets" on public.proven_wallets
  for insert to authenticated with check (user_id = (select auth.uid()));

create policy "Members revoke their own wallets" on public.proven_wallets
  for delete to authenticated using (user_id = (select auth.uid()));

create policy "A second factor guards the wallets" on public.proven_wallets
  as restrictive for all to authenticated using ((select private.is_assured()));

-- The trigger runs after the insert, because the policies then apply first: its error reveals nothing about another
-- member. The lock makes concurrent inserts of one member wait, so that each count includes the rows of the others.
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
revoke all on function private.limit_proven_wallets() from public, anon, authenticated;

create trigger limit_proven_wallets after insert on public.proven_wallets
  for each row execute function private.limit_proven_wallets();
