import type { RouteModule, Router } from '../rendering/router.server'
import { refuse } from './refusal.server'
import type { Stage } from './stage'

/** The longest URL, in characters: a link of the auth service with its tokens is an eighth of it. */
const maxUrlLength = 8 * 1024

/**
 * Refuses URLs that are too long, and methods that the route does not export. form-body.server.ts limits the bodies of
 * forms; rate-limit.server.ts of app/server limits how often.
 */
export function createRequestLimits({ match, load }: Router): Stage {
  return async (request, { url: { pathname }, log }) => {
    if (request.url.length > maxUrlLength) return refuse(414, log)
    const allowed = methodsOf(await load(match(pathname)))
    return allowed.includes(request.method) ? null : refuse(405, log, { Allow: allowed.join(', ') })
  }
}

/** The methods that a route's module exports handlers for. */
function methodsOf({ default: page, loader, action }: RouteModule): string[] {
  return [...(page || loader ? ['GET', 'HEAD'] : []), ...(action ? ['POST'] : [])]
}
