-- Every figure of money that a page, file or feed shows, in one file; docs/specification.md ('Totals') says the same in
-- words. All figures are sums over the latest revisions that are verified on chain and have a value in dollars.
--
-- Seen from the project, a payment is one of three: received (from outside into one of our wallets), moved (between two
-- of our wallets) or paid (out of one of our wallets to the outside). Seen from a pool: received (donations and gifts)
-- and paid (what its wallet spent, and donations that went straight to a partner). Seen from a wallet: what came into it
-- and what went out of it, moves included.

drop view public.ledger_months;
drop function public.sum_transactions(jsonb);
drop function private.sum_days(text, text, text, text, text, date, date);
drop function private.sum_rows(text, text, text, text, text, text, date, date, integer);
drop type private.filter_sum;

create or replace view public.ledger_totals with (security_invoker = false) as
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
  (select recorded_at from public.transactions order by id desc limit 1) as as_of,
  coalesce(sum(sum_usd) filter (where status = 'verified' and direction = 'in' and counter_account is null), 0)::numeric(20, 2) as received_usd,
  coalesce(sum(sum_usd) filter (where status = 'verified' and counter_account is not null), 0)::numeric(20, 2) as moved_usd,
  coalesce(sum(sum_usd) filter (where status = 'verified' and direction = 'out' and counter_account is null), 0)::numeric(20, 2) as paid_usd
from private.sums_by_month;
comment on column public.ledger_totals.received_usd is
  'Received from outside by all our wallets. received_usd less paid_usd equals treasury_usd plus what every pool has left.';
comment on column public.ledger_totals.moved_usd is 'Moved between our wallets.';
comment on column public.ledger_totals.paid_usd is 'Left our wallets.';

create or replace view public.pool_totals with (security_invoker = false) as
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
  where published_transactions.pool_slug = accounts.slug and type in ('donation', 'gift') and status = 'verified'
  order by occurred_at desc, id desc limit 1
) as last_donation on true
left join lateral (
  select helping, published_at, helping_source from public.published_updates
  where published_updates.pool_slug = accounts.slug and helping is not null
  order by published_at desc, id desc limit 1
) as stated on true
where accounts.is_pool;
comment on column public.pool_totals.last_donation_at is 'The time of the newest donation or gift that is verified on chain.';

create view public.ledger_months with (security_invoker = false) as
select
  month, received_usd, moved_usd, paid_usd,
  sum(received_usd - paid_usd) over (order by month)::numeric(20, 2) as held_usd,
  (
    select jsonb_object_agg(pool_slug, sum_usd::text)
    from (
      select pool_slug, sum(sum_usd)::numeric(20, 2) as sum_usd
      from private.sums_by_month
      where sums_by_month.month = months.month and status = 'verified' and type in ('donation', 'gift')
        and pool_slug is not null
      group by pool_slug
      having sum(row_count) > 0
    ) as pools
  ) as pools
from (
  select
    month,
    coalesce(sum(sum_usd) filter (where direction = 'in' and counter_account is null), 0)::numeric(20, 2) as received_usd,
    coalesce(sum(sum_usd) filter (where counter_account is not null), 0)::numeric(20, 2) as moved_usd,
    coalesce(sum(sum_usd) filter (where direction = 'out' and counter_account is null), 0)::numeric(20, 2) as paid_usd
  from private.sums_by_month
  where status = 'verified'
  group by month
  having sum(row_count) > 0
) as months;
comment on view public.ledger_months is
  'One row for each month (UTC) with a verified payment: received, moved and paid as in ledger_totals.';
comment on column public.ledger_months.held_usd is
  'In all our wallets at the end of the month. The newest equals the treasury plus what every pool has left.';
comment on column public.ledger_months.pools is 'What each pool received, dollars as text by slug; null for none.';

-- The count and the sums of the rows under a filter, dollars as text. Members of the filter, all optional texts: type,
-- direction, status, pool (a slug, or 'none' for rows without a pool), party (the slug of an account or a wallet address),
-- tx_hash, from, to (days, both included).
--
-- {count, verified_count, pending_count, disputed_count, unvalued_count, received_usd, moved_usd, paid_usd, exact}:
-- `count` has every row under the filter, the three sums have its verified rows with a value, and `unvalued_count` has
-- its verified rows without one. The sums are seen from the party of the filter, else from its pool, else from the
-- project (top of this file); `moved_usd` is 0 for a party, because its moves are in the other two, and for a pool.
-- With a wallet address or a hash, up to 10,000 rows are counted; if there are more, `exact` is false, `count` is 10,000
-- and the others are null. Otherwise the cost grows with the days and the accounts, and not with the rows.
create function public.sum_transactions(filter jsonb) returns jsonb
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  most constant integer := 10000;
  first_day constant date := greatest(coalesce(filter ->> 'from', '2015-01-01')::date, '2015-01-01');
  last_day constant date := least(coalesce(filter ->> 'to', '2099-12-31')::date, '2099-12-31');
  of_type constant text := filter ->> 'type';
  of_direction constant text := filter ->> 'direction';
  of_status constant text := filter ->> 'status';
  pool constant text := nullif(filter ->> 'pool', 'none');
  without_pool constant boolean := coalesce(filter ->> 'pool', '') = 'none';
  party constant text := filter ->> 'party';
  hash constant text := filter ->> 'tx_hash';
  by_row constant boolean := hash is not null or coalesce(party, '') like '0x%';
  sums record;
begin
  with lines as (
    select
      row_count, valued_count, sum_usd, days.status, type, direction, counter_account,
      case party when account then direction when counter_account then
        case direction when 'in' then 'out' else 'in' end
      end as side
    from private.sums_by_day as days
    where not by_row and day between first_day and last_day
      and (of_type is null or type = of_type)
      and (of_status is null or days.status = of_status)
      and (pool is null or pool_slug = pool) and not (without_pool and pool_slug is not null)
      and (party is null or party in (account, counter_account))
    union all
    (
      select
        1, case when facts.amount_usd is null then 0 else 1 end, coalesce(facts.amount_usd, 0), statuses.status,
        facts.type, facts.direction, facts.counter_account, sides.side
      from (
        select id, 'out' as side from public.transactions where by_row and hash is null and from_address = party
        union all
        select id, 'in' from public.transactions where by_row and hash is null and to_address = party
        union all
        select id, case party
          when from_address then 'out'
          when to_address then 'in'
          when account then direction
          when counter_account then case direction when 'in' then 'out' else 'in' end
        end
        from public.transactions
        where by_row and tx_hash = hash
          and (party is null or party in (account, counter_account, from_address, to_address))
      ) as sides
      join public.transactions as facts on facts.id = sides.id
      join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
      where (of_type is null or facts.type = of_type)
        and (of_direction is null or coalesce(sides.side, facts.direction) = of_direction)
        and (of_status is null or statuses.status = of_status)
        and (pool is null or facts.pool_slug = pool) and not (without_pool and facts.pool_slug is not null)
        and facts.occurred_at >= first_day::timestamp at time zone 'UTC'
        and facts.occurred_at < (last_day + 1)::timestamp at time zone 'UTC'
      limit most + 1
    )
  ), seen as (
    select
      row_count, valued_count, status, case status when 'verified' then sum_usd else 0 end as sum_usd,
      case
        when side is not null then side = 'in'
        when pool is not null then type in ('donation', 'gift')
        else direction = 'in' and counter_account is null
      end as is_received,
      side is null and pool is null and counter_account is not null as is_moved,
      case
        when side is not null then side = 'out'
        when pool is not null then type = 'spending' or (type = 'donation' and counter_account is null)
        else direction = 'out' and counter_account is null
      end as is_paid
    from lines
    where of_direction is null or of_direction = coalesce(side, direction)
  )
  select
    coalesce(sum(row_count), 0)::bigint as row_count,
    coalesce(sum(row_count) filter (where status = 'verified'), 0)::bigint as verified_count,
    coalesce(sum(row_count) filter (where status in ('pending', 'unreachable')), 0)::bigint as pending_count,
    coalesce(sum(row_count) filter (where status in ('mismatch', 'reorganised')), 0)::bigint as disputed_count,
    coalesce(sum(row_count - valued_count) filter (where status = 'verified'), 0)::bigint as unvalued_count,
    coalesce(sum(sum_usd) filter (where is_received), 0)::numeric(20, 2) as received_usd,
    coalesce(sum(sum_usd) filter (where is_moved), 0)::numeric(20, 2) as moved_usd,
    coalesce(sum(sum_usd) filter (where is_paid), 0)::numeric(20, 2) as paid_usd
  into sums
  from seen;
  if by_row and sums.row_count > most then
    return jsonb_build_object(
      'count', most, 'verified_count', null, 'pending_count', null, 'disputed_count', null, 'unvalued_count', null,
      'received_usd', null, 'moved_usd', null, 'paid_usd', null, 'exact', false
    );
  end if;
  return jsonb_build_object(
    'count', sums.row_count, 'verified_count', sums.verified_count, 'pending_count', sums.pending_count,
    'disputed_count', sums.disputed_count, 'unvalued_count', sums.unvalued_count,
    'received_usd', sums.received_usd::text, 'moved_usd', sums.moved_usd::text, 'paid_usd', sums.paid_usd::text,
    'exact', true
  );
end;
$$;

-- The statements that name one payment say so: each is the answer to all of them, and the ledger counts it once.
create or replace view public.published_cz_calls with (security_invoker = false) as
select
  calls.id, calls.posted_at, calls.captured_at, calls.author, calls.verified, confirmation.text as confirmed_by,
  words.text as tweet_text, calls.tweet_url, action.text as action_taken, calls.text_hash, calls.action_hash,
  calls.confirmed_by_hash, encode(sha256(convert_to(words.text, 'UTF8')), 'hex') as statement_sha256,
  calls.tx_hash, calls.chain_id, calls.revision, calls.recorded_at, entries.index as log_index,
  answer.id as transaction_id, answer.occurred_at as answered_at, answer.amount_usd as answered_usd,
  answer.token_amount as answered_token_amount, answer.token_symbol as answered_token_symbol,
  answer.token_decimals as answered_token_decimals, answer.status, answer.checked_at, answer.unreachable_at,
  (
    select count(*)
    from public.cz_calls as other
    where other.chain_id = calls.chain_id and other.tx_hash = calls.tx_hash and other.tweet_url <> calls.tweet_url
      and not exists (
        select from public.cz_calls as later
        where later.tweet_url = other.tweet_url and later.revision = other.revision + 1
      )
  )::bigint as shared_count
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
comment on column public.published_cz_calls.shared_count is
  'The number of other statements that name the same transaction.';

revoke all on public.ledger_months from public, anon, authenticated, service_role;
grant select on public.ledger_months to anon, authenticated, service_role;
revoke all on function public.sum_transactions(jsonb) from public, anon, authenticated;
grant execute on function public.sum_transactions(jsonb) to anon, authenticated, service_role;
