import type { Plugin } from 'vite'

/**
 * Changes Remix's list of routes so that the first request for a route loads its module
 * (app/rendering/router.server.ts). Otherwise an isolate would parse and run all route modules before its
 * first response. Fails if Remix changes the form of the list.
 */
export function lazyRoutes(): Plugin {
  return {
    name: 'goodblock:lazy-routes',
    transform(code, id) {
      if (!id.endsWith('virtual:remix/server-build')) return
      const lazy = code.replace(/import \* as (route\d+) from (".+");/g, 'const $1 = () => import($2);')
      if (lazy === code) this.error(`${id} imports no route`)
      return { code: lazy, map: null }
    },
  }
}
