import { readFileSync } from 'node:fs'
import { formatter } from '@lingui/format-po'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

/** Loads a PO file as a module: its compiled translations by the ID of their message. */
export function catalogs(): Plugin {
  return {
    name: 'goodblock:catalogs',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith('.po')) return
      return { code: `export default ${JSON.stringify(compileCatalog(readFileSync(id, 'utf8')))}`, map: null }
    },
  }
}

/** The compiled translations of a PO file. A message without a translation is omitted. */
function compileCatalog(po: string): Record<string, unknown> {
  const parsed = formatter().parse(po, { locale: undefined, sourceLocale: 'en', filename: '' })
  const translations = Object.entries(parsed as Record<string, { translation?: string; obsolete?: boolean }>)
  return Object.fromEntries(
    translations
      .filter(([, { translation, obsolete }]) => translation && !obsolete)
      .map(([id, { translation = '' }]) => [id, compileMessageOrThrow(translation)]),
  )
}
