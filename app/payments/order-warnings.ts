import type { Cents } from '../platform/money'

/** A payment from one of our wallets, or one that was ordered. */
export interface Paid {
  /** The slug of the account that paid. */
  account: string
  to: string
  /** Null if its value is unknown. */
  usd: Cents | null
  at: Date
}

/** What is unusual about an order. `usual`: the median of what this wallet paid to this recipient, or to all. */
export type Warning =
  | { kind: 'first' }
  | { kind: 'no'; id: number }
  | { kind: 'large'; usual: Cents }
  | { kind: 'again'; at: Date }
  | { kind: 'open'; usd: Cents; at: Date }

export interface History {
  paid: readonly Paid[]
  /** The open orders. */
  ordered: readonly Paid[]
  /** The row of which the recipient says that it did not arrive. */
  notArrived?: number | undefined
}

const fortnight = 14 * 24 * 3_600_000
/** From this multiple of the usual amount on, an order is unusual. */
const muchMore = 10

/** What is unusual about a payment of `usd` from an account to an address at a time in milliseconds. */
export function warningsFor(
  { account, to, usd }: Pick<Paid, 'account' | 'to'> & { usd: Cents },
  { paid, ordered, notArrived }: History,
  now: number,
): Warning[] {
  const ours = paid.filter((each) => each.account === account)
  const same = ours.filter((each) => each.to === to)
  const amounts = (same.length > 0 ? same : ours).flatMap(({ usd }) => usd ?? []).sort((a, b) => a - b)
  const usual = amounts[Math.floor(amounts.length / 2)]
  const again = [...paid, ...ordered].find(
    (each) => each.to === to && each.usd === usd && now - each.at.getTime() < fortnight,
  )
  const open = ordered.find((each) => each.to === to && each.usd !== null && each.usd !== usd)
  return [
    ...(notArrived !== undefined ? [{ kind: 'no', id: notArrived } as const] : []),
    ...(same.length === 0 ? [{ kind: 'first' } as const] : []),
    ...(usual !== undefined && usd >= muchMore * usual ? [{ kind: 'large', usual } as const] : []),
    ...(again ? [{ kind: 'again', at: again.at } as const] : []),
    ...(open?.usd ? [{ kind: 'open', usd: open.usd, at: open.at } as const] : []),
  ]
}
