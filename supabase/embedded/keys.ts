import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateApiKey } from '@supabase/lite'

export interface Keys {
  /** Signs the access tokens (HS256). */
  jwtSecret: string
  publishableKey: string
  secretKey: string
  /** Signs the checkpoints of the log: an Ed25519 private key, PKCS8 DER in base64. */
  logKey: string
}

/** The data folder's keys, generated at first use. Throws an error for the operator if damaged. */
export async function loadKeys(dataDir: string): Promise<Keys> {
  const path = join(dataDir, 'keys.json')
  const found = existsSync(path) ? readKeys(path) : {}
  const keys: Keys = {
    jwtSecret: found.jwtSecret ?? randomBytes(32).toString('base64url'),
    publishableKey: found.publishableKey ?? (await generateApiKey('publishable')).key,
    secretKey: found.secretKey ?? (await generateApiKey('secret')).key,
    logKey: found.logKey ?? newLogKey(),
  }
  // The folder of an earlier release may lack a key. In this case the file is written again with the new key.
  if (Object.keys(keys).every((name) => name in found)) return keys
  // A new file is written and then renamed, so that a SIGKILL never leaves half a file.
  writeFileSync(`${path}.new`, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${path}.new`, path)
  return keys
}

function readKeys(path: string): Partial<Keys> {
  try {
    const found: Partial<Keys> = JSON.parse(readFileSync(path, 'utf8'))
    const values = Object.values(found)
    if (Array.isArray(found) || !values.every((value) => typeof value === 'string' && value !== ''))
      throw new Error('every key must be text')
    if (found.logKey)
      createPrivateKey({ key: Buffer.from(found.logKey, 'base64'), format: 'der', type: 'pkcs8' })
    return found
  } catch {
    throw new Error(
      `DATA_DIR: ${path} is damaged: restore it from a backup, or remove it to get new keys (every member must sign in again)`,
    )
  }
}

function newLogKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  return privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
}
