-- The topic 'opens': one mail when the site can take gifts for the first time. The schedule says so, because only the site
-- knows its wallets. Afterwards no one can follow the topic, and who followed nothing else is deleted.

set check_function_bodies = off;

alter table private.mail_state add column opened_at private.moment;
comment on column private.mail_state.opened_at is 'When the site took gifts for the first time.';

comment on table private.follower_topics is
  'What each address follows: the slug of a pool, cz-call, month (the monthly account), opens (the opening) or gifts (pools that a member gave to).';

alter table private.outbox drop constraint outbox_kind_known;
alter table private.outbox add constraint outbox_kind_known
  check (kind in ('update', 'spending', 'call', 'month', 'goal', 'opens'));

alter function private.is_topic(text) rename to is_other_topic;
create function private.is_topic(given text) returns boolean
language sql stable set search_path = '' as $$
  select case given
    when 'opens' then (select opened_at is null from private.mail_state)
    else private.is_other_topic(given)
  end
$$;

alter function private.fact_content(private.outbox) rename to fact_content_of_others;
create function private.fact_content(fact private.outbox) returns jsonb
language sql stable set search_path = '' as $$
  select case fact.kind when 'opens' then '{}'::jsonb else private.fact_content_of_others(fact) end
$$;

-- A mail is tried for at most a week, so that eight days later no mail needs the topic.
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
comment on function public.tell_opening() is
  'Tells those who asked, once, that the site takes gifts. The schedule calls it while the site has a wallet.';

revoke all on function
  private.is_topic, private.fact_content, public.tell_opening from public, anon, authenticated, service_role;
grant execute on function public.tell_opening to service_role;

reset check_function_bodies;
