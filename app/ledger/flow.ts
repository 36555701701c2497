import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { key } from '../platform/locales/key'
import type { Cents } from '../platform/money'
import { spentOfGiven } from './totals'
import type { PoolWithTotals, Totals } from './totals.server'

/** One source or use of the money. `href` is a page that lists its rows or the wallets. */
export interface FlowPart {
  name: MessageDescriptor
  amount: Cents
  href: string
  /** The key of the part's hue (ui/hues.css). */
  hue?: string
  /** The part of `amount` that is left in the pool. Drawings hatch this part. */
  waiting?: Cents
  /** Whether the money is still in the treasury. Drawings show such a part as an outline. */
  isHeld?: boolean
}

/** The sources and the uses of the money, of equal sums. Both include gifts directly to pools. */
export interface Flow {
  total: Cents
  /** The money from outside. The sum of this money and the money that pools returned is `total`. */
  moneyIn: Cents
  returned: Cents
  sources: FlowPart[]
  uses: FlowPart[]
}

const history = (search: string) => `/transparency?${search}#history`

/**
 * The sources and uses of the money. Their sums are equal by the identity of the view ledger_totals: tax +
 * gifts + other in + returned from pools = given + dreams + costs + other out + still in the treasury.
 *
 * Null if a figure can't be read, if no money came in, if the sums differ because a row was written between
 * the reads of totals and pools, or if the balance is negative. Each row has the dollar value of its own day,
 * so the balance can be negative after the treasury pays out a token whose price rose.
 */
export function flowOf(totals: Totals | null, pools: PoolWithTotals[]): Flow | null {
  if (!totals) return null
  const uses: FlowPart[] = []
  for (const { slug, category, totals: pool } of pools) {
    if (!pool) return null
    const waiting = Math.min(Math.max(pool.leftUsd, 0), pool.totalUsd)
    uses.push({
      name: key(category),
      amount: pool.totalUsd,
      href: history(`pool=${slug}`),
      hue: slug,
      waiting,
    })
  }
  uses.push(
    {
      name: msg`Causes outside the pools`,
      amount: totals.donatedElsewhereUsd,
      href: history('type=donation&pool=none'),
      hue: 'other-causes',
      waiting: 0,
    },
    ...usesBesideGiven(totals),
  )
  const sources = sourcesOf(totals)
  const total = sum(sources)
  if (total === 0 || [...sources, ...uses].some(({ amount }) => amount < 0) || sum(uses) !== total)
    return null
  const some = ({ amount }: FlowPart) => amount > 0
  const { returnedUsd: returned } = totals
  return {
    total,
    moneyIn: total - returned,
    returned,
    sources: sources.filter(some),
    uses: uses.filter(some),
  }
}

/** 'Of every $50': the uses of all the money that came in. The shares add up to $50. */
export interface Division {
  total: Cents
  sources: FlowPart[]
  given: Share & {
    /** The donated money by what became of it; null if pools also have money that was not donated. */
    parts: { spent: Share; waiting: Share; returned: Share } | null
  }
  dreams: Share & FlowPart
  costs: Share & FlowPart
  otherPayments: Share & FlowPart
  treasury: Share & FlowPart
}

interface Share {
  amount: Cents
  /** The share of `sample`, in cents. */
  share: Cents
}

/** The example amount of $50, in cents. */
export const sample = 5000

/** The division of the totals; null in the same cases as the result of flowOf. */
export function divisionOf(totals: Totals | null): Division | null {
  if (!totals) return null
  const sources = sourcesOf(totals)
  const uses = usesBesideGiven(totals)
  const total = sum(sources)
  const amounts = [totals.donatedUsd, ...uses.map(({ amount }) => amount)]
  if (total === 0 || [...amounts, ...sources.map(({ amount }) => amount)].some((amount) => amount < 0))
    return null
  if (amounts.reduce((all, amount) => all + amount, 0) !== total) return null
  const [givenShare = 0, ...shares] = divide(sample, amounts)
  const [dreams, costs, otherPayments, treasury] = uses.map((part, at) => ({
    ...part,
    share: shares[at] ?? 0,
  })) as [Share & FlowPart, Share & FlowPart, Share & FlowPart, Share & FlowPart]
  return {
    total,
    sources: sources.filter(({ amount }) => amount > 0),
    given: { amount: totals.donatedUsd, share: givenShare, parts: partsOfGiven(totals, givenShare) },
    dreams,
    costs,
    otherPayments,
    treasury,
  }
}

function partsOfGiven(totals: Totals, share: Cents): Division['given']['parts'] {
  const spent = spentOfGiven(totals)
  if (spent === null || totals.donatedUsd === 0) return null
  const amounts = [spent, totals.waitingUsd, totals.donatedUsd - spent - totals.waitingUsd]
  const shares = divide(share, amounts)
  const [spentPart, waiting, returned] = amounts.map((amount, at) => ({
    amount,
    share: shares[at] ?? 0,
  })) as [Share, Share, Share]
  return { spent: spentPart, waiting, returned }
}

function sourcesOf(totals: Totals): FlowPart[] {
  return [
    { name: msg`Trading tax`, amount: totals.taxUsd, href: history('type=tax&pool=none') },
    { name: msg`Gifts`, amount: totals.giftsUsd + totals.poolGiftsUsd, href: history('type=gift') },
    {
      name: msg`Other income`,
      amount: totals.otherInUsd,
      href: history('type=other&direction=in&pool=none'),
    },
    { name: msg`Returned by pools`, amount: totals.returnedUsd, href: history('type=move') },
  ]
}

function usesBesideGiven(totals: Totals): FlowPart[] {
  return [
    { name: msg`Dreams`, amount: totals.dreamsFundedUsd, href: history('type=dream'), hue: 'dreams' },
    { name: msg`Costs`, amount: totals.costsUsd, href: history('type=cost'), hue: 'costs' },
    {
      name: msg`Other payments`,
      amount: totals.otherOutUsd,
      href: history('type=other&direction=out&pool=none'),
      hue: 'costs',
    },
    { name: msg`In the treasury`, amount: totals.treasuryUsd, href: '/transparency/wallets', isHeld: true },
  ]
}

function sum(parts: { amount: Cents }[]): Cents {
  return parts.reduce((total, { amount }) => total + amount, 0)
}

/**
 * Divides `whole` in the proportions of `amounts` (none is negative, and not all are zero). The shares add up
 * to `whole` exactly: each share is rounded down to a cent, and the remaining cents go to the largest
 * remainders.
 */
export function divide(whole: Cents, amounts: Cents[]): Cents[] {
  const total = amounts.reduce((all, amount) => all + BigInt(amount), 0n)
  const shares = amounts.map((amount, at) => {
    const product = BigInt(whole) * BigInt(amount)
    return { at, share: Number(product / total), remainder: product % total }
  })
  const left = whole - shares.reduce((all, { share }) => all + share, 0)
  const byRemainder = [...shares].sort((a, b) =>
    a.remainder < b.remainder ? 1 : a.remainder > b.remainder ? -1 : a.at - b.at,
  )
  for (const entry of byRemainder.slice(0, left)) entry.share++
  return shares.map(({ share }) => share)
}
