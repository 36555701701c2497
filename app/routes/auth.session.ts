import type { LoaderFunctionArgs } from '@remix-run/cloudflare'

/** What an open page asks every 30 seconds: is the visitor still signed in? Asking refreshes the session. */
export async function loader({ context }: LoaderFunctionArgs) {
  return Response.json(
    { signedIn: await context.hasSession() },
    { headers: { 'Cache-Control': 'private, no-store' } },
  )
}
