-- The newest price of each token that has a price feed. /donate needs it for amounts in dollars. The ledger does not: each
-- of its rows has its own rate.
create table public.token_rates (
  id bigint generated always as identity primary key,
  chain_id private.chain_id not null,
  symbol text not null
    constraint token_rates_symbol_length check (char_length(symbol) between 1 and 32),
  rate_usd private.dollar_rate,
  priced_at private.moment,
  asked_at private.moment not null default now(),
  constraint token_rates_price_whole check ((rate_usd is null) = (priced_at is null)),
  constraint token_rates_key unique (chain_id, symbol)
);
comment on table public.token_rates is 'The newest price of each token with a price feed; the schedule reads the feed each hour.';
comment on column public.token_rates.rate_usd is 'US dollars for a whole token; null as long as the feed had no usable price.';
comment on column public.token_rates.priced_at is 'When the price feed set this price.';
comment on column public.token_rates.asked_at is 'When the schedule last read the feed, with or without a price.';

alter table public.token_rates enable row level security;

create view public.published_rates with (security_invoker = false) as
select chain_id, symbol, trim_scale(rate_usd)::text as rate_usd, priced_at
from public.token_rates
where rate_usd is not null;
comment on view public.published_rates is 'The newest price of each token with a price feed.';

-- Stores what the feeds said: [{symbol, rate_usd, priced_at}], with null for a feed without a usable price. Such a feed,
-- and a price that is older than the stored one, leave the stored price as it is. Returns how many prices there were.
create function public.store_rates(chain integer, rates jsonb) returns integer
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.token_rates (chain_id, symbol, rate_usd, priced_at)
  select chain, symbol, rate_usd, priced_at
  from jsonb_to_recordset(rates) as rate (symbol text, rate_usd numeric, priced_at timestamptz)
  on conflict (chain_id, symbol) do update set asked_at = now();

  update public.token_rates
  set rate_usd = rate.rate_usd, priced_at = rate.priced_at
  from jsonb_to_recordset(rates) as rate (symbol text, rate_usd numeric, priced_at timestamptz)
  where token_rates.chain_id = chain and token_rates.symbol = rate.symbol
    and rate.priced_at >= coalesce(token_rates.priced_at, '-infinity');

  return (select count(*) from jsonb_to_recordset(rates) as rate (rate_usd numeric) where rate_usd is not null);
end;
$$;

revoke all on all sequences in schema public from public, anon, authenticated, service_role;
revoke all on public.token_rates, public.published_rates from public, anon, authenticated, service_role;
grant select on public.token_rates to service_role;
grant select on public.published_rates to anon, authenticated, service_role;
revoke all on function public.store_rates(integer, jsonb) from public, anon, authenticated;
grant execute on function public.store_rates(integer, jsonb) to service_role;
