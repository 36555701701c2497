-- Goals (FundMe): what a member wants to fund, from the draft to the final report. A member writes a draft and submits
-- it; an operator returns or rejects it, or two operators approve it. Then it is public and an account of the ledger,
-- and gifts go directly to the member's wallet. goal_changes has the public history, as entries of the log.

set check_function_bodies = off;

-- Tables ----------------------------------------------------------------------------------------------------

-- Only private.move_goal changes the stage of a goal:
-- draft, returned -> submitted (member) -> draft (member), returned (operator, check of the wallet), rejected
-- (operator), open (two operators) -> ended (schedule, member, deletion of the account) -> completed (operator).
-- annulled: two operators, from open or ended. `frozen` is a flag of open and ended; `hidden` hides text and picture. A
-- refusal is an exception whose message is a short code, as of acts.

-- Without control and direction characters, wallet addresses and links.
create function private.is_goal_text(words text, many_lines boolean) returns boolean
language sql immutable set search_path = '' as $$
  select words !~ (case when many_lines
    then '[\u0001-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]'
    else '[\u0001-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]' end)
    and words !~* '0x[0-9a-f]{40}' and words !~* '(https?://|www\.)'
$$;

-- https links, one on each line, at most five. Empty without one.
create function private.is_link_list(links text) returns boolean
language sql immutable set search_path = '' as $$
  select links = '' or (
    char_length(links) <= 2504
    and links ~ '^https://[\u0021-\u007e]+(\nhttps://[\u0021-\u007e]+){0,4}$'
  )
$$;

-- At most twelve lines {"amount", "what"}: an amount is a text such as '400' or '400.50', null if it is missing.
create function private.is_goal_plan(plan jsonb) returns boolean
language sql immutable security definer set search_path = '' as $$
  select case when jsonb_typeof(plan) <> 'array' then false else
    jsonb_array_length(plan) <= 12 and not exists (
      select from jsonb_array_elements(plan) as line
      where case when jsonb_typeof(line) <> 'object' then true else
        line - '{amount,what}'::text[] <> '{}' or not line ?& '{amount,what}'::text[]
        or jsonb_typeof(line -> 'what') <> 'string' or char_length(line ->> 'what') > 200
        or not private.is_goal_text(line ->> 'what', false)
        or jsonb_typeof(line -> 'amount') not in ('string', 'null')
        or line ->> 'amount' !~ '^\d{1,5}(\.\d\d)?$'
      end
    )
  end
$$;

create table public.goals (
  id uuid primary key default gen_random_uuid(),
  member uuid references auth.users (id) on delete set null,
  stage text not null default 'draft'
    constraint goals_stage_known check (stage in (
      'draft', 'returned', 'submitted', 'rejected', 'open', 'ended', 'completed', 'annulled'
    )),
  status text generated always as (case stage when 'open' then 'active' else stage end) stored,
  revision private.revision not null default 0,
  version private.safe_integer not null default 0,
  frozen boolean not null default false
    constraint goals_frozen_in_public check (not frozen or stage in ('open', 'ended')),
  hidden boolean not null default false,
  title text not null default ''
    constraint goals_title check (char_length(title) <= 100 and private.is_goal_text(title, false)),
  byline text not null default ''
    constraint goals_byline check (char_length(byline) <= 60 and private.is_goal_text(byline, false)),
  category text not null default ''
    constraint goals_category check (char_length(category) <= 40 and private.is_goal_text(category, false)),
  target_usd numeric(7, 2)
    constraint goals_target_range check (target_usd between 0 and 99999.99),
  days integer
    constraint goals_days_range check (days between 0 and 999),
  plan jsonb not null default '[]'
    constraint goals_plan check (private.is_goal_plan(plan)),
  story text not null default ''
    constraint goals_story check (char_length(story) <= 5000 and private.is_goal_text(story, true)),
  links text not null default ''
    constraint goals_links check (private.is_link_list(links)),
  picture_path text
    constraint goals_picture_own check (
      picture_path ~ '^[0-9a-f-]{36}/[0-9a-f]{64}\.(webp|jpg|png)$' and starts_with(picture_path, id::text || '/')
    ),
  picture_text text not null default ''
    constraint goals_picture_text check (char_length(picture_text) <= 300 and private.is_goal_text(picture_text, false)),
  -- The types of columns that members write are PostgreSQL's own: PostgREST names them with the role of the member, which
  -- cannot use the schema private.
  wallet text
    constraint goals_wallet_format check (wallet ~ '^0x[0-9a-f]{40}$'),
  slug text unique
    constraint goals_slug_format check (slug ~ '^goal-[a-z]{8}$'),
  reason text
    constraint goals_reason_length check (char_length(reason) <= 500),
  reason_salt text,
  fault text
    constraint goals_fault_known check (fault in ('proof', 'ours', 'used', 'holds')),
  report_number integer,
  unread_from private.safe_integer,
  created_at private.moment not null default now(),
  saved_at private.moment not null default now(),
  submitted_at private.moment,
  opened_at private.moment,
  ends_at private.moment,
  ended_at private.moment,
  ended_by text
    constraint goals_ended_by_known check (ended_by in ('schedule', 'member', 'deletion')),
  completed_at private.moment,
  title_hash text references private.log_texts (hash),
  byline_hash text references private.log_texts (hash),
  category_hash text references private.log_texts (hash),
  plan_hash text references private.log_texts (hash),
  story_hash text references private.log_texts (hash),
  links_hash text references private.log_texts (hash),
  picture_text_hash text references private.log_texts (hash),
  constraint goals_slug_since_submission check (slug is not null or stage = 'draft'),
  constraint goals_member_until_public check (member is not null or stage in ('open', 'ended', 'completed', 'annulled')),
  constraint goals_public_whole check (
    stage not in ('open', 'ended', 'completed', 'annulled')
    or (opened_at is not null and ends_at is not null and wallet is not null and target_usd is not null)
  )
);
comment on table public.goals is
  'What members ask for. The texts are here until the goal is approved; then they are in private.log_texts, where they can be withdrawn.';
comment on column public.goals.status is 'The status of a FundMe pool of the specification.';
comment on column public.goals.revision is 'Counts the changes of stage, frozen and hidden.';
comment on column public.goals.version is 'Counts the saves of the draft.';
comment on column public.goals.fault is 'Why the check of the wallet returned it.';
comment on column public.goals.report_number is 'The number of the update that is the final report.';
comment on column public.goals.unread_from is
  'The first block after the check of its wallet in which gifts were not searched yet; null once they were.';
comment on column public.goals.reason is
  'Why operators returned or rejected it, for the member and for operators. SHA-256 of reason_salt and it is in the log.';
create index goals_of_member on public.goals (member, created_at desc, id desc);
create index goals_open on public.goals (ends_at, id) where stage = 'open';
create index goals_ended on public.goals (ended_at desc, id desc) where stage in ('ended', 'completed');
create index goals_submitted on public.goals (submitted_at) where stage = 'submitted';
create index goals_picture on public.goals (picture_path) where picture_path is not null;

-- A wallet belongs to one goal for ever. One that was only returned or rejected never used it.
create unique index goals_wallet on public.goals (wallet) where stage in ('open', 'ended', 'completed', 'annulled');
create index goals_submitted_wallet on public.goals (wallet) where stage = 'submitted';

create policy "Members read their own goals" on public.goals
  for select to authenticated using (member = (select auth.uid()));

create policy "Members begin their own goals" on public.goals
  for insert to authenticated with check (member = (select auth.uid()) and stage = 'draft');

create policy "Members save their own drafts" on public.goals
  for update to authenticated
  using (member = (select auth.uid()) and stage in ('draft', 'returned'))
  with check (member = (select auth.uid()) and stage in ('draft', 'returned'));

create policy "Members delete their own drafts" on public.goals
  for delete to authenticated using (member = (select auth.uid()) and stage in ('draft', 'returned'));

create policy "A second factor guards the goals" on public.goals
  as restrictive for all to authenticated using ((select private.is_assured()));

create table private.goal_moves (
  id bigint generated always as identity primary key,
  goal uuid not null references public.goals (id) on delete cascade,
  former text not null,
  stage text not null,
  frozen boolean not null,
  hidden boolean not null,
  moved_by text not null
    constraint goal_moves_moved_by_known check (moved_by in ('member', 'operator', 'schedule', 'deletion')),
  texts jsonb,
  moved_at private.moment not null default now(),
  reason text
);
comment on table private.goal_moves is 'Every change of stage, frozen and hidden.';
comment on column private.goal_moves.texts is 'What was submitted, so that operators see what changed; deleted when the goal is approved.';
comment on column private.goal_moves.reason is
  'Why operators returned or rejected the goal, for its member and for operators; deleted when the goal is approved.';
create index goal_moves_of_goal on private.goal_moves (goal, id);

create table public.goal_changes (
  id bigint generated always as identity primary key,
  slug text not null references private.accounts (slug),
  revision private.revision not null,
  stage text not null,
  frozen boolean not null,
  hidden boolean not null,
  changed_by text not null,
  target_usd numeric(7, 2) not null
    constraint goal_changes_target_range check (target_usd between 0 and 99999.99),
  wallet private.address not null,
  picture text
    constraint goal_changes_picture_format check (picture ~ '^[0-9a-f]{64}$'),
  opened_at private.moment not null,
  ends_at private.moment not null,
  title_hash text not null references private.log_texts (hash),
  byline_hash text not null references private.log_texts (hash),
  category_hash text not null references private.log_texts (hash),
  plan_hash text not null references private.log_texts (hash),
  story_hash text not null references private.log_texts (hash),
  links_hash text references private.log_texts (hash),
  picture_text_hash text references private.log_texts (hash),
  reason_hash text references private.log_texts (hash),
  recorded_at private.moment not null default now(),
  constraint goal_changes_key unique (slug, revision)
);
comment on table public.goal_changes is
  'Every public state of a goal, from its approval (revision 0). Each is an entry `goal` of the log.';
comment on column public.goal_changes.picture is 'SHA-256 of its bytes.';
comment on column public.goal_changes.reason_hash is 'Why the member ended it early. The reasons of operators are in their acts.';

create table private.goal_checks (
  goal uuid primary key references public.goals (id) on delete cascade,
  wallet private.address not null,
  fault text
    constraint goal_checks_fault_known check (fault in ('proof', 'ours', 'used', 'holds')),
  block_number private.safe_integer not null,
  block_hash private.hash32 not null,
  nonce private.safe_integer not null,
  holds jsonb not null default '[]'
    constraint goal_checks_holds_list check (jsonb_typeof(holds) = 'array' and octet_length(holds::text) <= 4000),
  checked_at private.moment not null default now()
);
comment on table private.goal_checks is
  'The newest check of the wallet of a goal that waits: its proof, and what the chain says about it at a final block.';
comment on column private.goal_checks.holds is 'The accepted tokens that it holds: [{"symbol", "amount"}], amounts in base units as texts.';

create table private.waiting_updates (
  goal uuid primary key references public.goals (id) on delete cascade,
  words text not null,
  links text,
  picture text,
  is_report boolean not null,
  made_at private.moment not null default now()
);
comment on table private.waiting_updates is
  'The newest update of a goal that has the name of this site, until an operator publishes it.';

create table public.goal_complaints (
  id bigint generated always as identity primary key,
  goal uuid not null references public.goals (id),
  member uuid not null references auth.users (id) on delete cascade,
  reason text not null
    constraint goal_complaints_reason_known check (reason in (
      'scam', 'not-their-story', 'impersonation', 'privacy', 'offensive', 'other'
    )),
  text text not null
    constraint goal_complaints_text_length check (char_length(text) between 10 and 1000),
  made_at private.moment not null default now(),
  closed_at private.moment,
  outcome text
    constraint goal_complaints_outcome_known check (outcome in ('dismissed', 'annulled')),
  constraint goal_complaints_closed_whole check ((closed_at is null) = (outcome is null))
);
comment on table public.goal_complaints is 'What members report about goals. Operators do not see who complained.';
create unique index goal_complaints_open on public.goal_complaints (goal, member) where closed_at is null;
create index goal_complaints_of_member on public.goal_complaints (member, made_at desc);

create policy "Members read their own complaints" on public.goal_complaints
  for select to authenticated using (member = (select auth.uid()));

create policy "A second factor guards the complaints" on public.goal_complaints
  as restrictive for all to authenticated using ((select private.is_assured()));

-- The goal of a picture by its name, <goal>/<SHA-256 of its bytes>.<type>; null if the name is not one of a picture.
create function private.goal_of_picture(name text) returns uuid
language sql immutable set search_path = '' as $$
  select case when name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/[0-9a-f]{64}\.(webp|jpg|png)$'
    then split_part(name, '/', 1)::uuid end
$$;

-- Whether a member may add a picture to their goal: 20 to a draft, and one more for each update; for goals
-- that are not public 60 pictures and 30 MiB, 2 MiB of them for this picture, also of goals that were deleted. Two
-- operators approve each goal that becomes public.
create function private.has_goal_picture_room(member uuid, picture text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.goals
    where id = private.goal_of_picture(picture) and goals.member = has_goal_picture_room.member
      and stage in ('draft', 'returned', 'open', 'ended') and (
        select count(*) < 20 + (select count(*) from public.pool_updates where pool_slug = goals.slug and revision = 0)
        from storage.objects
        where bucket_id = 'goals' and objects.name ~>=~ (goals.id || '/') and objects.name ~<~ (goals.id || '0')
      )
  ) and (
    select count(*) < 60 and coalesce(sum((objects.metadata ->> 'size')::bigint), 0) < 28 * 1024 * 1024
    from storage.objects
    where bucket_id = 'goals' and objects.owner_id = has_goal_picture_room.member::text and not exists (
      select from public.goals where id = private.goal_of_picture(objects.name) and private.is_public_stage(stage)
    )
  )
$$;

create policy "Members add pictures to their own goals" on storage.objects
  for insert to authenticated with check (
    bucket_id = 'goals' and (select private.is_assured()) and private.has_goal_picture_room((select auth.uid()), name)
  );
create trigger limit_goal_pictures before insert on storage.objects for each row
  when (new.bucket_id = 'goals') execute function private.limit_pictures('has_goal_picture_room');

-- Whether the caller may see a picture: its member, operators once it was submitted, and everyone while it is
-- published.
create function private.can_see_goal_picture(name text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.goals
    where id = private.goal_of_picture(name) and (
      (member = (select auth.uid()) and (select private.is_assured()))
      or (stage <> 'draft' and (select private.is_operator()))
      or (opened_at is not null and not hidden and (
        (picture_path = name and (picture_text_hash is null or exists (
          select from private.log_texts where hash = picture_text_hash and text is not null
        )))
        or exists (
          select from public.pool_updates
          join private.log_texts as links on links.hash = pool_updates.links_hash
          where pool_slug = goals.slug and strpos(links.text, '/pictures/goals/' || name) > 0
        )
      ))
    )
  )
$$;

create policy "Pictures of goals are seen while they are shown" on storage.objects
  for select to anon, authenticated using (bucket_id = 'goals' and private.can_see_goal_picture(name));

-- Whether a picture is that of a draft of the calling member.
create function private.is_draft_picture(name text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.goals
    where id = private.goal_of_picture(name) and member = (select auth.uid()) and stage in ('draft', 'returned')
      and (select private.is_assured())
  )
$$;

create policy "Members remove pictures of their own drafts" on storage.objects
  for delete to authenticated using (bucket_id = 'goals' and private.is_draft_picture(name));

-- The newest row that is no gift to a goal, for the totals.
create index transactions_newest_of_ours on public.transactions (occurred_at desc, id desc) where type <> 'goal-gift';
create index transactions_recorded_of_ours on public.transactions (id desc) where type <> 'goal-gift';
create index sums_by_month_of_goals on private.sums_by_month (account) where type = 'goal-gift';

-- What the public pages of goals read beside published_goals.
create index transactions_to_goals on public.transactions (to_address) where type in ('dream', 'spending');

-- Triggers --------------------------------------------------------------------------------------------------

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

call private.refuse('update or delete or truncate', 'public.goal_changes');

create view private.entry_of_goal as
select
  'goal' as kind, id, revision::integer, private.entry_time(recorded_at) as recorded_at, slug as goal, stage, frozen,
  hidden, changed_by as "by", target_usd::text as target_usd, wallet::text as wallet, picture,
  private.entry_time(opened_at) as opened_at, private.entry_time(ends_at) as ends_at, title_hash, byline_hash,
  category_hash, plan_hash, story_hash, links_hash, picture_text_hash, reason_hash
from public.goal_changes;
create trigger log_rows after insert on public.goal_changes
  for each row execute function private.log_row('goal', 'id');

create function private.is_public_stage(stage text) returns boolean
language sql immutable set search_path = '' as $$
  select stage in ('open', 'ended', 'completed', 'annulled')
$$;

-- Moves a goal to a stage and records the move; of a public goal also in the log, whose lock the caller then holds.
-- `words`: the reason of a member (public) or of a return or rejection (for the member only). `code`: the fault of the
-- wallet. Returns the id of the public change, null without one.
create function private.move_goal(
  goal uuid, to_stage text, mover text, frozen boolean default false, hidden boolean default false,
  words text default null, code text default null
) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  moved public.goals;
  former public.goals;
  salt constant bytea := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
  opens constant boolean := to_stage = 'open';
  change bigint;
begin
  select * into strict former from public.goals where id = move_goal.goal for update;
  if opens and former.stage = 'submitted' then
    insert into private.accounts (slug, is_pool) values (former.slug, false);
    update public.goals set
      title_hash = private.keep_text('ledger', former.title), byline_hash = private.keep_text('ledger', former.byline),
      category_hash = private.keep_text('ledger', former.category),
      plan_hash = private.keep_text('ledger', (
        select string_agg((line ->> 'amount')::numeric(7, 2) || ' ' || btrim(line ->> 'what'), E'\n' order by place)
        from jsonb_array_elements(former.plan) with ordinality as lines (line, place)
      )),
      story_hash = private.keep_text('ledger', former.story),
      links_hash = case when former.links <> '' then private.keep_text('ledger', former.links) end,
      picture_text_hash = case when former.picture_path is not null then private.keep_text('ledger', former.picture_text) end,
      title = '', byline = '', category = '', plan = '[]', story = '', links = '', picture_text = '',
      opened_at = now(), ends_at = now() + make_interval(days => former.days)
    where id = former.id;
    update private.goal_moves set texts = null where goal_moves.goal = former.id;
    delete from private.goal_checks where goal_checks.goal = former.id;
  end if;
  update public.goals set
    stage = to_stage, frozen = move_goal.frozen, hidden = move_goal.hidden, revision = former.revision + 1,
    submitted_at = case when to_stage = 'submitted' then now() else submitted_at end,
    ended_at = case when to_stage = 'ended' then coalesce(ended_at, now()) else ended_at end,
    ended_by = case when to_stage = 'ended' then coalesce(ended_by, mover) else ended_by end,
    completed_at = case when to_stage = 'completed' then now() else completed_at end,
    reason = case when to_stage in ('returned', 'rejected') then words end,
    reason_salt = case when to_stage in ('returned', 'rejected') and words is not null then encode(salt, 'hex') end,
    fault = code
  where id = former.id
  returning * into moved;
  insert into private.goal_moves (goal, former, stage, frozen, hidden, moved_by, texts)
  values (
    moved.id, former.stage, moved.stage, moved.frozen, moved.hidden, mover,
    case when to_stage = 'submitted' then jsonb_build_object(
      'title', moved.title, 'byline', moved.byline, 'category', moved.category, 'target_usd', moved.target_usd::text,
      'days', moved.days, 'plan', moved.plan, 'story', moved.story, 'links', moved.links,
      'picture_path', moved.picture_path, 'picture_text', moved.picture_text, 'wallet', moved.wallet
    ) end
  );
  if private.is_public_stage(to_stage) then
    insert into public.goal_changes (
      slug, revision, stage, frozen, hidden, changed_by, target_usd, wallet, picture, opened_at, ends_at, title_hash,
      byline_hash, category_hash, plan_hash, story_hash, links_hash, picture_text_hash, reason_hash
    )
    values (
      moved.slug, 1 + coalesce((select max(known.revision) from public.goal_changes as known where known.slug = moved.slug), -1),
      moved.stage, moved.frozen, moved.hidden, mover, moved.target_usd, moved.wallet,
      substring(moved.picture_path from '/([0-9a-f]{64})\.'), moved.opened_at, moved.ends_at, moved.title_hash,
      moved.byline_hash, moved.category_hash, moved.plan_hash, moved.story_hash, moved.links_hash,
      moved.picture_text_hash, case when words is not null and mover = 'member' then private.keep_text('ledger', words) end
    )
    returning id into change;
  end if;
  return change;
end;
$$;

-- Refuses every change of the stage that the table of stages does not have, for every caller. A save of a draft counts
-- its version.
create function private.keep_goal() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.id <> old.id or (old.slug is not null and new.slug is distinct from old.slug)
    or (new.member is distinct from old.member and new.member is not null) then
    raise exception 'a goal keeps its id, its slug and its member' using errcode = 'check_violation';
  elsif new.stage <> old.stage and (old.stage || ' ' || new.stage) <> all (array[
    'draft submitted', 'returned submitted', 'submitted draft', 'submitted returned', 'submitted rejected',
    'submitted open', 'open ended', 'open annulled', 'ended annulled', 'ended completed'
  ]) then
    raise exception 'a goal cannot go from % to %', old.stage, new.stage using errcode = 'check_violation';
  end if;
  if (new.stage, new.frozen, new.hidden) is distinct from (old.stage, old.frozen, old.hidden) then
    if new.revision <> old.revision + 1 then
      raise exception 'private.move_goal changes the stage of a goal' using errcode = 'check_violation';
    end if;
  elsif new.stage in ('draft', 'returned') and old.stage = new.stage and new.member is not distinct from old.member then
    new.version := old.version + 1;
    new.saved_at := now();
  end if;
  return new;
end;
$$;
create trigger keep_goal before update on public.goals
  for each row execute function private.keep_goal();

-- A goal that was public is never deleted.
create function private.keep_public_goal() returns trigger
language plpgsql set search_path = '' as $$
begin
  if old.opened_at is not null then
    raise exception 'a goal that was public is not deleted' using errcode = 'check_violation';
  end if;
  return old;
end;
$$;
create trigger keep_public_goal before delete on public.goals
  for each row execute function private.keep_public_goal();

-- A member has at most three drafts. After the insert, so that the policies apply first. Lock, so that concurrent
-- inserts of one member wait.
create function private.limit_goals() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('goals ' || new.member, 0));
  if (select count(*) from public.goals where member = new.member and stage in ('draft', 'returned')) > 3 then
    raise exception 'too_many_drafts' using errcode = 'check_violation';
  end if;
  return null;
end;
$$;
create trigger limit_goals after insert on public.goals
  for each row execute function private.limit_goals();

-- What was never public is deleted with the account; an open goal ends. What was published stays without the member.
create function private.leave_goals() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.goals where member = old.id and not private.is_public_stage(stage);
  delete from private.waiting_updates where goal in (select id from public.goals where member = old.id);
  if exists (select from public.goals where member = old.id and stage = 'open') then
    perform private.lock_log('ledger');
    perform private.move_goal(id, 'ended', 'deletion', frozen => frozen, hidden => hidden)
    from (select * from public.goals where member = old.id and stage = 'open' for update) as left_open;
  end if;
  return old;
end;
$$;
create trigger leave_goals before delete on auth.users
  for each row execute function private.leave_goals();

-- Pictures that stay after the deletion of an account, those of public goals and of updates, do not name the account.
create function private.leave_pictures() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update storage.objects set owner = null, owner_id = null where owner_id = old.id::text or owner = old.id;
  return old;
end;
$$;
create trigger leave_pictures before delete on auth.users
  for each row execute function private.leave_pictures();

-- Runs after private.move_goal has stored the reason in the goal.
create function private.keep_reason_of_move() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.stage in ('returned', 'rejected') then
    new.reason := (select goals.reason from public.goals where goals.id = new.goal);
  elsif new.stage = 'open' then
    update private.goal_moves set reason = null where goal_moves.goal = new.goal and goal_moves.reason is not null;
  end if;
  return new;
end;
$$;
create trigger keep_reason before insert on private.goal_moves
  for each row execute function private.keep_reason_of_move();

-- For other files -------------------------------------------------------------------------------------------

-- Whether the caller or the operator with this handle is the member of a goal.
create function private.is_own_goal(goal public.goals, handle text) returns boolean
language sql stable security definer set search_path = '' as $$
  select goal.member is not null and (
    goal.member is not distinct from auth.uid()
    or exists (select from public.operators where operators.handle = is_own_goal.handle and operators.member = goal.member)
  )
$$;

create function private.perform_goal(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  about public.goals;
  checked private.goal_checks;
  waiting private.waiting_updates;
  needed constant text[] := case act.kind
    when 'goal-approval' then '{submitted}'::text[]
    when 'goal-return' then '{submitted}'
    when 'goal-rejection' then '{submitted}'
    when 'goal-report' then '{ended}'
    when 'complaint-dismissal' then '{open,ended,completed,annulled}'
    else '{open,ended}'
  end;
  hides constant text := act.arguments ->> 'hide';
  made bigint;
begin
  select * into about from public.goals where slug = act.subject for update;
  if private.is_own_goal(about, act."by") then
    perform private.refuse_act('own_goal');
  elsif about.stage <> all (needed) then
    perform private.refuse_act('stage', jsonb_build_object('state', about.stage));
  elsif act.kind in ('goal-freeze', 'goal-release') and about.frozen <> (act.kind = 'goal-release') then
    perform private.refuse_act('changed');
  elsif act.kind = 'goal-report' and (about.frozen or about.report_number is null) then
    perform private.refuse_act(case when about.frozen then 'frozen' else 'no_report' end);
  elsif hides is not null and hides <> 'yes' then
    perform private.refuse_field('hide', 'unknown');
  end if;
  case act.kind
    when 'goal-approval' then
      select * into checked from private.goal_checks where goal_checks.goal = about.id;
      if checked.goal is null or checked.fault is not null or checked.wallet <> about.wallet
        or checked.checked_at < now() - interval '1 day' then
        perform private.refuse_act('unchecked');
      elsif (select count(*) from public.goals where stage = 'open') >= 200 then
        perform private.refuse_act('too_many_goals');
      end if;
      made := private.move_goal(about.id, 'open', 'operator');
      update public.goals set unread_from = checked.block_number + 1 where id = about.id;
    when 'goal-return' then
      perform private.move_goal(about.id, 'returned', 'operator', words => act.reason);
    when 'goal-rejection' then
      perform private.move_goal(about.id, 'rejected', 'operator', words => act.reason);
    when 'goal-freeze' then
      made := private.move_goal(about.id, about.stage, 'operator', frozen => true, hidden => hides is not null);
    when 'goal-release' then
      made := private.move_goal(about.id, about.stage, 'operator');
    when 'goal-annulment' then
      made := private.move_goal(about.id, 'annulled', 'operator', hidden => about.hidden);
      update public.goal_complaints set closed_at = now(), outcome = 'annulled'
      where goal_complaints.goal = about.id and closed_at is null;
    when 'goal-report' then
      made := private.move_goal(about.id, 'completed', 'operator', hidden => about.hidden);
    when 'complaint-dismissal' then
      update public.goal_complaints set closed_at = now(), outcome = 'dismissed'
      where goal_complaints.goal = about.id and closed_at is null;
    when 'goal-update' then
      delete from private.waiting_updates where waiting_updates.goal = about.id returning * into waiting;
      if waiting.goal is null or waiting.is_report and about.stage <> 'ended' then
        perform private.refuse_act('changed');
      elsif about.frozen then
        perform private.refuse_act('frozen');
      end if;
      perform private.publish_update(about, waiting);
  end case;
  return jsonb_build_object('subject', act.subject, 'made_kind', case when made is not null then 'goal' end, 'made_id', made)
    -- The reason of a return or a rejection is for the member: the log has its hash, and no one else has the text.
    || case when act.kind in ('goal-return', 'goal-rejection') then (
      select jsonb_build_object(
        'reason_hash', encode(sha256(decode(reason_salt, 'hex') || convert_to(reason, 'UTF8')), 'hex')
      )
      from public.goals where id = about.id
    ) else '{}' end;
end;
$$;

create function private.goal_revision(goal text) returns integer
language sql stable set search_path = '' as $$
  select revision from public.goals where slug = goal
$$;

-- Counts reports too, so that a report that the operator did not see is not accepted.
create function private.report_revision(goal text) returns integer
language sql stable set search_path = '' as $$
  select revision + coalesce(report_number, 0) from public.goals where slug = goal
$$;

-- The newest complaint, so that a complaint that the operator did not see is not dismissed, even if an older one was
-- deleted with its account.
create function private.complaints_revision(goal text) returns integer
language sql stable set search_path = '' as $$
  select (max(id) % 10000)::integer from public.goal_complaints as complaints
  where complaints.goal = (select id from public.goals where slug = complaints_revision.goal) and closed_at is null
$$;

-- The update that waits, so that words that the operator did not see are not published.
create function private.waiting_revision(goal text) returns integer
language sql stable security definer set search_path = '' as $$
  select (extract(epoch from waiting.made_at)::bigint % 10000)::integer from private.waiting_updates as waiting
  join public.goals on goals.id = waiting.goal where goals.slug = waiting_revision.goal
$$;

insert into private.act_kinds (kind, people, subject, least_reason, performer, revision_of, fields) values
  ('goal-update', 1, 'required', 0, 'perform_goal', 'waiting_revision', '{}'),
  ('goal-approval', 2, 'required', 0, 'perform_goal', 'goal_revision', '{}'),
  ('goal-return', 1, 'required', 10, 'perform_goal', 'goal_revision', '{}'),
  ('goal-rejection', 1, 'required', 10, 'perform_goal', 'goal_revision', '{}'),
  ('goal-freeze', 1, 'required', 10, 'perform_goal', 'goal_revision', '{hide}'),
  ('goal-release', 2, 'required', 10, 'perform_goal', 'goal_revision', '{}'),
  ('goal-annulment', 2, 'required', 10, 'perform_goal', 'goal_revision', '{}'),
  ('goal-report', 1, 'required', 0, 'perform_goal', 'report_revision', '{}'),
  ('complaint-dismissal', 1, 'required', 0, 'perform_goal', 'complaints_revision', '{}');

-- What members may call -------------------------------------------------------------------------------------

-- The calling member's goal, locked. Raises 'not_found' for another one, and 'stage' if it is in no stage of `stages`.
create function private.own_goal(goal uuid, stages text[]) returns public.goals
language plpgsql security definer set search_path = '' as $$
declare
  own public.goals;
begin
  select * into own from public.goals
  where id = own_goal.goal and member = auth.uid() and private.is_assured() for update;
  if own.id is null then
    perform private.refuse_act('not_found');
  elsif own.stage <> all (stages) then
    perform private.refuse_act('stage', jsonb_build_object('stage', own.stage));
  end if;
  return own;
end;
$$;

-- What is missing or wrong before a draft can be submitted: [{"field", "why"}]. A wallet that failed the check of this
-- goal counts as used: it cannot be submitted again. A revoked proof does not, because it can be made again. A wallet is
-- taken by a goal that is or was public, or by another one of the member; a proof that the schedule has not verified yet
-- takes no wallet from its owner. A plan is compared with the target only if there is one.
create function private.goal_faults(draft public.goals) returns jsonb
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

-- Submits a draft of the calling member for review, if no text is missing. `version`: the one that the member saw. At
-- most 20 submissions of a member in a day; the texts of the last two of a goal are kept.
create function public.submit_goal(goal uuid, version bigint) returns jsonb
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
  return null;
end;
$$;

-- Makes a submitted goal of the calling member a draft again.
create function public.take_back_goal(goal uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  own constant public.goals := private.own_goal(goal, '{submitted}');
begin
  perform private.move_goal(own.id, 'draft', 'member');
  return jsonb_build_object('stage', 'draft');
end;
$$;

create function private.check_goal_text(field text, words text) returns void
language plpgsql set search_path = '' as $$
begin
  if private.text_fault(words) is not null then
    perform private.refuse_field(field, private.text_fault(words));
  elsif private.seen_length(words) = 0 then
    perform private.refuse_field(field, 'missing');
  end if;
end;
$$;

-- Ends an open goal of the calling member early, with a public reason; a frozen one without. A frozen goal ends
-- without words, because its reason would be public beside that of the operators.
create function public.end_goal(goal uuid, reason text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  own public.goals;
begin
  if end_goal.reason is not null then
    perform private.check_words('reason', end_goal.reason, 10, 500, true);
    perform private.check_goal_text('reason', end_goal.reason);
    -- No operator reads it before it is public.
    if private.names_us(end_goal.reason) then
      perform private.refuse_field('reason', 'name');
    end if;
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
  perform private.move_goal(
    own.id, 'ended', 'member', frozen => own.frozen, hidden => own.hidden, words => end_goal.reason
  );
  return jsonb_build_object('stage', 'ended');
end;
$$;

-- Appends an update of a goal, or its final report. Returns its number. The caller holds the log's lock.
create function private.publish_update(about public.goals, given private.waiting_updates) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  made constant jsonb := public.append_update(jsonb_build_object(
    'pool_slug', about.slug, 'published_at', now(), 'text', given.words,
    'links', nullif(concat_ws(E'\n', nullif(given.links, ''), given.picture), '')
  ));
begin
  if given.is_report then
    update public.goals set report_number = (made ->> 'number')::integer where id = about.id;
  end if;
  return (made ->> 'number')::integer;
end;
$$;

-- Publishes an update of an open or ended goal of the calling member, at most 3 a day and 60 in all; or the final
-- report of an ended one. One with the name of this site waits for an operator. `picture`: null, or the URL of a picture
-- of this goal as the site writes it in updates of pools, with its size (a side has at most 10,000 pixels) and its
-- description after '#', and no other words.
create function public.post_goal_update(goal uuid, words text, links text, picture text, is_report boolean) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  own public.goals;
  given private.waiting_updates;
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
  given := row(own.id, words, links, picture, is_report, now());
  if private.names_us(concat_ws(' ', words, described, links)) then
    delete from private.waiting_updates where waiting_updates.goal = own.id;
    insert into private.waiting_updates select (given).*;
    return jsonb_build_object('number', null);
  end if;
  return jsonb_build_object('number', private.publish_update(own, given));
end;
$$;

-- Reports a public goal by its slug: one open complaint for each member and goal, five a day.
create function public.complain(goal text, reason text, words text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  about public.goals;
begin
  if caller is null or not private.is_assured() or not exists (select from public.profiles where id = caller) then
    perform private.refuse_act('not_found');
  end if;
  perform private.check_words('text', complain.words, 10, 1000, true);
  if complain.reason is null or complain.reason not in (
    'scam', 'not-their-story', 'impersonation', 'privacy', 'offensive', 'other'
  ) then
    perform private.refuse_field('reason', 'unknown');
  end if;
  select * into about from public.goals where slug = complain.goal and private.is_public_stage(stage);
  if about.id is null then
    perform private.refuse_act('not_found');
  elsif about.member = caller then
    perform private.refuse_act('own_goal');
  end if;
  perform pg_advisory_xact_lock(hashtextextended('complaints ' || caller, 0));
  if exists (
    select from public.goal_complaints where goal_complaints.goal = about.id and member = caller and closed_at is null
  ) then
    perform private.refuse_act('exists');
  elsif (select count(*) from public.goal_complaints where member = caller and made_at > now() - interval '1 day') >= 5 then
    perform private.refuse_act('too_many', jsonb_build_object('most', 5));
  end if;
  insert into public.goal_complaints (goal, member, reason, text) values (about.id, caller, complain.reason, complain.words);
  return jsonb_build_object('state', 'made');
end;
$$;

-- What operators may call -----------------------------------------------------------------------------------

-- What an operator sees of a goal that is or was submitted; null for other members. `words` are its texts, `submitted`
-- the last two submissions, newest first, `check` the newest check of the wallet, `complaints` the open ones without
-- their authors and `complaints_version` what a dismissal of them decides on, `earlier` the other goals of the member,
-- `moves` every change with its reason.
create function public.read_goal(goal text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
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
    'complaints_version', private.complaints_revision(about.slug),
    'waiting', (
      select jsonb_build_object(
        'version', private.waiting_revision(about.slug), 'text', waiting.words, 'links', waiting.links, 'picture', waiting.picture,
        'is_report', waiting.is_report
      )
      from private.waiting_updates as waiting where waiting.goal = about.id
    ),
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
  )
  from public.goals as about where about.slug = read_goal.goal and about.stage <> 'draft' and private.is_operator()
$$;

-- The queues of operators, each as private.queue_of: goals to review, goals with open complaints, reports to accept,
-- reports that are overdue, and updates that are mailed within the hour (to freeze a goal stops its mails).
create function public.goals_overview() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'submitted', private.queue_of((
      select jsonb_agg(jsonb_build_object(
        'slug', goals.slug, 'title', goals.title, 'submitted_at', goals.submitted_at, 'mine', private.is_own_goal(goals, null)
      ) order by goals.submitted_at)
      from (select * from public.goals where stage = 'submitted' order by submitted_at limit 101) as goals
    )),
    'complaints', private.queue_of((
      select jsonb_agg(jsonb_build_object(
        'slug', goals.slug, 'title', words.title, 'count', open.count, 'oldest_at', open.oldest_at
      ) order by open.count desc, open.oldest_at)
      from (
        select goal, count(*) as count, min(made_at) as oldest_at from public.goal_complaints
        where closed_at is null group by goal order by count(*) desc, min(made_at) limit 101
      ) as open
      join public.goals on goals.id = open.goal
      join private.goal_words as words on words.id = goals.id
    )),
    'updates', private.queue_of((
      select jsonb_agg(jsonb_build_object('slug', waiting.topic, 'title', words.title, 'due_at', waiting.due_at) order by waiting.due_at)
      from (
        select * from private.outbox as open
        where open.kind = 'update' and open.expanded_at is null and open.topic ~ '^goal-[a-z]{8}$'
        order by open.due_at limit 101
      ) as waiting
      join public.goals on goals.slug = waiting.topic and not goals.frozen and not goals.hidden
      join private.goal_words as words on words.id = goals.id
    )),
    'waiting', private.queue_of((
      select jsonb_agg(jsonb_build_object('slug', goals.slug, 'title', words.title, 'made_at', waiting.made_at) order by waiting.made_at)
      from private.waiting_updates as waiting
      join public.goals on goals.id = waiting.goal and goals.stage in ('open', 'ended')
      join private.goal_words as words on words.id = goals.id
    )),
    'reports', private.queue_of((
      select jsonb_agg(jsonb_build_object('slug', goals.slug, 'title', words.title, 'ended_at', goals.ended_at) order by goals.ended_at)
      from (
        select * from public.goals where stage = 'ended' and report_number is not null order by ended_at limit 101
      ) as goals
      join private.goal_words as words on words.id = goals.id
    )),
    'overdue', private.queue_of((
      select jsonb_agg(jsonb_build_object('slug', goals.slug, 'title', words.title, 'ended_at', goals.ended_at) order by goals.ended_at)
      from (
        select * from public.goals
        where stage = 'ended' and report_number is null and ended_at < now() - interval '90 days'
        order by ended_at limit 101
      ) as goals
      join private.goal_words as words on words.id = goals.id
    ))
  )
  where private.is_operator()
$$;

-- Up to 100 goals with open complaints, those with the most first: [{slug, title, stage, frozen, mine, count, items}].
-- `items`: the 20 oldest ones. Operators do not see who complained.
create function public.read_complaints() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'slug', goals.slug, 'title', words.title, 'stage', goals.stage, 'frozen', goals.frozen,
    'mine', private.is_own_goal(goals, null), 'count', open.count, 'items', (
      select jsonb_agg(jsonb_build_object('reason', item.reason, 'text', item.text, 'made_at', item.made_at) order by item.made_at)
      from (
        select * from public.goal_complaints
        where goal_complaints.goal = goals.id and closed_at is null order by made_at limit 20
      ) as item
    )
  ) order by open.count desc, open.oldest_at), '[]')
  from (
    select goal, count(*) as count, min(made_at) as oldest_at from public.goal_complaints
    where closed_at is null group by goal order by count(*) desc, min(made_at) limit 100
  ) as open
  join public.goals on goals.id = open.goal
  join private.goal_words as words on words.id = goals.id
  having private.is_operator()
$$;

-- What the job may call -------------------------------------------------------------------------------------

-- Submitted goals whose wallet was not checked for an hour, with the proof of the wallet: [{goal, revision, member,
-- wallet, message, signature, proven_at}]. Without a proof the last three are null. At most 200, those that were not
-- checked for longest, so that a goal behind 200 others is checked too.
create function public.goals_to_check() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'goal', due.id, 'revision', due.revision, 'member', due.member, 'wallet', due.wallet,
    'message', proofs.message, 'signature', proofs.signature, 'proven_at', proofs.proven_at
  ) order by due.checked_at nulls first, due.submitted_at), '[]')
  from (
    select goals.*, checks.checked_at from public.goals
    left join private.goal_checks as checks on checks.goal = goals.id
    where stage = 'submitted' and (checks.checked_at is null or checks.checked_at < now() - interval '1 hour')
    order by checks.checked_at nulls first, submitted_at limit 200
  ) as due
  left join public.proven_wallets as proofs on proofs.user_id = due.member and proofs.address = due.wallet
$$;

-- Stores what a check of a wallet found: {revision, proven (boolean), ours (boolean), block_number, block_hash, nonce,
-- holds}. A wallet that fails, or that another goal has, returns the goal. Returns the stage afterwards; null if the
-- goal changed meanwhile.
create function public.record_goal_check(goal uuid, result jsonb) returns text
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

-- Ends the open goals whose time is over. Returns their number.
create function public.end_goals() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  many integer;
begin
  if not exists (select from public.goals where stage = 'open' and ends_at <= now()) then
    return 0;
  end if;
  perform private.lock_log('ledger');
  perform private.move_goal(id, 'ended', 'schedule', frozen => frozen, hidden => hidden)
  from (select * from public.goals where stage = 'open' and ends_at <= now() order by ends_at, id for update) as over;
  get diagnostics many = row_count;
  return many;
end;
$$;

create function public.goal_wallets() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'slug', slug, 'wallet', wallet, 'unread_from', unread_from
  )), '[]') from private.watched_goals
$$;

-- Stores that the gifts to a goal between the check of its wallet and its approval were searched: up to the block
-- before `next_block`, or all of them if it is null. Then a payment to the wallet of which the scan did not know yet that
-- it is a goal's, and which it recorded as `other`, becomes a dream.
create function public.goal_was_read(goal text, next_block bigint) returns void
language plpgsql security definer set search_path = '' as $$
declare
  paid record;
begin
  if next_block is null then
    for paid in
      select concat_ws('/', facts.chain_id, facts.tx_hash, facts.ordinal) as subject
      from public.goals
      join public.transactions as facts on facts.to_address = goals.wallet
      where goals.slug = goal_was_read.goal and facts.type = 'other' and facts.direction = 'out'
        and not exists (
          select from public.transactions as later
          where later.chain_id = facts.chain_id and later.tx_hash = facts.tx_hash and later.ordinal = facts.ordinal
            and later.revision > facts.revision
        )
      order by facts.id
    loop
      perform private.revise_payment(paid.subject, jsonb_build_object('type', 'dream', 'pool_slug', null));
    end loop;
  end if;
  update public.goals set unread_from = next_block where slug = goal_was_read.goal and unread_from is not null;
end;
$$;

-- Names of up to 100 pictures that no goal and no update of a goal shows, oldest first. The pictures of a goal that
-- was deleted go with the next run.
create function public.orphaned_goal_pictures() returns setof text
language sql stable security definer set search_path = '' as $$
  select objects.name
  from storage.objects
  where objects.bucket_id = 'goals'
    and (
      objects.created_at < now() - interval '1 hour'
      or not exists (select from public.goals where id = private.goal_of_picture(objects.name))
    )
    and not exists (select from public.goals where picture_path = objects.name)
    and not exists (
      select from public.goals
      join public.pool_updates on pool_slug = goals.slug
      join private.log_texts as links on links.hash = pool_updates.links_hash
      where goals.id = private.goal_of_picture(objects.name)
        and strpos(links.text, '/pictures/goals/' || objects.name) > 0
    )
  order by objects.created_at
  limit 100;
$$;

-- What everyone reads ---------------------------------------------------------------------------------------

-- The wallets whose gifts are found: of open goals, and of goals that ended in the last 90 days; at most 200, the
-- oldest ended ones are left out.
create view private.watched_goals as
select slug, wallet, unread_from from public.goals
where stage = 'open' or (ended_at > now() - interval '90 days' and stage in ('ended', 'completed'))
order by stage = 'open' desc, ended_at desc nulls first, slug limit 200;

-- The texts of each goal: those of the draft, or those that were published, null where they were withdrawn.
create view private.goal_words as
select
  goals.id, coalesce(title.text, nullif(goals.title, '')) as title, coalesce(byline.text, nullif(goals.byline, '')) as byline,
  coalesce(category.text, nullif(goals.category, '')) as category, plan.text as plan,
  coalesce(story.text, nullif(goals.story, '')) as story, coalesce(links.text, nullif(goals.links, '')) as links,
  coalesce(picture_text.text, nullif(goals.picture_text, '')) as picture_text
from public.goals
left join private.log_texts as title on title.hash = goals.title_hash
left join private.log_texts as byline on byline.hash = goals.byline_hash
left join private.log_texts as category on category.hash = goals.category_hash
left join private.log_texts as plan on plan.hash = goals.plan_hash
left join private.log_texts as story on story.hash = goals.story_hash
left join private.log_texts as links on links.hash = goals.links_hash
left join private.log_texts as picture_text on picture_text.hash = goals.picture_text_hash;

create view public.published_goal_changes with (security_invoker = false) as
select
  changes.id, changes.slug, changes.revision, changes.stage, changes.frozen, changes.hidden, changes.changed_by,
  changes.recorded_at, entries.index as log_index, words.text as reason, changes.reason_hash
from public.goal_changes as changes
left join private.ledger_entries as entries on entries.kind = 'goal' and entries.row_id = changes.id
left join private.log_texts as words on words.hash = changes.reason_hash;
comment on view public.published_goal_changes is 'Every public state of every goal. Read it by slug.';

-- What arrived at each public goal: gifts of others, dreams that the treasury or the donation wallet paid, and what pools spent.
create view private.goal_sums as
select
  goals.id, sums.received_usd::numeric(20, 2) as received_usd, sums.verified_count::bigint as verified_count,
  sums.pending_count::bigint as pending_count, sums.unvalued_count::bigint as unvalued_count
from public.goals
cross join lateral (
  select
    coalesce(sum(usd) filter (where status = 'verified'), 0) as received_usd,
    coalesce(sum(row_count) filter (where status = 'verified'), 0) as verified_count,
    coalesce(sum(row_count) filter (where status in ('pending', 'unreachable')), 0) as pending_count,
    coalesce(sum(row_count - valued_count) filter (where status = 'verified'), 0) as unvalued_count
  from (
    select status, row_count, valued_count, sum_usd as usd from private.sums_by_month
    where type = 'goal-gift' and account = goals.slug
    union all
    select statuses.status, 1, (facts.amount_usd is not null)::integer, facts.amount_usd from public.transactions as facts
    join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
    where facts.to_address = goals.wallet and facts.type in ('dream', 'spending')
  ) as units
) as sums
where goals.opened_at is not null;

create view public.published_goals with (security_invoker = false) as
select
  goals.id, goals.slug, goals.stage, goals.frozen, goals.hidden, goals.revision,
  words.title, words.byline, words.category, words.plan, words.story, words.links,
  case when not goals.hidden then goals.picture_path end as picture_path, words.picture_text,
  case when goals.stage = 'open' and not goals.frozen then goals.wallet::text end as wallet,
  goals.target_usd, goals.opened_at, goals.ends_at, goals.ended_at, goals.ended_by, goals.completed_at,
  case when goals.stage = 'completed' or (goals.stage = 'ended' and not goals.hidden) then goals.report_number end as report_number,
  goals.ended_at + interval '90 days' as report_due_at,
  goals.stage = 'ended' and goals.ended_at < now() - interval '90 days' as is_overdue,
  goals.slug in (select slug from private.watched_goals) as is_watched,
  sums.received_usd, sums.verified_count, sums.pending_count, sums.unvalued_count
from public.goals
left join private.goal_words as words on words.id = goals.id and not goals.hidden
join private.goal_sums as sums on sums.id = goals.id
where goals.opened_at is not null;
comment on view public.published_goals is
  'Every goal that was approved. A text is null where it is hidden or withdrawn; the wallet is null unless the goal is open and not frozen.';
comment on column public.published_goals.plan is 'One line for each item: the amount in dollars with two decimals, a space, and what for.';
comment on column public.published_goals.is_watched is 'Whether new gifts are found and counted.';
comment on column public.published_goals.received_usd is 'Verified gifts, dreams, and spending of pools to the wallet, with a value in dollars.';

create view public.published_goal_rows with (security_invoker = false) as
select goals.slug as goal, rows.*
from public.goals join public.published_transactions as rows on rows.account = goals.slug and rows.type = 'goal-gift'
union all
select goals.slug, rows.*
from public.goals join public.published_transactions as rows on rows.to_address = goals.wallet and rows.type in ('dream', 'spending')
where goals.opened_at is not null;
comment on view public.published_goal_rows is 'The rows of which received_usd of published_goals is the sum. Read it by goal.';

-- From the sums of all goals together: the cost does not grow with the number of goals.
create view public.goal_totals with (security_invoker = false) as
select
  (
    (
      select coalesce(sum(sum_usd), 0) from private.sums_by_month
      where type = 'goal-gift' and status = 'verified'
    )
    + (
      select coalesce(sum(facts.amount_usd), 0)
      from public.transactions as facts
      join private.transaction_statuses as statuses on statuses.transaction_id = facts.id and statuses.status = 'verified'
      where facts.type in ('dream', 'spending') and exists (
        select from public.goals where wallet = facts.to_address and opened_at is not null
      )
    )
  )::numeric(20, 2) as funded_usd,
  (select count(*) from public.goals where stage = 'completed') as completed_count,
  (select count(*) from public.goals where stage = 'open') as open_count;
comment on view public.goal_totals is 'One row: what arrived at all goals, how many are completed, and how many are open.';

-- What a member reads of their own goals by one call: the texts, what arrived, what is missing in a draft, and the
-- reasons of all decisions, for the file with the member's data.
create view public.my_goals with (security_invoker = false, security_barrier = true) as
select
  goals.id, goals.slug, goals.stage, goals.version, goals.frozen, goals.hidden, words.title, words.byline, words.category,
  goals.plan as draft_plan, words.plan, words.story, words.links, goals.picture_path, words.picture_text,
  goals.target_usd, goals.days, goals.wallet, goals.reason, goals.fault, goals.report_number, goals.saved_at,
  goals.submitted_at, goals.ends_at, goals.ended_at, goals.completed_at,
  goals.ended_at + interval '90 days' as report_due_at,
  goals.stage = 'ended' and goals.ended_at < now() - interval '90 days' as is_overdue,
  sums.received_usd, sums.verified_count, sums.pending_count, sums.unvalued_count,
  case when goals.stage in ('draft', 'returned') then private.goal_faults(goals) else '[]' end as faults,
  goals.created_at,
  (
    select coalesce(jsonb_agg(moves.reason order by moves.id), '[]') from private.goal_moves as moves
    where moves.goal = goals.id and moves.reason is not null
  ) as reasons,
  waiting.words as waiting_update, waiting.links as waiting_links, waiting.made_at as waiting_since
from public.goals
join private.goal_words as words on words.id = goals.id
left join private.waiting_updates as waiting on waiting.goal = goals.id
left join private.goal_sums as sums on sums.id = goals.id
where goals.member = (select auth.uid()) and (select private.is_assured());
comment on view public.my_goals is 'The goals of the calling member. Texts that were withdrawn are null.';
comment on column public.my_goals.draft_plan is 'The plan of a goal that was not approved yet; afterwards it is in `plan`, one line for each item.';
comment on column public.my_goals.faults is 'What is missing or wrong before the draft can be submitted: [{"field", "why"}].';
comment on column public.my_goals.reasons is 'Why operators returned or rejected it, oldest first; empty after the approval.';
comment on column public.my_goals.waiting_update is 'The text of the update that waits until an operator publishes it.';

-- The goal that a row of the ledger paid: a gift to it, or a dream or the spending of a pool to its wallet.
create view public.published_row_goals with (security_invoker = false) as
select facts.id, goals.slug as goal, case when not goals.hidden then words.title end as title
from public.transactions as facts
cross join lateral (
  select id, slug, hidden from public.goals where facts.type = 'goal-gift' and slug = facts.account
  union all
  select id, slug, hidden from public.goals
  where facts.type in ('dream', 'spending') and wallet = facts.to_address and opened_at is not null
    and stage not in ('draft', 'returned', 'rejected')
) as goals
join private.goal_words as words on words.id = goals.id
where facts.type in ('goal-gift', 'dream', 'spending');
comment on view public.published_row_goals is
  'The goals of rows of the ledger. A title is null where it is hidden or withdrawn. Read it by id.';

-- Without the updates of a goal that operators hid. Their hashes stay in the log.
create view public.published_updates with (security_invoker = false) as
select
  updates.id, updates.pool_slug, updates.number, updates.revision, updates.published_at, words.text as text,
  links.text as links, updates.helping, source.text as helping_source, updates.text_hash, updates.links_hash,
  updates.helping_source_hash, updates.recorded_at, entries.index as log_index
from public.pool_updates as updates
left join private.ledger_entries as entries on entries.kind = 'update' and entries.row_id = updates.id
left join private.log_texts as words on words.hash = updates.text_hash
left join private.log_texts as links on links.hash = updates.links_hash
left join private.log_texts as source on source.hash = updates.helping_source_hash
where not exists (
  select from public.pool_updates as later
  where later.pool_slug = updates.pool_slug and later.number = updates.number and later.revision = updates.revision + 1
) and not exists (select from public.goals where slug = updates.pool_slug and hidden);
comment on view public.published_updates is
  'The latest revision of every update of a pool, and of a goal whose text is not hidden. A text is null where it was withdrawn.';

-- Grants ----------------------------------------------------------------------------------------------------

grant select, insert (id, member, title, byline, category, target_usd, days, plan, story, links,
    picture_path, picture_text, wallet), update (title, byline, category, target_usd, days, plan, story,
    links, picture_path, picture_text, wallet), delete on
  public.goals
  to authenticated;
grant select on public.goals, public.goal_changes to service_role;
grant select on public.goal_complaints to authenticated, service_role;
grant select on
  public.published_goal_changes, public.published_goals, public.published_goal_rows, public.goal_totals,
  public.published_row_goals, public.published_updates
  to anon, authenticated, service_role;
grant select on public.my_goals to authenticated;
grant execute on function
  private.is_goal_text, private.is_link_list, private.is_goal_plan, private.has_goal_picture_room,
  private.is_draft_picture, private.goal_faults, public.submit_goal, public.take_back_goal, public.end_goal,
  public.post_goal_update, public.complain, public.read_goal, public.goals_overview, public.read_complaints
  to authenticated;
grant execute on function private.can_see_goal_picture to anon, authenticated;
grant execute on function
  public.goals_to_check, public.record_goal_check, public.end_goals, public.goal_wallets,
  public.goal_was_read, public.orphaned_goal_pictures
  to service_role;

reset check_function_bodies;
