import type { Plugin, Rollup } from 'vite'

/** The modules that every hydrated page loads. */
const entries = /\/app\/(?:entry\.client|root)\.tsx(?:\?|$)/

let shared: Set<string> | undefined

/**
 * The chunk of a module that every hydrated page loads: one chunk has the packages, and another has the frame's
 * modules. Two chunks compress better than many, and the chunk of the packages changes only when a package
 * changes. A package that only some pages import is in the chunks of these pages.
 */
export const chunkOf: Rollup.GetManualChunk = (id, { getModuleIds, getModuleInfo }) => {
  if (!shared) {
    shared = new Set()
    const add = (id: string) => {
      if (shared?.has(id)) return
      shared?.add(id)
      getModuleInfo(id)?.importedIds.forEach(add)
    }
    for (const entry of getModuleIds()) if (entries.test(entry)) add(entry)
  }
  if (!shared.has(id) || entries.test(id)) return undefined
  return id.includes('/node_modules/') ? 'framework' : 'frame'
}

/** The licenses of the packages in their chunk: all are MIT. The bill of materials names each package. */
const notice =
  '/*! MIT License. React: (c) Facebook, Inc. and its affiliates. Remix and React Router: (c) Remix Software Inc. */\n'

/** Replaces the license comment of each file in the chunk of the packages by one comment for all. */
export function oneNotice(): Plugin {
  return {
    name: 'goodblock:one-notice',
    apply: 'build',
    enforce: 'post',
    applyToEnvironment: ({ name }) => name === 'client',
    renderChunk(code, { name }) {
      if (name !== 'framework') return null
      return {
        code: notice + code.replace(/\/\*\*(?:(?!\*\/)[\s\S])*@license[\s\S]*?\*\/\n?/g, ''),
        map: null,
      }
    },
  }
}
