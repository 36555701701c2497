import { answerOf, type Service } from './service.server.ts'

/** A signed head of the chain of rows, as it is published. supabase/ledger-format.md says what is signed. */
interface SignedHead {
  seq: number
  hash: string
  signed_at: string
  public_key: string
  signature: string
}

/** Signs a head at a moment. `key` is an Ed25519 private key: PKCS8 DER in base64. */
async function signHead(
  { seq, hash }: { seq: number; hash: string },
  at: Date,
  key: string,
): Promise<SignedHead> {
  const algorithm = { name: 'Ed25519' }
  const der = Uint8Array.from(atob(key), (character) => character.charCodeAt(0))
  const privateKey = await crypto.subtle.importKey('pkcs8', der, algorithm, true, ['sign'])
  const { x = '' } = await crypto.subtle.exportKey('jwk', privateKey)
  const signed_at = at.toISOString()
  const text = `goodblock-head-1\nseq ${seq}\nhash ${hash}\nsigned_at ${signed_at}\n`
  const signature = await crypto.subtle.sign(algorithm, privateKey, new TextEncoder().encode(text))
  return {
    seq,
    hash,
    signed_at,
    public_key: `${x.replaceAll('-', '+').replaceAll('_', '/')}=`,
    signature: btoa(String.fromCharCode(...new Uint8Array(signature))),
  }
}

/** Signs the newest head and archives it, where nobody has yet. Answers with its place, or null. */
export async function archiveHead(service: Service, key: string): Promise<number | null> {
  const { seq, hash, signed_seq } = await answerOf(
    'ledger_status',
    service.from('ledger_status').select('seq, hash, signed_seq').single().retry(false),
  )
  if (seq === null || hash === null || seq === signed_seq) return null
  const head = await signHead({ seq, hash }, new Date(), key)
  await answerOf('archive_head', service.rpc('archive_head', { head: { ...head } }))
  return seq
}
