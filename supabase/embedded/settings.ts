import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { IAppConfig } from '@supabase/lite'
import { parse } from 'smol-toml'

type Settings = Pick<IAppConfig, 'api' | 'auth'>

export const supabaseDir = dirname(dirname(fileURLToPath(import.meta.url)))

/** The part of config.toml that the embedded backend shares with the Supabase CLI. */
export function readSettings(): Settings {
  const { api, auth: ours } = parse(readFileSync(resolve(supabaseDir, 'config.toml'), 'utf8')) as Settings
  // lite refuses a section that it does not know.
  const { web3: _, ...auth } = { web3: undefined, ...ours }
  // The CLI reads a template's path from the folder that holds supabase/, wherever it is started.
  for (const template of Object.values(auth?.email?.template ?? {})) {
    if (template?.content_path) template.content_path = resolve(supabaseDir, '..', template.content_path)
  }
  return { api, auth }
}
