-- After a restored backup the log may continue under a new name (LOG_ORIGIN), because witnesses refuse the former one.
-- The checkpoint that was archived last before the restore has the former name.
create view public.former_log_names with (security_invoker = false) as
select distinct on (restores.log, former.origin)
  restores.log, former.origin, former.vkey, restores.recorded_at as until, restores.reason
from private.log_restores as restores
join lateral (
  select split_part(checkpoints.note, E'\n', 1) as origin, checkpoints.vkey
  from private.log_checkpoints as checkpoints
  where checkpoints.log = restores.log
    and case
      when restores.newest_checkpoint_id is null then checkpoints.signed_at < restores.recorded_at
      else checkpoints.id <= restores.newest_checkpoint_id
    end
  order by checkpoints.id desc limit 1
) as former on true
join public.newest_checkpoints as newest
  on newest.log = restores.log and split_part(newest.note, E'\n', 1) <> former.origin
order by restores.log, former.origin, restores.id desc;
comment on view public.former_log_names is
  'The names that a log had before an accepted restore, with the verifier key of the last checkpoint, and the reason of the restore. Not the name of its newest checkpoint.';

revoke all on public.former_log_names from public, anon, authenticated, service_role;
grant select on public.former_log_names to anon, authenticated, service_role;
