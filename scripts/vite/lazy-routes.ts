import type { Plugin } from 'vite'

/**
 * Makes Remix's list of routes load each module for the first request that needs it (app/rendering/router.server.ts).
 * Otherwise an isolate would parse and run all of them before its first response. Fails if Remix writes the list in
 * another way.
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
