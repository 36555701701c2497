import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import vectors from '../../public/ledger/tlog-vectors.json' with { type: 'json' }
import { count } from '../../tests/support/cases.ts'
import { LogTree } from '../../tests/support/log-tree.ts'
import { encodeHex } from '../platform/bytes.ts'
import { encodeBase64, encodeText } from './bytes.ts'
import { hashLeaf, treeHash, verifyConsistency, verifyInclusion } from './merkle.ts'
import { type Tile, tilePath } from './tile.ts'
import { consistencyProof, inclusionProof, rootHash } from './tree.ts'

/** The tree of the Go vectors: entry i is the text 'entry i'. */
const tree = new LogTree(Array.from({ length: 70_000 }, (_, at) => encodeText(`entry ${at}`)))
const inBase64 = (hashes: Uint8Array[]) => hashes.map(encodeBase64)
const hashesOf = (path: string[]) => path.map((hash) => new Uint8Array(Buffer.from(hash, 'base64')))
const rootAt = new Map(
  vectors.roots.map(({ size, root }) => [size, new Uint8Array(Buffer.from(root, 'base64'))]),
)
const goRoot = (size: number) => rootAt.get(size) as Uint8Array<ArrayBuffer>

test('the trees of the Certificate Transparency reference tests have the published roots', async () => {
  const inputs = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657']
  inputs.push('606162636465666768696a6b6c6d6e6f')
  const roots = `e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
    6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d
    fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125
    aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77
    d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7
    4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4
    76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef
    ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c
    5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328`.split(/\s+/)
  const leaves = await Promise.all(inputs.map((input) => hashLeaf(Buffer.from(input, 'hex'))))
  for (const [size, root] of roots.entries())
    expect(encodeHex(await treeHash(leaves.slice(0, size)))).toBe(root)
})

test('tiles give the same roots as the Go implementation', async () => {
  for (const { size, root } of vectors.roots)
    expect([size, encodeBase64(await rootHash(size, tree.readTiles))]).toEqual([size, root])
})

test('the tiles are equal to those of the Go implementation, and have the paths that tlog-tiles specifies', () => {
  for (const { path, sha256 } of vectors.tiles) {
    const [, level, index, width] = /^tile\/(\d+)\/([x\d/]+)(?:\.p\/(\d+))?$/.exec(path) ?? []
    const tile: Tile = {
      level: Number(level),
      index: Number(index?.replace(/\D/g, '')),
      width: Number(width ?? 256),
    }
    const bytes = tree.tile(tile.level, tile.index, tile.width) as Uint8Array
    expect(tilePath(tile)).toBe(path)
    expect([path, createHash('sha256').update(bytes).digest('hex')]).toEqual([path, sha256])
  }
})

test('the inclusion proofs are equal to those of the Go implementation, and each is valid only for its own entry', async () => {
  for (const { index, size, path } of vectors.inclusion) {
    expect(inBase64(await inclusionProof(index, size, tree.readTiles))).toEqual(path)
    const check = (leaf: number, at: number, hashes = hashesOf(path)) =>
      verifyInclusion(tree.leaf(leaf), at, size, hashes, goRoot(size))
    expect(await check(index, index)).toBe(true)
    expect(await check(index + 1, index)).toBe(false)
    expect(await check(index, index, [...hashesOf(path), goRoot(1)])).toBe(false)
    expect(await check(index, size)).toBe(false)
    if (path.length > 0) expect(await check(index, index, hashesOf(path).slice(1))).toBe(false)
  }
})

test('the consistency proofs are equal to those of the Go implementation, and each is valid only for its own two roots', async () => {
  for (const { from, to, path } of vectors.consistency) {
    expect(inBase64(await consistencyProof(from, to, tree.readTiles))).toEqual(path)
    const check = (older: number, newer: number, hashes = hashesOf(path)) =>
      verifyConsistency(from, to, hashes, goRoot(older), goRoot(newer))
    expect(await check(from, to)).toBe(true)
    expect(await check(from, to, [...hashesOf(path), goRoot(1)])).toBe(false)
    if (from === to) continue
    expect(await check(to, to)).toBe(false)
    expect(await check(from, from)).toBe(false)
    if (path.length > 0) expect(await check(from, to, hashesOf(path).slice(1))).toBe(false)
  }
})

test('a tree is never consistent with an earlier, larger tree', async () => {
  expect(await verifyConsistency(9, 8, [], goRoot(9), goRoot(8))).toBe(false)
  expect(() => consistencyProof(9, 8, tree.readTiles)).toThrow('smaller')
  expect(() => inclusionProof(8, 8, tree.readTiles)).toThrow('not in a tree')
})

test('a tile of the wrong length is refused', async () => {
  const truncated = async (tiles: Tile[]) =>
    (await tree.readTiles(tiles)).map((bytes) => bytes.subarray(0, -32))
  await expect(rootHash(300, truncated)).rejects.toThrow('length of its width')
})

test('for trees of any size, the root, the proofs and the verification agree, and any altered proof is invalid', async () => {
  const sizes = fc
    .tuple(fc.integer({ min: 1, max: 70_000 }), fc.nat(), fc.nat())
    .map(([to, from, index]) => ({ to, from: 1 + (from % to), index: index % to }))
  const bit = fc.tuple(fc.nat(), fc.nat({ max: 255 }))
  await fc.assert(
    fc.asyncProperty(sizes, bit, async ({ from, to, index }, [at, which]) => {
      const [root, older] = [tree.root(to), tree.root(from)]
      expect(await rootHash(to, tree.readTiles)).toEqual(root)
      const path = await inclusionProof(index, to, tree.readTiles)
      const growth = await consistencyProof(from, to, tree.readTiles)
      expect(await verifyInclusion(tree.leaf(index), index, to, path, root)).toBe(true)
      expect(await verifyConsistency(from, to, growth, older, root)).toBe(true)
      const flip = (hashes: Uint8Array<ArrayBuffer>[]) =>
        hashes.map((hash, place) =>
          place === at % hashes.length
            ? hash.map((byte, index) => (index === which >> 3 ? byte ^ (1 << (which & 7)) : byte))
            : hash,
        )
      if (path.length > 0)
        expect(await verifyInclusion(tree.leaf(index), index, to, flip(path), root)).toBe(false)
      if (growth.length > 0) expect(await verifyConsistency(from, to, flip(growth), older, root)).toBe(false)
    }),
    { numRuns: count(12, 60) },
  )
})
