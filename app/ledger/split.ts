/** The shares of the fees that a vote on the split decides, in the order in which a ballot names them. */
export const splitParts = ['education', 'relief', 'animals', 'cz-call', 'fundme', 'reserve'] as const
export type SplitPart = (typeof splitParts)[number]

/** The least and the most percentage of each share that a ballot may name. */
export interface SplitLimits {
  least: readonly number[]
  most: readonly number[]
}

/** True if a text has the form of the name of a vote on the split. The vote may not exist. */
export function isSplitSlug(text: string | undefined): text is string {
  return /^split-[1-9]\d{0,8}$/.test(text ?? '')
}

/** Six whole percentages that add up to 100, as a ballot spells them; null for any other text. */
export function percentagesOf(text: string | null): number[] | null {
  if (!/^(0|[1-9]\d?|100)( (0|[1-9]\d?|100)){5}$/.test(text ?? '')) return null
  const parts = (text ?? '').split(' ').map(Number)
  return parts.reduce((sum, part) => sum + part, 0) === 100 ? parts : null
}

export function isWithin(parts: readonly number[], { least, most }: SplitLimits): boolean {
  return parts.every((part, at) => part >= (least[at] ?? 0) && part <= (most[at] ?? 100))
}
