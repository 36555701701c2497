import type { TokenAmount } from '../platform/tokens'
import { parseUnits } from '../wallet/units'
import type { Means, Payer } from './payer-means.server'

/** Fewer payments than this number must not be all that the payer's gas pays for. */
const fewPayments = 10

/** The number of payments that the payer's coins pay for. */
export function paymentsLeft({ gas, payment_gas: one }: NonNullable<Payer['sight']>): number {
  return Number(gas / (one || 1n))
}

export function lacksGas(sight: NonNullable<Payer['sight']>): boolean {
  return paymentsLeft(sight) < fewPayments
}

/** How many days an allowance suffices at the pace of the last 30 days; null without a pace or an allowance. */
export function daysLeft({ allowance, paid }: Pick<Means, 'allowance' | 'paid'>): number | null {
  return allowance === null || paid === 0n ? null : Number((allowance * 30n) / paid)
}

/** Whether an order can be paid: its wallet and its token are configured, and the token has the decimals of the order. */
export function canPay(means: readonly Means[], { fromAddress, tokenAddress, tokens }: Payable): boolean {
  return means.some(
    ({ owner, token, decimals }) =>
      owner === fromAddress && token === tokenAddress && decimals === tokens?.decimals,
  )
}
type Payable = { fromAddress: string; tokenAddress: string; tokens: TokenAmount | null }

/** What the orders that wait need beyond an amount. */
export function lacking(has: bigint | null, { needed }: Pick<Means, 'needed'>): bigint {
  return has !== null && needed > has ? needed - has : 0n
}

/** The page on which an operator sets the allowance of a token of a wallet. */
export function allowancePath(means: Pick<Means, 'account' | 'symbol'>): string {
  return `/operator/payments/allowance?${new URLSearchParams({ of: meansKey(means) })}`
}

/** The value of a token of a wallet in URLs: 'treasury USDT'. */
export function meansKey({ account, symbol }: Pick<Means, 'account' | 'symbol'>): string {
  return `${account} ${symbol}`
}

/** Whether an allowance ends within seven days: at the pace of the last 30, or by the orders that wait. */
export function endsSoon(means: Means): boolean {
  return (daysLeft(means) ?? 7) < 7 || lacking(means.allowance, means) > 0n
}

/** Whether an allowance is more than three times what one order may pay. */
export function isLarge(
  { units, decimals }: { units: bigint; decimals: number },
  most: number | null,
): boolean {
  return most !== null && units > BigInt(most) * 3n * 10n ** BigInt(decimals)
}

/** An entered allowance in base units, or why it is refused. 0 ends an allowance. */
export function readAllowed(
  text: string,
  { decimals, symbol }: Pick<Means, 'decimals' | 'symbol'>,
): { units: bigint } | { fault: 'invalid' | 'ambiguous' | 'unlimited' } {
  const typed = text.trim()
  if (/^0+$/.test(typed)) return { units: 0n }
  if (/^\d{16,}$/.test(typed)) return { fault: 'unlimited' }
  return parseUnits(typed, decimals, symbol)
}
