-- Statements and updates: what CZ said about charity, where it was found, and what the pools report. The schedule reads
-- the configured sources, and an operator publishes or dismisses the posts that it finds.

-- Tables ----------------------------------------------------------------------------------------------------

create table public.cz_calls (
  id bigint generated always as identity primary key,
  posted_at private.moment not null,
  captured_at private.moment,
  author text not null
    constraint cz_calls_author_length check (char_length(author) between 1 and 100),
  -- Printable ASCII, as in every URL: JSON writes a control character with six bytes, and a bundle of 256 entries with
  -- URLs of control characters would be too large to read.
  tweet_url text not null
    constraint cz_calls_tweet_url_https
      check (tweet_url ~ '^https://[\u0021-\u007e]+$' and char_length(tweet_url) <= 2000),
  text_hash text not null references private.log_texts (hash),
  action_hash text not null references private.log_texts (hash),
  verified boolean not null default false,
  confirmed_by_hash text references private.log_texts (hash),
  tx_hash private.hash32,
  chain_id private.chain_id,
  revision private.revision not null default 0,
  recorded_at private.moment not null default now(),
  constraint cz_calls_key unique (tweet_url, revision),
  constraint cz_calls_confirmed_by_somebody check (verified = (confirmed_by_hash is not null)),
  constraint cz_calls_tx_has_chain check ((tx_hash is null) = (chain_id is null))
);
comment on table public.cz_calls is 'Statements of the public figure, with what was done about them.';
comment on column public.cz_calls.captured_at is 'When the statement was read at its address; null where it was not recorded.';
comment on column public.cz_calls.verified is 'The statement is confirmed by its source. This does not confirm the transaction.';
comment on column public.cz_calls.confirmed_by_hash is 'Hash of how it was confirmed: private.log_texts.';
create index cz_calls_newest on public.cz_calls (posted_at desc, id desc);
create index cz_calls_of_transaction on public.cz_calls (chain_id, tx_hash) where tx_hash is not null;
create index cz_calls_unconfirmed on public.cz_calls (posted_at desc, id desc) where not verified;
create index cz_calls_of_text on public.cz_calls (text_hash);

create table public.pool_updates (
  id bigint generated always as identity primary key,
  pool_slug text not null references private.accounts (slug)
    constraint pool_updates_of_pool check (pool_slug not in ('treasury', 'donation-wallet')),
  number integer not null
    constraint pool_updates_number_range check (number between 1 and 1000000),
  published_at private.moment not null,
  text_hash text not null references private.log_texts (hash),
  links_hash text references private.log_texts (hash),
  helping private.safe_integer,
  helping_source_hash text references private.log_texts (hash),
  revision private.revision not null default 0,
  recorded_at private.moment not null default now(),
  constraint pool_updates_key unique (pool_slug, number, revision),
  constraint pool_updates_helping_has_source check ((helping is null) = (helping_source_hash is null))
);
comment on table public.pool_updates is 'What a pool reports, numbered from 1 for each pool.';
comment on column public.pool_updates.links_hash is 'Hash of https links, one a line: private.log_texts.';
comment on column public.pool_updates.helping is 'How many the pool helps, where the update states it; helping_source_hash is the hash of a link.';
create index pool_updates_newest on public.pool_updates (pool_slug, published_at desc, id desc);

create table private.photograph_consents (
  picture text primary key
    constraint photograph_consents_picture_length check (char_length(picture) between 1 and 130),
  words text not null
    constraint photograph_consents_words_length check (char_length(words) between 10 and 500),
  recorded_at private.moment not null default now()
);
comment on table private.photograph_consents is
  'Who agreed to be on a photograph of an update, how and when. Only operators read it. It enters no log, and ends with the photograph.';

create table private.statement_sources (
  source text primary key
    constraint statement_sources_source_length check (char_length(source) between 1 and 500),
  is_configured boolean not null default true,
  name text
    constraint statement_sources_name_length check (char_length(name) between 1 and 300),
  link text
    constraint statement_sources_link_https check (link ~ '^https://[\u0021-\u007e]+$' and char_length(link) <= 2000),
  state text not null default 'asked'
    constraint statement_sources_state_known check (state in ('asked', 'well', 'fault', 'refused', 'full')),
  fault text
    constraint statement_sources_fault_length check (char_length(fault) between 1 and 300),
  failures integer not null default 0,
  fault_since private.moment,
  asked_at private.moment not null default now(),
  ask_after private.moment not null,
  well_at private.moment,
  etag text,
  last_modified text,
  body_sha256 text,
  since_id text
    constraint statement_sources_since_id_format check (since_id ~ '^\d{1,20}$'),
  page_token text,
  page_newest text
    constraint statement_sources_page_newest_format check (page_newest ~ '^\d{1,20}$'),
  last_keys text[] not null default '{}',
  seen_count private.row_count not null default 0,
  found_count private.row_count not null default 0,
  constraint statement_sources_fault_whole check ((fault is null) = (fault_since is null))
);
comment on table private.statement_sources is
  'Each source of statements: what its last read said, and where the next one begins. The source x:posts is the check of posts of X.';
comment on column private.statement_sources.since_id is 'X: every post up to this one was read.';
comment on column private.statement_sources.page_token is
  'X: where the next page begins, if the last read was not complete. page_newest is the newest post of the first page.';
comment on column private.statement_sources.last_keys is 'The keys of the posts of the last document: a post that is there again is counted once.';
comment on column private.statement_sources.state is
  'asked: no answer is recorded yet. well: it was read. fault: tried again soon. refused: an operator must change something; tried each hour. full: not read, because 1,000 of its posts wait for an operator.';

create table private.statement_posts (
  id bigint generated always as identity primary key,
  key text not null unique
    constraint statement_posts_key_format check (key ~ '^[0-9a-f]{64}$'),
  source text,
  state text not null
    constraint statement_posts_state_known check (state in ('open', 'published', 'dismissed', 'expired', 'gone')),
  url text
    constraint statement_posts_url_https check (url ~ '^https://[\u0021-\u007e]+$' and char_length(url) <= 2000),
  author text
    constraint statement_posts_author_length check (char_length(author) between 1 and 200),
  posted_at private.moment,
  time_is_capture boolean not null default false,
  captured_at private.moment not null default now(),
  x_id text
    constraint statement_posts_x_id_format check (x_id ~ '^\d{1,20}$'),
  sha256 text
    constraint statement_posts_sha256_format check (sha256 ~ '^[0-9a-f]{64}$'),
  edited_at private.moment,
  gone_at private.moment,
  checked_at private.moment,
  check_after private.moment not null default now(),
  published_sha256 text,
  statement_sha256 text,
  decided_at private.moment,
  decided_by text references public.operators (handle),
  reason text
    constraint statement_posts_reason_length check (char_length(reason) between 1 and 60),
  constraint statement_posts_open_whole check (
    state <> 'open' or (source is not null and url is not null and author is not null and posted_at is not null)
  ),
  constraint statement_posts_ended_keeps_nothing check (
    state in ('open', 'published') or (url is null and author is null and x_id is null and sha256 is null)
  )
);
comment on table private.statement_posts is
  'Posts about charity, and the posts of published statements. Of one that was dismissed, that its author removed, or that expired, only the key is kept: so it is no candidate again.';
comment on column private.statement_posts.time_is_capture is 'The source stated no usable time.';
comment on column private.statement_posts.x_id is 'X: the id of the newest version.';
comment on column private.statement_posts.sha256 is 'SHA-256 of the newest text at the source.';
comment on column private.statement_posts.published_sha256 is 'The text at the source when its statement was published or corrected; the post was edited since if sha256 differs.';
comment on column private.statement_posts.statement_sha256 is 'SHA-256 of the text of the statement. It stays when the text is withdrawn.';
create index statement_posts_open on private.statement_posts (captured_at) where state = 'open';
create index statement_posts_of_x on private.statement_posts (check_after)
  where x_id is not null and state in ('open', 'published');
create index statement_posts_changed on private.statement_posts (id)
  where state = 'published' and (gone_at is not null or edited_at is not null);

create table private.statement_captures (
  id bigint generated always as identity primary key,
  post bigint not null references private.statement_posts (id) on delete cascade,
  sha256 text not null,
  text text not null
    constraint statement_captures_text_size check (octet_length(text) <= 4000000),
  captured_at private.moment not null default now(),
  constraint statement_captures_sha256_of check (sha256 = encode(sha256(convert_to(text, 'UTF8')), 'hex'))
);
comment on table private.statement_captures is 'The texts of a post as they were read, the newest last. Of a post of X only the newest, as its developer policy wants.';
create index statement_captures_of_post on private.statement_captures (post, id);

create table private.later_deliveries (
  post bigint references private.statement_posts (id) on delete cascade,
  source text,
  primary key (post, source)
);
comment on table private.later_deliveries is 'The sources that had a post after the source where it was found first.';

create table private.token_holders (
  token private.address primary key,
  asked_at private.moment not null default now(),
  holders private.safe_integer,
  host text
    constraint token_holders_host_length check (char_length(host) between 1 and 253),
  counted_at private.moment,
  constraint token_holders_whole check ((holders is null) = (host is null) and (holders is null) = (counted_at is null))
);
comment on table private.token_holders is 'How many addresses hold a token, as one endpoint counts them. It enters no log.';

-- The names of the pictures among the links of an update.
create function private.pictures_of(links text) returns setof text
language sql immutable set search_path = '' as $$
  select (regexp_matches(links, '/pictures/pools/([a-z-]+/[0-9a-f]{64}\.[a-z]+)', 'g'))[1]
$$;

-- The pictures that an update names in its links, also in a revision that was corrected.
create function private.shown_pictures() returns setof text
language sql stable security definer set search_path = '' as $$
  select private.pictures_of(links.text)
  from public.pool_updates
  join private.log_texts as links on links.hash = pool_updates.links_hash
$$;

-- True if the pictures that no update shows yet are fewer than 40 and less than 32 MiB: those of drafts, and those of
-- the last hour. Security definer, because a policy of storage.objects cannot read storage.objects.
create function private.has_update_picture_room(member uuid, picture text) returns boolean
language sql stable security definer set search_path = '' as $$
  select count(*) < 40 and coalesce(sum((metadata ->> 'size')::bigint), 0) < 32 * 1024 * 1024
  from storage.objects
  where bucket_id = 'pools' and name not in (select shown from private.shown_pictures() as shown)
$$;

create policy "Operators add pictures of updates" on storage.objects
  for insert to authenticated with check (
    bucket_id = 'pools'
    and name ~ '^[a-z][a-z-]{0,49}/[0-9a-f]{64}\.(webp|jpg|png)$'
    and (select private.is_operator())
    and private.has_update_picture_room((select auth.uid()), name)
  );
create trigger limit_update_pictures before insert on storage.objects for each row
  when (new.bucket_id = 'pools') execute function private.limit_pictures('has_update_picture_room');

create policy "Operators read pictures of updates" on storage.objects
  for select to authenticated using (bucket_id = 'pools' and (select private.is_operator()));

-- Triggers --------------------------------------------------------------------------------------------------

call private.refuse('update or delete or truncate', 'public.cz_calls', 'public.pool_updates');

create view private.entry_of_statement as
select
  'statement' as kind, id, revision::integer, private.entry_time(recorded_at) as recorded_at,
  private.entry_time(posted_at) as posted_at, private.entry_time(captured_at) as captured_at, author, tweet_url as url,
  verified as confirmed, confirmed_by_hash, text_hash, action_hash, chain_id::integer, tx_hash::text
from public.cz_calls;
create trigger log_rows after insert on public.cz_calls
  referencing new table as added for each statement execute function private.log_rows('statement', 'tweet_url');

create function private.check_update_numbers() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off as $$
begin
  perform private.lock_log('ledger');
  if exists (
    select from added
    where (added.revision > 0 or added.number > 1) and not exists (
      select from public.pool_updates as former
      where former.pool_slug = added.pool_slug
        and former.number = case when added.revision > 0 then added.number else added.number - 1 end
        and (added.revision = 0 or former.revision = added.revision - 1)
    )
  ) then
    raise check_violation using
      message = 'a revision must follow the one before it, and a number too',
      constraint = 'pool_updates_revision_follows', table = 'pool_updates', schema = 'public';
  end if;
  return null;
end;
$$;
create trigger check_numbers after insert on public.pool_updates
  referencing new table as added for each statement execute function private.check_update_numbers();

create view private.entry_of_update as
select
  'update' as kind, id, revision::integer, private.entry_time(recorded_at) as recorded_at, pool_slug as pool, number,
  private.entry_time(published_at) as published_at, text_hash, links_hash, helping::bigint, helping_source_hash
from public.pool_updates;
create trigger log_rows after insert on public.pool_updates
  referencing new table as added for each statement execute function private.log_rows('update');

-- The id of a post of X, from its URL; null for any other URL.
create function private.x_post_id(url text) returns text
language sql immutable set search_path = '' as $$
  select (regexp_match(
    url, '^https?://(?:www\.|mobile\.|m\.)?(?:x|twitter)\.com/(?:i/web|[^/?#]{1,50})/status(?:es)?/(\d{1,20})(?:[/?#]|$)', 'i'
  ))[1]
$$;

-- Identifies a post by its URL, in all its spellings. A hash, so that a post that was deleted leaves no URL.
-- Security definer, because visitors may not use the schema of the function that it calls.
create function private.post_key(url text) returns text
language sql immutable security definer set search_path = '' as $$
  select encode(sha256(convert_to(coalesce(
    'x:' || private.x_post_id(url),
    lower(substring(url from '^https?://([^/?#]*)'))
      || regexp_replace(
        regexp_replace(substring(url from '^https?://[^/?#]*(.*)$'), '(?<=[?&])(?:utm_[a-z]+|fbclid)=[^&#]*&?', '', 'g'),
        '[/?&]+(?=#|$)', ''
      ),
    url
  ), 'UTF8')), 'hex')
$$;

-- A statement and its post: published or corrected, the statement has the words that the post has now.
create function private.follow_statement() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from public.cz_calls as former
    where former.tweet_url = new.tweet_url and former.revision = new.revision - 1 and former.text_hash = new.text_hash
  ) then
    return null;
  end if;
  insert into private.statement_posts as posts (key, state, url, author, posted_at, x_id, statement_sha256, decided_at)
  values (
    private.post_key(new.tweet_url), 'published', new.tweet_url, new.author, new.posted_at,
    private.x_post_id(new.tweet_url), encode(sha256(convert_to(private.text_of(new.text_hash), 'UTF8')), 'hex'), now()
  )
  on conflict (key) do update set
    state = 'published', url = excluded.url, author = excluded.author, x_id = coalesce(posts.x_id, excluded.x_id),
    statement_sha256 = excluded.statement_sha256, decided_at = excluded.decided_at,
    -- The text that was read last when the statement says that its post was read.
    published_sha256 = coalesce(
      (
        select captures.sha256 from private.statement_captures as captures
        where captures.post = posts.id
          and date_trunc('milliseconds', captures.captured_at::timestamptz) <= coalesce(new.captured_at, now())
        order by captures.id desc limit 1
      ),
      case when exists (select from private.statement_captures as captures where captures.post = posts.id)
        then excluded.statement_sha256 else posts.sha256 end
    );
  return null;
end;
$$;
create trigger follow_statement after insert on public.cz_calls
  for each row execute function private.follow_statement();

-- For other files -------------------------------------------------------------------------------------------

create view private.current_calls as
select * from public.cz_calls as calls
where not exists (
  select from public.cz_calls as later where later.tweet_url = calls.tweet_url and later.revision = calls.revision + 1
);

-- What operators see of listening. For private.operator_overview.
create function private.operator_listening() returns jsonb
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set jit = off as $$
begin
  return jsonb_build_object(
    'sources', (
      select coalesce(jsonb_agg(to_jsonb(states) order by states.source), '[]') from public.source_states as states
    ),
    'posts', private.queue_of((
      select jsonb_agg(jsonb_build_object(
        'id', id, 'author', author, 'posted_at', posted_at, 'edited_at', edited_at, 'url', url
      ) order by captured_at desc)
      from (
        select * from private.statement_posts where state = 'open' order by captured_at desc limit 101
      ) as waiting
    )),
    'changed', private.queue_of((
      select jsonb_agg(jsonb_build_object(
        'id', id, 'author', author, 'url', url, 'edited_at', edited_at, 'gone_at', gone_at, 'text_hash', text_hash
      ) order by coalesce(gone_at, edited_at) desc)
      from (
        select posts.id, posts.author, posts.url, posts.edited_at, posts.gone_at, latest.text_hash
        from private.statement_posts as posts
        join lateral (
          select calls.text_hash, words.text from public.cz_calls as calls
          join private.log_texts as words on words.hash = calls.text_hash
          where calls.tweet_url = posts.url order by calls.revision desc limit 1
        ) as latest on latest.text is not null
        where posts.state = 'published' and (
          posts.gone_at is not null or (posts.edited_at is not null and posts.sha256 <> posts.published_sha256)
        )
        limit 101
      ) as changed
    ))
  );
end;
$$;

-- What operators may call -----------------------------------------------------------------------------------

-- A post with its texts, the newest first, for an operator; null for other members. With the first 20,000 characters
-- of each text: a page has at most 4 MB.
create function public.read_post(post bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
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
  from private.statement_posts as posts where posts.id = read_post.post and private.is_operator()
$$;

-- Ends a candidate, and deletes its content.
create function private.end_post(post bigint, as_state text) returns void
language sql set search_path = '' as $$
  delete from private.statement_captures as captures where captures.post = end_post.post;
  update private.statement_posts set
    state = as_state, url = null, author = null, x_id = null, sha256 = null, posted_at = null, edited_at = null,
    decided_at = now()
  where id = end_post.post;
$$;

-- Ends a candidate that is not about charity, with a reason.
create function public.dismiss_post(post bigint, reason text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  caller constant text := private.operator_handle();
  found_post private.statement_posts;
begin
  if caller is null then
    perform private.refuse_act('not_operator');
  end if;
  perform private.check_words('reason', dismiss_post.reason, 1, 60);
  select * into found_post from private.statement_posts where id = dismiss_post.post for update;
  if found_post.id is null then
    perform private.refuse_act('not_found');
  elsif found_post.state <> 'open' then
    perform private.refuse_act('already_done', jsonb_build_object(
      'state', 'decided', 'by', found_post.decided_by, 'at', found_post.decided_at
    ));
  end if;
  perform private.end_post(found_post.id, 'dismissed');
  update private.statement_posts set decided_by = caller, reason = dismiss_post.reason where id = found_post.id;
  return jsonb_build_object('state', 'dismissed');
end;
$$;

create function private.statement_revision(link text) returns integer
language sql stable set search_path = '' as $$
  select max(revision) from public.cz_calls where tweet_url = link
$$;

create function private.perform_statement(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  given constant jsonb := act.arguments;
  link constant text := given ->> 'link';
  tx constant text := given ->> 'tx';
  posted constant timestamptz := private.time_of('posted', given ->> 'posted');
  captured constant timestamptz := private.time_of('captured', given ->> 'captured');
  former public.cz_calls;
  chain integer;
  made bigint;
begin
  perform private.check_words('link', link, 1, 2000);
  perform private.check_link('link', link);
  if link <> act.subject then
    perform private.refuse_field('link', 'fixed');
  end if;
  perform private.check_words('text', given ->> 'text', 1, 5000, true);
  perform private.check_words('author', given ->> 'author', 1, 100);
  perform private.check_words('posted', given ->> 'posted', 1, 40);
  perform private.check_words('action', given ->> 'action', 1, 5000, true);
  if tx is not null then
    perform private.check_pattern('tx', tx, '^0x[0-9a-f]{64}$');
    select chain_id into chain from public.transactions where tx_hash = tx order by id desc limit 1;
    if chain is null then
      perform private.refuse_field('tx', 'unknown');
    end if;
  end if;
  select * into former from public.cz_calls where tweet_url = link order by revision desc limit 1;
  if former.id is not null and act.subject is null then
    perform private.refuse_act('exists', jsonb_build_object('field', 'link'));
  end if;
  made := public.append_statement(jsonb_build_object(
    'posted_at', posted, 'captured_at', coalesce(captured, former.captured_at, now()), 'author', given ->> 'author',
    'tweet_text', given ->> 'text', 'tweet_url', link, 'action_taken', given ->> 'action', 'tx_hash', tx,
    'chain_id', chain, 'revision', coalesce(former.revision + 1, 0)
  ));
  return jsonb_build_object('subject', link, 'made_kind', 'statement', 'made_id', made);
end;
$$;

-- The operator who entered the latest revision of a statement cannot confirm it.
create function private.perform_confirmation(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  how constant text := act.arguments ->> 'how';
  former public.cz_calls;
begin
  perform private.check_words('how', how, 10, 500, true);
  select * into former from public.cz_calls where tweet_url = act.subject order by revision desc limit 1;
  if former.verified then
    perform private.refuse_act('changed');
  end if;
  if act."by" is not null and exists (
    select from public.operator_acts as entered
    where entered.made_kind = 'statement' and entered.made_id = former.id
      and private.is_same_person(entered.by, act."by")
  ) then
    perform private.refuse_act('same_person');
  end if;
  if private.text_of(former.text_hash) is null or private.text_of(former.action_hash) is null then
    perform private.refuse_act('refused', jsonb_build_object('why', 'a text of this statement was withdrawn'));
  end if;
  return jsonb_build_object(
    'subject', former.tweet_url, 'made_kind', 'statement',
    'made_id', private.revise_statement(former, jsonb_build_object('confirmed_by', how))
  );
end;
$$;

create function private.update_revision(subject text) returns integer
language sql stable set search_path = '' as $$
  select max(revision) from public.pool_updates
  where pool_slug = split_part(subject, '/', 1) and number::text = split_part(subject, '/', 2)
$$;

create function private.perform_update(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  given constant jsonb := act.arguments;
  pool constant text := given ->> 'pool';
  helping constant text := given ->> 'helping';
  consent constant text := given ->> 'consent';
  dated constant timestamptz := private.time_of('dated', given ->> 'dated');
  made jsonb;
begin
  perform private.check_words('pool', pool, 1, 50);
  if not exists (select from private.open_pools where slug = pool) then
    perform private.refuse_field('pool', 'unknown');
  elsif pool <> split_part(act.subject, '/', 1) then
    perform private.refuse_field('pool', 'fixed');
  end if;
  perform private.check_words('text', given ->> 'text', 1, 5000, true);
  perform private.check_words('dated', given ->> 'dated', 1, 40);
  perform private.check_words('links', given ->> 'links', 0, 5000, true);
  perform private.check_link('links', link) from regexp_split_to_table(given ->> 'links', E'\n') as link;
  if exists (select private.pictures_of(given ->> 'links')) then
    perform private.check_words('person', given ->> 'person', 1, 3);
    perform private.check_pattern('person', given ->> 'person', '^(yes|no)$');
    perform private.check_words(
      'consent', consent, case when given ->> 'person' = 'yes' or given ->> 'links' ~ '[#&]who=' then 10 else 0 end, 500, true
    );
  end if;
  perform private.check_pattern('helping', helping, '^\d{1,12}$');
  perform private.check_link('helping_source', given ->> 'helping_source');
  if (helping is null) <> (given ->> 'helping_source' is null) then
    perform private.refuse_field(case when helping is null then 'helping' else 'helping_source' end, 'missing');
  end if;
  made := public.append_update(jsonb_build_object(
    'pool_slug', pool, 'number', split_part(act.subject, '/', 2)::integer, 'published_at', dated,
    'text', given ->> 'text', 'links', given ->> 'links', 'helping', helping::bigint,
    'helping_source', given ->> 'helping_source', 'revision', act.version + 1
  ));
  insert into private.photograph_consents (picture, words)
  select shown, consent from private.pictures_of(given ->> 'links') as shown where consent is not null
  on conflict (picture) do update set words = excluded.words, recorded_at = excluded.recorded_at;
  return jsonb_build_object(
    'subject', pool || '/' || (made ->> 'number'), 'made_kind', 'update', 'made_id', made -> 'id'
  );
end;
$$;

-- Who agreed to be on the photograph that an update shows now: empty without one, null for other members.
create function public.read_consent(subject text) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return case when private.is_operator() then coalesce((
    select consents.words
    from public.published_updates as updates
    join private.photograph_consents as consents on consents.picture in (select private.pictures_of(updates.links))
    where updates.pool_slug = split_part(read_consent.subject, '/', 1)
      and updates.number::text = split_part(read_consent.subject, '/', 2)
    limit 1
  ), '') end;
end;
$$;

-- The withdrawal of the links of an update takes its photograph away.
create function private.forget_consents() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.photograph_consents
  where picture in (select private.pictures_of(old.text)) and picture not in (select private.shown_pictures());
  return null;
end;
$$;
create trigger forget_consents after update of text on private.log_texts
  for each row when (new.text is null) execute function private.forget_consents();

insert into private.act_kinds (kind, people, subject, least_reason, performer, revision_of, fields) values
  ('statement', 1, 'either', 0, 'perform_statement', 'statement_revision', '{link,text,author,posted,action,captured,tx}'),
  ('confirmation', 1, 'required', 0, 'perform_confirmation', 'statement_revision', '{how}'),
  ('update', 1, 'either', 0, 'perform_update', 'update_revision',
    '{pool,text,links,dated,helping,helping_source,person,consent}');
update private.act_kinds set two_with = 'consent' where kind = 'update';

-- What the job may call -------------------------------------------------------------------------------------

-- Appends a statement, or a revision of the statement with its tweet_url. `statement`: {posted_at, captured_at, author,
-- tweet_text, tweet_url, action_taken, confirmed_by, tx_hash, chain_id, revision}; confirmed_by states who confirmed
-- the statement and how, null if it is not confirmed. Returns the id of the row.
create function public.append_statement(statement jsonb) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  said record;
  former public.cz_calls;
  added bigint;
begin
  perform private.lock_log('ledger');
  select * into said from jsonb_to_record(statement) as (
    posted_at timestamptz, captured_at timestamptz, author text, tweet_text text, tweet_url text, action_taken text,
    confirmed_by text, tx_hash text, chain_id integer, revision integer
  );
  select * into former from public.cz_calls
  where cz_calls.tweet_url = said.tweet_url and cz_calls.revision = said.revision - 1;
  insert into public.cz_calls (
    posted_at, captured_at, author, tweet_url, text_hash, action_hash, verified, confirmed_by_hash, tx_hash, chain_id,
    revision
  )
  values (
    said.posted_at, said.captured_at, said.author, said.tweet_url,
    private.keep_text_again('ledger', said.tweet_text, former.text_hash),
    private.keep_text_again('ledger', said.action_taken, former.action_hash),
    said.confirmed_by is not null,
    private.keep_text_again('ledger', said.confirmed_by, former.confirmed_by_hash),
    said.tx_hash, said.chain_id, coalesce(said.revision, 0)
  )
  returning id into added;
  return added;
end;
$$;

-- A new revision of a statement: its latest revision with `changes`, in the form of append_statement. Its texts must not be
-- withdrawn. Returns its id.
create function private.revise_statement(former public.cz_calls, changes jsonb) returns bigint
language sql set search_path = '' as $$
  select public.append_statement(jsonb_build_object(
    'posted_at', former.posted_at, 'captured_at', former.captured_at, 'author', former.author,
    'tweet_text', private.text_of(former.text_hash), 'tweet_url', former.tweet_url,
    'action_taken', private.text_of(former.action_hash), 'confirmed_by', private.text_of(former.confirmed_by_hash),
    'tx_hash', former.tx_hash, 'chain_id', former.chain_id, 'revision', former.revision + 1
  ) || changes)
$$;

-- Appends an update of a pool, or a revision of the update with its number. `entry`: {pool_slug, number, published_at,
-- text, links (https links, one on each line), helping, helping_source, revision}; without a number, the update gets
-- the next one of its pool. Returns {id, number}.
create function public.append_update(entry jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  said record;
  former public.pool_updates;
  added public.pool_updates;
begin
  perform private.lock_log('ledger');
  select * into said from jsonb_to_record(entry) as (
    pool_slug text, number integer, published_at timestamptz, text text, links text, helping bigint,
    helping_source text, revision integer
  );
  perform private.check_https('pool_updates_links', link) from regexp_split_to_table(said.links, E'\n') as link;
  perform private.check_https('pool_updates_helping_source', said.helping_source) where said.helping_source is not null;
  select * into former from public.pool_updates
  where pool_updates.pool_slug = said.pool_slug and pool_updates.number = said.number
    and pool_updates.revision = said.revision - 1;
  insert into public.pool_updates (
    pool_slug, number, published_at, text_hash, links_hash, helping, helping_source_hash, revision
  )
  values (
    said.pool_slug,
    coalesce(said.number, 1 + coalesce(
      (select max(pool_updates.number) from public.pool_updates where pool_updates.pool_slug = said.pool_slug), 0)),
    said.published_at,
    private.keep_text_again('ledger', said.text, former.text_hash),
    private.keep_text_again('ledger', said.links, former.links_hash),
    said.helping,
    private.keep_text_again('ledger', said.helping_source, former.helping_source_hash),
    coalesce(said.revision, 0)
  )
  returning * into added;
  return jsonb_build_object('id', added.id, 'number', added.number);
end;
$$;

-- Names of up to 100 pictures to which no update of a pool refers, and no act that is not final, oldest first. An update
-- names its pictures by links, each with the SHA-256 of the bytes, so the log commits to the picture.
create function public.orphaned_update_pictures() returns setof text
language sql stable security definer set search_path = '' as $$
  select objects.name
  from storage.objects
  where objects.bucket_id = 'pools'
    and objects.created_at < now() - interval '1 hour'
    and objects.name not in (select shown from private.shown_pictures() as shown)
    and not exists (
      select from public.operator_acts
      where kind = 'update' and final_at is null
        and strpos(arguments ->> 'links', '/pictures/pools/' || objects.name) > 0
    )
  order by objects.created_at
  limit 100;
$$;

-- The sources that have to be read now: `sources` is the configured list, the result [{source, etag, last_modified,
-- body_sha256, since_id, page_token, page_newest, ids}]. Leaves out a source that another run is reading, and one whose
-- time to be read again has not come; a time that was set before the clock was set back does not count. A source with
-- 1,000 candidates becomes 'full' and is not read: it can be reached, and pages give the time of its last read instead
-- of a fault. `ids`, of the source x:posts, are the posts of X that are shown and were not checked for a day, at most
-- 100. Candidates that no operator has decided after 90 days end here.
create function public.claim_sources(sources jsonb) returns jsonb
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  given text;
  claimed private.statement_sources;
  wanted jsonb;
  due jsonb := '[]'::jsonb;
begin
  update private.statement_sources as kept set is_configured = claim_sources.sources ? kept.source
  where kept.is_configured <> (claim_sources.sources ? kept.source);
  perform private.end_post(id, 'expired') from private.statement_posts
  where state = 'open' and captured_at < now() - interval '90 days';
  for given in select jsonb_array_elements_text(claim_sources.sources) loop
    wanted := '[]';
    if given = 'x:posts' then
      select coalesce(jsonb_agg(x_id), '[]') into wanted from (
        select posts.x_id from private.statement_posts as posts
        where posts.x_id is not null and posts.state in ('open', 'published')
          and (posts.check_after <= now() or posts.checked_at > now())
          and (posts.state = 'open' or exists (
            select from public.cz_calls as calls join private.log_texts as words on words.hash = calls.text_hash
            where calls.tweet_url = posts.url and words.text is not null
          ))
        order by posts.check_after limit 100
      ) as shown;
      continue when wanted = '[]';
    elsif (select count(*) from private.statement_posts where statement_posts.source = given and state = 'open') >= 1000 then
      update private.statement_sources as kept set
        state = 'full', fault = '1,000 of its posts wait for an operator', fault_since = coalesce(kept.fault_since, now())
      where kept.source = given;
      continue;
    end if;
    insert into private.statement_sources as kept (source, ask_after) values (given, now() + interval '50 seconds')
    on conflict on constraint statement_sources_pkey do update set asked_at = now(), ask_after = excluded.ask_after
    -- A clock that was set back. An overlapping run has asked a few seconds after the start of this transaction.
    where kept.ask_after <= now() or kept.asked_at > now() + interval '1 minute'
    returning * into claimed;
    continue when not found;
    due := due || jsonb_build_object(
      'source', given, 'etag', claimed.etag, 'last_modified', claimed.last_modified, 'body_sha256', claimed.body_sha256,
      'since_id', claimed.since_id, 'page_token', claimed.page_token, 'page_newest', claimed.page_newest, 'ids', wanted
    );
  end loop;
  return due;
end;
$$;

-- Stores the newest text of a post. Of a post of X the older ones are deleted; of others the first and the newest 19
-- stay.
create function private.capture_post(of_post bigint, new_text text, new_sha256 text) returns void
language sql set search_path = '' as $$
  insert into private.statement_captures (post, sha256, text) values (of_post, new_sha256, new_text);
  delete from private.statement_captures as captures
  using private.statement_posts as posts
  where captures.post = of_post and posts.id = of_post and captures.id not in (
    select kept.id from private.statement_captures as kept where kept.post = of_post order by kept.id desc limit 19
  ) and captures.id <> (select min(first.id) from private.statement_captures as first where first.post = of_post);
  delete from private.statement_captures as captures
  using private.statement_posts as posts
  where captures.post = of_post and posts.id = of_post and posts.x_id is not null and captures.id < (
    select max(newest.id) from private.statement_captures as newest where newest.post = of_post
  );
$$;

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

-- Stores one post that a source has now; returns 'added', 'edited', or null without a change. A post that a source has
-- from another one is that post: only the source where it was found first can edit it, and the words of a published
-- statement only if it speaks for its page. A standing order answers it when its own source has it for the first time.
create function private.store_post(of_source text, post jsonb) returns text
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
  elsif known.state = 'open' and known.gone_at is null and known.source <> of_source then
    insert into private.later_deliveries (post, source) values (known.id, of_source) on conflict do nothing;
    if found and has_time and (post ->> 'matches')::boolean then
      known.source := of_source;
      known.author := post ->> 'author';
      known.posted_at := stated;
      perform private.answer_post(known, post ->> 'text');
    end if;
    return null;
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

-- Stores what the daily check found of a post of X: {id, gone}, {id, current, text, sha256}, or {id, current} with the
-- id of a newer version that the next check reads. A candidate that is gone ends. Returns 'edited', 'gone' or null.
create function private.store_post_state(state jsonb) returns text
language plpgsql set search_path = '' as $$
declare
  known private.statement_posts;
begin
  select * into known from private.statement_posts as posts
  where posts.x_id = store_post_state.state ->> 'id' and posts.state in ('open', 'published') for update;
  if known.id is null then
    return null;
  end if;
  update private.statement_posts set
    checked_at = now(), check_after = now() + case
      when store_post_state.state ? 'gone' or store_post_state.state ? 'text' then interval '1 day' else interval '0' end,
    x_id = coalesce(store_post_state.state ->> 'current', x_id)
  where id = known.id;
  if store_post_state.state ? 'gone' then
    if known.state = 'open' then
      perform private.end_post(known.id, 'gone');
      return 'gone';
    end if;
    delete from private.statement_captures where post = known.id;
    update private.statement_posts set gone_at = now() where id = known.id and gone_at is null;
    return case when known.gone_at is null then 'gone' end;
  end if;
  update private.statement_posts set gone_at = null where id = known.id and gone_at is not null;
  if not store_post_state.state ? 'text' or known.sha256 = store_post_state.state ->> 'sha256' then
    return null;
  end if;
  perform private.capture_post(known.id, store_post_state.state ->> 'text', store_post_state.state ->> 'sha256');
  -- The first check of a post that did not come from X's API: X may write the same words in another way.
  if known.sha256 is null or (known.checked_at is null and known.source !~ '^x:') then
    update private.statement_posts set
      sha256 = store_post_state.state ->> 'sha256',
      published_sha256 = case when known.state = 'published' then store_post_state.state ->> 'sha256' end
    where id = known.id;
    return null;
  end if;
  update private.statement_posts set sha256 = store_post_state.state ->> 'sha256', edited_at = now() where id = known.id;
  return 'edited';
end;
$$;

-- Stores what a read of a source found, in one transaction with where its next read begins. `reading`: {state, fault,
-- wait (seconds until the next read), name, link, etag, last_modified, body_sha256, since_id, page_token, page_newest};
-- a key that is absent leaves its column. `posts`: [{url, author, posted_at, text, sha256, matches}]. `states`: what
-- the check of posts found. Returns {added, edited, gone}.
create function public.record_source(source text, reading jsonb, posts jsonb default '[]', states jsonb default '[]')
returns jsonb
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  is_well constant boolean := reading ->> 'state' = 'well';
  pause constant interval := case when reading ->> 'wait' is not null
    then make_interval(secs => least(greatest((reading ->> 'wait')::numeric, 0), 86400)::double precision) end;
  keys text[];
  outcomes text[];
begin
  -- First, so that two runs wait for each other.
  update private.statement_sources as kept set
    state = reading ->> 'state',
    fault = left(reading ->> 'fault', 300),
    failures = case when is_well then 0 else least(kept.failures + 1, 1000) end,
    fault_since = case when is_well then null else coalesce(kept.fault_since, now()) end,
    well_at = case when is_well then now() else kept.well_at end,
    -- Ten seconds less than a minute or an hour, so that a run of that minute is not too early.
    ask_after = case
      when pause is not null then now() + pause
      when is_well then kept.asked_at + interval '50 seconds'
      when reading ->> 'state' = 'refused' then now() + interval '1 hour' - interval '10 seconds'
      else now() + least(interval '1 hour', interval '1 minute' * 2 ^ least(kept.failures, 10)) - interval '10 seconds'
    end,
    name = coalesce(reading ->> 'name', kept.name),
    link = coalesce(reading ->> 'link', kept.link),
    since_id = case
      when (reading ->> 'since_id')::numeric >= coalesce(kept.since_id::numeric, 0) then reading ->> 'since_id'
      else kept.since_id
    end,
    (etag, last_modified, body_sha256, page_token, page_newest) = (
      select given.etag, given.last_modified, given.body_sha256, given.page_token, given.page_newest
      from jsonb_populate_record(kept, reading) as given
    )
  where kept.source = record_source.source;
  select array_agg(private.store_post(record_source.source, post) order by place) into outcomes
  from jsonb_array_elements(record_source.posts) with ordinality as given (post, place);
  outcomes := outcomes || (
    select array_agg(private.store_post_state(state)) from jsonb_array_elements(record_source.states) as state
  );
  if jsonb_array_length(record_source.posts) > 0 then
    select array_agg(private.post_key(post ->> 'url')) into keys from jsonb_array_elements(record_source.posts) as post;
    update private.statement_sources as kept set
      seen_count = kept.seen_count + (select count(*) from unnest(keys) as key where key <> all (kept.last_keys)),
      found_count = kept.found_count + cardinality(array_positions(outcomes, 'added')),
      last_keys = keys
    where kept.source = record_source.source;
  end if;
  return jsonb_build_object(
    'added', coalesce(cardinality(array_positions(outcomes, 'added')), 0),
    'edited', coalesce(cardinality(array_positions(outcomes, 'edited')), 0),
    'gone', coalesce(cardinality(array_positions(outcomes, 'gone')), 0)
  );
end;
$$;

-- True, once an hour, if the holders of a token have to be counted.
create function public.claim_holders(token text) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.token_holders as kept (token) values (claim_holders.token)
  on conflict on constraint token_holders_pkey do update set asked_at = now()
  where kept.asked_at <= now() - interval '59 minutes' or kept.asked_at > now();
  return found;
end;
$$;

create function public.store_holders(token text, holders bigint, host text) returns void
language sql security definer set search_path = '' as $$
  update private.token_holders as kept
  set holders = store_holders.holders, host = store_holders.host, counted_at = now()
  where kept.token = store_holders.token
$$;

-- What everyone reads ---------------------------------------------------------------------------------------

create view private.statement_words as
select
  calls.id,
  case when posts.x_id is null or (posts.gone_at is null and posts.sha256 is not distinct from posts.published_sha256)
    then words.text end as text,
  coalesce(
    encode(sha256(convert_to(words.text, 'UTF8')), 'hex'), case when posts.gone_at is not null then posts.statement_sha256 end
  ) as sha256,
  case when posts.sha256 <> posts.published_sha256 then posts.edited_at::timestamptz end as edited_at,
  posts.gone_at::timestamptz as gone_at,
  private.x_post_id(calls.tweet_url) is not null as is_x_post
from public.cz_calls as calls
left join private.log_texts as words on words.hash = calls.text_hash
left join private.statement_posts as posts on posts.key = private.post_key(calls.tweet_url);
comment on view private.statement_words is
  'The text of each statement, as far as it may be shown: of a post of X not after its author removed it, and after an edit not before an operator has published the new words.';

-- The statements that name one payment say so: each is followed by the same payment, and the ledger counts it once.
create view public.published_cz_calls with (security_invoker = false) as
select
  calls.id, calls.posted_at, calls.captured_at, calls.author, calls.verified, confirmation.text as confirmed_by,
  shown.text as tweet_text, calls.tweet_url, action.text as action_taken, calls.text_hash, calls.action_hash,
  calls.confirmed_by_hash, shown.sha256 as statement_sha256,
  calls.tx_hash, calls.chain_id, calls.revision, calls.recorded_at, entries.index as log_index,
  answer.id as transaction_id, answer.occurred_at as answered_at, answer.amount_usd as answered_usd,
  answer.token_amount as answered_token_amount, answer.token_symbol as answered_token_symbol,
  answer.token_decimals as answered_token_decimals, answer.status, answer.checked_at, answer.unreachable_at,
  (
    select count(*)
    from private.current_calls as other
    where other.chain_id = calls.chain_id and other.tx_hash = calls.tx_hash and other.tweet_url <> calls.tweet_url
  )::bigint as shared_count,
  shown.edited_at as source_edited_at, shown.gone_at as source_gone_at, shown.is_x_post
from private.current_calls as calls
left join private.ledger_entries as entries on entries.kind = 'statement' and entries.row_id = calls.id
left join private.statement_words as shown on shown.id = calls.id
left join private.log_texts as action on action.hash = calls.action_hash
left join private.log_texts as confirmation on confirmation.hash = calls.confirmed_by_hash
left join lateral (
  select id, occurred_at, amount_usd, token_amount, token_symbol, token_decimals, status, checked_at, unreachable_at
  from public.published_transactions
  where published_transactions.chain_id = calls.chain_id and published_transactions.tx_hash = calls.tx_hash
  order by ordinal limit 1
) as answer on true;
comment on view public.published_cz_calls is
  'The latest revision of every statement, with the transaction that answered it where the ledger has it. A text is null where it was withdrawn.';
comment on column public.published_cz_calls.shared_count is
  'The number of other statements that name the same transaction.';
comment on column public.published_cz_calls.statement_sha256 is
  'SHA-256 of the text in UTF-8, for comparison with another copy of it. It stays when the author removes a post of X.';
comment on column public.published_cz_calls.source_edited_at is 'The post was edited since its words were published here.';
comment on column public.published_cz_calls.source_gone_at is 'The post is no longer at its source.';
comment on column public.published_cz_calls.is_x_post is 'Its text is shown on pages, but is in no file and no feed: X allows that only for ids.';

create view public.listening_sources with (security_invoker = false) as
select
  host, coalesce(name, host) as name, coalesce(link, 'https://' || host || '/') as link, well_at,
  (case when state <> 'full' then fault_since end)::private.moment as fault_since
from (
  select *, case when source ~ '^x:' then 'x.com' else split_part(split_part(source, '//', 2), '/', 1) end as host
  from private.statement_sources where is_configured and source <> 'x:posts'
) as sources;
comment on view public.listening_sources is 'The sources to which the schedule listens, and when each was read last.';

create view public.published_holders with (security_invoker = false) as
select token, holders, host, counted_at from private.token_holders where holders is not null;
comment on view public.published_holders is 'How many addresses hold a token, according to the endpoint of this host.';

create view public.source_states with (security_invoker = false) as
select source, name, state, fault, fault_since, asked_at, ask_after, well_at, seen_count::bigint as seen_count,
  found_count::bigint as found_count
from private.statement_sources where is_configured;
comment on view public.source_states is 'Each source of statements with its last success and its fault.';

-- Grants ----------------------------------------------------------------------------------------------------

grant select on public.cz_calls, public.pool_updates, public.source_states to service_role;
grant select on
  public.published_cz_calls, public.listening_sources, public.published_holders
  to anon, authenticated, service_role;
grant execute on function
  private.has_update_picture_room, public.read_post, public.dismiss_post, public.read_consent
  to authenticated;
grant execute on function private.x_post_id, private.post_key to anon, authenticated, service_role;
grant execute on function
  public.append_statement, public.append_update, public.orphaned_update_pictures, public.claim_sources,
  public.record_source, public.claim_holders, public.store_holders
  to service_role;
