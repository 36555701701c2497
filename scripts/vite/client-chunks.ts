import type { Rollup } from 'vite'

/** The modules that every hydrated page loads. */
const entries = /\/app\/(?:entry\.client|root)\.tsx(?:\?|$)/

let frame: Set<string> | undefined

/**
 * The chunk of a module: one chunk has all packages, and another has the frame's modules, which every
 * hydrated page loads. Two chunks compress better than many, and the chunk of the packages changes only when
 * a package changes.
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
