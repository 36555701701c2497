-- What the payer saw of the chain is stored, and operators read it.

drop function public.payer_gap;
drop view public.payment_hold;

-- What the payer saw of the chain: its coins for gas, what a payment takes of them, and what each paying wallet lets it spend of each token.
create table private.payer_sights (
  is_only_row boolean primary key default true
    constraint payer_sights_is_only_row check (is_only_row),
  chain_id private.chain_id not null,
  payer private.address not null,
  gas private.base_units not null,
  payment_gas private.base_units not null,
  means jsonb not null,
  seen_at private.moment not null default now()
);
comment on column private.payer_sights.means is '[{owner, token, allowance, balance}], in base units; null for what the token does not say.';

-- The state from which the payer continues: {held; open: the order that is sent, with its nonce and its signed
-- transactions, newest first; due: the due orders, oldest first, at most 100; next_nonce; look: the wallets and
-- tokens whose allowance is to be read, [{owner, token}], empty for five minutes after a look}.
create or replace function public.payment_state(chain integer, payer text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'held', private.payments_are_held(),
    'open', (
      select private.order_facts(orders) || jsonb_build_object('payer', bound.payer, 'nonce', bound.nonce, 'transactions', (
        select jsonb_agg(jsonb_build_object(
          'id', id, 'raw', raw, 'tx_hash', tx_hash, 'gas_price', gas_price::text, 'signed_at', signed_at
        ) order by id desc)
        from private.order_transactions where order_id = orders.id
      ))
      from public.orders
      join private.order_payments as bound on bound.order_id = orders.id
      where orders.state = 'sent' and orders.chain_id = chain
      order by orders.id limit 1
    ),
    'due', (
      select coalesce(jsonb_agg(private.order_facts(due) order by due.due_at, due.id), '[]')
      from (
        select * from public.orders
        where state = 'announced' and orders.chain_id = chain and due_at <= now() and expires_at > now()
          and not exists (
            select from private.suspended_tokens as tokens
            where tokens.chain_id = orders.chain_id and tokens.address = orders.token_address
          )
        order by due_at, id limit 100
      ) as due
    ),
    'next_nonce', private.next_nonce(chain, payment_state.payer),
    'look', (
      select coalesce(jsonb_agg(jsonb_build_object('owner', wallets.address, 'token', tokens.address)), '[]')
      from private.paying_wallets as wallets
      join private.payment_tokens as tokens on tokens.chain_id = wallets.chain_id
      where wallets.chain_id = chain and not exists (
        select from private.payer_sights as seen
        where seen.chain_id = chain and seen.payer = payment_state.payer and seen.seen_at > now() - interval '5 minutes'
      )
    )
  )
$$;

-- Stores what the payer saw: {chain_id, payer, gas, payment_gas, means: [{owner, token, allowance, balance}]}.
create function public.record_payer(sight jsonb) returns void
language sql security definer set search_path = '' as $$
  insert into private.payer_sights (chain_id, payer, gas, payment_gas, means)
  values (
    (sight ->> 'chain_id')::integer, sight ->> 'payer', (sight ->> 'gas')::numeric, (sight ->> 'payment_gas')::numeric,
    sight -> 'means'
  )
  on conflict (is_only_row) do update set
    chain_id = excluded.chain_id, payer = excluded.payer, gas = excluded.gas, payment_gas = excluded.payment_gas,
    means = excluded.means, seen_at = now()
$$;

-- What operators read about the payer: {held, most, gap, sight, means}; null for other members. `most`: the limit of an order
-- in tokens. `gap`: the gap between the payer's transactions on chain and those that the ledger knows, {payer, nonce,
-- since, unread, unmatched}; null without one. `sight`: what it saw last. `means`: for each wallet and token its
-- allowance and balance then, what its open orders need, and what the payer paid in the last 30 days.
create function public.payer_overview() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'held', private.payments_are_held(),
    'most', (select limit_tokens from private.payment_settings),
    'gap', (
      select jsonb_build_object(
        'payer', gaps.payer, 'nonce', gaps.nonce, 'since', gaps.found_at,
        'unread', (
          select count(*) from private.unmatched_payments(gaps.chain_id) as payments
          where not payments.is_checked or payments.sender is null
        ),
        'unmatched', (
          select coalesce(jsonb_agg(payments.id), '[]')
          from private.unmatched_payments(gaps.chain_id) as payments where payments.sender = gaps.payer
        )
      )
      from private.payer_gaps as gaps where gaps.looked_at > now() - interval '1 hour'
    ),
    'sight', (
      select jsonb_build_object(
        'payer', seen.payer, 'gas', seen.gas::text, 'payment_gas', seen.payment_gas::text, 'seen_at', seen.seen_at
      )
      from private.payer_sights as seen
    ),
    'means', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'account', wallets.account, 'owner', wallets.address, 'token', tokens.address, 'symbol', tokens.symbol,
        'decimals', tokens.decimals, 'chain_id', tokens.chain_id, 'allowance', seen.allowance, 'balance', seen.balance,
        'needed', sums.needed::text, 'paid', sums.paid::text
      ) order by wallets.account <> 'treasury', wallets.account, tokens.symbol), '[]')
      from private.paying_wallets as wallets
      join private.payment_tokens as tokens on tokens.chain_id = wallets.chain_id
      left join lateral (
        select means.allowance, means.balance
        from private.payer_sights as sights, jsonb_to_recordset(sights.means)
          as means (owner text, token text, allowance text, balance text)
        where sights.chain_id = wallets.chain_id and means.owner = wallets.address and means.token = tokens.address
      ) as seen on true
      cross join lateral (
        select
          coalesce(sum(token_amount) filter (where state = 'announced'), 0) as needed,
          coalesce(sum(token_amount) filter (where state = 'paid' and bound.bound_at > now() - interval '30 days'), 0) as paid
        from public.orders left join private.order_payments as bound on bound.order_id = orders.id
        where orders.chain_id = wallets.chain_id and orders.from_address = wallets.address
          and orders.token_address = tokens.address and orders.state in ('announced', 'paid')
      ) as sums
    )
  )
  where private.is_operator()
$$;

revoke all on private.payer_sights from public, anon, authenticated, service_role;
revoke all on function public.record_payer, public.payer_overview from public, anon, authenticated, service_role;
grant execute on function public.record_payer to service_role;
grant execute on function public.payer_overview to authenticated;
