import { readHandle } from '../rendering/handle'
import type { RouteModule, Router } from '../rendering/router.server'
import { refusalPage } from './refusal.server'
import type { Stage } from './stage'

/** The longest accepted URL, in characters: eight times as long as a link of the auth service with its tokens. */
const maxUrlLength = 8 * 1024

/**
 * Refuses URLs that are too long, and methods that the route has no handler for. form-body.server.ts limits the size of
 * forms; server/rate-limit.server.ts limits the number of actions.
 */
export function createRequestLimits({ match, load }: Router): Stage {
  return async (request, context) => {
    if (request.url.length > maxUrlLength) return refusalPage(414, context)
    const module = await load(match(context.url.pathname))
    const isClosed = readHandle(module.handle).fundMe && !context.config.FUNDME_OPEN
    const allowed = isClosed ? reading : methodsOf(module)
    return allowed.includes(request.method) ? null : refusalPage(405, context, { Allow: allowed.join(', ') })
  }
}

/** The methods of an unknown address. */
const reading = ['GET', 'HEAD']

/** The methods that a route's module exports handlers for. */
function methodsOf({ default: page, loader, action }: RouteModule): string[] {
  return [...(page || loader ? reading : []), ...(action ? ['POST'] : [])]
}
