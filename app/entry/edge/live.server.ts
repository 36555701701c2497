import { refusalPage } from '../../platform/edge/refusal-page.server'
import type { Stage } from '../../platform/edge/stage'
import { type Hub, liveHub } from '../../platform/live/hub-access.server'
import { livePath } from '../../platform/live/protocol'
import { publishChanges } from '../../platform/live/publish.server'
import { claimedVersion, knownVersion } from '../../platform/live/version.server'
import type { Execution } from '../../platform/server/env.server'
import { isSignedOrder } from '../../platform/server/operator-signature'
import { networkOf } from '../../platform/server/rate-limit.server'
import { sleep, within } from '../../platform/server/timeout'

/** Minimum interval between two reads of the hub's version, in milliseconds, whatever requests claim. */
const readInterval = 250
/** How long a request waits for the version, in milliseconds. Then the request's claim is ignored. */
const readTimeout = 1_000

/**
 * Opens the sockets of live pages (GET), and accepts the signed notification of a change from an operator's
 * command (POST). For an upgrade, a browser sends cookies without a CORS preflight, so this stage checks the
 * Origin.
 */
export const answerLive: Stage = async (request, context) => {
  const { config, log } = context
  if (context.url.pathname !== livePath) return null
  const hub = liveHub(context.env)
  if (!hub) return null
  const { headers, method } = request
  if (method === 'POST') {
    const secretKey = config.SUPABASE_SECRET_KEY
    if (!secretKey || !(await isSignedOrder(headers.get('Authorization'), secretKey, 'changed', Date.now())))
      return new Response(null, { status: 403 })
    await publishChanges(context)
    return new Response(null, { status: 204 })
  }
  if (method !== 'GET') return refusalPage(405, context, { Allow: 'GET, POST' })
  if (headers.get('Upgrade')?.toLowerCase() !== 'websocket')
    return new Response(null, { status: 426, headers: { Upgrade: 'websocket', Connection: 'Upgrade' } })
  if (headers.get('Origin') !== config.SITE_URL) {
    log.warn('live.refused', { origin: headers.get('Origin') })
    return new Response(null, { status: 403 })
  }
  if (await context.limit('live')) return new Response(null, { status: 429 })
  const response = await hub.open(networkOf(headers.get('CF-Connecting-IP') ?? ''))
  // The headers of the hub's own response are immutable.
  return response.status === 101 ? response : new Response(null, response)
}

/** If a request claims a newer version than this isolate knows, reads the hub's before the cache lookup. */
export const learnVersion: Stage = async (request, { env, execution }) => {
  if (claimedVersion(request) <= knownVersion()) return null
  const hub = liveHub(env)
  if (hub) await readVersion(hub, execution).catch(() => {})
  return null
}

let upcoming: Promise<void> | null = null
let readAt = 0

/** Requests that come before a read begins share this read. A read that began earlier may miss a change. */
function readVersion(hub: Hub, execution: Execution): Promise<unknown> {
  if (!upcoming) {
    upcoming = sleep(Math.max(0, readAt + readInterval - Date.now())).then(() => {
      upcoming = null
      readAt = Date.now()
      return hub.readVersion()
    })
    // The read must continue after the request that began it has ended.
    execution.waitUntil(upcoming.catch(() => {}))
  }
  return within(upcoming, readTimeout)
}
