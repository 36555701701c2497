import * as z from 'zod/mini'
import { refusalPage } from '../../platform/edge/refusal-page.server'
import type { Stage } from '../../platform/edge/stage'
import { readRequestBody } from '../../platform/server/body.server'

/** In bytes. */
const maxLength = 64 * 1024

/** Accepts the mail service's events: no more mail to a missing address, or one whose owner complained. */
export const takeMailEvent: Stage = async (request, context) => {
  const { config, fetch, log, url } = context
  const { MAIL_EVENTS_KEY: key, SUPABASE_SECRET_KEY: secret } = config
  if (url.pathname !== '/mail/events' || !key || !secret) return null
  if (request.method !== 'POST') return refusalPage(405, context, { Allow: 'POST' })
  const body = await readRequestBody(request, maxLength)
  // The next module is imported only for such an event.
  const { isSignedEvent, readEvent } = await import('../../follow/mail/event')
  if (typeof body === 'number') return new Response(null, { status: body })
  if (!(await isSignedEvent(request.headers, body, key, Date.now()))) {
    log.warn('mail.event-refused')
    return new Response(null, { status: 403 })
  }
  const event = readEvent(body)
  if (!event) return new Response(null, { status: 400 })
  try {
    // The next module is imported on demand, because it also loads the code for the blockchain.
    const { createService } = await import('../../platform/server/service.server')
    const service = createService(config.SUPABASE_URL, secret, fetch)
    for (const address of event.addresses)
      await service.call('stop_address', z.unknown(), { address, reason: event.reason })
  } catch (error) {
    // The mail service sends an event again after a response other than 2xx.
    log.error('mail.event-not-stored', { message: (error as Error).name })
    return new Response(null, { status: 503 })
  }
  if (event.addresses.length > 0) log.info('mail.stopped-address', { reason: event.reason })
  return new Response(null, { status: 204 })
}
