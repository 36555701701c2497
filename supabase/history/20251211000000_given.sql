-- What 'given' means. Given is Donated (donated_usd): everything that reached a cause, that is a pool or another cause.
-- Gifts that people sent straight to a pool are in it. A part of it is spent (it has left our wallets for the cause), and
-- a part waits in the pools. A part can also have come back to the treasury: donated_usd = spent_usd + waiting_usd +
-- returned_usd, unless a pool received money that was not given (tax, or a move from the treasury).
--
-- With the gifts to pools on both sides, the identity of ledger_totals reads: tax_usd + gifts_usd + pool_gifts_usd +
-- other_in_usd + returned_usd = donated_usd + dreams_funded_usd + costs_usd + other_out_usd + treasury_usd.

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
  coalesce(sum(sum_usd) filter (where status = 'verified' and direction = 'out' and counter_account is null), 0)::numeric(20, 2) as paid_usd,
  coalesce(sum(sum_usd) filter (where status = 'verified' and type = 'gift' and pool_slug is not null), 0)::numeric(20, 2) as pool_gifts_usd,
  coalesce(sum(sum_usd) filter (where status = 'verified' and (
    type = 'spending' or (type = 'donation' and counter_account is null)
  )), 0)::numeric(20, 2) as spent_usd,
  (
    coalesce(sum(case direction when 'in' then sum_usd else -sum_usd end)
      filter (where status = 'verified' and account not in ('treasury', 'donation-wallet')), 0)
    + coalesce(sum(sum_usd)
      filter (where status = 'verified' and counter_account not in ('treasury', 'donation-wallet')), 0)
  )::numeric(20, 2) as waiting_usd
from private.sums_by_month;
comment on column public.ledger_totals.pool_gifts_usd is 'Gifts that people sent straight to pools: a part of donated_usd.';
comment on column public.ledger_totals.spent_usd is
  'Of donated_usd, spent: the spending of the pools, and the donations that went straight to a recipient. It equals donated_elsewhere_usd + spent_usd of each pool.';
comment on column public.ledger_totals.waiting_usd is 'Waits in the pools: the sum of left_usd of the pools.';

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
  stated.helping, stated.published_at as helping_at, stated.helping_source,
  pictured.text as pictured_text, pictured.published_at as pictured_at, pictured.links as pictured_links
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
left join lateral (
  select text, published_at, links from public.published_updates
  where published_updates.pool_slug = accounts.slug and links like '%#width=%'
  order by published_at desc, id desc limit 1
) as pictured on true
where accounts.is_pool;
comment on column public.pool_totals.pictured_links is
  'The links of the newest update with a picture of ours; pictured_text and pictured_at are of the same update.';

-- The payments that reached a recipient: money that only moved to a pool is not here.
create view public.published_cause_payments with (security_invoker = false) as
select
  id, occurred_at, account, pool_slug, amount_usd, token_amount, token_symbol, token_decimals, note, from_address,
  to_address, tx_hash, chain_id
from public.published_transactions
where status = 'verified' and (type = 'spending' or (type = 'donation' and counter_account is null));
comment on view public.published_cause_payments is
  'Verified payments to a cause, of which spent_usd of ledger_totals is the sum.';
revoke all on public.published_cause_payments from public, anon, authenticated, service_role;
grant select on public.published_cause_payments to anon, authenticated, service_role;

create index transactions_to_causes on public.transactions (occurred_at desc, id desc)
  where type = 'spending' or (type = 'donation' and counter_account is null);
