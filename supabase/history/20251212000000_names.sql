-- Names of wallets that are not ours, as we name them: 'Riverside Books, supplier'. Each name, and each correction of it,
-- is an entry of the log, which has only the hash of the name. Nothing verifies a name.

create table public.wallet_names (
  id bigint generated always as identity primary key,
  address private.address not null,
  name_hash text not null references private.log_texts (hash),
  revision private.revision not null default 0,
  recorded_at private.moment not null default now(),
  constraint wallet_names_key unique (address, revision)
);
comment on table public.wallet_names is 'How we name wallets of others. The name is in private.log_texts.';

create trigger append_only before update or delete or truncate on public.wallet_names
  for each statement execute function private.refuse_change();

create function private.log_names() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  ids bigint[];
  lines text[];
begin
  perform private.lock_log('ledger');
  if exists (
    select from added
    where added.revision > 0 and not exists (
      select from public.wallet_names as former
      where former.address = added.address and former.revision = added.revision - 1
    )
  ) then
    raise check_violation using
      message = 'a revision must follow the one before it',
      constraint = 'wallet_names_revision_follows', table = 'wallet_names', schema = 'public';
  end if;
  select array_agg(line.id order by line.id), array_agg(row_to_json(line)::text order by line.id) into ids, lines
  from (
    select
      'name' as kind, id, revision::integer, private.entry_time(recorded_at) as recorded_at, address::text, name_hash
    from added
  ) as line;
  perform private.append_to_log('ledger', 'name', ids, lines);
  return null;
end;
$$;
create trigger log_rows after insert on public.wallet_names
  referencing new table as added for each statement execute function private.log_names();

create view private.current_names as
select names.id, names.address, names.revision, names.name_hash, names.recorded_at, words.text as name
from public.wallet_names as names
left join private.log_texts as words on words.hash = names.name_hash
where not exists (
  select from public.wallet_names as later
  where later.address = names.address and later.revision = names.revision + 1
);

create view public.published_names with (security_invoker = false) as
select
  names.id, names.address::text as address, names.name, names.name_hash, names.revision, names.recorded_at,
  entries.index as log_index
from private.current_names as names
left join private.log_entries as entries
  on entries.log = 'ledger' and entries.kind = 'name' and entries.row_id = names.id;
comment on view public.published_names is
  'The latest name of every wallet that we named. The name is null where it was withdrawn.';

-- Names a wallet, or with a revision names it again. `entry`: {address, name, revision}. Refuses a wallet of ours (the
-- side of a row that is its account), a name that another wallet has, and a name that can not stand in one line. Returns
-- {id, name_hash}.
create function public.append_name(entry jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  wallet constant text := entry ->> 'address';
  words constant text := entry ->> 'name';
  wanted constant integer := coalesce((entry ->> 'revision')::integer, 0);
  former public.wallet_names;
  added public.wallet_names;
begin
  perform private.lock_log('ledger');
  if words is null or char_length(words) not between 1 and 60 or words <> trim(words)
    or words ~ '[\u0001-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]' then
    raise check_violation using
      message = 'a name has 1 to 60 characters, without control and direction characters and spaces around it',
      constraint = 'wallet_names_name', table = 'wallet_names', schema = 'public';
  end if;
  if exists (
    select from public.transactions where from_address = wallet and (direction = 'out' or counter_account is not null)
  ) or exists (
    select from public.transactions where to_address = wallet and (direction = 'in' or counter_account is not null)
  ) then
    raise check_violation using
      message = 'the ledger has this wallet as one of ours',
      constraint = 'wallet_names_of_others', table = 'wallet_names', schema = 'public';
  end if;
  if exists (
    select from private.current_names where lower(name) = lower(words) and address <> wallet
  ) then
    raise check_violation using
      message = 'another wallet has this name',
      constraint = 'wallet_names_unique', table = 'wallet_names', schema = 'public';
  end if;
  select * into former from public.wallet_names
  where wallet_names.address = wallet and wallet_names.revision = wanted - 1;
  insert into public.wallet_names (address, name_hash, revision)
  values (wallet, private.keep_text_again('ledger', words, former.name_hash), wanted)
  returning * into added;
  return jsonb_build_object('id', added.id, 'name_hash', added.name_hash);
end;
$$;

-- The rows with the name of their other side, as the last column. ---------------------------------------------

create or replace view public.published_transactions with (security_invoker = false) as
select
  facts.id, facts.occurred_at, facts.account, facts.counter_account, facts.direction, facts.type, facts.amount_usd,
  trim_scale(facts.rate_usd)::text as rate_usd, facts.rate_source,
  facts.token_amount::text as token_amount, facts.token_symbol, facts.token_decimals, facts.token_address,
  facts.from_address, facts.to_address, facts.tx_hash, facts.chain_id, facts.ordinal, facts.revision,
  facts.pool_slug,
  facts.proof_hash, proof.text as proof_url, facts.proof_hash is not null and proof.text is null as proof_withdrawn,
  facts.note_hash, note.text as note, facts.note_hash is not null and note.text is null as note_withdrawn,
  facts.recorded_at, entries.index as log_index,
  statuses.status, statuses.checked_at, statuses.unreachable_at,
  found.block_number, found.block_hash, found.block_time, found.confirmations, found.reason,
  (
    select named.name from private.current_names as named
    where facts.counter_account is null
      and named.address = case facts.direction when 'in' then facts.from_address else facts.to_address end
  ) as counter_name
from public.transactions as facts
join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
left join private.log_entries as entries
  on entries.log = 'ledger' and entries.kind = 'transaction' and entries.row_id = facts.id
left join private.log_texts as proof on proof.hash = facts.proof_hash
left join private.log_texts as note on note.hash = facts.note_hash
left join public.transaction_checks as found on found.id = statuses.check_id;
comment on column public.published_transactions.counter_name is
  'The name that we gave to the wallet of the other side, if that is not ours.';

create or replace view public.published_party_transactions with (security_invoker = false) as
select
  parties.party,
  case
    when parties.side is not null then parties.side
    when parties.is_counter then case rows.direction when 'in' then 'out' else 'in' end
    else rows.direction
  end as party_direction,
  parties.id, parties.occurred_at, rows.account, rows.counter_account, rows.direction, rows.type, rows.amount_usd,
  rows.rate_usd, rows.rate_source, rows.token_amount, rows.token_symbol, rows.token_decimals, rows.token_address,
  rows.from_address, rows.to_address, rows.tx_hash, rows.chain_id, rows.ordinal, rows.revision, rows.pool_slug,
  rows.proof_hash, rows.proof_url, rows.proof_withdrawn, rows.note_hash, rows.note, rows.note_withdrawn,
  rows.recorded_at, rows.log_index, rows.status, rows.checked_at, rows.unreachable_at, rows.block_number,
  rows.block_hash, rows.block_time, rows.confirmations, rows.reason, rows.counter_name
from (
  select id, occurred_at, account as party, null::text as side, false as is_counter from public.transactions
  union all
  select id, occurred_at, counter_account, null::text, true from public.transactions
  union all
  select id, occurred_at, from_address::text, 'out'::text, false from public.transactions
  union all
  select id, occurred_at, to_address::text, 'in'::text, false from public.transactions
) as parties
join public.published_transactions as rows on rows.id = parties.id;

create or replace view public.published_records with (security_invoker = false) as
select
  facts.id, facts.occurred_at, facts.account, facts.counter_account, facts.direction, facts.type, facts.amount_usd,
  trim_scale(facts.rate_usd)::text as rate_usd, facts.rate_source,
  facts.token_amount::text as token_amount, facts.token_symbol, facts.token_decimals, facts.token_address,
  facts.from_address, facts.to_address, facts.tx_hash, facts.chain_id, facts.ordinal, facts.revision, facts.pool_slug,
  facts.proof_hash, proof.text as proof_url, facts.proof_hash is not null and proof.text is null as proof_withdrawn,
  facts.note_hash, note.text as note, encode(note.salt, 'hex') as note_salt,
  facts.note_hash is not null and note.text is null as note_withdrawn,
  (select reason from private.log_withdrawals where text_hash = facts.note_hash) as note_withdrawal_reason,
  facts.recorded_at, entries.index as log_index, entries.entry, encode(entries.leaf, 'hex') as leaf,
  statuses.status, statuses.checked_at, statuses.unreachable_at,
  (select max(id) from public.transactions where id < facts.id) as previous_id,
  (select min(id) from public.transactions where id > facts.id) as next_id,
  (
    select min(size)::bigint from private.log_checkpoints where log = 'ledger' and size > entries.index
  ) as signed_size,
  (
    select jsonb_agg(jsonb_build_object(
      'id', revisions.id, 'log_index', revision_entries.index, 'recorded_at', revisions.recorded_at,
      'amount_usd', revisions.amount_usd::text, 'token_amount', revisions.token_amount::text,
      'token_symbol', revisions.token_symbol, 'token_decimals', revisions.token_decimals, 'type', revisions.type,
      'note', revision_note.text
    ) order by revisions.revision)
    from public.transactions as revisions
    left join private.log_entries as revision_entries
      on revision_entries.log = 'ledger' and revision_entries.kind = 'transaction' and revision_entries.row_id = revisions.id
    left join private.log_texts as revision_note on revision_note.hash = revisions.note_hash
    where revisions.chain_id = facts.chain_id and revisions.tx_hash = facts.tx_hash
      and revisions.ordinal = facts.ordinal
  ) as revisions,
  (
    select jsonb_agg(jsonb_build_object(
      'id', id, 'status', status, 'block_number', block_number, 'block_hash', block_hash, 'block_time', block_time,
      'confirmations', confirmations, 'reason', reason, 'checked_at', checked_at
    ) order by id desc)
    from (
      select * from public.transaction_checks where transaction_id = facts.id order by id desc limit 20
    ) as latest
  ) as checks,
  (
    select jsonb_agg(jsonb_build_object(
      'id', calls.id, 'posted_at', calls.posted_at, 'author', calls.author, 'tweet_text', words.text,
      'verified', calls.verified
    ) order by calls.posted_at)
    from public.cz_calls as calls
    left join private.log_texts as words on words.hash = calls.text_hash
    where calls.chain_id = facts.chain_id and calls.tx_hash = facts.tx_hash and not exists (
      select from public.cz_calls as later
      where later.tweet_url = calls.tweet_url and later.revision = calls.revision + 1
    )
  ) as statements,
  named.name as counter_name, named.name_hash as counter_name_hash
from public.transactions as facts
left join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
left join private.log_entries as entries
  on entries.log = 'ledger' and entries.kind = 'transaction' and entries.row_id = facts.id
left join private.log_texts as proof on proof.hash = facts.proof_hash
left join private.log_texts as note on note.hash = facts.note_hash
left join private.current_names as named
  on facts.counter_account is null
    and named.address = case facts.direction when 'in' then facts.from_address else facts.to_address end;
comment on column public.published_records.counter_name_hash is
  'The hash of the name, also if the name was withdrawn.';

create or replace view public.live_state with (security_invoker = false) as
select
  concat_ws(
    ' ',
    (select max(id) from public.transactions),
    (select max(id) from public.reconciliations),
    (select max(id) from private.log_withdrawals),
    -- Open pages are updated after a check that changes a status, and a changed status changes these sums.
    (
      select md5(string_agg(concat_ws(':', status, rows, valued, usd), ' ' order by status))
      from (
        select status, sum(row_count) as rows, sum(valued_count) as valued, sum(sum_usd) as usd
        from private.sums_by_month group by status
      ) as by_status
    ),
    (select concat_ws('-', count(*), max(found_at)) from private.unread_transactions),
    (select max(id) from public.wallet_names)
  ) as ledger,
  concat_ws(' ', (select max(id) from public.cz_calls), (select max(id) from private.log_withdrawals)) as calls,
  concat_ws(' ', (select max(id) from public.pool_updates), (select max(id) from private.log_withdrawals)) as pools;

-- Privileges ----------------------------------------------------------------------------------------------

alter table public.wallet_names enable row level security;
revoke all on public.wallet_names, public.published_names from public, anon, authenticated, service_role;
revoke all on private.current_names from public, anon, authenticated, service_role;
grant select on public.wallet_names to service_role;
grant select on public.published_names to anon, authenticated, service_role;
revoke all on function private.log_names() from public, anon, authenticated, service_role;
revoke all on function public.append_name(jsonb) from public, anon, authenticated;
grant execute on function public.append_name(jsonb) to service_role;
revoke all on all sequences in schema public from public, anon, authenticated, service_role;
