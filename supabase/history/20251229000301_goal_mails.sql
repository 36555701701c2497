-- Mails about goals. Its member gets one at a return, a rejection, the approval, the first gift and the end, and when the
-- report is due or overdue; followers of a goal get its updates. As for other facts, the transaction that makes the fact
-- writes the outbox, and a mail has what is true when it is sent.

alter table private.outbox
  drop constraint outbox_kind_known,
  add constraint outbox_kind_known check (kind in ('update', 'spending', 'call', 'month', 'goal'));
comment on column private.outbox.source is
  'The number of an update, the URL of a statement, the month as YYYY-MM; for spending the time of the first payment; of a goal what happened, such as ''gift'' or ''returned 7''.';

alter table private.mails
  add column member uuid references auth.users (id) on delete cascade,
  drop constraint mails_of_someone,
  drop constraint mails_of_fact,
  add constraint mails_of_someone check (num_nonnulls(follower_id, request_id, member) = 1),
  add constraint mails_of_fact check (request_id is null or fact_id is null);
comment on column private.mails.member is 'Who gets a mail about their own goal.';
create unique index mails_of_member on private.mails (member, fact_id) where member is not null;

create or replace function private.is_topic(given text) returns boolean
language sql stable set search_path = '' as $$
  select given in ('cz-call', 'month') or exists (select from private.accounts where slug = given and is_pool)
    or exists (select from public.goals where slug = given and opened_at is not null)
$$;

-- Facts ---------------------------------------------------------------------------------------------------

create function private.tell_goal() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  event constant text := case
    when new.stage in ('returned', 'rejected') then new.stage
    when new.stage = 'open' and new.former = 'submitted' then 'open'
    when new.stage = 'ended' and new.former = 'open' and new.moved_by <> 'deletion' then 'ended'
  end;
begin
  if event is not null and new.moved_at > now() - interval '7 days' then
    insert into private.outbox (kind, topic, source)
    select 'goal', slug, event || ' ' || new.id from public.goals where goals.id = new.goal
    on conflict on constraint outbox_key do nothing;
  end if;
  return null;
end;
$$;
create trigger tell_member after insert on private.goal_moves
  for each row execute function private.tell_goal();

-- The first verified payment that reached a goal. Its row of the outbox stays, so a second one is not told.
create function private.tell_gift() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
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
create trigger tell_member after update on private.transaction_statuses
  referencing old table as former new table as changed
  for each statement execute function private.tell_gift();

-- What a mail tells the member of a goal; null if it is no longer true.
create function private.goal_content(fact private.outbox) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'event', split_part(fact.source, ' ', 1), 'goal', goals.id, 'slug', goals.slug, 'title', words.title,
    'reason', goals.reason, 'fault', goals.fault, 'ends_at', goals.ends_at,
    'report_due_at', goals.ended_at + interval '90 days', 'received_usd', sums.received_usd::text
  )
  from public.goals
  join private.goal_words as words on words.id = goals.id
  left join private.goal_sums as sums on sums.id = goals.id
  where goals.slug = fact.topic and goals.member is not null and case split_part(fact.source, ' ', 1)
    when 'gift' then goals.stage in ('open', 'ended', 'completed')
    when 'report-due' then goals.stage = 'ended' and goals.report_number is null
    when 'report-overdue' then goals.stage = 'ended' and goals.report_number is null
    else goals.stage = split_part(fact.source, ' ', 1)
  end
$$;

-- The schedule --------------------------------------------------------------------------------------------

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
  delete from private.outbox
  where made_at < now() - interval '15 days' and due_at < now() - interval '15 days' and source <> 'gift';
  delete from private.mails
  where fact_id is null and request_id is null and state <> 'waiting' and due_at < now() - interval '8 days';

  if now() between month_begin + interval '6 hours' and month_begin + interval '7 days' then
    insert into private.outbox (kind, topic, source, made_at, due_at)
    select 'month', 'month', to_char((month_begin - interval '1 day') at time zone 'UTC', 'YYYY-MM'),
      month_begin + interval '6 hours', month_begin + interval '6 hours'
    where exists (select from public.ledger_months where month < (month_begin at time zone 'UTC')::date)
    on conflict on constraint outbox_key do nothing;
  end if;

  -- Two weeks before the report of a goal is due, and when it is overdue.
  insert into private.outbox (kind, topic, source)
  select 'goal', slug, event
  from public.goals
  cross join (values ('report-due', interval '76 days'), ('report-overdue', interval '90 days')) as events (event, after)
  where stage = 'ended' and report_number is null and member is not null
    and ended_at + after between now() - interval '7 days' and now()
  on conflict on constraint outbox_key do nothing;

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
      if fact.kind = 'goal' then
        insert into private.mails (fact_id, member)
        select fact.id, goals.member from public.goals where goals.slug = fact.topic and goals.member is not null;
      else
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
      end if;
      get diagnostics added = row_count;
      made := made + added;
    end if;
    update private.outbox as open set expanded_at = now() where open.id = fact.id;
  end loop;
  return made;
end;
$$;

-- The confirmed address of a member; null without one.
create function private.address_of(member uuid) returns text
language sql stable set search_path = '' as $$
  select lower(email) from auth.users
  where id = address_of.member and email_confirmed_at is not null and email <> ''
$$;

create or replace function private.record_mails(results jsonb) returns void
language plpgsql set search_path = '' as $$
declare
  mail private.mails;
  result record;
  mail_address text;
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
        select coalesce(
          (select follower.address from private.followers as follower where follower.id = mail.follower_id),
          (select request.address from private.follow_requests as request where request.id = mail.request_id),
          private.address_of(mail.member)
        ) into mail_address;
        perform public.stop_address(mail_address, 'refused');
    end case;
  end loop;
end;
$$;

-- As before, and: a mail has the titles of the goals among its topics, and a member's own mail has no token.
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
  -- The lock: claims are made one after the other.
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
      content := coalesce(
        facts -> fact.id::text -> 'content',
        case when fact.kind = 'goal' then private.goal_content(fact) else private.fact_content(fact) end
      );
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
        'fact_id', fact.id
      )
      from (
        select coalesce(by_topic, request.topic) as topic, (
          select coalesce(jsonb_agg(known.topic order by known.topic), '[]')
          from private.follower_topics as known where known.follower_id = follower.id
        ) as topics
      ) as of_mail
    ));
  end loop;
  return jsonb_build_object('mails', mails, 'facts', facts, 'more', exists (
    select from private.mails as waiting where waiting.state = 'waiting' and waiting.due_at <= now()
  ));
end;
$$;

revoke all on function
  private.tell_goal(), private.tell_gift(), private.goal_content(private.outbox), private.address_of(uuid)
  from public, anon, authenticated, service_role;
