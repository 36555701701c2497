-- Pictures of members. The bytes are in Supabase Storage, and the site serves them from its own URL.
-- This file has no `alter table storage.objects`: on a hosted project that table belongs to another role, and row-level
-- security is already enabled on it.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('avatars', 'avatars', true, 2097152, array['image/webp', 'image/jpeg', 'image/png'])
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

-- An object is named <member>/<SHA-256 of its bytes>.<type>. It never changes, so there is no policy for updates.
create policy "Members add pictures to their own folder" on storage.objects
  for insert to authenticated with check (
    bucket_id = 'avatars'
    and (storage.foldername(name))[1] = (select auth.uid())::text
    and name ~ '^[0-9a-f-]{36}/[0-9a-f]{64}\.(webp|jpg|png)$'
  );

create policy "Members read their own pictures" on storage.objects
  for select to authenticated using (
    bucket_id = 'avatars' and (storage.foldername(name))[1] = (select auth.uid())::text
  );

create policy "Members remove their own pictures" on storage.objects
  for delete to authenticated using (
    bucket_id = 'avatars' and (storage.foldername(name))[1] = (select auth.uid())::text
  );

create policy "A second factor guards the pictures" on storage.objects
  as restrictive for all to authenticated using (bucket_id <> 'avatars' or (select private.is_assured()));

alter table public.profiles
  add column avatar_path text
    constraint profiles_avatar_path_own check (
      avatar_path ~ '^[0-9a-f-]{36}/[0-9a-f]{64}\.(webp|jpg|png)$' and starts_with(avatar_path, id::text || '/')
    );
comment on column public.profiles.avatar_path is 'The name of the member''s picture in the bucket avatars.';
grant update (avatar_path) on public.profiles to authenticated;

-- The pictures that scheduled work deletes: no profile names them, and they are at least an hour old. A member's
-- picture is stored before the profile names it, so a newer picture may still be needed.
create function public.orphaned_pictures() returns setof text
language sql stable security definer set search_path = '' as $$
  select objects.name
  from storage.objects
  where objects.bucket_id = 'avatars'
    and objects.created_at < now() - interval '1 hour'
    and not exists (select from public.profiles where profiles.avatar_path = objects.name)
  order by objects.created_at
  limit 100;
$$;
comment on function public.orphaned_pictures() is 'Names of up to 100 pictures that no profile uses, oldest first.';
revoke all on function public.orphaned_pictures() from public, anon, authenticated;
grant execute on function public.orphaned_pictures() to service_role;

create index profiles_avatar_path on public.profiles (avatar_path) where avatar_path is not null;
