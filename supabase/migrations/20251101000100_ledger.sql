-- The ledger: what came into the treasury and what left it, and the statements that asked for it.
-- Facts are immutable. A correction is a new revision of the same transfer; the latest one is published.
-- Anonymous visitors and members read the published views and nothing else.

create table private.impact_pools (
  slug text primary key
);
comment on table private.impact_pools is 'The pools a donation can be for; what is told about them stands in the site.';
insert into private.impact_pools (slug) values ('education'), ('humanitarian-relief'), ('animal-welfare');

create table public.transactions (
  id bigint generated always as identity primary key,
  occurred_at timestamptz not null,
  type text not null
    constraint transactions_type_known check (type in ('donation', 'tax', 'dream', 'other')),
  direction text not null
    constraint transactions_direction_known check (direction in ('in', 'out')),
  amount_usd numeric(20, 2)
    constraint transactions_amount_usd_positive check (amount_usd >= 0),
  rate_usd numeric(38, 18)
    constraint transactions_rate_usd_positive check (rate_usd > 0),
  rate_source text
    constraint transactions_rate_source_length check (char_length(rate_source) between 1 and 200),
  token_amount numeric(78, 0)
    constraint transactions_token_amount_positive check (token_amount >= 0),
  token_symbol text
    constraint transactions_token_symbol_length check (char_length(token_symbol) between 1 and 32),
  token_decimals smallint
    constraint transactions_token_decimals_range check (token_decimals between 0 and 255),
  token_address text
    constraint transactions_token_address_format check (token_address ~ '^0x[0-9a-f]{40}$'),
  from_address text not null
    constraint transactions_from_address_format check (from_address ~ '^0x[0-9a-f]{40}$'),
  to_address text not null
    constraint transactions_to_address_format check (to_address ~ '^0x[0-9a-f]{40}$'),
  tx_hash text not null
    constraint transactions_tx_hash_format check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  chain_id integer not null
    constraint transactions_chain_id_positive check (chain_id > 0),
  ordinal integer not null
    constraint transactions_ordinal_range check (ordinal >= -1),
  revision integer not null default 0
    constraint transactions_revision_range check (revision >= 0),
  pool_slug text references private.impact_pools (slug),
  proof_url text
    constraint transactions_proof_url_https check (proof_url ~ '^https://\S+$' and char_length(proof_url) <= 2000),
  note text
    constraint transactions_note_length check (char_length(note) between 1 and 2000),
  recorded_at timestamptz not null default now(),
  constraint transactions_key unique (chain_id, tx_hash, ordinal, revision),
  constraint transactions_direction_of_type check (
    type = 'other' or direction = case type when 'tax' then 'in' else 'out' end
  ),
  constraint transactions_pool_of_donation check (pool_slug is null or type = 'donation'),
  constraint transactions_value_has_source check (amount_usd is null or rate_source is not null)
);
comment on column public.transactions.direction is 'As seen from the treasury.';
comment on column public.transactions.amount_usd is 'US dollars at the time; null while unvalued, and then in no total.';
comment on column public.transactions.rate_usd is 'US dollars per whole token; rate_source says who stated it.';
comment on column public.transactions.token_amount is 'In base units: divide by 10 ^ token_decimals.';
comment on column public.transactions.ordinal is
  'Place of the transfer within its transaction, -1 for the native transfer. Not the log index, which changes when a block is mined again.';

-- Pages read newest first and page by key: each index is one filter with that order behind it.
-- A reader bounds the scan by sending occurred_at <= X beside the key's
-- (occurred_at < X or (occurred_at = X and id < Y)), type = 'donation' with every pool_slug,
-- and chain_id with every tx_hash. Without them the answer is the same, but slow.
create index transactions_newest on public.transactions (occurred_at desc, id desc);
create index transactions_newest_of_type on public.transactions (type, occurred_at desc, id desc);
create index transactions_newest_of_pool on public.transactions (pool_slug, occurred_at desc, id desc)
  where type = 'donation';

create table public.cz_calls (
  id bigint generated always as identity primary key,
  posted_at timestamptz not null,
  author text not null
    constraint cz_calls_author_length check (char_length(author) between 1 and 100),
  verified boolean not null default false,
  tweet_text text not null
    constraint cz_calls_tweet_text_length check (char_length(tweet_text) between 1 and 5000),
  tweet_url text not null
    constraint cz_calls_tweet_url_https check (tweet_url ~ '^https://\S+$' and char_length(tweet_url) <= 2000),
  action_taken text not null
    constraint cz_calls_action_taken_length check (char_length(action_taken) between 1 and 2000),
  tx_hash text
    constraint cz_calls_tx_hash_format check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  chain_id integer
    constraint cz_calls_chain_id_positive check (chain_id > 0),
  revision integer not null default 0
    constraint cz_calls_revision_range check (revision >= 0),
  recorded_at timestamptz not null default now(),
  constraint cz_calls_key unique (tweet_url, revision),
  constraint cz_calls_tx_has_chain check ((tx_hash is null) = (chain_id is null))
);
comment on column public.cz_calls.verified is 'The statement is confirmed by its source; it says nothing about the transaction.';

create index cz_calls_newest on public.cz_calls (posted_at desc, id desc);

-- Append-only twice over: the triggers hold for whoever has the privilege to write.
create function private.refuse_change() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise exception '% is append-only: record a new revision instead', tg_table_name;
end;
$$;
revoke all on function private.refuse_change() from public, anon, authenticated;

create trigger append_only before update or delete or truncate on public.transactions
  for each statement execute function private.refuse_change();
create trigger append_only before update or delete or truncate on public.cz_calls
  for each statement execute function private.refuse_change();

-- Totals are kept, not counted: a page view reads a handful of rows however long the ledger is.
create table private.ledger_sums (
  type text not null,
  direction text not null,
  pool_slug text,
  row_count bigint not null,
  valued_count bigint not null,
  sum_usd numeric(20, 2) not null,
  constraint ledger_sums_key unique nulls not distinct (type, direction, pool_slug)
);
comment on table private.ledger_sums is 'Running sums over the latest revisions, kept by a trigger on transactions.';

-- Sums are updated in the order of their key, so that two writers wait for each other and never deadlock.
create function private.add_transactions_to_sums() returns trigger
language plpgsql security definer set search_path = '' as $$
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

  insert into private.ledger_sums as sums (type, direction, pool_slug, row_count, valued_count, sum_usd)
  select
    change.type,
    change.direction,
    change.pool_slug,
    sum(change.sign),
    coalesce(sum(change.sign) filter (where change.amount_usd is not null), 0),
    coalesce(sum(change.sign * change.amount_usd), 0)
  from (
    select 1 as sign, added.type, added.direction, added.pool_slug, added.amount_usd from added
    union all
    select -1, former.type, former.direction, former.pool_slug, former.amount_usd
    from added
    join public.transactions as former on former.chain_id = added.chain_id and former.tx_hash = added.tx_hash
      and former.ordinal = added.ordinal and former.revision = added.revision - 1
    where added.revision > 0
  ) as change
  group by change.type, change.direction, change.pool_slug
  order by change.type, change.direction, change.pool_slug
  on conflict on constraint ledger_sums_key do update set
    row_count = sums.row_count + excluded.row_count,
    valued_count = sums.valued_count + excluded.valued_count,
    sum_usd = sums.sum_usd + excluded.sum_usd;

  return null;
end;
$$;
revoke all on function private.add_transactions_to_sums() from public, anon, authenticated;

create trigger add_to_sums after insert on public.transactions
  referencing new table as added
  for each statement execute function private.add_transactions_to_sums();

create function private.check_cz_call_revision() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.revision > 0 and not exists (
    select from public.cz_calls where tweet_url = new.tweet_url and revision = new.revision - 1
  ) then
    raise check_violation using
      message = 'a revision must follow the one before it',
      constraint = 'cz_calls_revision_follows', table = 'cz_calls', schema = 'public';
  end if;
  return new;
end;
$$;
revoke all on function private.check_cz_call_revision() from public, anon, authenticated;

create trigger check_revision before insert on public.cz_calls
  for each row execute function private.check_cz_call_revision();

-- The published views run with their owner's rights on purpose (Supabase's linter notes it): they are the
-- only way a visitor sees the ledger, and choose its rows and columns. No other privilege is needed.
-- A number that JSON cannot carry exactly is published as text.
create view public.published_transactions with (security_invoker = false) as
select
  id, occurred_at, type, direction, amount_usd, trim_scale(rate_usd)::text as rate_usd, rate_source,
  token_amount::text as token_amount, token_symbol, token_decimals, token_address,
  from_address, to_address, tx_hash, chain_id, ordinal, revision, pool_slug, proof_url, note, recorded_at
from public.transactions
where not exists (
  select from public.transactions as later
  where later.chain_id = transactions.chain_id and later.tx_hash = transactions.tx_hash
    and later.ordinal = transactions.ordinal and later.revision = transactions.revision + 1
);
comment on view public.published_transactions is 'The latest revision of every transfer.';

create view public.published_donations with (security_invoker = false) as
select
  id, occurred_at, pool_slug, amount_usd, token_amount, token_symbol, token_decimals,
  to_address, tx_hash, chain_id, proof_url, note, recorded_at
from public.published_transactions
where type = 'donation';
comment on view public.published_donations is 'Money paid out of the treasury to a pool, or to another cause (no pool_slug).';

create view public.ledger_totals with (security_invoker = false) as
select
  coalesce(sum(case direction when 'in' then sum_usd else -sum_usd end), 0)::numeric(20, 2) as treasury_usd,
  coalesce(sum(sum_usd) filter (where type = 'donation' and direction = 'out'), 0)::numeric(20, 2) as donated_usd,
  coalesce(sum(sum_usd) filter (where type = 'dream' and direction = 'out'), 0)::numeric(20, 2) as dreams_funded_usd,
  coalesce(sum(row_count) filter (where type = 'dream' and direction = 'out'), 0)::bigint as dreams_count,
  coalesce(sum(row_count), 0)::bigint as transactions_count,
  coalesce(sum(row_count - valued_count), 0)::bigint as unvalued_count,
  (select occurred_at from public.published_transactions order by occurred_at desc, id desc limit 1) as last_occurred_at,
  (select recorded_at from public.transactions order by id desc limit 1) as as_of
from private.ledger_sums;
comment on view public.ledger_totals is 'The three figures of the site, over all valued transactions. The formulas stand here and nowhere else.';
comment on column public.ledger_totals.treasury_usd is 'Treasury: everything that came in, less everything that went out.';
comment on column public.ledger_totals.donated_usd is 'Donated: what went out as donations.';
comment on column public.ledger_totals.dreams_funded_usd is 'Dreams Funded: what went out as dreams.';
comment on column public.ledger_totals.unvalued_count is 'Transactions without a value in dollars, which no total includes.';
comment on column public.ledger_totals.as_of is 'When the ledger was last written.';

create view public.pool_totals with (security_invoker = false) as
select
  impact_pools.slug,
  coalesce(sums.sum_usd, 0)::numeric(20, 2) as total_usd,
  coalesce(sums.row_count, 0)::bigint as donations_count,
  coalesce(sums.row_count - sums.valued_count, 0)::bigint as unvalued_count,
  last_donation.occurred_at as last_donation_at
from private.impact_pools
left join private.ledger_sums as sums on sums.pool_slug = impact_pools.slug
left join lateral (
  select occurred_at from public.published_donations
  where published_donations.pool_slug = impact_pools.slug
  order by occurred_at desc, id desc
  limit 1
) as last_donation on true;
comment on view public.pool_totals is 'What each impact pool received, one row for every pool.';

create view public.published_cz_calls with (security_invoker = false) as
select id, posted_at, author, verified, tweet_text, tweet_url, action_taken, tx_hash, chain_id, revision, recorded_at
from public.cz_calls
where not exists (
  select from public.cz_calls as later
  where later.tweet_url = cz_calls.tweet_url and later.revision = cz_calls.revision + 1
);
comment on view public.published_cz_calls is 'The latest revision of every statement.';

alter table public.transactions enable row level security;
alter table public.cz_calls enable row level security;

revoke all on public.transactions, public.cz_calls from public, anon, authenticated, service_role;
revoke all on sequence public.transactions_id_seq, public.cz_calls_id_seq
  from public, anon, authenticated, service_role;
revoke all on
  public.published_transactions, public.published_donations, public.ledger_totals, public.pool_totals,
  public.published_cz_calls
  from public, anon, authenticated, service_role;

grant select on
  public.published_transactions, public.published_donations, public.ledger_totals, public.pool_totals,
  public.published_cz_calls
  to anon, authenticated, service_role;

-- Not id and recorded_at: the database numbers and dates the rows itself.
grant
  select,
  insert (
    occurred_at, type, direction, amount_usd, rate_usd, rate_source, token_amount, token_symbol, token_decimals,
    token_address, from_address, to_address, tx_hash, chain_id, ordinal, revision, pool_slug, proof_url, note
  )
  on public.transactions to service_role;
grant
  select,
  insert (posted_at, author, verified, tweet_text, tweet_url, action_taken, tx_hash, chain_id, revision)
  on public.cz_calls to service_role;
