-- The functions with which the secret key writes to the ledger. Its role cannot write to these tables directly. Each
-- call writes everything or nothing. Amounts are text inside jsonb, so that they stay exact. A text is stored before
-- the entry that has its hash.

-- Appends rows to the ledger, and in the same transaction stores up to which block the chain was read. A transfer or a
-- correction (revision > 0) that the ledger has is skipped. `note` and `proof_url` are texts: a correction that repeats
-- the text of the revision before keeps its hash, so that one withdrawal removes both. `scan`: {chain_id, after,
-- block_number, block_hash, block_time}; `after` is the stored block number when the caller began, null if there was
-- none. If another run has changed the stored block number since, nothing is written and SQLSTATE 40001 is raised.
-- Returns {added, size}: the number of new rows and the size of the log.
create function public.append_ledger(entries jsonb, scan jsonb default null) returns jsonb
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  added bigint;
begin
  perform private.lock_log('ledger');
  if scan is not null and (scan ->> 'after')::bigint is distinct from
    (select block_number from private.ledger_scans where chain_id = (scan ->> 'chain_id')::integer) then
    raise serialization_failure using message = 'another run has moved the scan';
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
    case when entry.proof_url is not null then private.keep_text_again('ledger', entry.proof_url, former.proof_hash) end,
    case when entry.note is not null then private.keep_text_again('ledger', entry.note, former.note_hash) end
  from rows from (
    jsonb_to_recordset(entries) as (
      occurred_at timestamptz, account text, counter_account text, direction text, type text, pool_slug text,
      amount_usd numeric, rate_usd numeric, rate_source text, token_amount numeric, token_symbol text,
      token_decimals smallint, token_address text, from_address text, to_address text, tx_hash text, chain_id integer,
      ordinal integer, revision integer, proof_url text, note text
    )
  ) with ordinality as entry
  left join public.transactions as former
    on former.tx_hash = entry.tx_hash and former.chain_id = entry.chain_id and former.ordinal = entry.ordinal
      and former.revision = entry.revision - 1
  where not exists (
    select from public.transactions as known
    where known.tx_hash = entry.tx_hash and known.chain_id = entry.chain_id and known.ordinal = entry.ordinal
      and known.revision = coalesce(entry.revision, 0)
  )
  order by entry.ordinality
  on conflict on constraint transactions_key do nothing;
  get diagnostics added = row_count;

  if scan is not null then
    insert into private.ledger_scans (chain_id, block_number, block_hash, block_time)
    values (
      (scan ->> 'chain_id')::integer, (scan ->> 'block_number')::bigint, scan ->> 'block_hash',
      (scan ->> 'block_time')::timestamptz
    )
    on conflict (chain_id) do update set
      block_number = excluded.block_number, block_hash = excluded.block_hash,
      block_time = excluded.block_time, scanned_at = now();
  end if;

  return jsonb_build_object('added', added, 'size', public.log_size('ledger'));
end;
$$;

-- Stores a text and returns its hash. If the former revision has the same text, returns its hash and stores nothing.
create function private.keep_text_again(log text, words text, former_hash text) returns text
language plpgsql set search_path = '' as $$
begin
  if exists (select from private.log_texts where hash = former_hash and text = words) then
    return former_hash;
  end if;
  return private.keep_text(log, words);
end;
$$;

create function private.check_https(name text, link text) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if link !~ '^https://\S+$' or char_length(link) > 2000 then
    raise check_violation using message = name || ' must be an https link', constraint = name || '_https';
  end if;
end;
$$;

-- Appends a statement, or a revision of the statement with its tweet_url. `statement`: {posted_at, captured_at, author,
-- tweet_text, tweet_url, action_taken, confirmed_by, tx_hash, chain_id, revision}; confirmed_by states who confirmed
-- the statement and how, null if it is not confirmed. Returns the id of the row.
create function public.append_statement(statement jsonb) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  said record;
  former public.cz_calls;
  added bigint;
begin
  perform private.lock_log('ledger');
  select * into said from jsonb_to_record(statement) as (
    posted_at timestamptz, captured_at timestamptz, author text, tweet_text text, tweet_url text, action_taken text,
    confirmed_by text, tx_hash text, chain_id integer, revision integer
  );
  select * into former from public.cz_calls
  where cz_calls.tweet_url = said.tweet_url and cz_calls.revision = said.revision - 1;
  insert into public.cz_calls (
    posted_at, captured_at, author, tweet_url, text_hash, action_hash, verified, confirmed_by_hash, tx_hash, chain_id,
    revision
  )
  values (
    said.posted_at, said.captured_at, said.author, said.tweet_url,
    private.keep_text_again('ledger', said.tweet_text, former.text_hash),
    private.keep_text_again('ledger', said.action_taken, former.action_hash),
    said.confirmed_by is not null,
    case when said.confirmed_by is not null
      then private.keep_text_again('ledger', said.confirmed_by, former.confirmed_by_hash) end,
    said.tx_hash, said.chain_id, coalesce(said.revision, 0)
  )
  returning id into added;
  return added;
end;
$$;

-- Appends an update of a pool, or a revision of the update with its number. `entry`: {pool_slug, number, published_at,
-- text, links (https links, one on each line), helping, helping_source, revision}; without a number, the update gets
-- the next one of its pool. Returns {id, number}.
create function public.append_update(entry jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  said record;
  former public.pool_updates;
  added public.pool_updates;
begin
  perform private.lock_log('ledger');
  select * into said from jsonb_to_record(entry) as (
    pool_slug text, number integer, published_at timestamptz, text text, links text, helping bigint,
    helping_source text, revision integer
  );
  perform private.check_https('pool_updates_links', link) from regexp_split_to_table(said.links, E'\n') as link;
  perform private.check_https('pool_updates_helping_source', said.helping_source) where said.helping_source is not null;
  select * into former from public.pool_updates
  where pool_updates.pool_slug = said.pool_slug and pool_updates.number = said.number
    and pool_updates.revision = said.revision - 1;
  insert into public.pool_updates (
    pool_slug, number, published_at, text_hash, links_hash, helping, helping_source_hash, revision
  )
  values (
    said.pool_slug,
    coalesce(said.number, 1 + coalesce(
      (select max(pool_updates.number) from public.pool_updates where pool_updates.pool_slug = said.pool_slug), 0)),
    said.published_at,
    private.keep_text_again('ledger', said.text, former.text_hash),
    case when said.links is not null then private.keep_text_again('ledger', said.links, former.links_hash) end,
    said.helping,
    case when said.helping_source is not null
      then private.keep_text_again('ledger', said.helping_source, former.helping_source_hash) end,
    coalesce(said.revision, 0)
  )
  returning * into added;
  return jsonb_build_object('id', added.id, 'number', added.number);
end;
$$;

-- Up to `most` rows that are due for a check: first those without a final result, then the others that were last
-- checked before `settled_before`. Of each kind, the row that was not checked for the longest time is first. Amounts
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
  from rows from (
    jsonb_to_recordset(checks) as (
      transaction_id bigint, status text, block_number bigint, block_hash text, block_time timestamptz,
      confirmations integer, reason text
    )
  ) with ordinality
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
    chain_amount, ledger_amount, gas_paid, unlisted
  )
  select
    chain_id, block_number, block_hash, block_time, wallet, token_address, token_symbol, token_decimals,
    chain_amount, ledger_amount, gas_paid, coalesce(unlisted, '[]')
  from jsonb_to_recordset(entries) as entry (
    chain_id integer, block_number bigint, block_hash text, block_time timestamptz, wallet text, token_address text,
    token_symbol text, token_decimals smallint, chain_amount numeric, ledger_amount numeric, gas_paid numeric,
    unlisted jsonb
  );
  get diagnostics added = row_count;
  return added;
end;
$$;

-- Privileges ----------------------------------------------------------------------------------------------

revoke all on all functions in schema private from public, anon, authenticated, service_role;
revoke all on function
  public.append_ledger(jsonb, jsonb), public.append_statement(jsonb), public.append_update(jsonb),
  public.transactions_due(integer, timestamptz, integer), public.record_checks(jsonb),
  public.ledger_balances(integer, jsonb, bigint), public.record_reconciliations(jsonb)
  from public, anon, authenticated;
grant execute on function
  public.append_ledger(jsonb, jsonb), public.append_statement(jsonb), public.append_update(jsonb),
  public.transactions_due(integer, timestamptz, integer), public.record_checks(jsonb),
  public.ledger_balances(integer, jsonb, bigint), public.record_reconciliations(jsonb)
  to service_role;
