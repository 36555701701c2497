-- The page of one transaction: everything that is known of a row, in one answer. Rows that were corrected are
-- there too, without a standing.

create index cz_calls_of_transaction on public.cz_calls (chain_id, tx_hash) where tx_hash is not null;

create view public.published_records with (security_invoker = false) as
select
  facts.id, facts.occurred_at, facts.type, facts.direction, facts.amount_usd,
  trim_scale(facts.rate_usd)::text as rate_usd, facts.rate_source,
  facts.token_amount::text as token_amount, facts.token_symbol, facts.token_decimals, facts.token_address,
  facts.from_address, facts.to_address, facts.tx_hash, facts.chain_id, facts.ordinal, facts.revision,
  facts.pool_slug, facts.proof_url, facts.note, facts.recorded_at, facts.seq, facts.previous_hash, facts.hash,
  standing.status, standing.checked_at, standing.unreachable_at,
  (select id from public.transactions where seq = facts.seq - 1) as previous_id,
  (select id from public.transactions where seq = facts.seq + 1) as next_id,
  (select min(seq) from public.ledger_heads where seq >= facts.seq) as signed_seq,
  (
    select jsonb_agg(jsonb_build_object(
      'id', id, 'seq', seq, 'recorded_at', recorded_at, 'amount_usd', amount_usd::text,
      'token_amount', token_amount::text, 'token_symbol', token_symbol, 'token_decimals', token_decimals, 'note', note
    ) order by transactions.revision)
    from public.transactions
    where transactions.chain_id = facts.chain_id and transactions.tx_hash = facts.tx_hash
      and transactions.ordinal = facts.ordinal
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
      'id', id, 'posted_at', posted_at, 'author', author, 'tweet_text', tweet_text, 'verified', verified
    ) order by posted_at)
    from public.cz_calls as calls
    where calls.chain_id = facts.chain_id and calls.tx_hash = facts.tx_hash and not exists (
      select from public.cz_calls as later
      where later.tweet_url = calls.tweet_url and later.revision = calls.revision + 1
    )
  ) as statements
from public.transactions as facts
left join private.transaction_standings as standing on standing.transaction_id = facts.id;
comment on view public.published_records is
  'Everything known of a row: its facts, how it stands, its neighbours in the chain, its revisions, its latest 20 checks and the statements that it answered. Read it by id.';
comment on column public.published_records.status is 'Null where a later revision has taken the place of this one.';
comment on column public.published_records.signed_seq is 'The first signed head that covers the row, by its place.';

revoke all on public.published_records from public, anon, authenticated, service_role;
grant select on public.published_records to anon, authenticated, service_role;
