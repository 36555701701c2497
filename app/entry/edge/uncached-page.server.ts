import { canonicalPath } from '../../platform/edge/cache-address'
import { refusalPage } from '../../platform/edge/refusal-page.server'
import { secure } from '../../platform/edge/security-headers.server'
import type { Stage } from '../../platform/edge/stage'
import { readHandle } from '../../platform/rendering/handle'
import type { Router } from '../../platform/rendering/router.server'

/**
 * Responds to a request of a cached route that has no cache key. Redirects a different spelling of a path to
 * the canonical path. Any other such request (for example a data request, or a request whose query is too
 * long) is rendered separately, so the number of these requests is limited. Returns null if the request may
 * be rendered, or the route is not cached.
 */
export function createUncachedPages({ paths, match, load }: Router): Stage {
  return async ({ method }, context) => {
    const { config, limit, url } = context
    if (config.PAGE_CACHE === 'off' || (method !== 'GET' && method !== 'HEAD')) return null
    const { pathname, search } = url
    const id = match(pathname)
    if (!readHandle((await load(id)).handle).cached) return null
    const pattern = paths.find((path) => path.id === id)?.pattern ?? pathname
    const path = canonicalPath(pattern, pathname)
    if (path !== pathname)
      return new Response(null, { status: 308, headers: { Location: config.SITE_URL + path + search } })
    return (await limit('search')) ? secure(refusalPage(429, context), config) : null
  }
}
