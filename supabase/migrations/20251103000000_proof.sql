-- What makes the ledger checkable: every row is hashed over its facts and the row before it, every check of a row
-- against the chain is kept, sums count only what was verified, and signed heads are archived.
-- The canonical form that is hashed is specified in supabase/ledger-format.md, with test vectors.
-- The service writes through the functions at the end and in no other way: appends are then complete, idempotent and
-- exact, since numbers travel as text inside jsonb.

-- One writer at a time appends or records checks: seq has no gaps and sums never race.
create function private.lock_ledger() returns void
language sql set search_path = '' as $$
  select pg_catalog.pg_advisory_xact_lock(5106847532291)
$$;
revoke all on function private.lock_ledger() from public, anon, authenticated;

-- The chain -----------------------------------------------------------------------------------------------

alter table public.transactions
  add column seq bigint,
  add column previous_hash text,
  add column hash text;

-- One function and no other inside it: each would set the search path anew, for every field of every row.
create function private.canonical_transaction(facts public.transactions) returns text
language sql stable set search_path = '' as $$
  select E'goodblock-ledger-1\n' || string_agg(
    name || coalesce(' ' || octet_length(value) || ' ' || value, ' -') || E'\n', '' order by place
  )
  from (values
    (1, 'seq', facts.seq::text),
    (2, 'previous_hash', facts.previous_hash),
    (3, 'occurred_at', to_char(facts.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')),
    (4, 'type', facts.type),
    (5, 'direction', facts.direction),
    (6, 'amount_usd', facts.amount_usd::text),
    (7, 'rate_usd', trim_scale(facts.rate_usd)::text),
    (8, 'rate_source', facts.rate_source),
    (9, 'token_amount', facts.token_amount::text),
    (10, 'token_symbol', facts.token_symbol),
    (11, 'token_decimals', facts.token_decimals::text),
    (12, 'token_address', facts.token_address),
    (13, 'from_address', facts.from_address),
    (14, 'to_address', facts.to_address),
    (15, 'tx_hash', facts.tx_hash),
    (16, 'chain_id', facts.chain_id::text),
    (17, 'ordinal', facts.ordinal::text),
    (18, 'revision', facts.revision::text),
    (19, 'pool_slug', facts.pool_slug),
    (20, 'proof_url', facts.proof_url),
    (21, 'note', facts.note),
    (22, 'recorded_at', to_char(facts.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
  ) as fields (place, name, value)
$$;

create function private.hash_transaction(facts public.transactions) returns text
language sql stable set search_path = '' as $$
  select encode(sha256(convert_to(private.canonical_transaction(facts), 'UTF8')), 'hex')
$$;

-- The place and the hash are the database's to give, whatever a writer sends. A row that is skipped as known
-- leaves no gap: the place is read from the table, not counted. A plan made while the table was empty is kept for
-- many rows of one statement, so it must be the one by index.
create function private.chain_transaction() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off as $$
declare
  last record;
begin
  perform private.lock_ledger();
  select transactions.seq, transactions.hash into last
  from public.transactions order by transactions.seq desc limit 1;
  new.seq := coalesce(last.seq, 0) + 1;
  new.previous_hash := coalesce(last.hash, repeat('0', 64));
  new.hash := private.hash_transaction(new);
  return new;
end;
$$;
revoke all on function private.chain_transaction() from public, anon, authenticated;

-- Rows from before there was a chain are chained in the order in which they were recorded.
alter table public.transactions disable trigger append_only;
do $$
declare
  facts public.transactions;
  place bigint := 0;
  previous text := repeat('0', 64);
begin
  for facts in select * from public.transactions order by id loop
    place := place + 1;
    facts.seq := place;
    facts.previous_hash := previous;
    previous := private.hash_transaction(facts);
    update public.transactions
    set seq = facts.seq, previous_hash = facts.previous_hash, hash = previous where id = facts.id;
  end loop;
end;
$$;
alter table public.transactions enable trigger append_only;

alter table public.transactions
  alter column seq set not null,
  alter column previous_hash set not null,
  alter column hash set not null,
  add constraint transactions_seq unique (seq);
comment on column public.transactions.seq is 'Place in the hash chain, from 1, without gaps.';
comment on column public.transactions.hash is 'SHA-256 of the canonical form, which ends the one of the row before it.';

create trigger chain before insert on public.transactions
  for each row execute function private.chain_transaction();

-- Checks against the chain --------------------------------------------------------------------------------

create table public.transaction_checks (
  id bigint generated always as identity primary key,
  transaction_id bigint not null references public.transactions (id),
  status text not null
    constraint transaction_checks_status_known
    check (status in ('pending', 'verified', 'mismatch', 'reorganised', 'unreachable')),
  block_number bigint
    constraint transaction_checks_block_number_range check (block_number >= 0),
  block_hash text
    constraint transaction_checks_block_hash_format check (block_hash ~ '^0x[0-9a-f]{64}$'),
  block_time timestamptz,
  confirmations integer
    constraint transaction_checks_confirmations_range check (confirmations >= 0),
  reason text
    constraint transaction_checks_reason_length check (char_length(reason) between 1 and 200),
  checked_at timestamptz not null default now(),
  constraint transaction_checks_verified_has_block check (
    status <> 'verified' or (block_number is not null and block_hash is not null and confirmations is not null)
  )
);
comment on table public.transaction_checks is 'What checking a row against the chain found, each time it was checked.';
comment on column public.transaction_checks.status is
  'pending: on its way to being final. unreachable: nobody could be asked, which says nothing about the row.';
comment on column public.transaction_checks.reason is 'What did not match, in words.';
create index transaction_checks_of_transaction on public.transaction_checks (transaction_id, id desc);

create trigger append_only before update or delete or truncate on public.transaction_checks
  for each statement execute function private.refuse_change();

-- How each published row stands, kept so that pages and sums need not look through the checks.
create table private.transaction_standings (
  transaction_id bigint primary key references public.transactions (id),
  status text not null default 'pending',
  check_id bigint references public.transaction_checks (id),
  checked_at timestamptz,
  unreachable_at timestamptz
);
comment on table private.transaction_standings is
  'The latest check of every latest revision that found an answer. Kept by triggers.';
comment on column private.transaction_standings.unreachable_at is
  'When a later check found nobody to ask: what was known before still stands.';
create index transaction_standings_open on private.transaction_standings (checked_at nulls first, transaction_id)
  where status in ('pending', 'unreachable');
create index transaction_standings_settled on private.transaction_standings (checked_at, transaction_id)
  where status not in ('pending', 'unreachable');

-- Sums, by month and by standing --------------------------------------------------------------------------

drop view public.ledger_totals, public.pool_totals, public.published_donations, public.published_transactions;
drop trigger add_to_sums on public.transactions;
drop function private.add_transactions_to_sums();
drop table private.ledger_sums;

create table private.ledger_sums (
  month date not null,
  type text not null,
  direction text not null,
  pool_slug text,
  status text not null,
  row_count bigint not null,
  valued_count bigint not null,
  sum_usd numeric(20, 2) not null,
  constraint ledger_sums_key unique nulls not distinct (month, type, direction, pool_slug, status)
);
comment on table private.ledger_sums is 'Running sums over the latest revisions, by month (UTC) and standing. Kept by triggers.';

create function private.month_of(at timestamptz) returns date
language sql stable set search_path = '' as $$
  select date_trunc('month', at at time zone 'UTC')::date
$$;

create type private.sum_change as (sign integer, transaction_id bigint, status text);

-- Counts each row into the sums of its standing (sign 1) or out of them (sign -1).
create function private.change_sums(changes private.sum_change[]) returns void
language sql set search_path = '' as $$
  insert into private.ledger_sums as sums
    (month, type, direction, pool_slug, status, row_count, valued_count, sum_usd)
  select
    private.month_of(facts.occurred_at), facts.type, facts.direction, facts.pool_slug, change.status,
    sum(change.sign),
    coalesce(sum(change.sign) filter (where facts.amount_usd is not null), 0),
    coalesce(sum(change.sign * facts.amount_usd), 0)
  from unnest(changes) as change
  join public.transactions as facts on facts.id = change.transaction_id
  group by 1, 2, 3, 4, 5
  on conflict on constraint ledger_sums_key do update set
    row_count = sums.row_count + excluded.row_count,
    valued_count = sums.valued_count + excluded.valued_count,
    sum_usd = sums.sum_usd + excluded.sum_usd
$$;
revoke all on function private.change_sums(private.sum_change[]) from public, anon, authenticated;

create function private.count_transactions() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  changes private.sum_change[];
begin
  if exists (
    select from added
    where added.revision > 0 and not exists (
      select from public.transactions as former
      where former.chain_id = added.chain_id and former.tx_hash = added.tx_hash
        and former.ordinal = added.ordinal and former.revision = added.revision - 1
    )
  ) then
    raise check_violation using
      message = 'a revision must follow the one before it',
      constraint = 'transactions_revision_follows', table = 'transactions', schema = 'public';
  end if;

  -- A row that was recorded and corrected in one statement has no standing yet.
  select array_agg(change) into changes
  from (
    select (1, added.id, 'pending')::private.sum_change as change from added
    union all
    select (-1, former.id, coalesce(standing.status, 'pending'))::private.sum_change
    from added
    join public.transactions as former on former.chain_id = added.chain_id and former.tx_hash = added.tx_hash
      and former.ordinal = added.ordinal and former.revision = added.revision - 1
    left join private.transaction_standings as standing on standing.transaction_id = former.id
    where added.revision > 0
  ) as changed;
  perform private.change_sums(changes);

  delete from private.transaction_standings
  using added, public.transactions as former
  where added.revision > 0 and former.chain_id = added.chain_id and former.tx_hash = added.tx_hash
    and former.ordinal = added.ordinal and former.revision = added.revision - 1
    and transaction_standings.transaction_id = former.id;

  -- A later revision can only be one of this statement.
  insert into private.transaction_standings (transaction_id)
  select added.id from added
  where not exists (
    select from added as later
    where later.chain_id = added.chain_id and later.tx_hash = added.tx_hash
      and later.ordinal = added.ordinal and later.revision = added.revision + 1
  );
  return null;
end;
$$;
revoke all on function private.count_transactions() from public, anon, authenticated;

create trigger count_rows after insert on public.transactions
  referencing new table as added
  for each statement execute function private.count_transactions();

create function private.count_checks() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  changes private.sum_change[];
begin
  perform private.lock_ledger();
  with found as (
    -- What answers, the latest; where nothing does, the latest attempt.
    select distinct on (transaction_id) transaction_id, id, status, checked_at
    from added order by transaction_id, status = 'unreachable', id desc
  ), attempted as (
    select distinct on (transaction_id) transaction_id, id, status, checked_at
    from added order by transaction_id, id desc
  ), before as (
    select standing.transaction_id, standing.status
    from private.transaction_standings as standing join found using (transaction_id)
  ), after as (
    update private.transaction_standings as standing
    set
      status = case when found.status <> 'unreachable' or standing.check_id is null or standing.status = 'unreachable'
        then found.status else standing.status end,
      check_id = case when found.status <> 'unreachable' or standing.check_id is null or standing.status = 'unreachable'
        then found.id else standing.check_id end,
      checked_at = attempted.checked_at,
      unreachable_at = case when attempted.status = 'unreachable' then attempted.checked_at end
    from found join attempted using (transaction_id)
    where standing.transaction_id = found.transaction_id
    returning standing.transaction_id, standing.status
  )
  select array_agg(change) into changes
  from (
    select (-1, before.transaction_id, before.status)::private.sum_change as change
    from before join after using (transaction_id) where before.status <> after.status
    union all
    select (1, after.transaction_id, after.status)::private.sum_change
    from before join after using (transaction_id) where before.status <> after.status
  ) as changed;
  perform private.change_sums(changes);
  return null;
end;
$$;
revoke all on function private.count_checks() from public, anon, authenticated;

create trigger count_checks after insert on public.transaction_checks
  referencing new table as added
  for each statement execute function private.count_checks();

-- Rows from before: they stand as pending until somebody checks them.
insert into private.transaction_standings (transaction_id)
select facts.id from public.transactions as facts
where not exists (
  select from public.transactions as later
  where later.chain_id = facts.chain_id and later.tx_hash = facts.tx_hash
    and later.ordinal = facts.ordinal and later.revision = facts.revision + 1
);
select private.change_sums(array_agg((1, transaction_id, 'pending')::private.sum_change))
from private.transaction_standings;

-- How far the chain was read ------------------------------------------------------------------------------

create table private.ledger_scans (
  chain_id integer primary key,
  block_number bigint not null,
  block_hash text not null,
  block_time timestamptz not null,
  scanned_at timestamptz not null default now()
);
comment on table private.ledger_scans is 'Up to which block each chain was read; written with the rows that were found.';

-- Signed heads --------------------------------------------------------------------------------------------

create table public.ledger_heads (
  id bigint generated always as identity primary key,
  seq bigint not null,
  hash text not null
    constraint ledger_heads_hash_format check (hash ~ '^[0-9a-f]{64}$'),
  signed_at timestamptz not null,
  public_key text not null
    constraint ledger_heads_public_key_format check (public_key ~ '^[A-Za-z0-9+/]{43}=$'),
  signature text not null
    constraint ledger_heads_signature_format check (signature ~ '^[A-Za-z0-9+/]{86}==$'),
  constraint ledger_heads_key unique (seq, public_key)
);
comment on table public.ledger_heads is 'Every head of the chain that was signed (Ed25519): seq, hash and time, as supabase/ledger-format.md says.';

create trigger append_only before update or delete or truncate on public.ledger_heads
  for each statement execute function private.refuse_change();

-- Reconciliation ------------------------------------------------------------------------------------------

create table public.reconciliations (
  id bigint generated always as identity primary key,
  chain_id integer not null,
  block_number bigint not null,
  block_hash text not null
    constraint reconciliations_block_hash_format check (block_hash ~ '^0x[0-9a-f]{64}$'),
  block_time timestamptz not null,
  wallet text not null
    constraint reconciliations_wallet_format check (wallet ~ '^0x[0-9a-f]{40}$'),
  token_address text
    constraint reconciliations_token_address_format check (token_address ~ '^0x[0-9a-f]{40}$'),
  token_symbol text not null
    constraint reconciliations_token_symbol_length check (char_length(token_symbol) between 1 and 32),
  token_decimals smallint not null
    constraint reconciliations_token_decimals_range check (token_decimals between 0 and 255),
  chain_amount numeric(78, 0) not null
    constraint reconciliations_chain_amount_positive check (chain_amount >= 0),
  ledger_amount numeric(78, 0) not null,
  unlisted jsonb not null default '[]'
    constraint reconciliations_unlisted_list check (jsonb_typeof(unlisted) = 'array' and jsonb_array_length(unlisted) <= 20),
  taken_at timestamptz not null default now()
);
comment on table public.reconciliations is
  'What a wallet held of a token at a block, beside what the ledger''s verified rows add up to until there.';
comment on column public.reconciliations.token_address is 'Null for the native coin.';
comment on column public.reconciliations.unlisted is
  'Transfers on chain that the ledger lacks: [{"tx_hash", "ordinal", "direction", "amount"}], at most 20.';
create index reconciliations_latest
  on public.reconciliations (chain_id, wallet, token_address, id desc);

create trigger append_only before update or delete or truncate on public.reconciliations
  for each statement execute function private.refuse_change();

-- Statements: what was said, when it was captured, and its fingerprint ------------------------------------

alter table public.cz_calls
  add column captured_at timestamptz,
  add column statement_sha256 text not null default '';

alter table public.cz_calls disable trigger append_only;
update public.cz_calls set statement_sha256 = encode(sha256(convert_to(tweet_text, 'UTF8')), 'hex');
alter table public.cz_calls enable trigger append_only;
comment on column public.cz_calls.captured_at is 'When the statement was read at its address; null where nobody noted it.';
comment on column public.cz_calls.statement_sha256 is 'Of tweet_text in UTF-8. A trigger computes it, whatever is sent.';

create or replace function private.check_cz_call_revision() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.revision > 0 and not exists (
    select from public.cz_calls where tweet_url = new.tweet_url and revision = new.revision - 1
  ) then
    raise check_violation using
      message = 'a revision must follow the one before it',
      constraint = 'cz_calls_revision_follows', table = 'cz_calls', schema = 'public';
  end if;
  new.statement_sha256 := encode(sha256(convert_to(new.tweet_text, 'UTF8')), 'hex');
  return new;
end;
$$;

-- What is published ---------------------------------------------------------------------------------------

create view public.published_transactions with (security_invoker = false) as
select
  facts.id, facts.occurred_at, facts.type, facts.direction, facts.amount_usd,
  trim_scale(facts.rate_usd)::text as rate_usd, facts.rate_source,
  facts.token_amount::text as token_amount, facts.token_symbol, facts.token_decimals, facts.token_address,
  facts.from_address, facts.to_address, facts.tx_hash, facts.chain_id, facts.ordinal, facts.revision,
  facts.pool_slug, facts.proof_url, facts.note, facts.recorded_at, facts.seq, facts.previous_hash, facts.hash,
  standing.status, standing.checked_at, standing.unreachable_at,
  found.block_number, found.block_hash, found.block_time, found.confirmations, found.reason
from public.transactions as facts
join private.transaction_standings as standing on standing.transaction_id = facts.id
left join public.transaction_checks as found on found.id = standing.check_id;
comment on view public.published_transactions is 'The latest revision of every transfer, and how it stands on chain.';
comment on column public.published_transactions.status is
  'What the latest check with an answer found; pending before the first, unreachable where none had an answer yet.';
comment on column public.published_transactions.checked_at is 'When it was last tried; null before the first time.';
comment on column public.published_transactions.unreachable_at is
  'Set where the last try found nobody to ask: the status is then what was known before.';

create view public.published_donations with (security_invoker = false) as
select
  id, occurred_at, pool_slug, amount_usd, token_amount, token_symbol, token_decimals,
  to_address, tx_hash, chain_id, proof_url, note, recorded_at, status, checked_at, unreachable_at
from public.published_transactions
where type = 'donation';
comment on view public.published_donations is 'Money paid out of the treasury to a pool, or to another cause (no pool_slug).';

-- Spelled as in the canonical form. A function of ours in a view would need the reader's right to call it.
create view public.published_chain with (security_invoker = false) as
select
  seq, previous_hash,
  to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as occurred_at, type, direction, amount_usd::text as amount_usd,
  trim_scale(rate_usd)::text as rate_usd, rate_source,
  token_amount::text as token_amount, token_symbol, token_decimals, token_address,
  from_address, to_address, tx_hash, chain_id, ordinal, revision, pool_slug, proof_url, note,
  to_char(recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as recorded_at, hash, id
from public.transactions;
comment on view public.published_chain is
  'Every row that was ever appended, corrected ones too, as it is hashed. Read it by seq.';

create view public.published_checks with (security_invoker = false) as
select id, transaction_id, status, block_number, block_hash, block_time, confirmations, reason, checked_at
from public.transaction_checks;
comment on view public.published_checks is 'Every check of every row.';

create view public.published_heads with (security_invoker = false) as
select id, seq, hash, signed_at, public_key, signature from public.ledger_heads;
comment on view public.published_heads is 'Every signed head of the chain.';

create view public.published_reconciliations with (security_invoker = false) as
select distinct on (chain_id, wallet, token_address)
  id, chain_id, block_number, block_hash, block_time, wallet, token_address, token_symbol, token_decimals,
  chain_amount::text as chain_amount, ledger_amount::text as ledger_amount,
  (chain_amount - ledger_amount)::text as difference, unlisted, taken_at
from public.reconciliations
order by chain_id, wallet, token_address, id desc;
comment on view public.published_reconciliations is 'The latest reconciliation of each wallet and token.';

create view public.ledger_totals with (security_invoker = false) as
select
  coalesce(sum(case direction when 'in' then sum_usd else -sum_usd end) filter (where status = 'verified'), 0)::numeric(20, 2) as treasury_usd,
  coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'donation' and direction = 'out'), 0)::numeric(20, 2) as donated_usd,
  coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'dream' and direction = 'out'), 0)::numeric(20, 2) as dreams_funded_usd,
  coalesce(sum(row_count) filter (where status = 'verified' and type = 'dream' and direction = 'out'), 0)::bigint as dreams_count,
  coalesce(sum(row_count), 0)::bigint as transactions_count,
  coalesce(sum(row_count) filter (where status = 'verified'), 0)::bigint as verified_count,
  coalesce(sum(row_count) filter (where status in ('pending', 'unreachable')), 0)::bigint as pending_count,
  coalesce(sum(row_count) filter (where status in ('mismatch', 'reorganised')), 0)::bigint as disputed_count,
  coalesce(sum(row_count - valued_count), 0)::bigint as unvalued_count,
  (select occurred_at from public.published_transactions order by occurred_at desc, id desc limit 1) as last_occurred_at,
  (select recorded_at from public.transactions order by seq desc limit 1) as as_of
from private.ledger_sums;
comment on view public.ledger_totals is 'The three figures of the site, over all rows that are verified on chain and valued. The formulas stand here and nowhere else.';
comment on column public.ledger_totals.treasury_usd is 'Treasury: everything that came in, less everything that went out.';
comment on column public.ledger_totals.donated_usd is 'Donated: what went out as donations.';
comment on column public.ledger_totals.dreams_funded_usd is 'Dreams Funded: what went out as dreams.';
comment on column public.ledger_totals.pending_count is 'Transactions that are not verified yet, which no total includes.';
comment on column public.ledger_totals.disputed_count is 'Transactions that the chain does not bear out, which no total includes.';
comment on column public.ledger_totals.unvalued_count is 'Transactions without a value in dollars, which no total includes.';
comment on column public.ledger_totals.as_of is 'When the ledger was last written.';

create view public.pool_totals with (security_invoker = false) as
select
  impact_pools.slug,
  coalesce(sums.total_usd, 0)::numeric(20, 2) as total_usd,
  coalesce(sums.donations_count, 0)::bigint as donations_count,
  coalesce(sums.pending_count, 0)::bigint as pending_count,
  coalesce(sums.disputed_count, 0)::bigint as disputed_count,
  coalesce(sums.unvalued_count, 0)::bigint as unvalued_count,
  last_donation.occurred_at as last_donation_at
from private.impact_pools
left join (
  select
    pool_slug,
    sum(sum_usd) filter (where status = 'verified') as total_usd,
    sum(row_count) as donations_count,
    sum(row_count) filter (where status in ('pending', 'unreachable')) as pending_count,
    sum(row_count) filter (where status in ('mismatch', 'reorganised')) as disputed_count,
    sum(row_count - valued_count) as unvalued_count
  from private.ledger_sums where pool_slug is not null group by pool_slug
) as sums on sums.pool_slug = impact_pools.slug
left join lateral (
  select occurred_at from public.published_donations
  where published_donations.pool_slug = impact_pools.slug
  order by occurred_at desc, id desc
  limit 1
) as last_donation on true;
comment on view public.pool_totals is 'What each impact pool received, one row for every pool; the total is of verified donations.';

create view public.ledger_months with (security_invoker = false) as
select
  month, type, direction, pool_slug,
  coalesce(sum(sum_usd) filter (where status = 'verified'), 0)::numeric(20, 2) as sum_usd,
  coalesce(sum(row_count) filter (where status = 'verified'), 0)::bigint as verified_count,
  sum(row_count)::bigint as row_count
from private.ledger_sums
group by month, type, direction, pool_slug
having sum(row_count) > 0;
comment on view public.ledger_months is 'Verified dollars by month (UTC), type, direction and pool. A month without rows is absent.';

create view public.ledger_status with (security_invoker = false) as
select
  head.seq, head.hash, head.recorded_at,
  (select max(id) from public.transaction_checks) as check_id,
  (select max(id) from public.cz_calls) as cz_call_id,
  signed.seq as signed_seq,
  scan.chain_id, scan.block_number, scan.block_hash, scan.block_time, scan.scanned_at
from (values (1)) as one (row)
left join lateral (
  select seq, hash, recorded_at from public.transactions order by seq desc limit 1
) as head on true
left join lateral (select seq from public.ledger_heads order by id desc limit 1) as signed on true
left join lateral (select * from private.ledger_scans order by scanned_at desc limit 1) as scan on true;
comment on view public.ledger_status is
  'One row: the head of the chain, what tells one state of the ledger from another, and how far the blockchain was read.';
comment on column public.ledger_status.scanned_at is 'When the blockchain was last read, with or without new rows.';

drop view public.published_cz_calls;
create view public.published_cz_calls with (security_invoker = false) as
select
  calls.id, calls.posted_at, calls.author, calls.verified, calls.tweet_text, calls.tweet_url, calls.action_taken,
  calls.tx_hash, calls.chain_id, calls.revision, calls.recorded_at, calls.captured_at, calls.statement_sha256,
  answer.id as transaction_id, answer.occurred_at as answered_at, answer.status, answer.checked_at, answer.unreachable_at
from public.cz_calls as calls
left join lateral (
  select id, occurred_at, status, checked_at, unreachable_at
  from public.published_transactions
  where published_transactions.chain_id = calls.chain_id and published_transactions.tx_hash = calls.tx_hash
  order by ordinal limit 1
) as answer on true
where not exists (
  select from public.cz_calls as later
  where later.tweet_url = calls.tweet_url and later.revision = calls.revision + 1
);
comment on view public.published_cz_calls is
  'The latest revision of every statement, with the transaction that answered it where the ledger has it.';

-- What the service may do ---------------------------------------------------------------------------------

-- Appends rows to the ledger, and in the same transaction moves the scan on. A transfer that the ledger has is
-- skipped; a correction (revision > 0) is appended once. `scan`, where given: {chain_id, after, block_number,
-- block_hash, block_time}, with `after` the block number that the caller believes the scan is at, or null for none.
-- When somebody else has moved it, nothing is written and SQLSTATE 40001 is raised: read again.
create function public.append_ledger(entries jsonb, scan jsonb default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  added bigint;
begin
  perform private.lock_ledger();
  if scan is not null and (scan ->> 'after')::bigint is distinct from
    (select block_number from private.ledger_scans where chain_id = (scan ->> 'chain_id')::integer) then
    raise serialization_failure using message = 'the scan was moved by somebody else';
  end if;

  insert into public.transactions (
    occurred_at, type, direction, amount_usd, rate_usd, rate_source, token_amount, token_symbol, token_decimals,
    token_address, from_address, to_address, tx_hash, chain_id, ordinal, revision, pool_slug, proof_url, note
  )
  select
    occurred_at, type, direction, amount_usd, rate_usd, rate_source, token_amount, token_symbol, token_decimals,
    token_address, from_address, to_address, tx_hash, chain_id, ordinal, coalesce(revision, 0), pool_slug, proof_url, note
  from rows from (
    jsonb_to_recordset(entries) as (
      occurred_at timestamptz, type text, direction text, amount_usd numeric, rate_usd numeric, rate_source text,
      token_amount numeric, token_symbol text, token_decimals smallint, token_address text, from_address text,
      to_address text, tx_hash text, chain_id integer, ordinal integer, revision integer, pool_slug text,
      proof_url text, note text
    )
  ) with ordinality
  order by ordinality
  on conflict (chain_id, tx_hash, ordinal, revision) do nothing;
  get diagnostics added = row_count;

  if scan is not null then
    insert into private.ledger_scans (chain_id, block_number, block_hash, block_time)
    values (
      (scan ->> 'chain_id')::integer, (scan ->> 'block_number')::bigint, scan ->> 'block_hash',
      (scan ->> 'block_time')::timestamptz
    )
    on conflict (chain_id) do update set
      block_number = excluded.block_number, block_hash = excluded.block_hash,
      block_time = excluded.block_time, scanned_at = now();
  end if;

  return jsonb_build_object(
    'added', added,
    'seq', (select max(seq) from public.transactions)
  );
end;
$$;

-- Rows that want a check, soonest first: those that are not settled, then settled ones last checked before
-- `settled_before`. Amounts are text.
create function public.transactions_due(chain integer, settled_before timestamptz, most integer) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', facts.id, 'tx_hash', facts.tx_hash, 'ordinal', facts.ordinal, 'token_address', facts.token_address,
    'token_amount', facts.token_amount::text, 'from_address', facts.from_address, 'to_address', facts.to_address,
    'occurred_at', facts.occurred_at, 'status', due.status, 'block_hash', found.block_hash
  ) order by due.place), '[]')
  from (
    select *, row_number() over () as place from (
      (
        select standing.transaction_id, standing.status, standing.check_id
        from private.transaction_standings as standing
        join public.transactions as facts on facts.id = standing.transaction_id and facts.chain_id = chain
        where standing.status in ('pending', 'unreachable')
        order by standing.checked_at nulls first, standing.transaction_id limit most
      )
      union all
      (
        select standing.transaction_id, standing.status, standing.check_id
        from private.transaction_standings as standing
        join public.transactions as facts on facts.id = standing.transaction_id and facts.chain_id = chain
        where standing.status not in ('pending', 'unreachable') and standing.checked_at < settled_before
        order by standing.checked_at, standing.transaction_id limit most
      )
    ) as open_then_settled
    limit most
  ) as due
  join public.transactions as facts on facts.id = due.transaction_id
  left join public.transaction_checks as found on found.id = due.check_id
$$;

-- Records what checks found: [{transaction_id, status, block_number, block_hash, block_time, confirmations, reason}].
create function public.record_checks(checks jsonb) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  added bigint;
begin
  perform private.lock_ledger();
  insert into public.transaction_checks
    (transaction_id, status, block_number, block_hash, block_time, confirmations, reason)
  select transaction_id, status, block_number, block_hash, block_time, confirmations, reason
  from rows from (
    jsonb_to_recordset(checks) as (
      transaction_id bigint, status text, block_number bigint, block_hash text, block_time timestamptz,
      confirmations integer, reason text
    )
  ) with ordinality
  order by ordinality;
  get diagnostics added = row_count;
  return added;
end;
$$;

-- Archives a signed head, once for each place and key. Refuses one that is not of this chain.
create function public.archive_head(head jsonb) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  added bigint;
begin
  if not exists (
    select from public.transactions where seq = (head ->> 'seq')::bigint and hash = head ->> 'hash'
  ) then
    raise check_violation using
      message = 'no row of the ledger has this place and hash', constraint = 'ledger_heads_of_chain',
      table = 'ledger_heads', schema = 'public';
  end if;
  insert into public.ledger_heads (seq, hash, signed_at, public_key, signature)
  values (
    (head ->> 'seq')::bigint, head ->> 'hash', (head ->> 'signed_at')::timestamptz,
    head ->> 'public_key', head ->> 'signature'
  )
  on conflict (seq, public_key) do nothing;
  get diagnostics added = row_count;
  return added > 0;
end;
$$;

-- What the verified rows until a block add up to for each wallet and token, as text:
-- [{wallet, token_address, amount}]. Looks through the whole ledger: for scheduled work, not for pages.
create function public.ledger_balances(chain integer, wallets jsonb, until_block bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'wallet', wallet, 'token_address', token_address, 'amount', amount::text
  )), '[]')
  from (
    select wallet, facts.token_address,
      sum(case when facts.to_address = wallet then facts.token_amount else 0 end
        - case when facts.from_address = wallet then facts.token_amount else 0 end) as amount
    from public.transactions as facts
    join private.transaction_standings as standing on standing.transaction_id = facts.id and standing.status = 'verified'
    join public.transaction_checks as found on found.id = standing.check_id and found.block_number <= until_block
    join jsonb_array_elements_text(wallets) as wallet on wallet in (facts.to_address, facts.from_address)
    where facts.chain_id = chain
    group by wallet, facts.token_address
  ) as sums
$$;

-- Records a reconciliation of each wallet and token; the columns of the table, amounts as text.
create function public.record_reconciliations(entries jsonb) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  added bigint;
begin
  insert into public.reconciliations (
    chain_id, block_number, block_hash, block_time, wallet, token_address, token_symbol, token_decimals,
    chain_amount, ledger_amount, unlisted
  )
  select
    chain_id, block_number, block_hash, block_time, wallet, token_address, token_symbol, token_decimals,
    chain_amount, ledger_amount, coalesce(unlisted, '[]')
  from jsonb_to_recordset(entries) as entry (
    chain_id integer, block_number bigint, block_hash text, block_time timestamptz, wallet text, token_address text,
    token_symbol text, token_decimals smallint, chain_amount numeric, ledger_amount numeric, unlisted jsonb
  );
  get diagnostics added = row_count;
  return added;
end;
$$;

-- Privileges ----------------------------------------------------------------------------------------------

alter table public.transaction_checks enable row level security;
alter table public.ledger_heads enable row level security;
alter table public.reconciliations enable row level security;

revoke insert on public.transactions from service_role;
revoke insert (
  occurred_at, type, direction, amount_usd, rate_usd, rate_source, token_amount, token_symbol, token_decimals,
  token_address, from_address, to_address, tx_hash, chain_id, ordinal, revision, pool_slug, proof_url, note
) on public.transactions from service_role;

revoke all on public.transaction_checks, public.ledger_heads, public.reconciliations
  from public, anon, authenticated, service_role;
revoke all on sequence
  public.transaction_checks_id_seq, public.ledger_heads_id_seq, public.reconciliations_id_seq
  from public, anon, authenticated, service_role;
grant select on public.transaction_checks, public.ledger_heads, public.reconciliations to service_role;

revoke all on
  public.published_transactions, public.published_donations, public.published_chain, public.published_checks,
  public.published_heads, public.published_reconciliations, public.published_cz_calls,
  public.ledger_totals, public.pool_totals, public.ledger_months, public.ledger_status
  from public, anon, authenticated, service_role;
grant select on
  public.published_transactions, public.published_donations, public.published_chain, public.published_checks,
  public.published_heads, public.published_reconciliations, public.published_cz_calls,
  public.ledger_totals, public.pool_totals, public.ledger_months, public.ledger_status
  to anon, authenticated, service_role;

grant insert (captured_at) on public.cz_calls to service_role;

revoke all on function
  public.append_ledger(jsonb, jsonb), public.transactions_due(integer, timestamptz, integer),
  public.record_checks(jsonb), public.archive_head(jsonb), public.ledger_balances(integer, jsonb, bigint),
  public.record_reconciliations(jsonb)
  from public, anon, authenticated;
grant execute on function
  public.append_ledger(jsonb, jsonb), public.transactions_due(integer, timestamptz, integer),
  public.record_checks(jsonb), public.archive_head(jsonb), public.ledger_balances(integer, jsonb, bigint),
  public.record_reconciliations(jsonb)
  to service_role;
revoke all on function
  private.canonical_transaction(public.transactions), private.hash_transaction(public.transactions),
  private.month_of(timestamptz)
  from public, anon, authenticated;
