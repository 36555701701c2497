import type { Cents } from '../money'
import type { PoolWithTotals, Totals } from './totals.server'

/** One source or use of the treasury's money, with the URL of a page that lists its rows or the wallets. */
export interface FlowPart {
  name: string
  amount: Cents
  href: string
}

/** The treasury's income by source and its expenses by use. Both have the same sum. */
export interface Flow {
  total: Cents
  sources: FlowPart[]
  uses: FlowPart[]
  /** Gifts that went straight to the wallets of pools: part of Total Donated, and never in the treasury. */
  straightToPools: Cents
}

const history = (search: string) => `/transparency?${search}#history`

/**
 * The treasury's sources and uses. Their sums are equal by the identity of the view ledger_totals: tax + gifts + other
 * in + returned from pools = donations + dreams + costs + other out + still held.
 *
 * Null if a figure can't be read, if nothing came in, if the sums differ because a row was written between the reads of
 * totals and pools, or if the balance is negative: rows are valued on their day, so a treasury that pays out a token
 * after its price rose can be negative.
 */
export function flowOf(totals: Totals | null, pools: PoolWithTotals[]): Flow | null {
  if (!totals) return null
  const uses: FlowPart[] = []
  for (const { slug, category, totals: pool } of pools) {
    if (!pool) return null
    uses.push({ name: category, amount: pool.donationsUsd, href: history(`type=donation&pool=${slug}`) })
  }
  uses.push(
    { name: 'Other causes', amount: totals.donatedElsewhereUsd, href: history('type=donation&pool=none') },
    { name: 'Dreams', amount: totals.dreamsFundedUsd, href: history('type=dream') },
    { name: 'Costs', amount: totals.costsUsd, href: history('type=cost') },
    {
      name: 'Other payments',
      amount: totals.otherOutUsd,
      href: history('type=other&direction=out&pool=none'),
    },
    { name: 'In the treasury', amount: totals.treasuryUsd, href: '/transparency/wallets' },
  )
  const sources: FlowPart[] = [
    { name: 'Tax', amount: totals.taxUsd, href: history('type=tax&pool=none') },
    { name: 'Gifts', amount: totals.giftsUsd, href: history('type=gift&pool=none') },
    { name: 'Other income', amount: totals.otherInUsd, href: history('type=other&direction=in&pool=none') },
    { name: 'From pools', amount: totals.returnedUsd, href: history('type=move') },
  ]
  const total = sum(sources)
  if (total === 0 || [...sources, ...uses].some(({ amount }) => amount < 0) || sum(uses) !== total)
    return null
  const some = ({ amount }: FlowPart) => amount > 0
  const straightToPools = pools.reduce((all, { totals: pool }) => all + (pool?.giftsUsd ?? 0), 0)
  return { total, sources: sources.filter(some), uses: uses.filter(some), straightToPools }
}

function sum(parts: { amount: Cents }[]): Cents {
  return parts.reduce((total, { amount }) => total + amount, 0)
}

/**
 * Divides `whole` in the proportions of `amounts` (not negative, not all zero). The shares add up to `whole` exactly:
 * each is rounded down to a cent, and the cents that are left go to the largest remainders.
 */
export function divide(whole: Cents, amounts: Cents[]): Cents[] {
  const total = amounts.reduce((all, amount) => all + BigInt(amount), 0n)
  const shares = amounts.map((amount, at) => {
    const product = BigInt(whole) * BigInt(amount)
    return { at, share: Number(product / total), remainder: product % total }
  })
  const left = whole - shares.reduce((all, { share }) => all + share, 0)
  const byRemainder = shares.toSorted((a, b) =>
    a.remainder < b.remainder ? 1 : a.remainder > b.remainder ? -1 : a.at - b.at,
  )
  for (const entry of byRemainder.slice(0, left)) entry.share++
  return shares.map(({ share }) => share)
}
