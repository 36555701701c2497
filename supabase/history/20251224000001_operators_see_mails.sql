-- Operators see the counts of mails. Those who follow what they gave to are found for all followers at once, because a
-- search for each of them took minutes for thousands.

create view private.pool_givers with (security_invoker = false) as
select distinct lower(users.email) as address, facts.pool_slug as pool
from public.transactions as facts
join private.transaction_statuses as statuses on statuses.transaction_id = facts.id and statuses.status = 'verified'
join public.proven_wallets on proven_wallets.address = facts.from_address
join auth.users on users.id = proven_wallets.user_id
where facts.type = 'gift' and facts.pool_slug is not null;
comment on view private.pool_givers is
  'The members whose wallets gave to a pool. Nothing verifies the wallets'' signatures here: a member who names a stranger''s wallet gets mails about a pool that anyone can follow.';

create or replace function private.gave_to(of_address text, pool text) returns boolean
language sql stable set search_path = '' as $$
  select exists (
    select from private.pool_givers as givers where givers.address = of_address and givers.pool = gave_to.pool
  )
$$;

create or replace function public.prepare_mails() returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  month_begin constant timestamptz := date_trunc('month', now() at time zone 'UTC') at time zone 'UTC';
  fact private.outbox;
  made bigint := 0;
  added bigint;
begin
  perform from private.mail_state for update;
  if exists (select from private.log_rollbacks) then
    return 0;
  end if;
  delete from private.follow_requests where requested_at < now() - interval '3 days';
  delete from private.followers
  where kept_at < now() - interval '13 months' or asked_at < now() - interval '1 month';
  delete from private.stopped_addresses where stopped_at < now() - interval '13 months';
  delete from private.outbox where made_at < now() - interval '15 days' and due_at < now() - interval '15 days';
  delete from private.mails
  where fact_id is null and request_id is null and state <> 'waiting' and due_at < now() - interval '8 days';

  if now() between month_begin + interval '6 hours' and month_begin + interval '7 days' then
    insert into private.outbox (kind, topic, source, made_at, due_at)
    select 'month', 'month', to_char((month_begin - interval '1 day') at time zone 'UTC', 'YYYY-MM'),
      month_begin + interval '6 hours', month_begin + interval '6 hours'
    where exists (select from public.ledger_months where month < (month_begin at time zone 'UTC')::date)
    on conflict on constraint outbox_key do nothing;
  end if;

  with asked as (
    update private.followers set asked_at = now()
    where kept_at < now() - interval '12 months' and asked_at is null
    returning id
  )
  insert into private.mails (follower_id) select id from asked;
  get diagnostics made = row_count;

  for fact in
    select * from private.outbox as open where open.expanded_at is null and open.due_at <= now()
    order by open.id for update
  loop
    if fact.due_at > now() - interval '7 days' then
      insert into private.mails (fact_id, follower_id)
      select fact.id, known.follower_id
      from private.follower_topics as known
      where known.topic = fact.topic and not known.is_held and known.since <= fact.made_at
      union
      select fact.id, known.follower_id
      from private.follower_topics as known
      join private.followers as follower on follower.id = known.follower_id
      where fact.kind = 'spending' and known.topic = 'gifts' and not known.is_held and known.since <= fact.made_at
        and follower.address in (select givers.address from private.pool_givers as givers where givers.pool = fact.topic);
      get diagnostics added = row_count;
      made := made + added;
    end if;
    update private.outbox as open set expanded_at = now() where open.id = fact.id;
  end loop;
  return made;
end;
$$;

create or replace function public.operator_overview() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant text := private.operator_handle();
  mine constant jsonb := public.my_operator();
begin
  if mine is null then
    return null;
  end if;
  return jsonb_build_object(
    'operator', mine,
    'queues', case when caller is not null then private.operator_queues(caller) end,
    'health', case when caller is not null then private.operator_health() end,
    'mail', case when caller is not null then public.mail_counts() end
  );
end;
$$;
comment on function public.operator_overview() is
  'What waits for the calling operator, the health of the ledger, and the counts of mails; null for other members.';

revoke all on private.pool_givers from public, anon, authenticated, service_role;
