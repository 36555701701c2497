import * as z from 'zod/mini'
import type { Log } from '../../platform/server/log.server'
import { parseSession } from './session.server'
import { userSchema } from './user.server'

const responseSchema = z.looseObject({ access_token: z.optional(z.unknown()), user: z.optional(z.unknown()) })

/**
 * `fetch` for the auth client. The client library does not validate responses: it throws on `null` and
 * accepts `{}` as a session. This function throws if a successful response is not JSON or lacks an expected
 * field.
 */
export function withValidatedResponses(ask: typeof fetch, log: Log): typeof fetch {
  return async (input, init) => {
    const response = await ask(input, init)
    if (!response.ok || !response.body) return response
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    const body = responseSchema.safeParse(await response.clone().json())
    if (body.success && isComplete(pathname, body.data)) return response
    log.warn('backend.invalid-response', { path: pathname })
    throw new Error('invalid response of the auth service')
  }
}

function isComplete(path: string, body: z.infer<typeof responseSchema>): boolean {
  const returnsSession = body.access_token !== undefined || /\/token$|\/factors\/[^/]+\/verify$/.test(path)
  if (returnsSession) return parseSession(body) !== null
  return !path.endsWith('/user') || userSchema.safeParse(body.user ?? body).success
}
