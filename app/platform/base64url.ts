/** Encodes UTF-8 text as base64url without padding (RFC 4648, section 5). */
export function encodeBase64Url(text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Decodes base64url without padding (RFC 4648, section 5) to UTF-8 text. Throws for any other input. */
export function decodeBase64Url(encoded: string): string {
  if (!/^[\w-]*$/.test(encoded)) throw new Error('not base64url')
  // `atob` is native; a JavaScript decoder accounted for most of the time needed to read a session cookie.
  const bytes = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'))
  if (isAscii(bytes)) return bytes
  return strictUtf8.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text)
}
