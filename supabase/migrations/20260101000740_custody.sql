-- Custody: who can move the money of our wallets, as the blockchain says. The schedule reads each wallet about once an hour
-- from two endpoints; each change is an entry of the log.

set check_function_bodies = off;

create function private.are_addresses(list jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select jsonb_typeof(list) = 'array' and jsonb_array_length(list) <= 50 and not exists (
    select from jsonb_array_elements_text(list) as one where one !~ '^0x[0-9a-f]{40}$'
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
create index wallet_controls_newest on public.wallet_controls (chain_id, wallet, id desc);

create table private.control_reads (
  chain_id private.chain_id,
  wallet private.address,
  read_at private.moment not null default now(),
  primary key (chain_id, wallet)
);
comment on table private.control_reads is 'When each wallet was last read.';

call private.refuse('update or delete or truncate', 'public.wallet_controls');

create view private.entry_of_custody as
select
  'custody' as kind, id, private.entry_time(recorded_at) as recorded_at, chain_id::integer, wallet::text, control, version,
  -- jsonb writes spaces, and an entry has none.
  to_json(array(select jsonb_array_elements_text(owners))) as owners, threshold,
  to_json(array(select jsonb_array_elements_text(modules))) as modules, guard::text, handler::text, block_number::bigint
from public.wallet_controls;
create trigger log_rows after insert on public.wallet_controls
  for each row execute function private.log_row('custody', 'id');

-- What the job may call -------------------------------------------------------------------------------------

-- The wallets of this list that were not read for 55 minutes, at most three.
create function public.controls_due(chain integer, wallets jsonb) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(due.wallet), '[]') from (
    select asked.wallet
    from jsonb_array_elements_text(wallets) as asked (wallet)
    left join private.control_reads as reads on reads.chain_id = chain and reads.wallet = asked.wallet
    where reads.read_at is null or reads.read_at < now() - interval '55 minutes'
    order by reads.read_at nulls first, asked.wallet limit 3
  ) as due
$$;

-- Stores what was read of wallets, [{chain_id, wallet, control, version, owners, threshold, modules, guard, handler,
-- block_number}]. Returns the number of those that changed, or that are new.
create function public.record_controls(readings jsonb) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  changed integer;
begin
  perform private.lock_log('ledger');
  insert into public.wallet_controls (
    chain_id, wallet, control, version, owners, threshold, modules, guard, handler, block_number
  )
  select
    read.chain_id, read.wallet, read.control, read.version, read.owners, read.threshold, read.modules, read.guard,
    read.handler, read.block_number
  from jsonb_populate_recordset(null::public.wallet_controls, readings) as read
  where not exists (
    select from (
      select * from public.wallet_controls as former
      where former.chain_id = read.chain_id and former.wallet = read.wallet order by former.id desc limit 1
    ) as newest
    where newest.block_number > read.block_number or (
      newest.control, newest.version, newest.owners, newest.threshold, newest.modules, newest.guard::text,
      newest.handler::text
    ) is not distinct from (
      read.control, read.version, read.owners, read.threshold, read.modules, read.guard::text, read.handler::text
    )
  );
  get diagnostics changed = row_count;
  insert into private.control_reads (chain_id, wallet)
  select read.chain_id, read.wallet from jsonb_populate_recordset(null::public.wallet_controls, readings) as read
  on conflict (chain_id, wallet) do update set read_at = now();
  return changed;
end;
$$;

-- What everyone reads ---------------------------------------------------------------------------------------

create view public.published_controls with (security_invoker = false) as
select distinct on (controls.chain_id, controls.wallet)
  controls.id, controls.chain_id, controls.wallet::text as wallet, controls.control, controls.version, controls.owners,
  controls.threshold, controls.modules, controls.guard::text as guard, controls.handler::text as handler,
  controls.block_number, controls.recorded_at, reads.read_at, entries.index as log_index
from public.wallet_controls as controls
join private.control_reads as reads on reads.chain_id = controls.chain_id and reads.wallet = controls.wallet
left join private.ledger_entries as entries on entries.kind = 'custody' and entries.row_id = controls.id
order by controls.chain_id, controls.wallet, controls.id desc;
comment on view public.published_controls is 'Who can move the money of each wallet of ours, and since when.';
comment on column public.published_controls.read_at is 'When the blockchain last said so.';

grant select on public.wallet_controls to service_role;
grant select on public.published_controls to anon, authenticated, service_role;
grant execute on function public.controls_due, public.record_controls to service_role;

reset check_function_bodies;
