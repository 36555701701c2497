-- An operator whose last second factor was removed is refused from the next call on, although the token still says aal2.
-- The health of the ledger has the states of the witnesses. An operator can end themselves.

create or replace function private.operator_handle() returns text
language sql stable security definer set search_path = '' as $$
  select handle from public.operators
  where member = auth.uid() and until is null and coalesce(auth.jwt() ->> 'aal', '') = 'aal2'
    and exists (select from auth.mfa_factors where user_id = auth.uid() and status = 'verified');
$$;

create or replace function public.my_operator() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'handle', mine.handle, 'assured', private.is_operator(),
    'proven', private.is_operator() and private.proven_within(600),
    'others', (select count(*) from public.operators where until is null and handle <> mine.handle)
  )
  from public.operators as mine where mine.member = auth.uid() and mine.until is null
$$;

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
    ),
    'witnesses', (
      select coalesce(jsonb_agg(to_jsonb(states) order by states.witness), '[]')
      from (
        select origin, witness, state, fault, alarm, alarm_at, cosigned_size, cosigned_at
        from public.witness_states where log = 'ledger' order by asked_at desc limit 50
      ) as states
    )
  );
end;
$$;

-- The end of an operator drops the drafts of the operator (private.follow_operator). An operator who ends themselves does
-- so by a draft of their own, which must stay to become the act.
create or replace function private.perform_operator_end(act public.operator_acts) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  update public.operator_acts set state = 'waiting' where id = act.id and state = 'draft';
  update public.operators set until = now() where handle = act.subject and until is null;
  if not found then
    perform private.refuse_act(
      case when exists (select from public.operators where handle = act.subject) then 'changed' else 'not_found' end
    );
  end if;
  return jsonb_build_object('subject', act.subject);
end;
$$;
