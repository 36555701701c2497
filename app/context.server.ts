import type { AppLoadContext } from '@remix-run/cloudflare'
import { GoTrueClient } from '@supabase/auth-js'
import { PostgrestClient } from '@supabase/postgrest-js'
import { identify, type ViewerState } from './auth/identity.server'
import { isExpired, needsRefresh, refreshSession } from './auth/refresh.server'
import {
  clearFlows,
  clearSession,
  cookieStorage,
  fingerprintOf,
  readSession,
  type Session,
  storageKey,
  writeSession,
} from './auth/session.server'
import { withValidatedResponses } from './auth/validated-responses.server'
import { type Backend, createBackendAccess } from './server/backend.server'
import { readClock } from './server/clock.server'
import { CookieJar } from './server/cookies.server'
import type { Database } from './server/database.types'
import { type Config, type Env, type Execution, readConfig } from './server/env.server'
import type { Log } from './server/log.server'
import { createLimit, type Limit } from './server/rate-limit.server'

/**
 * `stale`: it wanted a refresh that could not be had, but still holds. `unreachable`: it has run out, and nobody
 * could be asked for another.
 */
type SessionState =
  | { kind: 'none'; stored: null }
  | { kind: 'good' | 'stale' | 'unreachable'; stored: Session }

declare module '@remix-run/cloudflare' {
  /** What every loader and action of one request shares. Clients are made on first use. */
  interface AppLoadContext {
    config: Config
    cookies: CookieJar
    log: Log
    nonce: string
    /** The request's address, taken apart once. */
    url: URL
    /** True for a page load, false for a data request of a hydrated page. */
    isDocument: boolean
    /** The session of the cookies, refreshed where it was about to run out. Read, not verified: never a guard. */
    session(): Promise<SessionState>
    /**
     * A mark of who is signed in and how, as the cookies say it, '' for nobody: enough for the bar's button
     * and for a page to notice that the session is another.
     */
    sessionFingerprint(): Promise<string>
    /** Who is asking, verified; asked once for each request. */
    viewer(): Promise<ViewerState>
    /**
     * The auth client of this visitor. It reads the session from the cookies and writes changes back: use it for
     * calls about the current session (user, factors, sign-out) and for the exchange of a code, which needs the
     * verifier in the cookies.
     */
    auth(): GoTrueClient
    /**
     * An auth client without a session or cookies: use it for sign-in, sign-up, mails and codes, and pass the
     * resulting session to `completeSignIn`.
     */
    statelessAuth(): GoTrueClient
    /** The data API as this visitor: the member's token, or the public key alone. */
    backend(): Backend
    /** The data API with the public key alone, whoever asks: for what everybody gets the same bytes of. */
    publicBackend(): Backend
    /** Writes the session and ends pending flows. Use `completeSignIn`. */
    beginSession(session: Session): void
    /** Clears the session and ends pending flows. To sign out, use `signOutHere`. */
    dropSession(): void
    /** Counts what may be tried only so often: null, or the refusal. */
    limit: Limit
    /** Removes the code verifiers of pending flows. */
    endFlows(): void
  }
}

/** The composition root: everything that a request needs, from the request and the worker's bindings. */
export function createContext(request: Request, env: Env, execution: Execution, log: Log): AppLoadContext {
  const config = readConfig(env)
  const url = new URL(request.url)
  const secure = config.SITE_URL.startsWith('https:')
  const cookies = new CookieJar(request, { secure })
  const key = storageKey(config.SUPABASE_URL)
  const address = request.headers.get('CF-Connecting-IP')
  const access = createBackendAccess(config, log, address, execution)

  // Not supabase-js's whole client: nothing here needs its sockets, storage and functions, and making one for each
  // request takes longer than the call itself.
  const authOptions = {
    url: `${config.SUPABASE_URL}/auth/v1`,
    headers: {
      apikey: config.SUPABASE_PUBLISHABLE_KEY,
      Authorization: `Bearer ${config.SUPABASE_PUBLISHABLE_KEY}`,
    },
    storageKey: key,
    autoRefreshToken: false,
    detectSessionInUrl: false,
    skipAutoInitialize: true,
    fetch: withValidatedResponses(access.fetch, log),
  }
  const auth = once(
    () => new GoTrueClient({ ...authOptions, flowType: 'pkce', storage: cookieStorage(cookies, key) }),
  )

  const session = once(async (): Promise<SessionState> => {
    const stored = await readSession(cookies, key)
    if (!stored) {
      clearSession(cookies, key) // what is there can't be read: garbage, orphaned chunks
      return { kind: 'none', stored }
    }
    const now = readClock(config)
    if (!needsRefresh(stored, now)) return { kind: 'good', stored }
    const result = await refreshSession(config, stored, access, execution)
    log.info('session.refresh', { result: result.kind })
    if (result.kind === 'refreshed') {
      writeSession(cookies, key, result.session)
      return { kind: 'good', stored: result.session }
    }
    if (result.kind === 'refused') {
      clearSession(cookies, key)
      return { kind: 'none', stored: null }
    }
    return { kind: isExpired(stored, now) ? 'unreachable' : 'stale', stored }
  })

  const viewer = once(async (): Promise<ViewerState> => {
    const { kind, stored } = await session()
    if (kind === 'unreachable') return { kind }
    if (!stored) return { kind: 'visitor' }
    const found = await identify(auth(), stored.access_token, log)
    if (found.kind === 'refused') {
      clearSession(cookies, key)
      return { kind: 'visitor' }
    }
    return found
  })

  return {
    config,
    cookies,
    log,
    nonce: btoa(crypto.randomUUID()),
    url,
    isDocument: !url.pathname.endsWith('.data'),
    session,
    sessionFingerprint: async () => fingerprintOf((await session()).stored),
    viewer,
    auth,
    statelessAuth: once(() => new GoTrueClient({ ...authOptions, persistSession: false })),
    backend: once(
      () =>
        new PostgrestClient<Database>(`${config.SUPABASE_URL}/rest/v1`, {
          headers: { apikey: config.SUPABASE_PUBLISHABLE_KEY },
          fetch: async (input, init) => {
            const { stored } = await session()
            const headers = new Headers(init?.headers)
            headers.set('Authorization', `Bearer ${stored?.access_token ?? config.SUPABASE_PUBLISHABLE_KEY}`)
            return access.fetch(input, { ...init, headers })
          },
        }),
    ),
    publicBackend: once(
      () =>
        new PostgrestClient<Database>(`${config.SUPABASE_URL}/rest/v1`, {
          headers: {
            apikey: config.SUPABASE_PUBLISHABLE_KEY,
            Authorization: `Bearer ${config.SUPABASE_PUBLISHABLE_KEY}`,
          },
          fetch: access.fetch,
        }),
    ),
    beginSession: (session) => {
      writeSession(cookies, key, session)
      clearFlows(cookies, key)
    },
    dropSession: () => {
      clearSession(cookies, key)
      clearFlows(cookies, key)
    },
    endFlows: () => clearFlows(cookies, key),
    limit: createLimit(env, address, log),
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
