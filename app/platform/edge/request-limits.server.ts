import { readHandle } from '../rendering/handle'
import type { RouteModule, Router } from '../rendering/router.server'
import { refusalPage } from './refusal-page.server'
import type { Stage } from './stage'
import { maxUrlLength } from './url-length'

/**
 * Refuses a URL that is too long, and a method for which the route has no handler. form-body.server.ts limits
 * the size of forms; platform/server/rate-limit.server.ts limits the number of actions.
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

/** The methods that a route without an action accepts. */
const reading = ['GET', 'HEAD']

/** The methods for which a route's module exports handlers. */
function methodsOf({ default: page, loader, action }: RouteModule): string[] {
  return [...(page || loader ? reading : []), ...(action ? ['POST'] : [])]
}
