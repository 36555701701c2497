import { concatenate, sha256 } from '../platform/bytes.ts'
import { areEqual, type Bytes } from './bytes.ts'

/** A SHA-256 hash of 32 bytes. */
export type Hash = Bytes

/** RFC 6962 §2.1: 'a list with one entry (also known as a leaf hash) is SHA-256(0x00 || d(0))'. */
export function hashLeaf(entry: Uint8Array): Promise<Hash> {
  return sha256(concatenate([new Uint8Array([0]), entry]))
}

/** The hash of a node. RFC 6962 §2.1: 'SHA-256(0x01 || MTH(D[0:k]) || MTH(D[k:n]))'. */
export function hashNode(left: Uint8Array, right: Uint8Array): Promise<Hash> {
  return sha256(concatenate([new Uint8Array([1]), left, right]))
}

/**
 * The Merkle Tree Hash (RFC 6962 §2.1) over leaf hashes, or over the roots of complete subtrees of one size.
 * Hashes pairs level by level and moves an odd last hash up unchanged, which gives the same root as the
 * recursive definition.
 */
export async function treeHash(leaves: Hash[]): Promise<Hash> {
  let level = leaves
  while (level.length > 1) {
    const pairs: Promise<Hash>[] = []
    for (let at = 0; at + 1 < level.length; at += 2)
      pairs.push(hashNode(level[at] as Hash, level[at + 1] as Hash))
    level = [...(await Promise.all(pairs)), ...(level.length % 2 ? level.slice(-1) : [])]
  }
  return level[0] ?? sha256(new Uint8Array())
}

/**
 * True if `path` proves that the entry with this leaf hash has this index in the tree of `size` entries with this
 * root. RFC 9162 §2.1.3.2 (the algorithm for the proofs of RFC 6962 §2.1.1).
 */
export async function verifyInclusion(
  leaf: Hash,
  index: number,
  size: number,
  path: Hash[],
  root: Hash,
): Promise<boolean> {
  if (index >= size) return false
  let node = index
  let last = size - 1
  let hash = leaf
  for (const sibling of path) {
    if (last === 0) return false
    if (node % 2 === 1 || node === last) {
      hash = await hashNode(sibling, hash)
      while (node % 2 === 0 && node !== 0) {
        node = half(node)
        last = half(last)
      }
    } else {
      hash = await hashNode(hash, sibling)
    }
    node = half(node)
    last = half(last)
  }
  return last === 0 && areEqual(hash, root)
}

/**
 * True if `path` proves that the tree of `from` entries with the root `fromRoot` is a prefix of the tree of
 * `to` entries with the root `toRoot`. RFC 9162 §2.1.4.2 (for the proofs of RFC 6962 §2.1.2). If `from` is 0,
 * the path must be empty.
 */
export async function verifyConsistency(
  from: number,
  to: number,
  path: Hash[],
  fromRoot: Hash,
  toRoot: Hash,
): Promise<boolean> {
  if (from > to) return false
  if (from === 0) return path.length === 0 && areEqual(fromRoot, await treeHash([]))
  if (from === to) return path.length === 0 && areEqual(fromRoot, toRoot)
  let node = from - 1
  let last = to - 1
  while (node % 2 === 1) {
    node = half(node)
    last = half(last)
  }
  // If `from` is a power of two, the first hash would be `fromRoot`, so the path does not contain it.
  const [first, ...rest] = node === 0 ? [fromRoot, ...path] : path
  if (!first) return false
  let older = first
  let newer = first
  for (const sibling of rest) {
    if (last === 0) return false
    if (node % 2 === 1 || node === last) {
      older = await hashNode(sibling, older)
      newer = await hashNode(sibling, newer)
      while (node % 2 === 0 && node !== 0) {
        node = half(node)
        last = half(last)
      }
    } else {
      newer = await hashNode(newer, sibling)
    }
    node = half(node)
    last = half(last)
  }
  return last === 0 && areEqual(older, fromRoot) && areEqual(newer, toRoot)
}

/** Divides instead of shifting, because JavaScript's shifts are limited to 32 bits and sizes are not. */
function half(value: number): number {
  return Math.floor(value / 2)
}
