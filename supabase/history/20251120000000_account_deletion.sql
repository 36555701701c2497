-- A member deletes their own account. The auth service has no such call for members, so a definer function does it.

-- Requires an authentication within the last ten minutes: by a second factor if the member has one, otherwise by any
-- method. The times are in the token's `amr` claim, which the auth service writes. Rows that refer to the user are
-- deleted too (on delete cascade). Two tables of the auth service have no foreign key to users: this function deletes
-- their rows if it has the privilege. Raises 'fresh_sign_in_needed' without such an authentication.
create function public.delete_account() returns void
language plpgsql security definer set search_path = '' as $$
declare
  member uuid := auth.uid();
  has_factor boolean := exists (
    select from auth.mfa_factors where user_id = auth.uid() and status = 'verified'
  );
  proven_at numeric := (
    select max((entry ->> 'timestamp')::numeric)
    from jsonb_array_elements(coalesce(auth.jwt() -> 'amr', '[]')) as entry
    where not has_factor or entry ->> 'method' in ('totp', 'mfa/phone', 'mfa/webauthn')
  );
begin
  if member is null or not private.is_assured() or proven_at is null
    or extract(epoch from now()) - proven_at > 600 then
    raise exception 'fresh_sign_in_needed';
  end if;
  if to_regclass('auth.flow_state') is not null and has_table_privilege('auth.flow_state', 'delete') then
    execute 'delete from auth.flow_state where user_id = $1' using member;
  end if;
  if to_regclass('auth.audit_log_entries') is not null
    and has_table_privilege('auth.audit_log_entries', 'delete') then
    execute 'delete from auth.audit_log_entries where payload ->> ''actor_id'' = $1' using member::text;
  end if;
  delete from auth.users where id = member;
end;
$$;
comment on function public.delete_account() is
  'Deletes the calling member. Needs a sign-in, or a second factor if there is one, within the last ten minutes.';
revoke all on function public.delete_account() from public, anon, authenticated, service_role;
grant execute on function public.delete_account() to authenticated;
