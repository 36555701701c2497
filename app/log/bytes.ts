/** Bytes outside a SharedArrayBuffer: the type that Web Crypto and Response accept. */
export type Bytes = Uint8Array<ArrayBuffer>

/**
 * The error for a log, proof, note or key that does not conform to its specification. The message is a
 * sentence for the reader. `sentence` is the same sentence with its placeholders, `{name}`; pages show its
 * translation (faults.ts).
 */
export class LogError extends Error {
  readonly sentence: string
  readonly values: Record<string, string>

  constructor(sentence: string, values: Record<string, string> = {}) {
    super(sentence.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? ''))
    this.sentence = sentence
    this.values = values
  }
}

export function encodeText(text: string): Bytes {
  return new TextEncoder().encode(text)
}

export function encodeBase64(bytes: Uint8Array): string {
  let binary = ''
  // Byte by byte, because a single call with 160,000 arguments overflows the stack.
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/**
 * Decodes base64 of RFC 4648 §4 with padding. Returns null for any other encoding. A signature or hash must
 * have exactly one encoding, because otherwise an altered file could still be accepted.
 */
export function decodeBase64(text: string): Bytes | null {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    return encodeBase64(bytes) === text ? bytes : null
  } catch {
    return null
  }
}

export function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}
