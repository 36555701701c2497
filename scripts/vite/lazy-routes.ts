import type { Plugin } from 'vite'

/**
 * Changes two lists of Remix, so that an isolate reads only what its first request needs. The list of routes
 * loads the module of a route for the first request that matches it (app/rendering/router.server.ts), and the
 * list of client files, which is as large as all pages' code, parses the part of a route at its first use.
 * Fails if Remix changes the form of a list.
 */
export function lazyRoutes(): Plugin {
  return {
    name: 'goodblock:lazy-routes',
    async transform(code, id) {
      if (id.endsWith('virtual:remix/server-build')) {
        return { code: lazyModules(code) ?? this.error(`${id} imports no route`), map: null }
      }
      if (!id.endsWith('virtual:remix/server-manifest')) return
      const { default: manifest } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
      if (!manifest?.routes?.root) this.error(`${id} lists no route`)
      return { code: lazyManifest(manifest), map: null }
    },
  }
}

/** One function imports all routes, because V8 reads each function of a module before it runs the module. */
function lazyModules(code: string): string | null {
  const cases: string[] = []
  const others = code.replace(/import \* as (route\d+) from (".+");/g, (_, name: string, path: string) => {
    cases.push(`case ${cases.length}: return import(${path});`)
    return `const ${name} = later(${cases.length - 1});`
  })
  const load = `const load = (at) => { switch (at) { ${cases.join('\n')} } }`
  return cases.length ? `${load}\nconst later = (at) => () => load(at)\n${others}` : null
}

/** A module that exports the manifest. V8 reads the text of a string faster than an object. */
function lazyManifest({ routes, ...others }: { routes: Record<string, unknown> }): string {
  const texts = Object.fromEntries(Object.entries(routes).map(([id, route]) => [id, JSON.stringify(route)]))
  return `const texts = ${JSON.stringify(texts)}
const routes = {}
for (const id in texts) {
  let route
  Object.defineProperty(routes, id, { enumerable: true, get: () => (route ??= JSON.parse(texts[id])) })
}
export default { ...${JSON.stringify(others)}, routes }`
}
