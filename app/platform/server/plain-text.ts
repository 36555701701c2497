import { firstCharacters } from '../first-characters.ts'

const maxLength = 200

/**
 * A text from another service as plain text for a page: without line endings and without control, format or
 * direction characters, at most 200 characters. Null if no text is left, or if the text begins like JSON.
 */
export function toPlainText(text: unknown): string | null {
  if (typeof text !== 'string') return null
  const plain = text
    .slice(0, 20 * maxLength)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}\p{Co}]/gu, '')
    .trim()
  if (!plain || /^[[{]/.test(plain)) return null
  const start = firstCharacters(plain, maxLength - 1)
  return [...plain].length > maxLength ? `${start}…` : plain
}
