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

create or replace function private.is_topic(given text) returns boolean
language sql stable set search_path = '' as $$
  select given in ('cz-call', 'month') or exists (select from private.accounts where slug = given and is_pool)
    or exists (select from public.goals where slug = given and opened_at is not null)
    or (given = 'opens' and (select opened_at is null from private.mail_state))
$$;

create or replace function private.fact_content(fact private.outbox) returns jsonb
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
        ) order by rows.occurred_at, rows.id))
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
          'month', fact.source,
          'received_usd', coalesce(sum(months.received_usd) filter (where months.month = month_begin), 0)::text,
          'paid_usd', coalesce(sum(months.paid_usd) filter (where months.month = month_begin), 0)::text,
          'left_usd', coalesce(sum(months.received_usd - months.paid_usd), 0)::text,
          'disputed_count', (
            select coalesce(sum(sums.row_count), 0) from private.sums_by_month as sums
            where sums.month = month_begin and sums.status in ('mismatch', 'reorganised')
          ),
          'pending_count', (
            select coalesce(sum(sums.row_count), 0) from private.sums_by_month as sums
            where sums.month = month_begin and sums.status in ('pending', 'unreachable')
          ),
          'unvalued_count', (
            select coalesce(sum(sums.row_count - sums.valued_count), 0) from private.sums_by_month as sums
            where sums.month = month_begin and sums.status = 'verified'
          ),
          'compared_wallets', (select count(distinct found.wallet) from public.published_reconciliations as found),
          'different_wallets', (
            select count(distinct found.wallet) from public.published_reconciliations as found
            where found.difference::numeric <> 0 or jsonb_array_length(found.unlisted) > 0
          ),
          'unknown_wallets', (
            select count(distinct found.wallet) from public.published_reconciliations as found
            where found.difference is null or found.block_time < month_end
          )
        )
        from public.ledger_months as months where months.month <= month_begin
      );
  end case;
end;
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

revoke all on function public.tell_opening from public, anon, authenticated, service_role;
grant execute on function public.tell_opening to service_role;

reset check_function_bodies;
