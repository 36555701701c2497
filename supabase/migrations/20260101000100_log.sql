-- Merkle logs (RFC 6962, C2SP tlog-tiles): entries in one order, a hash for each, and the hashes of complete tiles.
-- Checkpoints sign the size and the root of a log, witnesses cosign them. A log is a row of private.logs, and triggers
-- of other tables append to it. A log does not depend on these tables.

create domain private.moment as timestamptz
  constraint moment_range check (value >= '2015-01-01T00:00:00Z' and value < '2100-01-01T00:00:00Z');
comment on domain private.moment is 'A time that every reader can write. Excludes infinity.';

create domain private.safe_integer as bigint
  constraint safe_integer_range check (value between 0 and 9007199254740991);
comment on domain private.safe_integer is 'From 0 to 2^53 - 1: a JSON number in every reader.';

-- Tables ----------------------------------------------------------------------------------------------------

create table private.logs (
  name text collate "C" primary key
    constraint logs_name_format check (name ~ '^[a-z][a-z-]{0,30}$'),
  size private.safe_integer not null default 0
);
comment on table private.logs is 'One row for each log. Its row lock is the one lock of its writers.';

-- No foreign key to private.logs: it would cost a query for each entry, and the only function that writes here reads
-- the log's row anyway.
create table private.log_entries (
  log text collate "C" not null,
  index private.safe_integer not null,
  kind text not null,
  row_id private.safe_integer not null,
  entry text not null
    constraint log_entries_entry_size check (octet_length(entry) between 2 and 65535)
    constraint log_entries_entry_line check (position(E'\n' in entry) = 0),
  leaf bytea not null
    constraint log_entries_leaf_length check (octet_length(leaf) = 32),
  primary key (log, index),
  constraint log_entries_row unique (log, kind, row_id)
);
comment on table private.log_entries is 'Each entry as the bytes that are hashed and published. It is never generated again from its row, so a later change of the format does not change the history.';
comment on column private.log_entries.index is 'Place in the log, from 0, without gaps.';
comment on column private.log_entries.row_id is 'The id of the row of which this is the entry, in the table that `kind` names.';
comment on column private.log_entries.leaf is 'SHA-256 of 0x00 and the entry (RFC 6962 2.1).';

create table private.log_nodes (
  log text collate "C" not null,
  level smallint not null
    constraint log_nodes_level_range check (level between 1 and 6),
  index private.safe_integer not null,
  hash bytea not null
    constraint log_nodes_hash_length check (octet_length(hash) = 32),
  primary key (log, level, index)
);
comment on table private.log_nodes is 'The hash of each complete tile of 256 hashes of the level below. Level 0 is the leaves; the nodes between two levels are computed from a tile.';

create table private.log_checkpoints (
  id bigint generated always as identity primary key,
  log text collate "C" not null references private.logs (name),
  size private.safe_integer not null
    constraint log_checkpoints_size_positive check (size > 0),
  root text not null
    constraint log_checkpoints_root_format check (root ~ '^[A-Za-z0-9+/]{43}=$'),
  note text not null
    constraint log_checkpoints_note_size check (octet_length(note) <= 16384)
    constraint log_checkpoints_note_body check (
      split_part(note, E'\n', 2) = size::text and split_part(note, E'\n', 3) = root
    ),
  vkey text not null
    constraint log_checkpoints_vkey_length check (char_length(vkey) between 1 and 400),
  signed_at private.moment not null default now()
);
comment on table private.log_checkpoints is 'Every signed checkpoint (C2SP tlog-checkpoint), as it is served.';
comment on column private.log_checkpoints.note is 'The signed note, with the signature lines of others where they signed too.';
comment on column private.log_checkpoints.vkey is 'The verifier key of the key that signed (C2SP signed-note).';
create index log_checkpoints_covering on private.log_checkpoints (log, size, id);
-- A note with the line of a post-quantum witness (3.5 kB) is too long for an index, so its hash is in the key.
create unique index log_checkpoints_key on private.log_checkpoints (log, size, md5(note));

-- An entry has only the hash of a salt and a text, so that a text can be withdrawn and the log still verifies.
create table private.log_texts (
  id bigint generated always as identity primary key,
  log text collate "C" not null references private.logs (name),
  hash text not null unique
    constraint log_texts_hash_format check (hash ~ '^[0-9a-f]{64}$'),
  salt bytea
    constraint log_texts_salt_length check (octet_length(salt) = 32),
  text text
    constraint log_texts_text_length check (char_length(text) between 1 and 5000),
  constraint log_texts_whole check ((salt is null) = (text is null)),
  constraint log_texts_hash_of check (text is null or hash = encode(sha256(salt || convert_to(text, 'UTF8')), 'hex'))
);
comment on table private.log_texts is 'Free text of the entries. Null where it was withdrawn.';
comment on column private.log_texts.hash is 'SHA-256 of the salt and the text in UTF-8, in hex.';

create table private.log_withdrawals (
  id bigint generated always as identity primary key,
  log text collate "C" not null references private.logs (name),
  text_hash text not null unique references private.log_texts (hash),
  reason text not null
    constraint log_withdrawals_reason_length check (char_length(reason) between 1 and 500),
  recorded_at private.moment not null default now()
);
comment on table private.log_withdrawals is 'Which texts were withdrawn, and why. Each is an entry of the log.';

create table private.log_rollbacks (
  log text collate "C" primary key references private.logs (name),
  size private.safe_integer not null,
  root text not null
    constraint log_rollbacks_root_format check (root ~ '^[A-Za-z0-9+/]{43}=$'),
  noticed_at private.moment not null default now()
);
comment on table private.log_rollbacks is
  'A checkpoint that was signed and that the log no longer contains: the database was restored from a backup. No checkpoint is signed until an operator accepts it.';

create table private.log_restores (
  id bigint generated always as identity primary key,
  log text collate "C" not null references private.logs (name),
  size private.safe_integer not null,
  root text not null
    constraint log_restores_root_format check (root ~ '^[A-Za-z0-9+/]{43}=$'),
  reason text not null
    constraint log_restores_reason_length check (char_length(reason) between 1 and 500),
  recorded_at private.moment not null default now(),
  newest_checkpoint_id private.safe_integer
);
comment on table private.log_restores is 'Rollbacks that an operator accepted, and why. Each is an entry of the log.';
comment on column private.log_restores.newest_checkpoint_id is
  'The highest id of a checkpoint that was archived before; null for a restore that was accepted before this column existed.';

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
comment on column private.log_cosignatures.cosigned_at is 'By the clock of the witness.';
create index log_cosignatures_of_witness on private.log_cosignatures (log, witness, origin, size);

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

-- Triggers --------------------------------------------------------------------------------------------------

create function private.refuse_change() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise exception '% is append-only: record a new revision instead', tg_table_name;
end;
$$;

-- Refuses changes of tables, also by their owner: 'update or delete or truncate' where rows are only added.
create procedure private.refuse(events text, variadic tables regclass[])
language plpgsql set search_path = '' as $$
declare
  each regclass;
begin
  foreach each in array tables loop
    execute format(
      'create trigger append_only before %s on %s for each statement execute function private.refuse_change()', events, each
    );
  end loop;
end;
$$;
call private.refuse(
  'update or delete or truncate', 'private.log_entries', 'private.log_nodes', 'private.log_checkpoints',
  'private.log_withdrawals', 'private.log_restores', 'private.log_cosignatures'
);
call private.refuse('delete or truncate', 'private.logs', 'private.log_texts');

create trigger only_grows before update on private.logs
  for each row when (new.size <= old.size or new.name <> old.name)
  execute function private.refuse_change();

create function private.refuse_text_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.id <> old.id or new.log <> old.log or new.hash <> old.hash
    or new.text is not null or new.salt is not null
    or not exists (select from private.log_withdrawals where text_hash = new.hash) then
    raise exception '% is append-only: record a withdrawal instead', tg_table_name;
  end if;
  return new;
end;
$$;
create trigger only_withdrawn before update on private.log_texts
  for each row execute function private.refuse_text_change();

-- The root of a complete subtree. `hashes`: all hashes of one of its levels, 32 bytes each, concatenated.
create function private.pair_hashes(hashes bytea) returns bytea
language plpgsql immutable set search_path = '' as $$
begin
  while octet_length(hashes) > 32 loop
    select string_agg(sha256('\x01'::bytea || substring(hashes from pair * 64 + 1 for 64)), ''::bytea order by pair)
    into hashes
    from generate_series(0, octet_length(hashes) / 64 - 1) as pair;
  end loop;
  return hashes;
end;
$$;

-- Hashes of one tile level, 32 bytes each, concatenated. Leaves out hashes that do not exist.
create function private.log_hashes(of_log text, tile_level integer, first bigint, many integer) returns bytea
language plpgsql stable set search_path = '' set enable_seqscan = off set jit = off as $$
begin
  if tile_level = 0 then
    return (
      select string_agg(leaf, ''::bytea order by index) from private.log_entries
      where log = of_log and index >= first and index < first + many
    );
  end if;
  return (
    select string_agg(hash, ''::bytea order by index) from private.log_nodes
    where log = of_log and level = tile_level and index >= first and index < first + many
  );
end;
$$;

-- Appends entries in the given order.
-- The settings enable_seqscan and jit, here and in other functions: PostgreSQL keeps a plan for the whole session, also
-- one that it made while a table was empty, so the plan must use the index. If a plan still has a sequential scan, its
-- estimated cost is 10^10 higher, and PostgreSQL compiles SQL statements of that cost (JIT): appending 40 rows took 3 s
-- with this compilation and 0.05 s without.
create function private.append_to_log(log text, kind text, row_ids bigint[], entries text[]) returns void
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  old_size bigint;
  new_size bigint;
  tile_level smallint := 0;
begin
  select logs.size into strict old_size
  from private.logs where logs.name = append_to_log.log for update;
  if coalesce(cardinality(entries), 0) = 0 then
    return;
  end if;
  new_size := old_size + cardinality(entries);

  insert into private.log_entries (log, index, kind, row_id, entry, leaf)
  select append_to_log.log, old_size + added.place - 1, append_to_log.kind, added.row_id, added.entry,
    sha256('\x00'::bytea || convert_to(added.entry, 'UTF8'))
  from unnest(row_ids, entries) with ordinality as added (row_id, entry, place);
  update private.logs set size = new_size where name = append_to_log.log;

  -- From here on old_size and new_size count the hashes of a level. Each tile that became complete is hashed into the
  -- next level.
  while new_size / 256 > old_size / 256 loop
    insert into private.log_nodes (log, level, index, hash)
    select append_to_log.log, tile_level + 1, tile,
      private.pair_hashes(private.log_hashes(append_to_log.log, tile_level, tile * 256, 256))
    from generate_series(old_size / 256, new_size / 256 - 1) as tile;
    old_size := old_size / 256;
    new_size := new_size / 256;
    tile_level := tile_level + 1;
  end loop;
end;
$$;

-- A time as an entry contains it: in UTC, with microseconds.
create function private.entry_time(at timestamptz) returns text
language sql stable set search_path = '' as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;

-- The version of the rules by which entries are made (public/ledger/format.md, 'Versions of the rules'). It only grows: a
-- release that changes a rule raises it, and the verifier then refuses what the former rule alone allows.
create function private.rules() returns integer
language sql immutable set search_path = '' as $$ select 3 $$;

-- Appends the entries of rows: of the view private.entry_of_<kind>, those with these ids. The columns of the view are the
-- keys of an entry in their order, as public/ledger/format.md specifies them. `row_to_json` writes no spaces. Values of the
-- type numeric are texts, because JSON readers round numbers.
create function private.append_entries(log text, kind text, ids bigint[]) returns void
language plpgsql set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  lines text[];
begin
  execute format(
    'select array_agg(row_to_json(line)::text order by line.id) from private.%I as line where line.id = any ($1)',
    'entry_of_' || replace(kind, '-', '_')
  ) into lines using ids;
  perform private.append_to_log(log, kind, ids, lines);
end;
$$;

-- A trigger appends a row to its log, by default the ledger's, in the SQL statement that inserts the row, whichever role
-- runs it. Arguments: the kind of the entry, and the column that is its id.
create function private.log_row() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.append_entries(
    coalesce(to_jsonb(new) ->> 'log', 'ledger'), tg_argv[0], array[(to_jsonb(new) ->> tg_argv[1])::bigint]
  );
  return null;
end;
$$;

-- As log_row, for all rows of a SQL statement. Arguments: the kind, and the columns of which each value has the revisions 0,
-- 1, 2 and so on.
create function private.log_rows() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  has_gap boolean := false;
  ids bigint[];
begin
  perform private.lock_log('ledger');
  if tg_nargs > 1 then
    execute format(
      'select exists (select from added where added.revision > 0 and not exists (
         select from %s as former where former.revision = added.revision - 1 and %s
       ))',
      tg_relid::regclass,
      (select string_agg(format('former.%1$I = added.%1$I', key), ' and ') from unnest(tg_argv[1:]) as key)
    ) into has_gap;
  end if;
  if has_gap then
    raise check_violation using
      message = 'a revision must follow the one before it', constraint = tg_table_name || '_revision_follows',
      table = tg_table_name, schema = tg_table_schema;
  end if;
  select array_agg(id order by id) into ids from added;
  perform private.append_entries('ledger', tg_argv[0], ids);
  return null;
end;
$$;

create view private.entry_of_withdrawal as
select 'withdrawal' as kind, id, private.entry_time(recorded_at) as recorded_at, text_hash, reason
from private.log_withdrawals;
create trigger log_rows after insert on private.log_withdrawals
  for each row execute function private.log_row('withdrawal', 'id');

create view private.entry_of_restore as
select 'restore' as kind, id, private.entry_time(recorded_at) as recorded_at, size::bigint, root, reason
from private.log_restores;
create trigger log_rows after insert on private.log_restores
  for each row execute function private.log_row('restore', 'id');

-- For other files -------------------------------------------------------------------------------------------

-- Stores a text with a new salt. Returns its hash, or null without a text.
create function private.keep_text(log text, words text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  new_salt bytea := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
  new_hash text := encode(sha256(new_salt || convert_to(words, 'UTF8')), 'hex');
begin
  if words is not null then
    insert into private.log_texts (log, hash, salt, text)
    values (keep_text.log, new_hash, new_salt, words);
  end if;
  return new_hash;
end;
$$;

-- The text with this hash; null if it was withdrawn.
create function private.text_of(hash text) returns text
language sql stable set search_path = '' as $$
  select text from private.log_texts where log_texts.hash = text_of.hash
$$;

-- What the job may call -------------------------------------------------------------------------------------

-- Lets one transaction at a time write to a log, so that indexes have no gaps. The lock ends with the transaction.
create function private.lock_log(log text) returns void
language plpgsql set search_path = '' as $$
begin
  perform from private.logs where name = lock_log.log for update;
end;
$$;

-- Archives a signed checkpoint. Returns false if it was archived before. Raises check_violation for a root that the log
-- does not have at this size, and SQLSTATE PT409 for a size that is smaller than the newest and was never archived:
-- another run of the job was faster. PostgREST answers PT409 with the status 409, and repeats a call that ends in 40001
-- without an end.
create function public.archive_checkpoint(log text, size bigint, root text, note text, vkey text) returns boolean
language plpgsql security definer set search_path = '' as $$
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
    raise exception 'a greater checkpoint is archived' using errcode = 'PT409';
  end if;
  insert into private.log_checkpoints (log, size, root, note, vkey)
  values (
    archive_checkpoint.log, archive_checkpoint.size, archive_checkpoint.root, archive_checkpoint.note,
    archive_checkpoint.vkey
  )
  on conflict do nothing;
  return found;
end;
$$;

-- Removes a text with its salt, and appends an entry with the reason. Returns false if the text was withdrawn before.
-- Raises no_data_found if there is no such text.
create function public.withdraw_text(hash text, reason text) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  kept private.log_texts;
begin
  select * into kept from private.log_texts where log_texts.hash = withdraw_text.hash;
  if kept.id is null then
    raise no_data_found using message = 'there is no such text';
  end if;
  perform private.lock_log(kept.log);
  if exists (select from private.log_withdrawals where text_hash = withdraw_text.hash) then
    return false;
  end if;
  insert into private.log_withdrawals (log, text_hash, reason) values (kept.log, kept.hash, withdraw_text.reason);
  update private.log_texts set salt = null, text = null where id = kept.id;
  return true;
end;
$$;

-- Records a signed checkpoint that the log does not contain; of several, keeps the one with the greatest size. Returns
-- false if the log contains the checkpoint, or if an operator has accepted the loss.
create function public.report_rollback(log text, size bigint, root text) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  if public.log_root(log, size) = report_rollback.root or exists (
    select from private.log_restores as accepted
    where accepted.log = report_rollback.log and accepted.size = report_rollback.size and accepted.root = report_rollback.root
  ) then
    return false;
  end if;
  insert into private.log_rollbacks (log, size, root)
  values (report_rollback.log, report_rollback.size, report_rollback.root)
  on conflict on constraint log_rollbacks_pkey do update set size = excluded.size, root = excluded.root
  where log_rollbacks.size < excluded.size;
  return true;
end;
$$;

-- Accepts the rollback that was noticed: an entry of the log states which checkpoint was lost, and why. Also stores
-- which checkpoints were archived before the restore. Returns {size, root} of the lost checkpoint, or null if no
-- rollback was noticed.
create function public.accept_restore(log text, reason text) returns jsonb
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

-- The witnesses that have to be asked now: `witnesses` is [{witness, url}], the result [{witness, size, root, note,
-- known_size, proof}] with the newest checkpoint, the greatest size that the witness has cosigned, and the consistency
-- proof from there. Leaves out a witness that has cosigned the newest checkpoint, one that another run asked in the
-- last 30 seconds, and one whose time to be asked again has not come. Empty if the newest checkpoint has another origin.
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

-- For a size that a witness says it knows: {proof} from there to a checkpoint, where proof is null if that checkpoint
-- is smaller. Null if no checkpoint of that size was archived under this origin.
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

-- Records what a witness answered. `answer` is {state, fault}, or with the state 'well' also the cosignature {size,
-- root, line, cosigned_at}, or without it if another run was first. Raises check_violation for a cosignature of a
-- checkpoint that was not archived. Returns true if the cosignature is new.
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

-- What everyone reads ---------------------------------------------------------------------------------------

create function public.log_size(log text) returns bigint
language sql stable security definer set search_path = '' as $$
  select size::bigint from private.logs where name = log_size.log
$$;

-- Base64 without line breaks, as the specifications require. encode() breaks lines after 76 characters.
create function private.to_base64(octets bytea) returns text
language sql immutable set search_path = '' as $$
  select translate(encode(octets, 'base64'), E'\n', '')
$$;

-- The exponent of the largest power of two that is not greater than `number`, which is at least 1.
create function private.highest_bit(number bigint) returns integer
language plpgsql immutable set search_path = '' as $$
begin
  return char_length(ltrim(number::bit(64)::text, '0')) - 1;
end;
$$;

-- MTH(D[first:last]) of RFC 6962 2.1, for a range into which its definition splits the tree: the roots of the complete
-- subtrees in the range, combined from the right.
create function private.log_range_root(of_log text, first bigint, last bigint) returns bytea
language plpgsql stable set search_path = '' as $$
declare
  subtrees bytea[] := array[]::bytea[];
  exponent integer;
  root bytea;
begin
  if last = first then
    return sha256('');
  end if;
  while first < last loop
    exponent := private.highest_bit(last - first);
    subtrees := subtrees || private.pair_hashes(private.log_hashes(
      of_log, exponent / 8, first >> (exponent / 8 * 8), 1 << (exponent % 8)
    ));
    first := first + (1::bigint << exponent);
  end loop;
  root := subtrees[cardinality(subtrees)];
  for place in reverse cardinality(subtrees) - 1 .. 1 loop
    root := sha256('\x01'::bytea || subtrees[place] || root);
  end loop;
  return root;
end;
$$;

create function private.log_has_size(log text, size bigint) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return size >= 0 and exists (
    select from private.logs where logs.name = log_has_size.log and logs.size >= log_has_size.size
  );
end;
$$;

-- The root at a size, in base64; null if the log is smaller or does not exist.
create function public.log_root(log text, size bigint) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return case when private.log_has_size(log, size) then private.to_base64(private.log_range_root(log, 0, size)) end;
end;
$$;

-- The hashes of a tile, in base64; null if the tile does not have that width yet or a parameter is out of range.
create function public.log_tile(log text, level integer, n bigint, width integer) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  hashes bytea;
begin
  if level not between 0 and 6 or width not between 1 and 256 or n not between 0 and 9007199254740991 / 256 then
    return null;
  end if;
  hashes := private.log_hashes(log, level, n * 256, width);
  return case when octet_length(hashes) = width * 32 then private.to_base64(hashes) end;
end;
$$;

-- An entry bundle (tlog-tiles: each entry after its length in two bytes), in base64; null if the bundle does not have
-- that width yet or a parameter is out of range.
create function public.log_bundle(log text, n bigint, width integer) returns text
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  bundle bytea;
  many bigint;
begin
  if width not between 1 and 256 or n not between 0 and 9007199254740991 / 256 then
    return null;
  end if;
  select
    string_agg(substring(int4send(octet_length(entry)) from 3) || convert_to(entry, 'UTF8'), ''::bytea order by index),
    count(*)
  into bundle, many
  from private.log_entries
  where log_entries.log = log_bundle.log and index >= n * 256 and index < n * 256 + width;
  return case when many = width then private.to_base64(bundle) end;
end;
$$;

-- The proof that an entry is in the log at a size (RFC 6962 2.1.1): {index, size, leaf, entry, path}, hashes in base64;
-- null if the log of that size does not have the entry.
create function public.log_inclusion(log text, index bigint, size bigint) returns jsonb
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  first bigint := 0;
  last bigint := size;
  middle bigint;
  path text[] := array[]::text[];
begin
  if not private.log_has_size(log, size) or index not between 0 and size - 1 then
    return null;
  end if;
  while last - first > 1 loop
    middle := first + (1::bigint << private.highest_bit(last - first - 1));
    if index < middle then
      path := private.to_base64(private.log_range_root(log, middle, last)) || path;
      last := middle;
    else
      path := private.to_base64(private.log_range_root(log, first, middle)) || path;
      first := middle;
    end if;
  end loop;
  return (
    select jsonb_build_object(
      'index', log_inclusion.index, 'size', log_inclusion.size, 'leaf', private.to_base64(leaf), 'entry', entry,
      'path', to_jsonb(path)
    )
    from private.log_entries
    where log_entries.log = log_inclusion.log and log_entries.index = log_inclusion.index
  );
end;
$$;

-- The proof that the log of the second size begins with the log of the first size (RFC 6962 2.1.2): a list of base64
-- hashes, empty if the sizes are equal or the first is 0; null if the log is smaller or the first size is greater.
create function public.log_consistency(log text, first_size bigint, second_size bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  first bigint := 0;
  last bigint := second_size;
  middle bigint;
  complete boolean := true;
  path text[] := array[]::text[];
begin
  if not private.log_has_size(log, second_size) or first_size not between 0 and second_size then
    return null;
  end if;
  if first_size = 0 or first_size = second_size then
    return '[]'::jsonb;
  end if;
  while first_size < last loop
    middle := first + (1::bigint << private.highest_bit(last - first - 1));
    if first_size <= middle then
      path := private.to_base64(private.log_range_root(log, middle, last)) || path;
      last := middle;
    else
      path := private.to_base64(private.log_range_root(log, first, middle)) || path;
      first := middle;
      complete := false;
    end if;
  end loop;
  if not complete then
    path := private.to_base64(private.log_range_root(log, first, last)) || path;
  end if;
  return to_jsonb(path);
end;
$$;

-- By the kind and the id of the row of which an entry is.
create view private.ledger_entries as
select kind, row_id, index, entry, leaf from private.log_entries where log = 'ledger';

-- Published views run with their owner's rights on purpose (Supabase's linter notes it): a visitor has no privilege on
-- the tables, and a view limits a visitor to its rows and columns.
create view public.published_entries with (security_invoker = false) as
select log, index, kind, row_id, entry, encode(leaf, 'hex') as leaf from private.log_entries;
comment on view public.published_entries is 'Every entry of every log. Read it by log and index.';

-- An archived note does not change; the published note has the lines of the witnesses (C2SP tlog-cosignature) after its
-- own.
create view public.published_checkpoints with (security_invoker = false) as
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

-- The newest checkpoint is the one with the greatest size since the last accepted restore. The id does not show it: two
-- runs of the job may overlap, and a note of an older size may be archived again with further signature lines.
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
    select * from public.published_checkpoints as checkpoints
    where checkpoints.log = logs.name and checkpoints.id > coalesce(restored.id, 0)
    order by checkpoints.size desc, checkpoints.id desc limit 1
  )
  union all
  -- No checkpoint was signed since the restore.
  (
    select * from public.published_checkpoints as checkpoints
    where checkpoints.log = logs.name and checkpoints.size <= logs.size
    order by checkpoints.size desc, checkpoints.id desc limit 1
  )
  limit 1
) as newest on true;
comment on view public.newest_checkpoints is
  'The newest checkpoint of each log: the greatest since the last accepted restore, and of several notes of that size the one that was archived last.';

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

-- Grants ----------------------------------------------------------------------------------------------------

grant select on
  public.published_entries, public.published_checkpoints, public.newest_checkpoints,
  public.published_cosignatures, public.witness_states, public.former_log_names
  to anon, authenticated, service_role;
grant execute on function
  public.archive_checkpoint, public.withdraw_text, public.report_rollback, public.accept_restore,
  public.claim_witnesses, public.witness_proof, public.record_witness
  to service_role;
grant execute on function
  public.log_size, public.log_root, public.log_tile, public.log_bundle, public.log_inclusion,
  public.log_consistency
  to anon, authenticated, service_role;
