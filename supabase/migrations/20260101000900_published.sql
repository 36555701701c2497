-- Views that join several domains: the rows and texts to which the entries of the log belong, the acts of operators,
-- and the state by which open pages detect changes. At the end, row-level security for the tables of all files.

-- What everyone reads ---------------------------------------------------------------------------------------

create view public.published_texts with (security_invoker = false) as
select
  log_texts.id, log_texts.log, log_texts.hash, case when posts.tweet_url is null then encode(log_texts.salt, 'hex') end as salt,
  case when posts.tweet_url is null then log_texts.text end as text,
  withdrawals.recorded_at as withdrawn_at, withdrawals.reason, entries.index as withdrawn_index,
  posts.tweet_url as post_url
from private.log_texts
left join private.log_withdrawals as withdrawals on withdrawals.text_hash = log_texts.hash
left join private.log_entries as entries
  on entries.log = log_texts.log and entries.kind = 'withdrawal' and entries.row_id = withdrawals.id
left join lateral (
  select calls.tweet_url from public.cz_calls as calls
  where calls.text_hash = log_texts.hash and private.x_post_id(calls.tweet_url) is not null limit 1
) as posts on true
where log_texts.text is null or log_texts.hash not in (select waiting.hash from private.waiting_texts as waiting);
comment on view public.published_texts is 'Free text and its salt, by the hash that an entry has; null with a reason where it was withdrawn.';
comment on column public.published_texts.post_url is
  'The text is that of a post of X: read it there. Null where the text is published here.';

create view public.published_records with (security_invoker = false) as
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
    left join private.ledger_entries as revision_entries on revision_entries.kind = 'transaction' and revision_entries.row_id = revisions.id
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
left join private.ledger_entries as entries on entries.kind = 'transaction' and entries.row_id = facts.id
left join private.log_texts as proof on proof.hash = facts.proof_hash
left join private.log_texts as note on note.hash = facts.note_hash
left join private.current_names as named
  on facts.counter_account is null
    and named.address = case facts.direction when 'in' then facts.from_address else facts.to_address end;
comment on view public.published_records is
  'Everything about a row: its facts, its status, its entry in the log, its neighbours, its revisions, its latest 20 checks and the statements that it answered. Read it by id.';
comment on column public.published_records.status is 'Null where a later revision replaced this one.';
comment on column public.published_records.signed_size is 'Size of the smallest signed checkpoint that covers the row.';

-- The state by which the site detects which open pages must be updated (app/platform/live/): one row, read each minute and after
-- each notification of a write. The cost of reading it does not grow with the number of rows: the latest ids are read
-- from indexes, and the sums by month are few.
create view public.live_state with (security_invoker = false) as
select
  concat_ws(
    ' ',
    (select max(id) from public.transactions),
    (select max(id) from public.reconciliations),
    (select max(id) from private.log_withdrawals),
    -- Open pages are updated after a check that changes a status, and a changed status changes these sums.
    (
      select md5(string_agg(concat_ws(':', status, rows, valued, usd), ' ' order by status))
      from (
        select status, sum(row_count) as rows, sum(valued_count) as valued, sum(sum_usd) as usd
        from private.sums_by_month group by status
      ) as by_status
    ),
    (select concat_ws('-', count(*), max(found_at)) from private.unread_transactions),
    (select max(id) from public.wallet_names),
    (select max(id) from public.order_changes), (select max(id) from private.answers),
    (select concat_ws('-', count(*), max(sent_at)) from private.asks)
  ) as ledger,
  concat_ws(
    ' ', (select max(id) from public.cz_calls), (select max(id) from private.log_withdrawals),
    -- The words of /cz-call about the sources. Their time is rounded, because a new version loads every open page
    -- again.
    (
      select concat_ws(
        '-', count(*), count(fault_since), extract(epoch from max(fault_since))::bigint,
        extract(epoch from min(well_at))::bigint / 300
      )
      from public.listening_sources
    ),
    (
      select concat_ws('-', count(gone_at), extract(epoch from greatest(max(edited_at), max(gone_at)))::bigint)
      from private.statement_posts where state = 'published'
    )
  ) as calls,
  concat_ws(' ', (select max(id) from public.pool_updates), (select max(id) from private.log_withdrawals)) as pools,
  concat_ws(
    ' ', (select max(number) from public.operator_acts), (select count(*) from public.operators where until is null),
    (select max(id) from private.log_withdrawals)
  ) as acts,
  concat_ws(
    ' ', (select max(id) from public.goal_changes), (select max(id) from private.log_withdrawals),
    (select max(id) from public.vote_draws), (select max(id) from public.votes), (select max(id) from public.vote_voids),
    (select max(id) from public.vote_ballots), (select max(id) from public.vote_results)
  ) as fundme;
comment on view public.live_state is
  'One row with a text for each kind of content, which differs after each change that a public page shows.';

create view public.published_acts with (security_invoker = false) as
select
  entries.index as log_index, acts.number as id, acts.final_at as recorded_at, acts.kind as act, acts.subject, acts.by,
  acts.second, acts.made_kind, acts.made_id,
  case acts.made_kind
    when 'statement' then (select revision from public.cz_calls where id = acts.made_id)
    when 'update' then (select revision from public.pool_updates where id = acts.made_id)
    when 'transaction' then (select revision from public.transactions where id = acts.made_id)
    when 'name' then (select revision from public.wallet_names where id = acts.made_id)
    when 'goal' then (select revision from public.goal_changes where id = acts.made_id)
  end::integer as made_revision,
  coalesce(words.text, withdrawals.reason) as reason, acts.reason_hash,
  acts.reason_hash is not null and words.text is null
    and acts.kind not in ('goal-return', 'goal-rejection') as reason_withdrawn
from public.operator_acts as acts
left join private.ledger_entries as entries on entries.kind = 'act' and entries.row_id = acts.number
left join private.log_texts as words on words.hash = acts.reason_hash
left join private.log_withdrawals as withdrawals on acts.made_kind = 'withdrawal' and withdrawals.id = acts.made_id
where acts.number is not null;
comment on view public.published_acts is
  'What operators did, and what was done by the command line (`by` is null). The newest has the highest id.';

-- Grants ----------------------------------------------------------------------------------------------------

grant select on
  public.published_texts, public.published_records, public.live_state, public.published_acts
  to anon, authenticated, service_role;

-- The defaults of a project, as before the first file.
alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;
alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
alter default privileges grant execute on functions to public;

-- For the tables of all files -------------------------------------------------------------------------------

do $$
declare
  each regclass;
begin
  for each in select oid from pg_class where relnamespace::regnamespace::text in ('public', 'private') and relkind = 'r' loop
    execute format('alter table %s enable row level security', each);
  end loop;
end $$;
