import { PostgrestClient } from '@supabase/postgrest-js'
import type { Backend } from './backend.server'
import type { Database } from './database.types'
import type { Config } from './env.server'

/**
 * A client of the data API. `accessToken` returns the member's token, or undefined for the publishable key alone. It
 * is called for each call of the API, so that the session is read only if it is used.
 */
export function createDataClient(
  { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY: publicKey }: Config,
  backendFetch: typeof fetch,
  accessToken: () => Promise<string | undefined> | undefined,
): Backend {
  return new PostgrestClient<Database>(`${SUPABASE_URL}/rest/v1`, {
    headers: { apikey: publicKey },
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers)
      headers.set('Authorization', `Bearer ${(await accessToken()) ?? publicKey}`)
      return backendFetch(input, { ...init, headers })
    },
  })
}
