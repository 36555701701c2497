-- Pictures of updates of impact pools. This bucket has no policy: the site writes to it with the secret key, and pages
-- show its pictures from the site's own URL.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('pools', 'pools', true, 2097152, array['image/webp', 'image/jpeg', 'image/png'])
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

-- An update names its pictures by links, each with the SHA-256 of the bytes, so the log commits to the picture. If no
-- text of the log names a picture, the command that stored it did not finish, or the text was withdrawn.
create function public.orphaned_update_pictures() returns setof text
language sql stable security definer set search_path = '' as $$
  select objects.name
  from storage.objects
  where objects.bucket_id = 'pools'
    and objects.created_at < now() - interval '1 hour'
    and not exists (
      select from public.pool_updates
      join private.log_texts as links on links.hash = pool_updates.links_hash
      where pool_updates.pool_slug = split_part(objects.name, '/', 1)
        and strpos(links.text, '/pictures/pools/' || objects.name) > 0
    )
  order by objects.created_at
  limit 100;
$$;
comment on function public.orphaned_update_pictures() is 'Names of up to 100 pictures that no update of a pool shows, oldest first.';
revoke all on function public.orphaned_update_pictures() from public, anon, authenticated;
grant execute on function public.orphaned_update_pictures() to service_role;
