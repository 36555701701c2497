import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { readHealth } from '~/server/health.server'

/**
 * 200 if the backend can be read and (checked with SUPABASE_SECRET_KEY) written, otherwise 503. Only the response to a
 * request with HEALTH_KEY has the details.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { config, log } = context
  const health = await readHealth(config, log)
  const healthy = health.backend === 'ok'
  const body = { status: healthy ? 'ok' : 'degraded' }
  const hasKey =
    config.HEALTH_KEY && (await equals(request.headers.get('Authorization'), `Bearer ${config.HEALTH_KEY}`))
  return Response.json(hasKey ? { ...body, worker: import.meta.env.RELEASE, ...health } : body, {
    status: healthy ? 200 : 503,
    headers: { 'Cache-Control': 'no-store' },
  })
}

/** Compares hashes, so that the time does not reveal how many characters were right. */
async function equals(given: string | null, key: string): Promise<boolean> {
  const hash = async (text: string) =>
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  const [mine, theirs] = await Promise.all([hash(key), hash(given ?? '')])
  return mine.every((byte, index) => byte === theirs[index])
}
