import { formatCount } from './money.ts'

/** A text for each plural form; '#' is the number. */
interface Forms {
  one: string
  other: string
}

/** Created on first use, because creating it earlier would delay the start of an isolate. */
let rules: Intl.PluralRules | undefined

/** The plural form for this count, with the number: '1 payment', '1,204 payments'. */
export function plural(count: number, { one, other }: Forms): string {
  rules ??= new Intl.PluralRules('en')
  return (rules.select(count) === 'one' ? one : other).replace('#', formatCount(count))
}
