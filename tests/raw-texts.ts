/**
 * Finds texts in components that are in no catalog, and links that lose the language of the page. `npm run
 * check` fails if it finds such a text or link (messages.ts).
 */
import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { isPrivate } from '../app/platform/locales/paths.ts'
import { isTranslatedPath } from './support/translated-paths.ts'

/** Attributes and props whose values are shown or spoken. */
const spoken = new Set([
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
  'alt',
  'title',
  'placeholder',
  'label',
  'caption',
  'tagline',
  'hint',
  'what',
])

/** Elements whose text is a catalog sentence, or the same in all languages. */
const translatedElements = new Set(['Trans', 'Plural', 'SelectOrdinal', 'code', 'EnglishWords', 'style'])

/** Names that stay English, units, and texts that are signs rather than words. */
const names =
  /\b(?:Goodblock|CZ Call|FundMe|BNB Smart Chain|BNB|USDT|USD|UTC|GitHub|SHA-256|Atom|JSON|CSV|NDJSON|RSS|API|ID|No-JavaScript)\b/g

const hasWord = (text: string) => /\p{L}{2}/u.test(text.replace(names, '').replace('https://', ''))

/** True for `{' '}` after a sentence in `<Trans>`: Chinese has no space between sentences. */
function isSpaceAfterSentence(node: ts.Node): boolean {
  if (!ts.isJsxExpression(node) || !node.expression || !ts.isJsxElement(node.parent)) return false
  if (!ts.isStringLiteral(node.expression) || node.expression.text !== ' ') return false
  const { children } = node.parent
  const before = children[children.indexOf(node) - 1]
  return before !== undefined && /^<Trans\b[\s\S]*[.!?]\s*<\/Trans>$/.test(before.getText())
}

/** Returns an error message for each raw text and each raw link in the JSX of a module. */
export function findRawTexts(path: string, code: string): string[] {
  const source = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
  const found: string[] = []
  const refuse = (node: ts.Node, text: string, why: string) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart())
    found.push(`${path}:${line + 1}: '${text.replace(/\s+/g, ' ').trim()}' ${why}`)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isJsxElement(node) && isTranslatedElement(node.openingElement)) return
    if (isSpaceAfterSentence(node)) refuse(node, node.getText(), 'after a sentence must be <Gap />')
    if (ts.isJsxText(node) && hasWord(node.text)) refuse(node, node.text, 'is not in <Trans>')
    if (ts.isJsxExpression(node) && (ts.isJsxElement(node.parent) || ts.isJsxFragment(node.parent)))
      for (const text of shownBy(node.expression))
        if (hasWord(textOf(text))) refuse(text, textOf(text), 'is not in <Trans>')
    if (ts.isJsxAttribute(node)) {
      const name = node.name.getText()
      for (const text of shownBy(node.initializer)) {
        if (spoken.has(name) && hasWord(textOf(text)))
          refuse(text, textOf(text), `of ${name} is not translated`)
        if ((name === 'href' || name === 'action') && losesLanguage(textOf(text), path))
          refuse(text, textOf(text), 'needs <PageLink> or href()')
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function isTranslatedElement({ tagName, attributes }: ts.JsxOpeningElement): boolean {
  const isEnglish = attributes.properties.some((attribute) => attribute.getText() === 'lang="en"')
  return isEnglish || translatedElements.has(tagName.getText())
}

/** Returns the literals and templates that may be the value of an expression, except those in calls. */
function shownBy(node: ts.Node | undefined): (ts.StringLiteralLike | ts.TemplateExpression)[] {
  if (!node) return []
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return [node]
  if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node)) return shownBy(node.expression)
  if (ts.isConditionalExpression(node)) return [...shownBy(node.whenTrue), ...shownBy(node.whenFalse)]
  return ts.isBinaryExpression(node) ? [...shownBy(node.left), ...shownBy(node.right)].filter(isOperand) : []
}

/** A text that is only compared is not shown. */
function isOperand(node: ts.Node): boolean {
  const { parent } = node
  return !(ts.isBinaryExpression(parent) && /===|!==/.test(parent.operatorToken.getText()))
}

/** A literal's text. In a template, 'x' replaces each value of a path, a space those of other texts. */
function textOf(node: ts.StringLiteralLike | ts.TemplateExpression): string {
  if (!ts.isTemplateExpression(node)) return node.text
  const isPath = node.head.text.startsWith('/')
  return (
    node.head.text + node.templateSpans.map(({ literal }) => (isPath ? 'x' : ' ') + literal.text).join('')
  )
}

/** Links between the pages of a member need no prefix, because the paths of these pages have no prefix. */
function losesLanguage(link: string, path: string): boolean {
  const pathname = link.replace(/[?#].*$/, '')
  const isOfMember = /\/routes\/(auth|dashboard|operator)\b/.test(path)
  return pathname.startsWith('/') && (isTranslatedPath(pathname) || (isPrivate(pathname) && !isOfMember))
}

export function findAllRawTexts(): string[] {
  return globSync('app/**/*.tsx', { exclude: ['app/**/*.test.tsx'] }).flatMap((path) =>
    findRawTexts(path, readFileSync(path, 'utf8')),
  )
}
