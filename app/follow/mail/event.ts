import * as z from 'zod/mini'

/** The maximum difference between the time of a signature and our time, in seconds. */
const maxAge = 300

/**
 * True if the mail service signed this event within five minutes of `now` (milliseconds). Resend signs in the
 * same way as Svix: HMAC-SHA-256 over id, time and body, with the key that follows 'whsec_'. The header may
 * have several signatures.
 */
export async function isSignedEvent(
  headers: Headers,
  body: Uint8Array<ArrayBuffer>,
  secret: string,
  now: number,
): Promise<boolean> {
  const [id, time, signatures] = ['svix-id', 'svix-timestamp', 'svix-signature'].map((name) =>
    headers.get(name),
  )
  if (!id || !time || !signatures || !/^\d{1,12}$/.test(time)) return false
  if (Math.abs(now / 1000 - Number(time)) > maxAge) return false
  const key = await crypto.subtle.importKey(
    'raw',
    bytesOf(secret.replace(/^whsec_/, '')) ?? new Uint8Array(1),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  const head = new TextEncoder().encode(`${id}.${time}.`)
  const message = new Uint8Array([...head, ...body])
  for (const entry of signatures.split(' ').slice(0, 5)) {
    const signature = bytesOf(/^v1,([A-Za-z0-9+/=]+)$/.exec(entry)?.[1] ?? '')
    if (signature?.length && (await crypto.subtle.verify('HMAC', key, signature, message))) return true
  }
  return false
}

/** Decodes base64. Returns null for text that is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))
  } catch {
    return null
  }
}

const event = z.object({
  type: z.string(),
  data: z.object({
    to: z.array(z.string().check(z.maxLength(320))).check(z.maxLength(50)),
    bounce: z.nullish(z.object({ type: z.optional(z.string()) })),
  }),
})

/**
 * The addresses that must get no more email, and the reason. `addresses` is empty for other events, such as a
 * delivery or a temporary bounce. Null if the body is not an event.
 */
export function readEvent(body: Uint8Array): { addresses: string[]; reason: 'bounce' | 'complaint' } | null {
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder().decode(body))
  } catch {
    return null
  }
  const parsed = event.safeParse(json)
  // An event that is not about an email has different data.
  if (!parsed.success)
    return z.object({ type: z.string() }).safeParse(json).success ? { addresses: [], reason: 'bounce' } : null
  const { type, data } = parsed.data
  const isStop =
    type === 'email.complained' ||
    type === 'email.suppressed' ||
    (type === 'email.bounced' && (data.bounce?.type ?? 'Permanent') === 'Permanent')
  return { addresses: isStop ? data.to : [], reason: type === 'email.complained' ? 'complaint' : 'bounce' }
}
