-- A transfer of 2^256 - 1 base units is a valid row, and a token contract can emit events of many. The sum of such rows
-- must be recordable, or one hostile token would stop the reconciliation of its wallet. 2^256 times 10^12 rows is less
-- than 10^90.
create domain private.base_units_sum as numeric(90, 0)
  constraint base_units_sum_range check (value > -1e90 and value < 1e90);

drop view public.published_reconciliations;
alter table public.reconciliations alter column ledger_amount type private.base_units_sum;
drop domain private.signed_base_units;

create view public.published_reconciliations with (security_invoker = false) as
select distinct on (chain_id, wallet, token_address)
  id, chain_id, block_number, block_hash, block_time, wallet, token_address, token_symbol, token_decimals,
  chain_amount::text as chain_amount, ledger_amount::text as ledger_amount, gas_paid::text as gas_paid,
  (chain_amount - (ledger_amount - gas_paid))::text as difference, unlisted, taken_at
from public.reconciliations
order by chain_id, wallet, token_address, id desc;
comment on view public.published_reconciliations is 'The latest reconciliation of each wallet and token.';

revoke all on public.published_reconciliations from public, anon, authenticated, service_role;
grant select on public.published_reconciliations to anon, authenticated, service_role;
