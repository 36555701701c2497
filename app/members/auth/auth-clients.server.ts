import { type CookieMethodsServer, createServerClient } from '@supabase/ssr'
import type { CookieJar } from '../../platform/server/cookies.server'
import type { Runtime } from '../../platform/server/runtime.server'
import { cookieMethods, storageKey } from './session.server'
import { withValidatedResponses } from './validated-responses.server'

type Access = Pick<Runtime, 'config' | 'fetch' | 'log'>

export type AuthClient = ReturnType<typeof createAuthClient>

/** The client that `context.auth()` returns; the comment there states when to use it. */
export function createAuthClient(access: Access, cookies: CookieJar) {
  return authClient(access, cookieMethods(cookies, storageKey(access.config.SUPABASE_URL)))
}

/** The client that `context.statelessAuth()` returns; the comment there states when to use it. */
export function createStatelessAuthClient(access: Access) {
  return authClient(access, { getAll: () => [], setAll: () => {} })
}

function authClient({ config, fetch, log }: Access, cookies: CookieMethodsServer) {
  const { SUPABASE_URL: url, SUPABASE_PUBLISHABLE_KEY: key } = config
  return createServerClient(url, key, { cookies, global: { fetch: withValidatedResponses(fetch, log) } }).auth
}
