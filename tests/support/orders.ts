import type { EmbeddedBackend } from '../../supabase/embedded/embedded.ts'

/** Columns of an order that two operators approved some hours ago. */
export interface ApprovedOrder {
  account?: string
  chain: number
  from: string
  to: string
  token: string
  symbol?: string
  decimals?: number
  amount: bigint
  /** Hours since the approval; the notice has 24. */
  hours?: number
  /** The operators who approved it. */
  people?: [string, string | null]
  /** The standing order that made it, in place of operators, and what it answers. */
  standing?: number
  occasion?: string
  recipient?: 'named' | 'pool' | 'goal'
  recipientAccount?: string | null
}

/**
 * Inserts an order as its act or a standing order makes it, with its first entry and its act. Tests use it because no
 * function can approve an order in the past. Returns its number.
 */
export async function insertOrder(
  backend: EmbeddedBackend,
  {
    account = 'treasury',
    chain,
    from,
    to,
    token,
    symbol = 'USDX',
    decimals = 18,
    amount,
    hours = 30,
    people = ['ada', 'bob'],
    standing,
    occasion = '',
    recipient = 'named',
    recipientAccount = null,
  }: ApprovedOrder,
): Promise<number> {
  const [row] = await backend.sql<{ number: number }>(
    `with made as (
       insert into public.orders (account, recipient, chain_id, from_address, to_address, token_address, token_symbol,
         token_decimals, token_amount, type, purpose_hash, announced_at, due_at, expires_at, recipient_account, statement)
       values ($1, $13, $2::int, $3, $4, $5, $14, $15::int, $6::numeric, case when $1 = 'treasury' then 'cost' else 'spending' end,
         private.keep_text('ledger', 'Rent'), now() - make_interval(secs => 3600 * $7::float8), now() - make_interval(secs => 3600 * ($7::float8 - 24)),
         now() - make_interval(secs => 3600 * ($7::float8 - 192)), $12, case when $11 like 'https://%' then $11 end)
       returning id, announced_at
     ), changed as (
       insert into public.order_changes (number, revision, state) select id, 0, 'announced' from made returning id, number
     ), acted as (
       insert into public.operator_acts (kind, subject, state, by, second, final_at, number, made_kind, made_id)
       select 'order', number::text, 'done', $8, $9, now(),
         1 + coalesce((select max(acts.number) from public.operator_acts as acts), 0), 'order', id from changed
       where $10::bigint is null
     ), ordered as (
       insert into public.standing_payments (order_id, standing, occasion, payee, recorded_at)
       select id, $10, $11, $4, announced_at from made where $10::bigint is not null
     )
     select id::int as number from made`,
    [
      ...[account, chain, from, to, token, `${amount}`, hours, ...people],
      ...[standing ?? null, occasion, recipientAccount, recipient, symbol, decimals],
    ],
  )
  return row?.number ?? 0
}

/**
 * Inserts two hundred due orders in twenty lanes: five that cannot be paid in each, to `partner`, and five younger ones that
 * can, to `friend`. `amountOf`: the amount of the first, second and so on of those that cannot.
 */
export async function fillLanes(
  backend: EmbeddedBackend,
  { partner, friend, amountOf }: { partner: string; friend: string; amountOf: (count: bigint) => bigint },
) {
  const accounts = ['treasury', 'donation-wallet', 'education', 'humanitarian-relief', 'animal-welfare']
  const wallets = accounts.map((account, at) => ({ account, address: `0x${`${at + 1}`.repeat(40)}` }))
  const tokens = ['USDA', 'USDB', 'USDC', 'USDD'].map((symbol, at) => ({
    ...{ symbol, address: `0x${'a'.repeat(38)}0${at + 1}`, decimals: 18 },
  }))
  /** The oldest order of each lane that can be paid. */
  const oldest: number[] = []
  for (const isPayable of [false, true])
    for (const { account, address: from } of wallets)
      for (const { symbol, address: token } of tokens)
        for (let count = 1n; count <= 5n; count++) {
          const number = await insertOrder(backend, {
            ...{ account, chain: 56, from, token, symbol, hours: isPayable ? 29 : 30 },
            ...{ to: isPayable ? friend : partner, amount: isPayable ? count : amountOf(count) },
          })
          if (isPayable && count === 1n) oldest.push(number)
        }
  return { oldest, terms: { wallets, tokens } }
}
