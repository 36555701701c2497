import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { Database, Queries } from './database.ts'
import type { Handler } from './http.ts'

export interface Claims {
  sub: string
  session_id: string
  [claim: string]: unknown
}

export interface User {
  id: string
  email: string
}

interface Answer {
  access_token?: string
  user?: User
}

/** An error, and its response in the format of the auth service's error responses. */
export class Refusal extends Error {
  status: number
  code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }

  toResponse(): Response {
    const { status, code, message } = this
    const headers = { 'x-sb-error-code': code }
    return Response.json({ code: status, error_code: code, msg: message }, { status, headers })
  }
}

/**
 * Records the sign-in method of each new session. Adds these claims to the tokens that lite issues: the
 * session's level (aal), its sign-in methods (amr), the user's claims, and the issuer. Adds the fields of
 * `addFields` to the users that lite returns. The level, the methods and the factors are read from tables
 * each time, so they survive a refresh and a restart. Refuses the token of a session that has ended, which lite accepts
 * until the token's expiry.
 */
export function withAssurance(fetch: Handler, db: Database, jwtSecret: string): Handler {
  const reissue = async (request: Request, token: string) => {
    const claims = claimsOf(token)
    const method = methodOf(new URL(request.url))
    if (method) await addMethod(db, claims.session_id, method)
    const iss = new URL('/auth/v1', request.url).href
    const proven = await assuranceOf(db, claims.session_id)
    return sign({ ...claims, ...(await identityOf(db, claims.sub)), ...proven, iss }, jwtSecret)
  }

  return async (request) => {
    const response = await fetch(request)
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith('/auth/v1/')) return response

    const location = response.headers.get('location')
    const [, token] = /[#&]access_token=([^&]+)/.exec(location ?? '') ?? []
    if (location && token) {
      response.headers.set('location', location.replace(token, await reissue(request, token)))
      return response
    }
    if (!response.ok || !response.headers.get('content-type')?.startsWith('application/json')) return response

    const body = (await response.clone().json()) as Answer
    if (pathname === '/auth/v1/user') {
      const { session_id } = claimsOf(request.headers.get('authorization') ?? '')
      if (session_id && !(await assuranceOf(db, session_id))) return sessionEnded.toResponse()
      return withBody(response, await addFields(db, body as User))
    }
    if (!body.access_token || !body.user) return response
    const access_token = await reissue(request, body.access_token)
    return withBody(response, { ...body, access_token, user: await addFields(db, body.user) })
  }
}

const sessionEnded = new Refusal(
  403,
  'session_not_found',
  'Session from session_id claim in JWT does not exist',
)

/** Returns the claims of a token that lite has issued or accepted. Does not verify the signature. */
export function claimsOf(token: string): Claims {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}

/** Records that the session has just been authenticated with this method. */
export async function addMethod(db: Queries, sessionId: string, method: string): Promise<void> {
  await db.query(
    `insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
     values ($1, $2, clock_timestamp(), clock_timestamp(), $3)
     on conflict (session_id, authentication_method) do update set updated_at = excluded.updated_at`,
    [randomUUID(), sessionId, method],
  )
}

/**
 * Issues new tokens for a session through lite's refresh. As with the hosted service, this revokes the previous refresh
 * token. Within the reuse interval, the previous token still returns the session, at its new level.
 */
export async function issueTokens(
  fetch: Handler,
  db: Database,
  request: Request,
  session: { id: string; userId: string },
): Promise<Response> {
  const refresh_token = randomBytes(16).toString('base64url')
  const spent = await db.transaction(async (transaction) => {
    const { rows } = await transaction.query<{ token: string }>(
      `update auth.refresh_tokens set revoked = true, updated_at = now()
       where session_id = $1 and revoked is not true returning token`,
      [session.id],
    )
    await transaction.query(
      'insert into auth.refresh_tokens (id, token, user_id, session_id) values ($1, $2, $3, $4)',
      [randomUUID(), refresh_token, session.userId, session.id],
    )
    return rows[0]?.token ?? null
  })
  const response = await fetch(
    new Request(new URL('/auth/v1/token?grant_type=refresh_token', request.url), {
      method: 'POST',
      headers: { apikey: request.headers.get('apikey') ?? '', 'content-type': 'application/json' },
      body: JSON.stringify({ refresh_token }),
    }),
  )
  // No client has the intermediate token: it is deleted, and the previous one is the new one's parent.
  await db.query('update auth.refresh_tokens set parent = $2 where parent = $1', [refresh_token, spent])
  await db.query('delete from auth.refresh_tokens where token = $1', [refresh_token])
  return response
}

/** Returns a request's JSON body as an object. Throws a Refusal for any other body. */
export async function bodyOf(request: Request): Promise<Record<string, unknown>> {
  const body = await request.json().catch(() => null)
  if (body && typeof body === 'object' && !Array.isArray(body)) return body as Record<string, unknown>
  throw new Refusal(400, 'bad_json', 'Could not parse request body as JSON')
}

/** The sign-in method of each endpoint that begins a session. A refresh adds no method. */
function methodOf({ pathname, searchParams }: URL): string | undefined {
  if (pathname === '/auth/v1/signup') return 'password'
  if (pathname === '/auth/v1/verify') return 'otp'
  if (pathname === '/auth/v1/callback') return 'oauth'
  if (pathname !== '/auth/v1/token') return undefined
  return { password: 'password', pkce: 'oauth' }[searchParams.get('grant_type') ?? '']
}

/** The claims about the user, except the user's id. */
async function identityOf(db: Queries, userId: string) {
  const { rows } = await db.query<Record<string, unknown>>(
    `select coalesce(email, '') as email, '' as phone, raw_app_meta_data as app_metadata,
       raw_user_meta_data as user_metadata, false as is_anonymous
     from auth.users where id = $1`,
    [userId],
  )
  return rows[0]
}

/** The level of a session (aal) and its sign-in methods (amr), oldest first. */
async function assuranceOf(db: Queries, sessionId: string) {
  const { rows } = await db.query<{ aal: string; amr: { method: string; timestamp: number }[] }>(
    `select coalesce(aal, 'aal1') as aal, (
       select coalesce(jsonb_agg(
           jsonb_build_object('method', authentication_method, 'timestamp', floor(extract(epoch from updated_at)))
           order by created_at), '[]')
       from auth.mfa_amr_claims where session_id = sessions.id
     ) as amr
     from auth.sessions where id = $1`,
    [sessionId],
  )
  return rows[0]
}

/** Adds what lite omits of a user: recovery_sent_at and factors; absent without a value, as hosted. */
async function addFields(db: Queries, user: User) {
  const { rows: factors } = await db.query(
    `select id, friendly_name, factor_type, status, coalesce(phone, '') as phone, created_at, updated_at, last_challenged_at
     from auth.mfa_factors where user_id = $1 order by created_at`,
    [user.id],
  )
  const { rows } = await db.query<{ recovery_sent_at: string | null }>(
    'select recovery_sent_at from auth.users where id = $1',
    [user.id],
  )
  const recovery_sent_at = rows[0]?.recovery_sent_at
  return { ...user, ...(recovery_sent_at && { recovery_sent_at }), ...(factors.length > 0 && { factors }) }
}

function sign(payload: Record<string, unknown>, secret: string): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const content = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(payload)}`
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}

function withBody(response: Response, body: unknown): Response {
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  return Response.json(body, { status: response.status, headers })
}
