import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { commentsOfSql } from './support/sql.ts'

/** A word that no text for people may contain, and the word to use instead. */
interface Gone {
  word: RegExp
  instead: string
}

/** Checked in every text. */
const gone: Gone[] = [
  { word: /e-mail/i, instead: 'email' },
  { word: /mailbox/i, instead: 'email, inbox' },
  { word: /\b(this|our|the|another|new) mail\b/i, instead: 'email' },
  { word: /second factor/i, instead: 'two-step sign-in' },
  { word: /answers? on its own/i, instead: 'our donation wallet gives' },
  { word: /three cookies/i, instead: 'the cookies' },
  { word: /\bthe chain\b/i, instead: 'the blockchain' },
  { word: /\bstands\b/i, instead: 'is' },
  { word: /in no sum|bears? out|goes nowhere|held? against/i, instead: 'plain words' },
  { word: /hexadecimal/i, instead: 'characters' },
  { word: /\bsomebody\b/i, instead: 'someone' },
  { word: /does not answer|nobody could be asked/i, instead: "isn't working" },
  { word: /there is no such/i, instead: "doesn't exist, we don't have" },
  { word: /\b5 ?%/, instead: 'taxPercent' },
  { word: /not valued|unvalued/i, instead: 'no dollar value yet' },
  {
    word: /^Pending\b|^Reorganised\b|^Not reachable\b/,
    instead: 'the status words of verification-status.tsx',
  },
  { word: /confirmed by its source/i, instead: 'source confirmed, source not confirmed' },
  { word: /last (six|four) (characters|digits)/i, instead: 'the whole address' },
  { word: /was left out|were left out/i, instead: 'we ignored it' },
  { word: /that answered it|nothing answers/i, instead: 'that followed, responds' },
  { word: /differs? by/i, instead: "doesn't match the blockchain (difference: …)" },
  { word: /you declined|still held/i, instead: 'you cancelled, in the treasury' },
  { word: /built-in (backend|one)/i, instead: 'the embedded backend' },
  {
    word: /donation confirmation/i,
    instead: 'payment confirmation, because a transaction may be no donation',
  },
  // Sentences that readers misread, and what the pages say now.
  {
    word: /why give as well|given from tax and gifts|goals of the community/i,
    instead: 'given, spent, left',
  },
  {
    word: /\bbest month\b|only moved between|left for the next payments/i,
    instead: 'Highest month, not spent yet',
  },
  { word: /purpose not published|recipients as named/i, instead: "We don't say yet what this bought" },
  { word: /the community wrote this/i, instead: 'A member wrote this' },
  { word: /gifts are no longer counted/i, instead: "This goal is closed: don't send more." },
  { word: /say how we can see|it is not their story/i, instead: "They tell someone else's story" },
  {
    word: /can mean two amounts|is it another payment\?/i,
    instead: 'Enter the amount without it, Wrong hash?',
  },
  { word: /someone asked for emails|no wallet button here/i, instead: 'who asked, where the wallet is' },
  { word: /\bby whom\b|by the command line/i, instead: 'Who asks, by the holder of the secret key' },
  {
    word: /people answer for the money|opens with the token/i,
    instead: 'operators publish here, Tell me when it opens',
  },
]

/** Checked on every page except `checkedByReaders`, on which people compare the ledger row by row. */
const goneFromPages: Gone[] = [{ word: /\brows?\b/i, instead: 'payment, transaction' }]

/** Checked in comments, test titles and documents. */
const goneFromComments: Gone[] = [
  { word: /\balso (if|when|after)\b/i, instead: 'even if, even when, even after' },
  { word: /\bat once\b/i, instead: 'immediately, at the same time' },
  { word: /\b(some|any|every|no)body\b/i, instead: 'someone, anyone, everyone, no one' },
  { word: /\bif there (is|are) none\b|\bnowhere\b/i, instead: 'the name of the missing thing' },
  { word: /display face/i, instead: 'display font' },
  { word: /first paints/i, instead: 'the first paint' },
  { word: /\b(is|are) not known\b/i, instead: 'unknown' },
]

/** The page of a transaction, the checks, the log, the files, and the texts that only operators read. */
const checkedByReaders =
  /^(app\/(chain|ledger\/(job|downloads)|log|platform\/(downloads|enhance))\/|app\/(payments|votes)\/downloads|app\/(payments|votes|goals|entry)\/[\w-]*(payer\.server|order-job|-job)|app\/ledger\/(record-proof|log-check-sentences)|app\/pages\/routes\/transparency\.(api|proof|transaction|verify)|public\/|scripts\/)/

const sources = [
  ...globSync('app/**/*.{ts,tsx}').filter((file) => !/\.test\.tsx?$|database\.types/.test(file)),
  ...globSync('public/*.mjs'),
  ...globSync('scripts/{start,free-port,site-process,ledger*}.ts'),
]
const emails = globSync('supabase/templates/*.html')

const texts = [
  ...sources.flatMap((file) => textsOf(file, readFileSync(file, 'utf8')).map((text) => ({ file, text }))),
  ...emails.map((file) => ({ file, text: readFileSync(file, 'utf8').replace(/<[^>]+>|\{\{.*?\}\}/g, ' ') })),
  { file: 'supabase/config.toml', text: subjects() },
]

/**
 * Returns the texts of a source that people may read: text in JSX, and strings that have a space or begin
 * with a capital letter. Comments are not included.
 */
function textsOf(file: string, code: string): string[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return
    if (ts.isJsxAttribute(node) && node.name.getText() === 'className') return
    if (ts.isJsxText(node)) found.push(node.text)
    else if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node)
    ) {
      if (/\s|^[A-Z]/.test(node.text)) found.push(node.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found.map((text) => text.replace(/\s+/g, ' ').trim()).filter(Boolean)
}

/** Returns the comments of a source and the titles of its tests. */
function commentsOf(file: string, code: string): string[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true)
  const comments = new Map<number, string>()
  const titles: string[] = []
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of [
      ...(ts.getLeadingCommentRanges(code, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(code, node.end) ?? []),
    ])
      comments.set(pos, code.slice(pos, end))
    if (ts.isCallExpression(node) && /^(test|describe)\b/.test(node.expression.getText())) {
      const title = node.arguments[0]
      if (title && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title)))
        titles.push(title.getText())
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  // A comment line begins with a star or two slashes.
  return [...comments.values(), ...titles].map((text) => text.replace(/\n\s*(\*|\/\/)?\s*/g, ' '))
}

function subjects(): string {
  const lines = readFileSync('supabase/config.toml', 'utf8').match(/^subject = .*$/gm) ?? []
  return lines.join('\n')
}

function occurrences({ word }: Gone, isChecked: (file: string) => boolean): string[] {
  return texts
    .filter(({ file, text }) => isChecked(file) && word.test(text))
    .map(({ file, text }) => `${file}: ${text.slice(0, 120)}`)
}

test('reads texts of pages, emails and the verifier', () => {
  const all = texts.map(({ text }) => text)
  expect(all).toContain('Too many tries. Please wait a minute and try again.')
  expect(all.some((text) => text.includes("Didn't sign up? Ignore this email"))).toBe(true)
  expect(texts.some(({ file }) => file === 'public/verify-ledger.mjs')).toBe(true)
  expect(
    textsOf('a.tsx', "import 'the chain'; const a = <p title='One word'>Two {x} words</p> // the chain"),
  ).toEqual(['One word', 'Two', 'words'])
})

test.each(gone)('no text contains $word: write $instead', (entry) => {
  expect(occurrences(entry, () => true)).toEqual([])
})

test.each(goneFromPages)('pages do not say $word: they say $instead', (entry) => {
  expect(occurrences(entry, (file) => !checkedByReaders.test(file))).toEqual([])
})

const comments = [
  ...globSync(['{app,public,scripts,supabase,tests}/**/*.{ts,tsx,mjs}', '*.ts'])
    .filter((file) => !/database\.types|^tests\/words/.test(file))
    .flatMap((file) => commentsOf(file, readFileSync(file, 'utf8')).map((text) => ({ file, text }))),
  ...globSync('supabase/{migrations/*,seed}.sql').flatMap((file) =>
    commentsOfSql(readFileSync(file, 'utf8')).map((text) => ({ file, text })),
  ),
  ...globSync([
    '*.md',
    '{docs,public}/**/*.md',
    'app/**/*.css',
    '{*,supabase/*}.toml',
    '.dev.vars.example',
  ]).map((file) => ({ file, text: readFileSync(file, 'utf8') })),
]

test('reads comments, test titles and documents', () => {
  expect(comments.length).toBeGreaterThan(2_000)
  expect(commentsOf('a.ts', "/** One\n * word */\ntest('two', () => {}) // three")).toEqual([
    '/** One word */',
    '// three',
    "'two'",
  ])
  expect(
    commentsOfSql(
      "-- One\n-- word\nselect '-- text'; comment on table a is 'Two';\nas $$ select 1; -- three\n$$",
    ),
  ).toEqual(["'Two'", 'One word', 'three'])
})

test.each(goneFromComments)('no comment, title or document contains $word: write $instead', ({ word }) => {
  expect(
    comments.filter(({ text }) => word.test(text)).map(({ file, text }) => `${file}: ${text.slice(0, 160)}`),
  ).toEqual([])
})
