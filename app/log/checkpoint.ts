import { decodeBase64, LogError } from './bytes.ts'
import type { Hash } from './merkle.ts'
import { openNote, signNote, type VerifierKey } from './note.ts'

/** The size and root of a log: C2SP tlog-checkpoint, 'Note text'. */
export interface Checkpoint {
  /** 'a unique identifier for the log identity which issued the checkpoint' */
  origin: string
  /** The number of entries. */
  size: number
  root: Hash
}

/**
 * Reads the text of a checkpoint. Ignores extension lines, which are 'opaque and OPTIONAL'. Throws a LogError
 * for any text that tlog-checkpoint does not allow, and for a size beyond 2^53 - 1.
 */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', root = '', ...extensions] = text.split('\n')
  const hash = decodeBase64(root)
  const isCheckpoint =
    origin &&
    /^(0|[1-9]\d{0,15})$/.test(size) &&
    Number.isSafeInteger(Number(size)) &&
    hash?.length === 32 &&
    extensions.pop() === '' &&
    extensions.every(Boolean)
  if (!isCheckpoint) throw new LogError('The signed text is not a checkpoint.')
  return { origin, size: Number(size), root: hash }
}

/**
 * A signed checkpoint of `size` entries. `root` is in base64, and `privateKey` is PKCS #8 DER in base64.
 * tlog-checkpoint, 'Signatures': 'The log's key name in its signature line SHOULD match the origin line.'
 */
export function signCheckpoint(
  privateKey: string,
  origin: string,
  size: number,
  root: string,
): Promise<string> {
  const text = `${origin}\n${size}\n${root}\n`
  parseCheckpoint(text)
  return signNote(text, { name: origin, privateKey })
}

/** Reads a checkpoint that one of `keys` signed for this origin. Throws a LogError if any is wrong. */
export async function openCheckpoint(note: string, keys: VerifierKey[], origin: string): Promise<Checkpoint> {
  const checkpoint = parseCheckpoint(await openNote(note, keys))
  if (checkpoint.origin !== origin)
    throw new LogError('The checkpoint belongs to another log: {origin}.', { origin: checkpoint.origin })
  return checkpoint
}
