-- As before, but a wallet that failed the check of this goal is used too: it cannot be submitted again. A proof that was
-- revoked can be made again, so it is no such reason. A plan is compared with the target only if there is one.
create or replace function private.goal_faults(draft public.goals) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('field', field, 'why', why)), '[]')
  from (
    values
      ('title', case when char_length(btrim(draft.title)) < 3 then 'missing' end),
      ('byline', case when char_length(btrim(draft.byline)) < 2 then 'missing' end),
      ('category', case when char_length(btrim(draft.category)) < 2 then 'missing' end),
      ('target', case when draft.target_usd is null then 'missing'
        when draft.target_usd not between 50 and 25000 then 'range' end),
      ('days', case when draft.days is null then 'missing' when draft.days not between 7 and 30 then 'range' end),
      ('plan', case
        when draft.plan = '[]' or exists (
          select from jsonb_array_elements(draft.plan) as line
          where btrim(line ->> 'what') = '' or coalesce((line ->> 'amount')::numeric, 0) = 0
        ) then 'missing'
        when (select sum((line ->> 'amount')::numeric) from jsonb_array_elements(draft.plan) as line)
          <> draft.target_usd then 'sum' end),
      ('story', case when char_length(btrim(draft.story, E' \n')) < 40 then 'missing' end),
      ('picture', case when draft.picture_path is not null and not exists (
        select from storage.objects where bucket_id = 'goals' and name = draft.picture_path
      ) then 'missing' end),
      ('picture_text', case when draft.picture_path is not null and btrim(draft.picture_text) = '' then 'missing' end),
      ('wallet', case
        when draft.wallet is null then 'missing'
        when not exists (
          select from public.proven_wallets where user_id = draft.member and address = draft.wallet
        ) then 'unproven'
        when exists (
          select from public.goals as other
          where other.wallet = draft.wallet and other.id <> draft.id
            and other.stage not in ('draft', 'returned', 'rejected')
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
