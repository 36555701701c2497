-- Empties the tables of a new project that `supabase db push` has prepared, before the rows of a backup are loaded
-- (docs/operating.md, 'Backup and restore'): the migrations fill some of them. Refuses a database that is in use.
do $$
declare
  names text;
begin
  if exists (select from auth.users) or exists (select from private.log_entries) then
    raise exception 'This database has members or entries of the log: it is not a new project';
  end if;
  select string_agg(format('%I.%I', schemaname, tablename), ', ') into names
  from pg_tables where schemaname in ('public', 'private');
  execute 'truncate ' || names;
  delete from storage.buckets;
end $$;
