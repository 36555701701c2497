/**
 * Characters without width that apps and keyboards add to a copied text: joiners, marks of direction, byte
 * order marks, soft hyphens, variation selectors. In a number, a code, a hash or an address they are noise.
 */
const invisible = /\u034f|[\ufe00-\ufe0f]|[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g

/**
 * A text without invisible characters, with the digits 0 to 9 for those of every script, and with ASCII for
 * full-width characters. Superscripts and fractions stay: '10²' is not 102.
 */
export function plainCharacters(text: string): string {
  // Most texts, and the lines of a plan, which may be many.
  if (/^[ -~]*$/.test(text)) return text.trim()
  return text
    .replace(invisible, '')
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[^ -~]/gu, (character) => (isDigit(character) ? digitOf(character) : character))
    .trim()
}

function isDigit(character: string): boolean {
  return /\p{Nd}/u.test(character)
}

/** The value of a decimal digit: in Unicode, the ten digits of a script follow each other, the zero first. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let first = code
  while (isDigit(String.fromCodePoint(first - 1))) first--
  return `${(code - first) % 10}`
}
