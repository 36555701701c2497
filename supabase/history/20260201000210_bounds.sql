-- What a stranger can use up: mails that confirm an address, and room for pictures. And what one person alone can do: a
-- feed about a statement of others, an operator about the last other operator.

-- Requests to follow ------------------------------------------------------------------------------------------

-- The inbox of an address: without what follows '+' in its local part, and at Gmail without the dots that it ignores.
create function private.inbox_of(address text) returns text
language sql immutable set search_path = '' as $$
  select case when host in ('gmail.com', 'googlemail.com') then replace(name, '.', '') || '@gmail.com' else name || '@' || host end
  from (
    select split_part(split_part(lower(address), '@', 1), '+', 1) as name, split_part(lower(address), '@', 2) as host
  ) as parts
$$;

alter table private.follow_requests
  add column inbox text generated always as (private.inbox_of(address)) stored,
  add column network text
    constraint follow_requests_network_length check (char_length(network) between 1 and 64);
comment on column private.follow_requests.network is
  'A keyed hash of the network that asked, for an hour. The key is not in the database.';
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
revoke all on private.request_key from public, anon, authenticated, service_role;

create function public.keep_request_key(key text) returns void
language sql security definer set search_path = '' as $$
  update private.follow_requests set network = null
  where network is not null and requested_at < now() - interval '1 hour';
  insert into private.request_key (key) values (decode(keep_request_key.key, 'hex'))
  on conflict (is_only_row) do update set key = excluded.key where request_key.key <> excluded.key
$$;
comment on function public.keep_request_key(text) is 'Stores the key of the requests that the site signs, as 64 hex digits, and forgets networks after an hour.';

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

drop function public.follow(text, text, text);
-- `proof`: SHA-256 of the key and of the SHA-256 of the other arguments, one a line. `asked_at`: in seconds, at most five
-- minutes ago.
create function public.follow(
  address text, topic text, language text, network text, asked_at bigint, proof text
) returns text
language plpgsql security definer set search_path = '' as $$
begin
  if abs(extract(epoch from now()) - follow.asked_at) > 300 or not exists (
    select from private.request_key as known
    where encode(sha256(known.key || sha256(convert_to(concat_ws(
      E'\n', follow.address, follow.topic, follow.language, follow.network, follow.asked_at::text
    ), 'UTF8'))), 'hex') = follow.proof
  ) then
    raise insufficient_privilege using message = 'the site has not signed this request';
  end if;
  return private.ask_to_follow(follow.address, follow.topic, follow.language, follow.network);
end;
$$;
comment on function public.follow(text, text, text, text, bigint, text) is
  'Asks for a mail that confirms an address: asked, or network or all if too many were asked for. The answer does not depend on the address.';

-- As before, and `is_flooded`: more than 300 mails were asked for in an hour.
create or replace function public.mail_counts() returns jsonb
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

-- Pictures of goals -------------------------------------------------------------------------------------------

-- As before, and: a member has at most 60 pictures and 30 MiB for goals that are not public, also of goals that were
-- deleted. Two operators approve each goal that becomes public.
create or replace function private.has_goal_picture_room(name text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.goals
    where id = private.goal_of_picture(name) and member = (select auth.uid()) and stage in ('draft', 'returned', 'open', 'ended')
      and (
        select count(*) < 20 + (select count(*) from public.pool_updates where pool_slug = goals.slug and revision = 0)
        from storage.objects
        where bucket_id = 'goals' and objects.name ~>=~ (goals.id || '/') and objects.name ~<~ (goals.id || '0')
      )
  ) and (
    select count(*) < 60 and coalesce(sum((objects.metadata ->> 'size')::bigint), 0) < 28 * 1024 * 1024
    from storage.objects
    where bucket_id = 'goals' and objects.owner_id = (select auth.uid())::text and not exists (
      select from public.goals where id = private.goal_of_picture(objects.name) and private.is_public_stage(stage)
    )
  )
$$;

-- As before, and: the pictures of a goal that was deleted go with the next run.
create or replace function public.orphaned_goal_pictures() returns setof text
language sql stable security definer set search_path = '' as $$
  select objects.name
  from storage.objects
  where objects.bucket_id = 'goals'
    and (
      objects.created_at < now() - interval '1 hour'
      or not exists (select from public.goals where id = private.goal_of_picture(objects.name))
    )
    and not exists (select from public.goals where picture_path = objects.name)
    and not exists (
      select from public.goals
      join public.pool_updates on pool_slug = goals.slug
      join private.log_texts as links on links.hash = pool_updates.links_hash
      where goals.id = private.goal_of_picture(objects.name)
        and strpos(links.text, '/pictures/goals/' || objects.name) > 0
    )
  order by objects.created_at
  limit 100;
$$;

-- Statements --------------------------------------------------------------------------------------------------

-- Whether a source may say what a statement reads now: a feed only of a page of its own host or of a host under or above
-- it, and X of its posts.
create function private.speaks_for(source text, url text) returns boolean
language sql immutable security definer set search_path = '' as $$
  select case
    when source ~ '^x:' then private.x_post_id(url) is not null
    when private.x_post_id(url) is not null then false
    else feed = page or right(page, char_length(feed) + 1) = '.' || feed or right(feed, char_length(page) + 1) = '.' || page
  end
  from (
    select
      regexp_replace(lower(substring(source from '^https?://([^/?#:]*)')), '^www\.', '') as feed,
      regexp_replace(lower(substring(url from '^https?://([^/?#:]*)')), '^www\.', '') as page
  ) as hosts
$$;

-- As before, and: a source changes the words of a published statement only if it speaks for its page.
create or replace function private.store_post(of_source text, post jsonb) returns text
language plpgsql set search_path = '' as $$
declare
  new_key constant text := private.post_key(post ->> 'url');
  stated constant timestamptz := (post ->> 'posted_at')::timestamptz;
  has_time constant boolean := coalesce(stated <= now() + interval '5 minutes', false);
  known private.statement_posts;
  added bigint;
begin
  if not private.names_its_host(post ->> 'url') then
    return null;
  end if;
  select * into known from private.statement_posts where key = new_key for update;
  if known.id is null then
    if not (post ->> 'matches')::boolean then
      return null;
    end if;
    insert into private.statement_posts (key, source, state, url, author, posted_at, time_is_capture, x_id, sha256, check_after)
    values (
      new_key, of_source, 'open', post ->> 'url', post ->> 'author', case when has_time then stated else now() end,
      not has_time, private.x_post_id(post ->> 'url'), post ->> 'sha256',
      now() + case when of_source ~ '^x:' then interval '1 day' else interval '0' end
    )
    on conflict (key) do nothing
    returning id into added;
    if added is null then
      return null;
    end if;
    perform private.capture_post(added, post ->> 'text', post ->> 'sha256');
    return 'added';
  elsif known.state = 'published' and not private.speaks_for(of_source, known.url) then
    return null;
  elsif known.state = 'published' and known.sha256 is null and known.gone_at is null then
    -- The statement was typed by hand before its post was seen: the post begins with these words.
    update private.statement_posts set
      source = coalesce(source, of_source), sha256 = post ->> 'sha256', published_sha256 = post ->> 'sha256',
      captured_at = now()
    where id = known.id;
    perform private.capture_post(known.id, post ->> 'text', post ->> 'sha256');
    return null;
  elsif known.state not in ('open', 'published') or known.gone_at is not null
    or known.source is distinct from of_source or known.sha256 = post ->> 'sha256'
    or (known.x_id is null and known.captured_at < now() - interval '30 days')
    or (known.x_id is not null and of_source !~ '^x:' and known.checked_at is not null) then
    return null;
  end if;
  update private.statement_posts set sha256 = post ->> 'sha256', edited_at = now() where id = known.id;
  perform private.capture_post(known.id, post ->> 'text', post ->> 'sha256');
  return 'edited';
end;
$$;

-- As before, with the first 20,000 characters of each text: a page has at most 4 MB.
create or replace function public.read_post(post bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_operator() then
    return null;
  end if;
  return (
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
    from private.statement_posts as posts where posts.id = read_post.post
  );
end;
$$;

-- Operators ---------------------------------------------------------------------------------------------------

-- Whether a member has used a mail to the account's address: to confirm it, or to sign in. A project that does not confirm
-- addresses marks each one as confirmed.
create function private.has_shown_address(of_member uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from auth.users
    where id = of_member and email_confirmed_at is not null
      and (confirmation_sent_at <= email_confirmed_at or invited_at <= email_confirmed_at)
  ) or exists (
    select from auth.sessions
    join auth.mfa_amr_claims as claims on claims.session_id = sessions.id
    where sessions.user_id = of_member
      and claims.authentication_method in ('otp', 'magiclink', 'recovery', 'invite', 'email/signup')
  );
end;
$$;

-- As before, and: operators appoint only who has shown the address. The command line needs no proof.
create or replace function private.perform_operator(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  email constant text := act.arguments ->> 'email';
  new_handle constant text := act.arguments ->> 'handle';
  found_member constant uuid := public.find_member(email);
begin
  perform private.check_words('email', email, 1, 320);
  perform private.check_words('handle', new_handle, 1, 30);
  perform private.check_pattern('handle', new_handle, '^[a-z][a-z0-9-]{2,29}$');
  if found_member is null then
    perform private.refuse_act('no_account', jsonb_build_object('field', 'email'));
  elsif not exists (select from auth.mfa_factors where user_id = found_member and status = 'verified') then
    perform private.refuse_act('no_factor', jsonb_build_object('field', 'email'));
  elsif exists (select from public.operators where member = found_member and until is null) then
    perform private.refuse_act('already_operator', jsonb_build_object('field', 'email'));
  elsif exists (select from public.operators where handle = new_handle) then
    perform private.refuse_act('exists', jsonb_build_object('field', 'handle'));
  elsif act."by" is not null and not private.has_shown_address(found_member) then
    perform private.refuse_act('unconfirmed', jsonb_build_object('field', 'email'));
  end if;
  insert into public.operators (handle, member) values (new_handle, found_member);
  return jsonb_build_object('subject', new_handle);
end;
$$;

-- Who an open act would appoint: {name, created_at, confirmed}; null for other members and other acts.
create function public.read_appointee(act uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant text := private.operator_handle();
begin
  if caller is null then
    return null;
  end if;
  return (
    select jsonb_build_object(
      'name', profiles.username, 'created_at', users.created_at, 'confirmed', private.has_shown_address(users.id)
    )
    from public.operator_acts as acts
    join auth.users on lower(users.email) = lower(acts.arguments ->> 'email')
    join public.profiles on profiles.id = users.id
    where acts.id = read_appointee.act and acts.kind = 'operator'
      and (acts.state = 'waiting' or (acts.state = 'draft' and acts."by" = caller))
  );
end;
$$;
comment on function public.read_appointee(uuid) is 'The account that an open act appoints, for an operator; null for other members.';

-- Whether an act ends the last other operator: then the caller alone would decide about everything.
create function private.leaves_one(act public.operator_acts, caller text) returns boolean
language sql stable security definer set search_path = '' as $$
  select act.kind = 'operator-end' and act.subject <> caller
    and (select count(*) from public.operators where until is null and handle <> act.subject) < 2
$$;

-- As before, and: the end of the last other operator waits.
create or replace function public.submit_act(act uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  caller constant text := private.begin_act(true);
  draft constant public.operator_acts := private.open_act(act, caller, '{draft}');
begin
  if not (private.needs_two(draft.kind) or private.leaves_one(draft, caller)) then
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

-- As before, and: an end that waits is confirmed by the other operator, or after an hour by who proposed it.
create or replace function public.confirm_act(act uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  caller constant text := private.begin_act(true);
  proposed constant public.operator_acts := private.open_act(act, caller, '{waiting}');
begin
  if private.is_same_person(proposed."by", caller) then
    if proposed.kind = 'operator-end' and proposed.submitted_at < now() - interval '1 hour' then
      return private.finish_act(proposed, private.perform(proposed), null);
    end if;
    perform private.refuse_act('own_act');
  elsif not exists (select from public.operators where handle = proposed."by" and until is null) then
    perform private.refuse_act('proposer_ended');
  end if;
  return private.finish_act(proposed, private.perform(proposed), caller);
end;
$$;

-- Privileges --------------------------------------------------------------------------------------------------

revoke all on function
  private.inbox_of(text), private.ask_to_follow(text, text, text, text), private.speaks_for(text, text),
  private.has_shown_address(uuid), private.leaves_one(public.operator_acts, text),
  public.keep_request_key(text), public.follow(text, text, text, text, bigint, text), public.read_appointee(uuid)
  from public, anon, authenticated, service_role;
grant execute on function public.follow(text, text, text, text, bigint, text) to anon, authenticated, service_role;
grant execute on function public.keep_request_key(text) to service_role;
grant execute on function public.read_appointee(uuid) to authenticated;
