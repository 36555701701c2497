-- One definition of what is received, moved and paid, of the current statements and of other things that were written twice.

-- SQL functions of this file name views and functions that are created later.
set check_function_bodies = off;

create function private.text_of(hash text) returns text
language sql stable set search_path = '' as $$
  select text from private.log_texts where log_texts.hash = text_of.hash
$$;

create or replace function public.archive_checkpoint(log text, size bigint, root text, note text, vkey text) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform private.lock_log(log);
  if public.log_root(log, size) is distinct from root then
    raise check_violation using
      message = 'the log does not have this root at this size', constraint = 'log_checkpoints_of_log',
      table = 'log_checkpoints', schema = 'private';
  end if;
  if exists (
    select from public.newest_checkpoints as newest
    where newest.log = archive_checkpoint.log and newest.size > archive_checkpoint.size
  ) and not exists (
    select from private.log_checkpoints as archived
    where archived.log = archive_checkpoint.log and archived.size = archive_checkpoint.size
  ) then
    raise serialization_failure using message = 'a greater checkpoint is archived';
  end if;
  insert into private.log_checkpoints (log, size, root, note, vkey)
  values (
    archive_checkpoint.log, archive_checkpoint.size, archive_checkpoint.root, archive_checkpoint.note,
    archive_checkpoint.vkey
  )
  on conflict do nothing;
  return found;
end;
$$;

create or replace view public.newest_checkpoints with (security_invoker = false) as
select newest.id, newest.log, newest.size, newest.root, newest.note, newest.vkey, newest.signed_at
from private.logs
left join lateral (
  select coalesce(
    restores.newest_checkpoint_id::bigint,
    (
      select max(checkpoints.id) from private.log_checkpoints as checkpoints
      where checkpoints.log = logs.name and checkpoints.signed_at < restores.recorded_at
    ),
    0
  ) as id
  from private.log_restores as restores where restores.log = logs.name order by restores.id desc limit 1
) as restored on true
join lateral (
  (
    select * from public.published_checkpoints as checkpoints
    where checkpoints.log = logs.name and checkpoints.id > coalesce(restored.id, 0)
    order by checkpoints.size desc, checkpoints.id desc limit 1
  )
  union all
  -- No checkpoint was signed since the restore.
  (
    select * from public.published_checkpoints as checkpoints
    where checkpoints.log = logs.name and checkpoints.size <= logs.size
    order by checkpoints.size desc, checkpoints.id desc limit 1
  )
  limit 1
) as newest on true;

create or replace function private.count_transactions() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  changes private.sum_change[];
begin
  perform private.lock_log('ledger');
  with replaced as (
    delete from private.transaction_statuses as statuses
    using added join public.transactions as former on former.chain_id = added.chain_id
      and former.tx_hash = added.tx_hash and former.ordinal = added.ordinal and former.revision = added.revision - 1
    where added.revision > 0 and statuses.transaction_id = former.id
    returning statuses.transaction_id, statuses.status
  ), latest as (
    -- A row that was recorded and corrected in one SQL statement has never had a status.
    insert into private.transaction_statuses (transaction_id)
    select added.id from added
    where not exists (
      select from added as later
      where later.chain_id = added.chain_id and later.tx_hash = added.tx_hash and later.ordinal = added.ordinal
        and later.revision = added.revision + 1
    )
    returning transaction_id, status
  )
  select array_agg(change) into changes
  from (
    select (1, transaction_id, status)::private.sum_change as change from latest
    union all
    select (-1, transaction_id, status)::private.sum_change from replaced
  ) as changed;
  perform private.change_sums(changes);
  return null;
end;
$$;

create or replace function private.count_checks() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  changes private.sum_change[];
begin
  perform private.lock_log('ledger');
  with found as (
    -- The latest check with a result; without one, the latest check. And when the last attempt was.
    select distinct on (transaction_id)
      transaction_id, id, status, first_value(checked_at) over attempts as attempted_at,
      first_value(status) over attempts = 'unreachable' as is_unreachable
    from added
    window attempts as (partition by transaction_id order by id desc)
    order by transaction_id, status = 'unreachable', id desc
  ), before as (
    select statuses.transaction_id, statuses.status,
      found.status <> 'unreachable' or statuses.check_id is null or statuses.status = 'unreachable' as is_result
    from private.transaction_statuses as statuses join found using (transaction_id)
  ), after as (
    update private.transaction_statuses as statuses
    set
      status = case when before.is_result then found.status else statuses.status end,
      check_id = case when before.is_result then found.id else statuses.check_id end,
      checked_at = found.attempted_at,
      unreachable_at = case when found.is_unreachable then found.attempted_at end
    from found join before using (transaction_id)
    where statuses.transaction_id = found.transaction_id
    returning statuses.transaction_id, statuses.status
  )
  select array_agg(change) into changes
  from before join after using (transaction_id) cross join lateral (values
    ((-1, transaction_id, before.status)::private.sum_change), ((1, transaction_id, after.status)::private.sum_change)
  ) as changed (change)
  where before.status <> after.status;
  perform private.change_sums(changes);
  return null;
end;
$$;

create or replace function private.store_unread(chain integer, results jsonb) returns void
language sql set search_path = '' as $$
  delete from private.unread_transactions as unread
  using jsonb_to_recordset(results) as result (tx_hash text, fault text)
  where unread.chain_id = chain and unread.tx_hash = result.tx_hash and result.fault is null;
  insert into private.unread_transactions as unread
    (chain_id, tx_hash, block_number, block_hash, block_time, fault, is_too_large)
  select chain, tx_hash, block_number, block_hash, block_time, fault, is_too_large
  from jsonb_populate_recordset(null::private.unread_transactions, results) where fault is not null
  on conflict (chain_id, tx_hash) do update set
    block_number = excluded.block_number, block_hash = excluded.block_hash, block_time = excluded.block_time,
    fault = excluded.fault, is_too_large = excluded.is_too_large, tried_at = now()
$$;

create or replace function public.append_ledger(entries jsonb, scan jsonb default null) returns jsonb
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  added bigint;
begin
  perform private.lock_log('ledger');
  if scan is not null and exists (
    select from (select (scan ->> 'after')::bigint as block_number, (scan ->> 'after_index')::bigint as begun_index) as expected
    left join private.ledger_scans as stored on stored.chain_id = (scan ->> 'chain_id')::integer
    where (stored.block_number, stored.begun_index) is distinct from (expected.block_number, expected.begun_index)
  ) then
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
    case when given.value ->> 'proof_url' is not null
      then private.keep_text_again('ledger', given.value ->> 'proof_url', former.proof_hash) end,
    case when given.value ->> 'note' is not null
      then private.keep_text_again('ledger', given.value ->> 'note', former.note_hash) end
  from jsonb_array_elements(entries) with ordinality as given (value, place)
  cross join jsonb_populate_record(null::public.transactions, given.value) as entry
  left join public.transactions as former
    on former.tx_hash = entry.tx_hash and former.chain_id = entry.chain_id and former.ordinal = entry.ordinal
      and former.revision = entry.revision - 1
  where not exists (
    select from public.transactions as known
    where known.tx_hash = entry.tx_hash and known.chain_id = entry.chain_id and known.ordinal = entry.ordinal
      and known.revision = coalesce(entry.revision, 0)
  )
  order by given.place
  on conflict on constraint transactions_key do nothing;
  get diagnostics added = row_count;

  if scan is not null then
    insert into private.ledger_scans (chain_id, block_number, block_hash, block_time, begun_hash, begun_index)
    values (
      (scan ->> 'chain_id')::integer, (scan ->> 'block_number')::bigint, scan ->> 'block_hash',
      (scan ->> 'block_time')::timestamptz, scan ->> 'begun_hash', (scan ->> 'begun_index')::bigint
    )
    on conflict (chain_id) do update set
      block_number = excluded.block_number, block_hash = excluded.block_hash,
      block_time = excluded.block_time, begun_hash = excluded.begun_hash, begun_index = excluded.begun_index,
      scanned_at = now();
    perform private.store_unread((scan ->> 'chain_id')::integer, scan -> 'unread');
  end if;

  if exists (select from private.unread_transactions) then
    delete from private.unread_transactions as unread
    using jsonb_to_recordset(entries) as entry (tx_hash text, chain_id integer)
    where unread.chain_id = entry.chain_id and unread.tx_hash = entry.tx_hash;
  end if;

  return jsonb_build_object('added', added, 'size', public.log_size('ledger'));
end;
$$;

create or replace function public.record_checks(checks jsonb) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  added bigint;
begin
  perform private.lock_log('ledger');
  insert into public.transaction_checks
    (transaction_id, status, block_number, block_hash, block_time, confirmations, reason)
  select transaction_id, status, block_number, block_hash, block_time, confirmations, reason
  from rows from (jsonb_populate_recordset(null::public.transaction_checks, checks)) with ordinality
  order by ordinality;
  get diagnostics added = row_count;
  return added;
end;
$$;

create or replace function public.record_reconciliations(entries jsonb) returns bigint
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
  from jsonb_populate_recordset(null::public.reconciliations, entries);
  get diagnostics added = row_count;
  return added;
end;
$$;

create or replace function public.append_coins(chain integer, entries jsonb, balances jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  answer jsonb := public.append_ledger(entries);
begin
  delete from private.coin_balances as kept
  using jsonb_to_recordset(balances) as balance (wallet text, after bigint)
  where kept.chain_id = chain and kept.wallet = balance.wallet and kept.block_number > balance.after;
  insert into private.coin_balances (chain_id, wallet, block_number, block_hash, amount, nonce, gas_paid)
  select chain, wallet, block_number, block_hash, amount, nonce, gas_paid
  from jsonb_populate_recordset(null::private.coin_balances, balances);
  delete from private.coin_balances as kept
  where kept.chain_id = chain and (
    select count(*) from private.coin_balances as newer
    where newer.chain_id = kept.chain_id and newer.wallet = kept.wallet and newer.block_number > kept.block_number
  ) >= 10;
  return answer;
end;
$$;

create or replace function public.store_rates(chain integer, rates jsonb) returns integer
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.token_rates as stored (chain_id, symbol, rate_usd, priced_at)
  select chain, symbol, rate_usd, priced_at from jsonb_populate_recordset(null::public.token_rates, rates)
  on conflict (chain_id, symbol) do update set
    asked_at = now(),
    rate_usd = case when excluded.priced_at >= coalesce(stored.priced_at, '-infinity') then excluded.rate_usd
      else stored.rate_usd end,
    priced_at = greatest(stored.priced_at, excluded.priced_at);
  return (select count(*) from jsonb_to_recordset(rates) as rate (rate_usd numeric) where rate_usd is not null);
end;
$$;

create or replace function public.store_anchor_transaction(anchor_id bigint, raw text, tx_hash text, gas_price numeric) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.log_anchor_transactions (anchor_id, raw, tx_hash, gas_price)
  values (
    store_anchor_transaction.anchor_id, store_anchor_transaction.raw, store_anchor_transaction.tx_hash,
    store_anchor_transaction.gas_price
  )
  on conflict do nothing;
  return found;
end;
$$;

create or replace function public.record_anchor_check(result jsonb) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  of_transaction bigint := (result ->> 'transaction_id')::bigint;
begin
  insert into private.log_anchor_checks (transaction_id, status, block_number, block_hash, block_time)
  select
    of_transaction, result ->> 'status', (result ->> 'block_number')::bigint, result ->> 'block_hash',
    (result ->> 'block_time')::timestamptz
  where not exists (
    select from (
      select status, block_hash from private.log_anchor_checks
      where transaction_id = of_transaction order by id desc limit 1
    ) as latest
    where latest.status = result ->> 'status' and latest.block_hash is not distinct from result ->> 'block_hash'
  );
  return found;
end;
$$;

create or replace function private.revise_payment(subject text, changes jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  former constant public.transactions := private.payment_of(subject);
  made bigint;
begin
  perform public.append_ledger(jsonb_build_array(
    to_jsonb(former) - '{id,recorded_at,proof_hash,note_hash}'::text[]
    || jsonb_build_object(
      'amount_usd', former.amount_usd::text, 'rate_usd', former.rate_usd::text,
      'token_amount', former.token_amount::text, 'proof_url', private.text_of(former.proof_hash),
      'note', private.text_of(former.note_hash)
    ) || changes || jsonb_build_object('revision', former.revision + 1)
  ));
  select id into strict made from public.transactions
  where tx_hash = former.tx_hash and chain_id = former.chain_id and ordinal = former.ordinal
    and revision = former.revision + 1;
  return jsonb_build_object('subject', subject, 'made_kind', 'transaction', 'made_id', made);
end;
$$;

create or replace function public.read_appointee(act uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'name', profiles.username, 'created_at', users.created_at, 'confirmed', private.has_shown_address(users.id)
  )
  from public.operator_acts as acts
  join auth.users on lower(users.email) = lower(acts.arguments ->> 'email')
  join public.profiles on profiles.id = users.id
  where acts.id = read_appointee.act and acts.kind = 'operator' and private.is_operator()
    and (acts.state = 'waiting' or (acts.state = 'draft' and acts."by" = private.operator_handle()))
$$;

create or replace function private.operator_queues(caller text) returns jsonb
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set jit = off as $$
begin
  return jsonb_build_object(
    'drafts', private.queue_of((
      select jsonb_agg(jsonb_build_object('id', id, 'kind', kind, 'subject', subject, 'at', saved_at) order by saved_at desc)
      from public.operator_acts where operator_acts.by = caller and state = 'draft'
    )),
    'waiting', private.queue_of((
      select jsonb_agg(jsonb_build_object(
        'id', id, 'kind', kind, 'subject', subject, 'by', acts.by, 'at', submitted_at, 'mine', acts.by = caller
      ) order by submitted_at)
      from (select * from public.operator_acts where state = 'waiting' order by submitted_at limit 101) as acts
    )),
    'statements', private.queue_of((
      select jsonb_agg(jsonb_build_object(
        'link', tweet_url, 'author', author, 'posted_at', posted_at, 'revision', revision
      ) order by posted_at desc, id desc)
      from (
        select * from private.current_calls where not verified order by posted_at desc, id desc limit 101
      ) as unconfirmed
    )),
    'other', private.queue_of((
      select jsonb_agg(private.payment_item(facts) order by facts.id desc)
      from (
        select * from public.transactions
        where type = 'other' and direction = 'out' and account in ('treasury', 'donation-wallet') and note_hash is null
          and exists (select from private.transaction_statuses where transaction_id = transactions.id)
        order by id desc limit 101
      ) as facts
    )),
    'purposes', private.queue_of((
      select jsonb_agg(private.payment_item(facts) order by facts.id desc)
      from (
        select * from public.transactions
        where type = 'spending' and note_hash is null
          and exists (select from private.transaction_statuses where transaction_id = transactions.id)
        order by id desc limit 101
      ) as facts
    )),
    -- Each step reads the next address from the index, so recipients of many payments cost no more than others.
    'names', private.queue_of((
      with recursive recipients as (
        select min(to_address::text) as address from public.transactions where type = 'spending' and counter_account is null
        union all
        select (
          select min(next.to_address::text) from public.transactions as next
          where next.type = 'spending' and next.counter_account is null and next.to_address > recipients.address
        )
        from recipients where recipients.address is not null
      )
      select jsonb_agg(jsonb_build_object('address', unnamed.address))
      from (
        select address from recipients
        where address is not null
          and not exists (select from public.wallet_names where wallet_names.address = recipients.address)
          -- A value and not EXISTS, which the planner turns into a join with every payment.
          and (
            select facts.id from public.transactions as facts
            join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
            where facts.to_address = recipients.address and facts.type = 'spending' and facts.counter_account is null
            limit 1
          ) is not null
        limit 101
      ) as unnamed
    ))
  );
end;
$$;

create or replace function public.operator_overview(goals boolean default false) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant text := private.operator_handle();
  mine constant jsonb := public.my_operator();
begin
  return case when mine is not null then jsonb_build_object(
    'operator', mine,
    'queues', case when caller is not null then private.operator_queues(caller) end,
    'listening', case when caller is not null then private.operator_listening() end,
    'health', case when caller is not null then private.operator_health() end,
    'mail', case when caller is not null then public.mail_counts() end
  ) || case when operator_overview.goals then jsonb_build_object('goals', public.goals_overview()) else '{}' end end;
end;
$$;

create view private.current_calls as
select * from public.cz_calls as calls
where not exists (
  select from public.cz_calls as later where later.tweet_url = calls.tweet_url and later.revision = calls.revision + 1
);

create or replace function private.operator_listening() returns jsonb
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set jit = off as $$
begin
  return jsonb_build_object(
    'sources', (
      select coalesce(jsonb_agg(to_jsonb(states) order by states.source), '[]') from public.source_states as states
    ),
    'posts', private.queue_of((
      select jsonb_agg(jsonb_build_object(
        'id', id, 'author', author, 'posted_at', posted_at, 'edited_at', edited_at, 'url', url
      ) order by captured_at desc)
      from (
        select * from private.statement_posts where state = 'open' order by captured_at desc limit 101
      ) as waiting
    )),
    'changed', private.queue_of((
      select jsonb_agg(jsonb_build_object(
        'id', id, 'author', author, 'url', url, 'edited_at', edited_at, 'gone_at', gone_at, 'text_hash', text_hash
      ) order by coalesce(gone_at, edited_at) desc)
      from (
        select posts.id, posts.author, posts.url, posts.edited_at, posts.gone_at, latest.text_hash
        from private.statement_posts as posts
        join lateral (
          select calls.text_hash, words.text from public.cz_calls as calls
          join private.log_texts as words on words.hash = calls.text_hash
          where calls.tweet_url = posts.url order by calls.revision desc limit 1
        ) as latest on latest.text is not null
        where posts.state = 'published' and (
          posts.gone_at is not null or (posts.edited_at is not null and posts.sha256 <> posts.published_sha256)
        )
        limit 101
      ) as changed
    ))
  );
end;
$$;

create or replace function public.read_post(post bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', posts.id, 'state', posts.state, 'source', posts.source, 'url', posts.url, 'author', posts.author,
    'posted_at', posts.posted_at, 'time_is_capture', posts.time_is_capture, 'captured_at', posts.captured_at,
    'edited_at', posts.edited_at, 'gone_at', posts.gone_at, 'checked_at', posts.checked_at,
    'decided_at', posts.decided_at, 'decided_by', posts.decided_by, 'reason', posts.reason,
    'captures', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'sha256', captures.sha256, 'text', left(captures.text, 20000), 'captured_at', captures.captured_at
      ) order by captures.id desc), '[]')
      from private.statement_captures as captures where captures.post = posts.id
    )
  )
  from private.statement_posts as posts where posts.id = read_post.post and private.is_operator()
$$;

create or replace function private.perform_confirmation(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  how constant text := act.arguments ->> 'how';
  former public.cz_calls;
begin
  perform private.check_words('how', how, 10, 500, true);
  select * into former from public.cz_calls where tweet_url = act.subject order by revision desc limit 1;
  if former.verified then
    perform private.refuse_act('changed');
  end if;
  if act."by" is not null and exists (
    select from public.operator_acts as entered
    where entered.made_kind = 'statement' and entered.made_id = former.id
      and private.is_same_person(entered.by, act."by")
  ) then
    perform private.refuse_act('same_person');
  end if;
  if private.text_of(former.text_hash) is null or private.text_of(former.action_hash) is null then
    perform private.refuse_act('refused', jsonb_build_object('why', 'a text of this statement was withdrawn'));
  end if;
  return jsonb_build_object(
    'subject', former.tweet_url, 'made_kind', 'statement',
    'made_id', private.revise_statement(former, jsonb_build_object('confirmed_by', how))
  );
end;
$$;

create or replace function public.append_statement(statement jsonb) returns bigint
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
    private.keep_text_again('ledger', said.confirmed_by, former.confirmed_by_hash),
    said.tx_hash, said.chain_id, coalesce(said.revision, 0)
  )
  returning id into added;
  return added;
end;
$$;

create function private.revise_statement(former public.cz_calls, changes jsonb) returns bigint
language sql set search_path = '' as $$
  select public.append_statement(jsonb_build_object(
    'posted_at', former.posted_at, 'captured_at', former.captured_at, 'author', former.author,
    'tweet_text', private.text_of(former.text_hash), 'tweet_url', former.tweet_url,
    'action_taken', private.text_of(former.action_hash), 'confirmed_by', private.text_of(former.confirmed_by_hash),
    'tx_hash', former.tx_hash, 'chain_id', former.chain_id, 'revision', former.revision + 1
  ) || changes)
$$;

create or replace function public.append_update(entry jsonb) returns jsonb
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
    private.keep_text_again('ledger', said.links, former.links_hash),
    said.helping,
    private.keep_text_again('ledger', said.helping_source, former.helping_source_hash),
    coalesce(said.revision, 0)
  )
  returning * into added;
  return jsonb_build_object('id', added.id, 'number', added.number);
end;
$$;

create or replace view public.published_cz_calls with (security_invoker = false) as
select
  calls.id, calls.posted_at, calls.captured_at, calls.author, calls.verified, confirmation.text as confirmed_by,
  shown.text as tweet_text, calls.tweet_url, action.text as action_taken, calls.text_hash, calls.action_hash,
  calls.confirmed_by_hash, shown.sha256 as statement_sha256,
  calls.tx_hash, calls.chain_id, calls.revision, calls.recorded_at, entries.index as log_index,
  answer.id as transaction_id, answer.occurred_at as answered_at, answer.amount_usd as answered_usd,
  answer.token_amount as answered_token_amount, answer.token_symbol as answered_token_symbol,
  answer.token_decimals as answered_token_decimals, answer.status, answer.checked_at, answer.unreachable_at,
  (
    select count(*)
    from private.current_calls as other
    where other.chain_id = calls.chain_id and other.tx_hash = calls.tx_hash and other.tweet_url <> calls.tweet_url
  )::bigint as shared_count,
  shown.edited_at as source_edited_at, shown.gone_at as source_gone_at, shown.is_x_post
from private.current_calls as calls
left join private.log_entries as entries
  on entries.log = 'ledger' and entries.kind = 'statement' and entries.row_id = calls.id
left join private.statement_words as shown on shown.id = calls.id
left join private.log_texts as action on action.hash = calls.action_hash
left join private.log_texts as confirmation on confirmation.hash = calls.confirmed_by_hash
left join lateral (
  select id, occurred_at, amount_usd, token_amount, token_symbol, token_decimals, status, checked_at, unreachable_at
  from public.published_transactions
  where published_transactions.chain_id = calls.chain_id and published_transactions.tx_hash = calls.tx_hash
  order by ordinal limit 1
) as answer on true;

create or replace function private.leave_goals() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.goals where member = old.id and not private.is_public_stage(stage);
  if exists (select from public.goals where member = old.id and stage = 'open') then
    perform private.lock_log('ledger');
    perform private.move_goal(id, 'ended', 'deletion', frozen => frozen, hidden => hidden)
    from (select * from public.goals where member = old.id and stage = 'open' for update) as left_open;
  end if;
  return old;
end;
$$;

create or replace function public.read_goal(goal text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', about.id, 'slug', about.slug, 'stage', about.stage, 'revision', about.revision, 'frozen', about.frozen,
    'hidden', about.hidden, 'target_usd', about.target_usd::text, 'days', about.days, 'wallet', about.wallet,
    'picture_path', about.picture_path, 'plan', about.plan, 'report_number', about.report_number,
    'submitted_at', about.submitted_at, 'opened_at', about.opened_at, 'ends_at', about.ends_at,
    'ended_at', about.ended_at, 'completed_at', about.completed_at, 'fault', about.fault,
    'mine', private.is_own_goal(about, null),
    'words', (select to_jsonb(words) - 'id' from private.goal_words as words where words.id = about.id),
    'submitted', (
      select coalesce(jsonb_agg(moves.texts order by moves.id desc), '[]')
      from (
        select id, texts from private.goal_moves
        where goal_moves.goal = about.id and texts is not null order by id desc limit 2
      ) as moves
    ),
    'check', (select to_jsonb(checks) - 'goal' from private.goal_checks as checks where checks.goal = about.id),
    'complaints_version', private.complaints_revision(about.slug),
    'complaints', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'reason', open.reason, 'text', open.text, 'made_at', open.made_at
      ) order by open.made_at), '[]')
      from public.goal_complaints as open where open.goal = about.id and open.closed_at is null
    ),
    'earlier', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'slug', other.slug, 'stage', other.stage, 'frozen', other.frozen, 'title', words.title,
        'complaints', (select count(*) from public.goal_complaints where goal_complaints.goal = other.id)
      ) order by other.created_at desc), '[]')
      from (
        select * from public.goals
        where member = about.member and id <> about.id and slug is not null order by created_at desc limit 50
      ) as other
      join private.goal_words as words on words.id = other.id
    ),
    'moves', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'stage', moves.stage, 'frozen', moves.frozen, 'hidden', moves.hidden, 'moved_by', moves.moved_by,
        'moved_at', moves.moved_at, 'reason', moves.reason
      ) order by moves.id), '[]')
      from private.goal_moves as moves where moves.goal = about.id
    )
  )
  from public.goals as about where about.slug = read_goal.goal and about.stage <> 'draft' and private.is_operator()
$$;

create or replace function public.goals_overview() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'submitted', private.queue_of((
      select jsonb_agg(jsonb_build_object(
        'slug', goals.slug, 'title', goals.title, 'submitted_at', goals.submitted_at, 'mine', private.is_own_goal(goals, null)
      ) order by goals.submitted_at)
      from (select * from public.goals where stage = 'submitted' order by submitted_at limit 101) as goals
    )),
    'complaints', private.queue_of((
      select jsonb_agg(jsonb_build_object(
        'slug', goals.slug, 'title', words.title, 'count', open.count, 'oldest_at', open.oldest_at
      ) order by open.count desc, open.oldest_at)
      from (
        select goal, count(*) as count, min(made_at) as oldest_at from public.goal_complaints
        where closed_at is null group by goal order by count(*) desc, min(made_at) limit 101
      ) as open
      join public.goals on goals.id = open.goal
      join private.goal_words as words on words.id = goals.id
    )),
    'updates', private.queue_of((
      select jsonb_agg(jsonb_build_object('slug', waiting.topic, 'title', words.title, 'due_at', waiting.due_at) order by waiting.due_at)
      from (
        select * from private.outbox as open
        where open.kind = 'update' and open.expanded_at is null and open.topic ~ '^goal-[a-z]{8}$'
        order by open.due_at limit 101
      ) as waiting
      join public.goals on goals.slug = waiting.topic and not goals.frozen and not goals.hidden
      join private.goal_words as words on words.id = goals.id
    )),
    'reports', private.queue_of((
      select jsonb_agg(jsonb_build_object('slug', goals.slug, 'title', words.title, 'ended_at', goals.ended_at) order by goals.ended_at)
      from (
        select * from public.goals where stage = 'ended' and report_number is not null order by ended_at limit 101
      ) as goals
      join private.goal_words as words on words.id = goals.id
    )),
    'overdue', private.queue_of((
      select jsonb_agg(jsonb_build_object('slug', goals.slug, 'title', words.title, 'ended_at', goals.ended_at) order by goals.ended_at)
      from (
        select * from public.goals
        where stage = 'ended' and report_number is null and ended_at < now() - interval '90 days'
        order by ended_at limit 101
      ) as goals
      join private.goal_words as words on words.id = goals.id
    ))
  )
  where private.is_operator()
$$;

create or replace function public.read_complaints() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'slug', goals.slug, 'title', words.title, 'stage', goals.stage, 'frozen', goals.frozen,
    'mine', private.is_own_goal(goals, null), 'count', open.count, 'items', (
      select jsonb_agg(jsonb_build_object('reason', item.reason, 'text', item.text, 'made_at', item.made_at) order by item.made_at)
      from (
        select * from public.goal_complaints
        where goal_complaints.goal = goals.id and closed_at is null order by made_at limit 20
      ) as item
    )
  ) order by open.count desc, open.oldest_at), '[]')
  from (
    select goal, count(*) as count, min(made_at) as oldest_at from public.goal_complaints
    where closed_at is null group by goal order by count(*) desc, min(made_at) limit 100
  ) as open
  join public.goals on goals.id = open.goal
  join private.goal_words as words on words.id = goals.id
  having private.is_operator()
$$;

create or replace function public.end_goals() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  many integer;
begin
  if not exists (select from public.goals where stage = 'open' and ends_at <= now()) then
    return 0;
  end if;
  perform private.lock_log('ledger');
  perform private.move_goal(id, 'ended', 'schedule', frozen => frozen, hidden => hidden)
  from (select * from public.goals where stage = 'open' and ends_at <= now() order by ends_at, id for update) as over;
  get diagnostics many = row_count;
  return many;
end;
$$;

create or replace view public.published_goals with (security_invoker = false) as
select
  goals.id, goals.slug, goals.stage, goals.frozen, goals.hidden, goals.revision,
  words.title, words.byline, words.category, words.plan, words.story, words.links,
  case when not goals.hidden then goals.picture_path end as picture_path, words.picture_text,
  case when goals.stage = 'open' and not goals.frozen then goals.wallet::text end as wallet,
  goals.target_usd, goals.opened_at, goals.ends_at, goals.ended_at, goals.ended_by, goals.completed_at,
  case when goals.stage = 'completed' or (goals.stage = 'ended' and not goals.hidden) then goals.report_number end as report_number,
  goals.ended_at + interval '90 days' as report_due_at,
  goals.stage = 'ended' and goals.ended_at < now() - interval '90 days' as is_overdue,
  goals.slug in (select slug from private.watched_goals) as is_watched,
  sums.received_usd, sums.verified_count, sums.pending_count, sums.unvalued_count
from public.goals
left join private.goal_words as words on words.id = goals.id and not goals.hidden
join private.goal_sums as sums on sums.id = goals.id
where goals.opened_at is not null;

create or replace function private.pay_order(of_order bigint, by_row public.transactions) returns void
language plpgsql security definer set search_path = '' as $$
declare
  paid public.orders;
  said public.cz_calls;
begin
  perform private.move_order(of_order, 'paid', by_row.tx_hash, by_row.ordinal);
  select * into paid from public.orders where id = of_order;
  if by_row.note_hash is null then
    insert into public.transactions (
      occurred_at, account, counter_account, direction, type, pool_slug, amount_usd, rate_usd, rate_source,
      token_amount, token_symbol, token_decimals, token_address, from_address, to_address, tx_hash, chain_id, ordinal,
      revision, proof_hash, note_hash
    )
    values (
      by_row.occurred_at, by_row.account, by_row.counter_account, by_row.direction,
      case when by_row.type = 'other' and by_row.counter_account is null then paid.type else by_row.type end,
      case when by_row.type = 'other' and by_row.counter_account is null and paid.type = 'donation' then paid.pool_slug
        else by_row.pool_slug end,
      by_row.amount_usd, by_row.rate_usd, by_row.rate_source, by_row.token_amount, by_row.token_symbol,
      by_row.token_decimals, by_row.token_address, by_row.from_address, by_row.to_address, by_row.tx_hash,
      by_row.chain_id, by_row.ordinal, by_row.revision + 1, by_row.proof_hash, paid.purpose_hash
    );
  end if;
  select * into said from public.cz_calls where tweet_url = paid.statement order by revision desc limit 1;
  -- A statement whose texts were withdrawn stays as it is.
  if said.tx_hash is null and private.text_of(said.text_hash) is not null and private.text_of(said.action_hash) is not null
    and (said.confirmed_by_hash is null or private.text_of(said.confirmed_by_hash) is not null) then
    perform private.revise_statement(said, jsonb_build_object('tx_hash', by_row.tx_hash, 'chain_id', by_row.chain_id));
  end if;
end;
$$;

create or replace function private.perform_order(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  given constant jsonb := act.arguments;
  payee constant text := given ->> 'to';
  kind_of constant text := given ->> 'type';
  pool text := given ->> 'pool';
  settings private.payment_settings;
  payer private.paying_wallets;
  token private.payment_tokens;
  whom jsonb;
  units numeric;
  begins timestamptz := now();
  made bigint;
  change bigint;
begin
  if act."by" is null then
    perform private.refuse_act('operators_only');
  end if;
  select * into settings from private.payment_settings;
  if settings.chain_id is null then
    perform private.refuse_act('no_payments');
  end if;
  perform private.check_words('from', given ->> 'from', 1, 50);
  select * into payer from private.paying_wallets
  where chain_id = settings.chain_id and account = given ->> 'from';
  if payer.address is null then
    perform private.refuse_field('from', 'unknown');
  end if;
  perform private.check_words('to', payee, 1, 42);
  perform private.check_pattern('to', payee, '^0x[0-9a-f]{40}$');
  whom := private.recipient_of(settings.chain_id, payee);
  if payee = payer.address then
    perform private.refuse_field('to', 'same');
  elsif whom is null then
    perform private.refuse_field('to', 'unnamed');
  elsif private.is_own_wallet(payee, act."by")
    or private.is_own_goal((select goals from public.goals where slug = whom ->> 'account'), act."by") then
    perform private.refuse_act('own_payment', jsonb_build_object('field', 'to'));
  end if;
  perform private.check_words('token', given ->> 'token', 1, 32);
  select * into token from private.payment_tokens
  where chain_id = settings.chain_id and symbol = given ->> 'token';
  if token.address is null then
    perform private.refuse_field('token', 'unknown');
  end if;
  units := private.token_units('amount', given ->> 'amount', token, settings.limit_tokens);
  -- As the ledger classifies a transfer between these wallets. The chain does not show why the treasury pays others.
  if kind_of is null or kind_of <> all (case
    when payer.account not in ('treasury', 'donation-wallet') then
      case whom ->> 'recipient' when 'pool' then array['move'] else array['spending'] end
    when whom ->> 'recipient' = 'pool' then array['donation']
    when whom ->> 'recipient' = 'goal' then array['dream']
    else array['donation', 'cost']
  end) then
    perform private.refuse_field('type', 'transactions_account_of_type');
  end if;
  if kind_of <> 'donation' or whom ->> 'recipient' = 'pool' then
    if pool is not null then
      perform private.refuse_field('pool', 'fixed');
    end if;
  elsif pool is not null and not exists (select from private.accounts where slug = pool and is_pool) then
    perform private.refuse_field('pool', 'unknown');
  end if;
  perform private.check_words('purpose', given ->> 'purpose', 1, 2000, true);
  perform private.check_link('statement', given ->> 'statement');
  if given ->> 'statement' is not null and not exists (
    select from public.cz_calls where tweet_url = given ->> 'statement'
  ) then
    perform private.refuse_field('statement', 'unknown');
  end if;
  -- The notice begins when the name is as old as the notice.
  if whom ? 'since' then
    begins := greatest(now(), (whom ->> 'since')::timestamptz + make_interval(hours => settings.notice_hours));
  end if;
  insert into public.orders (
    account, recipient, recipient_account, chain_id, from_address, to_address, token_address, token_symbol,
    token_decimals, token_amount, type, pool_slug, purpose_hash, statement, due_at, expires_at
  )
  values (
    payer.account, whom ->> 'recipient', whom ->> 'account', settings.chain_id, payer.address, payee, token.address,
    token.symbol, token.decimals, units, kind_of, pool,
    private.keep_text('ledger', given ->> 'purpose'), given ->> 'statement',
    begins + make_interval(hours => settings.notice_hours),
    begins + make_interval(hours => settings.notice_hours) + interval '7 days'
  )
  returning id into made;
  insert into public.order_changes (number, revision, state) values (made, 0, 'announced') returning id into change;
  return jsonb_build_object('subject', made::text, 'made_kind', 'order', 'made_id', change);
end;
$$;

create or replace function public.replace_order_transaction(of_order bigint, raw text, tx_hash text, gas_price numeric) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform private.lock_log('ledger');
  insert into private.order_transactions (order_id, raw, tx_hash, gas_price)
  select of_order, replace_order_transaction.raw, replace_order_transaction.tx_hash, replace_order_transaction.gas_price
  from public.orders where orders.id = of_order and orders.state = 'sent'
  on conflict do nothing;
  return found;
end;
$$;

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

create or replace view public.ledger_totals with (security_invoker = false) as
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
  join private.sums on unit = 'month' and (sums.pool_slug = party.slug or sums.counter_account = party.slug)
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

create or replace view public.ledger_months with (security_invoker = false) as
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

create or replace function public.sum_transactions(filter jsonb) returns jsonb
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

create or replace view public.published_cause_payments with (security_invoker = false) as
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

create or replace function private.tell_verified() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  payment record;
begin
  for payment in
    select facts.chain_id, facts.tx_hash, facts.ordinal, facts.pool_slug, calls.tweet_url,
      facts.type = 'spending' or (facts.type = 'donation' and facts.counter_account is null) as is_spending
    from changed
    join former using (transaction_id)
    join public.transactions as facts on facts.id = changed.transaction_id
    left join public.cz_calls as calls on calls.chain_id = facts.chain_id and calls.tx_hash = facts.tx_hash
    where changed.status = 'verified' and former.status <> 'verified' and facts.direction = 'out'
      and facts.occurred_at > now() - interval '7 days'
    order by facts.id
  loop
    if payment.is_spending and payment.pool_slug is not null then
      perform private.tell_payment(payment.pool_slug, payment.chain_id, payment.tx_hash, payment.ordinal);
    end if;
    if payment.tweet_url is not null then
      perform private.tell_call(payment.tweet_url);
    end if;
  end loop;
  -- The first verified payment that reached a goal. Its row of the outbox stays, so a second one is not told.
  insert into private.outbox (kind, topic, source)
  select distinct 'goal', goals.slug, 'gift'
  from changed
  join former using (transaction_id)
  join public.transactions as facts on facts.id = changed.transaction_id
  join public.goals on goals.wallet = facts.to_address and goals.opened_at is not null
  where changed.status = 'verified' and former.status <> 'verified' and facts.type in ('goal-gift', 'dream')
    and facts.occurred_at > now() - interval '7 days'
  on conflict on constraint outbox_key do nothing;
  return null;
end;
$$;

create or replace function private.member_address() returns text
language sql stable security definer set search_path = '' as $$
  select private.address_of(auth.uid()) where private.is_assured()
$$;

create or replace function private.topic_for(of_follower bigint, fact private.outbox) returns text
language sql stable set search_path = '' as $$
  select known.topic
  from private.follower_topics as known
  join private.followers as follower on follower.id = known.follower_id
  where known.follower_id = of_follower and not known.is_held and known.since <= fact.made_at
    and (known.topic = fact.topic or (
      known.topic = 'gifts' and fact.kind = 'spending' and exists (
        select from private.pool_givers as givers where givers.address = follower.address and givers.pool = fact.topic
      )
    ))
  order by known.topic = 'gifts' limit 1
$$;

create function private.topics_of(follower bigint) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(topic order by topic), '[]') from private.follower_topics where follower_id = follower
$$;

create or replace function private.fact_content(fact private.outbox) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  month_begin date;
  month_end timestamptz;
begin
  case fact.kind
    when 'opens' then
      return '{}'::jsonb;
    when 'update' then
      return (
        select jsonb_build_object('number', number, 'text', updates.text, 'links', links, 'published_at', published_at)
        from public.published_updates as updates
        where pool_slug = fact.topic and number = fact.source::integer and updates.text is not null
          and not exists (
            select from public.goals where slug = fact.topic and (frozen or hidden or stage = 'annulled')
          )
      );
    when 'call' then
      return (
        select jsonb_build_object(
          'author', author, 'posted_at', posted_at, 'text', case when not is_x_post then tweet_text end,
          'url', tweet_url, 'action', action_taken,
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
    when 'goal' then
      return (
        select jsonb_build_object(
          'event', event, 'goal', goals.id, 'slug', goals.slug, 'title', words.title, 'reason', goals.reason,
          'fault', goals.fault, 'ends_at', goals.ends_at, 'report_due_at', goals.ended_at + interval '90 days',
          'received_usd', sums.received_usd::text
        )
        from split_part(fact.source, ' ', 1) as event
        join public.goals on goals.slug = fact.topic and goals.member is not null
        join private.goal_words as words on words.id = goals.id
        left join private.goal_sums as sums on sums.id = goals.id
        where case
          when event = 'gift' then goals.stage in ('open', 'ended', 'completed')
          when event in ('report-due', 'report-overdue') then goals.stage = 'ended' and goals.report_number is null
          else goals.stage = event
        end
      );
  end case;
end;
$$;

create or replace function public.next_mails(results jsonb, most integer default 2) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  mail private.mails;
  follower private.followers;
  request private.follow_requests;
  fact private.outbox;
  content jsonb;
  by_topic text;
  mail_address text;
  mails jsonb := '[]';
  facts jsonb := '{}';
  room integer;
  rate record;
begin
  -- Lock, so that claims are made one after the other.
  perform from private.mail_state for update;
  perform private.record_mails(next_mails.results);
  if exists (select from private.log_rollbacks) or exists (
    select from private.mail_state where paused_until > now()
  ) then
    return jsonb_build_object('mails', mails, 'facts', facts, 'more', false);
  end if;
  update private.mail_state set paused_until = null, pause_reason = null where paused_until is not null;
  select count(*) as in_minute, count(*) filter (where known.claimed_at > now() - interval '950 milliseconds') as in_second
  into rate
  from private.mails as known where known.claimed_at > now() - interval '1 minute';
  room := least(next_mails.most, 2 - rate.in_second, 100 - rate.in_minute);

  for mail in
    select * from private.mails as waiting
    where waiting.state = 'waiting' and waiting.due_at <= now()
    order by waiting.fact_id is not null, waiting.due_at, waiting.id limit 200
  loop
    exit when room <= 0;
    fact := null;
    content := null;
    by_topic := null;
    select * into follower from private.followers as known where known.id = mail.follower_id;
    select * into request from private.follow_requests as known where known.id = mail.request_id;
    mail_address := coalesce(follower.address, request.address, private.address_of(mail.member));
    if mail.fact_id is not null then
      select * into fact from private.outbox as known where known.id = mail.fact_id;
      by_topic := case when mail.member is null then private.topic_for(mail.follower_id, fact) else fact.topic end;
      content := coalesce(facts -> fact.id::text -> 'content', private.fact_content(fact));
    end if;

    if exists (
      select from private.stopped_addresses as stopped where stopped.address_hash = private.hash_text(mail_address)
    ) then
      delete from private.followers as known where known.id = follower.id;
      delete from private.follow_requests as known where known.id = request.id;
      delete from private.mails where mails.id = mail.id;
      continue;
    end if;
    -- The follower has left, the member has no address, or the text was withdrawn.
    if mail_address is null or (mail.fact_id is not null and (by_topic is null or content is null)) then
      delete from private.mails where mails.id = mail.id;
      continue;
    end if;
    if mail.begun_at < now() - interval '20 hours' or fact.due_at < now() - interval '7 days' then
      update private.mails set state = 'failed' where mails.id = mail.id;
      update private.mail_state set failed = failed + 1 where is_only_row;
      continue;
    end if;

    update private.mails
    set claimed_at = now(), due_at = now() + interval '2 minutes', attempts = mails.attempts + 1,
      begun_at = coalesce(mails.begun_at, now())
    where mails.id = mail.id;
    room := room - 1;
    if fact.id is not null then
      facts := facts || jsonb_build_object(fact.id::text, jsonb_build_object(
        'kind', fact.kind, 'topic', fact.topic, 'content', content
      ));
    end if;
    mails := mails || jsonb_build_array((
      select jsonb_build_object(
        'id', mail.id,
        'key', private.hash_text(concat_ws(
          ' ', mail_address, fact.kind, fact.topic, fact.source, request.token_hash,
          case when coalesce(fact.id, request.id) is null then extract(epoch from follower.asked_at) end
        )),
        'address', mail_address,
        'language', coalesce(
          follower.language, request.language,
          (select raw_user_meta_data ->> 'lang' from auth.users where id = mail.member), 'en'
        ),
        'token', coalesce(follower.token, request.token),
        'topic', of_mail.topic,
        'topics', of_mail.topics,
        'titles', (
          select coalesce(jsonb_object_agg(goals.slug, words.title), '{}')
          from public.goals
          join private.goal_words as words on words.id = goals.id
          where (goals.slug = of_mail.topic or of_mail.topics ? goals.slug)
            and goals.opened_at is not null and not goals.hidden and words.title is not null
        ),
        'is_request', request.id is not null,
        'is_own', mail.member is not null,
        'fact_id', fact.id,
        'coming', case when fact.id is not null and mail.member is null then private.coming_orders(by_topic) else '[]' end
      )
      from (
        select coalesce(by_topic, request.topic) as topic, private.topics_of(follower.id) as topics
      ) as of_mail
    ));
  end loop;
  return jsonb_build_object('mails', mails, 'facts', facts, 'more', exists (
    select from private.mails as waiting where waiting.state = 'waiting' and waiting.due_at <= now()
  ));
end;
$$;

create or replace function public.leave(token text, topic text default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  follower bigint;
begin
  select known.id into follower from private.followers as known where known.token = leave.token for update;
  if follower is null then
    return jsonb_build_object('state', 'unknown', 'topics', '[]'::jsonb);
  end if;
  perform private.remove_topic(follower, leave.topic);
  return jsonb_build_object('state', 'left', 'topics', private.topics_of(follower));
end;
$$;

create or replace function public.keep_following(token text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  follower bigint;
begin
  update private.followers as known set kept_at = now(), asked_at = null
  where known.token = keep_following.token returning known.id into follower;
  if follower is null then
    return jsonb_build_object('state', 'unknown', 'topics', '[]'::jsonb);
  end if;
  update private.follower_topics as known set is_held = false, since = now()
  where known.follower_id = follower and known.is_held;
  delete from private.mails
  where mails.follower_id = follower and mails.fact_id is null and mails.state = 'waiting';
  return jsonb_build_object('state', 'kept', 'topics', private.topics_of(follower));
end;
$$;

create or replace view public.published_records with (security_invoker = false) as
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
      'id', calls.id, 'posted_at', calls.posted_at, 'author', calls.author, 'tweet_text', shown.text,
      'source_edited_at', shown.edited_at, 'source_gone_at', shown.gone_at, 'is_x_post', shown.is_x_post,
      'verified', calls.verified
    ) order by calls.posted_at)
    from private.current_calls as calls
    left join private.statement_words as shown on shown.id = calls.id
    where calls.chain_id = facts.chain_id and calls.tx_hash = facts.tx_hash
  ) as statements,
  named.name as counter_name, named.name_hash as counter_name_hash
from public.transactions as facts
left join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
left join private.log_entries as entries
  on entries.log = 'ledger' and entries.kind = 'transaction' and entries.row_id = facts.id
left join private.log_texts as proof on proof.hash = facts.proof_hash
left join private.log_texts as note on note.hash = facts.note_hash
left join private.current_names as named
  on facts.counter_account is null
    and named.address = case facts.direction when 'in' then facts.from_address else facts.to_address end;

revoke all on function private.text_of, private.revise_statement, private.topics_of from public;

drop trigger tell_member on private.transaction_statuses;

drop function private.tell_gift;
drop function private.gave_to;
drop function private.goal_content;

reset check_function_bodies;
