import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { IAppConfig } from '@supabase/lite'
import { parse } from 'smol-toml'

type Settings = Pick<IAppConfig, 'api' | 'auth' | 'storage'>

export const supabaseDir = dirname(dirname(fileURLToPath(import.meta.url)))

/** The sections of config.toml, the file of the Supabase CLI, that the embedded backend reads. */
export function readSettings(): Settings {
  const {
    api,
    auth: ours,
    storage,
  } = parse(readFileSync(resolve(supabaseDir, 'config.toml'), 'utf8')) as Settings
  // lite refuses sections that it does not know, such as [auth.web3].
  const { web3: _, ...auth } = { web3: undefined, ...ours }
  // As in the CLI, the path of a template is relative to the folder of the project.
  for (const template of Object.values(auth?.email?.template ?? {})) {
    if (template?.content_path) template.content_path = resolve(supabaseDir, '..', template.content_path)
  }
  return { api, auth, storage }
}
