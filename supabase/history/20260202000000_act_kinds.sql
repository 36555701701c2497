-- Describes the kinds of acts by a table, to which each domain adds its own, instead of lists in five functions.

set check_function_bodies = off;

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
  with_key_only boolean not null default false,
  constraint act_kinds_revision_of_subject check ((subject = 'none') = (revision_of is null))
);

comment on table private.act_kinds is 'The kinds of acts. app/operator/kinds.ts has the same, with their words.';
comment on column private.act_kinds.people is
  'Two for what changes every total, removes a text for ever, moves money, gives power to someone, or cannot be undone after money followed.';

comment on column private.act_kinds.subject is 'none: the act makes it. either: the act makes it or changes it.';

comment on column private.act_kinds.performer is
  'The function that checks every value, since an operator may call the API without the site, and performs the act. It returns {subject, made_kind, made_id}.';

comment on column private.act_kinds.revision_of is
  'The function that returns the revision of the subject: 0 if it has no revisions, null if it does not exist.';

comment on column private.act_kinds.field_of is 'The fields that broke a constraint of a table, by its name.';

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

create function private.statement_revision(link text) returns integer
language sql stable set search_path = '' as $$
  select max(revision) from public.cz_calls where tweet_url = link
$$;

create function private.update_revision(subject text) returns integer
language sql stable set search_path = '' as $$
  select max(revision) from public.pool_updates
  where pool_slug = split_part(subject, '/', 1) and number::text = split_part(subject, '/', 2)
$$;

create function private.goal_revision(goal text) returns integer
language sql stable set search_path = '' as $$
  select revision from public.goals where slug = goal
$$;

create function private.report_revision(goal text) returns integer
language sql stable set search_path = '' as $$
  select revision + coalesce(report_number, 0) from public.goals where slug = goal
$$;

create function private.complaints_revision(goal text) returns integer
language sql stable set search_path = '' as $$
  select (max(id) % 10000)::integer from public.goal_complaints as complaints
  where complaints.goal = (select id from public.goals where slug = complaints_revision.goal) and closed_at is null
$$;

create function private.order_revision(number text) returns integer
language sql stable set search_path = '' as $$
  select revision from public.orders where id::text = number
$$;

insert into private.act_kinds (kind, people, subject, least_reason, performer, revision_of, fields) values
  ('purpose', 1, 'required', 0, 'perform_purpose', 'payment_revision', '{type,pool,note,proof}'),
  ('value', 2, 'required', 0, 'perform_value', 'payment_revision', '{rate,rate_source}'),
  ('reading', 1, 'required', 0, 'perform_reading', 'payment_revision',
    '{occurred_at,token_amount,token_symbol,token_decimals,token_address,from_address,to_address}'),
  ('name', 1, 'either', 0, 'perform_name', 'name_revision', '{address,name}'),
  ('withdrawal', 2, 'required', 10, 'perform_withdrawal', 'text_revision', '{}'),
  ('operator', 2, 'none', 0, 'perform_operator', null, '{email,handle}'),
  ('operator-end', 1, 'required', 10, 'perform_operator_end', 'operator_revision', '{}');

update private.act_kinds set with_key_only = true where kind = 'reading';

update private.act_kinds set field_of = '{
  "transactions_direction_of_type": "type", "transactions_account_of_type": "type",
  "transactions_counter_account_of_type": "type", "transactions_type_known": "type", "transactions_pool_of_account": "pool"
}' where kind = 'purpose';

update private.act_kinds set field_of = '{
  "wallet_names_of_others": "address", "wallet_names_name": "name", "wallet_names_unique": "name",
  "wallet_names_letters": "name"
}' where kind = 'name';

insert into private.act_kinds (kind, people, subject, least_reason, performer, revision_of, fields) values
  ('statement', 1, 'either', 0, 'perform_statement', 'statement_revision', '{link,text,author,posted,action,captured,tx}'),
  ('confirmation', 1, 'required', 0, 'perform_confirmation', 'statement_revision', '{how}'),
  ('update', 1, 'either', 0, 'perform_update', 'update_revision', '{pool,text,links,dated,helping,helping_source}');

insert into private.act_kinds (kind, people, subject, least_reason, performer, revision_of, fields) values
  ('goal-approval', 2, 'required', 0, 'perform_goal', 'goal_revision', '{}'),
  ('goal-return', 1, 'required', 10, 'perform_goal', 'goal_revision', '{}'),
  ('goal-rejection', 1, 'required', 10, 'perform_goal', 'goal_revision', '{}'),
  ('goal-freeze', 1, 'required', 10, 'perform_goal', 'goal_revision', '{hide}'),
  ('goal-release', 2, 'required', 10, 'perform_goal', 'goal_revision', '{}'),
  ('goal-annulment', 2, 'required', 10, 'perform_goal', 'goal_revision', '{}'),
  ('goal-report', 1, 'required', 0, 'perform_goal', 'report_revision', '{}'),
  ('complaint-dismissal', 1, 'required', 0, 'perform_goal', 'complaints_revision', '{}');

insert into private.act_kinds (kind, people, subject, least_reason, performer, revision_of, fields) values
  ('order', 2, 'none', 0, 'perform_order', null, '{from,to,token,amount,type,pool,purpose,statement}'),
  ('stop', 1, 'required', 10, 'perform_stop', 'order_revision', '{}'),
  ('payments-hold', 1, 'none', 10, 'perform_hold', null, '{}'),
  ('payments-release', 2, 'none', 10, 'perform_hold', null, '{}');

alter table public.operator_acts drop constraint operator_acts_kind_known;
alter table public.operator_acts add foreign key (kind) references private.act_kinds (kind);
comment on column public.operator_acts.kind is null;
update public.operator_acts set version = 0 where kind in ('withdrawal', 'operator-end') and final_at is null;

create or replace function private.version_of(kind text, subject text) returns integer
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

create or replace function public.save_act(
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

create or replace function private.perform_reading(act public.operator_acts) returns jsonb
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

create or replace function private.perform_name(act public.operator_acts) returns jsonb
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

create or replace function private.perform_withdrawal(act public.operator_acts) returns jsonb
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

create or replace function private.perform_operator_end(act public.operator_acts) returns jsonb
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

create or replace function private.perform(act public.operator_acts) returns jsonb
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

create or replace function public.submit_act(act uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  caller constant text := private.begin_act(true);
  draft constant public.operator_acts := private.open_act(act, caller, '{draft}');
begin
  if not ((select people = 2 from private.act_kinds where kind = draft.kind) or private.leaves_one(draft, caller)) then
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

create or replace function public.read_goal(goal text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  about public.goals;
begin
  if not private.is_operator() then
    return null;
  end if;
  select * into about from public.goals where slug = read_goal.goal and stage <> 'draft';
  if about.id is null then
    return null;
  end if;
  return jsonb_build_object(
    'id', about.id, 'slug', about.slug, 'stage', about.stage, 'revision', about.revision, 'frozen', about.frozen,
    'hidden', about.hidden, 'target_usd', about.target_usd::text, 'days', about.days, 'wallet', about.wallet,
    'picture_path', about.picture_path, 'plan', about.plan, 'report_number', about.report_number,
    'submitted_at', about.submitted_at, 'opened_at', about.opened_at, 'ends_at', about.ends_at,
    'ended_at', about.ended_at, 'completed_at', about.completed_at, 'fault', about.fault,
    'mine', private.is_own_goal(about, null),
    'words', (select to_jsonb(words) - 'id' from private.goal_words as words where words.id = about.id),
    'submitted', (
      select coalesce(jsonb_agg(moves.texts order by moves.id desc), '[]')
      from (
        select id, texts from private.goal_moves
        where goal_moves.goal = about.id and texts is not null order by id desc limit 2
      ) as moves
    ),
    'check', (select to_jsonb(checks) - 'goal' from private.goal_checks as checks where checks.goal = about.id),
    'complaints_version', private.complaints_revision(about.slug),
    'complaints', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'reason', open.reason, 'text', open.text, 'made_at', open.made_at
      ) order by open.made_at), '[]')
      from public.goal_complaints as open where open.goal = about.id and open.closed_at is null
    ),
    'earlier', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'slug', other.slug, 'stage', other.stage, 'frozen', other.frozen, 'title', words.title,
        'complaints', (select count(*) from public.goal_complaints where goal_complaints.goal = other.id)
      ) order by other.created_at desc), '[]')
      from (
        select * from public.goals
        where member = about.member and id <> about.id and slug is not null order by created_at desc limit 50
      ) as other
      join private.goal_words as words on words.id = other.id
    ),
    'moves', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'stage', moves.stage, 'frozen', moves.frozen, 'hidden', moves.hidden, 'moved_by', moves.moved_by,
        'moved_at', moves.moved_at, 'reason', moves.reason
      ) order by moves.id), '[]')
      from private.goal_moves as moves where moves.goal = about.id
    )
  );
end;
$$;

drop function private.needs_two;
drop function private.fields_of;
drop function private.least_reason;
drop function private.is_goal_act;

revoke all on private.act_kinds from public, anon, authenticated, service_role;
revoke all on function
  private.payment_revision, private.name_revision, private.text_revision, private.operator_revision,
  private.statement_revision, private.update_revision, private.goal_revision, private.report_revision,
  private.complaints_revision, private.order_revision
  from public, anon, authenticated, service_role;

reset check_function_bodies;
