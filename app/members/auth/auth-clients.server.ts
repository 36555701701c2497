import { GoTrueClient } from '@supabase/auth-js'
import type { CookieJar } from '../../platform/server/cookies.server'
import type { Runtime } from '../../platform/server/runtime.server'
import { cookieStorage, storageKey } from './session.server'
import { withValidatedResponses } from './validated-responses.server'

type Access = Pick<Runtime, 'config' | 'fetch' | 'log'>

/** The client that `context.auth()` returns; the comment there states when to use it. */
export function createAuthClient(access: Access, cookies: CookieJar): GoTrueClient {
  const storage = cookieStorage(cookies, storageKey(access.config.SUPABASE_URL))
  return new GoTrueClient({ ...options(access), flowType: 'pkce', storage })
}

/** The client that `context.statelessAuth()` returns; the comment there states when to use it. */
export function createStatelessAuthClient(access: Access): GoTrueClient {
  return new GoTrueClient({ ...options(access), persistSession: false })
}

/** The whole supabase-js client is not used: creating one for each request takes longer than the call itself. */
function options({ config, fetch, log }: Access) {
  return {
    url: `${config.SUPABASE_URL}/auth/v1`,
    headers: {
      apikey: config.SUPABASE_PUBLISHABLE_KEY,
      Authorization: `Bearer ${config.SUPABASE_PUBLISHABLE_KEY}`,
    },
    storageKey: storageKey(config.SUPABASE_URL),
    autoRefreshToken: false,
    detectSessionInUrl: false,
    skipAutoInitialize: true,
    fetch: withValidatedResponses(fetch, log),
  }
}
