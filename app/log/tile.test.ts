import fc from 'fast-check'
import { expect, test } from 'vitest'
import vectors from '../../public/ledger/tlog-vectors.json' with { type: 'json' }
import { type Bundle, encodeBundle, parseTilePath, type Tile, tilePath, widthAt } from './tile.ts'

test('writes and reads the same paths as the Go implementation and the specification', () => {
  for (const { path, level, index, width } of vectors.paths) {
    const tile = { level, index, width } as Tile | Bundle
    expect(tilePath(tile)).toBe(path)
    expect(parseTilePath(path)).toEqual(tile)
  }
})

test('each tile has exactly one path', () => {
  const level = fc.oneof(fc.integer({ min: 0, max: 63 }), fc.constant('entries'))
  const tiles = fc.record({
    level,
    index: fc.oneof(fc.nat(), fc.maxSafeNat()),
    width: fc.integer({ min: 1, max: 256 }),
  })
  fc.assert(
    fc.property(tiles, (tile) => {
      expect(parseTilePath(tilePath(tile as Tile))).toEqual(tile)
    }),
  )
})

test.each([
  ...['tile/0/0', 'tile/0/0000', 'tile/00/000', 'tile/64/000', 'tile/-1/000', 'tile/0/x000/001'],
  ...[
    'tile/0/001/000',
    'tile/0/x001',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/0/000.p/01',
    'tile/0/000.p/',
  ],
  ...[
    'tile/data/000',
    'tile/0/x999/x999/x999/x999/x999/999',
    'tile/0/000/',
    '/tile/0/000',
    'tile/0/000\n',
    '',
  ],
])('the path %j is refused', (path) => expect(parseTilePath(path)).toBeNull())

test('a tree of 70,000 entries has the tiles of the example in tlog-tiles', () => {
  const tiles = [0, 1, 2, 3].map((level) => {
    const widths = Array.from({ length: 300 }, (_, index) => widthAt(70_000, level, index)).filter(Boolean)
    return [widths.filter((width) => width === 256).length, widths.find((width) => width < 256) ?? null]
  })
  expect(tiles).toEqual([
    [273, 112],
    [1, 17],
    [0, 1],
    [0, null],
  ])
  expect([widthAt(256, 0, 0), widthAt(256, 0, 1), widthAt(256, 1, 0)]).toEqual([256, 0, 1])
})

test('the length of each entry in a bundle is written in 16 bits before the entry', () => {
  expect([...encodeBundle([new Uint8Array([7]), new Uint8Array(), new Uint8Array(258)])].slice(0, 8)).toEqual(
    [0, 1, 7, 0, 0, 1, 2, 0],
  )
  expect(() => encodeBundle([new Uint8Array(65_536)])).toThrow('longer than 65,535')
})
