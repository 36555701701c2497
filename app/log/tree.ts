import { type Bytes, LogError } from './bytes.ts'
import { type Hash, hashNode, treeHash } from './merkle.ts'
import { type Tile, tileWidth, widthAt } from './tile.ts'

/** Reads tiles in the given order, each as the concatenation of its hashes. */
export type ReadTiles = (tiles: Tile[]) => Promise<Uint8Array[]>

/** The entries from `begin` to `end` (exclusive). */
interface Range {
  begin: number
  end: number
}

/** A complete subtree of 2^`level` entries, beginning with entry `index` × 2^`level`. */
interface Subtree {
  level: number
  index: number
}

/** The root of the log's first `size` entries. */
export async function rootHash(size: number, readTiles: ReadTiles): Promise<Hash> {
  if (size === 0) return treeHash([])
  const [root] = await hashRanges([{ begin: 0, end: size }], size, readTiles)
  return root as Hash
}

/** The audit path of an entry in the tree of `size` entries, from the leaf's sibling up. RFC 6962 §2.1.1. */
export function inclusionProof(index: number, size: number, readTiles: ReadTiles): Promise<Hash[]> {
  if (index >= size) throw new LogError('The entry is not in a tree of this size.')
  return hashRanges(inclusionRanges(index, { begin: 0, end: size }), size, readTiles)
}

/** The proof that the tree of `from` entries is a prefix of the tree of `to` entries. RFC 6962 §2.1.2. */
export function consistencyProof(from: number, to: number, readTiles: ReadTiles): Promise<Hash[]> {
  if (from > to) throw new LogError('A tree cannot be consistent with a smaller one.')
  const ranges = from === 0 ? [] : consistencyRanges(from, { begin: 0, end: to }, true)
  return hashRanges(ranges, to, readTiles)
}

/** PATH(m, D[n]) of RFC 6962 §2.1.1 as ranges. The path contains the tree hash of each range. */
function inclusionRanges(index: number, { begin, end }: Range): Range[] {
  if (end - begin <= 1) return []
  const middle = splitOf(begin, end)
  const left = { begin, end: middle }
  const right = { begin: middle, end }
  return index < middle ? [...inclusionRanges(index, left), right] : [...inclusionRanges(index, right), left]
}

/** SUBPROOF(m, D[n], b) of RFC 6962 §2.1.2 as ranges. `isKnown` is b: the old tree's hash is known. */
function consistencyRanges(from: number, { begin, end }: Range, isKnown: boolean): Range[] {
  if (from === end) return isKnown ? [] : [{ begin, end }]
  const middle = splitOf(begin, end)
  const left = { begin, end: middle }
  const right = { begin: middle, end }
  return from <= middle
    ? [...consistencyRanges(from, left, isKnown), right]
    : [...consistencyRanges(from, right, false), left]
}

/** The entry at which a range is split. RFC 6962 §2.1: 'let k be the largest power of two smaller than n'. */
function splitOf(begin: number, end: number): number {
  let power = 1
  while (power * 2 < end - begin) power *= 2
  return begin + power
}

/** The tree hash of each range. Reads, in one call, all tiles that the ranges need. */
async function hashRanges(ranges: Range[], size: number, readTiles: ReadTiles): Promise<Hash[]> {
  const covers = ranges.map(coverOf)
  const tiles = new Map<string, Tile>()
  for (const subtree of covers.flat()) {
    const { level, index } = placeOf(subtree)
    tiles.set(`${level}/${index}`, { level, index, width: widthAt(size, level, index) })
  }
  const wanted = [...tiles.values()]
  const contents = wanted.length ? await readTiles(wanted) : []
  const bytesOf = new Map([...tiles.keys()].map((key, at) => [key, contents[at]]))
  for (const [at, { width }] of wanted.entries())
    if (contents[at]?.length !== width * 32)
      throw new LogError('A tile does not have the length of its width.')

  const hashSubtree = (subtree: Subtree) => {
    const { level, index, first, count } = placeOf(subtree)
    const bytes = bytesOf.get(`${level}/${index}`) as Bytes
    const hashes = Array.from({ length: count }, (_, at) =>
      bytes.slice((first + at) * 32, (first + at + 1) * 32),
    )
    return treeHash(hashes)
  }
  return Promise.all(
    covers.map(async (cover) => {
      const hashes = await Promise.all(cover.map(hashSubtree))
      let hash = hashes.pop() as Hash
      for (const left of hashes.reverse()) hash = await hashNode(left, hash)
      return hash
    }),
  )
}

/** The largest complete subtrees that together form a range, from left to right. */
function coverOf({ begin, end }: Range): Subtree[] {
  const cover: Subtree[] = []
  for (let at = begin; at < end; ) {
    let level = 0
    while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= end) level++
    cover.push({ level, index: at / 2 ** level })
    at += 2 ** level
  }
  return cover
}

/** The tile of a subtree, and its `count` hashes from `first` on, whose tree hash is the root. */
function placeOf(subtree: Subtree) {
  const level = Math.floor(subtree.level / 8)
  const count = 2 ** (subtree.level % 8)
  const start = subtree.index * count
  return { level, index: Math.floor(start / tileWidth), first: start % tileWidth, count }
}
