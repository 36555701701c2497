import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync, types } from '@babel/core'
import type { RouteConfigEntry } from '@remix-run/route-config'
import type { Plugin } from 'vite'
import { toRegExp } from '../../app/platform/edge/cache-address.ts'
import { isPrivate } from '../../app/platform/locales/paths.ts'
import type { PageDeclaration } from '../../app/platform/rendering/handle.ts'
import routes from '../../app/routes.ts'

const app = (file: string) => fileURLToPath(new URL(`../../app/${file}`, import.meta.url))

/**
 * The module `virtual:pages`: every route's pattern with what its module declares in `handle`. So the worker
 * knows each page before it loads the page's module. `virtual:public-pages` is the part that the worker's entry
 * and the scripts of pages need.
 */
export function pages(): Plugin {
  const modules: Record<string, () => string> = {
    'virtual:pages': () => `export default ${JSON.stringify(declaredPages())}`,
    'virtual:public-pages': () => publicPages(declaredPages()),
  }
  return {
    name: 'goodblock:pages',
    resolveId: (id) => (id in modules ? `\0${id}` : undefined),
    load: (id) => modules[id.slice(1)]?.(),
  }
}

function publicPages(pages: PageDeclaration[]): string {
  const translated = pages.filter((page) => page.translated).map(({ pattern }) => pattern)
  return [
    `export const translatedPatterns = ${JSON.stringify(translated)}`,
    `export const cachedPages = ${JSON.stringify(cachedPagesOf(pages))}`,
  ].join('\n')
}

/** The cached pages, and the pages whose path the pattern of a cached page matches. */
export function cachedPagesOf(pages: PageDeclaration[]): PageDeclaration[] {
  const paths = pages.flatMap(({ cached, pattern }) => (cached ? [toRegExp(pattern)] : []))
  return pages.filter(({ cached, pattern }) => cached ?? paths.some((path) => path.test(pattern)))
}

/** The declarations of all routes, in the order of routes.ts. */
export function declaredPages(): PageDeclaration[] {
  return (routes as RouteConfigEntry[]).map(({ path = '', file }) => {
    const pattern = `/${path}`
    const isTranslated = file.endsWith('.tsx') && pattern !== '/*' && !isPrivate(pattern)
    return { pattern, ...(isTranslated && { translated: true }), ...readHandle(app(file)) }
  })
}

/** Evaluates `export const handle` of a route's module, which is a literal; its functions become true. */
function readHandle(file: string): object {
  const module = parseSync(readFileSync(file, 'utf8'), {
    filename: file,
    configFile: false,
    babelrc: false,
    parserOpts: { plugins: ['typescript', 'jsx'] },
  })
  for (const statement of module?.program.body ?? []) {
    if (!types.isExportNamedDeclaration(statement) || !types.isVariableDeclaration(statement.declaration))
      continue
    const [declared] = statement.declaration.declarations
    if (!types.isIdentifier(declared?.id, { name: 'handle' })) continue
    try {
      return evaluate(declared.init) as object
    } catch (error) {
      throw new Error(`${file}: the handle must be a literal: ${(error as Error).message}`)
    }
  }
  return {}
}

function evaluate(node: types.Node | null | undefined): unknown {
  if (types.isStringLiteral(node) || types.isBooleanLiteral(node) || types.isNumericLiteral(node))
    return node.value
  if (types.isArrayExpression(node)) return node.elements.map(evaluate)
  if (types.isObjectExpression(node))
    return Object.fromEntries(
      node.properties.map((property) => {
        if (!types.isObjectProperty(property) || !types.isIdentifier(property.key))
          throw new Error('a property is not simple')
        return [property.key.name, evaluate(property.value)]
      }),
    )
  // A title: a message, or a function of the query.
  if (types.isTaggedTemplateExpression(node) || types.isArrowFunctionExpression(node)) return true
  if (types.isCallExpression(node) && types.isIdentifier(node.callee, { name: 'msg' })) return true
  throw new Error(node?.type ?? 'nothing')
}
