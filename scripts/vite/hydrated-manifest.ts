import { existsSync, readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import type { Plugin } from 'vite'

interface Manifest {
  routes: Record<string, { imports: string[] }>
}

/**
 * Removes the imports of pages without the framework's script from the worker's list of client modules: no
 * such page loads them, and each isolate would parse the list. Fails if Remix changes the form of the list.
 */
export function hydratedManifest(): Plugin {
  return {
    name: 'goodblock:hydrated-manifest',
    apply: 'build',
    transform(code, id) {
      if (!id.endsWith('virtual:remix/server-manifest')) return
      const [, literal] = /^export default (.+?);?\s*$/s.exec(code) ?? []
      const manifest: Manifest | undefined = literal && runInNewContext(`(${literal})`)
      const plain = Object.entries(manifest?.routes ?? {}).filter(([route]) => !isHydrated(route))
      if (!manifest || plain.length === 0) this.error(`${id} lists no page without framework script`)
      for (const [, entry] of plain) entry.imports = []
      return { code: `export default ${JSON.stringify(manifest)}`, map: null }
    },
  }
}

function isHydrated(route: string): boolean {
  if (route === 'root') return true
  const path = `app/${route}.tsx`
  return existsSync(path) && /\bhydrated: \{/.test(readFileSync(path, 'utf8'))
}
