import { Refusal } from './assurance.ts'
import type { Handler } from './http.ts'
import { currentFailure } from './redaction.ts'

/**
 * Corrects the responses from lite that differ from the responses from a hosted project: only the three
 * services exist, the token of a confirmation or a magic link verifies as type `email`, tokens and passwords
 * have the errors of the hosted service, a filter may contain a hash or a wallet address, a write to all rows is
 * refused, and a violated constraint keeps its code.
 */
export function asHosted(fetch: Handler): Handler {
  return async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/auth/v1/verify' && request.method === 'POST') return verify(fetch, request)
    if (pathname.startsWith('/auth/v1/')) return (await refusalOf(request)) ?? refresh(fetch, request)
    if (pathname.startsWith('/storage/v1/')) return fetch(request)
    if (pathname.startsWith('/rest/v1/'))
      return (await unboundedWrite(fetch, request)) ?? withCode(await fetch(withQuotedHex(request)))
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

/** The parameters of a request that are no condition on the rows. */
const noFilters = ['select', 'columns', 'order', 'limit', 'offset', 'on_conflict', 'apikey']
/** Whether a parameter is a condition on the rows. A name with a dot other than that of 'not.' belongs to an embedded table. */
const isFilter = (name: string) => !noFilters.includes(name) && !name.replace(/^not\./, '').includes('.')

/**
 * Refuses a PATCH or DELETE of a table without a filter, as hosted projects do (safeupdate). lite first responds to a
 * read of no rows, because an invalid token and an unknown table have their own errors.
 */
async function unboundedWrite(fetch: Handler, request: Request): Promise<Response | null> {
  const { pathname, searchParams } = new URL(request.url)
  const statement = { PATCH: 'UPDATE', DELETE: 'DELETE' }[request.method]
  if (!statement || pathname.startsWith('/rest/v1/rpc/')) return null
  if ([...searchParams.keys()].some(isFilter)) return null
  // Without a value for any column, PostgREST runs no UPDATE.
  const [row] = statement === 'UPDATE' ? [parseObject(await request.clone().text())].flat() : [{ any: true }]
  if (Object.keys(row ?? {}).length === 0) return null
  const headers = new Headers(request.headers)
  for (const name of ['accept', 'prefer', 'content-length']) headers.delete(name)
  const read = await fetch(new Request(new URL(`${pathname}?limit=0`, request.url), { headers }))
  const code = read.ok ? null : ((await read.clone().json()) as { code?: string }).code
  if (read.status >= 500 || code?.startsWith('PGRST')) return withCode(read)
  const message = `${statement} requires a WHERE clause`
  return Response.json({ code: '21000', message, details: null, hint: null }, { status: 400 })
}

/** lite reads 0x1f in a filter as the number 31 unless it is quoted. */
function withQuotedHex(request: Request): Request {
  const url = new URL(request.url)
  url.search = url.search.replace(/(?<=[.(,]|%28|%2C)0x[\da-f]+(?=[),&]|%29|%2C|$)/gi, '%22$&%22')
  return url.href === request.url ? request : new Request(url, request)
}

/**
 * Restores the error codes. For a violated check or a raised exception, PostgREST responds with PostgreSQL's code and
 * status 400, or with the status nnn for the code PTnnn; lite responds with 500 and the code SUP. If lite
 * cannot read the catalogue, it reports that the table does not exist. If PostgreSQL is not permitted to open
 * a file, its code is that of a missing privilege. In these last two cases this function returns 503.
 */
async function withCode(response: Response): Promise<Response> {
  const failure = currentFailure()
  if (failure && (isFileFailure(failure) || (await codeOf(response)) === 'PGRST205'))
    return Response.json({ message: 'The database cannot be read' }, { status: 503 })
  if (response.status !== 500 || !failure || !/^(23\w{3}|P0001|PT[45]\d\d)$/.test(failure.code))
    return response
  const { code, message, detail = null, hint = null } = failure
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  return Response.json(
    { code, message, details: detail, hint },
    { status: Number(/^PT(\d+)/.exec(code)?.[1] ?? 400), headers },
  )
}

function isFileFailure({ code, message }: { code: string; message: string }): boolean {
  return code === '42501' && message.startsWith('could not ')
}

async function codeOf(response: Response): Promise<unknown> {
  return response.status === 404 ? parseObject(await response.clone().text())?.code : null
}
