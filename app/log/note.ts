import { concatenate, encodeHex, sha256 } from '../platform/bytes.ts'
import { type Bytes, decodeBase64, encodeBase64, encodeText, LogError } from './bytes.ts'

/** The signature type of a log: Ed25519, 0x01 of signed-note, 'Signature types' (cosignature.ts: others). */
const ed25519Type = 1
/** signed-note, 'Format': verifiers 'MUST accept at least up to 16 signatures' and should limit them. */
const maxSignatures = 100
/** signed-note, 'Format': 'Key names MUST be non-empty and MUST NOT contain any Unicode spaces or plus'. */
const keyName = /^[^\p{White_Space}+]+$/u
const separator = '\n\n'

export interface NoteSignature {
  name: string
  /** The 32-bit key ID, in hex. */
  keyId: string
  signature: Bytes
}

export interface Note {
  /** The signed text, with its final line feed. */
  text: string
  signatures: NoteSignature[]
}

/** A public key with its name and key ID: signed-note, 'Verifier keys'. */
export interface VerifierKey {
  name: string
  keyId: string
  publicKey: Bytes
}

export interface SigningKey {
  name: string
  /** An Ed25519 key as PKCS #8 DER in base64. */
  privateKey: string
}

/**
 * Reads a signed note: 'a text ending in newline (U+000A), followed by a blank line, followed by one or more
 * signature lines' (signed-note, 'Format'). Throws a LogError for any other text, including one with text
 * after a signature or with more than `maxSignatures` signatures.
 */
export function parseNote(note: string): Note {
  const end = note.lastIndexOf(separator)
  const lines = note.slice(end + separator.length).split('\n')
  const isText = [...note].every((character) => character >= ' ' || character === '\n')
  // The last signature line also ends with a line feed, so the last part is empty.
  if (end < 0 || !isText || lines.pop() !== '' || lines.length === 0 || lines.length > maxSignatures)
    throw new LogError('This is not a signed note.')
  return { text: note.slice(0, end + 1), signatures: lines.map(parseSignature) }
}

/** The note without the signature lines for which `isKept` is false. Each line includes its line feed. */
export function keepLines(note: string, isKept: (line: string) => boolean): string {
  const end = note.lastIndexOf(separator) + separator.length
  const lines = note.slice(end).split(/(?<=\n)/)
  return note.slice(0, end) + lines.filter(isKept).join('')
}

function parseSignature(line: string): NoteSignature {
  const [dash, name = '', text = '', ...rest] = line.split(' ')
  const bytes = decodeBase64(text)
  if (dash !== '—' || !keyName.test(name) || rest.length > 0 || !bytes || bytes.length < 5)
    throw new LogError('A signature line of the note is malformed.')
  return { name, keyId: encodeHex(bytes.subarray(0, 4)), signature: bytes.slice(4) }
}

/** '<key name>+hex(32-bit key ID)+base64(signature type || public key)' (signed-note, 'Verifier keys'). */
export async function formatVerifierKey(name: string, publicKey: Bytes, type = ed25519Type): Promise<string> {
  const key = concatenate([new Uint8Array([type]), publicKey])
  return `${name}+${encodeHex(await keyIdOf(name, key))}+${encodeBase64(key)}`
}

/** Reads a verifier key. Throws a LogError if it is malformed, weak, of another type or a wrong ID. */
export async function parseVerifierKey(vkey: string, type = ed25519Type): Promise<VerifierKey> {
  const [, name = '', keyId = '', text = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(vkey) ?? []
  const key = decodeBase64(text)
  if (!keyName.test(name) || key?.length !== 33 || key[0] !== type)
    throw new LogError('This is not an Ed25519 verifier key.')
  const publicKey = key.slice(1)
  if (keyId !== encodeHex(await keyIdOf(name, key))) throw new LogError('The key ID is not that of the key.')
  if (isWeak(publicKey)) throw new LogError('The verifier key is of small order.')
  return { name, keyId, publicKey }
}

/**
 * The key ID. signed-note, 'Ed25519 signatures': 'SHA-256(key name || 0x0A || 0x01 || 32-byte Ed25519 public
 * key)[:4]'. `key` is the byte of the key's type, followed by the public key.
 */
async function keyIdOf(name: string, key: Bytes): Promise<Bytes> {
  const hash = await sha256(concatenate([encodeText(`${name}\n`), key]))
  return hash.slice(0, 4)
}

/**
 * The points of small order, without their sign bit, as RFC 8032 §5.1.2 encodes them. For the last two
 * points, the first eight bytes are enough: a random key begins with these bytes with a probability of 2^-63.
 */
const smallOrder = /^(0[01](00){31}|ec(ff){30}7f|26e8958fc2b227b0|c7176a703d4dd84f)/

/** True for a key of small order, which accepts forgeries, and for an encoding against RFC 8032. */
function isWeak(publicKey: Bytes): boolean {
  const y = Uint8Array.from(publicKey, (byte, at) => (at === 31 ? byte & 0x7f : byte))
  const hex = encodeHex(y)
  // A coordinate must be below the field's prime 2^255 - 19; above, it is a second encoding.
  const isReduced = !/^(e[def]|f.)(ff){30}7f$/.test(hex)
  return !isReduced || smallOrder.test(hex)
}

/**
 * Returns the text of a note if at least one of `keys` has signed it. signed-note, 'Signatures': 'Verifiers
 * MUST ignore signatures from unknown keys'; 'If the key name and ID match a known key, verifiers MUST verify
 * the signature.' Otherwise throws a LogError, or a NotSupportedError if the platform has no Ed25519.
 */
export async function openNote(note: string, keys: VerifierKey[]): Promise<string> {
  const { text, signatures } = parseNote(note)
  let isSigned = false
  for (const { name, keyId, signature } of signatures) {
    const key = keys.find((known) => known.name === name && known.keyId === keyId)
    if (!key) continue
    if (!(await verifySignature(key.publicKey, signature, text)))
      throw new LogError('The signature of {name} does not match the text.', { name })
    isSigned = true
  }
  if (!isSigned) throw new LogError('None of the keys has signed this.')
  return text
}

/** True if this key has signed the text. Throws a NotSupportedError if the platform has no Ed25519. */
export async function verifySignature(publicKey: Bytes, signature: Bytes, text: string): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']).catch((error) => {
    if (error.name === 'DataError') return null
    throw error
  })
  return key !== null && crypto.subtle.verify('Ed25519', key, signature, encodeText(text))
}

/** A note: the text, a blank line and this key's signature line (signed-note, 'Format'). */
export async function signNote(text: string, key: SigningKey): Promise<string> {
  const note = `${text}\n${await signatureLine(key, ed25519Type, text)}`
  parseNote(note)
  return note
}

/** The signature line of a key of this type: the bytes `before`, then the signature of `message`. */
export async function signatureLine(
  { name, privateKey }: SigningKey,
  type: number,
  message: string,
  before: Bytes = new Uint8Array(),
): Promise<string> {
  const key = await readPrivateKey(privateKey)
  const signature = new Uint8Array(await crypto.subtle.sign('Ed25519', key, encodeText(message)))
  const keyId = await keyIdOf(name, concatenate([new Uint8Array([type]), await publicKeyOf(key)]))
  return `— ${name} ${encodeBase64(concatenate([keyId, before, signature]))}\n`
}

/** The verifier key of a signing key. */
export async function verifierKeyOf({ name, privateKey }: SigningKey, type = ed25519Type): Promise<string> {
  return formatVerifierKey(name, await publicKeyOf(await readPrivateKey(privateKey)), type)
}

async function readPrivateKey(privateKey: string): Promise<CryptoKey> {
  try {
    const bytes = decodeBase64(privateKey) ?? new Uint8Array()
    return await crypto.subtle.importKey('pkcs8', bytes, 'Ed25519', true, ['sign'])
  } catch {
    // The platform's error message may contain the key.
    throw new LogError('The signing key is not an Ed25519 private key (PKCS8 DER in base64).')
  }
}

async function publicKeyOf(privateKey: CryptoKey): Promise<Bytes> {
  const { x = '' } = await crypto.subtle.exportKey('jwk', privateKey)
  return decodeBase64(`${x.replaceAll('-', '+').replaceAll('_', '/')}=`) as Bytes
}
