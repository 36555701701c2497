-- Operators introduce themselves: an act whose text is their name, their role, whether they hold a key of a wallet, and
-- optionally a link, one a line. The text is the act's reason, so the log has its hash, and it can be withdrawn.
--
-- The functions of acts get this kind by a function in front of each, whose name says what is behind it.

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
  if not private.has_one_alphabet(name) or exists (
    select from private.accounts where private.name_skeleton(slug) = private.name_skeleton(name)
  ) then
    perform private.refuse_field('name', 'wallet_names_letters');
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

alter function public.save_act(uuid, text, text, jsonb, text, integer) rename to save_other_act;
alter function public.save_other_act(uuid, text, text, jsonb, text, integer) set schema private;
create function public.save_act(
  act uuid, kind text, subject text, arguments jsonb, reason text, version integer default null
) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  caller text;
  draft uuid;
begin
  if save_act.kind is distinct from 'introduction' or exists (
    select from public.operator_acts as known where known.id = save_act.act
  ) then
    return private.save_other_act(
      save_act.act, save_act.kind, save_act.subject, save_act.arguments, save_act.reason, save_act.version
    );
  end if;
  caller := private.begin_act(false);
  if octet_length(save_act.arguments::text) > 32000 then
    perform private.refuse_act('too_large');
  elsif jsonb_typeof(save_act.arguments) is distinct from 'object' then
    perform private.refuse_act('refused', jsonb_build_object('why', 'arguments must be an object'));
  elsif save_act.subject is not null then
    perform private.refuse_act('not_found');
  elsif (select count(*) from public.operator_acts as acts where acts.by = caller and acts.state = 'draft') >= 50 then
    perform private.refuse_act('too_many');
  end if;
  insert into public.operator_acts (id, kind, arguments, by)
  values (coalesce(save_act.act, gen_random_uuid()), 'introduction', save_act.arguments, caller)
  returning id into draft;
  return jsonb_build_object('id', draft, 'state', 'draft', 'version', null);
end;
$$;
comment on function public.save_act(uuid, text, text, jsonb, text, integer) is
  'Stores a draft of the calling operator, at most 50.';

revoke all on function
  private.fields_of, private.perform_introduction, private.perform, private.save_other_act, public.save_act
  from public, anon, authenticated, service_role;
grant execute on function public.save_act to authenticated;

reset check_function_bodies;
