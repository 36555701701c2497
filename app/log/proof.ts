import { type Bytes, decodeBase64, encodeBase64, LogError } from './bytes.ts'
import type { Hash } from './merkle.ts'

const header = 'c2sp.org/tlog-proof@v1'

/**
 * A proof that can be checked offline: C2SP tlog-proof. The line `extra` of its file contains the entry
 * itself, so that a verifier needs only this file.
 */
export interface Proof {
  entry: Bytes
  index: number
  path: Hash[]
  /** The checkpoint with every signature line. */
  note: string
}

/** Writes the file of a proof: tlog-proof, 'Format'. */
export function formatProof({ entry, index, path, note }: Proof): string {
  const hashes = path.map((hash) => `${encodeBase64(hash)}\n`).join('')
  return `${header}\nextra ${encodeBase64(entry)}\nindex ${index}\n${hashes}\n${note}`
}

/** Reads a file of `formatProof`, not its note. LogError for other text, or more than 63 hashes. */
export function parseProof(text: string): Proof {
  const end = text.indexOf('\n\n')
  const [first, extra = '', index = '', ...hashes] = text.slice(0, Math.max(0, end)).split('\n')
  const entry = decodeBase64(/^extra (.+)$/.exec(extra)?.[1] ?? '-')
  const number = Number(/^index (0|[1-9]\d{0,15})$/.exec(index)?.[1] ?? Number.NaN)
  const path = hashes.map(decodeBase64)
  if (first !== header || !entry || !Number.isSafeInteger(number)) throw new LogError('This is not a proof.')
  const isPath = (hashes: (Hash | null)[]): hashes is Hash[] => hashes.every((hash) => hash?.length === 32)
  if (!isPath(path) || path.length > 63) throw new LogError('A hash of the proof is malformed.')
  return { entry, index: number, path, note: text.slice(end + 2) }
}
