-- Votes on goals and on the split of the fees. For each of them a block of the past is drawn; holders of the token sign ballots; the weight of a
-- ballot is the balance of its wallet at that block. draw, vote, void, ballot and result are entries of the log, from
-- which anyone can count again (public/ledger/format.md). The schedule writes them; a member can only hand in a ballot,
-- whose signature alone says whose it is.

-- Tables ----------------------------------------------------------------------------------------------------

-- Whole percentages, as a ballot spells them: '40 20 10 10 10 10'.
create function private.percentages_of(words text) returns smallint[]
language sql immutable set search_path = '' as $$
  select case when words ~ '^(0|[1-9]\d?|100)( (0|[1-9]\d?|100)){2,49}$' then string_to_array(words, ' ')::smallint[] end
$$;

create function private.sum_of(parts smallint[]) returns bigint
language sql immutable set search_path = '' as $$
  select sum(part) from unnest(parts) as part
$$;

-- Whether there is a percentage for each of the limits, within them, and they add up to 100.
create function private.is_split(parts smallint[], lowest smallint[], highest smallint[]) returns boolean
language sql immutable set search_path = '' as $$
  select parts is not null and cardinality(parts) = cardinality(lowest) and private.sum_of(parts) = 100 and not exists (
    select from unnest(parts, lowest, highest) as one (part, low, high) where part not between low and high
  )
$$;

create table public.split_votes (
  id private.safe_integer primary key,
  slug text generated always as ('split-' || id::text) stored unique,
  names text[] not null
    constraint split_votes_names_length check (cardinality(names) between 3 and 50),
  least smallint[] not null
    constraint split_votes_least_range check (cardinality(least) = cardinality(names) and 0 <= all (least) and private.sum_of(least) <= 100),
  most smallint[] not null
    constraint split_votes_most_range check (cardinality(most) = cardinality(names) and 100 >= all (most) and private.sum_of(most) >= 100),
  ends_at private.moment not null,
  recorded_at private.moment not null default now()
);
comment on table public.split_votes is
  'The votes on the split of the fees that two operators opened. Each is an entry `split-vote`.';
comment on column public.split_votes.names is 'The shares in their order: each pool, then ''donation-wallet'' (CZ Call), ''goals'' (winners of FundMe) and ''reserve''.';
comment on column public.split_votes.least is 'The least percentage of each share that a ballot may name.';

create table public.vote_draws (
  id bigint generated always as identity primary key,
  slug text not null,
  attempt private.safe_integer not null,
  chain_id private.safe_integer not null,
  start_block private.safe_integer not null,
  seed_block private.safe_integer not null,
  window_seconds private.safe_integer not null
    constraint vote_draws_window_range check (window_seconds >= 86400),
  token private.address not null,
  excluded text[] not null
    constraint vote_draws_excluded_length check (cardinality(excluded) between 3 and 300),
  quorum_percent numeric(5, 2) not null
    constraint vote_draws_quorum_percent_range check (quorum_percent > 0 and quorum_percent <= 100),
  recorded_at private.moment not null default now(),
  constraint vote_draws_key unique (slug, attempt),
  constraint vote_draws_room check (seed_block >= start_block + 2)
);
comment on table public.vote_draws is
  'The block whose hash chooses the block of a vote, and the other terms of the vote, stored before it exists. Each is an entry `draw`.';
comment on column public.vote_draws.slug is 'The slug of a goal or of a split vote (private.vote_subjects).';
comment on column public.vote_draws.attempt is 'From 1. A vote that is void is drawn again.';
comment on column public.vote_draws.window_seconds is 'The seconds from the oldest to the newest block that can be drawn, as the chain has them.';
comment on column public.vote_draws.excluded is 'The addresses whose tokens do not count, in order.';

create table public.votes (
  id bigint generated always as identity primary key,
  draw bigint not null unique references public.vote_draws (id),
  slug text not null,
  goal_leaf text not null
    constraint votes_goal_leaf_format check (goal_leaf ~ '^[0-9a-f]{64}$'),
  token private.address not null,
  decimals private.decimals not null,
  seed_hash private.hash32 not null,
  block_number private.safe_integer not null,
  block_hash private.hash32 not null,
  supply private.base_units not null,
  excluded jsonb not null
    constraint votes_excluded_list check (jsonb_typeof(excluded) = 'array' and octet_length(excluded::text) <= 40000),
  eligible private.base_units not null,
  quorum_percent numeric(5, 2) not null
    constraint votes_quorum_percent_range check (quorum_percent > 0 and quorum_percent <= 100),
  quorum private.base_units not null,
  least_weight private.base_units not null,
  closes_at private.moment not null,
  recorded_at private.moment not null default now()
);
comment on table public.votes is 'What decides a vote. Each is an entry `vote`, whose leaf hash is in each ballot.';
comment on column public.votes.goal_leaf is 'The leaf hash of the first entry of the goal, so that a ballot is for these texts.';
comment on column public.votes.excluded is '[{"address", "balance"}] in the order of the addresses.';
create index votes_of_goal on public.votes (slug, id desc);

create table public.vote_voids (
  id bigint generated always as identity primary key,
  draw bigint not null unique references public.vote_draws (id),
  block_number private.safe_integer not null,
  block_hash private.hash32 not null,
  recorded_at private.moment not null default now()
);
comment on table public.vote_voids is
  'Votes whose block or seed block has another hash now, and draws whose seed block is older than they are. Each is an entry `void`.';

create table public.vote_ballots (
  id bigint generated always as identity primary key,
  vote bigint not null references public.votes (id),
  number private.safe_integer not null,
  wallet private.address not null,
  choice text not null
    constraint vote_ballots_choice_known check (choice in ('support', 'against') or choice ~ '^\d{1,3}( \d{1,3}){2,49}$'),
  signed_at private.moment not null,
  signature text not null
    constraint vote_ballots_signature_format check (signature ~ '^0x[0-9a-f]{128}1[bc]$'),
  weight private.base_units not null,
  recorded_at private.moment not null default now(),
  constraint vote_ballots_number unique (vote, number),
  constraint vote_ballots_once unique (vote, wallet, signed_at, choice)
);
comment on table public.vote_ballots is 'Every ballot that was counted. Each is an entry `ballot`.';

create table public.vote_results (
  id bigint generated always as identity primary key,
  vote bigint not null unique references public.votes (id),
  ballots private.safe_integer not null,
  support private.base_units not null,
  support_wallets private.safe_integer not null,
  against private.base_units not null,
  against_wallets private.safe_integer not null,
  won boolean not null,
  recorded_at private.moment not null default now(),
  shares smallint[]
    constraint vote_results_shares_whole check (private.sum_of(shares) = 1000)
);
comment on table public.vote_results is 'How each vote ended. Each is an entry `result`, or `split-result`.';
comment on column public.vote_results.shares is
  'In a vote on the split: the result in thousandths; null without a ballot. support is the weight of all ballots, won whether the result is valid.';

create table private.vote_standings (
  vote bigint not null references public.votes (id),
  wallet private.address not null,
  ballot bigint not null references public.vote_ballots (id),
  choice text not null,
  signed_at private.moment not null,
  digest text not null,
  weight private.base_units not null,
  primary key (vote, wallet)
);
comment on table private.vote_standings is 'The ballot of each wallet that counts: the latest, of equal times the one with the smaller digest.';
create index vote_standings_by_weight on private.vote_standings (vote, weight desc);

create table private.vote_sums (
  vote bigint primary key references public.votes (id),
  ballots private.safe_integer not null default 0,
  support private.base_units not null default 0,
  support_wallets private.safe_integer not null default 0,
  against private.base_units not null default 0,
  against_wallets private.safe_integer not null default 0,
  parts numeric[],
  shares smallint[]
);
comment on table private.vote_sums is 'The sums of the standings of each vote, so that a page reads one row.';
comment on column private.vote_sums.parts is
  'In a vote on the split: for each share the sum of weight times percentage. support is then the weight of all ballots.';

create table private.vote_waits (
  slug text primary key,
  reason text not null
    constraint vote_waits_reason_length check (char_length(reason) between 1 and 300),
  since private.moment not null default now()
);
comment on table private.vote_waits is 'The goals whose vote the schedule could not draw, open or count at its last run, and why.';

create table public.fundme_ballots (
  id bigint generated always as identity primary key,
  member uuid not null references auth.users (id) on delete cascade,
  vote bigint not null references public.votes (id),
  wallet text not null
    constraint fundme_ballots_wallet_format check (wallet ~ '^0x[0-9a-f]{40}$'),
  choice text not null
    constraint fundme_ballots_choice_known check (choice in ('support', 'against') or choice ~ '^\d{1,3}( \d{1,3}){2,49}$'),
  signed_at timestamptz not null
    constraint fundme_ballots_signed_at_range check (signed_at >= '2015-01-01T00:00:00Z' and signed_at < '2100-01-01T00:00:00Z')
    constraint fundme_ballots_whole_second check (signed_at = date_trunc('second', signed_at)),
  signature text not null
    constraint fundme_ballots_signature_format check (signature ~ '^0x[0-9a-f]{128}1[bc]$'),
  arrived_at private.moment not null default clock_timestamp(),
  tried_at private.moment,
  refused_at private.moment,
  reason text
    constraint fundme_ballots_reason_known check (reason in ('signature', 'nothing', 'light', 'excluded', 'closed', 'many', 'weight')),
  constraint fundme_ballots_refused_whole check ((refused_at is null) = (reason is null))
);
comment on table public.fundme_ballots is
  'Ballots that wait to be counted, and those that were refused in the last week. A row proves nothing: the schedule verifies each signature.';
create index fundme_ballots_waiting on public.fundme_ballots (member, id) where reason is null;
create index fundme_ballots_of_vote on public.fundme_ballots (vote, id) where reason is null;
create index fundme_ballots_refused on public.fundme_ballots (refused_at) where reason is not null;
create index fundme_ballots_of_member on public.fundme_ballots (member, vote, id);

create policy "Members read the ballots that they handed in" on public.fundme_ballots
  for select to authenticated using (member = (select auth.uid()));

create policy "Members hand in ballots" on public.fundme_ballots
  for insert to authenticated with check (member = (select auth.uid()));

create policy "A second factor guards the ballots" on public.fundme_ballots
  as restrictive for all to authenticated using ((select private.is_assured()));

-- Triggers --------------------------------------------------------------------------------------------------

call private.refuse(
  'update or delete or truncate', 'public.split_votes', 'public.vote_draws', 'public.votes', 'public.vote_voids',
  'public.vote_ballots', 'public.vote_results'
);

create view private.entry_of_draw as
select
  'draw' as kind, id, private.entry_time(recorded_at) as recorded_at, private.rules() as rules,
  slug as goal, attempt::bigint, chain_id::bigint, start_block::bigint, seed_block::bigint,
  window_seconds::bigint, token::text as token_address, excluded, trim_scale(quorum_percent)::text as quorum_percent
from public.vote_draws;
create trigger log_rows after insert on public.vote_draws
  for each row execute function private.log_row('draw', 'id');

create view private.entry_of_vote as
select
  'vote' as kind, votes.id, private.entry_time(votes.recorded_at) as recorded_at, private.rules() as rules,
  votes.slug as goal, goal_leaf,
  draws.chain_id::bigint as chain_id, votes.token::text as token_address, decimals::integer as token_decimals,
  (select row_to_json(seed) from (select draws.seed_block::bigint as number, seed_hash::text as hash) as seed) as seed,
  (select row_to_json(block) from (select block_number::bigint as number, block_hash::text as hash) as block) as block,
  supply::text as supply, (
    select ('[' || coalesce(string_agg(row_to_json(one)::text, ',' order by one.address), '') || ']')::json
    from (
      select item ->> 'address' as address, item ->> 'balance' as balance from jsonb_array_elements(votes.excluded) as item
    ) as one
  ) as excluded,
  eligible::text as eligible, trim_scale(votes.quorum_percent)::text as quorum_percent, quorum::text as quorum,
  least_weight::text as least_weight, private.entry_time(closes_at) as closes_at
from public.votes join public.vote_draws as draws on draws.id = votes.draw;
create trigger log_rows after insert on public.votes
  for each row execute function private.log_row('vote', 'id');

create view private.entry_of_void as
select
  'void' as kind, voids.id, private.entry_time(voids.recorded_at) as recorded_at, private.rules() as rules,
  draws.slug as goal,
  (select row_to_json(block) from (select voids.block_number::bigint as number, voids.block_hash::text as hash) as block) as block
from public.vote_voids as voids join public.vote_draws as draws on draws.id = voids.draw;
create trigger log_rows after insert on public.vote_voids
  for each row execute function private.log_row('void', 'id');

-- The time as the text of the ballot has it.
create function private.ballot_time(at timestamptz) returns text
language sql stable set search_path = '' as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
$$;

create view private.entry_of_ballot as
select
  'ballot' as kind, ballots.id, private.entry_time(ballots.recorded_at) as recorded_at, private.rules() as rules,
  votes.slug as goal,
  number::bigint as number, wallet::text as wallet, choice, private.ballot_time(signed_at) as "time", signature,
  weight::text as weight
from public.vote_ballots as ballots join public.votes on votes.id = ballots.vote;
create trigger log_rows after insert on public.vote_ballots
  referencing new table as added for each statement execute function private.log_rows('ballot');

create view private.entry_of_result as
select
  'result' as kind, results.id, private.entry_time(results.recorded_at) as recorded_at, private.rules() as rules,
  votes.slug as goal,
  ballots::bigint as ballots, support::text as support, support_wallets::bigint as support_wallets,
  against::text as against, against_wallets::bigint as against_wallets, votes.eligible::text as eligible,
  votes.quorum::text as quorum, won
from public.vote_results as results join public.votes on votes.id = results.vote;

create view private.entry_of_split_result as
select
  'split-result' as kind, results.id, private.entry_time(results.recorded_at) as recorded_at, private.rules() as rules,
  votes.slug as goal,
  ballots::bigint as ballots, support::text as weight, support_wallets::bigint as wallets,
  votes.eligible::text as eligible, votes.quorum::text as quorum, shares, won as valid
from public.vote_results as results join public.votes on votes.id = results.vote;

create function private.log_result() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.append_entries('ledger', case when exists (
    select from public.split_votes join public.votes on votes.slug = split_votes.slug where votes.id = new.vote
  ) then 'split-result' else 'result' end, array[new.id]);
  return null;
end;
$$;
create trigger log_rows after insert on public.vote_results
  for each row execute function private.log_result();

-- What is voted on: its slug, its first entry, its end, whether a vote may be drawn, and whether ballots count.
create view private.vote_subjects as
select
  goals.slug, 'goal' as kind, changes.id as row_id, goals.ends_at, goals.stage = 'open' as is_open,
  goals.stage <> 'annulled' as counts, null::text[] as names, null::smallint[] as least,
  null::smallint[] as most
from public.goals
join public.goal_changes as changes on changes.slug = goals.slug and changes.revision = 0
union all
select slug, 'split-vote', id, ends_at, true, true, names, least, most from public.split_votes;
comment on view private.vote_subjects is 'What token holders vote on: goals that were approved, and votes on the split.';

create view private.entry_of_split_vote as
select
  'split-vote' as kind, id, private.entry_time(recorded_at) as recorded_at, private.rules() as rules,
  slug as goal, names, least, most,
  private.entry_time(ends_at) as ends_at
from public.split_votes;
create trigger log_rows after insert on public.split_votes
  for each row execute function private.log_row('split-vote', 'id');

-- The result in thousandths: each share is its mean, rounded down; what is left of the whole goes to those with the
-- largest remainders, one thousandth each (of equal ones, to the first). Null without weight. app/votes/tally.ts has the
-- same calculation.
create function private.shares_of(parts numeric[], weight numeric) returns smallint[]
language sql immutable set search_path = '' as $$
  select case when weight > 0 then array_agg((share + (place <= 1000 - whole)::integer)::smallint order by at) end
  from (
    select at, share, sum(share) over () as whole, row_number() over (order by rest desc, at) as place
    from (
      select at, div(part * 10, nullif(weight, 0))::integer as share, mod(part * 10, nullif(weight, 0)) as rest
      from unnest(parts) with ordinality as one (part, at)
    ) as divided
  ) as placed
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

-- The votes whose ballots are still counted: they are not void, have no result, and their goals are not annulled.
create view private.counting_votes as
select votes.*
from public.votes join private.vote_subjects as subjects on subjects.slug = votes.slug and subjects.counts
where not exists (select from public.vote_voids where vote_voids.draw = votes.draw)
  and not exists (select from public.vote_results where vote_results.vote = votes.id);

create function private.is_counting(vote bigint) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.counting_votes where id = is_counting.vote)
$$;

-- A ballot arrives while its vote is open, with a time between the opening and two minutes after its arrival; a member
-- has at most 20 waiting ballots in all votes. After the insert, so that the policies apply first. Locks: inserts of one
-- member wait for each other, and the end of the vote waits for inserts that began before it.
create function private.limit_ballots() returns trigger
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
    where member = new.member and reason is null
  ) > 20 then
    raise exception 'ballot_many' using errcode = 'check_violation';
  end if;
  return null;
end;
$$;
create trigger limit_ballots after insert on public.fundme_ballots
  for each row execute function private.limit_ballots();

-- What operators may call -----------------------------------------------------------------------------------

create function private.perform_split_vote(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  given constant jsonb := act.arguments;
  lowest constant smallint[] := private.percentages_of(given ->> 'least');
  highest constant smallint[] := private.percentages_of(given ->> 'most');
  names constant text[] := array(select slug from private.open_pools order by place, slug)
    || '{donation-wallet,goals,reserve}'::text[];
  made public.split_votes;
begin
  if act."by" is null then
    perform private.refuse_act('operators_only');
  end if;
  perform private.check_words('days', given ->> 'days', 1, 12);
  perform private.check_pattern('days', given ->> 'days', '^([7-9]|1[0-4])$');
  perform private.check_words('least', given ->> 'least', 1, 200);
  perform private.check_words('most', given ->> 'most', 1, 200);
  if lowest is null or cardinality(lowest) <> cardinality(names) or private.sum_of(lowest) > 100 then
    perform private.refuse_field('least', 'format');
  elsif highest is null or cardinality(highest) <> cardinality(names) or private.sum_of(highest) < 100
    or exists (select from unnest(lowest, highest) as one (low, high) where low > high) then
    perform private.refuse_field('most', 'format');
  elsif exists (select from public.split_votes where recorded_at > now() - interval '30 days') then
    perform private.refuse_act('split_recent');
  end if;
  -- 1, 2, 3 and so on: a trial of the act, which is rolled back, uses no number.
  insert into public.split_votes (id, names, least, most, ends_at)
  values (
    1 + (select count(*) from public.split_votes), names, lowest, highest, now() + make_interval(days => (given ->> 'days')::integer)
  )
  returning * into made;
  return jsonb_build_object('subject', made.slug, 'made_kind', 'split-vote', 'made_id', made.id);
end;
$$;

insert into private.act_kinds (kind, people, subject, performer, fields) values
  ('split-vote', 2, 'none', 'perform_split_vote', '{days,least,most}');

-- What the job may call -------------------------------------------------------------------------------------

-- The subjects that need a draw: they are open, and have no draw that is valid. After three voids, and after each three
-- more, two operators decide (act `redraw`): until then `is_stuck`.
create view private.undrawn_subjects as
select subjects.*, 3 * (1 + (
  select count(*) from public.operator_acts as acts
  where acts.kind = 'redraw' and acts.subject = subjects.slug and acts.state = 'done'
)) <= (
  select count(*) from public.vote_draws as draws join public.vote_voids as voids on voids.draw = draws.id
  where draws.slug = subjects.slug
) as is_stuck
from private.vote_subjects as subjects
where subjects.is_open and subjects.ends_at > now() and not exists (
  select from public.vote_draws as draws where draws.slug = subjects.slug
    and not exists (select from public.vote_voids where vote_voids.draw = draws.id)
);

-- Two operators let a vote be drawn again that was void three times. They name the blocks of the last three voids.
create function private.perform_redraw(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  if act."by" is null then
    perform private.refuse_act('operators_only');
  elsif not exists (select from private.undrawn_subjects where slug = act.subject and is_stuck) then
    perform private.refuse_act('already_done');
  end if;
  perform private.check_words('blocks', act.arguments ->> 'blocks', 1, 100);
  if (act.arguments ->> 'blocks') is distinct from (
    select string_agg(block_number::text, ' ' order by id) from (
      select voids.id, voids.block_number from public.vote_voids as voids
      join public.vote_draws as draws on draws.id = voids.draw
      where draws.slug = act.subject order by voids.id desc limit 3
    ) as newest
  ) then
    perform private.refuse_field('blocks', 'format');
  end if;
  return jsonb_build_object('subject', act.subject);
end;
$$;

-- The number of draws, so that both operators see the same; null for an unknown subject.
create function private.draws_revision(subject text) returns integer
language sql stable security definer set search_path = '' as $$
  select max(attempt)::integer from public.vote_draws where slug = subject
$$;

insert into private.act_kinds (kind, people, subject, least_reason, performer, revision_of, fields) values
  ('redraw', 2, 'required', 10, 'perform_redraw', 'draws_revision', '{blocks}');

-- The work of a run: `waits` are goals with a stored reason, `undrawn` need a draw, `stuck` two operators, `draws` wait for their seed
-- block, `open` votes are compared with the chain, `ballots` are at most `most` waiting ones: one of each member in
-- turn, those that could not be read last. Deletes what was refused more than a week ago.
create function public.vote_work(most integer) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.fundme_ballots where reason is not null and refused_at < now() - interval '7 days';
  return jsonb_build_object(
    'waits', (
      select coalesce(jsonb_agg(jsonb_build_object('goal', slug, 'reason', reason) order by slug), '[]') from private.vote_waits
    ),
    'undrawn', (
      select coalesce(jsonb_agg(slug order by ends_at, slug), '[]') from private.undrawn_subjects where not is_stuck
    ),
    'stuck', (
      select coalesce(jsonb_agg(slug order by ends_at, slug), '[]') from private.undrawn_subjects where is_stuck
    ),
    'draws', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', draws.id, 'goal', draws.slug, 'chain_id', draws.chain_id, 'start_block', draws.start_block,
        'seed_block', draws.seed_block, 'token', draws.token, 'excluded', draws.excluded, 'drawn_at', draws.recorded_at
      ) order by draws.id), '[]')
      from public.vote_draws as draws join private.vote_subjects as subjects on subjects.slug = draws.slug
      where subjects.is_open and subjects.ends_at > now()
        and not exists (select from public.votes where votes.draw = draws.id)
        and not exists (select from public.vote_voids where vote_voids.draw = draws.id)
    ),
    'open', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', votes.id, 'draw', votes.draw, 'goal', votes.slug, 'leaf', encode(entries.leaf, 'hex'), 'chain_id', draws.chain_id,
        'token', votes.token,
        'seed_block', draws.seed_block, 'seed_hash', votes.seed_hash, 'block_number', votes.block_number,
        'block_hash', votes.block_hash, 'opened_at', votes.recorded_at, 'closes_at', votes.closes_at
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

-- Stores the terms of an open goal's vote before its seed block exists: {chain_id, start_block, seed_block, window_seconds,
-- token, excluded, quorum_percent}. Our own wallets must be among the excluded. False if there is a draw that is valid.
create function public.append_draw(goal text, terms jsonb) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  chain constant bigint := (terms ->> 'chain_id')::bigint;
begin
  perform private.lock_log('ledger');
  if not exists (select from private.undrawn_subjects where slug = append_draw.goal and not is_stuck) then
    return false;
  elsif exists (
    select from private.paying_wallets where chain_id = chain and not terms -> 'excluded' ? address::text
  ) then
    raise exception 'a wallet of ours is not excluded' using errcode = 'check_violation';
  end if;
  insert into public.vote_draws (
    slug, attempt, chain_id, start_block, seed_block, window_seconds, token, excluded, quorum_percent
  )
  values (
    append_draw.goal, 1 + (select count(*) from public.vote_draws as former where former.slug = append_draw.goal),
    chain, (terms ->> 'start_block')::bigint, (terms ->> 'seed_block')::bigint, (terms ->> 'window_seconds')::bigint,
    terms ->> 'token', array(
      select address from jsonb_array_elements_text(terms -> 'excluded') as address order by address collate "C"
    ), (terms ->> 'quorum_percent')::numeric
  );
  delete from private.vote_waits where slug = append_draw.goal;
  return true;
end;
$$;

-- Opens the vote of a draw: {seed_hash, seed_time, decimals, block_number, block_hash, supply, excluded: [{address,
-- balance}]}, with the addresses of the draw. False if it is open or void, or if the goal has ended.
create function public.open_vote(draw bigint, facts jsonb) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  drawn public.vote_draws;
  closing timestamptz;
  supply constant numeric := (facts ->> 'supply')::numeric;
  eligible constant numeric := supply - (
    select coalesce(sum((item ->> 'balance')::numeric), 0) from jsonb_array_elements(facts -> 'excluded') as item
  );
  opened bigint;
begin
  perform private.lock_log('ledger');
  select * into drawn from public.vote_draws where id = open_vote.draw;
  select subjects.ends_at into closing from private.vote_subjects as subjects
  where subjects.slug = drawn.slug and subjects.is_open and subjects.ends_at > now();
  if closing is null or exists (select from public.votes where votes.draw = open_vote.draw)
    or exists (select from public.vote_voids where vote_voids.draw = open_vote.draw) then
    return false;
  elsif (facts ->> 'seed_time')::timestamptz < drawn.recorded_at then
    raise exception 'the seed block is older than the draw' using errcode = 'check_violation';
  elsif drawn.excluded is distinct from array(
    select item ->> 'address' from jsonb_array_elements(facts -> 'excluded') as item order by item ->> 'address' collate "C"
  ) then
    raise exception 'other addresses are excluded than the draw says' using errcode = 'check_violation';
  end if;
  insert into public.votes (
    draw, slug, goal_leaf, token, decimals, seed_hash, block_number, block_hash, supply, excluded, eligible,
    quorum_percent, quorum, least_weight, closes_at
  )
  select
    drawn.id, drawn.slug, encode(entries.leaf, 'hex'), drawn.token, (facts ->> 'decimals')::smallint,
    facts ->> 'seed_hash', (facts ->> 'block_number')::bigint, facts ->> 'block_hash', supply, facts -> 'excluded',
    eligible, drawn.quorum_percent, div(eligible * (drawn.quorum_percent * 100) + 9999, 10000), div(eligible, 1000000),
    closing
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

-- Records that a block of the vote of a draw has another hash now, so that its ballots count no more and waiting ones are
-- refused; or, of a draw without a vote, that its seed block is older than the draw. False if it has its result, or if
-- there is no such draw.
create function public.void_vote(draw bigint, block_number bigint, block_hash text) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  opened public.votes;
begin
  perform private.lock_log('ledger');
  select * into opened from public.votes where votes.draw = void_vote.draw for update;
  if not exists (select from public.vote_draws where id = void_vote.draw) or opened.id is not null and not private.is_counting(opened.id) or exists (
    select from public.vote_voids where vote_voids.draw = void_vote.draw
  ) then
    return false;
  end if;
  insert into public.vote_voids (draw, block_number, block_hash)
  values (void_vote.draw, void_vote.block_number, void_vote.block_hash);
  update public.fundme_ballots set reason = 'closed', refused_at = now()
  where fundme_ballots.vote = opened.id and reason is null;
  return true;
end;
$$;

-- Counts ballots: [{id, weight, digest}] with the SHA-256 of the text, or {id, reason} for one that is refused; without a
-- weight and a reason, the chain could not be read. Each counted one is an entry, at most 50 of a wallet in a vote; a
-- repetition of a counted one is only removed. Weights that cannot be right are refused: a wallet has one weight, and all
-- together have at most what may vote. Returns {counted, refused}.
create function public.count_ballots(results jsonb) returns jsonb
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  counted integer;
  refused integer;
begin
  perform private.lock_log('ledger');
  with given as materialized (
    select waiting.*, one.weight, one.digest, one.reason as fault,
      one.reason is null and one.weight is not null and row_number() over (
        partition by vote, wallet, signed_at, choice, one.reason is null and one.weight is not null order by waiting.id
      ) = 1 and not exists (
        select from public.vote_ballots as known
        where known.vote = waiting.vote and known.wallet = waiting.wallet and known.signed_at = waiting.signed_at
          and known.choice = waiting.choice
      ) as is_new
    from jsonb_to_recordset(results) as one (id bigint, weight numeric, digest text, reason text)
    join public.fundme_ballots as waiting on waiting.id = one.id and waiting.reason is null
  ), subjects as materialized (
    select id, excluded, least_weight, eligible, private.is_counting(id) as is_counting
    from public.votes where id in (select vote from given)
  ), weighed as materialized (
    select given.*, subjects.excluded @> jsonb_build_array(jsonb_build_object('address', given.wallet)) as is_excluded,
      coalesce(standings.weight, first_value(given.weight) over own) as first_weight,
      standings.vote is null and row_number() over own = 1 as is_first
    from given join subjects on subjects.id = given.vote
    left join private.vote_standings as standings on standings.vote = given.vote and standings.wallet = given.wallet
    window own as (partition by given.vote, given.wallet order by given.weight is null, given.id)
  ), judged as materialized (
    select given.id, given.vote, given.wallet, given.choice, given.signed_at, given.signature, given.weight, given.digest,
      given.is_new, case
      when not subjects.is_counting then 'closed'
      when given.fault is not null then given.fault
      when given.weight is null then null
      when given.is_excluded then 'excluded'
      when given.weight = 0 then 'nothing'
      when given.weight < subjects.least_weight then 'light'
      when given.weight <> given.first_weight or sums.support + sums.against
        + sum(given.weight) filter (where is_first and not is_excluded) over (partition by given.vote order by given.id)
        > subjects.eligible then 'weight'
      when is_new and count(*) filter (where is_new) over (partition by given.vote, given.wallet order by given.id) + (
        select count(*) from public.vote_ballots as known where known.vote = given.vote and known.wallet = given.wallet
      ) > 50 then 'many'
    end as fault
    from weighed as given join subjects on subjects.id = given.vote
    join private.vote_sums as sums on sums.vote = given.vote
  ), kept as (
    update public.fundme_ballots as waiting
    set reason = judged.fault, refused_at = case when judged.fault is not null then now() end, tried_at = now()
    from judged where waiting.id = judged.id and (judged.fault is not null or judged.weight is null)
    returning waiting.reason
  ), taken as (
    delete from public.fundme_ballots as waiting using judged
    where waiting.id = judged.id and judged.fault is null and judged.weight is not null
  ), fresh as (
    select *, row_number() over (partition by vote order by id) as place
    from judged where fault is null and is_new
  ), made as (
    insert into public.vote_ballots (vote, number, wallet, choice, signed_at, signature, weight)
    select fresh.vote, sums.ballots + fresh.place, fresh.wallet, fresh.choice, fresh.signed_at, fresh.signature, fresh.weight
    from fresh join private.vote_sums as sums on sums.vote = fresh.vote order by fresh.id
    returning id, vote, wallet, choice, signed_at, weight
  ), newest as (
    select distinct on (made.vote, made.wallet)
      made.*, fresh.digest, former.choice as former_choice, former.weight as former_weight
    from made
    join fresh on fresh.vote = made.vote and fresh.wallet = made.wallet and fresh.signed_at = made.signed_at
      and fresh.choice = made.choice
    left join private.vote_standings as former on former.vote = made.vote and former.wallet = made.wallet
    where former.vote is null or made.signed_at > former.signed_at
      or (made.signed_at = former.signed_at and fresh.digest < former.digest)
    order by made.vote, made.wallet, made.signed_at desc, fresh.digest
  ), standing as (
    insert into private.vote_standings (vote, wallet, ballot, choice, signed_at, digest, weight)
    select vote, wallet, id, choice, signed_at, digest, weight from newest
    on conflict on constraint vote_standings_pkey do update set
      ballot = excluded.ballot, choice = excluded.choice, signed_at = excluded.signed_at, digest = excluded.digest,
      weight = excluded.weight
  ), changes as (
    select vote, choice, weight, 1 as times from newest
    union all
    select vote, former_choice, -former_weight, -1 from newest where former_choice is not null
  ), summed as (
    update private.vote_sums as sums set
      ballots = sums.ballots + added.ballots, support = sums.support + added.support,
      support_wallets = sums.support_wallets + added.support_wallets, against = sums.against + added.against,
      against_wallets = sums.against_wallets + added.against_wallets, parts = added.parts,
      shares = private.shares_of(added.parts, sums.support + added.support)
    from subjects
    join private.vote_sums as former on former.vote = subjects.id
    cross join lateral (
      select
        (select count(*) from made where made.vote = subjects.id) as ballots,
        coalesce(sum(weight) filter (where choice <> 'against'), 0) as support,
        coalesce(sum(times) filter (where choice <> 'against'), 0) as support_wallets,
        coalesce(sum(weight) filter (where choice = 'against'), 0) as against,
        coalesce(sum(times) filter (where choice = 'against'), 0) as against_wallets,
        (
          select array_agg(one.sum order by one.place) from (
            select place, sum(part) as sum from (
              select place, part from unnest(former.parts) with ordinality as kept (part, place)
              union all
              select place, weight * percentage
              from changes cross join unnest(private.percentages_of(choice)) with ordinality as named (percentage, place)
              where changes.vote = subjects.id
            ) as every group by place
          ) as one
        ) as parts
      from changes where changes.vote = subjects.id
    ) as added
    where sums.vote = subjects.id
  )
  select (select count(*) from made), (select count(reason) from kept) into counted, refused;
  return jsonb_build_object('counted', counted, 'refused', refused);
end;
$$;

-- Writes the result of each vote that has closed, does not wait for the chain, and whose ballots are all decided. Returns
-- their number.
create function public.finish_votes() returns integer
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
    where closes_at <= now() and id in (select id from private.counting_votes)
      and slug not in (select waits.slug from private.vote_waits as waits)
    order by id for update
  loop
    if exists (select from public.fundme_ballots where vote = over.id and reason is null) then
      continue;
    end if;
    insert into public.vote_results (vote, ballots, support, support_wallets, against, against_wallets, won, shares)
    select
      over.id, sums.ballots, standings.support, standings.support_wallets, standings.against, standings.against_wallets,
      standings.support >= over.quorum and standings.support > standings.against,
      private.shares_of(parts.sums, standings.support)
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
    where sums.vote = over.id;
    many := many + 1;
  end loop;
  return many;
end;
$$;

-- Stores why the vote of a goal waits; null: it does not wait any more.
create function public.record_vote_wait(goal text, reason text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if reason is null then
    delete from private.vote_waits where slug = goal;
  else
    insert into private.vote_waits as waits (slug, reason) values (record_vote_wait.goal, left(record_vote_wait.reason, 300))
    on conflict on constraint vote_waits_pkey do update set reason = excluded.reason;
  end if;
end;
$$;

-- What everyone reads ---------------------------------------------------------------------------------------

-- The newest draw of each goal, with its vote and result as far as they exist.
create view public.published_votes with (security_invoker = false) as
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
  to_jsonb(subjects.names) as names, to_jsonb(subjects.least) as least, to_jsonb(subjects.most) as most,
  to_jsonb(sums.shares) as shares
from public.vote_draws as draws
join private.vote_subjects as subjects on subjects.slug = draws.slug
left join public.goals on goals.slug = draws.slug
left join public.votes on votes.draw = draws.id and not exists (
  select from public.vote_voids where vote_voids.draw = votes.draw
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
  where facts.to_address = goals.wallet and facts.type in ('dream', 'spending') and results.won and facts.occurred_at >= results.recorded_at
    and statuses.status in ('verified', 'pending', 'unreachable')
  order by facts.occurred_at, facts.id limit 1
) as paid on true
where not exists (
  select from public.vote_draws as later where later.slug = draws.slug and later.attempt = draws.attempt + 1
);
comment on view public.published_votes is
  'The newest draw of each goal, its vote, its sums so far and its result. Read it by goal.';
comment on column public.published_votes.leaf is 'The line `Vote` of its ballots.';
comment on column public.published_votes.largest is 'The weight of the ten largest wallets that voted.';
comment on column public.published_votes.wallet is 'Where the treasury should pay a goal that won; null while the goal is frozen.';
comment on column public.published_votes.shares is 'In a vote on the split: the mean so far or the result, in thousandths.';
comment on column public.published_votes.paid_by is 'The first payment of the treasury to the wallet of the goal after the vote was won.';

create view public.published_ballots with (security_invoker = false) as
select
  ballots.id, ballots.vote, votes.slug as goal, ballots.number::bigint as number, ballots.wallet::text as wallet,
  ballots.choice, ballots.signed_at, ballots.signature, ballots.weight::text as weight,
  ballots.recorded_at, entries.index as log_index, entries.entry, standings.ballot is not null as counts,
  to_jsonb(splits.names) as names
from public.vote_ballots as ballots
join public.votes on votes.id = ballots.vote
left join public.split_votes as splits on splits.slug = votes.slug
left join private.ledger_entries as entries on entries.kind = 'ballot' and entries.row_id = ballots.id
left join private.vote_standings as standings
  on standings.vote = ballots.vote and standings.wallet = ballots.wallet and standings.ballot = ballots.id;
comment on view public.published_ballots is
  'Every ballot that was counted. `counts` is false for one that a later ballot of its wallet replaces. Read it by vote or by wallet.';
create index vote_ballots_of_wallet on public.vote_ballots (wallet, vote, number);

create view public.published_vote_entries with (security_invoker = false) as
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
  select draws.slug, null, 'void', voids.id
  from public.vote_voids as voids join public.vote_draws as draws on draws.id = voids.draw
  union all
  select votes.slug, votes.id, case when splits.id is null then 'result' else 'split-result' end, results.id
  from public.vote_results as results join public.votes on votes.id = results.vote
  left join public.split_votes as splits on splits.slug = votes.slug
) as made
join private.log_entries as entries on entries.log = 'ledger' and entries.kind = made.kind and entries.row_id = made.id;
comment on view public.published_vote_entries is
  'The entries of the votes of a goal without their ballots, and the first entry of the goal. Read it by goal.';

create view public.vote_totals with (security_invoker = false) as
select coalesce(sum(support_wallets + against_wallets), 0)::bigint as ballots from private.vote_sums;
comment on view public.vote_totals is 'One row: how many ballots count, without those that a later one of their wallet replaced.';

-- What waits for operators about votes: [{"goal", "title", "reason", "since"}], and votes that were won and not paid:
-- [{"goal", "title", "decided_at", "target_usd", "received_usd"}]. Null for other members.
create function public.votes_overview() returns jsonb
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
          select from public.orders where recipient_account = goals.slug and orders.state in ('announced', 'taken', 'sent')
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

grant select, insert (member, vote, wallet, choice, signed_at, signature) on public.fundme_ballots to authenticated;
grant select on
  public.vote_draws, public.votes, public.vote_voids, public.vote_ballots, public.vote_results, public.fundme_ballots,
  public.split_votes
  to service_role;
grant select on
  public.published_votes, public.published_ballots, public.published_vote_entries, public.vote_totals
  to anon, authenticated, service_role;
grant execute on function public.votes_overview to authenticated;
grant execute on function
  public.vote_work, public.append_draw, public.open_vote, public.void_vote, public.count_ballots, public.finish_votes,
  public.record_vote_wait
  to service_role;
