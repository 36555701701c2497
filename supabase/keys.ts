import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateApiKey } from '@supabase/lite'

export interface Keys {
  jwtSecret: string
  publishableKey: string
  secretKey: string
}

/** The keys of this data folder: made at its first start, found again at every other. */
export async function loadKeys(dataDir: string): Promise<Keys> {
  const path = join(dataDir, 'keys.json')
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as Keys
  const keys: Keys = {
    jwtSecret: randomBytes(32).toString('base64url'),
    publishableKey: (await generateApiKey('publishable')).key,
    secretKey: (await generateApiKey('secret')).key,
  }
  // Renamed into place, so that a kill in between leaves no half a file behind.
  writeFileSync(`${path}.new`, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${path}.new`, path)
  return keys
}
