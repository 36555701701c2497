import { GoTrueClient } from '@supabase/auth-js'
import type { Runtime } from '../../platform/server/runtime.server'
import { storageKey } from './session.server'
import { withValidatedResponses } from './validated-responses.server'

/**
 * The client that asks about tokens: their claims, and their user. Every private page loads it, so it is the part of
 * supabase-js for the auth service alone. It has no session.
 */
export function createTokenClient({
  config,
  fetch,
  log,
}: Pick<Runtime, 'config' | 'fetch' | 'log'>): GoTrueClient {
  const { SUPABASE_URL: url, SUPABASE_PUBLISHABLE_KEY: apikey } = config
  return new GoTrueClient({
    url: `${url}/auth/v1`,
    headers: { apikey, Authorization: `Bearer ${apikey}` },
    storageKey: storageKey(url),
    persistSession: false,
    autoRefreshToken: false,
    detectSessionInUrl: false,
    skipAutoInitialize: true,
    fetch: withValidatedResponses(fetch, log),
  })
}
