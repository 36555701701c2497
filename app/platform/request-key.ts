import { encodeHex } from './bytes.ts'

/**
 * The key with which the site signs requests to follow, as 64 hex digits, from the secret key. The schedule
 * and the embedded backend store it in the database (keep_request_key).
 */
export function requestKey(secret: string): Promise<string> {
  return hmac(secret, 'requests to follow')
}

/** HMAC-SHA-256 of a text, in hex. */
export async function hmac(secret: string, text: string): Promise<string> {
  const encode = (value: string) => new TextEncoder().encode(value)
  const hash = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encode(secret), hash, false, ['sign'])
  return encodeHex(new Uint8Array(await crypto.subtle.sign('HMAC', key, encode(text))))
}
