import { globSync, readFileSync } from 'node:fs'
import { check } from 'recheck'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { withoutComments } from './support/sql.ts'

/** The programs that meet texts of others. scripts/vite/ reads only files of the project, when it builds. */
const files = globSync(['app/**/*.{ts,tsx}', 'public/*.mjs', 'scripts/**/*.ts', 'supabase/**/*.ts']).filter(
  (file) => !file.includes('.test.') && !file.startsWith('scripts/vite/'),
)

/** The patterns for which no tool can prove linear time, with the reason why their time is linear or bounded. */
const reasons: Record<string, string> = {
  '/\\B(?=(?:\\d{3})+$)/g': 'a number has at most 78 digits',
  '/0+$/': 'an amount has at most 18 decimals',
  '/\\0+$/': 'the symbol of a token is read up to 64 bytes',
  '/\\/+$/': 'the address is a variable of the operator',
  '/<(head|style|script)\\b[\\s\\S]*?<\\/\\1>/gi': 'our own mail, where the texts of others are escaped',
  '/<a\\b[^>]*href="([^"]*)"[^>]*>(.*?)<\\/a>/gi': 'our own mail, where the texts of others are escaped',
  '/((?:https?:\\/\\/|\\b0x[\\da-fA-F…]|(?<![\\w/])\\/[a-z]|\\?[a-z]+=|\\b\\d{4}-\\d\\d-\\d\\d)(?:[\\w/:.?&=%#~+…-]*[\\w/…])?|(?<![:.,\\d])\\b\\d[\\d.,]* (?!UTC)[A-Z]{2,}\\b|\\b\\w–\\w\\b)/':
    'a match goes on to the end of its run, and no other match begins within the run',
  '/\\buser\\b.{0,15}\\b(?:reject|den[iy]|declin|cancel)|(?:reject|deni|declin|cancel)\\w+ by (?:the )?user|^(?:(?:request|signature|transaction (?!rej))(?: was)? ?)?(?:rejected|denied|declined|cancel(?:l?ed)?)\\.?$|^transaction was rejected$|\\b0x6985\\b/i':
    'the message is that of the wallet of the visitor, in its browser',
  '/^(?=.*[1-9])\\d{1,15}(\\.\\d{1,18})?$/': 'it begins at the start only, and its parts share no character',
  '/(^[\'"\\s]*|["\\t\\r\\n;][^\\S\\t\\r\\n]*)(?=[=+\\-@＝＋－＠])/g':
    'the spaces after a separator contain no separator, so no other match begins there',
  '/(?<=[.(,]|%28|%2C)0x[\\da-f]+(?=[),&]|%29|%2C|$)/gi': 'the digits after 0x contain no other 0x',
  '/<(\\d+)(?:\\/>|>(.*?)<\\/\\1>)/s':
    'the tags are those of our message: a value with "<" becomes an element',
}

/** The literal for `new RegExp('pattern', 'flags')`. */
function constructed(node: ts.Node): string | null {
  if (!ts.isNewExpression(node) || node.expression.getText() !== 'RegExp') return null
  const [pattern, flags] = node.arguments ?? []
  if (!pattern || !ts.isStringLiteral(pattern)) return null
  return `/${pattern.text}/${flags && ts.isStringLiteral(flags) ? flags.text : ''}`
}

/** Each pattern that repeats a part without an upper bound, with its place. */
function patterns(): Map<string, string> {
  const found = new Map<string, string>()
  for (const file of files) {
    const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
    const visit = (node: ts.Node): void => {
      const text = ts.isRegularExpressionLiteral(node) ? node.text : constructed(node)
      if (text && repeats(text)) found.set(text, file)
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return found
}

/** True for a pattern with `*`, `+` or `{1,}`. */
function repeats(literal: string): boolean {
  const withoutClasses = literal.replace(/\\./g, '_').replace(/\[[^\]]*\]/g, '_')
  return /[*+]|\{\d+,\}/.test(withoutClasses)
}

test('every regular expression needs a time in proportion to the length of its text', {
  timeout: 300_000,
}, async () => {
  const all = patterns()
  expect(Object.keys(reasons).filter((literal) => !all.has(literal))).toEqual([])
  const slow: unknown[] = []
  const judge = async ([literal, file]: [string, string]) => {
    if (reasons[literal]) return
    const end = literal.lastIndexOf('/')
    // The automaton of a long repetition with a bound would be too large, so the bound is left out.
    const pattern = literal
      .slice(1, end)
      .replace(/\{\d+(?:,\d*)?\}/g, (bound) => (/\d\d/.test(bound) ? '+' : bound))
    // The other checker of the package draws its inputs, so its result may differ from run to run.
    const options = { checker: 'automaton', timeout: 120_000 } as const
    const result = await check(pattern, literal.slice(end + 1), options)
    // A result other than 'safe' names the text that makes the pattern slow.
    if (result.status !== 'safe') slow.push({ file, literal, result })
  }
  await Promise.all([...all].map(judge))
  expect(slow).toEqual([])
})

/**
 * PostgreSQL's engine is an automaton, which reads each character once for each place where a match can begin, except
 * for a back reference (it tries each split) and a look-around, whose pattern it reads again at each place. The lengths of
 * the texts are limited by constraints of the database.
 */
test('no pattern of the database has a back reference, or a look-around that repeats', () => {
  const slow: string[] = []
  for (const file of globSync('supabase/migrations/*.sql'))
    for (const [literal] of withoutComments(readFileSync(file, 'utf8')).matchAll(/'(?:[^']|'')*'/g))
      if (isSlowInSql(literal)) slow.push(`${file}: ${literal}`)
  expect(slow).toEqual([])
  expect(["'(a+)\\1'", "'(?=.*[1-9])a'"].filter(isSlowInSql)).toHaveLength(2)
})

const isSlowInSql = (literal: string) => /\\[1-9]|\(\?<?[=!](?:[^()[\]]|\[[^\]]*\])*?[*+{]/.test(literal)

/** What builds patterns from strings. Their parts are ours, except the words of STATEMENT_WORDS, which are escaped. */
const builders = [
  'app/goals/member-text.server.ts',
  'app/ledger/update-picture.ts',
  'app/members/pictures/storage.server.ts',
  'app/platform/edge/cache-address.ts',
  'app/platform/forms/number.ts',
  'app/platform/locales/translated-pages.ts',
  'app/platform/server/env.server.ts',
  'app/statements/listening/words.ts',
  'app/wallet/message.server.ts',
  'public/verify-ledger.mjs',
  'scripts/mail-templates.ts',
  'supabase/embedded/mail-language.ts',
]

test('only these files build regular expressions from strings', () => {
  const building = files.filter((file) => /\bRegExp\(/.test(readFileSync(file, 'utf8')))
  expect(building.sort()).toEqual(builders)
})
