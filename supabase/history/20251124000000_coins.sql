-- Transfers of a chain's own coin emit no event log. The scheduled job finds them by the balance and the nonce of each
-- wallet, and stores here the block up to which it has read them. The last ten balances of each wallet stay, so that
-- after a reorganisation the job continues from the newest one whose block is still part of the chain.
create table private.coin_balances (
  chain_id private.chain_id,
  wallet private.address,
  block_number private.safe_integer not null,
  block_hash private.hash32 not null,
  amount private.base_units not null,
  nonce private.safe_integer not null,
  gas_paid private.base_units,
  primary key (chain_id, wallet, block_number)
);
comment on table private.coin_balances is
  'The balance of each wallet at the latest blocks up to which its coin transfers were read; written together with the rows that were found.';
comment on column private.coin_balances.nonce is 'How many transactions the wallet had sent until that block.';
comment on column private.coin_balances.gas_paid is
  'What the wallet has paid for gas until that block, from the first block that was read. Null where part of it is not known.';

revoke all on private.coin_balances from public, anon, authenticated, service_role;

-- [{wallet, block_number, block_hash, amount, nonce, gas_paid}] of a chain, newest first; amount and gas_paid are text.
create function public.coin_balances(chain integer) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'wallet', wallet, 'block_number', block_number, 'block_hash', block_hash, 'amount', amount::text,
    'nonce', nonce, 'gas_paid', gas_paid::text
  ) order by block_number desc), '[]')
  from private.coin_balances
  where chain_id = chain
$$;

-- Appends rows as append_ledger does, and in the same transaction stores the balance of each wallet at the last block
-- that was read: [{wallet, after, block_number, block_hash, amount, nonce, gas_paid}]. `after` is the block after which
-- the caller began to read; stored balances of later blocks are deleted first. The newest ten balances of each wallet
-- are kept. If two runs overlap, the balances of the last one remain. No transfer is lost or recorded twice: a run stores its rows together with its balances, a transfer that the
-- ledger has is skipped, and each gas_paid is the sum up to its own block. Returns {added, size} of append_ledger.
create function public.append_coins(chain integer, entries jsonb, balances jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  answer jsonb := public.append_ledger(entries);
begin
  delete from private.coin_balances as kept
  using jsonb_to_recordset(balances) as balance (wallet text, after bigint)
  where kept.chain_id = chain and kept.wallet = balance.wallet and kept.block_number > balance.after;
  insert into private.coin_balances (chain_id, wallet, block_number, block_hash, amount, nonce, gas_paid)
  select chain, wallet, block_number, block_hash, amount, nonce, gas_paid
  from jsonb_to_recordset(balances) as balance (
    wallet text, block_number bigint, block_hash text, amount numeric, nonce bigint, gas_paid numeric
  );
  delete from private.coin_balances as kept
  where kept.chain_id = chain and (
    select count(*) from private.coin_balances as newer
    where newer.chain_id = kept.chain_id and newer.wallet = kept.wallet and newer.block_number > kept.block_number
  ) >= 10;
  return answer;
end;
$$;

revoke all on function public.coin_balances(integer), public.append_coins(integer, jsonb, jsonb)
  from public, anon, authenticated;
grant execute on function public.coin_balances(integer), public.append_coins(integer, jsonb, jsonb) to service_role;
