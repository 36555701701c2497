import type { Rollup } from 'vite'

/** The modules that every hydrated page loads. */
const entries = /\/app\/(?:entry\.client|root)\.tsx(?:\?|$)/

let frame: Set<string> | undefined

/**
 * One chunk for all packages, and one for the modules of the frame of every hydrated page: they compress better than
 * many, and that of the packages changes only with a package.
 */
export const chunkOf: Rollup.GetManualChunk = (id, { getModuleIds, getModuleInfo }) => {
  if (id.includes('/node_modules/')) return 'framework'
  if (!frame) {
    frame = new Set()
    const add = (id: string) => {
      if (id.includes('/node_modules/') || frame?.has(id)) return
      frame?.add(id)
      getModuleInfo(id)?.importedIds.forEach(add)
    }
    for (const entry of getModuleIds()) if (entries.test(entry)) add(entry)
  }
  return frame.has(id) && !entries.test(id) ? 'frame' : undefined
}
