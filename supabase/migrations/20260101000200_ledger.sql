-- The ledger: the payments of the project, their checks against the blockchain, and what is needed to read the
-- blockchain: the position of the scan, balances, rates, transactions that could not be read, names of wallets. Rows
-- never change: a correction is a new revision, and lists and totals have the latest one. Each revision is an entry of
-- the log 'ledger'. Visitors and members read the ledger only through views and functions.

set check_function_bodies = off;

-- These limits ensure that every reader can represent every value, and that no sum overflows. They also exclude NaN,
-- which a plain numeric accepts: it is greater than every number, and it makes each sum that contains it NaN.
create domain private.dollars as numeric(12, 2)
  constraint dollars_range check (value between 0 and 9999999999.99);

create domain private.dollar_rate as numeric(38, 18)
  constraint dollar_rate_range check (value > 0 and value < 1000000000000000);

create domain private.base_units as numeric(78, 0)
  constraint base_units_range check (value between 0 and 115792089237316195423570985008687907853269984665640564039457584007913129639935);
comment on domain private.base_units is 'An amount of a token in base units: a uint256.';

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

-- Stored sums of the ledger, so that the number of rows that a page reads does not grow with the number of transfers.
-- Sums by month are for totals and charts; sums by day are for the sums of a filter.

-- Signed: PostgreSQL checks the values of an insert, which are negative for a removal, before `on conflict` adds them.
create domain private.row_count as bigint
  constraint row_count_range check (value between -9007199254740991 and 9007199254740991);

-- Below 2^46 dollars a JSON number (a double) is exact to the cent.
create domain private.dollar_sum as numeric(16, 2)
  constraint dollar_sum_range check (value between -70000000000000 and 70000000000000);

create domain private.calendar_day as date
  constraint calendar_day_range check (value between '2015-01-01' and '2099-12-31');

create type private.sum_change as (sign integer, transaction_id bigint, status text);

-- A transfer of 2^256 - 1 base units is a valid row, and a token contract can emit events of many. The sum of such rows
-- must be recordable, or one hostile token would stop the reconciliation of its wallet. 2^256 times 10^12 rows is less
-- than 10^90.
create domain private.base_units_sum as numeric(90, 0)
  constraint base_units_sum_range check (value > -1e90 and value < 1e90);

-- Tables ----------------------------------------------------------------------------------------------------

create table private.accounts (
  slug text primary key
    constraint accounts_slug_format check (slug ~ '^[a-z][a-z-]{0,49}$'),
  is_pool boolean not null,
  place integer,
  closed_at private.moment
);
comment on table private.accounts is 'Our wallets: the treasury, the donation wallet, and one for each impact pool. app/platform/impact-pools.ts has the texts and pictures of the pools.';

comment on column private.accounts.place is 'The place of a pool among those of the page.';
comment on column private.accounts.closed_at is 'When a pool left the table of pools. Its rows stay.';

insert into private.accounts (slug, is_pool) values ('treasury', false), ('donation-wallet', false);

create view private.open_pools as select slug, place from private.accounts where is_pool and closed_at is null;
comment on view private.open_pools is 'The pools that the site has now (public.keep_pools).';

create table public.transactions (
  id bigint generated always as identity primary key,
  occurred_at private.moment not null,
  account text not null references private.accounts (slug),
  counter_account text references private.accounts (slug),
  direction text not null
    constraint transactions_direction_known check (direction in ('in', 'out')),
  type text not null
    constraint transactions_type_known
    check (type in (
      'donation', 'gift', 'spending', 'cost', 'tax', 'dream', 'move', 'other', 'goal-gift', 'exchange', 'returned'
    )),
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
    type in ('other', 'exchange')
    or direction = case when type in ('gift', 'tax', 'goal-gift', 'returned') then 'in' else 'out' end
  ),
  constraint transactions_account_of_type check (case
    when type in ('donation', 'cost', 'dream') then account in ('treasury', 'donation-wallet')
    when type in ('spending', 'returned') then account not in ('treasury', 'donation-wallet')
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
  constraint transactions_value_has_source check (amount_usd is null or rate_source is not null),
  -- A goal's account has gifts to goals only.
  constraint transactions_goal_of_type check (
    (type = 'goal-gift') = (account ~ '^goal-[a-z]{8}$') and coalesce(counter_account, '') !~ '^goal-[a-z]{8}$'
  )
);
comment on column public.transactions.account is 'Which of our accounts the row belongs to; the sender''s where both are ours.';
comment on column public.transactions.counter_account is 'The other side, where it is ours too.';
comment on column public.transactions.direction is 'As seen from the account.';
comment on column public.transactions.amount_usd is 'US dollars at the time; null while unvalued, and then in no total.';
comment on column public.transactions.rate_usd is 'US dollars per whole token; rate_source says who stated it.';
comment on column public.transactions.token_amount is 'In base units: divide by 10 ^ token_decimals.';
comment on column public.transactions.ordinal is
  'Place of the transfer within its transaction, -1 for the native transfer. Not the log index, which changes when a block is mined again.';

-- Pages list the newest rows first, by a cursor: each index has one filter and then that order. In addition to the
-- condition of the cursor (occurred_at < X or (occurred_at = X and id < Y)), a reader sends occurred_at <= X. This does
-- not change the result, but limits the scan of the index.
create index transactions_newest on public.transactions (occurred_at desc, id desc);
create index transactions_newest_of_type on public.transactions (type, occurred_at desc, id desc);
create index transactions_newest_of_pool on public.transactions (pool_slug, occurred_at desc, id desc)
  where pool_slug is not null;

create index transactions_to_causes on public.transactions (occurred_at desc, id desc)
  where type = 'spending' or (type = 'donation' and counter_account is null);
create index transactions_unvalued on public.transactions (id) where amount_usd is null;

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
create index transactions_largest on public.transactions (amount_usd desc) where amount_usd is not null;
create index transactions_paid_to on public.transactions (account, to_address) where type = 'spending';

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
  'app/ledger/statuses.ts has the same list. pending: not final yet. unreachable: no endpoint responded, so the row is neither confirmed nor refuted.';
comment on column public.transaction_checks.reason is 'What did not match, in words.';
create index transaction_checks_of_transaction on public.transaction_checks (transaction_id, id desc);

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
  'Set where the last attempt reached no endpoint: the status is then the former one.';
create index transaction_statuses_open on private.transaction_statuses (checked_at nulls first, transaction_id)
  where status in ('pending', 'unreachable');
create index transaction_statuses_settled on private.transaction_statuses (checked_at, transaction_id)
  where status not in ('pending', 'unreachable');
create index transaction_statuses_exceptions on private.transaction_statuses (status, transaction_id)
  where status <> 'verified';

create table private.ledger_scans (
  chain_id private.chain_id primary key,
  block_number private.safe_integer not null,
  block_hash private.hash32 not null,
  block_time private.moment not null,
  scanned_at private.moment not null default now(),
  begun_hash private.hash32,
  begun_index private.safe_integer,
  constraint ledger_scans_begun_whole check ((begun_hash is null) = (begun_index is null))
);
comment on table private.ledger_scans is 'Up to which block each chain was read; written together with the rows that were found.';
comment on column private.ledger_scans.block_number is 'The last block of which every transaction was read.';
comment on column private.ledger_scans.begun_hash is
  'The hash of the block after it, if a part of that block was read; begun_index is the index of the last transaction of this part.';

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
  token_supply private.base_units,
  chain_amount private.base_units not null,
  ledger_amount private.base_units_sum not null,
  gas_paid private.base_units,
  unlisted jsonb not null default '[]'
    constraint reconciliations_unlisted_list check (jsonb_typeof(unlisted) = 'array' and jsonb_array_length(unlisted) <= 20),
  taken_at private.moment not null default now()
);
comment on table public.reconciliations is
  'The balance of a wallet and token at a block, beside the sum of the ledger''s verified rows until that block.';
comment on column public.reconciliations.token_address is 'Null for the native coin.';
comment on column public.reconciliations.token_supply is
  'How many base units of the token exist at the block; null for the native coin, and if its contract does not say.';
comment on column public.reconciliations.gas_paid is
  'What the wallet has paid for gas until the block: 0 for a token, null if it is unknown, so that no balance was compared.';
comment on column public.reconciliations.unlisted is
  'Transfers on chain that the ledger lacks: [{"tx_hash", "ordinal", "direction", "amount"}], at most 20.';
create index reconciliations_latest
  on public.reconciliations (chain_id, wallet, token_address, id desc);

create table private.sums_by_month (
  month private.calendar_day not null,
  account text not null,
  counter_account text,
  direction text not null,
  type text not null,
  pool_slug text,
  status text not null,
  row_count private.row_count not null,
  valued_count private.row_count not null,
  sum_usd private.dollar_sum not null,
  constraint sums_by_month_key
    unique nulls not distinct (month, account, counter_account, direction, type, pool_slug, status)
);
comment on table private.sums_by_month is 'Running sums over the latest revisions, by month (UTC) and status. Triggers keep them.';

create table private.sums_by_day (
  day private.calendar_day not null,
  account text not null,
  counter_account text,
  direction text not null,
  type text not null,
  pool_slug text,
  status text not null,
  row_count private.row_count not null,
  valued_count private.row_count not null,
  sum_usd private.dollar_sum not null,
  constraint sums_by_day_key
    unique nulls not distinct (day, account, counter_account, direction, type, pool_slug, status)
);
comment on table private.sums_by_day is 'As sums_by_month, by day (UTC).';

create table private.gross_sum (
  is_only_row boolean primary key default true
    constraint gross_sum_is_only_row check (is_only_row),
  sum_usd private.dollar_sum not null
);
comment on table private.gross_sum is 'The dollars of all latest revisions, of every status and direction. No published sum can exceed it, so its bound refuses a row that would make a sum unreadable.';

insert into private.gross_sum (sum_usd) values (0);

-- /healthz calls this function to detect that writes fail while reads succeed, as on a full disk. Each isolate of the
-- worker calls it at most once in five seconds, with the secret key.
create table private.write_check (
  id boolean primary key default true check (id),
  checked_at private.moment not null
);

-- Transfers of a chain's own coin emit no event log. The scheduled job finds them by the balance and the nonce of each
-- wallet, and stores here the block up to which it has read them. The last ten balances of each wallet stay, so that
-- after a reorganisation the job continues from the newest one whose block is still part of the chain.
create table private.coin_balances (
  chain_id private.chain_id,
  wallet private.address,
  block_number private.safe_integer not null,
  block_hash private.hash32 not null,
  amount private.base_units not null,
  nonce private.safe_integer not null,
  gas_paid private.base_units,
  primary key (chain_id, wallet, block_number)
);
comment on table private.coin_balances is
  'The balance of each wallet at the latest blocks up to which its coin transfers were read; written together with the rows that were found.';
comment on column private.coin_balances.nonce is 'How many transactions the wallet had sent until that block.';
comment on column private.coin_balances.gas_paid is
  'What the wallet has paid for gas until that block, from the first block that was read. Null if part of it is unknown.';

-- A stranger can send a transaction that no endpoint delivers, for example one with megabytes of event data.
create table private.unread_transactions (
  chain_id private.chain_id,
  tx_hash private.hash32,
  block_number private.safe_integer not null,
  block_hash private.hash32 not null,
  block_time private.moment not null,
  fault text not null
    constraint unread_transactions_fault_length check (char_length(fault) between 1 and 300),
  is_too_large boolean not null,
  found_at private.moment not null default now(),
  tried_at private.moment not null default now(),
  primary key (chain_id, tx_hash)
);
comment on table private.unread_transactions is
  'Transactions that may have a transfer of ours, and whose receipt no endpoint delivered. A row is deleted once the transaction was read.';
comment on column private.unread_transactions.is_too_large is
  'The answer is too large, which does not pass soon: tried again once a day. Other faults are tried again after a minute, then after doubled times of up to a day.';
create index unread_transactions_newest on private.unread_transactions (chain_id, block_number desc, tx_hash);

create table public.wallet_names (
  id bigint generated always as identity primary key,
  address private.address not null,
  name_hash text not null references private.log_texts (hash),
  revision private.revision not null default 0,
  recorded_at private.moment not null default now(),
  constraint wallet_names_key unique (address, revision)
);
comment on table public.wallet_names is 'How we name wallets of others: ''Riverside Books, supplier''. The name, which is not verified, is in private.log_texts.';

-- For amounts in dollars on /donate. Each row of the ledger has its own rate.
create table public.token_rates (
  id bigint generated always as identity primary key,
  chain_id private.chain_id not null,
  symbol text not null
    constraint token_rates_symbol_length check (char_length(symbol) between 1 and 32),
  rate_usd private.dollar_rate,
  priced_at private.moment,
  asked_at private.moment not null default now(),
  constraint token_rates_price_whole check ((rate_usd is null) = (priced_at is null)),
  constraint token_rates_key unique (chain_id, symbol)
);
comment on table public.token_rates is 'The newest price of each token with a price feed; the schedule reads the feed each hour.';
comment on column public.token_rates.rate_usd is 'US dollars for a whole token; null as long as the feed had no usable price.';

insert into private.logs (name) values ('ledger');

-- Triggers --------------------------------------------------------------------------------------------------

call private.refuse(
  'update or delete or truncate', 'public.transactions', 'public.transaction_checks', 'public.reconciliations',
  'public.wallet_names'
);

create view private.entry_of_transaction as
select
  'transaction' as kind, id, revision::integer,
  to_char(recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as recorded_at, chain_id::integer,
  tx_hash::text, ordinal, to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as occurred_at,
  account, counter_account, direction, type, pool_slug as pool, from_address::text, to_address::text,
  token_address::text, token_symbol, token_decimals::integer, token_amount::text as token_amount,
  amount_usd::text as amount_usd, trim_scale(rate_usd)::text as rate_usd, rate_source, proof_hash, note_hash
from public.transactions;
create trigger log_rows after insert on public.transactions
  referencing new table as added for each statement
  execute function private.log_rows('transaction', 'chain_id', 'tx_hash', 'ordinal');

-- Adds each row to the sums of its status (sign 1) or subtracts it (sign -1). The caller holds the log's lock.
create function private.change_sums(changes private.sum_change[]) returns void
language sql set search_path = '' as $$
  with changed as (
    select
      (facts.occurred_at at time zone 'UTC')::date as day, facts.account, facts.counter_account, facts.direction,
      facts.type, facts.pool_slug, change.status,
      sum(change.sign) as row_count,
      coalesce(sum(change.sign) filter (where facts.amount_usd is not null), 0) as valued_count,
      coalesce(sum(change.sign * facts.amount_usd), 0) as sum_usd
    from unnest(changes) as change
    join public.transactions as facts on facts.id = change.transaction_id
    group by 1, 2, 3, 4, 5, 6, 7
  ), days as (
    insert into private.sums_by_day as sums
      (day, account, counter_account, direction, type, pool_slug, status, row_count, valued_count, sum_usd)
    select day, account, counter_account, direction, type, pool_slug, status, row_count, valued_count, sum_usd
    from changed
    on conflict on constraint sums_by_day_key do update set
      row_count = sums.row_count + excluded.row_count,
      valued_count = sums.valued_count + excluded.valued_count,
      sum_usd = sums.sum_usd + excluded.sum_usd
  ), gross as (
    update private.gross_sum set sum_usd = gross_sum.sum_usd + (select coalesce(sum(changed.sum_usd), 0) from changed)
    where is_only_row
  )
  insert into private.sums_by_month as sums
    (month, account, counter_account, direction, type, pool_slug, status, row_count, valued_count, sum_usd)
  select
    date_trunc('month', day)::date, account, counter_account, direction, type, pool_slug, status,
    sum(row_count), sum(valued_count), sum(sum_usd)
  from changed
  group by 1, 2, 3, 4, 5, 6, 7
  on conflict on constraint sums_by_month_key do update set
    row_count = sums.row_count + excluded.row_count,
    valued_count = sums.valued_count + excluded.valued_count,
    sum_usd = sums.sum_usd + excluded.sum_usd
$$;

-- New rows are pending. A correction replaces the revision before it, also in the sums, and is checked again.
create function private.count_transactions() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  changes private.sum_change[];
begin
  perform private.lock_log('ledger');
  with replaced as (
    delete from private.transaction_statuses as statuses
    using added join public.transactions as former on former.chain_id = added.chain_id
      and former.tx_hash = added.tx_hash and former.ordinal = added.ordinal and former.revision = added.revision - 1
    where added.revision > 0 and statuses.transaction_id = former.id
    returning statuses.transaction_id, statuses.status
  ), latest as (
    -- A row that was recorded and corrected in one SQL statement has never had a status.
    insert into private.transaction_statuses (transaction_id)
    select added.id from added
    where not exists (
      select from added as later
      where later.chain_id = added.chain_id and later.tx_hash = added.tx_hash and later.ordinal = added.ordinal
        and later.revision = added.revision + 1
    )
    returning transaction_id, status
  )
  select array_agg(change) into changes
  from (
    select (1, transaction_id, status)::private.sum_change as change from latest
    union all
    select (-1, transaction_id, status)::private.sum_change from replaced
  ) as changed;
  perform private.change_sums(changes);
  return null;
end;
$$;
create trigger count_rows after insert on public.transactions
  referencing new table as added for each statement execute function private.count_transactions();

create function private.count_checks() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  changes private.sum_change[];
begin
  perform private.lock_log('ledger');
  with found as (
    -- The latest check with a result; without one, the latest check. And when the last attempt was.
    select distinct on (transaction_id)
      transaction_id, id, status, first_value(checked_at) over attempts as attempted_at,
      first_value(status) over attempts = 'unreachable' as is_unreachable
    from added
    window attempts as (partition by transaction_id order by id desc)
    order by transaction_id, status = 'unreachable', id desc
  ), before as (
    select statuses.transaction_id, statuses.status,
      found.status <> 'unreachable' or statuses.check_id is null or statuses.status = 'unreachable' as is_result
    from private.transaction_statuses as statuses join found using (transaction_id)
  ), after as (
    update private.transaction_statuses as statuses
    set
      status = case when before.is_result then found.status else statuses.status end,
      check_id = case when before.is_result then found.id else statuses.check_id end,
      checked_at = found.attempted_at,
      unreachable_at = case when found.is_unreachable then found.attempted_at end
    from found join before using (transaction_id)
    where statuses.transaction_id = found.transaction_id
    returning statuses.transaction_id, statuses.status
  )
  select array_agg(change) into changes
  from before join after using (transaction_id) cross join lateral (values
    ((-1, transaction_id, before.status)::private.sum_change), ((1, transaction_id, after.status)::private.sum_change)
  ) as changed (change)
  where before.status <> after.status;
  perform private.change_sums(changes);
  return null;
end;
$$;
create trigger count_rows after insert on public.transaction_checks
  referencing new table as added for each statement execute function private.count_checks();

-- A row whose transfer a reorganisation removed, or that is on the chain again: its transaction vanished, or failed in another
-- block after it was verified, or after the site sent it. Without it, a reader of the log cannot tell why an order with this payment fails, or is sent again.
create view private.entry_of_reorganisation as
select
  'reorganisation' as kind, checks.id, private.entry_time(checks.checked_at) as recorded_at, private.rules() as rules,
  facts.chain_id::integer, facts.tx_hash::text, facts.ordinal::integer, checks.status <> 'verified' as gone
from public.transaction_checks as checks join public.transactions as facts on facts.id = checks.transaction_id;
create function private.log_reorganisation() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  former text[];
  is_own constant boolean := exists (
    select from public.transactions as facts join private.order_transactions as sent using (tx_hash) where facts.id = new.transaction_id
  );
begin
  if new.status = 'verified' and exists (
    select from private.transaction_statuses where transaction_id = new.transaction_id and status = 'verified'
  ) then
    return null;
  end if;
  perform private.lock_log('ledger');
  -- The results of its former checks, newest first: between two entries it may be pending.
  select array_agg(checks.status order by checks.id desc) into former from public.transactions as facts
  join public.transactions as same using (chain_id, tx_hash, ordinal)
  join public.transaction_checks as checks on checks.transaction_id = same.id
  where facts.id = new.transaction_id and checks.id < new.id and checks.status in ('reorganised', 'mismatch', 'verified');
  if (case
    when new.status = 'mismatch' then coalesce(former[1] = 'verified', is_own)
    else (new.status = 'verified') = coalesce(former[1] <> 'verified' and (is_own or former && array['reorganised', 'verified']), false)
  end) then
    perform private.append_entries('ledger', 'reorganisation', array[new.id]);
  end if;
  return null;
end;
$$;
-- It runs for each row, before the statement's triggers store the status and link orders.
create trigger log_rows after insert on public.transaction_checks
  for each row when (new.status in ('reorganised', 'mismatch', 'verified')) execute function private.log_reorganisation();

create view private.entry_of_name as
select 'name' as kind, id, revision::integer, private.entry_time(recorded_at) as recorded_at, address::text, name_hash
from public.wallet_names;
create trigger log_rows after insert on public.wallet_names
  referencing new table as added for each statement execute function private.log_rows('name', 'address');

-- What the job may call -------------------------------------------------------------------------------------

-- As keep_text, but if the former revision has the same text, returns its hash and does not store it again.
create function private.keep_text_again(log text, words text, former_hash text) returns text
language sql set search_path = '' as $$
  select case when exists (select from private.log_texts where hash = former_hash and text = words) then former_hash
    else private.keep_text(keep_text_again.log, words) end
$$;

create function private.check_https(name text, link text) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if link !~ '^https://\S+$' or char_length(link) > 2000 or not private.names_its_host(link) then
    raise check_violation using message = name || ' must be an https link', constraint = name || '_https';
  end if;
end;
$$;

-- Stores the results of reading transactions whose receipt was not delivered before, or now: [{tx_hash, block_number,
-- block_hash, block_time, fault, is_too_large}]. One without a fault was read, and is no longer unread.
create function private.store_unread(chain integer, results jsonb) returns void
language sql set search_path = '' as $$
  delete from private.unread_transactions as unread
  using jsonb_to_recordset(results) as result (tx_hash text, fault text)
  where unread.chain_id = chain and unread.tx_hash = result.tx_hash and result.fault is null;
  insert into private.unread_transactions as unread
    (chain_id, tx_hash, block_number, block_hash, block_time, fault, is_too_large)
  select chain, tx_hash, block_number, block_hash, block_time, fault, is_too_large
  from jsonb_populate_recordset(null::private.unread_transactions, results) where fault is not null
  on conflict (chain_id, tx_hash) do update set
    block_number = excluded.block_number, block_hash = excluded.block_hash, block_time = excluded.block_time,
    fault = excluded.fault, is_too_large = excluded.is_too_large, tried_at = now()
$$;

-- Appends rows to the ledger, and in the same transaction stores how far the chain was read. A transfer or a correction
-- (revision > 0) that the ledger has is skipped. `note` and `proof_url` are texts: a correction that repeats the text
-- of the revision before keeps its hash, so that one withdrawal removes both. `scan`: {chain_id, after, after_index,
-- block_number, block_hash, block_time, begun_hash, begun_index, unread}; `after` and `after_index` are the stored
-- block_number and begun_index when the caller began, null before the first scan; `unread` as private.store_unread
-- takes it. If another run has moved the stored position since, raises SQLSTATE PT409 and writes no row.
create function public.append_ledger(entries jsonb, scan jsonb default null) returns jsonb
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  added bigint;
begin
  perform private.lock_log('ledger');
  if scan is not null and exists (
    select from (select (scan ->> 'after')::bigint as block_number, (scan ->> 'after_index')::bigint as begun_index) as expected
    left join private.ledger_scans as stored on stored.chain_id = (scan ->> 'chain_id')::integer
    where (stored.block_number, stored.begun_index) is distinct from (expected.block_number, expected.begun_index)
  ) then
    raise exception 'another run has moved the scan' using errcode = 'PT409';
  end if;
  perform private.check_https('transactions_proof_url', entry ->> 'proof_url')
  from jsonb_array_elements(entries) as entry where entry ->> 'proof_url' is not null;

  insert into public.transactions (
    occurred_at, account, counter_account, direction, type, pool_slug, amount_usd, rate_usd, rate_source, token_amount,
    token_symbol, token_decimals, token_address, from_address, to_address, tx_hash, chain_id, ordinal, revision,
    proof_hash, note_hash
  )
  select
    entry.occurred_at, entry.account, entry.counter_account, entry.direction, entry.type, entry.pool_slug,
    entry.amount_usd, entry.rate_usd, entry.rate_source, entry.token_amount, entry.token_symbol, entry.token_decimals,
    entry.token_address, entry.from_address, entry.to_address, entry.tx_hash, entry.chain_id, entry.ordinal,
    coalesce(entry.revision, 0),
    case when given.value ->> 'proof_url' is not null
      then private.keep_text_again('ledger', given.value ->> 'proof_url', former.proof_hash) end,
    case when given.value ->> 'note' is not null
      then private.keep_text_again('ledger', given.value ->> 'note', former.note_hash) end
  from jsonb_array_elements(entries) with ordinality as given (value, place)
  cross join jsonb_populate_record(null::public.transactions, given.value) as entry
  left join public.transactions as former
    on former.tx_hash = entry.tx_hash and former.chain_id = entry.chain_id and former.ordinal = entry.ordinal
      and former.revision = entry.revision - 1
  where not exists (
    select from public.transactions as known
    where known.tx_hash = entry.tx_hash and known.chain_id = entry.chain_id and known.ordinal = entry.ordinal
      and known.revision = coalesce(entry.revision, 0)
  )
  order by given.place
  on conflict on constraint transactions_key do nothing;
  get diagnostics added = row_count;

  if scan is not null then
    insert into private.ledger_scans (chain_id, block_number, block_hash, block_time, begun_hash, begun_index)
    values (
      (scan ->> 'chain_id')::integer, (scan ->> 'block_number')::bigint, scan ->> 'block_hash',
      (scan ->> 'block_time')::timestamptz, scan ->> 'begun_hash', (scan ->> 'begun_index')::bigint
    )
    on conflict (chain_id) do update set
      block_number = excluded.block_number, block_hash = excluded.block_hash,
      block_time = excluded.block_time, begun_hash = excluded.begun_hash, begun_index = excluded.begun_index,
      scanned_at = now();
    perform private.store_unread((scan ->> 'chain_id')::integer, scan -> 'unread');
  end if;

  if exists (select from private.unread_transactions) then
    delete from private.unread_transactions as unread
    using jsonb_to_recordset(entries) as entry (tx_hash text, chain_id integer)
    where unread.chain_id = entry.chain_id and unread.tx_hash = entry.tx_hash;
  end if;

  return jsonb_build_object('added', added, 'size', public.log_size('ledger'));
end;
$$;

-- Those of these rows whose transfer a check found as the row, or a revision of it before, says.
create function public.matched_before(ids bigint[]) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(facts.id), '[]') from public.transactions as facts
  where facts.id = any (ids) and exists (
    select from public.transactions as same
    join public.transaction_checks as checks on checks.transaction_id = same.id and checks.status in ('pending', 'verified')
    where same.chain_id = facts.chain_id and same.tx_hash = facts.tx_hash and same.ordinal = facts.ordinal
  )
$$;

-- What the job must know of the ledger before it appends rows: the greatest value of a row, or null, and for each pair
-- of a pool and an address what the pool paid to it, less what came back, by token.
create function public.ledger_context(chain integer, pairs jsonb) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'largest_usd', (
      select amount_usd::text
      from public.transactions as facts join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
      where amount_usd is not null and statuses.status in ('verified', 'pending')
      order by amount_usd desc limit 1
    ),
    'paid', coalesce((
      select jsonb_agg(jsonb_build_object(
        'account', account, 'address', address, 'token_address', token_address, 'amount', amount::text,
        'usd', usd::text, 'first_at', first_at
      ))
      from (
        select
          pair.account, pair.address, facts.token_address,
          sum(case facts.direction when 'out' then facts.token_amount else -facts.token_amount end) as amount,
          sum(case facts.direction when 'out' then facts.amount_usd else -facts.amount_usd end) as usd,
          min(facts.occurred_at) as first_at
        from (select distinct account, address from jsonb_to_recordset(pairs) as given (account text, address text)) as pair
        join public.transactions as facts
          on facts.account = pair.account and facts.chain_id = chain and (
            (facts.type = 'spending' and facts.to_address = pair.address)
            or (facts.type = 'returned' and facts.from_address = pair.address)
          )
        join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
        where statuses.status not in ('mismatch', 'reorganised')
        group by 1, 2, 3
      ) as sums
    ), '[]')
  )
$$;

-- Up to `most` rows that are due for a check: first those of an order that is sent, and those without a final result, then the
-- others that were last checked before `settled_before`. Of each kind, the row that was not checked for the longest time is first. Amounts
-- are text.
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
        select statuses.transaction_id, statuses.status, statuses.check_id
        from public.orders join private.order_transactions as sent on sent.order_id = orders.id and orders.state = 'sent'
        join public.transactions as facts on facts.tx_hash = sent.tx_hash and facts.chain_id = chain
        join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
        where statuses.status not in ('pending', 'unreachable')
      )
      union all
      (
        select statuses.transaction_id, statuses.status, statuses.check_id
        from private.transaction_statuses as statuses
        join public.transactions as facts on facts.id = statuses.transaction_id and facts.chain_id = chain
        where statuses.status in ('pending', 'unreachable')
        order by statuses.checked_at nulls first, statuses.transaction_id limit most
      )
      union all
      (
        select statuses.transaction_id, statuses.status, statuses.check_id
        from private.transaction_statuses as statuses
        join public.transactions as facts on facts.id = statuses.transaction_id and facts.chain_id = chain
        where statuses.status not in ('pending', 'unreachable') and statuses.checked_at < settled_before
        order by statuses.checked_at, statuses.transaction_id limit most
      )
    ) as open_then_settled
    limit most
  ) as due
  join public.transactions as facts on facts.id = due.transaction_id
  left join public.transaction_checks as found on found.id = due.check_id
$$;

-- Records the results of checks: [{transaction_id, status, block_number, block_hash, block_time, confirmations,
-- reason}]. Returns their number.
create function public.record_checks(checks jsonb) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  added bigint;
begin
  perform private.lock_log('ledger');
  insert into public.transaction_checks
    (transaction_id, status, block_number, block_hash, block_time, confirmations, reason)
  select transaction_id, status, block_number, block_hash, block_time, confirmations, reason
  from rows from (jsonb_populate_recordset(null::public.transaction_checks, checks)) with ordinality
  order by ordinality;
  get diagnostics added = row_count;
  return added;
end;
$$;

-- What each wallet received less what it sent, for each token, in the verified rows up to a block: [{wallet,
-- token_address, amount}], amounts as text. Reads the whole ledger: for scheduled work, not for pages.
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
    join private.transaction_statuses as statuses on statuses.transaction_id = facts.id and statuses.status = 'verified'
    join public.transaction_checks as found on found.id = statuses.check_id and found.block_number <= until_block
    join jsonb_array_elements_text(wallets) as wallet on wallet in (facts.to_address, facts.from_address)
    where facts.chain_id = chain
    group by wallet, facts.token_address
  ) as sums
$$;

-- Records reconciliations, with the columns of the table; amounts are text. Returns their number.
create function public.record_reconciliations(entries jsonb) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  added bigint;
begin
  insert into public.reconciliations (
    chain_id, block_number, block_hash, block_time, wallet, token_address, token_symbol, token_decimals,
    token_supply, chain_amount, ledger_amount, gas_paid, unlisted
  )
  select
    chain_id, block_number, block_hash, block_time, wallet, token_address, token_symbol, token_decimals,
    token_supply, chain_amount, ledger_amount, gas_paid, coalesce(unlisted, '[]')
  from jsonb_populate_recordset(null::public.reconciliations, entries);
  get diagnostics added = row_count;
  return added;
end;
$$;

create function public.check_writes() returns void language sql security definer set search_path = '' as $$
  insert into private.write_check (checked_at) values (clock_timestamp())
  on conflict (id) do update set checked_at = excluded.checked_at
$$;

-- [{wallet, block_number, block_hash, amount, nonce, gas_paid}] of a chain, newest first; amount and gas_paid are text.
create function public.coin_balances(chain integer) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'wallet', wallet, 'block_number', block_number, 'block_hash', block_hash, 'amount', amount::text,
    'nonce', nonce, 'gas_paid', gas_paid::text
  ) order by block_number desc), '[]')
  from private.coin_balances
  where chain_id = chain
$$;

-- Appends rows as append_ledger does, and in the same transaction stores the balance of each wallet at the last block
-- that was read: [{wallet, after, block_number, block_hash, amount, nonce, gas_paid}]. `after` is the block after which
-- the caller began to read; stored balances of later blocks are deleted first. The newest ten balances of each wallet
-- are kept. If two runs overlap, the balances of the last one remain, and no transfer is lost or recorded twice.
create function public.append_coins(chain integer, entries jsonb, balances jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  answer jsonb := public.append_ledger(entries);
begin
  delete from private.coin_balances as kept
  using jsonb_to_recordset(balances) as balance (wallet text, after bigint)
  where kept.chain_id = chain and kept.wallet = balance.wallet and kept.block_number > balance.after;
  insert into private.coin_balances (chain_id, wallet, block_number, block_hash, amount, nonce, gas_paid)
  select chain, wallet, block_number, block_hash, amount, nonce, gas_paid
  from jsonb_populate_recordset(null::private.coin_balances, balances);
  delete from private.coin_balances as kept
  where kept.chain_id = chain and (
    select count(*) from private.coin_balances as newer
    where newer.chain_id = kept.chain_id and newer.wallet = kept.wallet and newer.block_number > kept.block_number
  ) >= 10;
  return answer;
end;
$$;

-- Up to `most` unread transactions that are due to be tried again: [{tx_hash, block_number, block_hash, block_time}].
create function public.unread_due(chain integer, most integer) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'tx_hash', tx_hash, 'block_number', block_number, 'block_hash', block_hash, 'block_time', block_time
  ) order by tried_at), '[]')
  from (
    select * from private.unread_transactions
    where chain_id = chain and tried_at + case
      when is_too_large then interval '1 day'
      else least(interval '1 day', tried_at - found_at + interval '30 seconds')
    end <= now()
    order by tried_at limit most
  ) as due
$$;

-- As append_ledger, and stores which transactions were and were not read: `results` as private.store_unread takes them.
create function public.append_unread(chain integer, entries jsonb, results jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  answer jsonb := public.append_ledger(entries);
begin
  perform private.store_unread(chain, results);
  return answer;
end;
$$;

-- Names a wallet, or with a revision names it again. `entry`: {address, name, revision}. Refuses a wallet of ours (the
-- side of a row that is its account), a name that looks like that of another wallet, and a name that does not fit in one
-- line. Returns {id, name_hash}.
create function public.append_name(entry jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  wallet constant text := entry ->> 'address';
  words constant text := entry ->> 'name';
  wanted constant integer := coalesce((entry ->> 'revision')::integer, 0);
  former public.wallet_names;
  added public.wallet_names;
  broken text;
begin
  perform private.lock_log('ledger');
  broken := case
    when words is null or char_length(words) not between 1 and 60 or words <> trim(words)
      or words ~ '[\u0001-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]'
      then 'wallet_names_name'
    when exists (
      select from public.transactions where from_address = wallet and (direction = 'out' or counter_account is not null)
    ) or exists (
      select from public.transactions where to_address = wallet and (direction = 'in' or counter_account is not null)
    ) then 'wallet_names_of_others'
    when words <> private.plain_text(words) or not private.has_one_alphabet(words) then 'wallet_names_letters'
    when exists (
      select from private.current_names
      where private.name_skeleton(name) = private.name_skeleton(words) and address <> wallet
    ) then 'wallet_names_unique'
  end;
  if broken is not null then
    raise check_violation using constraint = broken, table = 'wallet_names', schema = 'public', message = case broken
      when 'wallet_names_name'
        then 'a name has 1 to 60 characters, without control and direction characters and spaces around it'
      when 'wallet_names_of_others' then 'the ledger has this wallet as one of ours'
      when 'wallet_names_letters' then 'a name has the letters of one alphabet, and none that fonts do not show'
      else 'another wallet has this name'
    end;
  end if;
  select * into former from public.wallet_names
  where wallet_names.address = wallet and wallet_names.revision = wanted - 1;
  insert into public.wallet_names (address, name_hash, revision)
  values (wallet, private.keep_text_again('ledger', words, former.name_hash), wanted)
  returning * into added;
  return jsonb_build_object('id', added.id, 'name_hash', added.name_hash);
end;
$$;

-- Stores what the feeds said: [{symbol, rate_usd, priced_at}], with null for a feed without a usable price. Such a
-- feed, and a price that is older than the stored one, leave the stored price as it is. Returns how many prices there
-- were.
create function public.store_rates(chain integer, rates jsonb) returns integer
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.token_rates as stored (chain_id, symbol, rate_usd, priced_at)
  select chain, symbol, rate_usd, priced_at from jsonb_populate_recordset(null::public.token_rates, rates)
  on conflict (chain_id, symbol) do update set
    asked_at = now(),
    rate_usd = case when excluded.priced_at >= coalesce(stored.priced_at, '-infinity') then excluded.rate_usd
      else stored.rate_usd end,
    priced_at = greatest(stored.priced_at, excluded.priced_at);
  return (select count(*) from jsonb_to_recordset(rates) as rate (rate_usd numeric) where rate_usd is not null);
end;
$$;

-- What everyone reads ---------------------------------------------------------------------------------------

create view private.current_names as
select names.id, names.address, names.revision, names.name_hash, names.recorded_at, words.text as name
from public.wallet_names as names
left join private.log_texts as words on words.hash = names.name_hash
where not exists (
  select from public.wallet_names as later
  where later.address = names.address and later.revision = names.revision + 1
);

-- A number that may exceed the precision of a JSON reader (a double) is text. The last column is the name of the other
-- side of the payment.
create view public.published_transactions with (security_invoker = false) as
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
left join private.ledger_entries as entries on entries.kind = 'transaction' and entries.row_id = facts.id
left join private.log_texts as proof on proof.hash = facts.proof_hash
left join private.log_texts as note on note.hash = facts.note_hash
left join public.transaction_checks as found on found.id = statuses.check_id;
comment on view public.published_transactions is 'The latest revision of every transfer, with its status on chain.';
comment on column public.published_transactions.status is
  'Result of the latest check with a result; pending before the first, unreachable where none had a result yet.';
comment on column public.published_transactions.counter_name is
  'The name that we gave to the wallet of the other side, if that is not ours.';

-- Each branch of the union is a plain scan, so that it is read from its own index in the order of the page.
create view public.published_party_transactions with (security_invoker = false) as
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
comment on view public.published_party_transactions is
  'The rows of a party: one of our accounts (its slug) or any address. Read it by party; party_direction is as seen from there.';

create view public.published_donations with (security_invoker = false) as
select
  id, occurred_at, type, account, counter_account, pool_slug, amount_usd, token_amount, token_symbol, token_decimals,
  from_address, to_address, tx_hash, chain_id, proof_url, note, recorded_at, log_index, status, checked_at,
  unreachable_at
from public.published_transactions
where type = 'donation' or (type = 'gift' and pool_slug is not null);
comment on view public.published_donations is 'What the total Donated is made of: donations, and gifts directly to a pool''s wallet.';

create view public.published_checks with (security_invoker = false) as
select id, transaction_id, status, block_number, block_hash, block_time, confirmations, reason, checked_at
from public.transaction_checks;
comment on view public.published_checks is 'Every check of every row.';

create view public.published_reconciliations with (security_invoker = false) as
select distinct on (chain_id, wallet, token_address)
  id, chain_id, block_number, block_hash, block_time, wallet, token_address, token_symbol, token_decimals,
  token_supply::text as token_supply, chain_amount::text as chain_amount, ledger_amount::text as ledger_amount,
  gas_paid::text as gas_paid, (chain_amount - (ledger_amount - gas_paid))::text as difference, unlisted, taken_at
from public.reconciliations
order by chain_id, wallet, token_address, id desc;
comment on view public.published_reconciliations is 'The latest reconciliation of each wallet and token.';

create view public.published_names with (security_invoker = false) as
select
  names.id, names.address::text as address, names.name, names.name_hash, names.revision, names.recorded_at,
  entries.index as log_index
from private.current_names as names
left join private.ledger_entries as entries on entries.kind = 'name' and entries.row_id = names.id;
comment on view public.published_names is
  'The latest name of every wallet that we named. The name is null where it was withdrawn.';

create view public.published_name_changes with (security_invoker = false) as
select names.id, names.address::text as address, words.text as name, names.revision, names.recorded_at
from public.wallet_names as names left join private.log_texts as words on words.hash = names.name_hash;
comment on view public.published_name_changes is
  'Every name that we gave a wallet, also the former ones. The name is null where it was withdrawn.';

-- Each branch is a plain scan, so that the first rows are found immediately, however many there are.
create view public.published_unchecked_transactions with (security_invoker = false) as
select rows.*
from (
  select transaction_id as id from private.transaction_statuses where status <> 'verified'
  union all
  select facts.id
  from public.transactions as facts
  join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
  where facts.amount_usd is null and statuses.status = 'verified'
) as unchecked
join public.published_transactions as rows using (id);
comment on view public.published_unchecked_transactions is
  'The rows that no sum includes: not verified, or without a value in dollars.';

create view public.published_rates with (security_invoker = false) as
select chain_id, symbol, trim_scale(rate_usd)::text as rate_usd, priced_at
from public.token_rates
where rate_usd is not null;
comment on view public.published_rates is 'The newest price of each token with a price feed.';

-- Grants ----------------------------------------------------------------------------------------------------

grant select on
  public.transactions, public.transaction_checks, public.reconciliations, public.wallet_names,
  public.token_rates
  to service_role;
grant select on
  public.published_transactions, public.published_party_transactions, public.published_donations,
  public.published_checks, public.published_reconciliations, public.published_names, public.published_name_changes,
  public.published_unchecked_transactions, public.published_rates
  to anon, authenticated, service_role;
grant execute on function
  public.append_ledger, public.transactions_due, public.record_checks, public.ledger_balances,
  public.record_reconciliations, public.check_writes, public.coin_balances, public.append_coins,
  public.unread_due, public.append_unread, public.append_name, public.store_rates, public.ledger_context,
  public.matched_before
  to service_role;

reset check_function_bodies;
