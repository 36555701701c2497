import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

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

test('every path in backquotes that names a folder of the tree exists', () => {
  const missing = documents.flatMap((document) =>
    [...readFileSync(document, 'utf8').matchAll(/`((?:app|docs|public|scripts|supabase|tests)\/[\w./-]*)`/g)]
      .map(([, path = '']) => path)
      .filter((path) => !existsSync(path))
      .map((path) => `${document}: ${path}`),
  )
  expect(missing).toEqual([])
})

test('README has at most 5 kB, and LICENSE is the licence of package.json', () => {
  expect(statSync('README.md').size).toBeLessThanOrEqual(5000)
  expect(readFileSync('LICENSE', 'utf8')).toContain('Apache License')
})
