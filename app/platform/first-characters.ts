/** The maximum length of a character in UTF-16 units, on average: a letter may have any number of marks. */
const longest = 40

/**
 * The first `most` characters of a text, as a reader counts them: no emoji or letter is cut in two. Firefox before 2024
 * has no Intl.Segmenter: there an emoji of several parts counts as several characters.
 */
export function firstCharacters(text: string, most: number): string {
  const start = text.slice(0, most * longest)
  const parts =
    typeof Intl.Segmenter === 'function'
      ? Array.from(new Intl.Segmenter('und').segment(start), ({ segment }) => segment)
      : [...start]
  // The last one may be half a character.
  if (start.length < text.length && parts.length > 1) parts.pop()
  return parts
    .slice(0, most)
    .join('')
    .replace(/[\ud800-\udbff]$/, '')
}
