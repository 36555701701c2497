-- A member who has lost the second factor. The auth service deletes the factor, but only lowers the sessions that used
-- it to aal1: a thief who has one of them would stay signed in. So the operator's command ends all sessions here.

create function public.find_member(address text) returns uuid
language sql stable security definer set search_path = '' as $$
  select id from auth.users where lower(email) = lower(address);
$$;
comment on function public.find_member(text) is
  'The id of the member with this email address, in any case; null if there is none. For operators.';
revoke all on function public.find_member(text) from public, anon, authenticated, service_role;
grant execute on function public.find_member(text) to service_role;

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
comment on function public.end_sessions(uuid) is
  'Ends all sessions of a member, and returns their number. The refresh tokens are deleted with them. For operators.';
revoke all on function public.end_sessions(uuid) from public, anon, authenticated, service_role;
grant execute on function public.end_sessions(uuid) to service_role;
