/** The first `most` characters of a text, as a reader counts them: no emoji or letter is cut in two. */
export function firstCharacters(text: string, most: number): string {
  const parts = new Intl.Segmenter('und').segment(text.slice(0, most * 40))
  return Array.from(parts, ({ segment }) => segment)
    .slice(0, most)
    .join('')
}
