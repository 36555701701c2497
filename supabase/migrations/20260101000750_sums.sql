-- Every figure of money of the ledger that a page, file or feed shows; docs/specification.md ('Totals') says the same
-- in words, and the totals of goals are with the goals. All figures are sums over the latest revisions that are
-- verified on chain and have a value in dollars.
-- Seen from the project, a payment is one of three: received (from outside into one of our wallets), moved (between two
-- of our wallets) or paid (out of one of our wallets to the outside). Seen from a pool: received (donations and gifts)
-- and paid (what its wallet spent, and donations that went directly to a partner). Seen from a wallet: what came into
-- it and what went out of it, moves included.

-- What everyone reads ---------------------------------------------------------------------------------------

-- The units of all figures: sums by month, sums by day, and single rows, whose status private.transaction_statuses has.
-- `usd`: the dollars of what is verified; `net_usd`: those that came in less those that went out. `flow`: as the project
-- sees the payment; null for an exchange. What came back of a payment lowers what was paid. Equal types and no condition in
-- each part, so that PostgreSQL reads a part by its indexes.
create view private.sums as
select
  *, case direction when 'in' then usd else -usd end as net_usd,
  case
    when counter_account is not null then 'moved'
    when type = 'exchange' then null
    when direction = 'in' and type <> 'returned' then 'received'
    else 'paid'
  end as flow,
  case when pool_slug is not null then pool_slug when type = 'donation' then 'other-causes' else type end as use
from (
  select
    'month' as unit, null::bigint as id, month::date as day, account, counter_account, direction, type, pool_slug, status,
    row_count::bigint, valued_count::bigint, case status when 'verified' then sum_usd else 0 end::numeric as usd
  from private.sums_by_month
  union all
  select
    'day', null::bigint, day::date, account, counter_account, direction, type, pool_slug, status, row_count::bigint,
    valued_count::bigint, case status when 'verified' then sum_usd else 0 end::numeric
  from private.sums_by_day
  union all
  select
    'row', id, (occurred_at at time zone 'UTC')::date, account, counter_account, direction, type, pool_slug, null::text,
    1::bigint, (amount_usd is not null)::integer::bigint, coalesce(amount_usd, 0)::numeric
  from public.transactions
) as units;

-- 'Given' is Donated (donated_usd): everything that reached a cause, that is a pool or another cause. donated_usd =
-- spent_usd + waiting_usd + returned_usd, unless a pool received money that was not given (tax, or a move from the treasury).
-- With the gifts to pools on both sides: tax_usd + gifts_usd + pool_gifts_usd + other_in_usd + returned_usd = donated_usd +
-- dreams_funded_usd + costs_usd + other_out_usd + treasury_usd.
-- The sources and the uses of the treasury's money are equal whatever an exchange does: what the treasury itself lost by
-- exchanges counts as 'other', what it gained as 'returned', even if only one side of an exchange is verified or valued.
create view public.ledger_totals with (security_invoker = false) as
select
  (
    coalesce(sum(net_usd) filter (where account in ('treasury', 'donation-wallet')), 0)
    + coalesce(sum(usd) filter (where counter_account in ('treasury', 'donation-wallet')), 0)
  )::numeric(20, 2) as treasury_usd,
  coalesce(sum(usd) filter (where type = 'donation' or (type = 'gift' and pool_slug is not null)), 0)::numeric(20, 2) as donated_usd,
  coalesce(sum(usd) filter (where type = 'donation' and pool_slug is null), 0)::numeric(20, 2) as donated_elsewhere_usd,
  coalesce(sum(usd) filter (where type = 'dream'), 0)::numeric(20, 2) as dreams_funded_usd,
  coalesce(sum(row_count) filter (where type = 'dream' and status = 'verified'), 0)::bigint as dreams_count,
  coalesce(sum(usd) filter (where type = 'tax' and pool_slug is null), 0)::numeric(20, 2) as tax_usd,
  coalesce(sum(usd) filter (where type = 'gift' and pool_slug is null), 0)::numeric(20, 2) as gifts_usd,
  coalesce(sum(usd) filter (where type = 'cost'), 0)::numeric(20, 2) as costs_usd,
  coalesce(sum(usd) filter (where type = 'other' and pool_slug is null and direction = 'in'), 0)::numeric(20, 2) as other_in_usd,
  (
    coalesce(sum(usd) filter (where type = 'other' and pool_slug is null and direction = 'out'), 0)
    + greatest(0, -sum(net_usd) filter (where type = 'exchange' and account in ('treasury', 'donation-wallet')))
  )::numeric(20, 2) as other_out_usd,
  (
    coalesce(sum(usd) filter (where type = 'move' and pool_slug is not null
      and counter_account in ('treasury', 'donation-wallet')), 0)
    + greatest(0, sum(net_usd) filter (where type = 'exchange' and account in ('treasury', 'donation-wallet')))
  )::numeric(20, 2) as returned_usd,
  coalesce(sum(row_count), 0)::bigint as transactions_count,
  coalesce(sum(row_count) filter (where status = 'verified'), 0)::bigint as verified_count,
  coalesce(sum(row_count) filter (where status in ('pending', 'unreachable')), 0)::bigint as pending_count,
  coalesce(sum(row_count) filter (where status in ('mismatch', 'reorganised')), 0)::bigint as disputed_count,
  -- Verified rows only: the others are in pending_count or disputed_count, with or without a value.
  coalesce(sum(row_count - valued_count) filter (where status = 'verified'), 0)::bigint as unvalued_count,
  (select occurred_at from public.transactions where type <> 'goal-gift' order by occurred_at desc, id desc limit 1) as last_occurred_at,
  (select recorded_at from public.transactions where type <> 'goal-gift' order by id desc limit 1) as as_of,
  coalesce(sum(usd) filter (where flow = 'received'), 0)::numeric(20, 2) as received_usd,
  coalesce(sum(usd) filter (where flow = 'moved'), 0)::numeric(20, 2) as moved_usd,
  coalesce(-sum(net_usd) filter (where flow = 'paid'), 0)::numeric(20, 2) as paid_usd,
  coalesce(sum(usd) filter (where type = 'gift' and pool_slug is not null), 0)::numeric(20, 2) as pool_gifts_usd,
  coalesce(-sum(net_usd) filter (where type in ('spending', 'returned')
    or (type = 'donation' and counter_account is null)), 0)::numeric(20, 2) as spent_usd,
  (
    coalesce(sum(net_usd) filter (where account not in ('treasury', 'donation-wallet')), 0)
    + coalesce(sum(usd) filter (where counter_account not in ('treasury', 'donation-wallet')), 0)
  )::numeric(20, 2) as waiting_usd
from private.sums
where unit = 'month' and type <> 'goal-gift';
comment on view public.ledger_totals is 'The figures of the site, over all rows that are verified on chain and valued.';
comment on column public.ledger_totals.treasury_usd is 'Treasury: what came into the treasury and the donation wallet, less what went out.';
comment on column public.ledger_totals.donated_usd is
  'Donated: donations, and gifts directly to a pool''s wallet. It equals donated_elsewhere_usd + the total of each pool.';
comment on column public.ledger_totals.returned_usd is 'Moved back from pools'' wallets; it lowers no other total.';
comment on column public.ledger_totals.pending_count is 'Transactions that are not verified yet, which no total includes.';
comment on column public.ledger_totals.disputed_count is 'Transactions that the chain contradicts, which no total includes.';
comment on column public.ledger_totals.unvalued_count is 
  'Verified transactions without a value in dollars, which no total includes.';
comment on column public.ledger_totals.received_usd is
  'Received from outside by all our wallets. received_usd less paid_usd equals treasury_usd plus what every pool has left.';
comment on column public.ledger_totals.pool_gifts_usd is 'Gifts that people sent straight to pools: a part of donated_usd.';
comment on column public.ledger_totals.spent_usd is
  'Of donated_usd, spent: the spending of the pools less what came back of it, and the donations that went straight to a recipient. It equals donated_elsewhere_usd + spent_usd of each pool.';
comment on column public.ledger_totals.waiting_usd is 'Waits in the pools: the sum of left_usd of the pools.';

create view public.pool_totals with (security_invoker = false) as
select
  sums.slug,
  (sums.donations_usd + sums.gifts_usd)::numeric(20, 2) as total_usd,
  sums.donations_usd::numeric(20, 2) as donations_usd,
  sums.gifts_usd::numeric(20, 2) as gifts_usd,
  sums.direct_usd::numeric(20, 2) as direct_usd,
  (sums.spending_usd + sums.direct_usd)::numeric(20, 2) as spent_usd,
  sums.moved_in_usd::numeric(20, 2) as moved_in_usd,
  sums.moved_out_usd::numeric(20, 2) as moved_out_usd,
  sums.other_usd::numeric(20, 2) as other_usd,
  (
    sums.donations_usd + sums.gifts_usd + sums.moved_in_usd + sums.other_usd
    - sums.spending_usd - sums.direct_usd - sums.moved_out_usd
  )::numeric(20, 2) as left_usd,
  sums.donations_count::bigint as donations_count,
  coalesce(sums.pending_count, 0)::bigint as pending_count,
  coalesce(sums.disputed_count, 0)::bigint as disputed_count,
  coalesce(sums.unvalued_count, 0)::bigint as unvalued_count,
  last_donation.occurred_at as last_donation_at,
  stated.helping, stated.published_at as helping_at, stated.helping_source,
  pictured.text as pictured_text, pictured.published_at as pictured_at, pictured.links as pictured_links
from (
  select
    party.slug,
    coalesce(sum(usd) filter (where type = 'donation'), 0) as donations_usd,
    coalesce(sum(usd) filter (where type = 'gift'), 0) as gifts_usd,
    coalesce(sum(usd) filter (where type = 'donation' and counter_account is null), 0) as direct_usd,
    coalesce(-sum(net_usd) filter (where type in ('spending', 'returned')), 0) as spending_usd,
    coalesce(sum(usd) filter (where type = 'move' and counter_account = party.slug), 0) as moved_in_usd,
    coalesce(sum(usd) filter (where type = 'move' and account = party.slug), 0) as moved_out_usd,
    coalesce(sum(net_usd) filter (where type in ('tax', 'other', 'exchange')), 0) as other_usd,
    coalesce(sum(row_count) filter (where type in ('donation', 'gift')), 0) as donations_count,
    sum(row_count) filter (where status in ('pending', 'unreachable')) as pending_count,
    sum(row_count) filter (where status in ('mismatch', 'reorganised')) as disputed_count,
    sum(row_count - valued_count) filter (where status = 'verified') as unvalued_count
  from private.accounts as party
  left join private.sums on unit = 'month' and (sums.pool_slug = party.slug or sums.counter_account = party.slug)
  where party.is_pool
  group by party.slug
  having party.closed_at is null or count(sums.row_count) > 0
) as sums
left join lateral (
  select occurred_at from public.published_transactions
  where published_transactions.pool_slug = sums.slug and type in ('donation', 'gift') and status = 'verified'
  order by occurred_at desc, id desc limit 1
) as last_donation on true
left join lateral (
  select helping, published_at, helping_source from public.published_updates
  where published_updates.pool_slug = sums.slug and helping is not null
  order by published_at desc, id desc limit 1
) as stated on true
left join lateral (
  select text, published_at, links from public.published_updates
  where published_updates.pool_slug = sums.slug and links like '%#width=%'
  order by published_at desc, id desc limit 1
) as pictured on true;
comment on view public.pool_totals is 'What each impact pool received, spent and has left, one row for every pool, over verified rows. A pool that was closed is there if it has rows.';
comment on column public.pool_totals.total_usd is 'Received: donations and gifts. Total Donated of the pool.';
comment on column public.pool_totals.direct_usd is 'Donations paid directly to a partner, and not through a wallet of ours: they count as received and as spent.';
comment on column public.pool_totals.other_usd is 'Other payments into the pool''s wallet, less other payments out of it.';
comment on column public.pool_totals.left_usd is 'What its wallet should hold: received and moved in, less spent and moved out.';
comment on column public.pool_totals.pictured_links is
  'The links of the newest update with a picture of ours; pictured_text and pictured_at are of the same update.';

create view public.ledger_status with (security_invoker = false) as
select
  logs.size::bigint as size,
  (select encode(leaf, 'hex') from private.log_entries where log = 'ledger' and index = logs.size - 1) as leaf,
  (select recorded_at from public.transactions order by id desc limit 1) as recorded_at,
  (select max(id) from public.transaction_checks) as check_id,
  (select size from public.newest_checkpoints where log = 'ledger') as signed_size,
  rollback.size::bigint as rolled_back_size, rollback.noticed_at as rolled_back_at,
  scan.chain_id, scan.block_number, scan.block_hash, scan.block_time, scan.scanned_at,
  scan.begun_hash, scan.begun_index,
  (select count(*) from private.unread_transactions as unread where unread.chain_id = scan.chain_id) as unread_count,
  (
    select coalesce(jsonb_agg(jsonb_build_object('tx_hash', newest.tx_hash, 'block_time', newest.block_time, 'fault', newest.fault)), '[]')
    from (
      select * from private.unread_transactions as unread where unread.chain_id = scan.chain_id
      order by unread.block_number desc, unread.tx_hash limit 20
    ) as newest
  ) as unread
from private.logs
left join private.log_rollbacks as rollback on rollback.log = logs.name
left join lateral (select * from private.ledger_scans order by scanned_at desc limit 1) as scan on true
where logs.name = 'ledger';
comment on view public.ledger_status is
  'One row: the size of the log, what distinguishes one state of the ledger from another (size, leaf, check_id), and how far the blockchain was read.';
comment on column public.ledger_status.rolled_back_size is
  'Size of a signed checkpoint that the log no longer contains: no checkpoint is signed until an operator accepts it. Null otherwise.';
comment on column public.ledger_status.unread is 'The newest 20 of private.unread_transactions: [{"tx_hash", "block_time", "fault"}].';

create view public.ledger_months with (security_invoker = false) as
select
  month, received_usd, moved_usd, paid_usd,
  sum(change_usd) over (order by month)::numeric(20, 2) as held_usd,
  (
    select jsonb_object_agg(use, paid_usd::text)
    from (
      select use, (-sum(net_usd))::numeric(20, 2) as paid_usd
      from private.sums
      where unit = 'month' and day = months.month and status = 'verified' and flow = 'paid'
      group by use
      having sum(row_count) > 0
    ) as parts
  ) as uses
from (
  select
    day::private.calendar_day as month,
    coalesce(sum(usd) filter (where flow = 'received'), 0)::numeric(20, 2) as received_usd,
    coalesce(sum(usd) filter (where flow = 'moved'), 0)::numeric(20, 2) as moved_usd,
    coalesce(-sum(net_usd) filter (where flow = 'paid'), 0)::numeric(20, 2) as paid_usd,
    coalesce(sum(net_usd) filter (where counter_account is null), 0) as change_usd
  from private.sums
  where unit = 'month' and status = 'verified' and type <> 'goal-gift'
  group by day
  having sum(row_count) > 0
) as months;
comment on view public.ledger_months is
  'One row for each month (UTC) with a verified payment: received, moved and paid as in ledger_totals.';
comment on column public.ledger_months.held_usd is
  'In all our wallets at the end of the month. The newest equals the treasury plus what every pool has left.';
comment on column public.ledger_months.uses is
  'The parts of paid_usd, dollars as text: by the slug of a pool, ''other-causes'' or a type; null without any.';

-- The counts and the sums of the rows under a filter, dollars as text. Keys of the filter, all optional texts: type,
-- direction, status ('not-checked' too), pool (a slug, or 'none' for rows without a pool), party (the slug of an
-- account or a wallet address), tx_hash, from, to (days, both included). `count` has every row under the filter, the
-- three sums have its verified rows with a value, and `unvalued_count` has its verified rows without one. The sums are
-- seen from the party of the filter, else from its pool, else from the project; `moved_usd` is 0 for a party, because
-- its moves are in the other two, and for a pool. A gift to a goal, which no sum of our accounts has, is in `goal_count`
-- instead of the counts, unless the filter names a type, a pool, a goal, a wallet or a transaction. `months` has an
-- object for each month (UTC) with a row under the filter, newest first, and `uses` the parts of paid_usd by use. With a
-- wallet address or a hash, up to 10,000 rows are counted; if there are more, `exact` is false, `count` is 10,000 and all
-- other values are null. Otherwise the cost grows with the days and the accounts, and not with the rows.
create function public.sum_transactions(filter jsonb) returns jsonb
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  most constant integer := 10000;
  first_day constant date := greatest(coalesce(filter ->> 'from', '2015-01-01')::date, '2015-01-01');
  last_day constant date := least(coalesce(filter ->> 'to', '2099-12-31')::date, '2099-12-31');
  of_type constant text := filter ->> 'type';
  of_direction constant text := filter ->> 'direction';
  of_status constant text := nullif(filter ->> 'status', 'not-checked');
  not_checked constant boolean := coalesce(filter ->> 'status', '') = 'not-checked';
  pool constant text := nullif(filter ->> 'pool', 'none');
  without_pool constant boolean := coalesce(filter ->> 'pool', '') = 'none';
  party constant text := filter ->> 'party';
  hash constant text := filter ->> 'tx_hash';
  by_row constant boolean := hash is not null or coalesce(party, '') like '0x%';
  -- The whole months of the range are [first_month, end_of_months). A range within one or two months can have no whole month.
  first_month constant date := date_trunc('month', first_day + interval '1 month' - interval '1 day');
  end_of_months constant date := greatest(first_month, date_trunc('month', last_day + 1)::date);
  result jsonb;
begin
  with dated as not materialized (
    select id, account, counter_account, direction, from_address, to_address, tx_hash from public.transactions
    where by_row and occurred_at >= first_day::timestamp at time zone 'UTC'
      and occurred_at < (last_day + 1)::timestamp at time zone 'UTC'
  ), lines as (
    select
      day, status, type, counter_account, use, flow, direction, side,
      case when not_checked and status = 'verified' then row_count - valued_count else row_count end as row_count,
      case when not_checked and status = 'verified' then 0 else valued_count end as valued_count,
      case when not_checked then 0 else usd end as usd, case when not_checked then 0 else net_usd end as net_usd
    from (
      select
        day, status, account, counter_account, direction, type, pool_slug, row_count, valued_count, usd, net_usd, flow, use,
        case party
          when account then direction when counter_account then case direction when 'in' then 'out' else 'in' end
        end as side
      from private.sums
      where not by_row and (party is null or party in (account, counter_account)) and (
        (unit = 'month' and day >= first_month and day < end_of_months)
        or (unit = 'day' and day between first_day and least(last_day, first_month - 1))
        or (unit = 'day' and day between end_of_months and last_day)
      )
      union all
      select
        day, statuses.status, account, counter_account, direction, type, pool_slug, row_count, valued_count,
        case statuses.status when 'verified' then usd else 0 end,
        case statuses.status when 'verified' then net_usd else 0 end, flow, use, sides.side
      from (
        select id, 'out' as side from dated where hash is null and from_address = party
        union all
        select id, 'in' from dated where hash is null and to_address = party
        union all
        select id, case party
          when from_address then 'out'
          when to_address then 'in'
          when account then direction
          when counter_account then case direction when 'in' then 'out' else 'in' end
        end
        from dated
        where tx_hash = hash and (party is null or party in (account, counter_account, from_address, to_address))
      ) as sides
      join private.sums on sums.unit = 'row' and sums.id = sides.id
      join private.transaction_statuses as statuses on statuses.transaction_id = sides.id
    ) as units
    where (of_type is null or type = of_type)
      and (of_direction is null or coalesce(side, direction) = of_direction)
      and (of_status is null or status = of_status)
      and not (not_checked and status = 'verified' and row_count = valued_count)
      and (pool is null or pool_slug = pool) and not (without_pool and pool_slug is not null)
    limit case when by_row then most + 1 end
  ), seen as (
    select
      date_trunc('month', day)::date as month, status, use, case when is_apart then 0 else usd end as usd,
      case when way is null then -net_usd else usd end as paid_usd,
      case when is_apart then 0 else row_count end as row_count,
      case when is_apart then 0 else valued_count end as valued_count,
      case when is_apart then row_count else 0 end as goal_count,
      case
        when way is not null then way = 'in'
        when pool is not null then type in ('donation', 'gift', 'goal-gift')
        else flow = 'received'
      end as is_received,
      way is null and pool is null and flow = 'moved' as is_moved,
      case
        when way is not null then way = 'out'
        when pool is not null then type in ('spending', 'returned') or (type = 'donation' and counter_account is null)
        else flow = 'paid'
      end as is_paid
    from lines
    -- A filter for exchanges or returned payments sees each of them by its direction.
    cross join lateral (
      select
        type = 'goal-gift' and coalesce(side, pool, of_type, hash) is null as is_apart,
        coalesce(side, case when of_type in ('exchange', 'returned') then direction end) as way
    ) as ways
  ), sums as (
    select
      case when grouping(month) = 0 then 'month' when grouping(use) = 0 then 'use' else 'all' end as part, month, use,
      coalesce(sum(row_count), 0)::bigint as row_count,
      coalesce(sum(goal_count), 0)::bigint as goal_count,
      coalesce(sum(row_count) filter (where status = 'verified'), 0)::bigint as verified_count,
      coalesce(sum(row_count) filter (where status in ('pending', 'unreachable')), 0)::bigint as pending_count,
      coalesce(sum(row_count) filter (where status in ('mismatch', 'reorganised')), 0)::bigint as disputed_count,
      coalesce(sum(row_count - valued_count) filter (where status = 'verified'), 0)::bigint as unvalued_count,
      coalesce(sum(usd) filter (where is_received), 0)::numeric(20, 2) as received_usd,
      coalesce(sum(usd) filter (where is_moved), 0)::numeric(20, 2) as moved_usd,
      coalesce(sum(seen.paid_usd) filter (where is_paid), 0)::numeric(20, 2) as paid_usd
    from seen
    group by grouping sets ((), (month), (use))
  )
  select
    case
      when by_row and row_count > most then jsonb_build_object(
        'count', most, 'verified_count', null, 'pending_count', null, 'disputed_count', null, 'unvalued_count', null,
        'goal_count', null, 'received_usd', null, 'moved_usd', null, 'paid_usd', null, 'months', null, 'uses', null,
        'exact', false
      )
      else jsonb_build_object(
        'count', row_count, 'verified_count', verified_count, 'pending_count', pending_count,
        'disputed_count', disputed_count, 'unvalued_count', unvalued_count, 'goal_count', goal_count,
        'received_usd', received_usd::text, 'moved_usd', moved_usd::text, 'paid_usd', paid_usd::text,
        'months', coalesce((
          select jsonb_agg(jsonb_build_object(
            'month', month, 'count', row_count, 'checked_count', verified_count - unvalued_count,
            'received_usd', received_usd::text, 'moved_usd', moved_usd::text, 'paid_usd', paid_usd::text
          ) order by month desc)
          from sums where part = 'month' and row_count + goal_count > 0
        ), '[]'),
        'uses', coalesce((
          select jsonb_object_agg(use, paid_usd::text) from sums where part = 'use' and paid_usd > 0
        ), '{}'),
        'exact', true
      )
    end
  into result
  from sums where part = 'all';
  return result;
end;
$$;

-- The payments that reached a recipient, without money that only moved to a pool; and whether a statement whose source
-- is confirmed names the payment. A statement names a transaction; of its transfers, the first one is the statement's
-- payment, as in published_cz_calls.
create view public.published_cause_payments with (security_invoker = false) as
select
  id, occurred_at, account, pool_slug, amount_usd, token_amount, token_symbol, token_decimals, note, from_address,
  to_address, tx_hash, chain_id,
  exists (
    select from private.current_calls as calls
    where calls.chain_id = payments.chain_id and calls.tx_hash = payments.tx_hash and calls.verified
      and not exists (
        select from public.published_transactions as earlier
        where earlier.chain_id = payments.chain_id and earlier.tx_hash = payments.tx_hash
          and earlier.ordinal < payments.ordinal
      )
  ) as is_named
from public.published_transactions as payments
where status = 'verified' and (type = 'spending' or (type = 'donation' and counter_account is null));
comment on view public.published_cause_payments is
  'Verified payments to a cause. Their sum less the rows of the type ''returned'' is spent_usd of ledger_totals.';
comment on column public.published_cause_payments.is_named is 'A statement whose source is confirmed names the payment.';

-- Grants ----------------------------------------------------------------------------------------------------

grant select on
  public.ledger_totals, public.pool_totals, public.ledger_status, public.ledger_months,
  public.published_cause_payments
  to anon, authenticated, service_role;
grant execute on function public.sum_transactions to anon, authenticated, service_role;
