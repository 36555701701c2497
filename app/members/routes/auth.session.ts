import type { LoaderFunctionArgs } from '@remix-run/cloudflare'

/**
 * The fingerprint of the current session. The visible pages of a member request it every 30 seconds; each
 * request refreshes a session that is about to expire. Returns 503 if the auth service does not respond to
 * the refresh: the page then keeps its session and tries again. Returns 429 after too many requests.
 */
export async function loader({ context }: LoaderFunctionArgs) {
  if (await context.limit('session', context.sessionFingerprint)) return Response.json({}, { status: 429 })
  const { kind } = await context.session()
  const status = kind === 'stale' || kind === 'unreachable' ? 503 : 200
  return Response.json(
    { fingerprint: await context.sessionFingerprint() },
    { status, headers: { 'Cache-Control': 'private, no-store' } },
  )
}
