/**
 * The words that identify a post about charity if STATEMENT_WORDS is not set, in the languages of the
 * sources: English and Chinese. A false match costs an operator's time; if a word is missing here, the site
 * misses a statement.
 */
const defaultWords = [
  ...['charity', 'charities', 'charitable', 'donate', 'donates', 'donated', 'donating', 'donation'],
  ...['donations', 'donor', 'donors', 'philanthropy', 'philanthropic', 'philanthropist', 'humanitarian'],
  ...[
    'nonprofit',
    'non-profit',
    'fund-raiser',
    'fund-raisers',
    'fund-raising',
    'relief',
    'aid',
    'give back',
    'giving back',
  ],
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
const withoutSpaces =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** A letter that continues a word. One of the scripts without spaces ends it: 'donate今天'. */
const letter = `(?!${withoutSpaces.source})[\\p{L}\\p{M}]`

/** Makes a test for texts with one of the words: whole in any case, or Chinese anywhere. */
export function wordMatcher(words: readonly string[]): (text: string) => boolean {
  const patterns = (words.length > 0 ? words : defaultWords).map((word) => {
    const escaped = word
      .normalize('NFKC')
      .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
      .replace(/[\s-]+/g, '[\\s_\\p{Pd}]*')
    return withoutSpaces.test(word) ? escaped : `(?<!${letter})(?:${escaped})(?!${letter})`
  })
  const pattern = new RegExp(patterns.join('|'), 'iu')
  const inTags = (words.length > 0 ? words : defaultWords)
    .map((word) => word.normalize('NFKC').replace(/[\s-]/g, '').toLowerCase())
    .filter((word) => word.length >= shortestInTag)
  return (text) => pattern.test(spelled(text, inTags))
}

/** Minimum length of a word that is found within a tag without capital letters, such as '#charityweek'. */
const shortestInTag = 7

/** Characters without width that break a word for a program but not for a reader. */
const invisible =
  /\u034f|[\ufe00-\ufe0f]|[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g

/** Between two words of a tag: 'BNB|Charity', 'Charity|Day', 'charity|2026', 'charity_day'. */
const border = /(?<=\p{Ll})(?=[\p{Lu}\p{N}])|(?<=\p{Lu})(?=\p{N}|\p{Lu}\p{Ll})|(?<=\p{N})(?=\p{L})|_/gu

/** A text without invisible characters, and with the words of tags and handles also apart. */
function spelled(text: string, inTags: readonly string[]): string {
  return text
    .replace(invisible, '')
    .normalize('NFKC')
    .replace(/[#@][\p{L}\p{M}\p{N}_]{1,100}/gu, (tag) => {
      const lower = tag.toLowerCase()
      return [tag, tag.replace(border, ' '), ...inTags.filter((word) => lower.includes(word))].join(' ')
    })
}
