import { Refusal } from './assurance.ts'
import type { Queries } from './database.ts'
import type { Handler } from './http.ts'
import { currentFailure } from './redaction.ts'

interface HostedOptions {
  db: Queries
  /** Seconds between two emails to one address (config.toml, auth.email.max_frequency). */
  maxFrequency: number
}

/**
 * Responds as a hosted project does where lite responds differently: only the three services exist, an emailed token
 * verifies as type `email` whatever its kind, a confirmation can be sent again, a filter may contain a hash or an
 * address, and a violated constraint keeps its code.
 */
export function asHosted(fetch: Handler, options: HostedOptions): Handler {
  return async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/auth/v1/verify' && request.method === 'POST') return verify(fetch, request)
    if (pathname === '/auth/v1/resend' && request.method === 'POST') return resend(fetch, request, options)
    if (pathname.startsWith('/auth/v1/') || pathname.startsWith('/storage/v1/')) return fetch(request)
    if (pathname.startsWith('/rest/v1/')) return withCode(await fetch(withQuotedHex(request)))
    return Response.json({ message: 'no Route matched with those values' }, { status: 404 })
  }
}

/** lite finds a token only under its own type, so `email` is tried as a confirmation and then as a magic link. */
async function verify(fetch: Handler, request: Request): Promise<Response> {
  const body = await request.text()
  const as = (text: string) => fetch(new Request(request, { body: text }))
  const parsed = parseObject(body)
  if (parsed?.type !== 'email') return as(body)
  const confirmation = await as(JSON.stringify({ ...parsed, type: 'signup' }))
  return confirmation.ok ? confirmation : as(JSON.stringify({ ...parsed, type: 'magiclink' }))
}

/**
 * lite sends a confirmation once and refuses every later request with 429. Here a request after `maxFrequency` sends
 * a magic link, which confirms the address too.
 */
async function resend(fetch: Handler, request: Request, options: HostedOptions): Promise<Response> {
  const body = await request.text()
  const response = await fetch(new Request(request, { body }))
  const asked = parseObject(body)
  if (response.status !== 429 || asked?.type !== 'signup') return response
  const wait = await secondsToWait(options, `${asked.email}`)
  if (wait > 0)
    return new Refusal(
      429,
      'over_email_send_rate_limit',
      `For security purposes, you can only request this after ${wait} seconds.`,
    ).toResponse()
  const { method, headers } = request
  const magicLink = JSON.stringify({ email: asked.email, create_user: false })
  return fetch(new Request(new URL('/auth/v1/otp', request.url), { method, headers, body: magicLink }))
}

/** Whole seconds until the address may get its next email; 0 when it may get one now. */
async function secondsToWait({ db, maxFrequency }: HostedOptions, email: string): Promise<number> {
  const { rows } = await db.query<{ wait: number }>(
    `select ceil($2 - extract(epoch from clock_timestamp() - greatest(confirmation_sent_at, recovery_sent_at))) as wait
     from auth.users where email = lower($1)`,
    [email, maxFrequency],
  )
  return Math.max(0, rows[0]?.wait ?? 0)
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
 * PostgREST responds with PostgreSQL's code to a violated check, a raised exception (400) or a conflict (500), and
 * lite with 500 and the code SUP. When lite cannot read the catalogue it says that the table does not exist.
 */
async function withCode(response: Response): Promise<Response> {
  const failure = currentFailure()
  if (failure && (await codeOf(response)) === 'PGRST205')
    return Response.json({ message: 'The database cannot be read' }, { status: 503 })
  if (response.status !== 500 || !failure || !/^(23\w{3}|40001|P0001)$/.test(failure.code)) return response
  const { code, message, detail = null, hint = null } = failure
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  return Response.json(
    { code, message, details: detail, hint },
    { status: code.startsWith('40') ? 500 : 400, headers },
  )
}

async function codeOf(response: Response): Promise<unknown> {
  return response.status === 404 ? parseObject(await response.clone().text())?.code : null
}
