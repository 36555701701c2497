import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { lacksCheckpointMemory } from '~/server/env.server'
import { type Health, readHealth } from '~/server/health.server'

/**
 * `{"status":"ok"}`, or 'degraded' with the parts that are unavailable: `data` (nothing can be read), `writes` (checked
 * with SUPABASE_SECRET_KEY), `auth`, `witnesses` if a witness has seen another history under our name, `mail` if mails to
 * followers wait, or `checkpoints` if the log is signed and no KV namespace keeps its checkpoints. 503 for the first two.
 * 200 for the others: public pages do not need them, and a balancer that acts on the status must not stop them. Only the
 * response to a request with HEALTH_KEY has the details.
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

function unavailableParts({ backend, auth, witnesses, mail }: Health): string[] {
  const parts = { ok: [], 'read-only': ['writes'], unreachable: ['data'] }[backend]
  return [
    ...parts,
    ...(auth === 'ok' ? [] : ['auth']),
    ...(witnesses === 'alarm' ? ['witnesses'] : []),
    ...(mail === 'stopped' ? ['mail'] : []),
  ]
}

/** Compares hashes, so that the time does not reveal how many characters were right. */
async function equals(given: string | null, key: string): Promise<boolean> {
  const hash = async (text: string) =>
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  const [mine, theirs] = await Promise.all([hash(key), hash(given ?? '')])
  return mine.every((byte, index) => byte === theirs[index])
}
