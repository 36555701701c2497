-- Cosignatures of witnesses (C2SP tlog-cosignature): each is a signature line for a checkpoint that was archived. The
-- archived note does not change; the published note has the lines behind its own.

-- A line of a post-quantum witness has 3.5 kB. A note of that size is too long for an index, so its hash is in the key.
alter table private.log_checkpoints drop constraint log_checkpoints_note_size;
alter table private.log_checkpoints
  add constraint log_checkpoints_note_size check (octet_length(note) <= 16384);
alter table private.log_checkpoints drop constraint log_checkpoints_key;
create unique index log_checkpoints_key on private.log_checkpoints (log, size, md5(note));

create table private.log_cosignatures (
  id bigint generated always as identity primary key,
  log text collate "C" not null references private.logs (name),
  origin text not null
    constraint log_cosignatures_origin_length check (char_length(origin) between 1 and 255),
  size private.safe_integer not null,
  root text not null
    constraint log_cosignatures_root_format check (root ~ '^[A-Za-z0-9+/]{43}=$'),
  witness text not null
    constraint log_cosignatures_witness_length check (char_length(witness) between 1 and 400),
  line text not null
    constraint log_cosignatures_line_format check (octet_length(line) <= 4000 and line ~ '^— [^[:space:]]+ [A-Za-z0-9+/]+=*\n$'),
  cosigned_at private.moment not null,
  recorded_at private.moment not null default now(),
  constraint log_cosignatures_key unique (log, size, witness, root, origin)
);
comment on table private.log_cosignatures is 'The signature lines of witnesses: at most one for each checkpoint and witness.';
comment on column private.log_cosignatures.origin is 'The name of the log in the checkpoint that was cosigned.';
comment on column private.log_cosignatures.witness is 'The verifier key of the witness.';
comment on column private.log_cosignatures.cosigned_at is 'By the clock of the witness.';
create index log_cosignatures_of_witness on private.log_cosignatures (log, witness, origin, size);
alter table private.log_cosignatures enable row level security;

create trigger append_only before update or delete or truncate on private.log_cosignatures
  for each statement execute function private.refuse_change();

create table private.log_witnesses (
  log text collate "C" not null references private.logs (name),
  origin text not null,
  witness text not null,
  url text not null
    constraint log_witnesses_url_length check (char_length(url) <= 500),
  state text not null default 'asked'
    constraint log_witnesses_state_known check (state in ('asked', 'well', 'fault', 'configuration', 'alarm')),
  fault text
    constraint log_witnesses_fault_length check (char_length(fault) between 1 and 500),
  failures integer not null default 0,
  asked_at private.moment not null default now(),
  ask_after private.moment not null default now(),
  alarm text,
  alarm_at private.moment,
  primary key (log, origin, witness)
);
comment on table private.log_witnesses is 'What each witness answered last, and when it may be asked again.';
comment on column private.log_witnesses.state is
  'asked: no answer is recorded yet. well: it cosigned, or another run was first. fault: it did not answer, or not with its cosignature. configuration: it does not know the log or its key. alarm: it saw another history under our name.';
comment on column private.log_witnesses.alarm is 'The last alarm; it stays when the witness cosigns again.';
alter table private.log_witnesses enable row level security;

-- What is published ---------------------------------------------------------------------------------------

create view public.published_cosignatures with (security_invoker = false) as
select id, log, origin, size, root, witness, line, cosigned_at, recorded_at from private.log_cosignatures;
comment on view public.published_cosignatures is 'Every cosignature of a witness, in the order in which they were stored.';

create view public.witness_states with (security_invoker = false) as
select
  witnesses.log, witnesses.origin, witnesses.witness, witnesses.state, witnesses.fault, witnesses.failures,
  witnesses.asked_at, witnesses.ask_after, witnesses.alarm, witnesses.alarm_at,
  latest.size::bigint as cosigned_size, latest.cosigned_at
from private.log_witnesses as witnesses
left join lateral (
  select cosignatures.size, cosignatures.cosigned_at from private.log_cosignatures as cosignatures
  where cosignatures.log = witnesses.log and cosignatures.witness = witnesses.witness
    and cosignatures.origin = witnesses.origin
  order by cosignatures.size desc limit 1
) as latest on true;
comment on view public.witness_states is 'What each witness answered last, and the greatest checkpoint that it has cosigned.';

create or replace view public.published_checkpoints with (security_invoker = false) as
select
  checkpoints.id, checkpoints.log, checkpoints.size, checkpoints.root,
  checkpoints.note || coalesce((
    select string_agg(cosignatures.line, '' order by cosignatures.id) from private.log_cosignatures as cosignatures
    where cosignatures.log = checkpoints.log and cosignatures.size = checkpoints.size and cosignatures.root = checkpoints.root
      and cosignatures.origin = split_part(checkpoints.note, E'\n', 1)
  ), '') as note,
  checkpoints.vkey, checkpoints.signed_at
from private.log_checkpoints as checkpoints;
comment on view public.published_checkpoints is
  'Every signed checkpoint of every log with its cosignatures, in the order in which they were archived. newest_checkpoints has the newest.';

create or replace view public.newest_checkpoints with (security_invoker = false) as
select
  newest.id, newest.log, newest.size, newest.root,
  newest.note || coalesce((
    select string_agg(cosignatures.line, '' order by cosignatures.id) from private.log_cosignatures as cosignatures
    where cosignatures.log = newest.log and cosignatures.size = newest.size and cosignatures.root = newest.root
      and cosignatures.origin = split_part(newest.note, E'\n', 1)
  ), '') as note,
  newest.vkey, newest.signed_at
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

-- Writing -------------------------------------------------------------------------------------------------

-- As before, with the key of this file.
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
  on conflict do nothing;
  get diagnostics added = row_count;
  return added > 0;
end;
$$;

-- The witnesses that have to be asked now: `witnesses` is [{witness, url}], the result [{witness, size, root, note,
-- known_size, proof}] with the newest checkpoint, the greatest size that the witness has cosigned, and the consistency
-- proof from there. Leaves out a witness that has cosigned the newest checkpoint, one that another run asked in the last
-- 30 seconds, and one whose time to be asked again has not come. Empty if the newest checkpoint has another origin.
create function public.claim_witnesses(log text, origin text, witnesses jsonb) returns jsonb
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  newest record;
  given record;
  known bigint;
  due jsonb := '[]'::jsonb;
begin
  select checkpoints.size::bigint as size, checkpoints.root, checkpoints.note into newest
  from public.newest_checkpoints as checkpoints where checkpoints.log = claim_witnesses.log;
  if newest.note is null or split_part(newest.note, E'\n', 1) <> claim_witnesses.origin then
    return due;
  end if;
  for given in select wanted.witness, wanted.url from jsonb_to_recordset(witnesses) as wanted (witness text, url text) loop
    continue when exists (
      select from private.log_cosignatures as cosignatures
      where cosignatures.log = claim_witnesses.log and cosignatures.size = newest.size
        and cosignatures.witness = given.witness and cosignatures.root = newest.root
        and cosignatures.origin = claim_witnesses.origin
    );
    insert into private.log_witnesses as kept (log, origin, witness, url, ask_after)
    values (claim_witnesses.log, claim_witnesses.origin, given.witness, given.url, now() + interval '30 seconds')
    on conflict on constraint log_witnesses_pkey do update
    set asked_at = now(), ask_after = excluded.ask_after, url = excluded.url
    where kept.ask_after <= now() or kept.url <> excluded.url;
    continue when not found;
    select coalesce(max(cosignatures.size::bigint), 0) into known
    from private.log_cosignatures as cosignatures
    where cosignatures.log = claim_witnesses.log and cosignatures.witness = given.witness
      and cosignatures.origin = claim_witnesses.origin and cosignatures.size <= newest.size;
    due := due || jsonb_build_object(
      'witness', given.witness, 'size', newest.size, 'root', newest.root, 'note', newest.note, 'known_size', known,
      'proof', public.log_consistency(claim_witnesses.log, known, newest.size)
    );
  end loop;
  return due;
end;
$$;

-- For a size that a witness says it knows: {proof} from there to a checkpoint, where proof is null if that checkpoint is
-- smaller. Null if no checkpoint of that size was archived under this origin.
create function public.witness_proof(log text, origin text, known_size bigint, size bigint) returns jsonb
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set jit = off as $$
begin
  if known_size <> 0 and not exists (
    select from private.log_checkpoints as archived
    where archived.log = witness_proof.log and archived.size = witness_proof.known_size
      and split_part(archived.note, E'\n', 1) = witness_proof.origin
  ) then
    return null;
  end if;
  return jsonb_build_object('proof', public.log_consistency(log, known_size, witness_proof.size));
end;
$$;

-- Records what a witness answered. `answer` is {state, fault}, or with the state 'well' also the cosignature {size, root,
-- line, cosigned_at}, or without it if another run was first. Raises check_violation for a cosignature of a checkpoint
-- that was not archived. Returns true if the cosignature is new.
create function public.record_witness(log text, origin text, witness text, answer jsonb) returns boolean
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  added bigint := 0;
  new_state constant text := answer ->> 'state';
  of_size constant bigint := (answer ->> 'size')::bigint;
begin
  if answer ? 'line' then
    if not exists (
      select from private.log_checkpoints as archived
      where archived.log = record_witness.log and archived.size = of_size and archived.root = answer ->> 'root'
        and split_part(archived.note, E'\n', 1) = record_witness.origin
    ) then
      raise check_violation using
        message = 'no archived checkpoint has this origin, size and root', constraint = 'log_cosignatures_of_checkpoint',
        table = 'log_cosignatures', schema = 'private';
    end if;
    insert into private.log_cosignatures (log, origin, size, root, witness, line, cosigned_at)
    values (
      record_witness.log, record_witness.origin, of_size, answer ->> 'root', record_witness.witness, answer ->> 'line',
      (answer ->> 'cosigned_at')::timestamptz
    )
    on conflict on constraint log_cosignatures_key do nothing;
    get diagnostics added = row_count;
  end if;
  update private.log_witnesses as kept
  set
    state = new_state,
    fault = answer ->> 'fault',
    failures = case when new_state = 'well' then 0 else least(kept.failures + 1, 1000) end,
    -- Doubled after each failure, up to an hour; ten seconds less, so that a run of that minute is not too early.
    ask_after = now() + case
      when new_state = 'well' then interval '0'
      when new_state = 'fault' then least(interval '1 hour', interval '1 minute' * 2 ^ least(kept.failures, 10)) - interval '10 seconds'
      else interval '1 hour' - interval '10 seconds'
    end,
    alarm = case when new_state = 'alarm' then answer ->> 'fault' else kept.alarm end,
    alarm_at = case when new_state = 'alarm' then now() else kept.alarm_at end
  where kept.log = record_witness.log and kept.origin = record_witness.origin and kept.witness = record_witness.witness;
  return added > 0;
end;
$$;

-- Privileges ----------------------------------------------------------------------------------------------

revoke all on public.published_cosignatures, public.witness_states from public, anon, authenticated, service_role;
grant select on public.published_cosignatures, public.witness_states to anon, authenticated, service_role;
revoke all on function
  public.claim_witnesses(text, text, jsonb), public.witness_proof(text, text, bigint, bigint),
  public.record_witness(text, text, text, jsonb)
  from public, anon, authenticated;
grant execute on function
  public.claim_witnesses(text, text, jsonb), public.witness_proof(text, text, bigint, bigint),
  public.record_witness(text, text, text, jsonb)
  to service_role;
