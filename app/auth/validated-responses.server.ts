import * as z from 'zod'
import type { Log } from '../server/log.server'
import { parseSession } from './session.server'

const account = z.looseObject({ id: z.string().min(1) })
const answers = z.looseObject({ access_token: z.unknown().optional(), user: z.unknown().optional() })

/**
 * `fetch` for the client library of the auth service, which believes what it is told: it throws at `null`, and
 * `{}` takes the place of a session. What lacks that for which it was asked is no answer.
 */
export function withValidatedResponses(ask: typeof fetch, log: Log): typeof fetch {
  return async (input, init) => {
    const response = await ask(input, init)
    if (!response.ok || !response.body) return response
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    const answer = answers.safeParse(await response.clone().json())
    if (answer.success && isWhole(pathname, answer.data)) return response
    log.warn('backend.babbled', { path: pathname })
    throw new Error('the auth service gave no answer that can be used')
  }
}

function isWhole(path: string, answer: z.infer<typeof answers>): boolean {
  const gives = answer.access_token !== undefined || /\/token$|\/factors\/[^/]+\/verify$/.test(path)
  if (gives) return parseSession(answer) !== null
  return !path.endsWith('/user') || account.safeParse(answer.user ?? answer).success
}
