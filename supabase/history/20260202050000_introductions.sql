-- Operators introduce themselves: an act whose text is their name, their role, whether they hold a key of a wallet, and
-- optionally a link, one a line. The text is the act's reason, so the log has its hash, and it can be withdrawn.

set check_function_bodies = off;

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

insert into private.act_kinds (kind, people, subject, performer, fields)
values ('introduction', 1, 'none', 'perform_introduction', '{name,role,keys,link}');

revoke all on function private.perform_introduction from public, anon, authenticated, service_role;

reset check_function_bodies;
