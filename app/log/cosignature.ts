import { encodeHex } from '../platform/bytes.ts'
import { type Bytes, decodeBase64, LogError } from './bytes.ts'
import {
  keepLines,
  type NoteSignature,
  parseNote,
  parseVerifierKey,
  type SigningKey,
  signatureLine,
  type VerifierKey,
  verifierKeyOf,
  verifySignature,
} from './note.ts'

/** The type of Ed25519 cosignatures: C2SP tlog-cosignature, 'Format'. */
const cosignatureType = 4
/** The length of the key ID, the time and the signature, in bytes. */
const cosignatureLength = 4 + 8 + 64
/** The maximum number of seconds by which a witness's clock may be ahead of ours. */
const mostAhead = 300

/** A witness's signature for a checkpoint, with the time on the witness's own clock. */
export interface Cosignature {
  witness: VerifierKey
  /** In seconds since 1970. */
  time: number
}

/** Reads the verifier key of a witness. Throws a LogError for any other text. */
export function parseWitnessKey(vkey: string): Promise<VerifierKey> {
  return parseVerifierKey(vkey, cosignatureType)
}

/** The verifier key of a witness. */
export function witnessKeyOf(key: SigningKey): Promise<string> {
  return verifierKeyOf(key, cosignatureType)
}

/** The message that a witness signs: tlog-cosignature, 'Ed25519 signed message'. */
function messageOf(text: string, time: number | bigint): string {
  return `cosignature/v1\ntime ${time}\n${text}`
}

/** The signature line of a witness for the text of a checkpoint. `time` is in seconds since 1970. */
export function cosign(key: SigningKey, text: string, time: number): Promise<string> {
  const before = new Uint8Array(8)
  new DataView(before.buffer).setBigUint64(0, BigInt(time))
  return signatureLine(key, cosignatureType, messageOf(text, time), before)
}

/**
 * The cosignatures that `witnesses` have added to a note, one for each witness. Ignores lines of other keys.
 * Throws a LogError for a witness's line if its signature is invalid or its time is more than five minutes
 * ahead of this clock. Throws a NotSupportedError if the platform has no Ed25519.
 */
export async function readCosignatures(note: string, witnesses: VerifierKey[]): Promise<Cosignature[]> {
  const { text, signatures } = parseNote(note)
  const found: Cosignature[] = []
  for (const witness of witnesses) {
    const lines = signatures.filter(({ name, keyId }) => name === witness.name && keyId === witness.keyId)
    const times = await Promise.all(lines.map((line) => timeOf(line, witness, text)))
    if (times.length > 0) found.push({ witness, time: Math.max(...times) })
  }
  return found
}

/**
 * The note without the cosignatures of witnesses whose keys are not in `vkeys`. Lines of other types stay;
 * their length in bytes distinguishes them from cosignatures.
 */
export function keepWitnesses(note: string, vkeys: readonly string[]): string {
  const known = new Set(vkeys.map((vkey) => vkey.split('+', 2).join('+')))
  return keepLines(note, (line) => {
    const [, name, signature = ''] = line.trimEnd().split(' ')
    const bytes = decodeBase64(signature)
    return bytes?.length !== cosignatureLength || known.has(`${name}+${encodeHex(bytes.subarray(0, 4))}`)
  })
}

async function timeOf({ name, signature }: NoteSignature, key: VerifierKey, text: string): Promise<number> {
  const wrong = new LogError('The cosignature of {name} does not match the checkpoint.', { name })
  if (signature.length !== 72) throw wrong
  const time = new DataView(signature.buffer).getBigUint64(0)
  const bytes: Bytes = signature.slice(8)
  if (!time || !(await verifySignature(key.publicKey, bytes, messageOf(text, time)))) throw wrong
  if (Number(time) > Date.now() / 1000 + mostAhead)
    throw new LogError('The cosignature of {name} has a time in the future.', { name })
  return Number(time)
}
