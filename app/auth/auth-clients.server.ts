import { GoTrueClient } from '@supabase/auth-js'
import type { CookieJar } from '../server/cookies.server'
import type { Config } from '../server/env.server'
import type { Log } from '../server/log.server'
import { cookieStorage, storageKey } from './session.server'
import { withValidatedResponses } from './validated-responses.server'

/**
 * The auth client of a visitor. It reads the session from the cookies and writes changes back: use it for calls about
 * the current session (user, factors, sign-out) and for the exchange of a code, which needs the verifier in the
 * cookies.
 */
export function createAuthClient(
  config: Config,
  backendFetch: typeof fetch,
  log: Log,
  cookies: CookieJar,
): GoTrueClient {
  const storage = cookieStorage(cookies, storageKey(config.SUPABASE_URL))
  return new GoTrueClient({ ...options(config, backendFetch, log), flowType: 'pkce', storage })
}

/**
 * An auth client without a session or cookies: use it for sign-in, sign-up, mails and codes, and pass the resulting
 * session to `completeSignIn`.
 */
export function createStatelessAuthClient(
  config: Config,
  backendFetch: typeof fetch,
  log: Log,
): GoTrueClient {
  return new GoTrueClient({ ...options(config, backendFetch, log), persistSession: false })
}

/** The whole supabase-js client is not used: creating one for each request takes longer than the call itself. */
function options(config: Config, backendFetch: typeof fetch, log: Log) {
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
    fetch: withValidatedResponses(backendFetch, log),
  }
}
