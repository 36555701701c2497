-- Texts of members and names: one rule for all of them. A text names no way to pay and no way to leave this site; a name
-- cannot be mistaken for another one. Updates of goals wait an hour before they are mailed, and are hidden with their goal.

-- The rule ----------------------------------------------------------------------------------------------------

-- A text as a person reads it: NFKC, without the characters that fonts do not show (Default_Ignorable_Code_Point).
create function private.plain_text(words text) returns text
language sql immutable set search_path = '' as $$
  select regexp_replace(
    normalize(words, NFKC),
    '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]',
    '', 'g'
  )
$$;

-- Why a member's text is refused: 'address' for a way to pay, 'link' for a way to leave the site, null if it has neither.
-- app/fundme/member-text.server.ts has the same patterns, and tests/support/member-texts.ts texts for both.
create function private.text_fault(words text) returns text
language sql immutable set search_path = '' as $$
  select case
    -- A word of 26 letters and digits has both only in an address or an account number.
    when plain ~* '0x([ _.-]?[0-9a-f]){40}' or exists (
      select from regexp_matches(plain, '[0-9A-Za-z]{26,}', 'g') as long where long[1] ~ '[0-9]' and long[1] ~ '[A-Za-z]'
    ) or plain ~ '\m[EUk]Q[0-9A-Za-z_-]{46}'
      or plain ~ '[0-9A-Za-z-]\.(eth|sol|bnb|crypto|nft|wallet|bitcoin|blockchain|dao|ETH|SOL|BNB|Eth|Bnb)(?![\w''’-])'
      or plain ~* '\m(bitcoin|ethereum|tron|solana|litecoin|ripple|monero):[0-9a-z]'
    then 'address'
    when plain ~* '[a-z]://|\mwww\.|\mmailto:' or plain ~* '(^|[^\w@.])@[a-z0-9_.]{3,}'
      or plain ~* '\m(t|telegram|wa|paypal|line|m|revolut)\.me(?![\w''’-])|\mcash\.app(?![\w''’-])'
      -- The end of a domain that is no word. Of one that is a word, only with a path: 'We need coats.Help us'.
      or plain ~* '[0-9a-z-](\.|。| ?[\[({] ?(\.|dot) ?[\])}] ?| dot )(com|org|io|xyz|ru|cn|hk|tk|tw|vip|icu|gg|ly|eu|uk|de|fr|nl|tr|ir|ae|ng|biz|dev|finance|foundation|website|exchange|gov|edu)(?![\w''’-])'
      or plain ~* '[0-9a-z-]{4}(\.|。| ?[\[({] ?(\.|dot) ?[\])}] ?| dot )net(?![\w''’-])'
      or plain ~ '[0-9a-z-](\.|。)(co|app|info|online|site|shop|store|top|live|link|click|club|page|cash|money|fund|help|world|support|charity)(?![\w''’-])'
      or plain ~* '[0-9a-z-]\.[a-z]{2,24}/[0-9a-z]'
    then 'link'
  end
  from private.plain_text(words) as plain
$$;

-- The number of characters that a person sees, without spaces and ASCII punctuation.
create function private.seen_length(words text) returns integer
language sql immutable set search_path = '' as $$
  select char_length(regexp_replace(private.plain_text(words), '[\s!-/:-@\[-`{-~]', '', 'g'))
$$;

-- An https link whose host is where it begins: 'https://x.com@other.example' leads elsewhere than it says.
create function private.names_its_host(link text) returns boolean
language sql immutable set search_path = '' as $$
  select link !~ '^https?://[^/?#]*@'
$$;

-- Links -------------------------------------------------------------------------------------------------------

create or replace function private.check_https(name text, link text) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if link !~ '^https://\S+$' or char_length(link) > 2000 or not private.names_its_host(link) then
    raise check_violation using message = name || ' must be an https link', constraint = name || '_https';
  end if;
end;
$$;

create or replace function private.check_link(field text, link text) returns void
language plpgsql set search_path = '' as $$
begin
  perform private.check_words(field, link, 0, 2000);
  perform private.check_pattern(field, link, '^https://[\u0021-\u007e]+$');
  if not private.names_its_host(link) then
    perform private.refuse_field(field, 'format');
  end if;
end;
$$;

-- Drafts ------------------------------------------------------------------------------------------------------

-- Refuses what was typed, not what was stored before this rule: such a draft can be read, changed and deleted, and
-- submit_goal refuses it.
create function private.check_goal_words() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  former constant jsonb := case when tg_op = 'UPDATE' then to_jsonb(old) else '{}' end;
  field text;
begin
  select given.key into field
  from jsonb_each(to_jsonb(new)) as given
  where given.key in ('title', 'byline', 'category', 'story', 'picture_text', 'plan', 'links')
    and given.value is distinct from former -> given.key
    and case given.key
      when 'links' then exists (
        select from regexp_split_to_table(given.value #>> '{}', E'\n') as link where not private.names_its_host(link)
      )
      when 'plan' then exists (
        select from jsonb_array_elements(given.value) as line where private.text_fault(line ->> 'what') is not null
      )
      else private.text_fault(given.value #>> '{}') is not null
    end
  limit 1;
  if field is not null then
    raise check_violation using
      message = format('a way to pay or a link violates check constraint "goals_%s"', field), constraint = 'goals_' || field;
  end if;
  return new;
end;
$$;
create trigger check_goal_words before insert or update on public.goals
  for each row when (new.stage in ('draft', 'returned')) execute function private.check_goal_words();

-- As before, and: each text follows the rule, and a wallet is taken by a goal that is or was public, or by another one of the member. A proof that the
-- schedule has not verified yet takes no wallet from its owner.
create or replace function private.goal_faults(draft public.goals) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('field', field, 'why', why)), '[]')
  from (
    values
      ('title', case when private.seen_length(draft.title) < 3 then 'missing' else private.text_fault(draft.title) end),
      ('byline', case when private.seen_length(draft.byline) < 2 then 'missing' else private.text_fault(draft.byline) end),
      ('category', case when private.seen_length(draft.category) < 2 then 'missing' else private.text_fault(draft.category) end),
      ('target', case when draft.target_usd is null then 'missing'
        when draft.target_usd not between 50 and 25000 then 'range' end),
      ('days', case when draft.days is null then 'missing' when draft.days not between 7 and 30 then 'range' end),
      ('plan', case
        when draft.plan = '[]' or exists (
          select from jsonb_array_elements(draft.plan) as line
          where private.seen_length(line ->> 'what') = 0 or coalesce((line ->> 'amount')::numeric, 0) = 0
        ) then 'missing'
        when (select sum((line ->> 'amount')::numeric) from jsonb_array_elements(draft.plan) as line)
          <> draft.target_usd then 'sum'
        else (
          select min(private.text_fault(line ->> 'what')) from jsonb_array_elements(draft.plan) as line
        ) end),
      ('story', case when char_length(btrim(draft.story, E' \n')) < 40 or private.seen_length(draft.story) < 20 then 'missing'
        else private.text_fault(draft.story) end),
      ('picture', case when draft.picture_path is not null and not exists (
        select from storage.objects where bucket_id = 'goals' and name = draft.picture_path
      ) then 'missing' end),
      ('picture_text', case when draft.picture_path is null then null when private.seen_length(draft.picture_text) = 0 then 'missing'
        else private.text_fault(draft.picture_text) end),
      ('wallet', case
        when draft.wallet is null then 'missing'
        when not exists (
          select from public.proven_wallets where user_id = draft.member and address = draft.wallet
        ) then 'unproven'
        when exists (
          select from public.goals as other
          where other.wallet = draft.wallet and other.id <> draft.id
            and (private.is_public_stage(other.stage) or (other.stage = 'submitted' and other.member = draft.member))
        ) then 'taken'
        when exists (select from public.transactions where to_address = draft.wallet or from_address = draft.wallet) then 'used'
        when exists (
          select from private.goal_checks
          where goal = draft.id and goal_checks.wallet = draft.wallet and fault in ('ours', 'used', 'holds')
        ) then 'used'
      end)
  ) as faults (field, why)
  where why is not null
$$;

drop index public.goals_wallet;
create unique index goals_wallet on public.goals (wallet) where stage in ('open', 'ended', 'completed', 'annulled');
create index goals_submitted_wallet on public.goals (wallet) where stage = 'submitted';

-- As before, and: a wallet that another goal has is used.
create or replace function public.record_goal_check(goal uuid, result jsonb) returns text
language plpgsql security definer set search_path = '' as $$
declare
  waiting public.goals;
  found_fault text := case
    when not (result ->> 'proven')::boolean then 'proof'
    when (result ->> 'ours')::boolean then 'ours'
    when (result ->> 'nonce')::bigint > 0 then 'used'
    when result -> 'holds' <> '[]' then 'holds'
  end;
begin
  select * into waiting from public.goals where id = record_goal_check.goal for update;
  if waiting.stage is distinct from 'submitted' or waiting.revision <> (result ->> 'revision')::integer then
    return null;
  end if;
  -- The first goal whose proof is verified has the wallet.
  if found_fault is null and exists (
    select from public.goals as other
    left join private.goal_checks as checks on checks.goal = other.id
    where other.wallet = waiting.wallet and other.id <> waiting.id and (
      private.is_public_stage(other.stage)
      or (other.stage = 'submitted' and checks.wallet = other.wallet and checks.fault is null)
    )
  ) then
    found_fault := 'used';
  end if;
  insert into private.goal_checks as checks (goal, wallet, fault, block_number, block_hash, nonce, holds)
  values (
    waiting.id, waiting.wallet, found_fault, (result ->> 'block_number')::bigint, result ->> 'block_hash',
    (result ->> 'nonce')::bigint, result -> 'holds'
  )
  on conflict on constraint goal_checks_pkey do update set
    wallet = excluded.wallet, fault = excluded.fault, block_number = excluded.block_number,
    block_hash = excluded.block_hash, nonce = excluded.nonce, holds = excluded.holds, checked_at = now();
  if found_fault is null then
    return 'submitted';
  end if;
  perform private.move_goal(waiting.id, 'returned', 'schedule', code => found_fault);
  return 'returned';
end;
$$;

-- As before, and: at most 20 submissions of a member in a day; the texts of the last two of a goal are kept.
create or replace function public.submit_goal(goal uuid, version bigint) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  draft constant public.goals := private.own_goal(goal, '{draft,returned}');
  blocking public.goals;
  faults jsonb;
  new_slug text := draft.slug;
begin
  perform pg_advisory_xact_lock(hashtextextended('goals ' || draft.member, 0));
  if draft.version <> submit_goal.version then
    perform private.refuse_act('changed');
  end if;
  faults := private.goal_faults(draft);
  if faults <> '[]' then
    perform private.refuse_act('incomplete', jsonb_build_object('faults', faults));
  end if;
  select * into blocking from public.goals
  where member = draft.member and stage in ('submitted', 'open', 'ended') limit 1;
  if blocking.id is not null then
    perform private.refuse_act('in_the_way', jsonb_build_object(
      'goal', blocking.id, 'slug', blocking.slug, 'stage', blocking.stage,
      'overdue', blocking.stage = 'ended' and blocking.ended_at < now() - interval '90 days'
    ));
  end if;
  if (
    select count(*) from private.goal_moves as moves join public.goals on goals.id = moves.goal
    where goals.member = draft.member and moves.stage = 'submitted' and moves.moved_at > now() - interval '1 day'
  ) >= 20 then
    perform private.refuse_act('too_many', jsonb_build_object('most', 20));
  end if;
  while new_slug is null or (draft.slug is null and exists (select from public.goals where slug = new_slug)) loop
    select 'goal-' || string_agg(substr('bcdfghjkmnpqrstvwxz', 1 + get_byte(random.bytes, place) % 19, 1), '')
    into new_slug
    from (select uuid_send(gen_random_uuid()) as bytes) as random, unnest('{0,1,2,3,4,5,9,10}'::integer[]) as place;
  end loop;
  update public.goals set
    slug = new_slug, title = btrim(title), byline = btrim(byline), category = btrim(category),
    story = btrim(story, E' \n'), picture_text = btrim(picture_text)
  where id = draft.id;
  delete from private.goal_checks where goal_checks.goal = draft.id;
  perform private.move_goal(draft.id, 'submitted', 'member');
  -- Operators see the last two submissions.
  update private.goal_moves set texts = null
  where goal_moves.goal = draft.id and texts is not null and goal_moves.id not in (
    select newest.id from private.goal_moves as newest
    where newest.goal = draft.id and newest.texts is not null order by newest.id desc limit 2
  );
  return jsonb_build_object('stage', 'submitted', 'slug', new_slug);
exception when unique_violation then
  perform private.refuse_act('incomplete', jsonb_build_object('faults', '[{"field": "wallet", "why": "taken"}]'::jsonb));
end;
$$;

-- After an approval ---------------------------------------------------------------------------------------------

-- As before, and: a frozen goal ends without words, because its reason would be public beside that of the operators.
create or replace function public.end_goal(goal uuid, reason text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  own public.goals;
begin
  if end_goal.reason is not null then
    perform private.check_words('reason', end_goal.reason, 10, 500, true);
    perform private.check_goal_text('reason', end_goal.reason);
  end if;
  perform private.lock_log('ledger') where exists (
    select from public.goals where id = end_goal.goal and member = auth.uid()
  );
  own := private.own_goal(goal, '{open}');
  if own.frozen and end_goal.reason is not null then
    perform private.refuse_act('frozen');
  elsif not own.frozen and end_goal.reason is null then
    perform private.refuse_field('reason', 'missing');
  end if;
  perform private.move_goal(own.id, 'ended', 'member', own.frozen, own.hidden, end_goal.reason);
  return jsonb_build_object('stage', 'ended');
end;
$$;
comment on function public.end_goal(uuid, text) is
  'Ends an open goal of the calling member early, with a public reason; a frozen one without.';

create or replace function private.check_goal_text(field text, words text) returns void
language plpgsql set search_path = '' as $$
begin
  if private.text_fault(words) is not null then
    perform private.refuse_field(field, private.text_fault(words));
  elsif private.seen_length(words) = 0 then
    perform private.refuse_field(field, 'missing');
  end if;
end;
$$;

-- The text of a value of a form: '+' is a space, and '%e2%82%ac' a euro sign.
create function private.decode_value(value text) returns text
language sql immutable set search_path = '' as $$
  select convert_from(decode(string_agg(
    case when part[1] ~ '^%' then substr(part[1], 2) else encode(convert_to(part[1], 'UTF8'), 'hex') end, '' order by place
  ), 'hex'), 'UTF8')
  from regexp_matches(replace(value, '+', ' '), '%[0-9A-Fa-f]{2}|[^%]', 'g') with ordinality as parts (part, place)
$$;

-- As before, and: the description of a picture follows the rule, a side has at most 10,000 pixels, and its link has no
-- other words.
create or replace function public.post_goal_update(goal uuid, words text, links text, picture text, is_report boolean) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  own public.goals;
  made jsonb;
  described text;
begin
  perform private.check_words('text', words, 1, 5000, true);
  perform private.check_goal_text('text', words);
  if not private.is_link_list(coalesce(post_goal_update.links, '')) or exists (
    select from regexp_split_to_table(post_goal_update.links, E'\n') as link where not private.names_its_host(link)
  ) then
    perform private.refuse_field('links', 'format');
  end if;
  perform private.lock_log('ledger') where exists (
    select from public.goals where id = post_goal_update.goal and member = auth.uid()
  );
  own := private.own_goal(goal, case when is_report then '{ended}'::text[] else '{open,ended}'::text[] end);
  if own.frozen then
    perform private.refuse_act('frozen');
  end if;
  if picture is not null and (
    picture !~ (
      '^https://[a-z0-9.-]{1,253}(:\d{1,5})?/pictures/goals/' || own.id || '/[0-9a-f]{64}\.(webp|jpg|png)'
      || '#width=([1-9]\d{0,3}|10000)&height=([1-9]\d{0,3}|10000)&alt=[0-9A-Za-z*._+%-]+$'
    ) or char_length(picture) > 4000
  ) then
    perform private.refuse_field('picture', 'format');
  end if;
  if picture is not null then
    begin
      described := private.decode_value(substring(picture from '&alt=(.*)$'));
    exception when data_exception then
      perform private.refuse_field('picture', 'format');
    end;
    perform private.check_words('picture_text', described, 1, 300);
    perform private.check_goal_text('picture_text', described);
  end if;
  if (select count(*) from public.pool_updates where pool_slug = own.slug and revision = 0) >= 60 then
    perform private.refuse_act('too_many', jsonb_build_object('most', 60));
  elsif (
    select count(*) from public.pool_updates
    where pool_slug = own.slug and revision = 0 and published_at > now() - interval '1 day'
  ) >= 3 then
    perform private.refuse_act('too_many', jsonb_build_object('most', 3));
  end if;
  made := public.append_update(jsonb_build_object(
    'pool_slug', own.slug, 'published_at', now(), 'text', words,
    'links', nullif(concat_ws(E'\n', nullif(post_goal_update.links, ''), picture), '')
  ));
  if is_report then
    update public.goals set report_number = (made ->> 'number')::integer where id = own.id;
  end if;
  return jsonb_build_object('number', made -> 'number');
end;
$$;

-- As before, without the updates of a goal that operators hid. Their hashes stay in the log.
create or replace view public.published_updates with (security_invoker = false) as
select
  updates.id, updates.pool_slug, updates.number, updates.revision, updates.published_at, words.text as text,
  links.text as links, updates.helping, source.text as helping_source, updates.text_hash, updates.links_hash,
  updates.helping_source_hash, updates.recorded_at, entries.index as log_index
from public.pool_updates as updates
left join private.log_entries as entries
  on entries.log = 'ledger' and entries.kind = 'update' and entries.row_id = updates.id
left join private.log_texts as words on words.hash = updates.text_hash
left join private.log_texts as links on links.hash = updates.links_hash
left join private.log_texts as source on source.hash = updates.helping_source_hash
where not exists (
  select from public.pool_updates as later
  where later.pool_slug = updates.pool_slug and later.number = updates.number and later.revision = updates.revision + 1
) and not exists (select from public.goals where slug = updates.pool_slug and hidden);
comment on view public.published_updates is
  'The latest revision of every update of a pool, and of a goal whose text is not hidden. A text is null where it was withdrawn.';

-- An update of a goal is mailed an hour later, so that operators can freeze the goal before. An update of a pool is theirs.
create or replace function private.tell_update() returns trigger
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

-- As before, and: an update of a frozen or annulled goal is not mailed.
create or replace function private.fact_content(fact private.outbox) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  month_begin date;
  month_end timestamptz;
begin
  case fact.kind
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

-- Complaints ----------------------------------------------------------------------------------------------------

create or replace function private.version_of(kind text, subject text) returns integer
language sql stable security definer set search_path = '' as $$
  select case
    when kind in ('statement', 'confirmation') then
      (select max(revision) from public.cz_calls where tweet_url = subject)
    when kind = 'update' then (
      select max(revision) from public.pool_updates
      where pool_slug = split_part(subject, '/', 1) and number::text = split_part(subject, '/', 2)
    )
    when kind in ('purpose', 'value', 'reading') then (
      select max(revision) from public.transactions
      where chain_id::text = split_part(subject, '/', 1) and tx_hash = split_part(subject, '/', 2)
        and ordinal::text = split_part(subject, '/', 3)
    )
    when kind = 'name' then (select max(revision) from public.wallet_names where address = subject)
    -- The newest complaint, so that a complaint that the operator did not see is not dismissed, even if an older one was deleted with its account.
    when kind = 'complaint-dismissal' then (
      select (max(id) % 10000)::integer from public.goal_complaints
      where goal = (select id from public.goals where slug = subject) and closed_at is null
    )
    -- A new final report is not accepted unseen.
    when kind = 'goal-report' then (
      select revision + coalesce(report_number, 0) from public.goals where slug = subject
    )
    when private.is_goal_act(kind) then (select revision from public.goals where slug = subject)
  end
$$;

-- As before, and `complaints_version`: what a dismissal of these complaints decides on.
create or replace function public.read_goal(goal text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  about public.goals;
begin
  if not private.is_operator() then
    return null;
  end if;
  select * into about from public.goals where slug = read_goal.goal and stage <> 'draft';
  if about.id is null then
    return null;
  end if;
  return jsonb_build_object(
    'id', about.id, 'slug', about.slug, 'stage', about.stage, 'revision', about.revision, 'frozen', about.frozen,
    'hidden', about.hidden, 'target_usd', about.target_usd::text, 'days', about.days, 'wallet', about.wallet,
    'picture_path', about.picture_path, 'plan', about.plan, 'report_number', about.report_number,
    'submitted_at', about.submitted_at, 'opened_at', about.opened_at, 'ends_at', about.ends_at,
    'ended_at', about.ended_at, 'completed_at', about.completed_at, 'fault', about.fault,
    'mine', private.is_own_goal(about, null),
    'words', (select to_jsonb(words) - 'id' from private.goal_words as words where words.id = about.id),
    'submitted', (
      select coalesce(jsonb_agg(moves.texts order by moves.id desc), '[]')
      from (
        select id, texts from private.goal_moves
        where goal_moves.goal = about.id and texts is not null order by id desc limit 2
      ) as moves
    ),
    'check', (select to_jsonb(checks) - 'goal' from private.goal_checks as checks where checks.goal = about.id),
    'complaints_version', private.version_of('complaint-dismissal', about.slug),
    'complaints', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'reason', open.reason, 'text', open.text, 'made_at', open.made_at
      ) order by open.made_at), '[]')
      from public.goal_complaints as open where open.goal = about.id and open.closed_at is null
    ),
    'earlier', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'slug', other.slug, 'stage', other.stage, 'frozen', other.frozen, 'title', words.title,
        'complaints', (select count(*) from public.goal_complaints where goal_complaints.goal = other.id)
      ) order by other.created_at desc), '[]')
      from (
        select * from public.goals
        where member = about.member and id <> about.id and slug is not null order by created_at desc limit 50
      ) as other
      join private.goal_words as words on words.id = other.id
    ),
    'moves', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'stage', moves.stage, 'frozen', moves.frozen, 'hidden', moves.hidden, 'moved_by', moves.moved_by,
        'moved_at', moves.moved_at, 'reason', moves.reason
      ) order by moves.id), '[]')
      from private.goal_moves as moves where moves.goal = about.id
    )
  );
end;
$$;

-- Names ---------------------------------------------------------------------------------------------------------

-- How a name looks: NFKC in small letters, without marks and invisible characters, spaces and punctuation, and with the
-- letters of other scripts that look like Latin ones as these (a part of the confusables of Unicode TR39). Capitals of
-- other scripts are listed, because `lower` keeps them in a database whose locale is C.
create function private.name_skeleton(name text) returns text
language sql immutable set search_path = '' as $$
  select regexp_replace(translate(
    lower(regexp_replace(normalize(private.plain_text(name), NFKD), '[\u0300-\u036f]', '', 'g')),
    'аеорсухіјѕһԁԛԝвкмнтьгпοαερυικνχτηωσιոսօհցԍıłøđ01|АЕОРСУХІЈЅԚԜВКМНТГПΟΑΕΡΥΙΚΝΧΤΗΩΣ',
    'aeopcyxijshdqwbkmhtbrnoaepuiknxtnwoinuohqgilodollaeopcyxijsqwbkmhtrnoaepuiknxtnwo'
  ), '[\s!-/:-@\[-`{-~·•‐-―]', '', 'g')
$$;

-- Whether a name has letters of one alphabet: Latin, Greek, Cyrillic, Armenian and Cherokee look alike. Each may be beside
-- Chinese, Arabic and others, which do not.
create function private.has_one_alphabet(name text) returns boolean
language sql immutable set search_path = '' as $$
  select (private.plain_text(name) ~ '[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff]')::integer
    + (private.plain_text(name) ~ '[\u0370-\u03ff\u1f00-\u1fff]')::integer
    + (private.plain_text(name) ~ '[\u0400-\u052f\u1c80-\u1c8f\u2de0-\u2dff\ua640-\ua69f]')::integer
    + (private.plain_text(name) ~ '[\u0530-\u058f]')::integer
    + (private.plain_text(name) ~ '[\u13a0-\u13ff\uab70-\uabbf]')::integer <= 1
$$;

-- As before, and: names that look the same are the same name.
create or replace function public.append_name(entry jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  wallet constant text := entry ->> 'address';
  words constant text := entry ->> 'name';
  wanted constant integer := coalesce((entry ->> 'revision')::integer, 0);
  former public.wallet_names;
  added public.wallet_names;
begin
  perform private.lock_log('ledger');
  if words is null or char_length(words) not between 1 and 60 or words <> trim(words)
    or words ~ '[\u0001-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]' then
    raise check_violation using
      message = 'a name has 1 to 60 characters, without control and direction characters and spaces around it',
      constraint = 'wallet_names_name', table = 'wallet_names', schema = 'public';
  end if;
  if exists (
    select from public.transactions where from_address = wallet and (direction = 'out' or counter_account is not null)
  ) or exists (
    select from public.transactions where to_address = wallet and (direction = 'in' or counter_account is not null)
  ) then
    raise check_violation using
      message = 'the ledger has this wallet as one of ours',
      constraint = 'wallet_names_of_others', table = 'wallet_names', schema = 'public';
  end if;
  if words <> private.plain_text(words) or not private.has_one_alphabet(words) then
    raise check_violation using
      message = 'a name has the letters of one alphabet, and none that fonts do not show',
      constraint = 'wallet_names_letters', table = 'wallet_names', schema = 'public';
  end if;
  if exists (
    select from private.current_names
    where private.name_skeleton(name) = private.name_skeleton(words) and address <> wallet
  ) then
    raise check_violation using
      message = 'another wallet has this name',
      constraint = 'wallet_names_unique', table = 'wallet_names', schema = 'public';
  end if;
  select * into former from public.wallet_names
  where wallet_names.address = wallet and wallet_names.revision = wanted - 1;
  insert into public.wallet_names (address, name_hash, revision)
  values (wallet, private.keep_text_again('ledger', words, former.name_hash), wanted)
  returning * into added;
  return jsonb_build_object('id', added.id, 'name_hash', added.name_hash);
end;
$$;

create or replace function private.perform_name(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  wallet constant text := act.arguments ->> 'address';
  words constant text := act.arguments ->> 'name';
  made jsonb;
begin
  perform private.check_words('address', wallet, 1, 100);
  perform private.check_pattern('address', wallet, '^0x[0-9a-f]{40}$');
  if wallet <> act.subject then
    perform private.refuse_field('address', 'fixed');
  elsif act.subject is null and private.version_of('name', wallet) is not null then
    perform private.refuse_act('exists', jsonb_build_object('field', 'address'));
  end if;
  perform private.check_words('name', words, 1, 60);
  if exists (select from private.accounts where private.name_skeleton(slug) = private.name_skeleton(words)) then
    perform private.refuse_field('name', 'ours');
  end if;
  made := public.append_name(jsonb_build_object(
    'address', wallet, 'name', words, 'revision', coalesce(act.version + 1, 0)
  ));
  return jsonb_build_object('subject', wallet, 'made_kind', 'name', 'made_id', made -> 'id');
end;
$$;

create or replace function private.perform(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  current_version constant integer := private.version_of(act.kind, act.subject);
  keeps_reason constant boolean := act.kind = 'withdrawal';
  least_reason constant integer := private.least_reason(act.kind);
  field text;
  made jsonb;
  broken text;
  why text;
begin
  select key into field from jsonb_each(act.arguments)
  where key <> all (private.fields_of(act.kind)) or jsonb_typeof(value) not in ('string', 'null') limit 1;
  if field is not null and act.kind <> 'reading' then
    perform private.refuse_field(field, 'unknown');
  end if;
  perform private.check_words('reason', act.reason, least_reason, 500, true);
  if current_version is null and (
    private.is_goal_act(act.kind) or act.kind in ('confirmation', 'purpose', 'value', 'reading')
    or (act.kind in ('statement', 'update', 'name') and act.subject is not null)
  ) then
    perform private.refuse_act('not_found');
  elsif act.version is distinct from current_version then
    perform private.refuse_act('changed');
  end if;

  begin
    made := case act.kind
      when 'statement' then private.perform_statement(act)
      when 'confirmation' then private.perform_confirmation(act)
      when 'update' then private.perform_update(act)
      when 'purpose' then private.perform_purpose(act)
      when 'value' then private.perform_value(act)
      when 'reading' then private.perform_reading(act)
      when 'name' then private.perform_name(act)
      when 'withdrawal' then private.perform_withdrawal(act)
      when 'operator' then private.perform_operator(act)
      when 'operator-end' then private.perform_operator_end(act)
      else private.perform_goal(act)
    end;
  exception when integrity_constraint_violation or data_exception then
    get stacked diagnostics broken = constraint_name, why = message_text;
    field := case
      when broken in ('transactions_direction_of_type', 'transactions_account_of_type',
        'transactions_counter_account_of_type', 'transactions_type_known') then 'type'
      when broken = 'transactions_pool_of_account' then 'pool'
      when broken = 'wallet_names_of_others' then 'address'
      when broken in ('wallet_names_name', 'wallet_names_unique', 'wallet_names_letters') then 'name'
    end;
    if field is not null then
      perform private.refuse_field(field, broken);
    end if;
    perform private.refuse_act('refused', jsonb_build_object('why', why));
  end;

  return jsonb_build_object(
    'reason_hash', case when act.reason is not null and not keeps_reason and not made ? 'reason_hash'
      then private.keep_text('ledger', act.reason) end
  ) || made;
end;
$$;

-- Privileges ----------------------------------------------------------------------------------------------------

revoke all on function
  private.plain_text(text), private.text_fault(text), private.seen_length(text), private.names_its_host(text),
  private.check_goal_words(), private.decode_value(text), private.name_skeleton(text), private.has_one_alphabet(text)
  from public, anon, authenticated, service_role;
