-- Followers: people who asked for emails about a topic, and the emails that they and the members of goals get. A
-- trigger writes a fact (an update, a verified payment of a pool, a statement with its verified payment, a move of a
-- goal) to private.outbox in the transaction that makes it. The schedule expands each fact to the mails of those who
-- followed then, and sends them with what is true when they are sent (app/follow/mail/).

set check_function_bodies = off;

-- Tables ----------------------------------------------------------------------------------------------------

create table private.followers (
  id bigint generated always as identity primary key,
  address text not null
    constraint followers_address_key unique
    constraint followers_address_format check (address ~ '^[!-?A-~]{1,64}@[!-?A-~]{1,189}$' and address = lower(address)),
  -- The code of a language (app/platform/locales/locales.ts), such as 'tr'. The site sends English for one that it does not
  -- offer.
  language text not null default 'en'
    constraint followers_language_known check (language ~ '^[a-z]{2}(-[A-Z]{2})?$'),
  token text not null
    constraint followers_token_key unique,
  kept_at private.moment not null default now(),
  asked_at private.moment
);
comment on table private.followers is
  'Addresses that confirmed that they follow something. Deleted when they leave everything, with the account, and 13 months after kept_at.';
comment on column private.followers.token is 'Random. Each mail has it, in the links to leave.';
comment on column private.followers.kept_at is 'When the address last said that it wants to follow.';
comment on column private.followers.asked_at is 'When a mail asked whether to keep following; null once this was answered.';
create index followers_by_age on private.followers (kept_at);
create index followers_asked on private.followers (asked_at) where asked_at is not null;

create table private.follower_topics (
  follower_id bigint not null references private.followers (id) on delete cascade,
  topic text not null,
  since private.moment not null default now(),
  is_held boolean not null default false,
  primary key (follower_id, topic)
);
comment on table private.follower_topics is
  'What each address follows: the slug of a pool, cz-call, month (the monthly account), opens (the opening) or gifts (pools that a member gave to).';
comment on column private.follower_topics.is_held is
  'True after the database was restored from a backup, because the address may have left since. No mail is sent until it answers.';
create index follower_topics_of_topic on private.follower_topics (topic, follower_id);

-- The inbox of an address: without what follows '+' in its local part, and at Gmail without the dots that it ignores.
create function private.inbox_of(address text) returns text
language sql immutable set search_path = '' as $$
  select case when host in ('gmail.com', 'googlemail.com') then replace(name, '.', '') || '@gmail.com' else name || '@' || host end
  from (
    select split_part(split_part(lower(address), '@', 1), '+', 1) as name, split_part(lower(address), '@', 2) as host
  ) as parts
$$;

create table private.follow_requests (
  id bigint generated always as identity primary key,
  address text not null,
  topic text not null,
  language text not null,
  token text,
  token_hash text not null
    constraint follow_requests_token_hash_key unique,
  requested_at private.moment not null default now(),
  confirmed_at private.moment,
  inbox text generated always as (private.inbox_of(address)) stored,
  network text
    constraint follow_requests_network_length check (char_length(network) between 1 and 64),
  constraint follow_requests_key unique (address, topic)
);
comment on table private.follow_requests is
  'Requests to follow, deleted three days after requested_at. An address that did not confirm is stored only here.';
comment on column private.follow_requests.token is
  'The token of the link. Null once the mail was sent: a repeated attempt needs the same text, and afterwards the hash is enough.';
comment on column private.follow_requests.network is
  'A keyed hash of the network that asked, for an hour. The key is not in the database.';
create index follow_requests_newest on private.follow_requests (requested_at desc);
create index follow_requests_of_inbox on private.follow_requests (inbox);
create index follow_requests_of_network on private.follow_requests (network) where network is not null;

-- The site signs each request with this key, which it derives from the secret key; the schedule stores it here. So anon
-- may call follow(), but only the site can name the network that is counted, and no request carries the secret key.
create table private.request_key (
  is_only_row boolean primary key default true
    constraint request_key_is_only_row check (is_only_row),
  key bytea not null
    constraint request_key_length check (octet_length(key) = 32)
);
comment on table private.request_key is 'The key of the requests that the site signs.';
alter table private.request_key enable row level security;

-- Whether the site signed this text: `proof` is SHA-256 of the key and of the SHA-256 of the text, in hex.
create function private.is_from_site(words text, proof text) returns boolean
language sql stable set search_path = '' as $$
  select exists (
    select from private.request_key as known
    where encode(sha256(known.key || sha256(convert_to(words, 'UTF8'))), 'hex') = is_from_site.proof
  )
$$;

create table private.outbox (
  id bigint generated always as identity primary key,
  kind text not null
    constraint outbox_kind_known check (kind in ('update', 'spending', 'call', 'month', 'goal', 'opens', 'taken', 'custody')),
  topic text not null,
  source text not null,
  made_at private.moment not null default now(),
  due_at private.moment not null default now(),
  expanded_at private.moment,
  constraint outbox_key unique (kind, topic, source)
);
comment on table private.outbox is 'Facts that followers are told. A row holds no text: the mail has what is published when it is sent.';
comment on column private.outbox.made_at is 'Those who followed at this time get the mail. For spending the time of the newest payment.';
comment on column private.outbox.expanded_at is 'When the mails of this fact were written.';
comment on column private.outbox.source is
  'The number of an update, the URL of a statement, the month as YYYY-MM; for spending the time of the first payment; of a goal what happened, such as ''gift'' or ''returned 7''; of an order that is taken its number; of keys that changed their reading.';
create index outbox_open on private.outbox (due_at) where expanded_at is null;

create table private.outbox_payments (
  chain_id integer not null,
  tx_hash text not null,
  ordinal integer not null,
  fact_id bigint not null references private.outbox (id) on delete cascade,
  primary key (chain_id, tx_hash, ordinal)
);
comment on table private.outbox_payments is 'The payments of each fact of spending. A corrected payment is the same payment.';
create index outbox_payments_of_fact on private.outbox_payments (fact_id);

create table private.mails (
  id bigint generated always as identity primary key,
  fact_id private.safe_integer,
  follower_id private.safe_integer,
  request_id bigint references private.follow_requests (id) on delete cascade,
  state text not null default 'waiting'
    constraint mails_state_known check (state in ('waiting', 'sent', 'failed')),
  attempts integer not null default 0,
  due_at private.moment not null default now(),
  begun_at private.moment,
  claimed_at private.moment,
  member uuid references auth.users (id) on delete cascade,
  ask_id bigint references private.asks (id) on delete cascade,
  constraint mails_key unique (follower_id, fact_id),
  constraint mails_of_someone check (num_nonnulls(follower_id, request_id, member, ask_id) = 1),
  constraint mails_of_fact check (request_id is null or fact_id is null)
);
comment on table private.mails is
  'One row for each mail: of a fact to a follower, of a request (its confirmation), or the question whether to keep following.';
comment on column private.mails.begun_at is 'The first attempt. The mail service knows the idempotency key for 24 hours after it.';
comment on column private.mails.due_at is 'When to try next. A claimed mail is due again after two minutes, for the case that the run was killed.';
comment on column private.mails.member is 'Who gets a mail about their own goal.';
create index mails_waiting on private.mails ((fact_id is not null), due_at, id) where state = 'waiting';
create index mails_claimed on private.mails (claimed_at) where claimed_at is not null;
create index mails_of_request on private.mails (request_id) where request_id is not null;
create index mails_of_ask on private.mails (ask_id) where ask_id is not null;
create unique index mails_of_member on private.mails (member, fact_id) where member is not null;

create table private.stopped_addresses (
  address_hash text primary key,
  reason text not null
    constraint stopped_addresses_reason_known check (reason in ('refused', 'bounce', 'complaint')),
  stopped_at private.moment not null default now()
);
comment on table private.stopped_addresses is
  'SHA-256 of each address that the mail service refused, that does not exist, or that complained. No mail is sent to it for 13 months.';

create table private.mail_state (
  is_only_row boolean primary key default true
    constraint mail_state_is_only_row check (is_only_row),
  requested private.safe_integer not null default 0,
  sent private.safe_integer not null default 0,
  failed private.safe_integer not null default 0,
  paused_until private.moment,
  pause_reason text
    constraint mail_state_pause_reason_length check (char_length(pause_reason) between 1 and 200),
  opened_at private.moment
);
comment on table private.mail_state is 'Counters, and why the mail service refuses all mails. Its row is the lock of requests and of claims.';
comment on column private.mail_state.opened_at is 'When the site took gifts for the first time.';

insert into private.mail_state default values;

-- Triggers --------------------------------------------------------------------------------------------------

-- Foreign keys would check each of the 20,000 rows that a fact may have, so triggers delete the mails.
create function private.delete_mails() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_table_name = 'followers' then
    delete from private.mails using gone where mails.follower_id = gone.id;
  else
    delete from private.mails using gone where mails.fact_id = gone.id;
  end if;
  return null;
end;
$$;
create trigger delete_mails after delete on private.followers
  referencing old table as gone for each statement execute function private.delete_mails();
create trigger delete_mails after delete on private.outbox
  referencing old table as gone for each statement execute function private.delete_mails();

-- The address of a deleted account is deleted here too, and a changed one is changed. An exception would make the
-- member's request fail, so these functions must not raise one.
create function private.forget_follower() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.follow_requests where address = lower(old.email);
  delete from private.followers where address = lower(old.email);
  delete from private.contacts where address = lower(old.email);
  return null;
end;
$$;
create trigger forget_follower after delete on auth.users
  for each row when (old.email_confirmed_at is not null) execute function private.forget_follower();

create function private.move_follower() returns trigger
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
create trigger move_follower after update of email on auth.users
  for each row when (old.email_confirmed_at is not null and lower(old.email) <> lower(new.email))
  execute function private.move_follower();

-- The site sends no mail about a fact that is older than a week, because an import or a first reading of the chain adds
-- many old rows. The site mails an update of a goal after an hour, so that operators can freeze the goal before.
create function private.tell_update() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.published_at > now() - interval '7 days' then
    insert into private.outbox (kind, topic, source, due_at)
    values ('update', new.pool_slug, new.number::text, now() + case
      when exists (select from public.goals where slug = new.pool_slug) then interval '1 hour' else interval '0' end)
    on conflict on constraint outbox_key do nothing;
  end if;
  return null;
end;
$$;
create trigger tell_followers after insert on public.pool_updates
  for each row when (new.revision = 0) execute function private.tell_update();

-- Tells a statement once it is confirmed by its source and its payment is verified on chain.
create function private.tell_call(of_url text) returns void
language sql set search_path = '' as $$
  insert into private.outbox (kind, topic, source)
  select 'call', 'cz-call', of_url
  where exists (
    select from public.published_cz_calls as calls
    where calls.tweet_url = of_url and calls.verified and calls.status = 'verified'
      and calls.answered_at > now() - interval '7 days'
  )
  on conflict on constraint outbox_key do nothing
$$;

create function private.tell_statement() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.tell_call(new.tweet_url);
  return null;
end;
$$;
create trigger tell_followers after insert on public.cz_calls
  for each row when (new.verified and new.tx_hash is not null) execute function private.tell_statement();

-- Adds a payment to the open fact of its pool. The first payment after a quiet week opens a fact that is due an hour
-- later, so that payments of one afternoon are in one mail; the next fact is due a week after the last one was sent.
-- The caller holds the log's lock.
create function private.tell_payment(pool text, of_chain integer, of_hash text, of_ordinal integer) returns void
language plpgsql set search_path = '' as $$
declare
  fact bigint;
begin
  if exists (
    select from private.outbox_payments as known
    where known.chain_id = of_chain and known.tx_hash = of_hash and known.ordinal = of_ordinal
  ) then
    return;
  end if;
  update private.outbox as open set made_at = now()
  where open.kind = 'spending' and open.topic = pool and open.expanded_at is null
    and open.due_at > now() - interval '6 days'
  returning id into fact;
  if fact is null then
    insert into private.outbox (kind, topic, source, due_at)
    select 'spending', pool, private.entry_time(clock_timestamp()), greatest(
      now() + interval '1 hour', max(coalesce(former.expanded_at, former.due_at)) + interval '7 days'
    )
    from private.outbox as former where former.kind = 'spending' and former.topic = pool
    returning id into fact;
  end if;
  insert into private.outbox_payments (chain_id, tx_hash, ordinal, fact_id) values (of_chain, of_hash, of_ordinal, fact);
end;
$$;

create function private.tell_verified() returns trigger
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
  where changed.status = 'verified' and former.status <> 'verified' and facts.type in ('goal-gift', 'dream', 'spending')
    and facts.occurred_at > now() - interval '7 days'
  on conflict on constraint outbox_key do nothing;
  return null;
end;
$$;
create trigger tell_followers after update on private.transaction_statuses
  referencing old table as former new table as changed
  for each statement execute function private.tell_verified();

-- After an operator has accepted that the database was restored: no mail is sent for what is in the outbox, and each
-- follower is asked first, because an address that left since the backup is in it again.
create function private.hold_followers() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- The hosted data API refuses a change of all rows without a condition.
  delete from private.outbox where true;
  delete from private.follow_requests where true;
  delete from private.mails where true;
  update private.follower_topics set is_held = true where true;
  update private.followers set asked_at = now() where true;
  insert into private.mails (follower_id) select id from private.followers;
  return null;
end;
$$;
create trigger hold_followers after insert on private.log_restores
  for each statement execute function private.hold_followers();

-- The keys of a wallet, or what others may spend of it, changed on the blockchain. Operators are told.
create function private.tell_custody() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.outbox (kind, topic, source)
  select 'custody', 'custody', new.id::text
  where new.recorded_at > now() - interval '7 days' and exists (
    select from public.wallet_controls as former
    where former.chain_id = new.chain_id and former.wallet = new.wallet and former.id < new.id
  )
  on conflict on constraint outbox_key do nothing;
  return null;
end;
$$;
create trigger tell_operators after insert on public.wallet_controls
  for each row execute function private.tell_custody();

create function private.control_facts(control public.wallet_controls) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object(
    'control', control.control, 'keys', jsonb_array_length(control.owners), 'threshold', control.threshold,
    'modules', jsonb_array_length(control.modules), 'allowances', control.allowances
  )
$$;

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

-- What members may call -------------------------------------------------------------------------------------

-- Removes one topic of a follower, or all if it is null. A follower without a topic is deleted.
create function private.remove_topic(of_follower bigint, old_topic text) returns void
language plpgsql set search_path = '' as $$
begin
  delete from private.follow_requests as request using private.followers as follower
  where follower.id = of_follower and request.address = follower.address
    and (old_topic is null or request.topic = old_topic);
  delete from private.follower_topics as known
  where known.follower_id = of_follower and (old_topic is null or known.topic = old_topic);
  delete from private.followers as follower
  where follower.id = of_follower
    and not exists (select from private.follower_topics as known where known.follower_id = of_follower);
end;
$$;

-- The confirmed address of a member; null without one.
create function private.address_of(member uuid) returns text
language sql stable set search_path = '' as $$
  select lower(email) from auth.users
  where id = address_of.member and email_confirmed_at is not null and email <> ''
$$;

-- That of the calling member; null also without the second factor of a member who has one.
create function private.member_address() returns text
language sql stable security definer set search_path = '' as $$
  select private.address_of(auth.uid()) where private.is_assured()
$$;

-- The calling member leaves one topic, or all if it is null. False if the member follows no topic.
create function public.leave_as_member(topic text default null) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  own constant bigint := (select id from private.followers where address = private.member_address());
begin
  if own is null then
    return false;
  end if;
  perform private.remove_topic(own, leave_as_member.topic);
  return true;
end;
$$;

-- What the calling member follows by email: [{topic, since, is_held, kept_at, language}].
create function public.member_follows() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'topic', known.topic, 'since', known.since, 'is_held', known.is_held, 'kept_at', follower.kept_at,
    'language', follower.language
  ) order by known.since, known.topic), '[]')
  from private.followers as follower
  join private.follower_topics as known on known.follower_id = follower.id
  where follower.address = private.member_address()
$$;

-- 244 random bits.
create function private.new_token() returns text
language sql volatile set search_path = '' as $$
  select replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
$$;

-- Adds a topic to an address that is known to belong to the person who asks.
create function private.add_topic(of_address text, new_topic text, in_language text) returns void
language plpgsql set search_path = '' as $$
declare
  follower bigint;
begin
  insert into private.followers (address, language, token) values (of_address, in_language, private.new_token())
  on conflict on constraint followers_address_key do update
    set kept_at = now(), language = excluded.language,
      -- If topics are held, the question about them stays open.
      asked_at = case when exists (
        select from private.follower_topics as held where held.follower_id = followers.id and held.is_held
      ) then followers.asked_at end
  returning id into follower;
  insert into private.follower_topics as known (follower_id, topic) values (follower, new_topic)
  on conflict on constraint follower_topics_pkey do update set since = now(), is_held = false where known.is_held;
end;
$$;

-- A topic that anyone can follow. A goal can be followed until it is completed or annulled, the opening until it was told.
create function private.is_topic(given text) returns boolean
language sql stable set search_path = '' as $$
  select given in ('cz-call', 'month') or exists (select from private.open_pools where slug = given)
    or exists (select from public.goals where slug = given and opened_at is not null)
    or (given = 'opens' and (select opened_at is null from private.mail_state))
$$;

-- Follows with the address of the calling member, which is confirmed. False if the member has no confirmed address.
create function public.follow_as_member(topic text, language text default 'en') returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  own constant text := private.member_address();
begin
  if follow_as_member.topic is distinct from 'gifts' and not coalesce(private.is_topic(follow_as_member.topic), false) then
    raise check_violation using message = 'no such topic', constraint = 'follower_topics_topic_known';
  end if;
  if own is null then
    return false;
  end if;
  perform private.add_topic(own, follow_as_member.topic, follow_as_member.language);
  return true;
end;
$$;

-- What the job may call -------------------------------------------------------------------------------------

-- The work before a run sends: deletes what is too old, makes the fact of the month, asks those who have followed for a
-- year, and expands the facts that are due. Returns immediately while a rollback of the log is not accepted. Returns
-- the number of new mails.
create function public.prepare_mails() returns bigint
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
  update private.asks set address_hash = null where address_hash is not null and expires_at < now();
  delete from private.contacts where since < now() - interval '13 months' and not exists (
    select from private.asks where asks.contact = contacts.wallet and asks.made_at > now() - interval '13 months'
  );
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

  -- A day after an operator took an order to pay it by hand.
  insert into private.outbox (kind, topic, source)
  select 'taken', 'orders', orders.id::text
  from public.orders join public.order_changes as taken on taken.number = orders.id and taken.state = 'taken'
  where orders.state = 'taken' and taken.recorded_at between now() - interval '7 days' and now() - interval '24 hours'
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
      elsif fact.kind in ('taken', 'custody') then
        insert into private.mails (fact_id, member)
        select fact.id, operators.member from public.operators where until is null and operators.member is not null;
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

create function private.hash_text(given text) returns text
language sql immutable set search_path = '' as $$
  select encode(sha256(convert_to(given, 'UTF8')), 'hex')
$$;

-- Stops an address for 13 months: the mail service refused it, it does not exist, or its owner complained.
create function public.stop_address(address text, reason text) returns void
language sql security definer set search_path = '' as $$
  insert into private.stopped_addresses (address_hash, reason)
  values (private.hash_text(lower(stop_address.address)), stop_address.reason)
  on conflict (address_hash) do update set stopped_at = now(), reason = excluded.reason;
  delete from private.follow_requests as request where request.address = lower(stop_address.address);
  delete from private.followers as follower where follower.address = lower(stop_address.address);
  -- A mail that came back is not counted as a question.
  update private.asks set sent_at = null
  from private.contacts as known
  where known.address = lower(stop_address.address) and asks.contact = known.wallet
    and not exists (select from private.answers where answers.ask_id = asks.id);
  delete from private.contacts as known where known.address = lower(stop_address.address);
$$;

-- The topic by which a follower gets the mail of a fact; null if it does not get it.
create function private.topic_for(of_follower bigint, fact private.outbox) returns text
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

-- What a follower follows: a list of topics.
create function private.topics_of(follower bigint) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(topic order by topic), '[]') from private.follower_topics where follower_id = follower
$$;

-- What the mails of a fact say; null if it is no longer true, or not to be mailed.
create function private.fact_content(fact private.outbox) returns jsonb
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
        ) order by rows.occurred_at, rows.id), 'answers', private.answers_since(fact.topic, coalesce((
          select max(earlier.expanded_at) from private.outbox as earlier
          where earlier.kind = 'spending' and earlier.topic = fact.topic and earlier.id < fact.id
        ), now() - interval '30 days')))
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
    when 'taken' then
      return (
        select jsonb_build_object(
          'number', id, 'by', taken_by, 'expires_at', expires_at, 'token_amount', token_amount,
          'token_symbol', token_symbol, 'token_decimals', token_decimals
        )
        from public.published_orders where id = fact.source::bigint and state = 'taken'
      );
    when 'custody' then
      return (
        select jsonb_build_object('wallet', wallet, 'now', private.control_facts(now), 'former', (
          select private.control_facts(former) from public.wallet_controls as former
          where former.chain_id = now.chain_id and former.wallet = now.wallet and former.id < now.id
          order by former.id desc limit 1
        ))
        from public.wallet_controls as now where now.id = fact.source::bigint
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
  return null;
end;
$$;

-- Records the results of mails that a run has sent: [{id, outcome, reason}]. Outcomes: sent; again (a temporary fault:
-- tried again with backoff for 20 hours); paused (the service refuses all mails: no mail is sent for 15 minutes);
-- refused (the service refuses this address).
create function private.record_mails(results jsonb) returns void
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
        update private.asks set token = null, sent_at = now() where asks.id = mail.ask_id;
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
          (select address from private.follow_requests where id = mail.request_id), private.address_of(mail.member),
          (select address from private.contacts join private.asks on asks.contact = contacts.wallet where asks.id = mail.ask_id)
        ), 'refused');
    end case;
  end loop;
end;
$$;

-- The next payments to or from the wallet of a topic, at most five: [{id, due_at, recipient, token_amount, token_symbol,
-- token_decimals}]. `recipient`: the name of a wallet, or the slug of a pool; null for any other.
create function private.coming_orders(topic text) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(to_jsonb(coming) order by coming.due_at, coming.id), '[]')
  from (
    select
      orders.id, orders.due_at, coalesce(orders.recipient_name, orders.recipient_account) as recipient,
      orders.token_amount, orders.token_symbol, orders.token_decimals
    from public.published_orders as orders
    where orders.state = 'announced' and coming_orders.topic in (
      orders.recipient_account, orders.pool_slug,
      case orders.account when 'donation-wallet' then 'cz-call' else orders.account end
    )
    order by orders.due_at, orders.id limit 5
  ) as coming
$$;

-- Records the results of the mails before, and claims up to `most` mails: two a second and 100 a minute, for all runs
-- together. Returns {mails, facts, more}: `more` is true if others wait. A claimed mail that gets no result is due
-- again after two minutes, with the same key. Each mail is checked when it is claimed: a follower who has left since
-- gets no mail. A mail has the titles of the goals among its topics, and a member's own mail has no token.
create function public.next_mails(results jsonb, most integer default 2) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  mail private.mails;
  follower private.followers;
  request private.follow_requests;
  contact private.contacts;
  asked private.asks;
  fact private.outbox;
  content jsonb;
  by_topic text;
  mail_address text;
  mails jsonb := '[]'::jsonb;
  facts jsonb := '{}'::jsonb;
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
    select * into asked from private.asks where asks.id = mail.ask_id and private.is_current(asks.transaction_id, asks.made_at);
    select * into contact from private.contacts where contacts.wallet = asked.contact;
    mail_address := coalesce(follower.address, request.address, private.address_of(mail.member), contact.address);
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
          ' ', mail_address, fact.kind, fact.topic, fact.source, request.token_hash, asked.token_hash,
          case when coalesce(fact.id, request.id) is null then extract(epoch from follower.asked_at) end
        )),
        'address', mail_address,
        'language', coalesce(
          follower.language, request.language, contact.language,
          (select raw_user_meta_data ->> 'lang' from auth.users where id = mail.member), 'en'
        ),
        'token', coalesce(follower.token, request.token, asked.token),
        'ask', case when asked.id is not null then private.show_ask(asked)
          || jsonb_build_object('never', private.hash_text('never ' || asked.token)) end,
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

-- Counts of mails and followers; whether mails have waited for an hour and none was sent; why the mail service
-- refuses all mails (null if it does not). For operators and /healthz. `is_flooded`: more than 300 mails were asked
-- for in an hour.
create function public.mail_counts() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'waiting', (select count(*) from private.mails where state = 'waiting'),
    'sent', state.sent,
    'failed', state.failed,
    'stopped', (select count(*) from private.stopped_addresses),
    'followers', (select count(*) from private.followers),
    'is_late', exists (
      select from private.mails where state = 'waiting' and coalesce(begun_at, due_at) < now() - interval '1 hour'
    ) and not exists (
      select from private.mails where state = 'sent' and claimed_at > now() - interval '1 hour'
    ),
    'is_flooded', (
      select count(*) > 300 from private.follow_requests where requested_at > now() - interval '1 hour'
    ),
    'pause_reason', state.pause_reason
  )
  from private.mail_state as state
$$;

-- Stores the key of the requests that the site signs, as 64 hex digits, and forgets networks after an hour.
create function public.keep_request_key(key text) returns void
language sql security definer set search_path = '' as $$
  update private.follow_requests set network = null
  where network is not null and requested_at < now() - interval '1 hour';
  insert into private.request_key (key) values (decode(keep_request_key.key, 'hex'))
  on conflict (is_only_row) do update set key = excluded.key where request_key.key <> excluded.key
$$;

-- Tells those who asked, once, that the site takes gifts. The schedule calls it while the site has a wallet. A mail is tried
-- for at most a week, so eight days later no mail needs the topic, and who followed nothing else is deleted.
create function public.tell_opening() returns void
language plpgsql security definer set search_path = '' as $$
declare
  opened constant timestamptz := (select opened_at from private.mail_state);
begin
  if opened is null then
    update private.mail_state set opened_at = now() where is_only_row and opened_at is null;
    if found then
      insert into private.outbox (kind, topic, source) values ('opens', 'opens', 'opens')
      on conflict on constraint outbox_key do nothing;
    end if;
  elsif opened < now() - interval '8 days' then
    perform private.remove_topic(known.follower_id, 'opens')
    from private.follower_topics as known where known.topic = 'opens';
  end if;
end;
$$;

-- What everyone reads ---------------------------------------------------------------------------------------

-- Returns 'asked', 'network' or 'all'. The limits: one mail a day for an inbox and a topic, three for an inbox, 20 an hour
-- for a network, and 3,000 an hour for all, half of what is sent in an hour.
create function private.ask_to_follow(address text, topic text, language text, network text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  given constant text := lower(ask_to_follow.address);
  given_inbox constant text := private.inbox_of(ask_to_follow.address);
  secret constant text := private.new_token();
  in_all bigint;
  of_network bigint;
  of_inbox bigint;
  of_topic bigint;
  request bigint;
begin
  if given is null or given !~ '^[!-?A-~]{1,64}@[!-?A-~]{1,189}$' then
    raise check_violation using message = 'not an email address', constraint = 'followers_address_format';
  end if;
  if not coalesce(private.is_topic(ask_to_follow.topic), false) then
    raise check_violation using message = 'no such topic', constraint = 'follower_topics_topic_known';
  end if;
  if not coalesce(ask_to_follow.language ~ '^[a-z]{2}(-[A-Z]{2})?$', false) then
    raise check_violation using message = 'no such language', constraint = 'followers_language_known';
  end if;
  -- The lock: concurrent requests count one after the other.
  update private.mail_state set requested = requested + 1 where is_only_row;
  select
    count(*) filter (where known.requested_at > now() - interval '1 hour'),
    count(*) filter (where known.network = ask_to_follow.network and known.requested_at > now() - interval '1 hour'),
    count(*) filter (where known.inbox = given_inbox),
    count(*) filter (where known.inbox = given_inbox and known.topic = ask_to_follow.topic)
  into in_all, of_network, of_inbox, of_topic
  from private.follow_requests as known
  where known.requested_at > now() - interval '1 day';
  if of_network >= 20 then
    return 'network';
  elsif in_all >= 3000 then
    return 'all';
  end if;
  if of_inbox < 3 and of_topic = 0 then
    delete from private.follow_requests as known where known.address = given and known.topic = ask_to_follow.topic;
    insert into private.follow_requests (address, topic, language, token, token_hash, network)
    values (given, ask_to_follow.topic, ask_to_follow.language, secret, private.hash_text(secret), ask_to_follow.network)
    returning id into request;
    insert into private.mails (request_id) values (request);
  end if;
  return 'asked';
end;
$$;

-- Asks for a mail that confirms an address: asked, or network or all if too many were asked for. The answer does not
-- depend on the address. `proof`: SHA-256 of the key and of the SHA-256 of the other arguments, one a line.
-- `asked_at`: in seconds, at most five minutes ago.
create function public.follow(
  address text, topic text, language text, network text, asked_at bigint, proof text
) returns text
language plpgsql security definer set search_path = '' as $$
begin
  if abs(extract(epoch from now()) - follow.asked_at) > 300 or not private.is_from_site(concat_ws(
    E'\n', follow.address, follow.topic, follow.language, follow.network, follow.asked_at::text
  ), follow.proof) then
    raise insufficient_privilege using message = 'the site has not signed this request';
  end if;
  return private.ask_to_follow(follow.address, follow.topic, follow.language, follow.network);
end;
$$;

-- Confirms a request to follow, by the token of its mail. Returns {state, topic, leave}: confirmed or used, with the
-- token for leaving, or unknown.
create function public.confirm_follow(token text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  request private.follow_requests;
  is_new boolean;
begin
  select * into request from private.follow_requests as known
  where known.token_hash = private.hash_text(confirm_follow.token) and known.requested_at > now() - interval '3 days'
  for update;
  if request.id is null then
    return jsonb_build_object('state', 'unknown');
  end if;
  is_new := request.confirmed_at is null;
  if is_new then
    update private.follow_requests as known set confirmed_at = now() where known.id = request.id;
    perform private.add_topic(request.address, request.topic, request.language);
  end if;
  return jsonb_build_object(
    'state', case when is_new then 'confirmed' else 'used' end, 'topic', request.topic,
    'leave', (select known.token from private.followers as known where known.address = request.address)
  );
end;
$$;

-- Leaves one topic, or all if it is null, by the token of a mail. Returns {state, topics}: left, with the topics that
-- the address still follows, or unknown.
create function public.leave(token text, topic text default null) returns jsonb
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

-- Answers the mail that asks whether to keep following. Returns {state, topics}: kept, with the topics, or unknown.
create function public.keep_following(token text) returns jsonb
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

-- For all followers of what they gave to in one search, because a search for each of thousands took minutes.
create view private.pool_givers with (security_invoker = false) as
select distinct lower(users.email) as address, facts.pool_slug as pool
from public.transactions as facts
join private.transaction_statuses as statuses on statuses.transaction_id = facts.id and statuses.status = 'verified'
join public.proven_wallets on proven_wallets.address = facts.from_address
join auth.users on users.id = proven_wallets.user_id
where facts.type = 'gift' and facts.pool_slug is not null;
comment on view private.pool_givers is
  'The members whose wallets gave to a pool. The wallets'' signatures are not verified here: a member who names a stranger''s wallet gets mails about a pool that anyone can follow.';

-- Grants ----------------------------------------------------------------------------------------------------

grant execute on function
  public.leave_as_member, public.member_follows, public.follow_as_member
  to authenticated;
grant execute on function
  public.prepare_mails, public.stop_address, public.next_mails, public.mail_counts, public.keep_request_key,
  public.tell_opening
  to service_role;
grant execute on function
  public.follow, public.confirm_follow, public.leave, public.keep_following
  to anon, authenticated, service_role;

reset check_function_bodies;
