import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { statusWords } from '../app/ledger/statuses.ts'
import { cli } from './real/cli.ts'

const documents = globSync(['*.md', 'docs/**/*.md', 'public/ledger/*.md'])
const links = documents.flatMap((document) =>
  [...readFileSync(document, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => ({
    document,
    target,
  })),
)

/** The anchors of the headings of a document, as hosts such as GitHub make them. */
function anchorsOf(document: string): string[] {
  return [...readFileSync(document, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test('every link between documents leads to a file and a heading', () => {
  expect(links.length).toBeGreaterThan(20)
  for (const { document, target } of links) {
    if (/^(https?|mailto):/.test(target)) continue
    const [path = '', anchor] = target.split('#')
    const file = path ? normalize(join(dirname(document), path)) : document
    expect(existsSync(file), `${document} → ${target}`).toBe(true)
    if (anchor) expect(anchorsOf(file), `${document} → ${target}`).toContain(anchor)
  }
})

test('every document is reachable from README', () => {
  const reached = new Set(['README.md'])
  for (const document of reached)
    for (const { target } of links.filter((link) => link.document === document)) {
      const file = normalize(join(dirname(document), target.split('#')[0] ?? ''))
      if (documents.includes(file)) reached.add(file)
    }
  expect(documents.filter((document) => !reached.has(document))).toEqual([])
})

test('every path in backquotes that begins with a top-level folder exists', () => {
  const missing = documents.flatMap((document) =>
    [...readFileSync(document, 'utf8').matchAll(/`((?:app|docs|public|scripts|supabase|tests)\/[\w./-]*)`/g)]
      .map(([, path = '']) => path)
      .filter((path) => !existsSync(path))
      .map((path) => `${document}: ${path}`),
  )
  expect(missing).toEqual([])
})

test('each command of the Supabase CLI has the version that the tests run, and names its database', () => {
  const commands = documents.flatMap((document) => [
    ...readFileSync(document, 'utf8').matchAll(/npx (supabase\S*) ((?:db|migration|config) [^\n`]*)/g),
  ])
  expect(commands.length).toBeGreaterThan(5)
  for (const [command, program, words] of commands) {
    expect(program, command).toBe(cli[2])
    expect(words, command).toContain('--remote')
  }
})

test('README lists each folder of the application', () => {
  const readme = readFileSync('README.md', 'utf8')
  const folders = readdirSync('app', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `app/${name}/`)
  expect(folders.length).toBeGreaterThan(15)
  expect(folders.filter((folder) => !readme.includes(`\`${folder}\``))).toEqual([])
})

test('decisions have consecutive numbers, a date, a status and a line in the list of decisions', () => {
  const pages = globSync('docs/decisions/[0-9]*.md').sort()
  expect(pages.map((page) => basename(page).slice(0, 3))).toEqual(
    pages.map((_, index) => String(index + 1).padStart(3, '0')),
  )
  const list = readFileSync('docs/decisions/README.md', 'utf8')
  for (const page of pages) {
    const [heading = '', , status] = readFileSync(page, 'utf8').split('\n')
    expect(heading, page).toMatch(new RegExp(`^# ${basename(page).slice(0, 3)} `))
    expect(status, page).toMatch(/^Date: 2\d{3}-\d\d-\d\d\. Status: (accepted|replaced by \d{3})\.$/)
    expect(list).toContain(`- [${basename(page, '.md')}](${basename(page)})`)
  }
})

test('every decision that the code or a document cites exists', () => {
  const sources = globSync(['*.{md,ts}', '{app,docs,scripts,supabase,tests}/**/*.{css,md,mjs,sql,ts,tsx}'])
  const cited = sources.flatMap((source) =>
    [...readFileSync(source, 'utf8').matchAll(/decisions?[ /](\d{3})\b/g)].map(([, number = '']) => ({
      source,
      number,
    })),
  )
  expect(cited.length).toBeGreaterThan(10)
  for (const { source, number } of cited)
    expect(globSync(`docs/decisions/${number}-*.md`), `${source}: decision ${number}`).toHaveLength(1)
})

test('a document that quotes a status uses the same words as the pages', () => {
  const quoted = documents.flatMap((document) =>
    [...readFileSync(document, 'utf8').matchAll(/\(shown as '(.+?)'\)/g)].map(([, words]) => words),
  )
  expect(quoted.length).toBeGreaterThan(0)
  for (const words of quoted) expect(Object.values(statusWords)).toContain(words)
})

test('README shows pictures that npm run screenshots makes, each in a light and a dark version of at most 250 kB', () => {
  const readme = readFileSync('README.md', 'utf8')
  const shown = [...readme.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, path = '']) => path).sort()
  expect(shown).toEqual(globSync('docs/pictures/*').sort())
  for (const picture of shown) {
    expect(statSync(picture).size, picture).toBeLessThanOrEqual(250_000)
    const [light, dark] = [picture.replace('-dark', '-light'), picture.replace('-light', '-dark')]
    expect(readme).toContain(`(prefers-color-scheme: dark)" srcset="${dark}">\n    <img src="${light}"`)
  }
})

test('LICENSE is the licence that package.json states', () => {
  expect(readFileSync('LICENSE', 'utf8')).toContain('Apache License')
})
