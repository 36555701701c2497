import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'

/**
 * public/ledger/sentences.md has each sentence that the verifier and the checks in the browser can print, with what was
 * checked before. This test compares its first column with the sources.
 */
const program = ['public/verify-ledger.mjs']
const pages = globSync([
  'app/routes/transparency.{transaction,verify}/{check-*,row-proof}.ts',
  'app/ledger/check-witnesses.ts',
])
/** Of these, only the messages of errors are shown. */
const library = globSync('app/log/{bytes,checkpoint,cosignature,merkle,note,proof,tile,tree}.ts')

const text = readFileSync('public/ledger/sentences.md', 'utf8')
const listed = [...text.matchAll(/^\| `(.+?)` \| (.+) \|$/gm)].map(([, sentence = '', checked = '']) => ({
  sentence,
  checked,
}))

/**
 * The sentences of a source, with '…' for each inserted value: texts with a space that begin with a capital letter or a
 * value, and each message of an error that is shown.
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
      // The parts of a text that was added belong to it.
      if (sentence !== null && (ts.isBinaryExpression(node) || ts.isTemplateHead(child))) return
      visit(child, isError && textOf(child) !== null)
    })
  }
  visit(source)
  return found
}

/** The text of a literal, a template or a sum of them; null for another node. */
function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return null
  const [left, right] = [textOf(node.left), textOf(node.right)]
  return left === null || right === null ? null : left + right
}

test('finds texts, sums of texts and messages of errors', () => {
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

test('lists each sentence that the verifier and the pages can print, and no other', () => {
  const printed = [
    ...[...program, ...pages].flatMap((file) => sentencesOf(file)),
    ...library.flatMap((file) => sentencesOf(file, readFileSync(file, 'utf8'), true)),
  ]
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

test('says of each sentence what was checked', () => {
  for (const { sentence, checked } of listed) expect(checked.length, sentence).toBeGreaterThan(10)
})
