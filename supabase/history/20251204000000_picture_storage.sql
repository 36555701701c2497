-- How much a member can store in the bucket of pictures. The site keeps one picture of each member and removes the one
-- before, but a member can call the storage API directly.

-- True if the caller is a member and their folder has fewer than 20 pictures and less than 8 MiB. The storage service
-- checks a policy before it knows the size of the new picture, which the bucket limits to 2 MiB; so a folder has at most
-- 10 MiB. Uploads at the same moment may each be the last one. Security definer, because a policy of storage.objects
-- cannot read storage.objects. An access token of a deleted member is valid until it expires, so the profile is checked.
create function private.has_picture_room() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.profiles where id = (select auth.uid()))
    and count(*) < 20 and coalesce(sum((metadata ->> 'size')::bigint), 0) < 8 * 1024 * 1024
  from storage.objects
  -- The names that begin with '<member>/' ('0' follows '/'), by the index of the storage service on name.
  where bucket_id = 'avatars'
    and name ~>=~ ((select auth.uid()) || '/') and name ~<~ ((select auth.uid()) || '0');
$$;
comment on function private.has_picture_room() is 'True if the caller is a member who may store one more picture.';
revoke all on function private.has_picture_room() from public, anon;
grant execute on function private.has_picture_room() to authenticated;

create policy "A member stores a limited number of pictures" on storage.objects
  as restrictive for insert to authenticated with check (
    bucket_id <> 'avatars' or (select private.has_picture_room())
  );
