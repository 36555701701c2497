-- What the pages of operators need: the last runs of the ledger job, drafts that are stored once, and room for pictures of
-- updates.

-- The job writes one row in each run, so this table is no part of the log, and takes no lock of it.
create table private.last_runs (
  which text primary key
    constraint last_runs_which_known check (which in ('last', 'trouble')),
  ran_at private.moment not null,
  report jsonb not null
    constraint last_runs_report_object check (jsonb_typeof(report) = 'object')
    constraint last_runs_report_size check (octet_length(report::text) <= 8192)
);
comment on table private.last_runs is 'The last run of the ledger job, and the last one with trouble.';

-- Stores what a run reported. Of a report that is too long, only the reason why it stopped is stored.
create function public.record_run(report jsonb, trouble boolean) returns void
language plpgsql security definer set search_path = '' as $$
declare
  kept constant jsonb := case when octet_length(report::text) <= 8192 then report
    else jsonb_build_object('stopped', left(coalesce(report ->> 'stopped', 'its report was too long'), 500)) end;
begin
  insert into private.last_runs as runs (which, ran_at, report)
  select which, now(), kept from unnest(array['last', case when trouble then 'trouble' end]) as which
  where which is not null
  on conflict (which) do update set ran_at = excluded.ran_at, report = excluded.report;
end;
$$;
comment on function public.record_run(jsonb, boolean) is 'Stores the report of the last run of the ledger job.';

create or replace function private.operator_health() returns jsonb
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set jit = off as $$
begin
  return jsonb_build_object(
    'status', (select to_jsonb(status) from public.ledger_status as status),
    'differing', (
      select coalesce(jsonb_agg(to_jsonb(differing)), '[]')
      from (
        select * from public.published_reconciliations where difference is distinct from '0' limit 20
      ) as differing
    ),
    'anchor', (select to_jsonb(anchors) from public.published_anchors as anchors order by anchors.id desc limit 1),
    'statuses', (
      select coalesce(jsonb_object_agg(status, rows), '{}')
      from (select status, sum(row_count) as rows from private.sums_by_month group by status) as counted
    ),
    'job', (
      select coalesce(jsonb_object_agg(which, jsonb_build_object('ran_at', ran_at, 'report', report)), '{}')
      from private.last_runs
    )
  );
end;
$$;

-- Drafts ------------------------------------------------------------------------------------------------

-- Stores what an operator typed, valid or not. Without `act`, or with an id that no act has, it begins a draft: a form that
-- is sent twice begins one. Otherwise kind, subject and version of the draft stay. `version`: the revision of the subject from which the form was filled.
create or replace function public.save_act(
  act uuid, kind text, subject text, arguments jsonb, reason text, version integer default null
) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  caller constant text := private.begin_act(false);
  current_version constant integer := private.version_of(save_act.kind, save_act.subject);
  draft public.operator_acts;
begin
  if octet_length(save_act.arguments::text) > 32000 or octet_length(save_act.reason) > 32000 then
    perform private.refuse_act('too_large');
  elsif jsonb_typeof(save_act.arguments) is distinct from 'object' then
    perform private.refuse_act('refused', jsonb_build_object('why', 'arguments must be an object'));
  end if;
  if exists (select from public.operator_acts where id = save_act.act) then
    draft := private.open_act(save_act.act, caller, '{draft}');
    update public.operator_acts set
      arguments = save_act.arguments, reason = nullif(save_act.reason, ''), saved_at = now()
    where id = draft.id;
    return jsonb_build_object('id', draft.id, 'state', 'draft', 'version', draft.version);
  end if;
  if save_act.kind is null or save_act.kind = 'reading' or not (case
    when save_act.kind in ('statement', 'update', 'name') then save_act.subject is null or current_version is not null
    when save_act.kind in ('confirmation', 'purpose', 'value') then current_version is not null
    when save_act.kind = 'withdrawal' then
      exists (select from private.log_texts where hash = save_act.subject and log = 'ledger')
    when save_act.kind = 'operator' then save_act.subject is null
    when save_act.kind = 'operator-end' then exists (select from public.operators where handle = save_act.subject)
    else false
  end) then
    perform private.refuse_act('not_found');
  elsif (select count(*) from public.operator_acts as acts where acts.by = caller and acts.state = 'draft') >= 50 then
    perform private.refuse_act('too_many');
  end if;
  insert into public.operator_acts (id, kind, subject, arguments, reason, version, by)
  values (
    coalesce(save_act.act, gen_random_uuid()), save_act.kind, save_act.subject, save_act.arguments, nullif(save_act.reason, ''),
    case when current_version is not null then least(greatest(coalesce(save_act.version, current_version), 0), 10000) end,
    caller
  )
  returning * into draft;
  return jsonb_build_object('id', draft.id, 'state', 'draft', 'version', draft.version);
end;
$$;

-- Pictures of updates -------------------------------------------------------------------------------------

-- The pictures that an update names in its links, also in a revision that was corrected.
create function private.shown_pictures() returns setof text
language sql stable security definer set search_path = '' as $$
  select (regexp_matches(links.text, '/pictures/pools/([a-z-]+/[0-9a-f]{64}\.[a-z]+)', 'g'))[1]
  from public.pool_updates
  join private.log_texts as links on links.hash = pool_updates.links_hash
$$;

-- The pictures to which no update and no act that is not final refers.
create or replace function public.orphaned_update_pictures() returns setof text
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

-- True if the pictures that no update shows yet are fewer than 40 and less than 32 MiB: those of drafts, and those of
-- the last hour. Security definer, because a policy of storage.objects cannot read storage.objects.
create function private.has_update_picture_room() returns boolean
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
    and (select private.has_update_picture_room())
  );

create policy "Operators read pictures of updates" on storage.objects
  for select to authenticated using (bucket_id = 'pools' and (select private.is_operator()));

-- Privileges ----------------------------------------------------------------------------------------------

revoke all on private.last_runs from public, anon, authenticated, service_role;
revoke all on function
  public.record_run(jsonb, boolean), private.shown_pictures(), private.has_update_picture_room()
  from public, anon, authenticated, service_role;
grant execute on function public.record_run(jsonb, boolean) to service_role;
-- A policy runs with the member's privileges.
grant execute on function private.has_update_picture_room() to authenticated;
