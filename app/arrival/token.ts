import { encodeHex, sha256 } from '../platform/bytes'

/** The token of a link: 64 hex digits of which 244 bits are random; empty if the address has none. */
export function readToken(request: Request): string {
  return /^[0-9a-f]{64}$/.exec(new URL(request.url).searchParams.get('token') ?? '')?.[0] ?? ''
}

/** The token of the link after which an address gets no such mail again, from that of the answer (private.make_ask). */
export async function neverToken(token: string): Promise<string> {
  return encodeHex(await sha256(new TextEncoder().encode(`never ${token}`)))
}
