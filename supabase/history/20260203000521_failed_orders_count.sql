-- An order that failed counts for the limit of its standing order, because only the worker says that it failed.

create or replace function private.standing_sum(of_rule bigint, until timestamptz) returns numeric
language sql stable security definer set search_path = '' as $$
  select coalesce(sum(orders.token_amount), 0)
  from public.standing_payments as made join public.orders on orders.id = made.order_id
  where made.standing = of_rule and orders.state not in ('stopped', 'expired')
    and orders.announced_at > until - interval '720 hours' and orders.announced_at <= until
$$;

create or replace view public.published_standing_orders with (security_invoker = false) as
select
  rules.id, rules.state, rules.revision::integer as revision, rules.rule, rules.account, rules.chain_id,
  rules.from_address::text as from_address, rules.token_address::text as token_address, rules.token_symbol,
  rules.token_decimals, rules.order_limit::text as order_limit, rules.month_limit::text as month_limit, rules.made_at,
  rules.ends_at, purpose.text as purpose, rules.source, words.text as words, rules.recipient, rules.recipient_account,
  named.name as recipient_name, rules.to_address::text as to_address, rules.token_amount::text as token_amount,
  rules.pool_slug, rules.every_days, rules.percent, rules.day, split.parts as split, split.from_month as split_from,
  approval.by as approved_by, approval.second as approved_second, stop.by as suspended_by,
  reason.text as suspension_reason, newest.recorded_at as moved_at, entries.index as log_index,
  done.spent::text as spent, done.orders, done.paid::text as paid,
  allocated.month as allocated_month, allocated.tax_usd::text as allocated_tax_usd, allocated.now_usd::text as allocated_now_usd
from public.standing_orders as rules
join public.standing_changes as newest on newest.number = rules.id and newest.revision = rules.revision
join public.standing_changes as first on first.number = rules.id and first.revision = 0
left join private.log_entries as entries
  on entries.log = 'ledger' and entries.kind = 'standing-order' and entries.row_id = newest.id
left join public.operator_acts as approval on approval.made_kind = 'standing-order' and approval.made_id = first.id
left join public.operator_acts as stop
  on rules.state = 'suspended' and stop.made_kind = 'standing-order' and stop.made_id = newest.id
left join private.log_texts as reason on reason.hash = stop.reason_hash
left join private.log_texts as purpose on purpose.hash = rules.purpose_hash
left join private.log_texts as words on words.hash = rules.words_hash
left join private.current_names as named on rules.recipient = 'named' and named.address = rules.to_address
left join lateral (
  select splits.parts, splits.from_month from public.payment_splits as splits
  where rules.rule = 'allocation' and splits.from_month <= now() at time zone 'UTC' order by splits.id desc limit 1
) as split on true
left join lateral (
  select
    count(*) as orders, coalesce(sum(orders.token_amount) filter (where orders.state = 'paid'), 0) as paid,
    coalesce(sum(orders.token_amount) filter (
      where orders.state not in ('stopped', 'expired') and orders.announced_at > now() - interval '720 hours'
    ), 0) as spent
  from public.standing_payments as made join public.orders on orders.id = made.order_id where made.standing = rules.id
) as done on true
left join lateral (
  select months.month, months.tax_usd, (
    select coalesce(sum(sum_usd), 0) from private.sums_by_month as sums
    where sums.month = months.month and sums.account = 'treasury' and sums.type = 'tax' and sums.status = 'verified'
  ) as now_usd
  from public.allocations as months where months.standing = rules.id order by months.month desc limit 1
) as allocated on true;
