-- Mails to followers announce the coming payments of their topic.

-- SQL functions of this file name views that are created later.
set check_function_bodies = off;

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
        'fact_id', fact.id,
        'coming', case when fact.id is not null and mail.member is null then private.coming_orders(by_topic) else '[]' end
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

revoke all on function private.coming_orders from public, anon, authenticated, service_role;

reset check_function_bodies;
