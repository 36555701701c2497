-- The account of a month says that every balance matched only if every balance was compared after the end of the month;
-- a wallet whose missing transfers cancel each other out differs, as on /transparency. It names verified transactions
-- without a value, which its sums leave out. The mail of a statement says if other statements name its payment.
create or replace function private.fact_content(fact private.outbox) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  month_begin date;
  month_end timestamptz;
begin
  case fact.kind
    when 'update' then
      return (
        select jsonb_build_object('number', number, 'text', updates.text, 'links', links, 'published_at', published_at)
        from public.published_updates as updates
        where pool_slug = fact.topic and number = fact.source::integer and updates.text is not null
      );
    when 'call' then
      return (
        select jsonb_build_object(
          'author', author, 'posted_at', posted_at, 'text', tweet_text, 'action', action_taken,
          'transaction_id', transaction_id, 'usd', answered_usd::text, 'token_amount', answered_token_amount,
          'token_symbol', answered_token_symbol, 'token_decimals', answered_token_decimals,
          'shared_count', shared_count
        )
        from public.published_cz_calls
        where tweet_url = fact.source and verified and status = 'verified' and tweet_text is not null
      );
    when 'spending' then
      return (
        select jsonb_build_object('payments', jsonb_agg(jsonb_build_object(
          'id', rows.id, 'occurred_at', rows.occurred_at, 'usd', rows.amount_usd::text, 'note', rows.note,
          'token_amount', rows.token_amount, 'token_symbol', rows.token_symbol, 'token_decimals', rows.token_decimals,
          'recipient', names.name
        ) order by rows.occurred_at, rows.id))
        from private.outbox_payments as payments
        join public.published_transactions as rows
          on rows.chain_id = payments.chain_id and rows.tx_hash = payments.tx_hash and rows.ordinal = payments.ordinal
        left join public.published_names as names on names.address = rows.to_address
        where payments.fact_id = fact.id and rows.status = 'verified' and rows.pool_slug = fact.topic
        having count(*) > 0
      );
    when 'month' then
      month_begin := (fact.source || '-01')::date;
      month_end := (month_begin + interval '1 month') at time zone 'UTC';
      return (
        select jsonb_build_object(
          'month', fact.source,
          'received_usd', coalesce(sum(months.received_usd) filter (where months.month = month_begin), 0)::text,
          'paid_usd', coalesce(sum(months.paid_usd) filter (where months.month = month_begin), 0)::text,
          'left_usd', coalesce(sum(months.received_usd - months.paid_usd), 0)::text,
          'disputed_count', (
            select coalesce(sum(sums.row_count), 0) from private.sums_by_month as sums
            where sums.month = month_begin and sums.status in ('mismatch', 'reorganised')
          ),
          'pending_count', (
            select coalesce(sum(sums.row_count), 0) from private.sums_by_month as sums
            where sums.month = month_begin and sums.status in ('pending', 'unreachable')
          ),
          'unvalued_count', (
            select coalesce(sum(sums.row_count - sums.valued_count), 0) from private.sums_by_month as sums
            where sums.month = month_begin and sums.status = 'verified'
          ),
          'compared_wallets', (select count(distinct found.wallet) from public.published_reconciliations as found),
          'different_wallets', (
            select count(distinct found.wallet) from public.published_reconciliations as found
            where found.difference::numeric <> 0 or jsonb_array_length(found.unlisted) > 0
          ),
          'unknown_wallets', (
            select count(distinct found.wallet) from public.published_reconciliations as found
            where found.difference is null or found.block_time < month_end
          )
        )
        from public.ledger_months as months where months.month <= month_begin
      );
  end case;
end;
$$;
