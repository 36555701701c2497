import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'

/** A CSS declaration that names the left or the right side. */
const declaration =
  /(?:^|[\s;{])((?:(?:margin|padding|inset|border|scroll-margin|scroll-padding)-)?(?:left|right)(?:-[\w-]+)?\s*:|border-(?:top|bottom)-(?:left|right)-radius\s*:|(?:text-align|float|clear)\s*:\s*(?:left|right))/

/** A utility class of Tailwind that names the left or the right side, without its variants ('md:hover:'). */
const utility =
  /^-?(?:[mp][lr]|left|right|scroll-[mp][lr]|border-[lr]|rounded-(?:[lr]|[tb][lr]))(?:-(?:\d|auto$|full$|px$|\[|\(|[a-z]+$).*)?$|^(?:text|float|clear)-(?:left|right)$/

/** A line with this word may name a side, the same in every language; its comment says why. */
const marked = /physical/

function classesIn(text: string): string[] {
  return text.split(/\s+/).filter((name) => {
    const base = name.replace(/^(?:[^\s:[\]]*(?:\[[^\]]*\])?[^\s:[\]]*:)+/, '')
    return /[-:]/.test(name) && utility.test(base)
  })
}

/** The parts of a stylesheet that name a side. */
function sidesInStyles(css: string): string[] {
  return css
    .replace(/\/\*(?!.*physical)[\s\S]*?\*\//g, '')
    .split('\n')
    .filter((line) => !marked.test(line))
    .flatMap((line) => [
      ...(declaration.exec(line)?.[1] ? [line.trim()] : []),
      ...classesIn(line.replace(/[;{}]/g, ' ')),
    ])
}

/** The classes that name a side, in the texts of a module. */
function sidesInModule(path: string, code: string): string[] {
  const found: string[] = []
  // Most modules have no such class, and parsing all modules takes seconds.
  if (classesIn(code.replace(/["'`{}<>]/g, ' ')).length === 0) return found
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      found.push(...classesIn(node.text))
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX))
  return found
}

test("finds 'left' and 'right' in declarations and classes", () => {
  const css =
    '.a {\n  margin-left: 1px;\n  @apply md:pl-3 -left-2 ps-2;\n  float: left; /* physical: a picture */\n}'
  expect(sidesInStyles(css)).toEqual(['margin-left: 1px;', 'md:pl-3', '-left-2'])
  const value = '$' + '{a ? "text-right" : "ms-2"}'
  const code = `<p className={\`not-last:before:left-5.5 ${value} border-l-4\`}>left-handed right</p>`
  expect(sidesInModule('a.tsx', code)).toEqual(['not-last:before:left-5.5', 'text-right', 'border-l-4'])
})

test('styles and classes refer to the start and the end of a line, not to left and right', () => {
  const faults = [
    ...globSync('app/**/*.css').map((path) => [path, sidesInStyles(readFileSync(path, 'utf8'))]),
    ...globSync('app/**/*.{ts,tsx}', { exclude: ['**/*.test.*', 'app/follow/mail/**'] }).map((path) => [
      path,
      sidesInModule(path, readFileSync(path, 'utf8')),
    ]),
  ]
  expect(faults.length).toBeGreaterThan(300)
  expect(faults.filter(([, found]) => found?.length)).toEqual([])
})
