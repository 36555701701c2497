-- Home shows its payments with one round trip to the backend.

-- As before, and whether a statement whose source is confirmed names the payment. A statement names a transaction; of
-- its transfers, the first one is the statement's payment, as in published_cz_calls.
create or replace view public.published_cause_payments with (security_invoker = false) as
select
  id, occurred_at, account, pool_slug, amount_usd, token_amount, token_symbol, token_decimals, note, from_address,
  to_address, tx_hash, chain_id,
  exists (
    select from public.cz_calls as calls
    where calls.chain_id = payments.chain_id and calls.tx_hash = payments.tx_hash and calls.verified
      and not exists (
        select from public.cz_calls as later
        where later.tweet_url = calls.tweet_url and later.revision = calls.revision + 1
      )
      and not exists (
        select from public.published_transactions as earlier
        where earlier.chain_id = payments.chain_id and earlier.tx_hash = payments.tx_hash
          and earlier.ordinal < payments.ordinal
      )
  ) as is_named
from public.published_transactions as payments
where status = 'verified' and (type = 'spending' or (type = 'donation' and counter_account is null));
comment on column public.published_cause_payments.is_named is 'A statement whose source is confirmed names the payment.';
