import { createHash } from 'node:crypto'
import type { ReadTiles } from '../../app/log/tree.ts'

const sha256 = (...parts: Uint8Array[]) =>
  new Uint8Array(createHash('sha256').update(Buffer.concat(parts)).digest())

/**
 * A Merkle log in memory, written from RFC 6962 and tlog-tiles, independent of the code that it tests. It
 * keeps the hashes of every level of tiles. It hashes synchronously, so that tests can build large trees.
 */
export class LogTree {
  readonly entries: Uint8Array[] = []
  /** levels[L] has the hashes of level 8 × L of the tree. */
  private readonly levels: Uint8Array<ArrayBuffer>[][] = [[]]

  constructor(entries: Iterable<Uint8Array> = []) {
    for (const entry of entries) this.append(entry)
  }

  get size(): number {
    return this.entries.length
  }

  append(entry: Uint8Array): void {
    this.entries.push(entry)
    this.push(0, sha256(new Uint8Array([0]), entry))
  }

  private push(level: number, hash: Uint8Array<ArrayBuffer>): void {
    this.levels[level] ??= []
    const hashes = this.levels[level]
    hashes.push(hash)
    if (hashes.length % 256 === 0) this.push(level + 1, rootOf(hashes.slice(-256)))
  }

  tile(level: number, index: number, width: number): Uint8Array | null {
    const hashes = (this.levels[level] ?? []).slice(256 * index, 256 * index + width)
    return hashes.length === width ? new Uint8Array(Buffer.concat(hashes)) : null
  }

  readTiles: ReadTiles = async (tiles) =>
    tiles.map(({ level, index, width }) => this.tile(level, index, width) ?? new Uint8Array())

  leaf(index: number): Uint8Array<ArrayBuffer> {
    return this.levels[0]?.[index] ?? new Uint8Array()
  }

  /** MTH(D[0:size]) of RFC 6962 §2.1, from the roots of full tiles and the remaining leaves. */
  root(size = this.size): Uint8Array<ArrayBuffer> {
    const full = Math.floor(size / 256)
    const rest = (this.levels[0] ?? []).slice(256 * full, size)
    return rootOf([...(this.levels[1] ?? []).slice(0, full), ...(rest.length ? [rootOf(rest)] : [])])
  }
}

function rootOf(leaves: Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  if (leaves.length < 2) return leaves[0] ?? sha256()
  const split = 2 ** (Math.ceil(Math.log2(leaves.length)) - 1)
  return sha256(new Uint8Array([1]), rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)))
}
