-- /healthz calls this function to detect that writes fail while reads succeed, as on a full disk. Each isolate of the
-- worker calls it at most once in five seconds, with the secret key.
create table private.write_check (
  id boolean primary key default true check (id),
  checked_at private.moment not null
);

create function public.check_writes() returns void language sql security definer set search_path = '' as $$
  insert into private.write_check (checked_at) values (clock_timestamp())
  on conflict (id) do update set checked_at = excluded.checked_at
$$;

revoke all on private.write_check from public, anon, authenticated, service_role;
revoke all on function public.check_writes() from public, anon, authenticated;
grant execute on function public.check_writes() to service_role;
