-- A source that another run asked a moment ago is not asked again.
create or replace function public.claim_sources(sources jsonb) returns jsonb
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
