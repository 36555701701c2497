import type { AppLoadContext } from '@remix-run/cloudflare'
import type { GoTrueClient } from '@supabase/auth-js'
import type { AuthClient } from '../members/auth/auth-clients.server'
import type { UserAnswer, ViewerState } from '../members/auth/identity.server'
import {
  clearFlows,
  clearSession,
  fingerprintOf,
  type Session,
  storageKey,
  writeSession,
} from '../members/auth/session.server'
import type { SessionState } from '../members/auth/session-state.server'
import type { Address } from '../platform/edge/language.server'
import { liveHub } from '../platform/live/hub-access.server'
import { knownVersion } from '../platform/live/version.server'
import type { Language } from '../platform/locales/language'
import { type SlotMarkers, slotMarkers } from '../platform/rendering/slots'
import { CookieJar } from '../platform/server/cookies.server'
import { createData, type Data } from '../platform/server/data.server'
import type { Log } from '../platform/server/log.server'
import { createLimit, type Limit } from '../platform/server/rate-limit.server'
import type { Runtime } from '../platform/server/runtime.server'

declare module '@remix-run/cloudflare' {
  /** What all loaders and actions of one request share. Clients are created on first use. */
  interface AppLoadContext extends Runtime {
    cookies: CookieJar
    nonce: string
    /** The language of the response. */
    language: Language
    /** The markers of a page that is rendered for the cache; null for a page that is rendered for its visitor. */
    slots: SlotMarkers | null
    /**
     * The URL that the visitor sent, without its language prefix, parsed once. Remix removes `.data` and its
     * own parameters from the request that a loader gets for a data request. A loader that needs the original
     * query parses `request.url`.
     */
    url: URL
    /** The newest known version (platform/live/version.server.ts; 0: unknown); null without live pages. */
    version: number | null
    /** False for a data request of a hydrated page (its path ends in `.data`), otherwise true. */
    isDocument: boolean
    /** The session in the cookies, refreshed if it was due. Not verified: never use it as a guard. */
    session(): Promise<SessionState>
    /**
     * A hash of the member, the assurance level and the email address in the session cookie; '' for a visitor
     * who is signed out. Not verified: use it only for the account button and to detect a change of the
     * session in an open page.
     */
    sessionFingerprint(): Promise<string>
    /** The visitor's state. Verifies the token at most once a request, and clears a refused session. */
    viewer(): Promise<ViewerState>
    /**
     * The auth service's answer about the user of an access token: of the session, or of the tokens of a link, with which
     * no session has begun. Asks at most once for each request and token.
     */
    user(accessToken: string): Promise<UserAnswer>
    /** The auth client that asks about tokens, for guards: it has no session, and is a part of the package. */
    tokens(): Promise<GoTrueClient>
    /**
     * The auth client of this visitor. The client reads the session from the cookies and writes changes back:
     * use it for calls about the current session (factors, sign-out) and for the exchange of a code,
     * which needs the verifier in the cookies.
     */
    auth(): Promise<AuthClient>
    /** An auth client without cookies: pass the new session of a sign-in to `completeSignIn`. */
    statelessAuth(): Promise<AuthClient>
    /** The data API with the member's token, or with the publishable key alone for a visitor. */
    data(): Data
    /** The data API with `accessToken` instead of the token of the session. */
    dataAs(accessToken: string): Data
    /** The data API with the publishable key alone: for content that is the same for everyone. */
    publicData(): Data
    /** Writes the session and ends pending flows. To sign a member in, use `completeSignIn`. */
    beginSession(session: Session): void
    /** Clears the session and ends pending flows. To sign out, use `signOutHere`. */
    dropSession(): void
    /** True after an action refused its form (platform/forms/refusal.server.ts). */
    refused: boolean
    /** Counts an action. Returns the error if a rate limit is exceeded, otherwise null. */
    limit: Limit
    /** Removes the code verifiers of pending flows. */
    endFlows(): void
  }
}

/** Creates everything that a request needs, from the request and the platform. */
export function createContext(
  request: Request,
  { url, language }: Address,
  runtime: Runtime,
): AppLoadContext {
  const { config, env, execution, fetch, log } = runtime
  const cookies = new CookieJar(request.headers.get('Cookie') ?? '', {
    secure: config.SITE_URL.startsWith('https:'),
  })
  const key = storageKey(config.SUPABASE_URL)
  const address = request.headers.get('CF-Connecting-IP')

  // Imported on demand, because the clients are a tenth of the worker's code, and public pages do not need them.
  const authClients = () => import('../members/auth/auth-clients.server')
  const auth = once(async () => (await authClients()).createAuthClient(runtime, cookies))
  const tokens = once(async () =>
    (await import('../members/auth/token-client.server')).createTokenClient(runtime),
  )
  const session = once(async () =>
    (await import('../members/auth/session-state.server')).readSessionState(cookies, runtime),
  )
  const answers = new Map<string, Promise<UserAnswer>>()
  const user = (accessToken: string) => {
    const answer =
      answers.get(accessToken) ??
      import('../members/auth/identity.server').then(async ({ askForUser }) =>
        askForUser(await tokens(), accessToken),
      )
    answers.set(accessToken, answer)
    return answer
  }
  const viewer = once(async (): Promise<ViewerState> => {
    const { kind, stored } = await session()
    if (kind === 'unreachable') return { kind }
    if (!stored) return { kind: 'visitor' }
    // Imported on demand too, because it includes the messages for all errors of the auth service.
    const { identify } = await import('../members/auth/identity.server')
    const state = await identify({ tokens, user, log, config }, stored.access_token)
    if (state.kind !== 'refused') return state
    clearSession(cookies, key)
    return { kind: 'visitor' }
  })

  // A page may read before the session is verified; a refusal of its token by the data API is no fault.
  const logOfMember: Log = {
    ...log,
    error: (event, fields) =>
      execution.waitUntil(
        viewer().then(({ kind }) => (kind === 'visitor' ? log.info : log.error)(event, fields)),
      ),
  }
  const data = once(() =>
    createData(config, fetch, logOfMember, async () => (await session()).stored?.access_token),
  )
  const dataAs = (accessToken: string) => createData(config, fetch, log, async () => accessToken)
  const publicData = once(() => createData(config, fetch, log, () => undefined))
  return {
    ...runtime,
    cookies,
    nonce: btoa(crypto.randomUUID()),
    slots: null,
    language,
    url,
    version: liveHub(env) && knownVersion(),
    isDocument: !url.pathname.endsWith('.data'),
    session,
    sessionFingerprint: async () => fingerprintOf((await session()).stored),
    viewer,
    user,
    tokens,
    auth,
    statelessAuth: once(async () => (await authClients()).createStatelessAuthClient(runtime)),
    data,
    dataAs,
    publicData,
    beginSession: (session) => {
      writeSession(cookies, key, session)
      clearFlows(cookies, key)
    },
    dropSession: () => {
      clearSession(cookies, key)
      clearFlows(cookies, key)
    },
    endFlows: () => clearFlows(cookies, key),
    refused: false,
    limit: createLimit(env, address, log),
  }
}

/**
 * The context in which a cached page is rendered (platform/rendering/handle.ts). It has the page's URL and no visitor.
 * A loader that reads the visitor throws, so that the cache never contains a visitor's data.
 */
export function createPublicContext(request: Request, address: Address, runtime: Runtime): AppLoadContext {
  const forbid = () => {
    throw new Error('a cached page must not depend on the visitor')
  }
  return {
    ...createContext(request, address, runtime),
    slots: slotMarkers(),
    sessionFingerprint: async () => '',
    session: forbid,
    viewer: forbid,
    user: forbid,
    auth: forbid,
    statelessAuth: forbid,
    data: forbid,
    dataAs: forbid,
    limit: forbid,
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
