import { createPrivateKey, generateKeyPairSync, type JsonWebKey, randomUUID, sign } from 'node:crypto'

type Jwk = JsonWebKey & { kid: string; alg: string; use: string; key_ops: string[] }

/**
 * The signing keys of a project (ES256). The first signs; the others verify tokens that are still alive, as the shared
 * secret (HS256) does with which a project began and tests sign tokens of their own.
 */
export interface SigningKeys {
  /** As GOTRUE_JWT_KEYS expects them. */
  private(): Jwk[]
  /** What verifies a token. */
  trusted(): { keys: object[] }
  /** A token of the role of an API key, for a day. */
  tokenOf(role: 'anon' | 'service_role'): string
  /** Adds a key, which signs from now on. */
  rotate(): void
  /** Removes all keys but the first. */
  revoke(): void
}

export function makeSigningKeys(sharedSecret: string): SigningKeys {
  let pairs = [makePair()]
  const shared = { kty: 'oct', alg: 'HS256', k: Buffer.from(sharedSecret).toString('base64url') }
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return {
    private: () => pairs.map((pair, at) => ({ ...pair.private, key_ops: [at === 0 ? 'sign' : 'verify'] })),
    trusted: () => ({ keys: [...pairs.map((pair) => pair.public), shared] }),
    tokenOf(role) {
      const [signer] = pairs as [ReturnType<typeof makePair>]
      const now = Math.floor(Date.now() / 1000)
      const content = [
        encode({ alg: 'ES256', typ: 'JWT', kid: signer.public.kid }),
        encode({ iss: 'supabase', role, iat: now - 5, exp: now + 86_400 }),
      ].join('.')
      const key = createPrivateKey({ key: signer.private, format: 'jwk' })
      const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' })
      return `${content}.${signature.toString('base64url')}`
    },
    rotate() {
      pairs = [makePair(), ...pairs]
    },
    revoke() {
      pairs = pairs.slice(0, 1)
    },
  }
}

function makePair(): { private: Jwk; public: Jwk } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const own = { kid: randomUUID(), alg: 'ES256', use: 'sig' }
  return {
    private: { ...privateKey.export({ format: 'jwk' }), ...own, key_ops: ['sign'] },
    public: { ...publicKey.export({ format: 'jwk' }), ...own, key_ops: ['verify'] },
  }
}
