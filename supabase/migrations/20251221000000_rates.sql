-- The newest price of each token that has a price feed. /donate needs it for amounts in dollars. The ledger does not: each
-- of its rows has its own rate.
create table public.token_rates (
  id bigint generated always as identity primary key,
  chain_id private.chain_id not null,
  symbol text not null
    constraint token_rates_symbol_length check (char_length(symbol) between 1 and 32),
  rate_usd private.dollar_rate not null,
  priced_at private.moment not null,
  stored_at private.moment not null default now(),
  constraint token_rates_key unique (chain_id, symbol)
);
comment on table public.token_rates is 'The newest price of each token with a price feed; the schedule replaces it each hour.';
comment on column public.token_rates.rate_usd is 'US dollars for a whole token.';
comment on column public.token_rates.priced_at is 'When the price feed set this price.';

alter table public.token_rates enable row level security;

create view public.published_rates with (security_invoker = false) as
select chain_id, symbol, trim_scale(rate_usd)::text as rate_usd, priced_at, stored_at
from public.token_rates;
comment on view public.published_rates is 'The newest price of each token with a price feed.';

-- Replaces the prices of these tokens: [{symbol, rate_usd, priced_at}]. A price that is older than the stored one does
-- not replace it. Returns how many were stored.
create function public.store_rates(chain integer, rates jsonb) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  stored integer;
begin
  insert into public.token_rates (chain_id, symbol, rate_usd, priced_at)
  select chain, symbol, rate_usd, priced_at
  from jsonb_to_recordset(rates) as rate (symbol text, rate_usd numeric, priced_at timestamptz)
  on conflict (chain_id, symbol) do update
    set rate_usd = excluded.rate_usd, priced_at = excluded.priced_at, stored_at = now()
    where excluded.priced_at >= token_rates.priced_at;
  get diagnostics stored = row_count;
  return stored;
end;
$$;

revoke all on public.token_rates, public.published_rates from public, anon, authenticated, service_role;
grant select on public.token_rates to service_role;
grant select on public.published_rates to anon, authenticated, service_role;
revoke all on function public.store_rates(integer, jsonb) from public, anon, authenticated;
grant execute on function public.store_rates(integer, jsonb) to service_role;
