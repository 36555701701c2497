-- Transfers of a chain's own coin leave no log that could be read. The scheduled job finds them by the balance of each
-- wallet, and keeps here up to which block that was done.
create table private.coin_balances (
  chain_id private.chain_id,
  wallet private.address,
  block_number private.safe_integer not null,
  block_hash private.hash32 not null,
  amount private.base_units not null,
  primary key (chain_id, wallet)
);
comment on table private.coin_balances is
  'The balance of each wallet at the block up to which its coin transfers were read; written together with the rows that were found.';

revoke all on private.coin_balances from public, anon, authenticated, service_role;

-- [{wallet, block_number, block_hash, amount}] of a chain; amounts are text.
create function public.coin_balances(chain integer) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'wallet', wallet, 'block_number', block_number, 'block_hash', block_hash, 'amount', amount::text
  )), '[]')
  from private.coin_balances
  where chain_id = chain
$$;

-- Appends rows as append_ledger does, and in the same transaction keeps up to where they were read: `balances` is a list
-- of {wallet, block_number, block_hash, amount}. Of two runs at once the last one decides: each appends what it has read
-- before it moves on, and a transfer that the ledger has is skipped.
create function public.append_coins(chain integer, entries jsonb, balances jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  answer jsonb := public.append_ledger(entries);
begin
  insert into private.coin_balances (chain_id, wallet, block_number, block_hash, amount)
  select chain, balance.wallet, balance.block_number, balance.block_hash, balance.amount
  from jsonb_to_recordset(balances) as balance (wallet text, block_number bigint, block_hash text, amount numeric)
  on conflict (chain_id, wallet) do update set
    block_number = excluded.block_number, block_hash = excluded.block_hash, amount = excluded.amount;
  return answer;
end;
$$;

revoke all on function public.coin_balances(integer), public.append_coins(integer, jsonb, jsonb)
  from public, anon, authenticated;
grant execute on function public.coin_balances(integer), public.append_coins(integer, jsonb, jsonb) to service_role;
