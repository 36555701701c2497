import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { formatter } from '@lingui/format-po'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import type { Plugin, Rollup } from 'vite'

/**
 * Loads a PO file as a module whose `load` resolves to the compiled translations by message id. The build for
 * browsers includes only the messages of hydrated pages, because other pages have no framework script.
 *
 * The worker has the translations as compressed JSON in a module of bytes: an isolate reads all modules when
 * it starts, and unpacks a language before its first page in this language. Elsewhere the JSON is a string,
 * which V8 parses with fewer instructions than the same object literal.
 */
export function catalogs(): Plugin {
  return {
    name: 'goodblock:catalogs',
    enforce: 'pre',
    resolveId: (id) => (id.endsWith(packed) ? { id, external: true } : null),
    async load(id) {
      if (!id.endsWith('.po')) return
      const catalog = compileCatalog(readFileSync(id, 'utf8'))
      const { name, mode } = this.environment
      if (name === 'ssr' && mode === 'build') return { code: packedModule(this, catalog), map: null }
      const hydrated = name === 'client' && mode === 'build' ? await codeOfHydratedPages(this) : null
      const needed = Object.entries(catalog).filter(([id]) => !hydrated || hydrated.includes(`"${id}"`))
      const json = JSON.stringify(Object.fromEntries(needed))
      return { code: `export const load = async () => JSON.parse(${JSON.stringify(json)})`, map: null }
    },
  }
}
const packed = '.json.gz'

/** Writes the compressed translations beside the worker's chunks. Returns the code that unpacks them. */
function packedModule(context: Rollup.PluginContext, catalog: Record<string, unknown>): string {
  const source = gzipSync(JSON.stringify(catalog), { level: 9 })
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 8)
  const name = `catalog-${hash}${packed}`
  context.emitFile({ type: 'asset', fileName: `chunks/${name}`, source })
  return `import bytes from './${name}'
export const load = () => new Response(new Response(bytes).body.pipeThrough(new DecompressionStream('gzip'))).json()`
}

/** The code of the frame and of each hydrated page (platform/rendering/handle.ts), with all imported modules. */
async function codeOfHydratedPages(context: Rollup.PluginContext): Promise<string> {
  const read = new Map<string, string>()
  const visit = async (id: string): Promise<void> => {
    if (read.has(id) || id.includes('/node_modules/') || id.endsWith('.po')) return
    read.set(id, '')
    const { code, importedIds, dynamicallyImportedIds } = await context.load({
      id,
      resolveDependencies: true,
    })
    read.set(id, code ?? '')
    await Promise.all([...importedIds, ...dynamicallyImportedIds].map(visit))
  }
  const pages = globSync('app/*/routes/**/*.tsx').filter((path) =>
    /\bhydrated: \{/.test(readFileSync(path, 'utf8')),
  )
  if (pages.length === 0) throw new Error('no page is hydrated')
  await Promise.all(['app/root.tsx', ...pages].map((path) => visit(`${process.cwd()}/${path}`)))
  return [...read.values()].join('\n')
}

/** The compiled translations of a PO file. Omits messages without a translation. */
function compileCatalog(po: string): Record<string, unknown> {
  const parsed = formatter().parse(po, { locale: undefined, sourceLocale: 'en', filename: '' })
  const translations = Object.entries(parsed as Record<string, { translation?: string; obsolete?: boolean }>)
  return Object.fromEntries(
    translations
      .filter(([, { translation, obsolete }]) => translation && !obsolete)
      .map(([id, { translation = '' }]) => [id, compileMessageOrThrow(translation)]),
  )
}
