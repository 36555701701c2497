import { expect, test } from 'vitest'
import { builtModules } from '../../scripts/build.ts'

const chunks = Object.entries(builtModules()).filter(([name]) => name.endsWith('.js'))
const namesIn = (content: Buffer, pattern: RegExp) =>
  [...content.toString().matchAll(pattern)].map(([, name = '']) => name)

/** The chunks that each chunk of the worker imports without `import()`, by name. */
const imports = new Map(
  chunks.map(([name, content]) => [
    name.replace('chunks/', ''),
    namesIn(content, /\b(?:from|import)"\.\/(?:chunks\/)?([^"]+\.js)"/g),
  ]),
)

/** The chunk and all chunks that it imports. Throws if a chunk imports itself in a circle. */
function loadedWith(name: string, path: string[] = []): Set<string> {
  if (path.includes(name)) throw new Error(`a circle: ${[...path, name].join(', ')}`)
  const imported = imports.get(name)
  if (!imported) throw new Error(`no chunk ${name}`)
  return new Set([name, ...imported.flatMap((chunk) => [...loadedWith(chunk, [...path, name])])])
}

/** The chunk of the modules that only this user needs (scripts/vite/server-chunks.ts). */
const chunkOf = (user: string) =>
  [...imports.keys()].find((name) => new RegExp(`^${user}-[\\w-]{8}\\.js$`).test(name)) ?? user

test('no chunk of the worker imports itself in a circle', () => {
  for (const name of imports.keys()) expect(() => loadedWith(name)).not.toThrow()
  expect(imports.size).toBeGreaterThan(50)
})

test('the entry imports one chunk, which imports no other', () => {
  expect([...loadedWith('index.js')]).toEqual(['index.js', chunkOf('worker')])
})

test.each(['home', 'transparency', 'donate', 'giveback.vote', 'auth', 'dashboard'])(
  'with %s an isolate loads no code that only operators or the scheduled work need',
  (user) => {
    const loaded = [...loadedWith(chunkOf(user))].map((name) => name.split(/[-+]/)[0])
    expect(loaded.filter((name) => /^(operator|schedule)$/.test(name ?? ''))).toEqual([])
  },
)

test('of what the entry loads later, only the renderer and the pipeline load the code that renders pages', () => {
  const [, entry = Buffer.of()] = chunks.find(([name]) => name.endsWith(chunkOf('worker'))) ?? []
  const later = [...new Set(namesIn(entry, /\bimport\("\.\/([^"]+)"\)/g))]
  const rendering = later.filter((name) => loadedWith(name).has(chunkOf('renderer')))
  expect(rendering.sort()).toEqual([chunkOf('pipeline'), chunkOf('renderer')])
  expect(later).toContain(chunkOf('schedule'))
})
