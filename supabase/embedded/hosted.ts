import type { Handler } from './http.ts'
import { currentFailure } from './redaction.ts'

/**
 * Answers as a hosted project does where lite answers otherwise: only the two services exist, an e-mailed
 * token verifies as type `email` whatever it was sent for, a confirmation is mailed again, a filter may hold a
 * hash or an address, and a refused constraint keeps its code.
 */
export function asHosted(fetch: Handler): Handler {
  return async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/auth/v1/verify' && request.method === 'POST') return verify(fetch, request)
    if (pathname === '/auth/v1/resend' && request.method === 'POST') return resend(fetch, request)
    if (pathname.startsWith('/auth/v1/')) return fetch(request)
    if (pathname.startsWith('/rest/v1/')) return withCode(await fetch(withQuotedHex(request)))
    return Response.json({ message: 'no Route matched with those values' }, { status: 404 })
  }
}

async function verify(fetch: Handler, request: Request): Promise<Response> {
  const body = await request.text()
  const as = (text: string) => fetch(new Request(request, { body: text }))
  const parsed = parseObject(body)
  if (parsed?.type !== 'email') return as(body)
  const confirmation = await as(JSON.stringify({ ...parsed, type: 'signup' }))
  return confirmation.ok ? confirmation : as(JSON.stringify({ ...parsed, type: 'magiclink' }))
}

/** lite mails no confirmation twice: it answers as if the first had just gone out. A magic link confirms too. */
async function resend(fetch: Handler, request: Request): Promise<Response> {
  const body = await request.text()
  const answer = await fetch(new Request(request, { body }))
  const asked = parseObject(body)
  if (answer.status !== 429 || asked?.type !== 'signup') return answer
  const { method, headers } = request
  const magicLink = JSON.stringify({ email: asked.email, create_user: false })
  return fetch(new Request(new URL('/auth/v1/otp', request.url), { method, headers, body: magicLink }))
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** lite reads 0x1f in a filter as the number 31, unless it stands in quotes. */
function withQuotedHex(request: Request): Request {
  const url = new URL(request.url)
  url.search = url.search.replace(/(?<=[.(,]|%28|%2C)0x[\da-f]+(?=[),&]|%29|%2C|$)/gi, '%22$&%22')
  return url.href === request.url ? request : new Request(url, request)
}

/** PostgREST answers with Postgres's code for a check, a raised exception (400) or a conflict (500); lite 500 and SUP. */
async function withCode(response: Response): Promise<Response> {
  const failure = currentFailure()
  if (response.status !== 500 || !failure || !/^(23\w{3}|40001|P0001)$/.test(failure.code)) return response
  const { code, message, detail = null, hint = null } = failure
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  return Response.json(
    { code, message, details: detail, hint },
    { status: code.startsWith('40') ? 500 : 400, headers },
  )
}
