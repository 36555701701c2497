import { Refusal } from './assurance.ts'
import type { Handler } from './http.ts'
import { currentFailure } from './redaction.ts'

/**
 * Corrects the responses from lite that differ from the responses from a hosted project: only the three
 * services exist, the token of a confirmation or a magic link verifies as type `email`, tokens and passwords
 * have the errors of the hosted service, a filter may contain a hash or a wallet address, and an error of PostgreSQL has
 * its code.
 */
export function asHosted(fetch: Handler): Handler {
  return async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/auth/v1/verify' && request.method === 'POST') return verify(fetch, request)
    if (pathname.startsWith('/auth/v1/')) return (await refusalOf(request)) ?? refresh(fetch, request)
    if (pathname.startsWith('/storage/v1/')) return fetch(request)
    if (pathname.startsWith('/rest/v1/')) return withCode(await fetch(withQuotedHex(request)))
    return Response.json({ message: 'no Route matched with those values' }, { status: 404 })
  }
}

async function verify(fetch: Handler, request: Request): Promise<Response> {
  const body = await request.text()
  const as = (text: string) => fetch(new Request(request, { body: text }))
  const parsed = parseObject(body)
  if (!parsed?.token && !parsed?.token_hash) return refusal('Verify requires either a token or a token hash')
  // The hosted service has one error message for a code and another for a link.
  if (parsed.token) return withCodeRefused(await verifyAs(parsed, body, as))
  return verifyAs(parsed, body, as)
}

/** lite finds a token only under its own type, so `email` is tried as a confirmation and then as a magic link. */
async function verifyAs(
  parsed: Record<string, unknown>,
  body: string,
  as: (text: string) => Promise<Response>,
): Promise<Response> {
  if (parsed.type !== 'email') return as(body)
  const confirmation = await as(JSON.stringify({ ...parsed, type: 'signup' }))
  return confirmation.ok ? confirmation : as(JSON.stringify({ ...parsed, type: 'magiclink' }))
}

/**
 * The hosted service's refresh tokens have twelve characters. lite rejects such a token as malformed; the
 * hosted service responds that it is not found.
 */
async function refresh(fetch: Handler, request: Request): Promise<Response> {
  if (!request.url.endsWith('/token?grant_type=refresh_token')) return fetch(request)
  const { refresh_token } = parseObject(await request.clone().text()) ?? {}
  const response = await fetch(request)
  if (response.ok || !/^[a-z\d]{12}$/.test(String(refresh_token))) return response
  const message = 'Invalid Refresh Token: Refresh Token Not Found'
  return new Refusal(400, 'refresh_token_not_found', message).toResponse()
}

/** The limit of bcrypt itself, in bytes. lite counts characters, and only at sign-up. */
const maxPasswordBytes = 72

/** Rejects requests that the hosted service rejects, but that lite accepts or answers with 500. */
async function refusalOf(request: Request): Promise<Response | null> {
  if (request.method !== 'POST' && request.method !== 'PUT') return null
  const text = await request.clone().text()
  const { password } = parseObject(text) ?? {}
  if (/\/(signup|user)$/.test(new URL(request.url).pathname) && typeof password === 'string')
    if (Buffer.byteLength(password) > maxPasswordBytes)
      return refusal('Password cannot be longer than 72 characters')
  if (request.url.endsWith('/token?grant_type=password') && text === 'null')
    return refusal('missing email or phone')
  return null
}

function refusal(message: string): Response {
  return new Refusal(400, 'validation_failed', message).toResponse()
}

function withCodeRefused(response: Response): Response {
  if (response.status !== 403) return response
  return new Refusal(403, 'otp_expired', 'Token has expired or is invalid').toResponse()
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** lite reads 0x1f in a filter as the number 31 unless it is quoted. */
function withQuotedHex(request: Request): Request {
  const url = new URL(request.url)
  url.search = url.search.replace(/(?<=[.(,]|%28|%2C)0x[\da-f]+(?=[),&]|%29|%2C|$)/gi, '%22$&%22')
  return url.href === request.url ? request : new Request(url, request)
}

/**
 * Restores the errors of PostgreSQL: for many of them lite responds with 500 and the code SUP. If lite cannot read the
 * catalogue, it reports that the table does not exist. If PostgreSQL is not permitted to open a file, its code is that
 * of a missing privilege. In these last two cases this function returns 503.
 */
async function withCode(response: Response): Promise<Response> {
  const failure = currentFailure()
  if (failure && (isFileFailure(failure) || (await codeOf(response)) === 'PGRST205'))
    return Response.json({ message: 'The database cannot be read' }, { status: 503 })
  // PostgREST repeats a call that ends in one of these two, and never responds.
  if (response.status !== 500 || !failure || /^(40001|40P01)$/.test(failure.code)) return response
  const { code, message, detail = null, hint = null } = failure
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  const status = statusOf(code)
  if (status === 503) headers.set('retry-after', '0')
  return Response.json({ code, message, details: detail, hint }, { status, headers })
}

/** PostgREST's status for an SQLSTATE that lite answers with 500: the first pattern that fits; 400 for all others. */
const statuses: [RegExp, number][] = [
  [/^(08|53(?!400)|57P01)/, 503],
  [/^(09|21|25|2D|38|39|3B|40|42P17|53|54|55|57|58|F0|HV|P0(?!001)|XX)/, 500],
  [/^(0L|0P|28)/, 403],
]

function statusOf(code: string): number {
  const [, given] = /^PT([45]\d\d)$/.exec(code) ?? []
  return Number(given ?? statuses.find(([pattern]) => pattern.test(code))?.[1] ?? 400)
}

function isFileFailure({ code, message }: { code: string; message: string }): boolean {
  return code === '42501' && message.startsWith('could not ')
}

async function codeOf(response: Response): Promise<unknown> {
  return response.status === 404 ? parseObject(await response.clone().text())?.code : null
}
