-- As before, but the 200 goals are those that were not checked for longest, not the oldest ones: a goal behind 200 others
-- is checked too.
create or replace function public.goals_to_check() returns jsonb
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
