-- Pictures that stay after the deletion of an account, those of public goals and of updates, do not name the account.

create function private.leave_pictures() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update storage.objects set owner = null, owner_id = null where owner_id = old.id::text or owner = old.id;
  return old;
end;
$$;
create trigger leave_pictures before delete on auth.users
  for each row execute function private.leave_pictures();

update storage.objects set owner = null, owner_id = null
where owner_id is not null and not exists (select from auth.users where id::text = owner_id);

revoke all on function private.leave_pictures() from public, anon, authenticated, service_role;
