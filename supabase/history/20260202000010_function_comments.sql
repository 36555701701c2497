-- Functions are described in the files of their domains alone.

do $$
declare
  described regprocedure;
begin
  for described in
    select objoid from pg_description
    join pg_proc on pg_proc.oid = objoid and pronamespace in ('public'::regnamespace, 'private'::regnamespace)
    where classoid = 'pg_proc'::regclass
  loop
    execute format('comment on function %s is null', described);
  end loop;
end;
$$;
