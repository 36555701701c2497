-- The page of operators makes one call: operator_overview() also returns what listening_overview() returned. Its time
-- does not grow with the ledger.

-- What waits for an operator: of each queue the count, up to 101, and ten items. In PL/pgSQL, which keeps the plans of a
-- session.
create or replace function private.operator_queues(caller text) returns jsonb
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set jit = off as $$
begin
  return jsonb_build_object(
    'drafts', private.queue_of((
      select jsonb_agg(jsonb_build_object('id', id, 'kind', kind, 'subject', subject, 'at', saved_at) order by saved_at desc)
      from public.operator_acts where operator_acts.by = caller and state = 'draft'
    )),
    'waiting', private.queue_of((
      select jsonb_agg(jsonb_build_object(
        'id', id, 'kind', kind, 'subject', subject, 'by', acts.by, 'at', submitted_at, 'mine', acts.by = caller
      ) order by submitted_at)
      from (select * from public.operator_acts where state = 'waiting' order by submitted_at limit 101) as acts
    )),
    'statements', private.queue_of((
      select jsonb_agg(jsonb_build_object(
        'link', tweet_url, 'author', author, 'posted_at', posted_at, 'revision', revision
      ) order by posted_at desc, id desc)
      from (
        select * from public.cz_calls as calls
        where not verified and not exists (
          select from public.cz_calls as later where later.tweet_url = calls.tweet_url and later.revision = calls.revision + 1
        )
        order by posted_at desc, id desc limit 101
      ) as unconfirmed
    )),
    'other', private.queue_of((
      select jsonb_agg(private.payment_item(facts) order by facts.id desc)
      from (
        select * from public.transactions
        where type = 'other' and direction = 'out' and account in ('treasury', 'donation-wallet') and note_hash is null
          and exists (select from private.transaction_statuses where transaction_id = transactions.id)
        order by id desc limit 101
      ) as facts
    )),
    'purposes', private.queue_of((
      select jsonb_agg(private.payment_item(facts) order by facts.id desc)
      from (
        select * from public.transactions
        where type = 'spending' and note_hash is null
          and exists (select from private.transaction_statuses where transaction_id = transactions.id)
        order by id desc limit 101
      ) as facts
    )),
    -- Each step reads the next address from the index, so recipients of many payments cost no more than others.
    'names', private.queue_of((
      with recursive recipients as (
        select min(to_address::text) as address from public.transactions where type = 'spending' and counter_account is null
        union all
        select (
          select min(next.to_address::text) from public.transactions as next
          where next.type = 'spending' and next.counter_account is null and next.to_address > recipients.address
        )
        from recipients where recipients.address is not null
      )
      select jsonb_agg(jsonb_build_object('address', unnamed.address))
      from (
        select address from recipients
        where address is not null
          and not exists (select from public.wallet_names where wallet_names.address = recipients.address)
          -- A value and not EXISTS, which the planner turns into a join with every payment.
          and (
            select facts.id from public.transactions as facts
            join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
            where facts.to_address = recipients.address and facts.type = 'spending' and facts.counter_account is null
            limit 1
          ) is not null
        limit 101
      ) as unnamed
    ))
  );
end;
$$;

alter function public.listening_overview() set schema private;
alter function private.listening_overview() rename to operator_listening;
revoke all on function private.operator_listening() from public, anon, authenticated, service_role;
comment on function private.operator_listening() is
  'The sources, the posts that wait for an operator, and the statements whose post has changed; null for other members.';

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
    'listening', case when caller is not null then private.operator_listening() end,
    'health', case when caller is not null then private.operator_health() end,
    'mail', case when caller is not null then public.mail_counts() end
  );
end;
$$;
comment on function public.operator_overview() is
  'What waits for the calling operator, the sources, the health of the ledger, and the counts of mails; null for other members.';
