import { createHash } from 'node:crypto'

/** RFC 6962 §2.1, word for word: the reference for the database's functions, without shared code. */
const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()

export function leafHash(entry: Uint8Array): Buffer {
  return sha256(Buffer.from([0]), entry)
}

/** MTH(D[n]) */
export function treeHash(leaves: readonly Buffer[]): Buffer {
  const [first] = leaves
  if (!first) return sha256()
  if (leaves.length === 1) return first
  const k = split(leaves.length)
  return sha256(Buffer.from([1]), treeHash(leaves.slice(0, k)), treeHash(leaves.slice(k)))
}

/** PATH(m, D[n]) */
export function inclusionProof(m: number, leaves: readonly Buffer[]): Buffer[] {
  if (leaves.length === 1) return []
  const k = split(leaves.length)
  const [left, right] = [leaves.slice(0, k), leaves.slice(k)]
  return m < k
    ? [...inclusionProof(m, left), treeHash(right)]
    : [...inclusionProof(m - k, right), treeHash(left)]
}

/** PROOF(m, D[n]) */
export function consistencyProof(m: number, leaves: readonly Buffer[]): Buffer[] {
  return subproof(m, leaves, true)
}

function subproof(m: number, leaves: readonly Buffer[], complete: boolean): Buffer[] {
  if (m === leaves.length) return complete ? [] : [treeHash(leaves)]
  const k = split(leaves.length)
  const [left, right] = [leaves.slice(0, k), leaves.slice(k)]
  return m <= k
    ? [...subproof(m, left, complete), treeHash(right)]
    : [...subproof(m - k, right, false), treeHash(left)]
}

/** Returns the largest power of two smaller than n. */
function split(n: number): number {
  let k = 1
  while (2 * k < n) k *= 2
  return k
}
