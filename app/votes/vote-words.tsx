import { msg } from '@lingui/core/macro'
import { percentagesOf } from '../ledger/split'
import { sharesText } from '../ledger/split-words'
import type { Language } from '../platform/locales/language'
import { useLanguage } from '../platform/locales/react'
import { type Choice, isChoice } from './ballot'

/** The words for a choice. */
export const choiceWords = {
  support: msg({ message: 'Support', comment: 'The choice of a voter: this goal should be funded' }),
  against: msg({ message: 'Against', comment: 'The choice of a voter: this goal should not be funded' }),
} as const satisfies Record<Choice, unknown>

/** The words for the choice of a ballot: 'Support', or 'Education 40%, Reserve 20%' for one on the split. */
export function choiceText(
  { choice, names }: { choice: string; names: readonly string[] | null },
  language: Pick<Language, 'i18n' | 'formats' | 'locale'>,
): string {
  if (isChoice(choice)) return language.i18n._(choiceWords[choice])
  return sharesText(
    names ?? [],
    (percentagesOf(choice) ?? []).map((part) => part * 10),
    language,
  )
}

/** Returns a function that writes an amount of the token in whole tokens: '1,234 tokens'. */
export function useTokens(decimals: number): (amount: bigint) => string {
  const { i18n, formats } = useLanguage()
  const symbol = i18n._(msg({ message: 'tokens', comment: 'The unit after a number: 1,234 tokens' }))
  // An amount below one token keeps its decimals, so that it does not look like nothing.
  return (amount) => formats.tokens({ amount, symbol, decimals }, amount < 10n ** BigInt(decimals) ? 18 : 0)
}

/** A share in hundredths of a percent, rounded down: 9999 only for less than the whole. */
export function shareOf(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * 10_000n) / whole) / 100
}

/** A part of a whole in whole percent, never 0 or 100 if the other part is there too. */
export function partOf(part: bigint, whole: bigint): number {
  const percent = Math.round(shareOf(part, whole))
  return part > 0n && part < whole ? Math.min(99, Math.max(1, percent)) : percent
}
