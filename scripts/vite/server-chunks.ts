import { relative } from 'node:path'
import type { Rollup } from 'vite'

/**
 * A user of the worker's modules: the entry, or a file that is loaded with `import()`. The first page in a new isolate
 * should load no code of another page, so each page is a user of its own. But an isolate reads every chunk when it starts
 * (decision 007), so all pages of operators are one user, and so is the scheduled work with its jobs.
 */
function userOf(file: string): string | undefined {
  const [, page, loader = ''] = /^routes\/([^/]+?)(?:\/route|\/(loader)\.server)?\.tsx?$/.exec(file) ?? []
  if (!page) return names[file]
  return page.startsWith('operator') ? 'operator' : `page:${page}${loader && '-loader'}`
}

const names: Record<string, string> = {
  'worker.ts': 'worker',
  'renderer.ts': 'renderer',
  'root.tsx': 'root',
  'schedule.ts': 'schedule',
  'pipeline.ts': 'pipeline',
  'document.server.tsx': 'document',
  // Renders pages without Remix's script, and toasts.
  'rendering/markup.server.ts': 'markup',
  // The entry loads these without the renderer.
  'edge/error-page.server.ts': 'error-page',
  'edge/security-headers.server.ts': 'security-headers',
  'edge/toast-fragment.server.tsx': 'toast-fragment',
}

/** Users that need neither the renderer nor the root. */
const alone = ['schedule', 'error-page', 'security-headers', 'toast-fragment']

let chunks: Map<string, string> | undefined

/**
 * The chunk of a module of the worker, by its users. Undefined for a module that only another `import()` loads. No chunk
 * imports a chunk with fewer users, so chunks form no cycle.
 */
export const serverChunkOf: Rollup.GetManualChunk = (id, context) => {
  chunks ??= assignChunks(context)
  return chunks.get(id)
}

function assignChunks({ getModuleIds, getModuleInfo }: Parameters<Rollup.GetManualChunk>[1]) {
  const users = new Map<string, Set<string>>()
  const visit = (id: string, user: string) => {
    const known = users.get(id) ?? new Set()
    if (known.has(user)) return
    users.set(id, known.add(user))
    for (const imported of getModuleInfo(id)?.importedIds ?? []) visit(imported, user)
  }
  for (const id of getModuleIds()) {
    const user = userOf(relative('app', id))
    if (!user) continue
    visit(id, user)
    if (user === 'schedule')
      for (const job of getModuleInfo(id)?.dynamicallyImportedIds ?? []) visit(job, user)
  }
  return new Map([...users].map(([id, all]) => [id, chunkOf(all)]))
}

/** The name of the chunk for the modules with these users. */
function chunkOf(users: Set<string>): string {
  if (users.has('worker')) return 'worker'
  const separate = alone.filter((user) => users.has(user))
  const pages = [...users].filter((user) => user.startsWith('page:')).sort()
  // The renderer is loaded before the root, and the root before every page.
  if (users.has('renderer')) return ['renderer', ...separate].join(' ')
  for (const user of ['pipeline', 'document']) if (users.has(user)) separate.push(user)
  if (users.has('root')) return ['root', ...separate].join(' ')
  if (pages.length) return [...pages, ...separate].join(' ').replaceAll('page:', '')
  return [...users].sort().join(' ')
}
