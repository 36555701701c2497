import type { Handler } from './http.ts'

/** From this version on, the `code` of an error is a name ('weak_password'). Before, it was the HTTP status. */
const apiVersion = '2024-01-01'

interface AuthError {
  code: number
  error_code: string
  msg: string
  weak_password?: { reasons: string[] }
}

/**
 * Converts errors of the auth service to the API version that the client requested, as the hosted service
 * does. lite and our own modules write errors only in the shape of earlier versions.
 */
export function withApiVersion(fetch: Handler): Handler {
  return async (request) => {
    const response = await fetch(request)
    const asked = request.headers.get('x-supabase-api-version')
    if (response.ok || !new URL(request.url).pathname.startsWith('/auth/v1/')) return response
    const headers = new Headers(response.headers)
    if (asked === apiVersion) headers.set('x-supabase-api-version', apiVersion)
    if (!headers.get('content-type')?.startsWith('application/json')) return response
    const body = (await response.clone().json()) as Partial<AuthError>
    // The hosted service does not send this header with a weak password.
    if (body.weak_password) headers.delete('x-sb-error-code')
    headers.delete('content-length')
    return Response.json(asked === apiVersion ? inVersion(body) : body, { status: response.status, headers })
  }
}

function inVersion(body: Partial<AuthError>): unknown {
  if (!body.error_code) return body
  const { error_code, msg, code: _, ...more } = body
  return { code: error_code, message: msg, ...more }
}
