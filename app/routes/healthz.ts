import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { readHealth } from '~/server/health.server'

/** Whether the site is well: 200 or 503. What ails it is told to whoever holds the key, and to the log. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { config, log } = context
  const health = await readHealth(config, log)
  const well = health.backend === 'ok'
  const body = { status: well ? 'ok' : 'degraded' }
  const told =
    config.HEALTH_KEY && (await same(request.headers.get('Authorization'), `Bearer ${config.HEALTH_KEY}`))
  return Response.json(told ? { ...body, worker: import.meta.env.RELEASE, ...health } : body, {
    status: well ? 200 : 503,
    headers: { 'Cache-Control': 'no-store' },
  })
}

/** Compared as hashes: how long it takes says nothing about how much was right. */
async function same(given: string | null, key: string): Promise<boolean> {
  const hash = async (text: string) =>
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  const [mine, theirs] = await Promise.all([hash(key), hash(given ?? '')])
  return mine.every((byte, index) => byte === theirs[index])
}
