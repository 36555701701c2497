-- What a member reads of their own goals by one call: the texts, what arrived, and what is missing in a draft.

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
  goals.created_at
from public.goals
join private.goal_words as words on words.id = goals.id
left join private.goal_sums as sums on sums.id = goals.id
where goals.member = (select auth.uid()) and (select private.is_assured());
comment on view public.my_goals is 'The goals of the calling member. Texts that were withdrawn are null.';
comment on column public.my_goals.draft_plan is 'The plan of a goal that was not approved yet; afterwards it is in `plan`, one line for each item.';
comment on column public.my_goals.faults is 'What is missing or wrong before the draft can be submitted: [{"field", "why"}].';

revoke all on public.my_goals from public, anon, authenticated, service_role;
grant select on public.my_goals to authenticated;
-- The caller of a view needs the privilege on its functions. The API does not expose the schema of this one.
grant execute on function private.goal_faults(public.goals) to authenticated;
