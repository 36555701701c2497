import { plainCharacters } from './characters.ts'

/**
 * An entered number as '1234.5', with a digit before the point. 'ambiguous': the number is 1 to 999, a
 * separator and exactly three digits; people who group digits with that separator read a number that is a
 * thousand times larger. 'invalid': any other text.
 */
export type EnteredNumber = { number: string } | { fault: 'invalid' | 'ambiguous' }

const longest = 200
const invalid = { fault: 'invalid' as const }

/**
 * Reads a number from what keyboards, apps and clipboards give: the digits of any script, '1.234,50',
 * '1,234.50', '1 234', "1'234", '1,00,000', '$20', '.5', the Arabic separators '٫' and '٬'. `unit`: a word
 * that may precede or follow the number, such as 'USDT'.
 */
export function readNumber(typed: string, unit = ''): EnteredNumber {
  if (typed.length > longest) return invalid
  const text = tidy(typed, unit)
  // The Arabic decimal separator has one meaning.
  const isDecimal = text.includes('\u066b')
  const [, whole = '', point = '', fraction = ''] =
    /^(\d*)(?:([.,\u066b])(\d+))?$/.exec(withoutGroups(text)) ?? []
  if (!whole && !fraction) return invalid
  const isGrouped = withoutGroups(text) !== text
  const isAmbiguous =
    point !== '' && !isDecimal && !isGrouped && fraction.length === 3 && +whole >= 1 && +whole <= 999
  if (isAmbiguous) return { fault: 'ambiguous' }
  return { number: fraction ? `${whole || '0'}.${fraction}` : whole }
}

/** The digits of an ambiguous number with a point: '1.250' for '$١,٢٥٠'. */
export function plainAmount(typed: string, unit: string): string {
  return tidy(typed, unit).replace(',', '.')
}

function tidy(typed: string, unit: string): string {
  return withoutUnit(plainCharacters(typed), unit)
    .replace(/\u060c/g, ',')
    .replace(/[\u066c\u2019_]|\s(?=\d)/g, "'")
}

/** The number without its unit and its currency sign, before or after it. */
function withoutUnit(text: string, unit: string): string {
  const sides = (word: string) =>
    text.toLowerCase().startsWith(word) ? text.slice(word.length) : text.slice(0, -word.length)
  const word = unit.toLowerCase()
  const has = word && (text.toLowerCase().startsWith(word) || text.toLowerCase().endsWith(word))
  return (has ? sides(word) : text)
    .trim()
    .replace(/^\p{Sc}|\p{Sc}$/gu, '')
    .trim()
}

/**
 * The number without the separators between its groups of three digits, or of two before the last three, as in
 * India. A single separator that may be a decimal point stays.
 */
function withoutGroups(text: string): string {
  const [, groups = ''] = /^(\d{1,3}(?:'\d{3})+)(?:[.,\u066b]\d+)?$/.exec(text) ?? []
  if (groups) return groups.replaceAll("'", '') + text.slice(groups.length)
  for (const [separator, point] of [
    [',', '[.\u066b]'],
    ['.', '[,\u066b]'],
  ] as const) {
    const group = separator === '.' ? '\\.' : ','
    const several = new RegExp(`^(\\d{1,3}(?:${group}\\d{2,3})*${group}\\d{3})(${point}\\d+)?$`).exec(text)
    const [, whole = '', rest = ''] = several ?? []
    if (whole && (rest || whole.split(separator).length > 2)) return whole.replaceAll(separator, '') + rest
  }
  return text
}
