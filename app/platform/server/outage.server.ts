import { data } from '@remix-run/cloudflare'

/** Fields that the page does not repeat: secrets, and codes that are valid only once. */
const withheld = ['password', 'currentPassword', 'newPassword', 'code']

/**
 * The 503 response for a request whose session or factors cannot be read; the caller throws it. The page has
 * a button that sends `form` again, without files, secrets or codes.
 */
export function outagePage(form?: FormData) {
  const fields = [...(form ?? [])].filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && !withheld.includes(entry[0]),
  )
  const typed = form ? Object.fromEntries(fields) : null
  return data({ typed }, { status: 503, statusText: 'Sign-in unavailable' })
}

/** The 404 response for a page that does not exist, or that the visitor may not see. The caller throws it. */
export function notFound(): Response {
  return new Response(null, { status: 404, statusText: 'Not Found' })
}

/** What a page is about. Throws 404 for 'none', and the 503 of `outagePage` if it is unreadable (null). */
export function found<Value>(value: Value | 'none' | null, form?: FormData): Exclude<Value, 'none' | null> {
  if (value === null) throw outagePage(form)
  if (value === 'none') throw notFound()
  return value as Exclude<Value, 'none' | null>
}

/**
 * For a loader or an action of a route without a component, for which Remix has no error page: runs `work`.
 * If `work` throws the 503 response of `outagePage`, returns the result of `respond`.
 */
export async function unlessOutage(
  work: () => Promise<Response>,
  respond: () => Response,
): Promise<Response> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof Response || thrown instanceof Error) throw thrown
    return respond()
  }
}
