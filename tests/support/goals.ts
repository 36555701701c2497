import { randomUUID } from 'node:crypto'
import type { EmbeddedBackend } from '../../supabase/embedded/embedded.ts'
import { transaction } from './temporary-backend.ts'

type Backend = Pick<EmbeddedBackend, 'sql'>

/** With these variables FundMe is open. No endpoint responds, so the scheduled work finds no gift. */
export const openVariables = {
  FUNDME_OPEN: '1',
  TREASURY_WALLET: `0x${'a'.repeat(40)}`,
  CHAIN_RPC_URLS: 'http://127.0.0.1:9',
  CHAIN_START_BLOCK: '1',
  CHAIN_TOKENS: `USDT:0x${'c'.repeat(40)}:18:usd BNB:native:18`,
}

export interface Goal {
  id: string
  slug: string
  member: string
  wallet: string
}

let made = 0

function nextSlug(): string {
  const letters = String.fromCharCode(97 + (made % 26), 97 + Math.floor(made / 26))
  return `goal-${letters.padStart(8, 'b')}`
}

/**
 * Adds an open goal of a new member or of `member`, in the state in which an approval leaves it. `isSubmitted`:
 * the goal waits for its approval, with a check of its wallet and a picture.
 */
export async function addGoal(
  { sql }: Backend,
  {
    member = randomUUID() as string,
    title = 'School coats',
    days = 30,
    slug = nextSlug(),
    isSubmitted = false,
  } = {},
): Promise<Goal> {
  const id = randomUUID()
  const wallet = `0xd${(++made).toString(16).padStart(39, '0')}`
  await sql(
    `insert into auth.users (id, aud, role, email) values ($1, 'authenticated', 'authenticated', $2) on conflict do nothing`,
    [member, `${member}@example.org`],
  )
  await sql(
    `insert into public.goals (
       id, member, stage, slug, title, byline, category, target_usd, days, plan, story, links, wallet
     ) values (
       $1, $2, 'submitted', $3, $4, 'Riverside School', 'Education', 1000, $5::integer,
       '[{"amount": "600", "what": "Coats"}, {"amount": "400", "what": "Shoes"}]',
       'Winter is cold, and forty children have no coat.', 'https://school.example.org/coats', $6
     )`,
    [id, member, slug, title, days, wallet],
  )
  if (isSubmitted) {
    await sql('update public.goals set picture_path = $2, picture_text = $3 where id = $1', [
      ...[id, `${id}/${'1'.repeat(64)}.webp`, 'Forty hooks without a coat'],
    ])
    await sql(
      `insert into private.goal_checks (goal, wallet, block_number, block_hash, nonce)
       values ($1, $2, 9, '0x' || repeat('9', 64), 0)`,
      [id, wallet],
    )
  } else await sql(`select private.move_goal($1, 'open', 'operator')`, [id])
  return { id, slug, member, wallet }
}

/** Moves a goal with the function that its actor would call. */
export async function moveGoal(
  { sql }: Backend,
  { id }: Goal,
  stage: string,
  { mover = 'operator', frozen = false, hidden = false, words = null as string | null } = {},
): Promise<void> {
  await sql('select private.move_goal($1, $2, $3, $4, $5, $6)', [id, stage, mover, frozen, hidden, words])
}

/** Appends a gift to a goal with a check that verifies it. Returns the row of the gift. */
export async function addGift(
  { sql }: Backend,
  { slug, wallet }: Goal,
  changes: Record<string, unknown> = {},
) {
  const { status = 'verified', ...given } = changes
  const row = transaction({
    ...{
      type: 'goal-gift',
      direction: 'in',
      account: slug,
      pool_slug: slug,
      to_address: wallet,
      amount_usd: 20,
    },
    ...{ token_amount: '20000000000000000000', token_symbol: 'USDT', token_decimals: 18 },
    ...given,
  })
  await sql('select public.append_ledger($1)', [JSON.stringify([row])])
  const [added] = await sql<{ id: number }>('select id from public.transactions where tx_hash = $1', [
    row.tx_hash,
  ])
  const block = {
    ...{ block_number: 5, block_hash: `0x${'b'.repeat(64)}`, block_time: '2025-03-01T12:00:00Z' },
    confirmations: 20,
  }
  if (status !== 'pending')
    await sql('select public.record_checks($1::jsonb)', [
      JSON.stringify([{ transaction_id: added?.id, status, ...block }]),
    ])
  return { ...row, id: Number(added?.id) }
}
