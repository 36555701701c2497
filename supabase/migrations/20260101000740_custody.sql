-- Custody: who can move the money of our wallets, as the blockchain says, and who has shown a key. The schedule reads each
-- wallet about once an hour from two endpoints; each change is an entry of the log, and so is each dated text that a key signed.

set check_function_bodies = off;

create function private.are_addresses(list jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select jsonb_typeof(list) = 'array' and jsonb_array_length(list) <= 50 and not exists (
    select from jsonb_array_elements_text(list) as one where one !~ '^0x[0-9a-f]{40}$'
  )
$$;

-- Of [{token, symbol, decimals, spender, amount}], in the order of token and spender; amounts in base units, as text.
create function private.are_allowances(list jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select jsonb_typeof(list) = 'array' and jsonb_array_length(list) <= 50 and not exists (
    select from jsonb_to_recordset(list) as one (token text, symbol text, decimals integer, spender text, amount text)
    where not coalesce(
      token ~ '^0x[0-9a-f]{40}$' and spender ~ '^0x[0-9a-f]{40}$' and char_length(symbol) between 1 and 32
      and decimals between 0 and 36 and amount ~ '^[1-9][0-9]{0,77}$', false
    )
  )
$$;

create table public.wallet_controls (
  id bigint generated always as identity primary key,
  chain_id private.chain_id not null,
  wallet private.address not null,
  control text not null
    constraint wallet_controls_control_known check (control in ('key', 'safe', 'contract')),
  version text
    constraint wallet_controls_version_length check (char_length(version) between 1 and 20),
  owners jsonb not null
    constraint wallet_controls_owners_list check (private.are_addresses(owners)),
  threshold integer
    constraint wallet_controls_threshold_range check (threshold between 1 and jsonb_array_length(owners)),
  modules jsonb not null
    constraint wallet_controls_modules_list check (private.are_addresses(modules)),
  guard private.address,
  handler private.address,
  allowances jsonb
    constraint wallet_controls_allowances_list check (private.are_allowances(allowances)),
  block_number private.safe_integer not null,
  recorded_at private.moment not null default now(),
  constraint wallet_controls_safe_whole check (
    case control
      when 'safe' then version is not null and threshold is not null
      else version is null and threshold is null and owners = '[]' and modules = '[]' and guard is null and handler is null
    end
  )
);
comment on table public.wallet_controls is
  'Who can move the money of a wallet of ours: at first, and at each change. Each row is an entry `custody` of the log.';
comment on column public.wallet_controls.control is
  'key: an account with one key. safe: a Safe of a known version. contract: an unknown contract.';
comment on column public.wallet_controls.modules is 'Contracts that can move its money without its owners.';
comment on column public.wallet_controls.guard is 'A contract that can refuse what the owners do.';
comment on column public.wallet_controls.handler is 'A contract that answers calls which the Safe does not know.';
comment on column public.wallet_controls.allowances is
  'What others may spend of its configured tokens without its keys; null if it was not read in that block.';
create index wallet_controls_newest on public.wallet_controls (chain_id, wallet, id desc);

create table private.control_reads (
  chain_id private.chain_id,
  wallet private.address,
  read_at private.moment not null default now(),
  approvals jsonb not null default '{}',
  allowances jsonb
    constraint control_reads_allowances_list check (private.are_allowances(allowances)),
  allowances_at private.moment,
  primary key (chain_id, wallet),
  constraint control_reads_allowances_dated check ((allowances is null) = (allowances_at is null))
);
comment on table private.control_reads is 'When each wallet was last read.';
comment on column private.control_reads.approvals is
  'How far its approvals were read: {blocks, pairs, behind} (app/custody/allowances.ts).';
comment on column private.control_reads.allowances is 'What others could spend of it at `allowances_at`.';

create table public.custody_signatures (
  id bigint generated always as identity primary key,
  chain_id private.chain_id not null,
  wallet private.address not null,
  signer private.address not null,
  site text not null
    constraint custody_signatures_site_length check (char_length(site) between 1 and 255),
  signed_on date not null
    constraint custody_signatures_signed_on_range check (signed_on between '2015-01-01' and '9999-12-31'),
  entry_index private.safe_integer not null,
  entry_leaf text not null
    constraint custody_signatures_leaf_format check (entry_leaf ~ '^[0-9a-f]{64}$'),
  signature text not null
    constraint custody_signatures_signature_format check (signature ~ '^0x[0-9a-f]{128}(1b|1c)$'),
  recorded_at private.moment not null default now(),
  constraint custody_signatures_once unique (chain_id, wallet, signer, signed_on)
);
comment on table public.custody_signatures is
  'Dated texts that a key of a wallet of ours signed. Each is an entry `custody-signature` of the log.';
comment on column public.custody_signatures.entry_index is
  'An entry that was new on that day, with its leaf hash: the text cannot be signed before it.';

call private.refuse('update or delete or truncate', 'public.wallet_controls', 'public.custody_signatures');

create view private.entry_of_custody as
select
  'custody' as kind, id, private.entry_time(recorded_at) as recorded_at, chain_id::integer, wallet::text, control, version,
  -- jsonb writes spaces, and an entry has none.
  to_json(array(select jsonb_array_elements_text(owners))) as owners, threshold,
  to_json(array(select jsonb_array_elements_text(modules))) as modules, guard::text, handler::text,
  case when allowances is not null then (
    select ('[' || coalesce(string_agg(
      row_to_json(one)::text, ',' order by one.token collate "C", one.spender collate "C"
    ), '') || ']')::json
    from jsonb_to_recordset(allowances) as one (token text, symbol text, decimals integer, spender text, amount text)
  ) end as allowances, block_number::bigint
from public.wallet_controls;
create trigger log_rows after insert on public.wallet_controls
  for each row execute function private.log_row('custody', 'id');

create view private.entry_of_custody_signature as
select
  'custody-signature' as kind, id, private.entry_time(recorded_at) as recorded_at, chain_id::integer, wallet::text, signer::text,
  site, to_char(signed_on, 'YYYY-MM-DD') as date, entry_index::bigint as entry, entry_leaf as leaf, signature
from public.custody_signatures;
create trigger log_rows after insert on public.custody_signatures
  for each row execute function private.log_row('custody-signature', 'id');

-- The newest reading of each wallet, with the keys that can sign for it: the owners of a Safe, or the wallet's own key.
create view private.current_controls as
select distinct on (controls.chain_id, controls.wallet)
  controls.id, controls.chain_id, controls.wallet, control, version, owners, threshold, modules, guard, handler, block_number,
  recorded_at, reads.read_at, reads.allowances, reads.allowances_at,
  case control when 'key' then jsonb_build_array(controls.wallet) else owners end as keys
from public.wallet_controls as controls
join private.control_reads as reads on reads.chain_id = controls.chain_id and reads.wallet = controls.wallet
order by controls.chain_id, controls.wallet, controls.id desc;

-- Act ----------------------------------------------------------------------------------------------------------

-- Says who holds a key that moves money of ours: a role, and optionally a handle, words and a link, one a line. The text is the
-- act's reason, so the log has its hash, and two operators can withdraw it.
create function private.perform_holder(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  key constant text := act.arguments ->> 'key';
  role constant text := act.arguments ->> 'role';
  handle constant text := nullif(act.arguments ->> 'handle', '');
  words constant text := nullif(act.arguments ->> 'words', '');
  link constant text := nullif(act.arguments ->> 'link', '');
begin
  perform private.check_words('key', key, 1, 100);
  if not exists (select from private.current_controls where keys ? key) then
    perform private.refuse_field('key', 'no_key');
  end if;
  perform private.check_words('role', role, 2, 100);
  perform private.check_words('handle', handle, 0, 30);
  if handle is not null then
    perform private.check_pattern('handle', handle, '^[a-z][a-z0-9-]{2,29}$');
  end if;
  perform private.check_words('words', words, 0, 200);
  perform private.check_link('link', link);
  return jsonb_build_object('subject', key, 'reason_hash', private.keep_text('ledger', concat(
    role, E'\n', handle, E'\n', words, E'\n', link
  )));
end;
$$;

insert into private.act_kinds (kind, people, subject, performer, fields) values
  ('holder', 2, 'none', 'perform_holder', '{key,role,handle,words,link}');

-- What the site may call --------------------------------------------------------------------------------------

-- Keeps a text that a key signed: {chain_id, wallet, signer, site, date, entry, leaf, signature} as JSON. The site has verified the
-- signature, and `proof` is by its key (private.is_from_site), so the data API alone adds nothing. Returns 'signed', or why it
-- is not kept.
create function public.keep_custody(signed text, proof text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  given jsonb;
  held record;
  day date;
begin
  if not private.is_from_site(concat_ws(E'\n', 'custody', signed), proof) then
    raise insufficient_privilege using message = 'the site has not signed this request';
  end if;
  perform private.lock_log('ledger');
  given := signed::jsonb;
  day := (given ->> 'date')::date;
  select * into held from private.current_controls as controls
  where controls.chain_id = (given ->> 'chain_id')::integer and controls.wallet = given ->> 'wallet';
  return case
    when held.wallet is null or held.control = 'contract' then 'unknown'
    when held.read_at < now() - interval '2 hours' then 'unread'
    when not held.keys ? (given ->> 'signer') then 'owner'
    when not day between (now() at time zone 'UTC')::date - 1 and (now() at time zone 'UTC')::date then 'day'
    when not private.is_new_entry((given ->> 'entry')::bigint, given ->> 'leaf', day) then 'day'
    when exists (
      select from public.custody_signatures as former
      where former.chain_id = held.chain_id and former.wallet = held.wallet and former.signer = given ->> 'signer'
        and former.signed_on >= day
    ) then 'twice'
    else private.add_custody(given, day)
  end;
end;
$$;

create function private.add_custody(given jsonb, day date) returns text
language sql set search_path = '' as $$
  insert into public.custody_signatures (chain_id, wallet, signer, site, signed_on, entry_index, entry_leaf, signature)
  values (
    (given ->> 'chain_id')::integer, given ->> 'wallet', given ->> 'signer', given ->> 'site', day,
    (given ->> 'entry')::bigint, given ->> 'leaf', given ->> 'signature'
  )
  returning 'signed'
$$;

-- Whether the log has this entry, among its newest 100,000, and no entry after it is older than the day before `day`.
create function private.is_new_entry(entry_index bigint, leaf_hash text, day date) returns boolean
language sql stable set search_path = '' as $$
  select exists (
    select from private.log_entries as named
    where named.log = 'ledger' and named.index = entry_index and encode(named.leaf, 'hex') = leaf_hash
      and named.index >= (select size from private.logs where name = 'ledger') - 100000
      and not exists (
        select from private.log_entries as later
        where later.log = 'ledger' and later.index = entry_index + 1
          and (later.entry::jsonb ->> 'recorded_at')::timestamptz < (day - 1)::timestamp at time zone 'UTC'
      )
  )
$$;

-- What the job may call -------------------------------------------------------------------------------------

-- The wallets of this list that were not read for 55 minutes, or whose approvals are not read to the end, at most three:
-- [{wallet, approvals}]. `approvals`: how far they were read; null if they were not.
create function public.controls_due(chain integer, wallets jsonb) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('wallet', due.wallet, 'approvals', due.approvals)), '[]') from (
    select asked.wallet, nullif(reads.approvals, '{}') as approvals
    from jsonb_array_elements_text(wallets) as asked (wallet)
    left join private.control_reads as reads on reads.chain_id = chain and reads.wallet = asked.wallet
    where reads.read_at is null or reads.read_at < now() - interval '55 minutes' or (reads.approvals ->> 'behind')::boolean
    order by reads.read_at nulls first, asked.wallet limit 3
  ) as due
$$;

-- Whether what others may spend of a wallet changed other than by payments of the ledger since the reading of `since`, less an
-- hour: the ledger can be that much behind.
create function private.is_allowed_anew(chain integer, of_wallet text, former jsonb, since timestamptz, read jsonb) returns boolean
language sql stable set search_path = '' as $$
  select exists (
    select from jsonb_to_recordset(coalesce(former, '[]')) as before (token text, spender text, amount numeric)
    full join jsonb_to_recordset(read) as after (token text, spender text, amount numeric) using (token, spender)
    where coalesce(after.amount, 0) > coalesce(before.amount, 0)
      or coalesce(before.amount, 0) - coalesce(after.amount, 0) > coalesce((
        select sum(paid.token_amount) from public.transactions as paid
        where paid.chain_id = chain and paid.from_address = of_wallet and paid.token_address = token and paid.revision = 0
          and paid.occurred_at > since - interval '1 hour'
      ), 0)
  )
$$;

-- Stores what was read of wallets, [{chain_id, wallet, control, version, owners, threshold, modules, guard, handler, allowances,
-- block_number, approvals}]; `allowances`: null if they could not be read. Returns the number of those that changed, or that
-- are new.
create function public.record_controls(readings jsonb) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  changed integer;
begin
  perform private.lock_log('ledger');
  insert into public.wallet_controls (
    chain_id, wallet, control, version, owners, threshold, modules, guard, handler, allowances, block_number
  )
  select
    read.chain_id, read.wallet, read.control, read.version, read.owners, read.threshold, read.modules, read.guard,
    read.handler, read.allowances, read.block_number
  from jsonb_populate_recordset(null::public.wallet_controls, readings) as read
  left join private.control_reads as reads on reads.chain_id = read.chain_id and reads.wallet = read.wallet
  where not exists (
    select from (
      select * from public.wallet_controls as former
      where former.chain_id = read.chain_id and former.wallet = read.wallet order by former.id desc limit 1
    ) as newest
    where newest.block_number > read.block_number or (
      (
        newest.control, newest.version, newest.owners, newest.threshold, newest.modules, newest.guard::text,
        newest.handler::text
      ) is not distinct from (
        read.control, read.version, read.owners, read.threshold, read.modules, read.guard::text, read.handler::text
      )
      and (read.allowances is null or not (
        newest.allowances is null and read.allowances <> '[]'
        or private.is_allowed_anew(read.chain_id, read.wallet, reads.allowances, reads.allowances_at, read.allowances)
      ))
    )
  );
  get diagnostics changed = row_count;
  insert into private.control_reads as reads (chain_id, wallet, approvals, allowances, allowances_at)
  select read.chain_id, read.wallet, coalesce(read.approvals, '{}'), read.allowances, case when read.allowances is not null then now() end
  from jsonb_to_recordset(readings) as read (chain_id integer, wallet text, approvals jsonb, allowances jsonb)
  on conflict (chain_id, wallet) do update set
    read_at = now(), approvals = coalesce(nullif(excluded.approvals, '{}'), reads.approvals),
    allowances = coalesce(excluded.allowances, reads.allowances),
    allowances_at = coalesce(excluded.allowances_at, reads.allowances_at);
  return changed;
end;
$$;

-- What everyone reads ---------------------------------------------------------------------------------------

create view public.published_controls with (security_invoker = false) as
select
  controls.id, controls.chain_id, controls.wallet::text as wallet, controls.control, controls.version, controls.owners,
  controls.threshold, controls.modules, controls.guard::text as guard, controls.handler::text as handler,
  controls.block_number, controls.recorded_at, controls.read_at, entries.index as log_index,
  first.recorded_at as first_at, (
    select coalesce(jsonb_agg(jsonb_build_object(
      'key', keys.key, 'signed_on', newest.signed_on::timestamp at time zone 'UTC', 'log_index', newest.log_index
    ) order by newest.signed_on desc nulls last, keys.key), '[]')
    from jsonb_array_elements_text(controls.keys) as keys (key)
    left join lateral (
      select signatures.signed_on, entries.index as log_index
      from public.custody_signatures as signatures
      left join private.ledger_entries as entries on entries.kind = 'custody-signature' and entries.row_id = signatures.id
      where signatures.chain_id = controls.chain_id and signatures.wallet = controls.wallet and signatures.signer = keys.key
      order by signatures.signed_on desc limit 1
    ) as newest on true
  ) as keys, case when controls.allowances is not null then (
    select coalesce(jsonb_agg(jsonb_build_object(
      'spender', one.spender, 'is_payer', exists (
        select from private.payer_sights as seen where seen.chain_id = controls.chain_id and seen.payer = one.spender
      ), 'token_amount', one.amount, 'token_symbol', one.symbol, 'token_decimals', one.decimals
    ) order by one.symbol, one.spender), '[]')
    from jsonb_to_recordset(controls.allowances) as one (symbol text, decimals integer, spender text, amount text)
  ) end as allowances, controls.allowances_at
from private.current_controls as controls
join lateral (
  select min(earlier.recorded_at) as recorded_at from public.wallet_controls as earlier
  where earlier.chain_id = controls.chain_id and earlier.wallet = controls.wallet
) as first on true
left join private.ledger_entries as entries on entries.kind = 'custody' and entries.row_id = controls.id;
comment on view public.published_controls is 'Who can move the money of each wallet of ours, and since when.';
comment on column public.published_controls.read_at is 'When the blockchain last said so.';
comment on column public.published_controls.keys is 'Each key that can sign for the wallet, and the newest day on which it did.';
comment on column public.published_controls.allowances is
  'What others may spend of the wallet without its keys, at `allowances_at`; null if it was not read yet.';
comment on column public.published_controls.first_at is 'When the wallet was read for the first time.';

grant select on public.wallet_controls, public.custody_signatures to service_role;
grant select on public.published_controls to anon, authenticated, service_role;
grant execute on function public.keep_custody to anon, authenticated, service_role;
grant execute on function public.controls_due, public.record_controls to service_role;

reset check_function_bodies;
