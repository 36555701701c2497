/**
 * The request that an operator's command sends to the site. The signature uses the secret key, which both the
 * operator and the site have, so the request does not contain the key. A copied request is valid for at most
 * two minutes, which is harmless, because the request only makes the site compare the database again.
 */

import { encodeHex } from '../bytes.ts'

/** Maximum age of a request, and difference of the command's and the site's clocks, in ms. */
const maxAge = 60_000

const scheme = 'Goodblock-Operator'

/** The Authorization header: the time in milliseconds, and the HMAC-SHA-256 of it and `order`. */
export async function signOrder(secretKey: string, order: string, now: number): Promise<string> {
  const mac = await crypto.subtle.sign('HMAC', await keyOf(secretKey, 'sign'), messageOf(`${now}`, order))
  return `${scheme} ${now}.${encodeHex(new Uint8Array(mac))}`
}

/** True if the header was made for this order with the same key, within a minute of `now` (milliseconds). */
export async function isSignedOrder(
  header: string | null,
  secretKey: string,
  order: string,
  now: number,
): Promise<boolean> {
  const [, time = '', hex = ''] = /^Goodblock-Operator (\d{1,15})\.([0-9a-f]{64})$/.exec(header ?? '') ?? []
  if (!time || Math.abs(now - Number(time)) > maxAge) return false
  const mac = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  return crypto.subtle.verify('HMAC', await keyOf(secretKey, 'verify'), mac, messageOf(time, order))
}

function messageOf(time: string, order: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${scheme} ${time} ${order}`)
}

function keyOf(secretKey: string, usage: 'sign' | 'verify'): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(secretKey)
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [usage])
}
