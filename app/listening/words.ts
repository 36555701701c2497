/**
 * The words by which a post about charity is found if STATEMENT_WORDS is not set, in the languages in which the sources
 * write: English and Chinese. A false match costs an operator a look; a word that is missing here costs a statement.
 */
const defaultWords = [
  ...['charity', 'charities', 'charitable', 'donate', 'donates', 'donated', 'donating', 'donation'],
  ...['donations', 'donor', 'donors', 'philanthropy', 'philanthropic', 'philanthropist', 'humanitarian'],
  ...['nonprofit', 'non-profit', 'fundraiser', 'fundraising', 'relief', 'aid', 'give back', 'giving back'],
  ...['scholarship', 'scholarships', 'orphanage', 'orphans', 'refugees', 'earthquake', 'flood', 'floods'],
  ...[
    'Giggle Academy',
    '慈善',
    '公益',
    '捐',
    '善款',
    '救助',
    '救灾',
    '救災',
    '赈灾',
    '賑災',
    '援助',
    '助学',
    '助學',
  ],
]

/** A script whose words have no spaces between them. */
const withoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** Returns whether a text has one of the words: a whole word in any case, or Chinese words anywhere. */
export function wordMatcher(words: readonly string[]): (text: string) => boolean {
  const patterns = (words.length > 0 ? words : defaultWords).map((word) => {
    const escaped = word
      .normalize('NFKC')
      .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
      .replace(/\s+/g, '\\s+')
    return withoutSpaces.test(word)
      ? escaped
      : `(?<![\\p{L}\\p{M}\\p{N}])(?:${escaped})(?![\\p{L}\\p{M}\\p{N}])`
  })
  const pattern = new RegExp(patterns.join('|'), 'iu')
  return (text) => pattern.test(text.normalize('NFKC'))
}
