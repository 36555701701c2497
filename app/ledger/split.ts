import { impactPools } from '../platform/impact-pools.ts'

/** The accounts of the shares that are no pools: CZ Call, winners of FundMe, and what stays in the treasury. */
export const otherShares = ['donation-wallet', 'goals', 'reserve'] as const
/** The accounts of the shares of the next vote on the split. The database has the same order (perform_split_vote). */
export const splitNames: readonly string[] = [...impactPools.map(({ slug }) => slug), ...otherShares]

/** The shares of a vote on the split, by their accounts, with the least and the most percentage that a ballot may name. */
export interface SplitLimits {
  names: readonly string[]
  least: readonly number[]
  most: readonly number[]
}

/** True if a text has the form of the name of a vote on the split. The vote may not exist. */
export function isSplitSlug(text: string | undefined): text is string {
  return /^split-[1-9]\d{0,8}$/.test(text ?? '')
}

/** Whole percentages that add up to 100, as a ballot spells them; null for any other text. */
export function percentagesOf(text: string | null): number[] | null {
  if (!/^(0|[1-9]\d?|100)( (0|[1-9]\d?|100)){2,49}$/.test(text ?? '')) return null
  const parts = (text ?? '').split(' ').map(Number)
  return parts.reduce((sum, part) => sum + part, 0) === 100 ? parts : null
}

export function isWithin(parts: readonly number[], { names, least, most }: SplitLimits): boolean {
  return (
    parts.length === names.length &&
    parts.every((part, at) => part >= (least[at] ?? 0) && part <= (most[at] ?? 100))
  )
}
