import type { LoaderFunctionArgs } from '@remix-run/cloudflare'

/**
 * What an open page asks every 30 seconds: who is signed in now? Asking refreshes the session. 503 where a
 * refresh was due and the backend is away: the page keeps its session and asks again, soon.
 */
export async function loader({ context }: LoaderFunctionArgs) {
  if (await context.limit('session', context.sessionFingerprint)) return Response.json({}, { status: 429 })
  const { kind } = await context.session()
  const status = kind === 'stale' || kind === 'unreachable' ? 503 : 200
  return Response.json(
    { mark: await context.sessionFingerprint() },
    { status, headers: { 'Cache-Control': 'private, no-store' } },
  )
}
