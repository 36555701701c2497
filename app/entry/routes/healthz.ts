import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { lacksCheckpointMemory } from '~/platform/server/env.server'
import { type Health, readHealth } from '~/platform/server/health.server'

/**
 * `{"status":"ok"}`, or 'degraded' with the unavailable parts: `data` (nothing can be read), `writes`
 * (checked with SUPABASE_SECRET_KEY), `auth`, `witnesses` if a witness has seen a different log under our
 * name, `mail` if emails to followers are delayed, `mail-requests` if far more
 * confirmations were asked for than people ask for, `tokens` if a token contract differs from CHAIN_TOKENS,
 * `endpoints` if an endpoint of the chain does not serve what the job needs or was silent for a day, `payments` if due orders are not paid, or `checkpoints` if the log is signed and no KV namespace
 * keeps its checkpoints. The status is 503 for `data` and `writes`. It is 200 for the other parts: public
 * pages do not need them, and a load balancer must keep the site online. Only a request with HEALTH_KEY gets
 * the details.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { config, env, log } = context
  const health = await readHealth(config, log)
  const unavailable = [
    ...unavailableParts(health),
    ...(lacksCheckpointMemory(config, env) ? ['checkpoints'] : []),
  ]
  const body = unavailable.length > 0 ? { status: 'degraded', unavailable } : { status: 'ok' }
  const hasKey =
    config.HEALTH_KEY && (await equals(request.headers.get('Authorization'), `Bearer ${config.HEALTH_KEY}`))
  return Response.json(hasKey ? { ...body, worker: import.meta.env.RELEASE, ...health } : body, {
    status: health.backend === 'ok' ? 200 : 503,
    headers: { 'Cache-Control': 'no-store' },
  })
}

function unavailableParts({ backend, auth, witnesses, mail, chain }: Health): string[] {
  const parts = { ok: [], 'read-only': ['writes'], unreachable: ['data'] }[backend]
  return [
    ...parts,
    ...(auth === 'ok' ? [] : ['auth']),
    ...(witnesses === 'alarm' ? ['witnesses'] : []),
    ...(mail === 'stopped' ? ['mail'] : []),
    ...(mail === 'flooded' ? ['mail-requests'] : []),
    ...(chain ?? []),
  ]
}

/** Compares hashes, so that the response time does not reveal how many characters were correct. */
async function equals(given: string | null, key: string): Promise<boolean> {
  const hash = async (text: string) =>
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  const [mine, theirs] = await Promise.all([hash(key), hash(given ?? '')])
  return mine.every((byte, index) => byte === theirs[index])
}
