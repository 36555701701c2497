-- Followers get mails in the language of the page on which they asked.

-- The code of a language (app/locales/locales.ts), such as 'tr'. The site sends English for one that it does not offer.
alter table private.followers
  drop constraint followers_language_known,
  add constraint followers_language_known check (language ~ '^[a-z]{2}(-[A-Z]{2})?$');

create or replace function public.follow(address text, topic text, language text default 'en') returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  given constant text := lower(follow.address);
  secret constant text := private.new_token();
  in_all bigint;
  of_address bigint;
  of_topic bigint;
  request bigint;
begin
  if given is null or given !~ '^[!-?A-~]{1,64}@[!-?A-~]{1,189}$' then
    raise check_violation using message = 'not an email address', constraint = 'followers_address_format';
  end if;
  if not coalesce(private.is_topic(follow.topic), false) then
    raise check_violation using message = 'no such topic', constraint = 'follower_topics_topic_known';
  end if;
  if not coalesce(follow.language ~ '^[a-z]{2}(-[A-Z]{2})?$', false) then
    raise check_violation using message = 'no such language', constraint = 'followers_language_known';
  end if;
  -- The lock: concurrent requests count one after the other.
  update private.mail_state set requested = requested + 1 where is_only_row;
  select
    count(*) filter (where known.requested_at > now() - interval '1 hour'),
    count(*) filter (where known.address = given),
    count(*) filter (where known.address = given and known.topic = follow.topic)
  into in_all, of_address, of_topic
  from private.follow_requests as known
  where known.requested_at > now() - interval '1 day';
  if in_all >= 300 then
    return false;
  end if;
  if of_address < 3 and of_topic = 0 then
    delete from private.follow_requests as known where known.address = given and known.topic = follow.topic;
    insert into private.follow_requests (address, topic, language, token, token_hash)
    values (given, follow.topic, follow.language, secret, private.hash_text(secret))
    returning id into request;
    insert into private.mails (request_id) values (request);
  end if;
  return true;
end;
$$;

drop function public.follow_as_member(text);
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
comment on function public.follow_as_member(text, text) is
  'Follows with the address of the calling member, which is confirmed. False if the member has no confirmed address.';
revoke all on function public.follow_as_member(text, text) from public, anon, authenticated, service_role;
grant execute on function public.follow_as_member(text, text) to authenticated;
