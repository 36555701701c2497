import { existsSync } from 'node:fs'
import type { Plugin } from 'vite'

/**
 * Changes two lists of Remix, so that an isolate reads only what its first request needs. The list of routes
 * loads the module of a route for the first request that matches it (app/platform/rendering/router.server.ts), and the
 * list of client files, which is as large as all pages' code, is loaded for the first page that has Remix's
 * script (app/platform/rendering/handler.server.ts). The folder of a page may have its loader in `loader.server.ts`, which is
 * loaded before the page. Fails if Remix changes the form of a list.
 */
export function lazyRoutes(): Plugin {
  return {
    name: 'goodblock:lazy-routes',
    async transform(code, id) {
      if (id.endsWith('virtual:remix/server-build')) {
        return { code: lazyBuild(code) ?? this.error(`${id} has another form`), map: null }
      }
      if (!id.endsWith('virtual:remix/server-manifest')) return
      const { default: manifest } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
      if (!manifest?.routes?.root) this.error(`${id} lists no route`)
      return { code: `export default JSON.parse(${JSON.stringify(JSON.stringify(manifest))})`, map: null }
    },
  }
}

const importOfRoute = /import \* as route\d+ from (".+");/g
const exportOfAssets = /export \{ default as assets \} from (".+");/
const exportOfRoutes = /export const routes = (\{[\s\S]*\});/

/**
 * One function imports all routes, because V8 reads each function of a module before it runs the module. The
 * list of routes is a text, because V8 reads a text faster than an object.
 */
function lazyBuild(code: string): string | null {
  const files = [...code.matchAll(importOfRoute)].map(([, path = '']) => JSON.parse(path) as string)
  const imports = files.map((file, at) => `case ${at}: return import(${JSON.stringify(file)});`)
  const loaders = files.flatMap((file, at) => {
    const loader = file.replace(/\/route\.tsx$/, '/loader.server.ts')
    const exists = loader !== file && existsSync(`.${loader}`)
    return exists ? `case ${at}: return import(${JSON.stringify(loader)});` : []
  })
  const list = code.match(exportOfRoutes)?.[1]?.replace(/module: route(\d+)/g, 'module: $1')
  if (!imports.length || !list || !exportOfAssets.test(code)) return null
  const routes: Record<string, { module: number; path?: string }> = new Function(`return ${list}`)()
  for (const { module, path = '' } of Object.values(routes))
    if (/[:*]/.test(path) && loaders.some((line) => line.startsWith(`case ${module}:`)))
      throw new Error(`${files[module]}: a page with variable parts in its path has no loader.server.ts`)
  return `${code
    .replace(importOfRoute, '')
    .replace(exportOfAssets, 'export const assets = () => import($1).then((module) => module.default);')
    .replace(
      exportOfRoutes,
      () => `export const routes = JSON.parse(${JSON.stringify(JSON.stringify(routes))});`,
    )}
const load = (at) => { switch (at) { ${imports.join('\n')} } }
const loader = (at) => { switch (at) { ${loaders.join('\n')} } }
const isPage = ${JSON.stringify(files.map((file) => file.endsWith('.tsx')))}
for (const id in routes) {
  const at = routes[id].module
  routes[id].module = () => load(at)
  routes[id].loader = () => loader(at)
  routes[id].isPage = isPage[at]
}`
}
