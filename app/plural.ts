import { formatCount } from './money.ts'

/** A text for each plural form; '#' is the number. */
interface Forms {
  one: string
  other: string
}

/** '1 payment', '1,204 payments': the form for this count, with the number in it. */
export function plural(count: number, { one, other }: Forms): string {
  return (count === 1 ? one : other).replace('#', formatCount(count))
}
