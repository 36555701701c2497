-- Votes on the split of the fees: the second subject of votes. Two operators open one, with the limits of each share.
-- A ballot names six whole percentages; the result is their mean, weighted by balances.

-- SQL functions of this file name views that are created later.
set check_function_bodies = off;

-- Tables ----------------------------------------------------------------------------------------------------

-- Six whole percentages that add up to 100, as a ballot spells them: '40 20 10 10 10 10'.
create function private.percentages_of(words text) returns smallint[]
language sql immutable set search_path = '' as $$
  select case when words ~ '^(0|[1-9]\d?|100)( (0|[1-9]\d?|100)){5}$' then string_to_array(words, ' ')::smallint[] end
$$;

create function private.sum_of(parts smallint[]) returns bigint
language sql immutable set search_path = '' as $$
  select sum(part) from unnest(parts) as part
$$;

-- Whether percentages add up to 100 and each of them is within its limits.
create function private.is_split(parts smallint[], lowest smallint[], highest smallint[]) returns boolean
language sql immutable set search_path = '' as $$
  select parts is not null and private.sum_of(parts) = 100 and not exists (
    select from unnest(parts, lowest, highest) as one (part, low, high) where part not between low and high
  )
$$;

create table public.split_votes (
  id private.safe_integer primary key,
  slug text generated always as ('split-' || id::text) stored unique,
  least smallint[] not null
    constraint split_votes_least_range check (cardinality(least) = 6 and 0 <= all (least) and private.sum_of(least) <= 100),
  most smallint[] not null
    constraint split_votes_most_range check (cardinality(most) = 6 and 100 >= all (most) and private.sum_of(most) >= 100),
  ends_at private.moment not null,
  recorded_at private.moment not null default now()
);
comment on table public.split_votes is
  'The votes on the split of the fees that two operators opened. Each is an entry `split-vote`. app/votes/split.ts names the six shares.';
comment on column public.split_votes.least is 'The least percentage of each share that a ballot may name.';
alter table public.split_votes enable row level security;
create trigger append_only before update or delete or truncate on public.split_votes
  for each statement execute function private.refuse_change();

-- A vote is about a goal or about the split. private.vote_subjects has both, and append_draw draws only for these.
alter table public.vote_draws drop constraint vote_draws_slug_fkey;
alter table public.votes drop constraint votes_slug_fkey;
alter table private.vote_waits drop constraint vote_waits_slug_fkey;
comment on column public.vote_draws.slug is 'The slug of a goal or of a split vote (private.vote_subjects).';

alter table public.vote_ballots drop constraint vote_ballots_choice_known;
alter table public.vote_ballots add constraint vote_ballots_choice_known
  check (choice in ('support', 'against') or choice ~ '^\d{1,3}( \d{1,3}){5}$');
alter table public.fundme_ballots drop constraint fundme_ballots_choice_known;
alter table public.fundme_ballots add constraint fundme_ballots_choice_known
  check (choice in ('support', 'against') or choice ~ '^\d{1,3}( \d{1,3}){5}$');

alter table private.vote_sums add column parts numeric[], add column shares smallint[];
comment on column private.vote_sums.parts is
  'In a vote on the split: for each share the sum of weight times percentage. support is then the weight of all ballots.';
alter table public.vote_results add column shares smallint[]
  constraint vote_results_shares_whole check (cardinality(shares) = 6 and private.sum_of(shares) = 1000);
comment on column public.vote_results.shares is
  'In a vote on the split: the result in thousandths; null without a ballot. support is the weight of all ballots, won whether the result is valid.';

-- What is voted on: its slug, its first entry, its end, whether a vote may be drawn, and whether ballots count.
create view private.vote_subjects as
select
  goals.slug, 'goal' as kind, changes.id as row_id, goals.ends_at, goals.stage = 'open' as is_open,
  goals.stage <> 'annulled' as counts, null::smallint[] as least, null::smallint[] as most
from public.goals
join public.goal_changes as changes on changes.slug = goals.slug and changes.revision = 0
union all
select slug, 'split-vote', id, ends_at, true, true, least, most from public.split_votes;
comment on view private.vote_subjects is 'What token holders vote on: goals that were approved, and votes on the split.';

-- Entries ---------------------------------------------------------------------------------------------------

create function private.log_split_vote() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.append_to_log('ledger', 'split-vote', array[new.id::bigint], array[(
    select row_to_json(line)::text from (
      select
        'split-vote' as kind, new.id, private.entry_time(new.recorded_at) as recorded_at, new.slug as goal, new.least, new.most,
        private.entry_time(new.ends_at) as ends_at
    ) as line
  )]);
  return null;
end;
$$;
create trigger log_rows after insert on public.split_votes
  for each row execute function private.log_split_vote();

create or replace function private.log_result() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  about public.votes;
begin
  select * into about from public.votes where id = new.vote;
  if exists (select from public.split_votes where slug = about.slug) then
    perform private.append_to_log('ledger', 'split-result', array[new.id::bigint], array[(
      select row_to_json(line)::text from (
        select
          'split-result' as kind, new.id, private.entry_time(new.recorded_at) as recorded_at, about.slug as goal,
          new.ballots::bigint as ballots, new.support::text as weight, new.support_wallets::bigint as wallets,
          about.eligible::text as eligible, about.quorum::text as quorum, new.shares, new.won as valid
      ) as line
    )]);
    return null;
  end if;
  perform private.append_to_log('ledger', 'result', array[new.id::bigint], array[(
    select row_to_json(line)::text from (
      select
        'result' as kind, new.id, private.entry_time(new.recorded_at) as recorded_at, about.slug as goal,
        new.ballots::bigint as ballots, new.support::text as support, new.support_wallets::bigint as support_wallets,
        new.against::text as against, new.against_wallets::bigint as against_wallets, about.eligible::text as eligible,
        about.quorum::text as quorum, new.won
    ) as line
  )]);
  return null;
end;
$$;

-- Calculations ----------------------------------------------------------------------------------------------

-- The sums of a split with one ballot more (`times` 1) or less (-1).
create function private.add_ballot(parts numeric[], choice text, weight numeric, times integer) returns numeric[]
language sql immutable set search_path = '' as $$
  select array_agg(coalesce(part, 0) + times * weight * percentage order by place)
  from unnest(coalesce(parts, '{}'), private.percentages_of(choice)) with ordinality as one (part, percentage, place)
$$;

-- The result in thousandths: each share is its mean, rounded down; what is left goes to the share with the largest sum,
-- as far as its limit allows, then to the next one. Null without weight. app/votes/tally.ts has the same calculation.
create function private.shares_of(parts numeric[], weight numeric, highest smallint[]) returns smallint[]
language plpgsql immutable set search_path = '' as $$
declare
  shares integer[];
  place integer;
  added integer;
begin
  if weight = 0 or parts is null then
    return null;
  end if;
  select array_agg(div(part * 10, weight)::integer order by at) into shares
  from unnest(parts) with ordinality as one (part, at);
  for place in select at from unnest(parts) with ordinality as one (part, at) order by part desc, at loop
    added := least(1000 - (select sum(share) from unnest(shares) as share), highest[place] * 10 - shares[place]);
    shares[place] := shares[place] + added;
  end loop;
  return shares::smallint[];
end;
$$;

-- The split in thousandths that holds in a month: that of the newest valid vote of an earlier month; null without one.
create function private.valid_split(month date) returns smallint[]
language sql stable security definer set search_path = '' as $$
  select results.shares from public.vote_results as results
  join public.votes on votes.id = results.vote
  where results.won and results.shares is not null
    and results.recorded_at < date_trunc('month', valid_split.month::timestamp) at time zone 'UTC'
  order by results.id desc limit 1
$$;

create or replace function private.is_counting(vote bigint) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.votes join private.vote_subjects as subjects on subjects.slug = votes.slug and subjects.counts
    where votes.id = is_counting.vote
      and not exists (select from public.vote_voids where vote_voids.vote = votes.id)
      and not exists (select from public.vote_results where vote_results.vote = votes.id)
  )
$$;

-- As before, and: the choice is one that the vote asks for.
create or replace function private.limit_ballots() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  of_ballot public.votes;
  subject private.vote_subjects;
begin
  perform pg_advisory_xact_lock(hashtextextended('ballots ' || new.member, 0));
  select * into of_ballot from public.votes where id = new.vote for share;
  select * into subject from private.vote_subjects where slug = of_ballot.slug;
  if of_ballot.closes_at <= clock_timestamp() or not private.is_counting(new.vote) then
    raise exception 'ballot_closed' using errcode = 'check_violation';
  elsif not (case subject.kind
    when 'goal' then new.choice in ('support', 'against')
    else private.is_split(private.percentages_of(new.choice), subject.least, subject.most)
  end) then
    raise exception 'ballot_choice' using errcode = 'check_violation';
  elsif new.signed_at > clock_timestamp() + interval '2 minutes'
    or new.signed_at < date_trunc('second', of_ballot.recorded_at) then
    raise exception 'ballot_time' using errcode = 'check_violation';
  elsif (
    select count(*) from public.fundme_ballots
    where member = new.member and vote = new.vote and reason is null
  ) > 20 then
    raise exception 'ballot_many' using errcode = 'check_violation';
  end if;
  return null;
end;
$$;

-- What operators may call -----------------------------------------------------------------------------------

create function private.perform_split_vote(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  given constant jsonb := act.arguments;
  lowest constant smallint[] := private.percentages_of(given ->> 'least');
  highest constant smallint[] := private.percentages_of(given ->> 'most');
  made public.split_votes;
begin
  if act."by" is null then
    perform private.refuse_act('operators_only');
  end if;
  perform private.check_words('days', given ->> 'days', 1, 12);
  perform private.check_pattern('days', given ->> 'days', '^([7-9]|1[0-4])$');
  perform private.check_words('least', given ->> 'least', 1, 100);
  perform private.check_words('most', given ->> 'most', 1, 100);
  if lowest is null or private.sum_of(lowest) > 100 then
    perform private.refuse_field('least', 'format');
  elsif highest is null or private.sum_of(highest) < 100
    or exists (select from unnest(lowest, highest) as one (low, high) where low > high) then
    perform private.refuse_field('most', 'format');
  elsif exists (select from public.split_votes where recorded_at > now() - interval '30 days') then
    perform private.refuse_act('split_recent');
  end if;
  -- 1, 2, 3 and so on: a trial of the act, which is rolled back, uses no number.
  insert into public.split_votes (id, least, most, ends_at)
  values (
    1 + (select count(*) from public.split_votes), lowest, highest, now() + make_interval(days => (given ->> 'days')::integer)
  )
  returning * into made;
  return jsonb_build_object('subject', made.slug, 'made_kind', 'split-vote', 'made_id', made.id);
end;
$$;

insert into private.act_kinds (kind, people, subject, performer, fields) values
  ('split-vote', 2, 'none', 'perform_split_vote', '{days,least,most}');

-- What the job may call -------------------------------------------------------------------------------------

-- As before, and: for votes on the split.
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
      from public.votes
      join public.vote_draws as draws on draws.id = votes.draw
      join private.log_entries as entries
        on entries.log = 'ledger' and entries.kind = 'vote' and entries.row_id = votes.id
      where private.is_counting(votes.id)
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

create or replace function public.append_draw(goal text, chain bigint, start_block bigint, seed_block bigint) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform private.lock_log('ledger');
  if not exists (
    select from private.vote_subjects where slug = append_draw.goal and is_open and ends_at > now()
  ) or exists (
    select from public.vote_draws as draws left join public.votes on votes.draw = draws.id
    left join public.vote_voids as voids on voids.vote = votes.id
    where draws.slug = append_draw.goal and voids.id is null
  ) then
    return false;
  end if;
  insert into public.vote_draws (slug, attempt, chain_id, start_block, seed_block)
  values (
    append_draw.goal, 1 + (select count(*) from public.vote_draws as former where former.slug = append_draw.goal),
    append_draw.chain, append_draw.start_block, append_draw.seed_block
  );
  delete from private.vote_waits where slug = append_draw.goal;
  return true;
end;
$$;

create or replace function public.open_vote(draw bigint, facts jsonb) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  drawn public.vote_draws;
  closing timestamptz;
  supply constant numeric := (facts ->> 'supply')::numeric;
  percent constant numeric := (facts ->> 'quorum_percent')::numeric;
  eligible constant numeric := supply - (
    select coalesce(sum((item ->> 'balance')::numeric), 0) from jsonb_array_elements(facts -> 'excluded') as item
  );
  opened bigint;
begin
  perform private.lock_log('ledger');
  select * into drawn from public.vote_draws where id = open_vote.draw;
  select subjects.ends_at into closing from private.vote_subjects as subjects
  where subjects.slug = drawn.slug and subjects.is_open and subjects.ends_at > now();
  if closing is null or exists (select from public.votes where votes.draw = open_vote.draw) then
    return false;
  end if;
  insert into public.votes (
    draw, slug, goal_leaf, token, decimals, seed_hash, block_number, block_hash, supply, excluded, eligible,
    quorum_percent, quorum, least_weight, closes_at
  )
  select
    drawn.id, drawn.slug, encode(entries.leaf, 'hex'), facts ->> 'token', (facts ->> 'decimals')::smallint,
    facts ->> 'seed_hash', (facts ->> 'block_number')::bigint, facts ->> 'block_hash', supply, facts -> 'excluded',
    eligible, percent, div(eligible * (percent * 100) + 9999, 10000), div(eligible, 1000000), closing
  from private.vote_subjects as subjects
  join private.log_entries as entries
    on entries.log = 'ledger' and entries.kind = subjects.kind and entries.row_id = subjects.row_id
  where subjects.slug = drawn.slug
  returning id into strict opened;
  insert into private.vote_sums (vote) values (opened);
  delete from private.vote_waits where slug = drawn.slug;
  return true;
end;
$$;

-- As before, and: the sums of a split.
create or replace function public.count_ballots(results jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  given record;
  waiting public.fundme_ballots;
  counted_for public.votes;
  standing private.vote_standings;
  fault text;
  made bigint[] := '{}';
  number_of bigint;
  ballot bigint;
  counted integer := 0;
  refused integer := 0;
begin
  perform private.lock_log('ledger');
  for given in
    select * from jsonb_to_recordset(results) as one (id bigint, weight numeric, digest text, reason text) order by id
  loop
    select * into waiting from public.fundme_ballots where fundme_ballots.id = given.id for update;
    if waiting.id is null or waiting.reason is not null then
      continue;
    end if;
    select * into counted_for from public.votes where votes.id = waiting.vote;
    fault := case
      when not private.is_counting(waiting.vote) then 'closed'
      when given.reason is not null then given.reason
      when given.weight is null then null
      when counted_for.excluded @> jsonb_build_array(jsonb_build_object('address', waiting.wallet)) then 'excluded'
      when given.weight = 0 then 'nothing'
      when given.weight < counted_for.least_weight then 'light'
    end;
    if fault is not null then
      update public.fundme_ballots set reason = fault, refused_at = now() where fundme_ballots.id = waiting.id;
      refused := refused + 1;
      continue;
    elsif given.weight is null then
      update public.fundme_ballots set tried_at = now() where fundme_ballots.id = waiting.id;
      continue;
    end if;
    delete from public.fundme_ballots where fundme_ballots.id = waiting.id;
    if exists (
      select from public.vote_ballots as known
      where known.vote = waiting.vote and known.wallet = waiting.wallet and known.signed_at = waiting.signed_at
        and known.choice = waiting.choice
    ) then
      continue;
    end if;
    update private.vote_sums set ballots = ballots + 1 where vote_sums.vote = waiting.vote
    returning ballots into strict number_of;
    insert into public.vote_ballots (vote, number, wallet, choice, signed_at, signature, weight)
    values (
      waiting.vote, number_of, waiting.wallet, waiting.choice, waiting.signed_at, waiting.signature, given.weight
    )
    returning id into ballot;
    counted := counted + 1;
    select * into standing from private.vote_standings as former
    where former.vote = waiting.vote and former.wallet = waiting.wallet;
    if standing.vote is null or waiting.signed_at > standing.signed_at
      or (waiting.signed_at = standing.signed_at and given.digest < standing.digest) then
      insert into private.vote_standings as former (vote, wallet, ballot, choice, signed_at, digest, weight)
      values (
        waiting.vote, waiting.wallet, ballot, waiting.choice, waiting.signed_at, given.digest, given.weight
      )
      on conflict on constraint vote_standings_pkey do update set
        ballot = excluded.ballot, choice = excluded.choice, signed_at = excluded.signed_at, digest = excluded.digest,
        weight = excluded.weight;
      update private.vote_sums set
        support = support + case when waiting.choice <> 'against' then given.weight else 0 end
          - case when standing.choice <> 'against' then standing.weight else 0 end,
        against = against + case when waiting.choice = 'against' then given.weight else 0 end
          - case when standing.choice = 'against' then standing.weight else 0 end,
        support_wallets = support_wallets + (waiting.choice <> 'against')::integer
          - coalesce(standing.choice <> 'against', false)::integer,
        against_wallets = against_wallets + (waiting.choice = 'against')::integer
          - (standing.choice is not distinct from 'against')::integer,
        parts = case when waiting.choice not in ('support', 'against') then private.add_ballot(
          case when standing.vote is null then parts
            else private.add_ballot(parts, standing.choice, standing.weight, -1) end,
          waiting.choice, given.weight, 1
        ) end
      where vote_sums.vote = waiting.vote;
      update private.vote_sums as sums set shares = private.shares_of(sums.parts, sums.support, splits.most)
      from public.split_votes as splits
      where sums.vote = waiting.vote and splits.slug = counted_for.slug;
    end if;
  end loop;
  return jsonb_build_object('counted', counted, 'refused', refused);
end;
$$;

-- As before, and: the result of a split, which is valid with the quorum.
create or replace function public.finish_votes() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  over public.votes;
  many integer := 0;
begin
  if not exists (
    select from public.votes where closes_at <= now() and private.is_counting(id)
  ) then
    return 0;
  end if;
  perform private.lock_log('ledger');
  for over in select * from public.votes where closes_at <= now() and private.is_counting(id) order by id for update loop
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

-- What everyone reads ---------------------------------------------------------------------------------------

-- As before, and: votes on the split.
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
left join private.log_entries as entries
  on entries.log = 'ledger' and entries.kind = 'vote' and entries.row_id = votes.id
left join private.vote_sums as sums on sums.vote = votes.id
left join public.vote_results as results on results.vote = votes.id
left join private.log_entries as result_entries
  on result_entries.log = 'ledger' and result_entries.kind = 'result' and result_entries.row_id = results.id
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
comment on column public.published_votes.shares is 'In a vote on the split: the mean so far or the result, in thousandths.';

create or replace view public.published_vote_entries with (security_invoker = false) as
select made.goal, made.vote, entries.index as log_index, entries.kind, entries.entry
from (
  select slug as goal, null::bigint as vote, 'goal' as kind, id from public.goal_changes where revision = 0
  union all
  select slug, null, 'split-vote', id from public.split_votes
  union all
  select slug, null, 'draw', id from public.vote_draws
  union all
  select slug, id, 'vote', id from public.votes
  union all
  select votes.slug, votes.id, 'void', voids.id from public.vote_voids as voids join public.votes on votes.id = voids.vote
  union all
  select votes.slug, votes.id, case when splits.id is null then 'result' else 'split-result' end, results.id
  from public.vote_results as results join public.votes on votes.id = results.vote
  left join public.split_votes as splits on splits.slug = votes.slug
) as made
join private.log_entries as entries on entries.log = 'ledger' and entries.kind = made.kind and entries.row_id = made.id;

create view public.published_splits with (security_invoker = false) as
select
  splits.slug, to_jsonb(splits.least) as least, to_jsonb(splits.most) as most, splits.ends_at,
  splits.recorded_at as opened_at,
  (select to_jsonb(results.shares) from public.vote_results as results join public.votes on votes.id = results.vote
   where votes.slug = splits.slug and results.won) as shares
from public.split_votes as splits;
comment on view public.published_splits is 'The votes on the split that two operators opened. Read the newest by opened_at.';
comment on column public.published_splits.shares is 'The result in thousandths, if it is valid.';

-- As before, and: votes on the split wait too; what an order to a winner needs, and whether there is one.
create or replace function public.votes_overview() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_operator() then
    return null;
  end if;
  return jsonb_build_object(
    'waits', private.queue_of((
      select jsonb_agg(jsonb_build_object(
        'goal', waits.slug, 'title', words.title, 'reason', waits.reason, 'since', waits.since
      ) order by waits.since, waits.slug)
      from (select * from private.vote_waits order by since, slug limit 101) as waits
      left join public.goals on goals.slug = waits.slug
      left join private.goal_words as words on words.id = goals.id
    )),
    'unpaid', private.queue_of((
      select jsonb_agg(jsonb_build_object(
        'goal', won.goal, 'title', words.title, 'decided_at', won.decided_at, 'target_usd', goals.target_usd,
        'received_usd', sums.received_usd, 'frozen', goals.frozen, 'wallet', goals.wallet,
        'ordered', exists (
          select from public.orders where recipient_account = goals.slug and orders.state in ('announced', 'sent')
        )
      ) order by won.decided_at, won.goal)
      from (
        select votes.goal, votes.decided_at from public.published_votes as votes
        join public.goals as open on open.slug = votes.goal and open.stage <> 'annulled'
        join private.goal_sums as received on received.id = open.id and received.received_usd < open.target_usd
        where votes.won and votes.paid_by is null order by votes.decided_at, votes.goal limit 101
      ) as won
      join public.goals on goals.slug = won.goal
      join private.goal_words as words on words.id = goals.id
      join private.goal_sums as sums on sums.id = goals.id
    ))
  );
end;
$$;

-- Grants ----------------------------------------------------------------------------------------------------

revoke all on public.split_votes, private.vote_subjects, public.published_splits
  from public, anon, authenticated, service_role;
grant select on public.split_votes to service_role;
grant select on public.published_splits to anon, authenticated, service_role;
revoke all on all sequences in schema public from anon, authenticated, service_role;
revoke all on function
  private.percentages_of, private.sum_of, private.is_split, private.log_split_vote, private.add_ballot, private.shares_of,
  private.valid_split, private.perform_split_vote
  from public, anon, authenticated, service_role;

reset check_function_bodies;
