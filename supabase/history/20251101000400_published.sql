-- The views that visitors read. A number that may exceed the precision of a JSON reader (a double) is text.

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
  found.block_number, found.block_hash, found.block_time, found.confirmations, found.reason
from public.transactions as facts
join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
left join private.log_entries as entries
  on entries.log = 'ledger' and entries.kind = 'transaction' and entries.row_id = facts.id
left join private.log_texts as proof on proof.hash = facts.proof_hash
left join private.log_texts as note on note.hash = facts.note_hash
left join public.transaction_checks as found on found.id = statuses.check_id;
comment on view public.published_transactions is 'The latest revision of every transfer, with its status on chain.';
comment on column public.published_transactions.log_index is 'Place of its entry in the log, from 0.';
comment on column public.published_transactions.status is
  'Result of the latest check with a result; pending before the first, unreachable where none had a result yet.';
comment on column public.published_transactions.checked_at is 'Time of the last attempt; null before the first.';
comment on column public.published_transactions.unreachable_at is
  'Set where the last attempt reached no endpoint: the status is then the one from before.';

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
  rows.block_hash, rows.block_time, rows.confirmations, rows.reason
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
  chain_amount::text as chain_amount, ledger_amount::text as ledger_amount, gas_paid::text as gas_paid,
  (chain_amount - (ledger_amount - gas_paid))::text as difference, unlisted, taken_at
from public.reconciliations
order by chain_id, wallet, token_address, id desc;
comment on view public.published_reconciliations is 'The latest reconciliation of each wallet and token.';

create view public.published_cz_calls with (security_invoker = false) as
select
  calls.id, calls.posted_at, calls.captured_at, calls.author, calls.verified, confirmation.text as confirmed_by,
  words.text as tweet_text, calls.tweet_url, action.text as action_taken, calls.text_hash, calls.action_hash,
  calls.confirmed_by_hash, encode(sha256(convert_to(words.text, 'UTF8')), 'hex') as statement_sha256,
  calls.tx_hash, calls.chain_id, calls.revision, calls.recorded_at, entries.index as log_index,
  answer.id as transaction_id, answer.occurred_at as answered_at, answer.amount_usd as answered_usd,
  answer.token_amount as answered_token_amount, answer.token_symbol as answered_token_symbol,
  answer.token_decimals as answered_token_decimals, answer.status, answer.checked_at, answer.unreachable_at
from public.cz_calls as calls
left join private.log_entries as entries
  on entries.log = 'ledger' and entries.kind = 'statement' and entries.row_id = calls.id
left join private.log_texts as words on words.hash = calls.text_hash
left join private.log_texts as action on action.hash = calls.action_hash
left join private.log_texts as confirmation on confirmation.hash = calls.confirmed_by_hash
left join lateral (
  select id, occurred_at, amount_usd, token_amount, token_symbol, token_decimals, status, checked_at, unreachable_at
  from public.published_transactions
  where published_transactions.chain_id = calls.chain_id and published_transactions.tx_hash = calls.tx_hash
  order by ordinal limit 1
) as answer on true
where not exists (
  select from public.cz_calls as later
  where later.tweet_url = calls.tweet_url and later.revision = calls.revision + 1
);
comment on view public.published_cz_calls is
  'The latest revision of every statement, with the transaction that answered it where the ledger has it. A text is null where it was withdrawn.';
comment on column public.published_cz_calls.statement_sha256 is 'SHA-256 of the text in UTF-8, for comparison with another copy of it.';

create view public.published_updates with (security_invoker = false) as
select
  updates.id, updates.pool_slug, updates.number, updates.revision, updates.published_at, words.text as text,
  links.text as links, updates.helping, source.text as helping_source, updates.text_hash, updates.links_hash,
  updates.helping_source_hash, updates.recorded_at, entries.index as log_index
from public.pool_updates as updates
left join private.log_entries as entries
  on entries.log = 'ledger' and entries.kind = 'update' and entries.row_id = updates.id
left join private.log_texts as words on words.hash = updates.text_hash
left join private.log_texts as links on links.hash = updates.links_hash
left join private.log_texts as source on source.hash = updates.helping_source_hash
where not exists (
  select from public.pool_updates as later
  where later.pool_slug = updates.pool_slug and later.number = updates.number and later.revision = updates.revision + 1
);
comment on view public.published_updates is 'The latest revision of every update of a pool. A text is null where it was withdrawn.';
comment on column public.published_updates.links is 'Https links, one a line.';

-- Totals --------------------------------------------------------------------------------------------------

-- docs/specification.md lists which types enter which total. The formulas are here and nowhere else.
create view public.ledger_totals with (security_invoker = false) as
select
  (
    coalesce(sum(case direction when 'in' then sum_usd else -sum_usd end)
      filter (where status = 'verified' and account in ('treasury', 'donation-wallet')), 0)
    + coalesce(sum(sum_usd)
      filter (where status = 'verified' and counter_account in ('treasury', 'donation-wallet')), 0)
  )::numeric(20, 2) as treasury_usd,
  coalesce(sum(sum_usd) filter (where status = 'verified' and (
    type = 'donation' or (type = 'gift' and pool_slug is not null)
  )), 0)::numeric(20, 2) as donated_usd,
  coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'donation' and pool_slug is null), 0)::numeric(20, 2) as donated_elsewhere_usd,
  coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'dream'), 0)::numeric(20, 2) as dreams_funded_usd,
  coalesce(sum(row_count) filter (where status = 'verified' and type = 'dream'), 0)::bigint as dreams_count,
  coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'tax' and pool_slug is null), 0)::numeric(20, 2) as tax_usd,
  coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'gift' and pool_slug is null), 0)::numeric(20, 2) as gifts_usd,
  coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'cost'), 0)::numeric(20, 2) as costs_usd,
  coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'other' and pool_slug is null and direction = 'in'), 0)::numeric(20, 2) as other_in_usd,
  coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'other' and pool_slug is null and direction = 'out'), 0)::numeric(20, 2) as other_out_usd,
  coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'move' and pool_slug is not null
    and counter_account in ('treasury', 'donation-wallet')), 0)::numeric(20, 2) as returned_usd,
  coalesce(sum(row_count), 0)::bigint as transactions_count,
  coalesce(sum(row_count) filter (where status = 'verified'), 0)::bigint as verified_count,
  coalesce(sum(row_count) filter (where status in ('pending', 'unreachable')), 0)::bigint as pending_count,
  coalesce(sum(row_count) filter (where status in ('mismatch', 'reorganised')), 0)::bigint as disputed_count,
  -- Verified rows only: the others are in pending_count or disputed_count, with or without a value.
  coalesce(sum(row_count - valued_count) filter (where status = 'verified'), 0)::bigint as unvalued_count,
  (select occurred_at from public.transactions order by occurred_at desc, id desc limit 1) as last_occurred_at,
  (select recorded_at from public.transactions order by id desc limit 1) as as_of
from private.sums_by_month;
comment on view public.ledger_totals is 'The figures of the site, over all rows that are verified on chain and valued.';
comment on column public.ledger_totals.treasury_usd is
  'Treasury: what came into the treasury and the donation wallet, less what went out. It equals tax_usd + gifts_usd + other_in_usd + returned_usd less donations, dreams, costs_usd and other_out_usd.';
comment on column public.ledger_totals.donated_usd is
  'Donated: donations, and gifts directly to a pool''s wallet. It equals donated_elsewhere_usd + the total of each pool.';
comment on column public.ledger_totals.dreams_funded_usd is 'Dreams Funded: what went out as dreams.';
comment on column public.ledger_totals.returned_usd is 'Moved back from pools'' wallets; it lowers no other total.';
comment on column public.ledger_totals.pending_count is 'Transactions that are not verified yet, which no total includes.';
comment on column public.ledger_totals.disputed_count is 'Transactions that the chain contradicts, which no total includes.';
comment on column public.ledger_totals.unvalued_count is 
  'Verified transactions without a value in dollars, which no total includes.';
comment on column public.ledger_totals.as_of is 'When a transaction was last recorded.';

create view public.pool_totals with (security_invoker = false) as
select
  accounts.slug,
  coalesce(sums.donations_usd + sums.gifts_usd, 0)::numeric(20, 2) as total_usd,
  coalesce(sums.donations_usd, 0)::numeric(20, 2) as donations_usd,
  coalesce(sums.gifts_usd, 0)::numeric(20, 2) as gifts_usd,
  coalesce(sums.direct_usd, 0)::numeric(20, 2) as direct_usd,
  coalesce(sums.spending_usd + sums.direct_usd, 0)::numeric(20, 2) as spent_usd,
  coalesce(sums.moved_in_usd, 0)::numeric(20, 2) as moved_in_usd,
  coalesce(sums.moved_out_usd, 0)::numeric(20, 2) as moved_out_usd,
  coalesce(sums.other_usd, 0)::numeric(20, 2) as other_usd,
  coalesce(
    sums.donations_usd + sums.gifts_usd + sums.moved_in_usd + sums.other_usd
      - sums.spending_usd - sums.direct_usd - sums.moved_out_usd, 0
  )::numeric(20, 2) as left_usd,
  coalesce(sums.donations_count, 0)::bigint as donations_count,
  coalesce(sums.pending_count, 0)::bigint as pending_count,
  coalesce(sums.disputed_count, 0)::bigint as disputed_count,
  coalesce(sums.unvalued_count, 0)::bigint as unvalued_count,
  last_donation.occurred_at as last_donation_at,
  stated.helping, stated.published_at as helping_at, stated.helping_source
from private.accounts
left join (
  select
    party.slug,
    coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'donation'), 0) as donations_usd,
    coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'gift'), 0) as gifts_usd,
    coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'donation' and counter_account is null), 0) as direct_usd,
    coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'spending'), 0) as spending_usd,
    coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'move' and counter_account = party.slug), 0) as moved_in_usd,
    coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'move' and account = party.slug), 0) as moved_out_usd,
    coalesce(sum(case direction when 'in' then sum_usd else -sum_usd end)
      filter (where status = 'verified' and type in ('tax', 'other')), 0) as other_usd,
    coalesce(sum(row_count) filter (where type in ('donation', 'gift')), 0) as donations_count,
    sum(row_count) filter (where status in ('pending', 'unreachable')) as pending_count,
    sum(row_count) filter (where status in ('mismatch', 'reorganised')) as disputed_count,
    sum(row_count - valued_count) filter (where status = 'verified') as unvalued_count
  from private.accounts as party
  join private.sums_by_month as sums
    on sums.pool_slug = party.slug or sums.counter_account = party.slug
  where party.is_pool
  group by party.slug
) as sums on sums.slug = accounts.slug
left join lateral (
  select occurred_at from public.published_transactions
  where published_transactions.pool_slug = accounts.slug and type in ('donation', 'gift')
  order by occurred_at desc, id desc limit 1
) as last_donation on true
left join lateral (
  select helping, published_at, helping_source from public.published_updates
  where published_updates.pool_slug = accounts.slug and helping is not null
  order by published_at desc, id desc limit 1
) as stated on true
where accounts.is_pool;
comment on view public.pool_totals is 'What each impact pool received, spent and has left, one row for every pool, over verified rows.';
comment on column public.pool_totals.total_usd is 'Received: donations and gifts. Total Donated of the pool.';
comment on column public.pool_totals.direct_usd is 'Donations paid directly to a partner, and not through a wallet of ours: they count as received and as spent.';
comment on column public.pool_totals.other_usd is 'Other payments into the pool''s wallet, less other payments out of it.';
comment on column public.pool_totals.left_usd is 'What its wallet should hold: received and moved in, less spent and moved out.';

create view public.ledger_months with (security_invoker = false) as
select
  month, account, counter_account, direction, type, pool_slug,
  coalesce(sum(sum_usd) filter (where status = 'verified'), 0)::numeric(20, 2) as sum_usd,
  coalesce(sum(row_count) filter (where status = 'verified'), 0)::bigint as verified_count,
  sum(row_count)::bigint as row_count
from private.sums_by_month
group by month, account, counter_account, direction, type, pool_slug
having sum(row_count) > 0;
comment on view public.ledger_months is 'Verified dollars by month (UTC), account, type, direction and pool. A month without rows is absent.';

create view public.ledger_status with (security_invoker = false) as
select
  logs.size::bigint as size,
  (select encode(leaf, 'hex') from private.log_entries where log = 'ledger' and index = logs.size - 1) as leaf,
  (select recorded_at from public.transactions order by id desc limit 1) as recorded_at,
  (select max(id) from public.transaction_checks) as check_id,
  (select size from private.log_checkpoints where log = 'ledger' order by id desc limit 1) as signed_size,
  rollback.size::bigint as rolled_back_size, rollback.noticed_at as rolled_back_at,
  scan.chain_id, scan.block_number, scan.block_hash, scan.block_time, scan.scanned_at
from private.logs
left join private.log_rollbacks as rollback on rollback.log = logs.name
left join lateral (select * from private.ledger_scans order by scanned_at desc limit 1) as scan on true
where logs.name = 'ledger';
comment on view public.ledger_status is
  'One row: the size of the log, what distinguishes one state of the ledger from another (size, leaf, check_id), and how far the blockchain was read.';
comment on column public.ledger_status.leaf is 'Leaf hash of the last entry, in hex.';
comment on column public.ledger_status.rolled_back_size is
  'Size of a signed checkpoint that the log no longer contains: nothing is signed until an operator accepts it. Null otherwise.';
comment on column public.ledger_status.scanned_at is 'When the blockchain was last read, with or without new rows.';

create view public.published_records with (security_invoker = false) as
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
  ) as statements
from public.transactions as facts
left join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
left join private.log_entries as entries
  on entries.log = 'ledger' and entries.kind = 'transaction' and entries.row_id = facts.id
left join private.log_texts as proof on proof.hash = facts.proof_hash
left join private.log_texts as note on note.hash = facts.note_hash;
comment on view public.published_records is
  'Everything about a row: its facts, its status, its entry in the log, its neighbours, its revisions, its latest 20 checks and the statements that it answered. Read it by id.';
comment on column public.published_records.status is 'Null where a later revision replaced this one.';
comment on column public.published_records.signed_size is 'Size of the smallest signed checkpoint that covers the row.';

-- Sums of a filter ----------------------------------------------------------------------------------------

create type private.filter_sum as (
  row_count bigint, valued_count bigint, in_usd numeric, out_usd numeric, moved_usd numeric
);

-- Computed from the sums by day: the cost grows with the days and the accounts, not with the rows.
create function private.sum_days(
  kind text, direction text, status text, pool text, party text, first_day date, last_day date
) returns private.filter_sum
language sql stable set search_path = '' as $$
  select
    coalesce(sum(row_count), 0), coalesce(sum(valued_count), 0),
    coalesce(sum(sum_usd) filter (where seen_as = 'in'), 0),
    coalesce(sum(sum_usd) filter (where seen_as = 'out'), 0),
    coalesce(sum(sum_usd) filter (where seen_as = 'moved'), 0)
  from (
    select
      row_count, valued_count, sum_usd, sums.direction,
      case
        when party = account then sums.direction
        when party = counter_account then case sums.direction when 'in' then 'out' else 'in' end
        when type = 'move' then 'moved'
        else sums.direction
      end as seen_as
    from private.sums_by_day as sums
    where day between first_day and last_day
      and (kind is null or type = kind)
      and (sum_days.status is null or sums.status = sum_days.status)
      and (pool is null or pool_slug = pool)
      and (party is null or party = account or party = counter_account)
  ) as sums
  where sum_days.direction is null
    or sum_days.direction = case seen_as when 'moved' then sums.direction else seen_as end
$$;

-- Computed from up to `most` rows: for a wallet address or a transaction.
create function private.sum_rows(
  kind text, direction text, status text, pool text, party text, transaction_hash text, first_day date, last_day date,
  most integer
) returns private.filter_sum
language sql stable set search_path = '' as $$
  select
    count(*), count(amount_usd),
    coalesce(sum(amount_usd) filter (where seen_as = 'in'), 0),
    coalesce(sum(amount_usd) filter (where seen_as = 'out'), 0),
    coalesce(sum(amount_usd) filter (where seen_as = 'moved'), 0)
  from (
    select facts.amount_usd, case when found.side is null and facts.type = 'move' then 'moved' else coalesce(found.side, facts.direction) end as seen_as
    from (
      select id, 'out' as side from public.transactions where transaction_hash is null and from_address = party
      union all
      select id, 'in' from public.transactions where transaction_hash is null and to_address = party
      union all
      select id, case
        when party = from_address then 'out'
        when party = to_address then 'in'
        when party = account then transactions.direction
        when party = counter_account then case transactions.direction when 'in' then 'out' else 'in' end
      end
      from public.transactions
      where tx_hash = transaction_hash
        and (party is null or party in (account, counter_account, from_address, to_address))
    ) as found
    join public.transactions as facts on facts.id = found.id
    join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
    where (kind is null or facts.type = kind)
      and (sum_rows.direction is null or coalesce(found.side, facts.direction) = sum_rows.direction)
      and (sum_rows.status is null or statuses.status = sum_rows.status)
      and (pool is null or facts.pool_slug = pool)
      and facts.occurred_at >= first_day::timestamp at time zone 'UTC'
      and facts.occurred_at < (last_day + 1)::timestamp at time zone 'UTC'
    limit most
  ) as rows
$$;

-- {count, unvalued_count, in_usd, out_usd, moved_usd, exact} of the rows under a filter, dollars as text. Members of
-- the filter, all optional texts: type, direction, status, pool, party (the slug of an account or a wallet address),
-- tx_hash, from, to (days, both included). With a wallet address or a hash, up to 10,000 rows are counted; if there are
-- more, `exact` is false, `count` is 10,000 and the others are null. Without a party, a move is only in moved_usd.
create function public.sum_transactions(filter jsonb) returns jsonb
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  most constant integer := 10000;
  first_day date := greatest(coalesce(filter ->> 'from', '2015-01-01')::date, '2015-01-01');
  last_day date := least(coalesce(filter ->> 'to', '2099-12-31')::date, '2099-12-31');
  found private.filter_sum;
begin
  if filter ->> 'tx_hash' is null and coalesce(filter ->> 'party', '') not like '0x%' then
    found := private.sum_days(
      filter ->> 'type', filter ->> 'direction', filter ->> 'status', filter ->> 'pool', filter ->> 'party',
      first_day, last_day
    );
  else
    found := private.sum_rows(
      filter ->> 'type', filter ->> 'direction', filter ->> 'status', filter ->> 'pool', filter ->> 'party',
      filter ->> 'tx_hash', first_day, last_day, most + 1
    );
    if found.row_count > most then
      return jsonb_build_object(
        'count', most, 'unvalued_count', null, 'in_usd', null, 'out_usd', null, 'moved_usd', null, 'exact', false
      );
    end if;
  end if;
  return jsonb_build_object(
    'count', found.row_count, 'unvalued_count', found.row_count - found.valued_count,
    'in_usd', found.in_usd::numeric(20, 2)::text, 'out_usd', found.out_usd::numeric(20, 2)::text,
    'moved_usd', found.moved_usd::numeric(20, 2)::text, 'exact', true
  );
end;
$$;

-- Privileges ----------------------------------------------------------------------------------------------

revoke all on all functions in schema private from public, anon, authenticated, service_role;
revoke all on
  public.published_transactions, public.published_party_transactions, public.published_donations,
  public.published_checks, public.published_reconciliations, public.published_cz_calls, public.published_updates,
  public.published_records, public.ledger_totals, public.pool_totals, public.ledger_months, public.ledger_status
  from public, anon, authenticated, service_role;
grant select on
  public.published_transactions, public.published_party_transactions, public.published_donations,
  public.published_checks, public.published_reconciliations, public.published_cz_calls, public.published_updates,
  public.published_records, public.ledger_totals, public.pool_totals, public.ledger_months, public.ledger_status
  to anon, authenticated, service_role;
revoke all on function public.sum_transactions(jsonb) from public, anon, authenticated;
grant execute on function public.sum_transactions(jsonb) to anon, authenticated, service_role;
