import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { witnessSentences } from '~/ledger/witness-sentences'
import { logFaults } from '~/log/log-faults'
import { checkSentences as rowSentences } from '~/pages/routes/transparency.transaction/check-sentences'
import { checkSentences as logSentences } from '~/pages/routes/transparency.verify/check-sentences'
import { createEnglish } from '~/platform/locales/language'
import { recountSentences } from '~/votes/routes/giveback.votes/recount-sentences'

/**
 * public/ledger/sentences.md lists each sentence that the verifier and the browser checks can print, and says
 * what was checked before the sentence is printed. This test compares the first column with the sources.
 */
const program = 'public/verify-ledger.mjs'
/** Modules of which only the error messages are shown; page scripts read sentences from the page. */
const library = globSync('app/log/{bytes,checkpoint,cosignature,merkle,note,proof,tile,tree}.ts')
const scripts = globSync([
  'app/pages/routes/transparency.{transaction,verify}/{check-{chain,log,result,row,row-button},row-proof}.ts',
  'app/votes/routes/giveback.votes/recount{,-button}.ts',
  'app/ledger/{check-witnesses,fault,log-check}.ts',
])

const text = readFileSync('public/ledger/sentences.md', 'utf8')
const listed = [...text.matchAll(/^\| `(.+?)` \| (.+) \|$/gm)].map(([, sentence = '', checked = '']) => ({
  sentence,
  checked,
}))

/**
 * Returns the sentences of a source, with '…' for each inserted value: texts with a space that begin with a
 * capital letter or a value, and the message of each error that is shown.
 */
function sentencesOf(file: string, code = readFileSync(file, 'utf8'), messagesOnly = false): string[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const add = (sentence: string | null, isMessage: boolean) => {
    const plain = sentence?.replace(/\s+/g, ' ').trim() ?? ''
    const isSentence = !messagesOnly && /^([A-Z]|…\S* [A-Za-z])/.test(plain) && / /.test(plain)
    if (isMessage || isSentence) found.push(plain)
  }
  const visit = (node: ts.Node, isMessage = false): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return
    if (ts.isVariableDeclaration(node) && node.name.getText() === 'help') return
    const sentence = textOf(node)
    if (sentence !== null) add(sentence, isMessage)
    const isError =
      ts.isNewExpression(node) && /^(Broken|Unchecked|LogError)$/.test(node.expression.getText())
    ts.forEachChild(node, (child) => {
      // The parts of a concatenated text or a template belong to this sentence.
      if (sentence !== null && (ts.isBinaryExpression(node) || ts.isTemplateHead(child))) return
      visit(child, isError && textOf(child) !== null)
    })
  }
  visit(source)
  return found
}

/** Returns the text of a literal, of a template or of a concatenation; null for any other node. */
function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return null
  const [left, right] = [textOf(node.left), textOf(node.right)]
  return left === null || right === null ? null : left + right
}

test('finds texts, concatenated texts and error messages', () => {
  const value = '$' + '{a}'
  const code = [
    `say(\`The ${value} is\\n\` + "here.")`,
    `new LogError(\`${value} failed\`)`,
    'new Broken("no")',
    'className = "mt-6 p-4"',
    'say(one ? "It is so." : two)',
  ].join('\n')
  expect(sentencesOf('a.ts', code)).toEqual(['The … is here.', '… failed', 'no', 'It is so.'])
})

const hasWords = (text: string) => /[a-z]{2}/i.test(text)
const faultsOf = (file: string) => sentencesOf(file, readFileSync(file, 'utf8'), true)

/** The English sentences of the pages, in the plural, '…' for placeholders; no single words or parts. */
function sentencesOfPages(): string[] {
  const { i18n } = createEnglish()
  return [rowSentences, logSentences, witnessSentences, recountSentences]
    .flatMap((sentences) => Object.values(sentences))
    .map((message) => i18n.template(message))
    .map((template) => withDots(typeof template === 'string' ? template : (template.other ?? '')))
    .filter((sentence) => /^[A-Z…].* /.test(sentence))
}

const withDots = (sentence: string) => sentence.replace(/\{(\w+|#)\}/g, '…')

test('the list has every sentence that the verifier and the pages can print, and no other', () => {
  const printed = [...sentencesOf(program), ...sentencesOfPages(), ...library.flatMap(faultsOf).map(withDots)]
  expect(printed.length).toBeGreaterThan(90)
  const names = listed.map(({ sentence }) => sentence)
  expect(names).toEqual([...new Set(names)])
  expect(
    [...new Set(printed)].filter((sentence) => !names.includes(sentence)),
    'not in sentences.md',
  ).toEqual([])
  expect(
    names.filter((sentence) => !printed.includes(sentence)),
    'in no source',
  ).toEqual([])
})

test('the scripts contain no sentences except their error messages, and the pages have each error message that a script can show', () => {
  expect(scripts).toHaveLength(11)
  const thrown = [...library, ...scripts].flatMap(faultsOf).filter(hasWords)
  const said = scripts.flatMap((file) => sentencesOf(file)).filter(hasWords)
  expect(said.filter((text) => !thrown.includes(text))).toEqual([])
  // Visitors never see these faults, which concern the site and its operator.
  const unseen = ['The signing key is', 'An entry is longer', 'The entry is not in a tree']
  const shown = thrown.filter((text) => !unseen.some((start) => text.startsWith(start)))
  expect([...logFaults].sort()).toEqual([...new Set(shown)].sort())
})

test('the list states for each sentence what was checked', () => {
  for (const { sentence, checked } of listed) expect(checked.length, sentence).toBeGreaterThan(10)
})
