/**
 * The words that identify a post about charity if STATEMENT_WORDS is not set, in the languages of the
 * sources: English and Chinese. A false match costs an operator's time; if a word is missing here, the site
 * misses a statement.
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

/** The scripts that have no spaces between words. */
const withoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/**
 * Returns a function that returns true for a text with one of the words: a whole word in any case, or Chinese
 * words anywhere.
 */
export function wordMatcher(words: readonly string[]): (text: string) => boolean {
  const patterns = (words.length > 0 ? words : defaultWords).map((word) => {
    const escaped = word
      .normalize('NFKC')
      .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
      .replace(/[\s-]+/g, '[\\s_-]*')
    return withoutSpaces.test(word)
      ? escaped
      : `(?<![\\p{L}\\p{M}\\p{N}])(?:${escaped})(?![\\p{L}\\p{M}\\p{N}])`
  })
  const pattern = new RegExp(patterns.join('|'), 'iu')
  return (text) => pattern.test(spelled(text))
}

/** Characters without width that break a word for a program but not for a reader. */
const invisible = /\u034f|[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g

/** A text without invisible characters, and with the words of tags and handles also apart: '#CharityDay'. */
function spelled(text: string): string {
  return text
    .replace(invisible, '')
    .normalize('NFKC')
    .replace(/[#@][\p{L}\p{M}\p{N}_]{1,100}/gu, (tag) => {
      const parts = tag.replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|_/gu, ' ')
      return parts === tag ? tag : `${tag} ${parts}`
    })
}
