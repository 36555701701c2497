-- The votes that are counted as one set, the entries of the ledger as one view, and shorter forms of other functions.

-- SQL functions of this file name views and functions that are created later.
set check_function_bodies = off;

create or replace function private.highest_bit(number bigint) returns integer
language plpgsql immutable set search_path = '' as $$
begin
  return char_length(ltrim(number::bit(64)::text, '0')) - 1;
end;
$$;

create view private.ledger_entries as
select kind, row_id, index, entry, leaf from private.log_entries where log = 'ledger';

create or replace function private.keep_text_again(log text, words text, former_hash text) returns text
language sql set search_path = '' as $$
  select case when exists (select from private.log_texts where hash = former_hash and text = words) then former_hash
    else private.keep_text(keep_text_again.log, words) end
$$;

create or replace function public.append_name(entry jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  wallet constant text := entry ->> 'address';
  words constant text := entry ->> 'name';
  wanted constant integer := coalesce((entry ->> 'revision')::integer, 0);
  former public.wallet_names;
  added public.wallet_names;
  broken text;
begin
  perform private.lock_log('ledger');
  broken := case
    when words is null or char_length(words) not between 1 and 60 or words <> trim(words)
      or words ~ '[\u0001-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]'
      then 'wallet_names_name'
    when exists (
      select from public.transactions where from_address = wallet and (direction = 'out' or counter_account is not null)
    ) or exists (
      select from public.transactions where to_address = wallet and (direction = 'in' or counter_account is not null)
    ) then 'wallet_names_of_others'
    when words <> private.plain_text(words) or not private.has_one_alphabet(words) then 'wallet_names_letters'
    when exists (
      select from private.current_names
      where private.name_skeleton(name) = private.name_skeleton(words) and address <> wallet
    ) then 'wallet_names_unique'
  end;
  if broken is not null then
    raise check_violation using constraint = broken, table = 'wallet_names', schema = 'public', message = case broken
      when 'wallet_names_name'
        then 'a name has 1 to 60 characters, without control and direction characters and spaces around it'
      when 'wallet_names_of_others' then 'the ledger has this wallet as one of ours'
      when 'wallet_names_letters' then 'a name has the letters of one alphabet, and none that fonts do not show'
      else 'another wallet has this name'
    end;
  end if;
  select * into former from public.wallet_names
  where wallet_names.address = wallet and wallet_names.revision = wanted - 1;
  insert into public.wallet_names (address, name_hash, revision)
  values (wallet, private.keep_text_again('ledger', words, former.name_hash), wanted)
  returning * into added;
  return jsonb_build_object('id', added.id, 'name_hash', added.name_hash);
end;
$$;

create or replace view public.published_transactions with (security_invoker = false) as
select
  facts.id, facts.occurred_at, facts.account, facts.counter_account, facts.direction, facts.type, facts.amount_usd,
  trim_scale(facts.rate_usd)::text as rate_usd, facts.rate_source,
  facts.token_amount::text as token_amount, facts.token_symbol, facts.token_decimals, facts.token_address,
  facts.from_address, facts.to_address, facts.tx_hash, facts.chain_id, facts.ordinal, facts.revision,
  facts.pool_slug,
  facts.proof_hash, proof.text as proof_url, facts.proof_hash is not null and proof.text is null as proof_withdrawn,
  facts.note_hash, note.text as note, facts.note_hash is not null and note.text is null as note_withdrawn,
  facts.recorded_at, entries.index as log_index,
  statuses.status, statuses.checked_at, statuses.unreachable_at,
  found.block_number, found.block_hash, found.block_time, found.confirmations, found.reason,
  (
    select named.name from private.current_names as named
    where facts.counter_account is null
      and named.address = case facts.direction when 'in' then facts.from_address else facts.to_address end
  ) as counter_name
from public.transactions as facts
join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
left join private.ledger_entries as entries on entries.kind = 'transaction' and entries.row_id = facts.id
left join private.log_texts as proof on proof.hash = facts.proof_hash
left join private.log_texts as note on note.hash = facts.note_hash
left join public.transaction_checks as found on found.id = statuses.check_id;

create or replace view public.published_names with (security_invoker = false) as
select
  names.id, names.address::text as address, names.name, names.name_hash, names.revision, names.recorded_at,
  entries.index as log_index
from private.current_names as names
left join private.ledger_entries as entries on entries.kind = 'name' and entries.row_id = names.id;

create or replace function private.has_shown_address(of_member uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from auth.users
    where id = of_member and email_confirmed_at is not null
      and (confirmation_sent_at <= email_confirmed_at or invited_at <= email_confirmed_at)
  ) or exists (
    select from auth.sessions
    join auth.mfa_amr_claims as claims on claims.session_id = sessions.id
    where sessions.user_id = of_member
      and claims.authentication_method in ('otp', 'magiclink', 'recovery', 'invite', 'email/signup')
  )
$$;

create or replace function public.submit_act(act uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  caller constant text := private.begin_act(true);
  draft constant public.operator_acts := private.open_act(act, caller, '{draft}');
begin
  if (select people from private.act_kinds where kind = draft.kind) = 1 and (
    draft.kind <> 'operator-end' or draft.subject = caller
    or (select count(*) from public.operators where until is null and handle <> draft.subject) >= 2
  ) then
    return private.finish_act(draft, private.perform(draft), null);
  end if;
  if not exists (select from public.operators where until is null and handle <> caller) then
    perform private.refuse_act('no_second');
  elsif (select count(*) from public.operator_acts as acts where acts.by = caller and acts.state = 'waiting') >= 50 then
    perform private.refuse_act('too_many');
  end if;
  -- It is performed and undone, so an act that cannot be done does not wait.
  begin
    perform private.perform(draft);
    raise exception using errcode = 'UNDO1';
  exception when sqlstate 'UNDO1' then
    null;
  end;
  update public.operator_acts set state = 'waiting', submitted_at = now() where id = draft.id;
  return jsonb_build_object('state', 'waiting', 'subject', draft.subject);
end;
$$;

create or replace function public.act_with_key(
  kind text, subject text, arguments jsonb, reason text, version integer default null
) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  act public.operator_acts;
begin
  perform private.lock_log('ledger');
  act := jsonb_populate_record(null::public.operator_acts, jsonb_build_object(
    'id', gen_random_uuid(), 'kind', kind, 'subject', subject, 'arguments', arguments, 'reason', nullif(reason, ''),
    'version', coalesce(version, private.version_of(kind, subject)), 'created_at', now(), 'saved_at', now()
  ));
  return private.finish_act(act, private.perform(act), null);
end;
$$;

create or replace function private.follow_statement() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from public.cz_calls as former
    where former.tweet_url = new.tweet_url and former.revision = new.revision - 1 and former.text_hash = new.text_hash
  ) then
    return null;
  end if;
  insert into private.statement_posts as posts (key, state, url, author, posted_at, x_id, statement_sha256, decided_at)
  values (
    private.post_key(new.tweet_url), 'published', new.tweet_url, new.author, new.posted_at,
    private.x_post_id(new.tweet_url), encode(sha256(convert_to(private.text_of(new.text_hash), 'UTF8')), 'hex'), now()
  )
  on conflict (key) do update set
    state = 'published', url = excluded.url, author = excluded.author, x_id = coalesce(posts.x_id, excluded.x_id),
    statement_sha256 = excluded.statement_sha256, decided_at = excluded.decided_at,
    -- The text that was read last when the statement says that its post was read.
    published_sha256 = coalesce(
      (
        select captures.sha256 from private.statement_captures as captures
        where captures.post = posts.id
          and date_trunc('milliseconds', captures.captured_at::timestamptz) <= coalesce(new.captured_at, now())
        order by captures.id desc limit 1
      ),
      case when exists (select from private.statement_captures as captures where captures.post = posts.id)
        then excluded.statement_sha256 else posts.sha256 end
    );
  return null;
end;
$$;

create or replace function public.record_source(source text, reading jsonb, posts jsonb default '[]', states jsonb default '[]')
returns jsonb
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  is_well constant boolean := reading ->> 'state' = 'well';
  pause constant interval := case when reading ->> 'wait' is not null
    then make_interval(secs => least(greatest((reading ->> 'wait')::numeric, 0), 86400)::double precision) end;
  keys text[];
  outcomes text[];
begin
  -- First, so that two runs wait for each other.
  update private.statement_sources as kept set
    state = reading ->> 'state',
    fault = left(reading ->> 'fault', 300),
    failures = case when is_well then 0 else least(kept.failures + 1, 1000) end,
    fault_since = case when is_well then null else coalesce(kept.fault_since, now()) end,
    well_at = case when is_well then now() else kept.well_at end,
    -- Ten seconds less than a minute or an hour, so that a run of that minute is not too early.
    ask_after = case
      when pause is not null then now() + pause
      when is_well then kept.asked_at + interval '50 seconds'
      when reading ->> 'state' = 'refused' then now() + interval '1 hour' - interval '10 seconds'
      else now() + least(interval '1 hour', interval '1 minute' * 2 ^ least(kept.failures, 10)) - interval '10 seconds'
    end,
    name = coalesce(reading ->> 'name', kept.name),
    link = coalesce(reading ->> 'link', kept.link),
    since_id = case
      when (reading ->> 'since_id')::numeric >= coalesce(kept.since_id::numeric, 0) then reading ->> 'since_id'
      else kept.since_id
    end,
    (etag, last_modified, body_sha256, page_token, page_newest) = (
      select given.etag, given.last_modified, given.body_sha256, given.page_token, given.page_newest
      from jsonb_populate_record(kept, reading) as given
    )
  where kept.source = record_source.source;
  select array_agg(private.store_post(record_source.source, post) order by place) into outcomes
  from jsonb_array_elements(record_source.posts) with ordinality as given (post, place);
  outcomes := outcomes || (
    select array_agg(private.store_post_state(state)) from jsonb_array_elements(record_source.states) as state
  );
  if jsonb_array_length(record_source.posts) > 0 then
    select array_agg(private.post_key(post ->> 'url')) into keys from jsonb_array_elements(record_source.posts) as post;
    update private.statement_sources as kept set
      seen_count = kept.seen_count + (select count(*) from unnest(keys) as key where key <> all (kept.last_keys)),
      found_count = kept.found_count + cardinality(array_positions(outcomes, 'added')),
      last_keys = keys
    where kept.source = record_source.source;
  end if;
  return jsonb_build_object(
    'added', coalesce(cardinality(array_positions(outcomes, 'added')), 0),
    'edited', coalesce(cardinality(array_positions(outcomes, 'edited')), 0),
    'gone', coalesce(cardinality(array_positions(outcomes, 'gone')), 0)
  );
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
left join private.ledger_entries as entries on entries.kind = 'statement' and entries.row_id = calls.id
left join private.statement_words as shown on shown.id = calls.id
left join private.log_texts as action on action.hash = calls.action_hash
left join private.log_texts as confirmation on confirmation.hash = calls.confirmed_by_hash
left join lateral (
  select id, occurred_at, amount_usd, token_amount, token_symbol, token_decimals, status, checked_at, unreachable_at
  from public.published_transactions
  where published_transactions.chain_id = calls.chain_id and published_transactions.tx_hash = calls.tx_hash
  order by ordinal limit 1
) as answer on true;

create or replace function private.own_goal(goal uuid, stages text[]) returns public.goals
language plpgsql security definer set search_path = '' as $$
declare
  own public.goals;
begin
  select * into own from public.goals
  where id = own_goal.goal and member = auth.uid() and private.is_assured() for update;
  if own.id is null then
    perform private.refuse_act('not_found');
  elsif own.stage <> all (stages) then
    perform private.refuse_act('stage', jsonb_build_object('stage', own.stage));
  end if;
  return own;
end;
$$;

create or replace view public.published_goal_changes with (security_invoker = false) as
select
  changes.id, changes.slug, changes.revision, changes.stage, changes.frozen, changes.hidden, changes.changed_by,
  changes.recorded_at, entries.index as log_index, words.text as reason, changes.reason_hash
from public.goal_changes as changes
left join private.ledger_entries as entries on entries.kind = 'goal' and entries.row_id = changes.id
left join private.log_texts as words on words.hash = changes.reason_hash;

create or replace view private.goal_sums as
select
  goals.id, sums.received_usd::numeric(20, 2) as received_usd, sums.verified_count::bigint as verified_count,
  sums.pending_count::bigint as pending_count, sums.unvalued_count::bigint as unvalued_count
from public.goals
cross join lateral (
  select
    coalesce(sum(usd) filter (where status = 'verified'), 0) as received_usd,
    coalesce(sum(row_count) filter (where status = 'verified'), 0) as verified_count,
    coalesce(sum(row_count) filter (where status in ('pending', 'unreachable')), 0) as pending_count,
    coalesce(sum(row_count - valued_count) filter (where status = 'verified'), 0) as unvalued_count
  from (
    select status, row_count, valued_count, sum_usd as usd from private.sums_by_month
    where type = 'goal-gift' and account = goals.slug
    union all
    select statuses.status, 1, (facts.amount_usd is not null)::integer, facts.amount_usd from public.transactions as facts
    join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
    where facts.to_address = goals.wallet and facts.type = 'dream'
  ) as units
) as sums
where goals.opened_at is not null;

create or replace view public.published_updates with (security_invoker = false) as
select
  updates.id, updates.pool_slug, updates.number, updates.revision, updates.published_at, words.text as text,
  links.text as links, updates.helping, source.text as helping_source, updates.text_hash, updates.links_hash,
  updates.helping_source_hash, updates.recorded_at, entries.index as log_index
from public.pool_updates as updates
left join private.ledger_entries as entries on entries.kind = 'update' and entries.row_id = updates.id
left join private.log_texts as words on words.hash = updates.text_hash
left join private.log_texts as links on links.hash = updates.links_hash
left join private.log_texts as source on source.hash = updates.helping_source_hash
where not exists (
  select from public.pool_updates as later
  where later.pool_slug = updates.pool_slug and later.number = updates.number and later.revision = updates.revision + 1
) and not exists (select from public.goals where slug = updates.pool_slug and hidden);

create view private.counting_votes as
select votes.*
from public.votes join private.vote_subjects as subjects on subjects.slug = votes.slug and subjects.counts
where not exists (select from public.vote_voids where vote_voids.vote = votes.id)
  and not exists (select from public.vote_results where vote_results.vote = votes.id);

create or replace function private.is_counting(vote bigint) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.counting_votes where id = is_counting.vote)
$$;

create or replace function public.vote_work(most integer) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.fundme_ballots where reason is not null and refused_at < now() - interval '7 days';
  return jsonb_build_object(
    'waits', (select coalesce(jsonb_agg(slug order by slug), '[]') from private.vote_waits),
    'undrawn', (
      select coalesce(jsonb_agg(subjects.slug order by subjects.ends_at, subjects.slug), '[]')
      from private.vote_subjects as subjects
      where subjects.is_open and subjects.ends_at > now() and not exists (
        select from public.vote_draws as draws left join public.votes on votes.draw = draws.id
        left join public.vote_voids as voids on voids.vote = votes.id
        where draws.slug = subjects.slug and voids.id is null
      )
    ),
    'draws', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', draws.id, 'goal', draws.slug, 'chain_id', draws.chain_id, 'start_block', draws.start_block,
        'seed_block', draws.seed_block
      ) order by draws.id), '[]')
      from public.vote_draws as draws join private.vote_subjects as subjects on subjects.slug = draws.slug
      where subjects.is_open and subjects.ends_at > now()
        and not exists (select from public.votes where votes.draw = draws.id)
    ),
    'open', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', votes.id, 'goal', votes.slug, 'leaf', encode(entries.leaf, 'hex'), 'chain_id', draws.chain_id,
        'token', votes.token,
        'seed_block', draws.seed_block, 'seed_hash', votes.seed_hash, 'block_number', votes.block_number,
        'block_hash', votes.block_hash, 'opened_at', votes.recorded_at
      ) order by votes.id), '[]')
      from private.counting_votes as votes
      join public.vote_draws as draws on draws.id = votes.draw
      join private.ledger_entries as entries on entries.kind = 'vote' and entries.row_id = votes.id
    ),
    'ballots', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', due.id, 'vote', due.vote, 'wallet', due.wallet, 'choice', due.choice,
        'time', private.ballot_time(due.signed_at), 'signature', due.signature, 'arrived_at', due.arrived_at
      ) order by due.place, due.id), '[]')
      from (
        select waiting.*, row_number() over (order by waiting.turn, waiting.id) as place
        from (
          select *, row_number() over (partition by member order by tried_at nulls first, id) as turn
          from public.fundme_ballots where reason is null
        ) as waiting
        order by waiting.turn, waiting.id limit vote_work.most
      ) as due
    )
  );
end;
$$;

create or replace function public.finish_votes() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  over public.votes;
  many integer := 0;
begin
  if not exists (select from private.counting_votes where closes_at <= now()) then
    return 0;
  end if;
  perform private.lock_log('ledger');
  for over in
    select * from public.votes
    where closes_at <= now() and id in (select id from private.counting_votes) order by id for update
  loop
    if exists (select from public.fundme_ballots where vote = over.id and reason is null) then
      continue;
    end if;
    insert into public.vote_results (vote, ballots, support, support_wallets, against, against_wallets, won, shares)
    select
      over.id, sums.ballots, standings.support, standings.support_wallets, standings.against, standings.against_wallets,
      standings.support >= over.quorum and standings.support > standings.against,
      private.shares_of(parts.sums, standings.support, subjects.most)
    from private.vote_sums as sums
    cross join lateral (
      select
        coalesce(sum(weight) filter (where choice <> 'against'), 0) as support,
        count(*) filter (where choice <> 'against') as support_wallets,
        coalesce(sum(weight) filter (where choice = 'against'), 0) as against,
        count(*) filter (where choice = 'against') as against_wallets
      from private.vote_standings where vote_standings.vote = over.id
    ) as standings
    cross join lateral (
      select array_agg(one.sum order by one.place) as sums from (
        select named.place, sum(weight * named.percentage) as sum
        from private.vote_standings
        cross join unnest(private.percentages_of(choice)) with ordinality as named (percentage, place)
        where vote_standings.vote = over.id group by named.place
      ) as one
    ) as parts
    join private.vote_subjects as subjects on subjects.slug = over.slug
    where sums.vote = over.id;
    many := many + 1;
  end loop;
  return many;
end;
$$;

create or replace view public.published_votes with (security_invoker = false) as
select
  draws.slug as goal, draws.attempt::bigint as attempt, draws.chain_id::bigint as chain_id,
  draws.start_block::bigint as start_block, draws.seed_block::bigint as seed_block, draws.recorded_at as drawn_at,
  votes.id, encode(entries.leaf, 'hex') as leaf, entries.index as log_index, votes.token::text as token,
  votes.decimals::integer as decimals, votes.block_number::bigint as block_number, votes.block_hash::text as block_hash,
  votes.supply::text as supply, votes.excluded, votes.eligible::text as eligible,
  trim_scale(votes.quorum_percent)::text as quorum_percent, votes.quorum::text as quorum,
  votes.least_weight::text as least_weight, votes.closes_at, votes.recorded_at as opened_at,
  sums.ballots::bigint as ballots, sums.support::text as support, sums.support_wallets::bigint as support_wallets,
  sums.against::text as against, sums.against_wallets::bigint as against_wallets,
  (
    select coalesce(sum(weight), 0)::text from (
      select weight from private.vote_standings where vote = votes.id order by weight desc limit 10
    ) as largest
  ) as largest,
  waiting.count as waiting_count, waiting.since as waiting_since,
  results.won, results.recorded_at as decided_at, result_entries.index as result_index, paid.id as paid_by,
  case when results.won and not goals.frozen and goals.stage <> 'annulled' then goals.wallet::text end as wallet,
  to_jsonb(subjects.least) as least, to_jsonb(subjects.most) as most,
  to_jsonb(sums.shares) as shares
from public.vote_draws as draws
join private.vote_subjects as subjects on subjects.slug = draws.slug
left join public.goals on goals.slug = draws.slug
left join public.votes on votes.draw = draws.id and not exists (
  select from public.vote_voids where vote_voids.vote = votes.id
)
left join private.ledger_entries as entries on entries.kind = 'vote' and entries.row_id = votes.id
left join private.vote_sums as sums on sums.vote = votes.id
left join public.vote_results as results on results.vote = votes.id
left join private.ledger_entries as result_entries on result_entries.kind = 'result' and result_entries.row_id = results.id
left join lateral (
  select count(*) as count, min(arrived_at) as since from public.fundme_ballots
  where fundme_ballots.vote = votes.id and reason is null
) as waiting on true
left join lateral (
  select facts.id
  from public.transactions as facts
  join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
  where facts.to_address = goals.wallet and facts.type = 'dream' and results.won and facts.occurred_at >= results.recorded_at
    and statuses.status in ('verified', 'pending', 'unreachable')
  order by facts.occurred_at, facts.id limit 1
) as paid on true
where not exists (
  select from public.vote_draws as later where later.slug = draws.slug and later.attempt = draws.attempt + 1
);

create or replace view public.published_ballots with (security_invoker = false) as
select
  ballots.id, ballots.vote, votes.slug as goal, ballots.number::bigint as number, ballots.wallet::text as wallet,
  ballots.choice, ballots.signed_at, ballots.signature, ballots.weight::text as weight,
  ballots.recorded_at, entries.index as log_index, entries.entry, standings.ballot is not null as counts
from public.vote_ballots as ballots
join public.votes on votes.id = ballots.vote
left join private.ledger_entries as entries on entries.kind = 'ballot' and entries.row_id = ballots.id
left join private.vote_standings as standings
  on standings.vote = ballots.vote and standings.wallet = ballots.wallet and standings.ballot = ballots.id;

create or replace view public.published_orders with (security_invoker = false) as
select
  orders.id, orders.state, orders.revision::integer as revision, orders.account, orders.recipient,
  orders.recipient_account, named.name as recipient_name, orders.chain_id, orders.from_address::text as from_address,
  orders.to_address::text as to_address, orders.token_address::text as token_address, orders.token_symbol,
  orders.token_decimals, orders.token_amount::text as token_amount, orders.type, orders.pool_slug, orders.purpose_hash,
  purpose.text as purpose, orders.statement, orders.announced_at, orders.due_at, orders.expires_at,
  approval.number as approval, approval.by as approved_by, approval.second as approved_second,
  stop.by as stopped_by, reason.text as stop_reason, newest.recorded_at as moved_at, entries.index as log_index,
  orders.tx_hash::text as tx_hash, orders.ordinal, paying.id as transaction_id, paying.occurred_at as paid_at,
  made.standing, made.occasion
from public.orders
join public.order_changes as newest on newest.number = orders.id and newest.revision = orders.revision
join public.order_changes as first on first.number = orders.id and first.revision = 0
left join public.standing_payments as made on made.order_id = orders.id
left join public.standing_changes as rule on rule.number = made.standing and rule.revision = 0
left join public.standing_changes as suspended on suspended.number = made.standing and suspended.revision = 1
left join private.ledger_entries as entries on entries.kind = 'order' and entries.row_id = newest.id
left join public.operator_acts as approval
  on approval.made_kind = case when made.id is null then 'order' else 'standing-order' end
  and approval.made_id = coalesce(rule.id, first.id)
left join public.operator_acts as own_stop
  on orders.state = 'stopped' and own_stop.made_kind = 'order' and own_stop.made_id = newest.id
left join public.operator_acts as suspension
  on orders.state = 'stopped' and suspension.made_kind = 'standing-order' and suspension.made_id = suspended.id
left join public.operator_acts as stop on stop.id = coalesce(own_stop.id, suspension.id)
left join private.log_texts as reason on reason.hash = stop.reason_hash
left join private.log_texts as purpose on purpose.hash = orders.purpose_hash
left join private.current_names as named on orders.recipient = 'named' and named.address = orders.to_address
left join lateral (
  select id, occurred_at from public.transactions
  where transactions.chain_id = orders.chain_id and transactions.tx_hash = orders.tx_hash
    and transactions.ordinal = orders.ordinal
  order by transactions.revision desc limit 1
) as paying on true;

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
left join private.ledger_entries as entries on entries.kind = 'standing-order' and entries.row_id = newest.id
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

create or replace view public.pool_totals with (security_invoker = false) as
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

create or replace function private.move_follower() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.follow_requests where address = lower(old.email);
  update private.followers set address = lower(new.email) where address = lower(old.email);
  return null;
-- A follower has the new address, or no mail can be sent to it.
exception when unique_violation or check_violation then
  delete from private.follow_requests where address = lower(old.email);
  delete from private.followers where address = lower(old.email);
  return null;
end;
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
          'month', fact.source, 'received_usd', money.received::text, 'paid_usd', money.paid::text,
          'left_usd', money.held::text, 'disputed_count', rows.disputed, 'pending_count', rows.pending,
          'unvalued_count', rows.unvalued, 'compared_wallets', wallets.compared, 'different_wallets', wallets.different,
          'unknown_wallets', wallets.unknown
        )
        from (
          select
            coalesce(sum(received_usd) filter (where month = month_begin), 0) as received,
            coalesce(sum(paid_usd) filter (where month = month_begin), 0) as paid,
            coalesce(sum(received_usd - paid_usd), 0) as held
          from public.ledger_months where month <= month_begin
        ) as money, (
          select
            coalesce(sum(row_count) filter (where status in ('mismatch', 'reorganised')), 0) as disputed,
            coalesce(sum(row_count) filter (where status in ('pending', 'unreachable')), 0) as pending,
            coalesce(sum(row_count - valued_count) filter (where status = 'verified'), 0) as unvalued
          from private.sums_by_month where month = month_begin
        ) as rows, (
          select
            count(distinct wallet) as compared,
            count(distinct wallet) filter (where difference::numeric <> 0 or jsonb_array_length(unlisted) > 0) as different,
            count(distinct wallet) filter (where difference is null or block_time < month_end) as unknown
          from public.published_reconciliations
        ) as wallets
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

create or replace function private.record_mails(results jsonb) returns void
language plpgsql set search_path = '' as $$
declare
  mail private.mails;
  result record;
begin
  for result in
    select found.id, found.outcome, found.reason
    from jsonb_to_recordset(results) as found (id bigint, outcome text, reason text)
  loop
    select * into mail from private.mails where mails.id = result.id and mails.state = 'waiting' for update;
    continue when mail.id is null;
    case result.outcome
      when 'sent' then
        update private.mails set state = 'sent' where mails.id = mail.id;
        update private.follow_requests as request set token = null where request.id = mail.request_id;
        update private.mail_state set sent = sent + 1 where is_only_row;
      when 'again' then
        update private.mails
        set due_at = now() + least(interval '1 hour', interval '1 minute' * power(2, least(mail.attempts, 10) - 1))
        where mails.id = mail.id;
      when 'paused' then
        update private.mails
        set due_at = now(), attempts = mails.attempts - 1,
          begun_at = case when mails.attempts > 1 then mails.begun_at end
        where mails.id = mail.id;
        update private.mail_state
        set paused_until = now() + interval '15 minutes', pause_reason = left(coalesce(result.reason, 'refused'), 200)
        where is_only_row;
      when 'refused' then
        update private.mail_state set failed = failed + 1 where is_only_row;
        update private.mails set state = 'failed' where mails.id = mail.id;
        perform public.stop_address(coalesce(
          (select address from private.followers where id = mail.follower_id),
          (select address from private.follow_requests where id = mail.request_id), private.address_of(mail.member)
        ), 'refused');
    end case;
  end loop;
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

create or replace view public.published_acts with (security_invoker = false) as
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

comment on column public.transactions.proof_hash is null;
comment on column public.transactions.note_hash is null;
comment on column public.published_transactions.log_index is null;
comment on column public.token_rates.priced_at is null;
comment on column public.token_rates.asked_at is null;
comment on column public.published_transactions.checked_at is null;
comment on column public.published_transactions.unreachable_at is null;
comment on column public.published_goals.report_number is null;
comment on column public.published_updates.links is null;
comment on column public.ledger_totals.dreams_funded_usd is null;
comment on column public.ledger_totals.moved_usd is null;
comment on column public.ledger_totals.paid_usd is null;
comment on column public.ledger_status.leaf is null;
comment on column public.ledger_status.unread_count is null;
comment on column public.published_records.counter_name_hash is null;
comment on column private.log_cosignatures.witness is null;
comment on column public.pool_totals.last_donation_at is null;
comment on column public.ledger_totals.as_of is null;
comment on column public.ledger_status.scanned_at is null;

drop function private.leaves_one;

reset check_function_bodies;
