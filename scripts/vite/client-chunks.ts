import type { Plugin, Rollup } from 'vite'

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

/**
 * The license comment for the chunk of the packages. The bill of materials names the license of each package.
 */
const notice =
  '/*! MIT License. React: (c) Facebook, Inc. and its affiliates. Remix and React Router: (c) Remix Software Inc. */\n'

const licenses = /\/\*\*(?:(?!\*\/)[\s\S])*@license[\s\S]*?\*\/\n?/g
const covered = /Copyright \(c\) (?:Facebook, Inc\.|Remix Software Inc\.)[\s\S]*\bMIT\b/

/**
 * Replaces the license comments of all files in the chunk of the packages with a single comment. Fails if the
 * single comment does not cover one of those comments, or if this chunk imports a different chunk: two chunks
 * that import each other run before their values exist.
 */
export function oneNotice(): Plugin {
  return {
    name: 'goodblock:one-notice',
    apply: 'build',
    enforce: 'post',
    applyToEnvironment: ({ name }) => name === 'client',
    renderChunk(code, { name, imports }) {
      if (name !== 'framework') return null
      if (imports.length) this.error(`the chunk of the packages imports ${imports}`)
      const plain = code.replace(licenses, (comment) => {
        if (!covered.test(comment)) this.error(`another license comment: ${comment}`)
        return ''
      })
      return { code: notice + plain, map: null }
    },
  }
}
