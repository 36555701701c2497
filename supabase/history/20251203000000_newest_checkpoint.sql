-- The newest checkpoint of a log is the one with the greatest size since the last accepted restore. The id does not
-- show it: two runs of the job may overlap, and the late one would archive a smaller checkpoint after a greater one. A
-- note of an older size may still be archived again with further signature lines.

alter table private.log_restores add column newest_checkpoint_id private.safe_integer;
comment on column private.log_restores.newest_checkpoint_id is
  'The highest id of a checkpoint that was archived before; null for a restore that was accepted before this column existed.';

create view public.newest_checkpoints with (security_invoker = false) as
select newest.id, newest.log, newest.size, newest.root, newest.note, newest.vkey, newest.signed_at
from private.logs
left join lateral (
  select coalesce(
    restores.newest_checkpoint_id::bigint,
    (
      select max(checkpoints.id) from private.log_checkpoints as checkpoints
      where checkpoints.log = logs.name and checkpoints.signed_at < restores.recorded_at
    ),
    0
  ) as id
  from private.log_restores as restores where restores.log = logs.name order by restores.id desc limit 1
) as restored on true
join lateral (
  (
    select * from private.log_checkpoints as checkpoints
    where checkpoints.log = logs.name and checkpoints.id > coalesce(restored.id, 0)
    order by checkpoints.size desc, checkpoints.id desc limit 1
  )
  union all
  -- No checkpoint was signed since the restore.
  (
    select * from private.log_checkpoints as checkpoints
    where checkpoints.log = logs.name and checkpoints.size <= logs.size
    order by checkpoints.size desc, checkpoints.id desc limit 1
  )
  limit 1
) as newest on true;
comment on view public.newest_checkpoints is
  'The newest checkpoint of each log: the greatest since the last accepted restore, and of several notes of that size the one that was archived last.';
comment on view public.published_checkpoints is
  'Every signed checkpoint of every log, in the order in which they were archived. newest_checkpoints has the newest.';

revoke all on public.newest_checkpoints from public, anon, authenticated, service_role;
grant select on public.newest_checkpoints to anon, authenticated, service_role;

-- Archives a signed checkpoint. Returns false if it was archived before. Raises check_violation for a root that the log
-- does not have at this size, and SQLSTATE 40001 for a size that is smaller than the newest and was never archived:
-- another run of the job was faster.
create or replace function public.archive_checkpoint(log text, size bigint, root text, note text, vkey text) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  added bigint;
begin
  perform private.lock_log(log);
  if public.log_root(log, size) is distinct from root then
    raise check_violation using
      message = 'the log does not have this root at this size', constraint = 'log_checkpoints_of_log',
      table = 'log_checkpoints', schema = 'private';
  end if;
  if exists (
    select from public.newest_checkpoints as newest
    where newest.log = archive_checkpoint.log and newest.size > archive_checkpoint.size
  ) and not exists (
    select from private.log_checkpoints as archived
    where archived.log = archive_checkpoint.log and archived.size = archive_checkpoint.size
  ) then
    raise serialization_failure using message = 'a greater checkpoint is archived';
  end if;
  insert into private.log_checkpoints (log, size, root, note, vkey)
  values (
    archive_checkpoint.log, archive_checkpoint.size, archive_checkpoint.root, archive_checkpoint.note,
    archive_checkpoint.vkey
  )
  on conflict on constraint log_checkpoints_key do nothing;
  get diagnostics added = row_count;
  return added > 0;
end;
$$;

-- As before, and stores which checkpoints were archived before the restore.
create or replace function public.accept_restore(log text, reason text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  lost private.log_rollbacks;
begin
  perform private.lock_log(log);
  delete from private.log_rollbacks where log_rollbacks.log = accept_restore.log returning * into lost;
  if lost.log is null then
    return null;
  end if;
  insert into private.log_restores (log, size, root, reason, newest_checkpoint_id)
  values (
    accept_restore.log, lost.size, lost.root, accept_restore.reason,
    coalesce((
      select max(id) from private.log_checkpoints where log_checkpoints.log = accept_restore.log
    ), 0)
  );
  return jsonb_build_object('size', lost.size, 'root', lost.root);
end;
$$;

create or replace view public.ledger_status with (security_invoker = false) as
select
  logs.size::bigint as size,
  (select encode(leaf, 'hex') from private.log_entries where log = 'ledger' and index = logs.size - 1) as leaf,
  (select recorded_at from public.transactions order by id desc limit 1) as recorded_at,
  (select max(id) from public.transaction_checks) as check_id,
  (select size from public.newest_checkpoints where log = 'ledger') as signed_size,
  rollback.size::bigint as rolled_back_size, rollback.noticed_at as rolled_back_at,
  scan.chain_id, scan.block_number, scan.block_hash, scan.block_time, scan.scanned_at
from private.logs
left join private.log_rollbacks as rollback on rollback.log = logs.name
left join lateral (select * from private.ledger_scans order by scanned_at desc limit 1) as scan on true
where logs.name = 'ledger';

-- As before, and anchors only the newest checkpoint: a late run raises SQLSTATE 40001.
create or replace function public.store_anchor(log text, anchor jsonb) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  chain integer := (anchor ->> 'chain_id')::integer;
  added bigint;
begin
  perform private.lock_log(log);
  if not exists (
    select from private.log_checkpoints
    where log_checkpoints.log = store_anchor.log and size = (anchor ->> 'size')::bigint and root = anchor ->> 'root'
  ) then
    raise check_violation using
      message = 'no signed checkpoint has this size and root', constraint = 'log_anchors_of_checkpoint',
      table = 'log_anchors', schema = 'private';
  end if;
  if exists (
    select from public.newest_checkpoints as newest
    where newest.log = store_anchor.log and newest.size > (anchor ->> 'size')::bigint
  ) or exists (
    select from public.published_anchors as published
    where published.log = store_anchor.log and chain_id = chain
      and (status not in ('anchored', 'lost') or recorded_at > now() - make_interval(secs => (anchor ->> 'min_seconds')::integer)
        or (size = (anchor ->> 'size')::bigint and root = anchor ->> 'root'))
  ) or (
    select count(*) from private.log_anchors
    where log_anchors.log = store_anchor.log and chain_id = chain and recorded_at > now() - interval '24 hours'
  ) >= (anchor ->> 'day_most')::integer then
    raise serialization_failure using message = 'no anchor is due';
  end if;
  insert into private.log_anchors (log, size, root, chain_id, address, nonce)
  values (
    store_anchor.log, (anchor ->> 'size')::bigint, anchor ->> 'root', chain, anchor ->> 'address', (anchor ->> 'nonce')::bigint
  )
  returning id into added;
  insert into private.log_anchor_transactions (anchor_id, raw, tx_hash, gas_price)
  values (added, anchor ->> 'raw', anchor ->> 'tx_hash', (anchor ->> 'gas_price')::numeric);
  return added;
end;
$$;
