-- Operators: the members who publish for the project. Everything that an operator publishes is an act: first a draft,
-- then done, or waiting until another operator confirms it. An act that is done is an entry of the log, written in the
-- transaction of its effect, so everyone can read who did what.

set check_function_bodies = off;

-- Tables ----------------------------------------------------------------------------------------------------

-- The functions for operators raise an exception whose message is a short code ('own_act') and whose detail is a JSON
-- object. app/acts/act-faults.ts has the sentences.
create table public.operators (
  handle text primary key
    constraint operators_handle_format check (handle ~ '^[a-z][a-z0-9-]{2,29}$'),
  member uuid references auth.users (id) on delete set null,
  since private.moment not null default now(),
  until private.moment,
  constraint operators_active_has_member check (until is not null or member is not null)
);

-- The member who is this operator; null for every other member.
alter table public.profiles
  add column operator_handle text references public.operators (handle)
    constraint profiles_operator_handle_unique unique;
comment on table public.operators is
  'Members who act for the project. A handle is public and never used again; the member behind it is not public.';
comment on column public.profiles.operator_handle is
  'The handle of a member who is an operator now. A trigger of public.operators sets it; members can only read it.';
create unique index operators_active on public.operators (member) where until is null;

-- The file of each domain adds its kinds, so a new kind changes no function.
create table private.act_kinds (
  kind text primary key,
  people integer not null
    constraint act_kinds_people_range check (people in (1, 2)),
  subject text not null
    constraint act_kinds_subject_known check (subject in ('none', 'either', 'required')),
  least_reason integer not null default 0,
  performer text not null,
  revision_of text,
  fields text[] not null default '{}',
  field_of jsonb not null default '{}',
  two_with text,
  with_key_only boolean not null default false,
  constraint act_kinds_revision_of_subject check ((subject = 'none') = (revision_of is null))
);
comment on table private.act_kinds is 'The kinds of acts. app/console/act-kinds.ts has the same, with their words.';
comment on column private.act_kinds.people is
  'Two for what changes every total, removes a text for ever, moves money, gives power to someone, or cannot be undone after money followed.';
comment on column private.act_kinds.subject is 'none: the act makes it. either: the act makes it or changes it.';
comment on column private.act_kinds.performer is
  'The function that checks every value, since an operator may call the API without the site, and performs the act. It returns {subject, made_kind, made_id}.';
comment on column private.act_kinds.revision_of is
  'The function that returns the revision of the subject: 0 if it has no revisions, null if it does not exist.';
comment on column private.act_kinds.two_with is 'The field that makes an act of one person one of two, if it has a value.';
comment on column private.act_kinds.field_of is 'The fields that broke a constraint of a table, by its name.';

insert into private.act_kinds (kind, people, subject, least_reason, performer, revision_of, fields) values
  ('purpose', 1, 'required', 0, 'perform_purpose', 'payment_revision', '{type,pool,note,proof}'),
  ('value', 2, 'required', 0, 'perform_value', 'payment_revision', '{rate,rate_source}'),
  ('reading', 1, 'required', 0, 'perform_reading', 'payment_revision',
    '{occurred_at,token_amount,token_symbol,token_decimals,token_address,from_address,to_address}'),
  ('name', 2, 'either', 0, 'perform_name', 'name_revision', '{address,name}'),
  ('withdrawal', 2, 'required', 10, 'perform_withdrawal', 'text_revision', '{}'),
  ('operator', 2, 'none', 0, 'perform_operator', null, '{email,handle}'),
  ('operator-end', 1, 'required', 10, 'perform_operator_end', 'operator_revision', '{}'),
  ('introduction', 1, 'none', 0, 'perform_introduction', null, '{name,role,keys,link}'),
  ('schedule-move', 2, 'none', 10, 'perform_schedule_move', null, '{site}');

update private.act_kinds set with_key_only = true where kind = 'reading';
update private.act_kinds set field_of = '{
  "transactions_direction_of_type": "type", "transactions_account_of_type": "type",
  "transactions_counter_account_of_type": "type", "transactions_type_known": "type", "transactions_pool_of_account": "pool"
}' where kind = 'purpose';
update private.act_kinds set field_of = '{
  "wallet_names_of_others": "address", "wallet_names_name": "name", "wallet_names_unique": "name",
  "wallet_names_letters": "name"
}' where kind = 'name';

create table public.operator_acts (
  id uuid primary key default gen_random_uuid(),
  kind text not null references private.act_kinds (kind),
  subject text
    constraint operator_acts_subject_length check (char_length(subject) between 1 and 2000),
  arguments jsonb not null default '{}'
    constraint operator_acts_arguments_object check (jsonb_typeof(arguments) = 'object')
    constraint operator_acts_arguments_size check (octet_length(arguments::text) <= 32000),
  reason text
    constraint operator_acts_reason_size check (octet_length(reason) <= 32000),
  version private.revision,
  state text not null default 'draft'
    constraint operator_acts_state_known check (state in ('draft', 'waiting', 'done', 'dropped')),
  by text references public.operators (handle),
  second text references public.operators (handle),
  created_at private.moment not null default now(),
  saved_at private.moment not null default now(),
  submitted_at private.moment,
  final_at private.moment,
  number private.safe_integer unique,
  made_kind text,
  made_id private.safe_integer,
  -- The reason of a return or a rejection is not in private.log_texts: its text is not published.
  reason_hash text
    constraint operator_acts_reason_hash_format check (reason_hash ~ '^[0-9a-f]{64}$'),
  constraint operator_acts_by_operator check (by is not null or state = 'done'),
  constraint operator_acts_second_is_another check (second <> by),
  constraint operator_acts_final check ((final_at is not null) = (state in ('done', 'dropped'))),
  constraint operator_acts_final_keeps_no_text check (final_at is null or (arguments = '{}' and reason is null)),
  constraint operator_acts_done_has_entry check ((number is not null) = (state = 'done')),
  constraint operator_acts_made_whole check ((made_kind is null) = (made_id is null)),
  constraint operator_acts_made_once unique (made_kind, made_id)
);
comment on table public.operator_acts is
  'What operators prepare, propose and did. An act that is final keeps no text: the entry that it made has it, where it can be withdrawn.';
comment on column public.operator_acts.version is 'The revision of the subject that the operator saw; null for a new subject.';
comment on column public.operator_acts.number is 'Its id in the log: 1, 2, 3 and so on, in the order in which acts were done.';
comment on column public.operator_acts.by is 'The handle of who did or proposed it; null for the command line.';
create index operator_acts_of_operator on public.operator_acts (by, state);
create index operator_acts_waiting on public.operator_acts (submitted_at) where state = 'waiting';
create index operator_acts_final on public.operator_acts (final_at desc) where final_at is not null;
create index operator_acts_of_kind on public.operator_acts (kind, number) where number is not null;
create index operator_acts_about on public.operator_acts (subject, number) where number is not null;

-- The handle of the calling operator; null for everyone else, and in a session that has ended or lacks the second factor.
-- An operator whose last second factor was removed is refused from the next call on, although the token still says aal2.
create function private.operator_handle() returns text
language sql stable security definer set search_path = '' as $$
  select handle from public.operators
  where member = auth.uid() and until is null and coalesce(auth.jwt() ->> 'aal', '') = 'aal2'
    and private.has_session()
    and exists (select from auth.mfa_factors where user_id = auth.uid() and status = 'verified');
$$;

create function private.is_operator() returns boolean
language sql stable security definer set search_path = '' as $$
  select private.operator_handle() is not null;
$$;

create policy "Operators read acts, and drafts of their own" on public.operator_acts
  for select to authenticated using (
    (select private.is_operator()) and (state <> 'draft' or by = (select private.operator_handle()))
  );

-- The job writes one row in each run, so this table is no part of the log, and takes no lock of it.
create table private.last_runs (
  which text primary key
    constraint last_runs_which_known check (which in ('last', 'trouble')),
  ran_at private.moment not null,
  report jsonb not null
    constraint last_runs_report_object check (jsonb_typeof(report) = 'object')
    constraint last_runs_report_size check (octet_length(report::text) <= 8192)
);
comment on table private.last_runs is 'The last run of the ledger job, and the last one with trouble.';

create table private.schedule_leases (
  is_only boolean primary key default true
    constraint schedule_leases_one check (is_only),
  site text not null
    constraint schedule_leases_site_length check (char_length(site) between 1 and 500),
  holder text not null
    constraint schedule_leases_holder_length check (char_length(holder) between 1 and 500),
  until private.moment not null,
  refused jsonb
);
comment on table private.schedule_leases is 'Whose turn it is to run the schedule: one row.';
comment on column private.schedule_leases.site is 'The SITE_URL for which it runs.';
comment on column private.schedule_leases.holder is 'The program that runs it.';
comment on column private.schedule_leases.refused is 'The last other site or program that was refused, why, and when.';

-- What an operator still has to do is found by these indexes.
create index transactions_without_purpose on public.transactions (id)
  where type = 'spending' and note_hash is null;
create index transactions_of_type_other on public.transactions (id)
  where type = 'other' and direction = 'out' and account in ('treasury', 'donation-wallet') and note_hash is null;
create index transactions_recipients on public.transactions (to_address)
  where type = 'spending' and counter_account is null;

-- Triggers --------------------------------------------------------------------------------------------------

call private.refuse('delete or truncate', 'public.operators', 'public.operator_acts');

-- An operator can end, and the deletion of the account removes the member. All other columns keep their value.
create function private.keep_operator() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.member is null then
    new.until := coalesce(old.until, now());
  end if;
  if new.handle <> old.handle or new.since <> old.since
    or (new.member is distinct from old.member and new.member is not null)
    or (old.until is not null and new.until is distinct from old.until) then
    raise exception '% is append-only: end the operator instead', tg_table_name;
  end if;
  return new;
end;
$$;
create trigger keep_operator before update on public.operators
  for each row execute function private.keep_operator();

-- The profile names the handle while the operator is active. The drafts of an operator end with the operator.
create function private.follow_operator() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.until is null then
    update public.profiles set operator_handle = new.handle where id = new.member;
  else
    update public.profiles set operator_handle = null where operator_handle = new.handle;
    update public.operator_acts set state = 'dropped', arguments = '{}', reason = null, final_at = now()
    where operator_acts.by = new.handle and state = 'draft';
  end if;
  return null;
end;
$$;
create trigger follow_operator after insert or update on public.operators
  for each row execute function private.follow_operator();

create function private.keep_act() returns trigger
language plpgsql set search_path = '' as $$
begin
  if old.final_at is not null or new.id <> old.id or new.kind <> old.kind or new."by" <> old."by"
    or (old.state = 'waiting' and new.state = 'draft') then
    raise exception '% is append-only once an act is final', tg_table_name;
  end if;
  return new;
end;
$$;
create trigger keep_act before update on public.operator_acts
  for each row execute function private.keep_act();

-- Each act that is done is an entry, directly after the entry that it made.
create view private.entry_of_act as
select
  'act' as kind, number::bigint as id, private.entry_time(final_at) as recorded_at, acts.kind as act, subject, "by", second,
  (select row_to_json(made) from (select made_kind as kind, made_id::bigint as id) as made where made.kind is not null) as made,
  reason_hash
from public.operator_acts as acts;
create trigger log_rows after insert or update on public.operator_acts
  for each row when (new.state = 'done') execute function private.log_row('act', 'number');

-- What operators may call -----------------------------------------------------------------------------------

create function private.refuse_act(code text, detail jsonb default null) returns void
language plpgsql set search_path = '' as $$
begin
  raise exception using message = code, detail = coalesce(detail, '{}')::text;
end;
$$;

-- Whether the calling member has shown a second factor within this time; for a member without a factor, whether the
-- member has signed in within it. The times are in the token's `amr` claim, which the auth service writes.
create function private.proven_within(seconds integer) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(max((entry ->> 'timestamp')::numeric) >= extract(epoch from now()) - seconds, false)
  from jsonb_array_elements(coalesce(auth.jwt() -> 'amr', '[]')) as entry
  where entry ->> 'method' in ('totp', 'mfa/phone', 'mfa/webauthn') or not exists (
    select from auth.mfa_factors where user_id = auth.uid() and status = 'verified'
  );
$$;

-- The handle of the caller, who holds the log's lock afterwards. The lock is taken only by operators, and an operator
-- may have ended while the caller waited for it.
create function private.begin_act(needs_factor boolean) returns text
language plpgsql security definer set search_path = '' as $$
declare
  handle text;
begin
  if not private.is_operator() then
    perform private.refuse_act('not_operator');
  elsif needs_factor and not (private.proven_within(600) and exists (
    select from auth.mfa_factors where user_id = auth.uid() and status = 'verified'
  )) then
    perform private.refuse_act('factor_needed');
  end if;
  perform private.lock_log('ledger');
  handle := private.operator_handle();
  if handle is null then
    perform private.refuse_act('not_operator');
  end if;
  return handle;
end;
$$;

-- The act with this id, if the caller may see it. Raises 'already_done' if it is in no state of `states`.
create function private.open_act(id uuid, caller text, states text[]) returns public.operator_acts
language plpgsql security definer set search_path = '' as $$
declare
  found_act public.operator_acts;
begin
  select * into found_act from public.operator_acts where operator_acts.id = open_act.id for update;
  if found_act.id is null or (found_act.state = 'draft' and (found_act."by" <> caller or states = '{waiting}')) then
    perform private.refuse_act('not_found');
  elsif found_act.state <> all (states) then
    perform private.refuse_act('already_done', jsonb_build_object(
      'state', found_act.state, 'by', found_act."by", 'second', found_act.second,
      'at', coalesce(found_act.final_at, found_act.submitted_at)
    ));
  end if;
  return found_act;
end;
$$;

-- The revision of the subject of an act; null without the subject.
create function private.version_of(kind text, subject text) returns integer
language plpgsql stable security definer set search_path = '' as $$
declare
  source constant text := (select revision_of from private.act_kinds where act_kinds.kind = version_of.kind);
  version integer;
begin
  if source is not null then
    execute format('select private.%I($1)', source) into version using subject;
  end if;
  return version;
end;
$$;

-- Stores what an operator typed, valid or not. Without `act`, or with an id that no act has, it begins a draft: a form
-- that is sent twice begins one. Otherwise kind, subject and version of the draft stay. `version`: the revision of the
-- subject from which the form was filled.
create function public.save_act(
  act uuid, kind text, subject text, arguments jsonb, reason text, version integer default null
) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  caller constant text := private.begin_act(false);
  current_version constant integer := private.version_of(save_act.kind, save_act.subject);
  known private.act_kinds;
  draft public.operator_acts;
begin
  if octet_length(save_act.arguments::text) > 32000 or octet_length(save_act.reason) > 32000 then
    perform private.refuse_act('too_large');
  elsif jsonb_typeof(save_act.arguments) is distinct from 'object' then
    perform private.refuse_act('refused', jsonb_build_object('why', 'arguments must be an object'));
  end if;
  if exists (select from public.operator_acts where id = save_act.act) then
    draft := private.open_act(save_act.act, caller, '{draft}');
    update public.operator_acts set
      arguments = save_act.arguments, reason = nullif(save_act.reason, ''), saved_at = now()
    where id = draft.id;
    return jsonb_build_object('id', draft.id, 'state', 'draft', 'version', draft.version);
  end if;
  select * into known from private.act_kinds where act_kinds.kind = save_act.kind;
  if known.kind is null or known.with_key_only or (case
    when known.subject = 'none' then save_act.subject is not null
    else current_version is null and (known.subject = 'required' or save_act.subject is not null)
  end) then
    perform private.refuse_act('not_found');
  elsif (select count(*) from public.operator_acts as acts where acts.by = caller and acts.state = 'draft') >= 50 then
    perform private.refuse_act('too_many');
  end if;
  insert into public.operator_acts (id, kind, subject, arguments, reason, version, by)
  values (
    coalesce(save_act.act, gen_random_uuid()), save_act.kind, save_act.subject, save_act.arguments, nullif(save_act.reason, ''),
    case when current_version is not null then least(greatest(coalesce(save_act.version, current_version), 0), 10000) end,
    caller
  )
  returning * into draft;
  return jsonb_build_object('id', draft.id, 'state', 'draft', 'version', draft.version);
end;
$$;

-- Marks an act as done, which appends its entry. Returns what the callers return.
create function private.finish_act(act public.operator_acts, made jsonb, confirmer text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  next_number constant bigint := 1 + coalesce((select max(number) from public.operator_acts), 0);
begin
  insert into public.operator_acts as acts (
    id, kind, subject, version, state, by, second, created_at, saved_at, submitted_at, final_at, number, made_kind,
    made_id, reason_hash
  )
  values (
    act.id, act.kind, made ->> 'subject', act.version, 'done', act."by", confirmer, act.created_at, act.saved_at,
    coalesce(act.submitted_at, now()), now(), next_number, made ->> 'made_kind', (made ->> 'made_id')::bigint,
    made ->> 'reason_hash'
  )
  on conflict (id) do update set
    subject = excluded.subject, arguments = '{}', reason = null, state = excluded.state, second = excluded.second,
    submitted_at = excluded.submitted_at, final_at = excluded.final_at, number = excluded.number,
    made_kind = excluded.made_kind, made_id = excluded.made_id, reason_hash = excluded.reason_hash;
  return jsonb_build_object(
    'state', 'done', 'number', next_number, 'subject', made -> 'subject', 'made_kind', made -> 'made_kind',
    'made_id', made -> 'made_id'
  );
end;
$$;

create function private.refuse_field(field text, why text) returns void
language plpgsql set search_path = '' as $$
begin
  perform private.refuse_act('invalid_field', jsonb_build_object('field', field, 'why', why));
end;
$$;

-- A text as the site stores it: its length within the limits, without spaces around it, and without control and
-- direction characters. With `many_lines` it may have line ends and the joiners of emoji and scripts.
create function private.check_words(
  field text, words text, shortest integer, longest integer, many_lines boolean default false
) returns void
language plpgsql set search_path = '' as $$
begin
  if words is null or words = '' then
    if shortest > 0 then
      perform private.refuse_field(field, 'missing');
    end if;
    return;
  end if;
  if char_length(words) not between shortest and longest then
    perform private.refuse_field(field, 'length');
  elsif words <> btrim(words, E' \n') then
    perform private.refuse_field(field, 'spaces');
  elsif words ~ (case when many_lines
    then '[\u0001-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]'
    else '[\u0001-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]' end) then
    perform private.refuse_field(field, 'characters');
  end if;
end;
$$;

create function private.check_pattern(field text, words text, pattern text) returns void
language plpgsql set search_path = '' as $$
begin
  if words !~ pattern then
    perform private.refuse_field(field, 'format');
  end if;
end;
$$;

create function private.check_link(field text, link text) returns void
language plpgsql set search_path = '' as $$
begin
  perform private.check_words(field, link, 0, 2000);
  perform private.check_pattern(field, link, '^https://[\u0021-\u007e]+$');
  if not private.names_its_host(link) then
    perform private.refuse_field(field, 'format');
  end if;
end;
$$;

create function private.time_of(field text, words text) returns timestamptz
language plpgsql set search_path = '' set timezone = 'UTC' as $$
declare
  at timestamptz;
begin
  if words is null then
    return null;
  end if;
  perform private.check_pattern(field, words, '^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$');
  begin
    at := words::timestamptz;
  exception when datetime_field_overflow or invalid_datetime_format then
    perform private.refuse_field(field, 'format');
  end;
  if at < '2015-01-01T00:00:00Z' then
    perform private.refuse_field(field, 'past');
  elsif at > now() + interval '1 day' then
    perform private.refuse_field(field, 'future');
  end if;
  return at;
end;
$$;

-- Whether two handles are of the same member. The member of a deleted account is unknown.
create function private.is_same_person(one text, other text) returns boolean
language sql stable set search_path = '' as $$
  select one = other or exists (
    select from public.operators as first
    join public.operators as second on second.member = first.member
    where first.handle = one and second.handle = other
  )
$$;

-- The latest revision of the payment that a subject names: '56/0x…/0', its chain, transaction and ordinal.
create function private.payment_of(subject text) returns public.transactions
language sql stable security definer set search_path = '' as $$
  select * from public.transactions
  where tx_hash = split_part(subject, '/', 2) and chain_id::text = split_part(subject, '/', 1)
    and ordinal::text = split_part(subject, '/', 3)
  order by revision desc limit 1
$$;

-- A new revision of a payment: its latest revision with `changes`, in the form of append_ledger.
create function private.revise_payment(subject text, changes jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  former constant public.transactions := private.payment_of(subject);
  made bigint;
begin
  perform public.append_ledger(jsonb_build_array(
    to_jsonb(former) - '{id,recorded_at,proof_hash,note_hash}'::text[]
    || jsonb_build_object(
      'amount_usd', former.amount_usd::text, 'rate_usd', former.rate_usd::text,
      'token_amount', former.token_amount::text, 'proof_url', private.text_of(former.proof_hash),
      'note', private.text_of(former.note_hash)
    ) || changes || jsonb_build_object('revision', former.revision + 1)
  ));
  select id into strict made from public.transactions
  where tx_hash = former.tx_hash and chain_id = former.chain_id and ordinal = former.ordinal
    and revision = former.revision + 1;
  return jsonb_build_object('subject', subject, 'made_kind', 'transaction', 'made_id', made);
end;
$$;

create function private.payment_revision(subject text) returns integer
language sql stable set search_path = '' as $$
  select (private.payment_of(subject)).revision
$$;

create function private.name_revision(address text) returns integer
language sql stable set search_path = '' as $$
  select max(revision) from public.wallet_names where wallet_names.address = name_revision.address
$$;

create function private.text_revision(hash text) returns integer
language sql stable set search_path = '' as $$
  select 0 from private.log_texts where log_texts.hash = text_revision.hash and log = 'ledger'
$$;

create function private.operator_revision(handle text) returns integer
language sql stable set search_path = '' as $$
  select 0 from public.operators where operators.handle = operator_revision.handle
$$;

create function private.perform_purpose(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  given constant jsonb := act.arguments;
  former constant public.transactions := private.payment_of(act.subject);
  type constant text := given ->> 'type';
  pool text := given ->> 'pool';
begin
  perform private.check_words('type', type, 1, 20);
  perform private.check_words('note', given ->> 'note', 0, 2000, true);
  perform private.check_link('proof', given ->> 'proof');
  -- The wallets decide the pool, except of a donation to a wallet that is not ours.
  if type <> 'donation' or former.counter_account is not null then
    select slug into pool from private.accounts
    where slug in (former.account, former.counter_account) and is_pool
    order by slug = former.account desc limit 1;
    if given ->> 'pool' <> coalesce(pool, '') then
      perform private.refuse_field('pool', 'fixed');
    end if;
  elsif pool is not null and not exists (select from private.accounts where slug = pool and is_pool) then
    perform private.refuse_field('pool', 'unknown');
  end if;
  return private.revise_payment(act.subject, jsonb_build_object(
    'type', type, 'pool_slug', pool, 'note', given ->> 'note', 'proof_url', given ->> 'proof'
  ));
end;
$$;

-- Dollars, rounded half up to the cent, as valueAt of app/ledger/job/valuation.ts.
create function private.perform_value(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  former constant public.transactions := private.payment_of(act.subject);
  rate constant text := act.arguments ->> 'rate';
  dollars numeric;
begin
  perform private.check_words('rate', rate, 1, 40);
  perform private.check_pattern('rate', rate, '^\d{1,15}(\.\d{1,18})?$');
  perform private.check_words('rate_source', act.arguments ->> 'rate_source', 1, 200);
  if former.token_amount is null or former.token_decimals is null then
    perform private.refuse_act('refused', jsonb_build_object('why', 'this payment has no amount of a token'));
  end if;
  dollars := round(former.token_amount * rate::numeric * ('1e-' || former.token_decimals)::numeric, 2);
  if rate::numeric = 0 or dollars > 9999999999.99 then
    perform private.refuse_field('rate', 'range');
  end if;
  return private.revise_payment(act.subject, jsonb_build_object(
    'amount_usd', dollars::text, 'rate_usd', rate, 'rate_source', act.arguments ->> 'rate_source'
  ));
end;
$$;

-- What the chain says about a payment, where that changed, for example its time after a reorganisation. For the command
-- line only, which reads the chain.
create function private.perform_reading(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  facts constant text[] := (select fields from private.act_kinds where kind = 'reading');
begin
  if not act.arguments ?& facts or act.arguments - facts <> '{}' then
    perform private.refuse_act('refused', jsonb_build_object('why', 'a reading has all facts of the chain, and no others'));
  end if;
  return private.revise_payment(act.subject, act.arguments);
end;
$$;

create function private.perform_name(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  wallet constant text := act.arguments ->> 'address';
  words constant text := act.arguments ->> 'name';
  made jsonb;
begin
  perform private.check_words('address', wallet, 1, 100);
  perform private.check_pattern('address', wallet, '^0x[0-9a-f]{40}$');
  if wallet <> act.subject then
    perform private.refuse_field('address', 'fixed');
  elsif act.subject is null and private.name_revision(wallet) is not null then
    perform private.refuse_act('exists', jsonb_build_object('field', 'address'));
  end if;
  perform private.check_words('name', words, 1, 60);
  if exists (select from private.accounts where private.name_skeleton(slug) = private.name_skeleton(words)) then
    perform private.refuse_field('name', 'ours');
  end if;
  made := public.append_name(jsonb_build_object(
    'address', wallet, 'name', words, 'revision', coalesce(act.version + 1, 0)
  ));
  return jsonb_build_object('subject', wallet, 'made_kind', 'name', 'made_id', made -> 'id');
end;
$$;

create function private.perform_withdrawal(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  made bigint;
begin
  if not public.withdraw_text(act.subject, act.reason) then
    perform private.refuse_act('changed');
  end if;
  select id into strict made from private.log_withdrawals where text_hash = act.subject;
  return jsonb_build_object('subject', act.subject, 'made_kind', 'withdrawal', 'made_id', made, 'reason_hash', null);
end;
$$;

-- Whether a member has used a mail to the account's address: to confirm it, or to sign in. A project that does not confirm
-- addresses marks each one as confirmed.
create function private.has_shown_address(of_member uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from auth.users
    where id = of_member and email_confirmed_at is not null
      and (confirmation_sent_at <= email_confirmed_at or invited_at <= email_confirmed_at)
  ) or exists (
    select from auth.sessions
    join auth.mfa_amr_claims as claims on claims.session_id = sessions.id
    where sessions.user_id = of_member
      and claims.authentication_method in ('otp', 'magiclink', 'recovery', 'invite', 'email/signup')
  )
$$;

-- Operators appoint only a member who has shown the address. The command line needs no proof.
create function private.perform_operator(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  email constant text := act.arguments ->> 'email';
  new_handle constant text := act.arguments ->> 'handle';
  found_member constant uuid := public.find_member(email);
begin
  perform private.check_words('email', email, 1, 320);
  perform private.check_words('handle', new_handle, 1, 30);
  perform private.check_pattern('handle', new_handle, '^[a-z][a-z0-9-]{2,29}$');
  if found_member is null then
    perform private.refuse_act('no_account', jsonb_build_object('field', 'email'));
  elsif not exists (select from auth.mfa_factors where user_id = found_member and status = 'verified') then
    perform private.refuse_act('no_factor', jsonb_build_object('field', 'email'));
  elsif exists (select from public.operators where member = found_member and until is null) then
    perform private.refuse_act('already_operator', jsonb_build_object('field', 'email'));
  elsif exists (select from public.operators where handle = new_handle) then
    perform private.refuse_act('exists', jsonb_build_object('field', 'handle'));
  elsif act."by" is not null and not private.has_shown_address(found_member) then
    perform private.refuse_act('unconfirmed', jsonb_build_object('field', 'email'));
  end if;
  insert into public.operators (handle, member) values (new_handle, found_member);
  return jsonb_build_object('subject', new_handle);
end;
$$;

-- The end of an operator drops the drafts of the operator (private.follow_operator). An operator who ends themselves
-- does so by a draft of their own, which must stay to become the act.
create function private.perform_operator_end(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  update public.operator_acts set state = 'waiting' where id = act.id and state = 'draft';
  update public.operators set until = now() where handle = act.subject and until is null;
  if not found then
    perform private.refuse_act('changed');
  end if;
  return jsonb_build_object('subject', act.subject);
end;
$$;

-- An operator's introduction: name, role, whether they hold a key of a wallet, and optionally a link, one a line. The text is
-- the act's reason, so the log has its hash, and it can be withdrawn.
create function private.perform_introduction(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  name constant text := act.arguments ->> 'name';
  role constant text := act.arguments ->> 'role';
  keys constant text := act.arguments ->> 'keys';
  link constant text := nullif(act.arguments ->> 'link', '');
begin
  perform private.check_words('name', name, 2, 60);
  if not private.has_one_alphabet(name) then
    perform private.refuse_field('name', 'wallet_names_letters');
  elsif exists (select from private.accounts where private.name_skeleton(slug) = private.name_skeleton(name)) then
    perform private.refuse_field('name', 'ours');
  end if;
  perform private.check_words('role', role, 2, 100);
  perform private.check_words('keys', keys, 1, 10);
  perform private.check_pattern('keys', keys, '^(holds|none)$');
  perform private.check_link('link', link);
  return jsonb_build_object('subject', act."by", 'reason_hash', private.keep_text('ledger', concat_ws(E'\n',
    name, role, case keys when 'holds' then 'Holds a key of our wallets.' else 'Holds no key of our wallets.' end, link
  )));
end;
$$;

-- Checks an act, performs it with the function of its kind, and returns {subject, made_kind, made_id, reason_hash}. The
-- caller holds the log's lock, and writes the act as done in the same transaction.
create function private.perform(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  current_version constant integer := private.version_of(act.kind, act.subject);
  known private.act_kinds;
  field text;
  made jsonb;
  broken text;
  why text;
begin
  select * into strict known from private.act_kinds where act_kinds.kind = act.kind;
  select key into field from jsonb_each(act.arguments)
  where key <> all (known.fields) or jsonb_typeof(value) not in ('string', 'null') limit 1;
  if field is not null and not known.with_key_only then
    perform private.refuse_field(field, 'unknown');
  end if;
  perform private.check_words('reason', act.reason, known.least_reason, 500, true);
  if known.subject <> 'none' and current_version is null and (known.subject = 'required' or act.subject is not null) then
    perform private.refuse_act('not_found');
  elsif act.version is distinct from current_version then
    perform private.refuse_act('changed');
  end if;

  begin
    execute format('select private.%I($1)', known.performer) into made using act;
  exception when integrity_constraint_violation or data_exception then
    get stacked diagnostics broken = constraint_name, why = message_text;
    if known.field_of ? broken then
      perform private.refuse_field(known.field_of ->> broken, broken);
    end if;
    perform private.refuse_act('refused', jsonb_build_object('why', why));
  end;

  return jsonb_build_object(
    'reason_hash', case when act.reason is not null and not made ? 'reason_hash'
      then private.keep_text('ledger', act.reason) end
  ) || made;
end;
$$;

-- Who an open act would appoint: {name, created_at, confirmed}; null for other members and other acts.
create function public.read_appointee(act uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'name', profiles.username, 'created_at', users.created_at, 'confirmed', private.has_shown_address(users.id)
  )
  from public.operator_acts as acts
  join auth.users on lower(users.email) = lower(acts.arguments ->> 'email')
  join public.profiles on profiles.id = users.id
  where acts.id = read_appointee.act and acts.kind = 'operator' and private.is_operator()
    and (acts.state = 'waiting' or (acts.state = 'draft' and acts."by" = private.operator_handle()))
$$;

-- Does an act of one person, or proposes an act of two. The caller must have shown the second factor within ten
-- minutes. The end of the last other operator waits: then the caller alone would decide about everything.
create function public.submit_act(act uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  caller constant text := private.begin_act(true);
  draft constant public.operator_acts := private.open_act(act, caller, '{draft}');
begin
  if exists (
    select from private.act_kinds where kind = draft.kind and people = 1 and nullif(draft.arguments ->> two_with, '') is null
  ) and (
    draft.kind <> 'operator-end' or draft.subject = caller
    or (select count(*) from public.operators where until is null and handle <> draft.subject) >= 2
  ) then
    return private.finish_act(draft, private.perform(draft), null);
  end if;
  if not exists (select from public.operators where until is null and handle <> caller) then
    perform private.refuse_act('no_second');
  elsif (select count(*) from public.operator_acts as acts where acts.by = caller and acts.state = 'waiting') >= 50 then
    perform private.refuse_act('too_many');
  end if;
  -- It is performed and undone, so an act that cannot be done does not wait.
  begin
    perform private.perform(draft);
    raise exception using errcode = 'UNDO1';
  exception when sqlstate 'UNDO1' then
    null;
  end;
  update public.operator_acts set state = 'waiting', submitted_at = now() where id = draft.id;
  return jsonb_build_object('state', 'waiting', 'subject', draft.subject);
end;
$$;

-- Does an act that another operator proposed. The caller must have shown the second factor within ten minutes. An end
-- that waits is confirmed by the other operator, or after an hour by the operator who proposed it.
create function public.confirm_act(act uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  caller constant text := private.begin_act(true);
  proposed constant public.operator_acts := private.open_act(act, caller, '{waiting}');
begin
  if private.is_same_person(proposed."by", caller) then
    if proposed.kind = 'operator-end' and proposed.submitted_at < now() - interval '1 hour' then
      return private.finish_act(proposed, private.perform(proposed), null);
    end if;
    perform private.refuse_act('own_act');
  elsif not exists (select from public.operators where handle = proposed."by" and until is null) then
    perform private.refuse_act('proposer_ended');
  end if;
  return private.finish_act(proposed, private.perform(proposed), caller);
end;
$$;

-- Ends a draft of the caller, an act that the caller proposed, or one whose operator has ended.
create function public.drop_act(act uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  caller constant text := private.begin_act(false);
  dropped constant public.operator_acts := private.open_act(act, caller, '{draft,waiting}');
begin
  if not private.is_same_person(dropped."by", caller)
    and exists (select from public.operators where handle = dropped."by" and until is null) then
    perform private.refuse_act('not_yours');
  end if;
  update public.operator_acts set state = 'dropped', arguments = '{}', reason = null, final_at = now()
  where id = dropped.id;
  return jsonb_build_object('state', 'dropped');
end;
$$;

-- Who the calling operator is; null for other members.
create function public.my_operator() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'handle', mine.handle, 'assured', private.is_operator(),
    'proven', private.is_operator() and private.proven_within(600),
    'others', (select count(*) from public.operators where until is null and handle <> mine.handle)
  )
  from public.operators as mine where mine.member = auth.uid() and mine.until is null
$$;

create function private.operator_health() returns jsonb
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set jit = off as $$
begin
  return jsonb_build_object(
    'status', (select to_jsonb(status) from public.ledger_status as status),
    'differing', (
      select coalesce(jsonb_agg(to_jsonb(differing)), '[]')
      from (
        select * from public.published_reconciliations where difference is distinct from '0' limit 20
      ) as differing
    ),
    'anchor', (select to_jsonb(anchors) from public.published_anchors as anchors order by anchors.id desc limit 1),
    'statuses', (
      select coalesce(jsonb_object_agg(status, rows), '{}')
      from (select status, sum(row_count) as rows from private.sums_by_month group by status) as counted
    ),
    'job', (
      select coalesce(jsonb_object_agg(which, jsonb_build_object('ran_at', ran_at, 'report', report)), '{}')
      from private.last_runs
    ),
    'schedule', (select to_jsonb(leases) - 'is_only' from private.schedule_leases as leases),
    'witnesses', (
      select coalesce(jsonb_agg(to_jsonb(states) order by states.witness), '[]')
      from (
        select origin, witness, state, fault, alarm, alarm_at, cosigned_size, cosigned_at
        from public.witness_states where log = 'ledger' order by asked_at desc limit 50
      ) as states
    )
  );
end;
$$;

-- A count up to 101, and the first ten of a query's rows.
create function private.queue_of(items jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object(
    'count', coalesce(jsonb_array_length(items), 0), 'items', coalesce(jsonb_path_query_array(items, '$[0 to 9]'), '[]')
  )
$$;

create function private.payment_item(facts public.transactions) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', facts.id, 'subject', concat_ws('/', facts.chain_id, facts.tx_hash, facts.ordinal),
    'occurred_at', facts.occurred_at, 'token_amount', facts.token_amount::text, 'token_symbol', facts.token_symbol,
    'token_decimals', facts.token_decimals, 'amount_usd', facts.amount_usd::text, 'to_address', facts.to_address,
    'pool_slug', facts.pool_slug
  )
$$;

-- What waits for an operator: of each queue the count, up to 101, and ten items. PL/pgSQL, because it caches plans for
-- each session.
create function private.operator_queues(caller text) returns jsonb
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set jit = off as $$
begin
  return jsonb_build_object(
    'drafts', private.queue_of((
      select jsonb_agg(jsonb_build_object('id', id, 'kind', kind, 'subject', subject, 'at', saved_at) order by saved_at desc)
      from public.operator_acts where operator_acts.by = caller and state = 'draft'
    )),
    'waiting', private.queue_of((
      select jsonb_agg(jsonb_build_object(
        'id', id, 'kind', kind, 'subject', subject, 'arguments', arguments, 'by', acts.by, 'at', submitted_at,
        'mine', acts.by = caller
      ) order by submitted_at)
      from (select * from public.operator_acts where state = 'waiting' order by submitted_at limit 101) as acts
    )),
    'statements', private.queue_of((
      select jsonb_agg(jsonb_build_object(
        'link', tweet_url, 'author', author, 'posted_at', posted_at, 'revision', revision
      ) order by posted_at desc, id desc)
      from (
        select * from private.current_calls where not verified order by posted_at desc, id desc limit 101
      ) as unconfirmed
    )),
    'other', private.queue_of((
      select jsonb_agg(private.payment_item(facts) order by facts.id desc)
      from (
        select * from public.transactions
        where type = 'other' and direction = 'out' and account in ('treasury', 'donation-wallet') and note_hash is null
          and exists (select from private.transaction_statuses where transaction_id = transactions.id)
        order by id desc limit 101
      ) as facts
    )),
    'purposes', private.queue_of((
      select jsonb_agg(private.payment_item(facts) order by facts.id desc)
      from (
        select * from public.transactions
        where type = 'spending' and note_hash is null
          and exists (select from private.transaction_statuses where transaction_id = transactions.id)
        order by id desc limit 101
      ) as facts
    )),
    -- Each step reads the next address from the index, so recipients of many payments cost no more than others.
    'names', private.queue_of((
      with recursive recipients as (
        select min(to_address::text) as address from public.transactions where type = 'spending' and counter_account is null
        union all
        select (
          select min(next.to_address::text) from public.transactions as next
          where next.type = 'spending' and next.counter_account is null and next.to_address > recipients.address
        )
        from recipients where recipients.address is not null
      )
      select jsonb_agg(jsonb_build_object('address', unnamed.address))
      from (
        select address from recipients
        where address is not null
          and not exists (select from public.wallet_names where wallet_names.address = recipients.address)
          -- A value and not EXISTS, which the planner turns into a join with every payment.
          and (
            select facts.id from public.transactions as facts
            join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
            where facts.to_address = recipients.address and facts.type = 'spending' and facts.counter_account is null
            limit 1
          ) is not null
        limit 101
      ) as unnamed
    ))
  );
end;
$$;

-- Everything that the page of operators shows, by one call. Its time does not grow with the ledger.
create function public.operator_overview(goals boolean default false) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant text := private.operator_handle();
  mine constant jsonb := public.my_operator();
begin
  return case when mine is not null then jsonb_build_object(
    'operator', mine,
    'queues', case when caller is not null then private.operator_queues(caller) end,
    'listening', case when caller is not null then private.operator_listening() end,
    'health', case when caller is not null then private.operator_health() end,
    'mail', case when caller is not null then public.mail_counts() end
  ) || case when operator_overview.goals then jsonb_build_object('goals', public.goals_overview()) else '{}' end end;
end;
$$;

-- What the job may call -------------------------------------------------------------------------------------

-- The command line: the holder of the secret key needs no second person.
create function public.act_with_key(
  kind text, subject text, arguments jsonb, reason text, version integer default null
) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  act public.operator_acts;
begin
  perform private.lock_log('ledger');
  act := jsonb_populate_record(null::public.operator_acts, jsonb_build_object(
    'id', gen_random_uuid(), 'kind', kind, 'subject', subject, 'arguments', arguments, 'reason', nullif(reason, ''),
    'version', coalesce(version, private.version_of(kind, subject)), 'created_at', now(), 'saved_at', now()
  ));
  return private.finish_act(act, private.perform(act), null);
end;
$$;

-- Two operators move the schedule to another address of the site.
create function private.perform_schedule_move(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  given constant text := act.arguments ->> 'site';
begin
  if act."by" is null then
    perform private.refuse_act('operators_only');
  end if;
  perform private.check_words('site', given, 1, 300);
  perform private.check_pattern('site', given, '^https://[a-z0-9.-]+(:\d{1,5})?$');
  update private.schedule_leases set site = given, until = now(), refused = null where is_only;
  return '{}'::jsonb;
end;
$$;

-- Takes or renews the lease of the schedule for 90 seconds: null. Otherwise why not: the release is `older` or `newer` than the
-- migrations of the database, the schedule is of another `site`, or another `holder` has the lease. A site without https
-- is of one machine, and any other may follow it.
create function public.claim_schedule(site text, holder text, schema_version text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  newest constant text := (select max(version) from supabase_migrations.schema_migrations);
  lease private.schedule_leases;
  why text;
begin
  insert into private.schedule_leases (site, holder, until) values (claim_schedule.site, claim_schedule.holder, now())
  on conflict do nothing;
  select * into strict lease from private.schedule_leases for update;
  why := case
    when schema_version < newest then 'older'
    when schema_version > newest then 'newer'
    when lease.site <> claim_schedule.site and lease.site like 'https://%' then 'site'
    when lease.holder <> claim_schedule.holder and lease.until > now() then 'holder'
  end;
  if why is null then
    update private.schedule_leases
    set site = claim_schedule.site, holder = claim_schedule.holder, until = now() + interval '90 seconds'
    where is_only;
    return null;
  end if;
  update private.schedule_leases set refused = jsonb_build_object(
    'why', why, 'site', claim_schedule.site, 'holder', claim_schedule.holder, 'at', now()
  ) where is_only;
  return jsonb_build_object('why', why, 'site', lease.site, 'holder', lease.holder, 'schema_version', newest);
end;
$$;

-- The applied migrations, each with the hash of its statements without comments, white space and semicolons
-- (supabase/embedded/content-hash.ts).
create function public.applied_migrations() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_object_agg(version, encode(sha256(convert_to(regexp_replace(
    regexp_replace(array_to_string(statements, E'\n'), '--[^\n]*', '', 'g'), '[\s;]+', '', 'g'
  ), 'UTF8')), 'hex'))
  from supabase_migrations.schema_migrations
$$;

-- Stores what a run reported. Of a report that is too long, only the reason why it stopped is stored.
create function public.record_run(report jsonb, trouble boolean) returns void
language plpgsql security definer set search_path = '' as $$
declare
  kept constant jsonb := case when octet_length(report::text) <= 8192 then report
    else jsonb_build_object('stopped', left(coalesce(report ->> 'stopped', 'its report was too long'), 500)) end;
begin
  insert into private.last_runs as runs (which, ran_at, report)
  select which, now(), kept from unnest(array['last', case when trouble then 'trouble' end]) as which
  where which is not null
  on conflict (which) do update set ran_at = excluded.ran_at, report = excluded.report;
end;
$$;

-- The report of the last run of the ledger job, for /healthz, and whether an order is sent and not paid for half an
-- hour; null before the first run.
create function public.last_run() returns jsonb
language sql stable security definer set search_path = '' as $$
  select report || jsonb_build_object('has_late_payment', exists (
    select from public.orders join private.order_payments as bound on bound.order_id = orders.id
    where orders.state = 'sent' and bound.bound_at < now() - interval '30 minutes'
  ))
  from private.last_runs where which = 'last'
$$;

-- What everyone reads ---------------------------------------------------------------------------------------

create view public.published_operators with (security_invoker = false) as
select handle, since, until from public.operators;
comment on view public.published_operators is 'Everyone who is or was an operator.';

-- Grants ----------------------------------------------------------------------------------------------------

grant select on public.operators to service_role;
grant select on public.operator_acts to authenticated, service_role;
grant select on public.published_operators to anon, authenticated, service_role;
grant execute on function
  private.operator_handle, private.is_operator, public.save_act, public.submit_act, public.confirm_act,
  public.drop_act, public.read_appointee, public.my_operator, public.operator_overview
  to authenticated;
grant execute on function public.act_with_key, public.record_run, public.last_run, public.claim_schedule, public.applied_migrations to service_role;

reset check_function_bodies;
