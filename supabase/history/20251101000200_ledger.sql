-- The ledger: transfers from and to our accounts, the public statements to which donations respond, the updates of
-- impact pools, and the results of checks. Facts are immutable. A correction is a new revision; lists and totals have
-- the latest revision. Each revision of a transfer, statement or update is an entry of the log. Anonymous visitors and
-- members read the ledger only through views and functions.

insert into private.logs (name) values ('ledger');

-- These limits ensure that every reader can represent every value, and that no sum overflows. They also exclude NaN,
-- which a plain numeric accepts: it is greater than every number, and it makes each sum that contains it NaN.
create domain private.dollars as numeric(12, 2)
  constraint dollars_range check (value between 0 and 9999999999.99);
create domain private.dollar_rate as numeric(38, 18)
  constraint dollar_rate_range check (value > 0 and value < 1000000000000000);
create domain private.base_units as numeric(78, 0)
  constraint base_units_range check (value between 0 and 115792089237316195423570985008687907853269984665640564039457584007913129639935);
comment on domain private.base_units is 'An amount of a token in base units: a uint256.';
create domain private.signed_base_units as numeric(78, 0)
  constraint signed_base_units_range check (value between -1e77 and 1e77);
create domain private.chain_id as integer
  constraint chain_id_range check (value > 0);
create domain private.revision as integer
  constraint revision_range check (value between 0 and 10000);
create domain private.decimals as smallint
  constraint decimals_range check (value between 0 and 77);
create domain private.address as text
  constraint address_format check (value ~ '^0x[0-9a-f]{40}$');
create domain private.hash32 as text
  constraint hash32_format check (value ~ '^0x[0-9a-f]{64}$');

-- Accounts ------------------------------------------------------------------------------------------------

create table private.accounts (
  slug text primary key
    constraint accounts_slug_format check (slug ~ '^[a-z][a-z-]{0,49}$'),
  is_pool boolean not null
);
comment on table private.accounts is 'Our wallets: the treasury, the donation wallet, and one for each impact pool. app/impact-pools.ts has the texts and pictures of the pools.';
insert into private.accounts (slug, is_pool) values
  ('treasury', false), ('donation-wallet', false),
  ('education', true), ('humanitarian-relief', true), ('animal-welfare', true);

-- Transactions --------------------------------------------------------------------------------------------

create table public.transactions (
  id bigint generated always as identity primary key,
  occurred_at private.moment not null,
  account text not null references private.accounts (slug),
  counter_account text references private.accounts (slug),
  direction text not null
    constraint transactions_direction_known check (direction in ('in', 'out')),
  type text not null
    constraint transactions_type_known
    check (type in ('donation', 'gift', 'spending', 'cost', 'tax', 'dream', 'move', 'other')),
  pool_slug text references private.accounts (slug),
  amount_usd private.dollars,
  rate_usd private.dollar_rate,
  rate_source text
    constraint transactions_rate_source_length check (char_length(rate_source) between 1 and 200),
  token_amount private.base_units,
  token_symbol text
    constraint transactions_token_symbol_length check (char_length(token_symbol) between 1 and 32),
  token_decimals private.decimals,
  token_address private.address,
  from_address private.address not null,
  to_address private.address not null,
  tx_hash private.hash32 not null,
  chain_id private.chain_id not null,
  ordinal integer not null
    constraint transactions_ordinal_range check (ordinal between -1 and 1000000),
  revision private.revision not null default 0,
  proof_hash text references private.log_texts (hash),
  note_hash text references private.log_texts (hash),
  recorded_at private.moment not null default now(),
  constraint transactions_key unique (tx_hash, chain_id, ordinal, revision),
  constraint transactions_not_from_the_future check (occurred_at <= recorded_at + interval '1 day'),
  constraint transactions_direction_of_type check (
    type = 'other' or direction = case when type in ('gift', 'tax') then 'in' else 'out' end
  ),
  constraint transactions_account_of_type check (case
    when type in ('donation', 'cost', 'dream') then account in ('treasury', 'donation-wallet')
    when type = 'spending' then account not in ('treasury', 'donation-wallet')
    else true
  end),
  constraint transactions_counter_account_of_type check (case type
    when 'move' then counter_account is not null and counter_account <> account
    when 'donation' then counter_account is null or counter_account not in ('treasury', 'donation-wallet')
    else counter_account is null
  end),
  -- The pool of a row is the pool whose wallet takes part in it. A donation may also be paid directly to a pool's
  -- partner.
  constraint transactions_pool_of_account check (case
    when account not in ('treasury', 'donation-wallet') then pool_slug is not distinct from account
    when counter_account not in ('treasury', 'donation-wallet') then pool_slug is not distinct from counter_account
    else pool_slug is null or type = 'donation'
  end),
  constraint transactions_value_has_source check (amount_usd is null or rate_source is not null)
);
comment on column public.transactions.account is 'Which of our accounts the row belongs to; the sender''s where both are ours.';
comment on column public.transactions.counter_account is 'The other side, where it is ours too.';
comment on column public.transactions.direction is 'As seen from the account.';
comment on column public.transactions.amount_usd is 'US dollars at the time; null while unvalued, and then in no total.';
comment on column public.transactions.rate_usd is 'US dollars per whole token; rate_source says who stated it.';
comment on column public.transactions.token_amount is 'In base units: divide by 10 ^ token_decimals.';
comment on column public.transactions.ordinal is
  'Place of the transfer within its transaction, -1 for the native transfer. Not the log index, which changes when a block is mined again.';
comment on column public.transactions.proof_hash is 'Hash of the link to a proof: private.log_texts.';
comment on column public.transactions.note_hash is 'Hash of the note: private.log_texts.';

-- Pages list the newest rows first, by a cursor: each index has one filter and then that order. In addition to the
-- condition of the cursor (occurred_at < X or (occurred_at = X and id < Y)), a reader sends occurred_at <= X. This does
-- not change the result, but limits the scan of the index.
create index transactions_newest on public.transactions (occurred_at desc, id desc);
create index transactions_newest_of_type on public.transactions (type, occurred_at desc, id desc);
create index transactions_newest_of_pool on public.transactions (pool_slug, occurred_at desc, id desc)
  where pool_slug is not null;
-- The rows of the total Donated: published_donations.
create index transactions_newest_given on public.transactions (occurred_at desc, id desc)
  where type = 'donation' or (type = 'gift' and pool_slug is not null);
create index transactions_newest_given_of_pool on public.transactions (pool_slug, occurred_at desc, id desc)
  where type in ('donation', 'gift') and pool_slug is not null;
create index transactions_newest_of_account on public.transactions (account, occurred_at desc, id desc);
create index transactions_newest_of_counter_account on public.transactions (counter_account, occurred_at desc, id desc)
  where counter_account is not null;
create index transactions_newest_from on public.transactions (from_address, occurred_at desc, id desc);
create index transactions_newest_to on public.transactions (to_address, occurred_at desc, id desc);

create trigger append_only before update or delete or truncate on public.transactions
  for each statement execute function private.refuse_change();

-- Checks of transactions against the chain ----------------------------------------------------------------

create table public.transaction_checks (
  id bigint generated always as identity primary key,
  transaction_id bigint not null references public.transactions (id),
  status text not null
    constraint transaction_checks_status_known
    check (status in ('pending', 'verified', 'mismatch', 'reorganised', 'unreachable')),
  block_number private.safe_integer,
  block_hash private.hash32,
  block_time private.moment,
  confirmations integer
    constraint transaction_checks_confirmations_range check (confirmations >= 0),
  reason text
    constraint transaction_checks_reason_length check (char_length(reason) between 1 and 200),
  checked_at private.moment not null default now(),
  constraint transaction_checks_verified_has_block check (
    status <> 'verified' or (block_number is not null and block_hash is not null and confirmations is not null)
  )
);
comment on table public.transaction_checks is 'The result of each check of a row against the chain.';
comment on column public.transaction_checks.status is
  'app/ledger/statuses.ts has the same list. pending: not final yet. unreachable: no endpoint responded, which says nothing about the row.';
comment on column public.transaction_checks.reason is 'What did not match, in words.';
create index transaction_checks_of_transaction on public.transaction_checks (transaction_id, id desc);

create trigger append_only before update or delete or truncate on public.transaction_checks
  for each statement execute function private.refuse_change();

create table private.transaction_statuses (
  transaction_id bigint primary key references public.transactions (id),
  status text not null default 'pending',
  check_id bigint references public.transaction_checks (id),
  checked_at private.moment,
  unreachable_at private.moment
);
comment on table private.transaction_statuses is
  'The latest check with a result, for the latest revision of each transfer. Triggers keep it, so that pages and sums need not search the checks.';
comment on column private.transaction_statuses.unreachable_at is
  'Set where the last attempt reached no endpoint: the status is then the one from before.';
create index transaction_statuses_open on private.transaction_statuses (checked_at nulls first, transaction_id)
  where status in ('pending', 'unreachable');
create index transaction_statuses_settled on private.transaction_statuses (checked_at, transaction_id)
  where status not in ('pending', 'unreachable');
create index transaction_statuses_exceptions on private.transaction_statuses (status, transaction_id)
  where status <> 'verified';

-- Statements (CZ calls) -----------------------------------------------------------------------------------

create table public.cz_calls (
  id bigint generated always as identity primary key,
  posted_at private.moment not null,
  captured_at private.moment,
  author text not null
    constraint cz_calls_author_length check (char_length(author) between 1 and 100),
  -- Printable ASCII, as in every URL: JSON writes a control character with six bytes, and a bundle of 256 entries with
  -- URLs of control characters would be too large to read.
  tweet_url text not null
    constraint cz_calls_tweet_url_https
      check (tweet_url ~ '^https://[\u0021-\u007e]+$' and char_length(tweet_url) <= 2000),
  text_hash text not null references private.log_texts (hash),
  action_hash text not null references private.log_texts (hash),
  verified boolean not null default false,
  confirmed_by_hash text references private.log_texts (hash),
  tx_hash private.hash32,
  chain_id private.chain_id,
  revision private.revision not null default 0,
  recorded_at private.moment not null default now(),
  constraint cz_calls_key unique (tweet_url, revision),
  constraint cz_calls_confirmed_by_somebody check (verified = (confirmed_by_hash is not null)),
  constraint cz_calls_tx_has_chain check ((tx_hash is null) = (chain_id is null))
);
comment on table public.cz_calls is 'Statements of the public figure, with what was done about them.';
comment on column public.cz_calls.captured_at is 'When the statement was read at its address; null where it was not recorded.';
comment on column public.cz_calls.verified is 'The statement is confirmed by its source. This says nothing about the transaction.';
comment on column public.cz_calls.confirmed_by_hash is 'Hash of how it was confirmed: private.log_texts.';

create index cz_calls_newest on public.cz_calls (posted_at desc, id desc);
create index cz_calls_of_transaction on public.cz_calls (chain_id, tx_hash) where tx_hash is not null;

create trigger append_only before update or delete or truncate on public.cz_calls
  for each statement execute function private.refuse_change();

-- Updates of pools ----------------------------------------------------------------------------------------

create table public.pool_updates (
  id bigint generated always as identity primary key,
  pool_slug text not null references private.accounts (slug)
    constraint pool_updates_of_pool check (pool_slug not in ('treasury', 'donation-wallet')),
  number integer not null
    constraint pool_updates_number_range check (number between 1 and 1000000),
  published_at private.moment not null,
  text_hash text not null references private.log_texts (hash),
  links_hash text references private.log_texts (hash),
  helping private.safe_integer,
  helping_source_hash text references private.log_texts (hash),
  revision private.revision not null default 0,
  recorded_at private.moment not null default now(),
  constraint pool_updates_key unique (pool_slug, number, revision),
  constraint pool_updates_helping_has_source check ((helping is null) = (helping_source_hash is null))
);
comment on table public.pool_updates is 'What a pool reports, numbered from 1 for each pool.';
comment on column public.pool_updates.links_hash is 'Hash of https links, one a line: private.log_texts.';
comment on column public.pool_updates.helping is 'How many the pool helps, where the update states it; helping_source_hash is the hash of a link.';

create index pool_updates_newest on public.pool_updates (pool_slug, published_at desc, id desc);

create trigger append_only before update or delete or truncate on public.pool_updates
  for each statement execute function private.refuse_change();

-- Entries of the log --------------------------------------------------------------------------------------

-- A trigger appends a row to the log in the SQL statement that inserts the row, whichever role runs it. The members of
-- an entry and their order are specified in public/ledger/format.md. `row_to_json` writes no spaces and keeps the
-- order. Values of the type numeric are texts, because JSON readers round numbers.
create function private.log_transactions() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  ids bigint[];
  lines text[];
begin
  perform private.lock_log('ledger');
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
  select array_agg(line.id order by line.id), array_agg(row_to_json(line)::text order by line.id) into ids, lines
  from (
    select
      'transaction' as kind, id, revision::integer, to_char(recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as recorded_at,
      chain_id::integer, tx_hash::text, ordinal,
      to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as occurred_at,
      account, counter_account, direction, type, pool_slug as pool, from_address::text, to_address::text,
      token_address::text, token_symbol, token_decimals::integer, token_amount::text as token_amount,
      amount_usd::text as amount_usd, trim_scale(rate_usd)::text as rate_usd, rate_source, proof_hash, note_hash
    from added
  ) as line;
  perform private.append_to_log('ledger', 'transaction', ids, lines);
  return null;
end;
$$;
create trigger log_rows after insert on public.transactions
  referencing new table as added for each statement execute function private.log_transactions();

create function private.log_statements() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  ids bigint[];
  lines text[];
begin
  perform private.lock_log('ledger');
  if exists (
    select from added
    where added.revision > 0 and not exists (
      select from public.cz_calls as former
      where former.tweet_url = added.tweet_url and former.revision = added.revision - 1
    )
  ) then
    raise check_violation using
      message = 'a revision must follow the one before it',
      constraint = 'cz_calls_revision_follows', table = 'cz_calls', schema = 'public';
  end if;
  select array_agg(line.id order by line.id), array_agg(row_to_json(line)::text order by line.id) into ids, lines
  from (
    select
      'statement' as kind, id, revision::integer, private.entry_time(recorded_at) as recorded_at,
      private.entry_time(posted_at) as posted_at, private.entry_time(captured_at) as captured_at, author,
      tweet_url as url, verified as confirmed, confirmed_by_hash, text_hash, action_hash, chain_id::integer,
      tx_hash::text
    from added
  ) as line;
  perform private.append_to_log('ledger', 'statement', ids, lines);
  return null;
end;
$$;
create trigger log_rows after insert on public.cz_calls
  referencing new table as added for each statement execute function private.log_statements();

create function private.log_updates() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  ids bigint[];
  lines text[];
begin
  perform private.lock_log('ledger');
  if exists (
    select from added
    where not exists (
      select from public.pool_updates as former
      where former.pool_slug = added.pool_slug
        and former.number = case when added.revision > 0 then added.number else added.number - 1 end
        and (added.revision = 0 or former.revision = added.revision - 1)
    ) and not (added.revision = 0 and added.number = 1)
  ) then
    raise check_violation using
      message = 'a revision must follow the one before it, and a number too',
      constraint = 'pool_updates_revision_follows', table = 'pool_updates', schema = 'public';
  end if;
  select array_agg(line.id order by line.id), array_agg(row_to_json(line)::text order by line.id) into ids, lines
  from (
    select
      'update' as kind, id, revision::integer, private.entry_time(recorded_at) as recorded_at, pool_slug as pool,
      number, private.entry_time(published_at) as published_at, text_hash, links_hash, helping::bigint,
      helping_source_hash
    from added
  ) as line;
  perform private.append_to_log('ledger', 'update', ids, lines);
  return null;
end;
$$;
create trigger log_rows after insert on public.pool_updates
  referencing new table as added for each statement execute function private.log_updates();

-- Scans and reconciliations -------------------------------------------------------------------------------

create table private.ledger_scans (
  chain_id private.chain_id primary key,
  block_number private.safe_integer not null,
  block_hash private.hash32 not null,
  block_time private.moment not null,
  scanned_at private.moment not null default now()
);
comment on table private.ledger_scans is 'Up to which block each chain was read; written together with the rows that were found.';

create table public.reconciliations (
  id bigint generated always as identity primary key,
  chain_id private.chain_id not null,
  block_number private.safe_integer not null,
  block_hash private.hash32 not null,
  block_time private.moment not null,
  wallet private.address not null,
  token_address private.address,
  token_symbol text not null
    constraint reconciliations_token_symbol_length check (char_length(token_symbol) between 1 and 32),
  token_decimals private.decimals not null,
  chain_amount private.base_units not null,
  ledger_amount private.signed_base_units not null,
  gas_paid private.base_units,
  unlisted jsonb not null default '[]'
    constraint reconciliations_unlisted_list check (jsonb_typeof(unlisted) = 'array' and jsonb_array_length(unlisted) <= 20),
  taken_at private.moment not null default now()
);
comment on table public.reconciliations is
  'The balance of a wallet and token at a block, beside the sum of the ledger''s verified rows until that block.';
comment on column public.reconciliations.token_address is 'Null for the native coin.';
-- Gas is not a transfer and has no row, so a comparison subtracts it from the ledger's sum of the coin.
comment on column public.reconciliations.gas_paid is
  'What the wallet has paid for gas until the block: 0 for a token, null where it is not known, so that nothing was compared.';
comment on column public.reconciliations.unlisted is
  'Transfers on chain that the ledger lacks: [{"tx_hash", "ordinal", "direction", "amount"}], at most 20.';
create index reconciliations_latest
  on public.reconciliations (chain_id, wallet, token_address, id desc);

create trigger append_only before update or delete or truncate on public.reconciliations
  for each statement execute function private.refuse_change();

-- Privileges ----------------------------------------------------------------------------------------------

alter table public.transactions enable row level security;
alter table public.transaction_checks enable row level security;
alter table public.cz_calls enable row level security;
alter table public.pool_updates enable row level security;
alter table public.reconciliations enable row level security;

revoke all on
  public.transactions, public.transaction_checks, public.cz_calls, public.pool_updates, public.reconciliations
  from public, anon, authenticated, service_role;
revoke all on all sequences in schema public from public, anon, authenticated, service_role;
revoke all on all functions in schema private from public, anon, authenticated, service_role;
grant select on
  public.transactions, public.transaction_checks, public.cz_calls, public.pool_updates, public.reconciliations
  to service_role;
