import type { Rollup } from 'vite'

/** The modules that every hydrated page loads. */
const entries = /\/app\/(?:entry\.client|root)\.tsx(?:\?|$)/

let chunks: Map<string, 'frame' | 'framework'> | undefined

/**
 * The chunk of a module that every hydrated page loads: one chunk has the frame's modules; the other has the
 * packages and the modules that only packages import, so no module in it imports a module of the frame. Two
 * chunks compress better than many, and the chunk of the packages changes only when a package changes. A
 * package that only some pages import is in the chunks of these pages.
 */
export const chunkOf: Rollup.GetManualChunk = (id, { getModuleIds, getModuleInfo }) => {
  if (!chunks) {
    const found = new Map<string, 'frame' | 'framework'>()
    const add = (id: string, importer: 'frame' | 'framework') => {
      const chunk = importer === 'framework' || id.includes('/node_modules/') ? 'framework' : 'frame'
      // A module of the frame stays in the frame's chunk even if a package imports the module.
      if (found.get(id) === 'frame' || found.get(id) === chunk) return
      found.set(id, chunk)
      for (const imported of getModuleInfo(id)?.importedIds ?? []) add(imported, chunk)
    }
    for (const entry of getModuleIds()) if (entries.test(entry)) add(entry, 'frame')
    chunks = found
  }
  return entries.test(id) ? undefined : chunks.get(id)
}
