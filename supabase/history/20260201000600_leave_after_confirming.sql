-- The page after the confirmation of a request to follow offers to leave again, before the first mail. The token in
-- the link of that page came by mail to the address, and each later mail has the token for leaving.

-- Returns {state, topic, leave}: confirmed or used, with the token for leaving, or unknown.
create or replace function public.confirm_follow(token text) returns jsonb
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
