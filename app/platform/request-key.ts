import { encodeHex } from './bytes.ts'

/**
 * The key with which the site signs requests of visitors to the database, as 64 hex digits, from the secret key. The schedule
 * and the embedded backend store it in the database (keep_request_key).
 */
export function requestKey(secret: string): Promise<string> {
  return hmac(secret, 'requests to follow')
}

/** SHA-256 of the key and of the SHA-256 of the text, as in the database function private.is_from_site. */
export async function prove(key: string, text: string): Promise<string> {
  const bytes = Uint8Array.from(key.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  const inner = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  const whole = new Uint8Array([...bytes, ...new Uint8Array(inner)])
  return encodeHex(new Uint8Array(await crypto.subtle.digest('SHA-256', whole)))
}

/** HMAC-SHA-256 of a text, in hex. */
export async function hmac(secret: string, text: string): Promise<string> {
  const encode = (value: string) => new TextEncoder().encode(value)
  const hash = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encode(secret), hash, false, ['sign'])
  return encodeHex(new Uint8Array(await crypto.subtle.sign('HMAC', key, encode(text))))
}
