import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateApiKey } from '@supabase/lite'

export interface Keys {
  jwtSecret: string
  publishableKey: string
  secretKey: string
  /** Signs the heads of the ledger: an Ed25519 private key, PKCS8 DER in base64. */
  headKey: string
}

/** The keys of this data folder: made at its first start, found again at every other. */
export async function loadKeys(dataDir: string): Promise<Keys> {
  const path = join(dataDir, 'keys.json')
  const found: Partial<Keys> = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  const keys: Keys = {
    jwtSecret: found.jwtSecret ?? randomBytes(32).toString('base64url'),
    publishableKey: found.publishableKey ?? (await generateApiKey('publishable')).key,
    secretKey: found.secretKey ?? (await generateApiKey('secret')).key,
    headKey: found.headKey ?? newHeadKey(),
  }
  // A folder from before a key was thought of gets that one.
  if (Object.keys(keys).every((name) => name in found)) return keys
  // Renamed into place, so that a kill in between leaves no half a file behind.
  writeFileSync(`${path}.new`, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${path}.new`, path)
  return keys
}

function newHeadKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  return privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
}
