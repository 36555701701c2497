-- Operators introduce themselves: an act whose text is their name, their role, whether they hold a key of a wallet, and
-- optionally a link, one a line. The text is the act's reason, so the log has its hash, and it can be withdrawn.
--
-- A function in front of `fields_of` and of `perform` adds this kind.

set check_function_bodies = off;

do $$
declare
  known constant text := (
    select pg_get_constraintdef(oid) from pg_constraint where conname = 'operator_acts_kind_known'
  );
begin
  alter table public.operator_acts drop constraint operator_acts_kind_known;
  execute 'alter table public.operator_acts add constraint operator_acts_kind_known '
    || replace(known, 'ARRAY[', 'ARRAY[''introduction''::text, ');
end;
$$;

alter function private.fields_of(text) rename to fields_of_others;
create function private.fields_of(kind text) returns text[]
language sql immutable set search_path = '' as $$
  select case fields_of.kind
    when 'introduction' then '{name,role,keys,link}'::text[] else private.fields_of_others(fields_of.kind)
  end
$$;

create function private.perform_introduction(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  name constant text := act.arguments ->> 'name';
  role constant text := act.arguments ->> 'role';
  keys constant text := act.arguments ->> 'keys';
  link constant text := nullif(act.arguments ->> 'link', '');
  wrong text;
begin
  select given.key into wrong from jsonb_each(act.arguments) as given
  where given.key <> all (private.fields_of('introduction')) or jsonb_typeof(given.value) not in ('string', 'null') limit 1;
  if wrong is not null then
    perform private.refuse_field(wrong, 'unknown');
  elsif act."by" is null then
    perform private.refuse_act('not_operator');
  end if;
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

alter function private.perform(public.operator_acts) rename to perform_others;
create function private.perform(act public.operator_acts) returns jsonb
language sql security definer set search_path = '' as $$
  select case act.kind
    when 'introduction' then private.perform_introduction(act) else private.perform_others(act)
  end
$$;

-- An introduction begins without a subject, like the appointment of an operator.
do $$
declare
  known constant text := pg_get_functiondef('public.save_act(uuid, text, text, jsonb, text, integer)'::regprocedure);
  changed constant text := replace(
    known, 'when save_act.kind in (''operator'',', 'when save_act.kind in (''introduction'', ''operator'','
  );
begin
  if changed = known then
    raise exception 'save_act has no such line';
  end if;
  execute changed;
end;
$$;

revoke all on function
  private.fields_of, private.perform_introduction, private.perform
  from public, anon, authenticated, service_role;

reset check_function_bodies;
