-- Counts the ballots of a run by one statement, so that it holds the lock of the log for a shorter time.

create or replace function public.count_ballots(results jsonb) returns jsonb
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  counted integer;
  refused integer;
begin
  perform private.lock_log('ledger');
  with given as materialized (
    select waiting.*, one.weight, one.digest, one.reason as fault
    from jsonb_to_recordset(results) as one (id bigint, weight numeric, digest text, reason text)
    join public.fundme_ballots as waiting on waiting.id = one.id and waiting.reason is null
  ), subjects as materialized (
    select id, excluded, least_weight, private.is_counting(id) as is_counting, (
      select most from public.split_votes where split_votes.slug = votes.slug
    ) as most
    from public.votes where id in (select vote from given)
  ), judged as materialized (
    select given.id, given.vote, given.wallet, given.choice, given.signed_at, given.signature, given.weight, given.digest, case
      when not subjects.is_counting then 'closed'
      when given.fault is not null then given.fault
      when given.weight is null then null
      when subjects.excluded @> jsonb_build_array(jsonb_build_object('address', given.wallet)) then 'excluded'
      when given.weight = 0 then 'nothing'
      when given.weight < subjects.least_weight then 'light'
    end as fault
    from given join subjects on subjects.id = given.vote
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
    from (
      select distinct on (vote, wallet, signed_at, choice) * from judged where fault is null and weight is not null
      order by vote, wallet, signed_at, choice, id
    ) as one
    where not exists (
      select from public.vote_ballots as known
      where known.vote = one.vote and known.wallet = one.wallet and known.signed_at = one.signed_at and known.choice = one.choice
    )
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
      shares = private.shares_of(added.parts, sums.support + added.support, subjects.most)
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

drop function private.add_ballot;
