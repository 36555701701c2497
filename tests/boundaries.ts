/**
 * The order of the layers: a folder imports only folders that come before it. A page (in the folder `routes` of a domain)
 * imports no other page. `npm run check` runs this file. Type imports and dynamic imports count too.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'

/**
 * The folders of app/, from the lowest layer on (docs/architecture.md). A folder imports only itself and folders that come
 * before it, so folders form no cycle. `platform` has layers of its own, and `acts` has one that every domain imports.
 */
const layers = [
  'app/platform',
  'app/platform/locales',
  'app/platform/server',
  'app/platform/fonts',
  'app/platform/downloads',
  'app/platform/live',
  'app/platform/forms',
  'app/platform/rendering',
  'app/platform/ui',
  'app/platform/edge',
  'app/wallet',
  'app/chain',
  'app/log',
  'app/acts/forms',
  'app/ledger',
  'app/platform/enhance',
  'app/members',
  'app/follow',
  'app/acts',
  'app/custody',
  'app/arrival',
  'app/payments',
  'app/statements',
  'app/votes',
  'app/goals',
  'app/mistakes',
  'app/giving',
  'app/account',
  'app/console',
  'app/words',
  'app/pages',
  'app/entry',
]

/** What the folders beside app/ may import: these layers, and what is named. */
const others: Record<string, { upTo: string; also: string[] }> = {
  'supabase/embedded': { upTo: 'app/votes', also: [] },
  scripts: { upTo: 'app/entry', also: ['supabase/embedded', 'lingui.config.ts'] },
  tests: { upTo: 'app/entry', also: ['supabase/embedded', 'scripts', 'public'] },
}

/** Packages that only one folder may import: the worker loads it with `import()`, so no page has them. */
const confined: Record<string, string> = { entities: 'app/statements/listening/' }

/**
 * What the worker's entry (app/worker.ts) may import without `import()`: files of app/, and packages. Each new
 * isolate compiles these before its first response, so they only serve stored public pages. Of a package, the
 * build keeps what is used.
 */
const inEntry = [
  'app/members/auth/session.server.ts',
  'app/platform/base64url.ts',
  'app/platform/bytes.ts',
  'app/platform/edge/byte-limited-map.ts',
  'app/platform/edge/cache-address.ts',
  'app/entry/edge/composed-response.server.ts',
  'app/platform/edge/hit-log.ts',
  'app/platform/edge/page-cache.server.ts',
  'app/entry/edge/public-page.server.ts',
  'app/platform/edge/template.ts',
  'app/platform/edge/toasts.ts',
  'app/platform/edge/url-length.ts',
  'app/entry/edge/visitor.server.ts',
  'app/platform/forms/notice.server.ts',
  'app/platform/impact-pools.ts',
  'app/platform/live/live-hub.ts',
  'app/platform/live/protocol.ts',
  'app/platform/live/version.server.ts',
  'app/platform/locales/locales.ts',
  'app/platform/locales/paths.ts',
  'app/platform/locales/translated-pages.ts',
  'app/platform/rendering/slots.ts',
  'app/platform/server/clock.server.ts',
  'app/platform/server/cookies.server.ts',
  'app/platform/server/env.server.ts',
  'app/platform/server/etag.ts',
  'app/platform/server/log.server.ts',
  'app/platform/server/outside-url.ts',
  'app/platform/server/rate-limit.server.ts',
  'app/platform/server/timeout.ts',
  'app/platform/server/variable.ts',
  'virtual:public-pages',
]

/** The layer or the folder of a path relative to the project. The files directly in app/ are the entry. */
function folderOf(path: string): string {
  // Unit tests are beside the code that they test.
  if (/\.test\.tsx?$/.test(path)) return 'tests'
  const [top = '', second = '', third = '', fourth] = path.split('/')
  if (top === 'supabase') return 'supabase/embedded'
  if (top !== 'app') return top
  if (!third) return 'app/entry'
  const part = `app/${second}/${third}`
  return fourth && layers.includes(part) ? part : `app/${second}`
}

/** The folder of a page (`app/pages/routes/voting`), or the module of a page without parts; undefined for other files. */
function pageOf(path: string): string | undefined {
  return /^app\/\w+\/routes\/[^/]+/.exec(path)?.[0]
}

function mayImport(from: string, to: string): boolean {
  if (from === to) return true
  const outside = others[from]
  if (outside?.also.includes(to)) return true
  const place = layers.indexOf(to)
  // The pages' scripts use the verifier.
  if (place < 0) return to === 'public' && layers.includes(from)
  return place <= layers.indexOf(outside?.upTo ?? from)
}

/**
 * Reads the TypeScript files of app, scripts, supabase and tests. Returns an error message for each import
 * that is not allowed and for each fault of the table itself.
 */
function findViolations(): string[] {
  const root = process.cwd()
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const violations: string[] = []
  const graph = new Map<string, string[]>()
  for (const path of globSync('{app,scripts,supabase,tests}/**/*.{ts,tsx}')) {
    const from = folderOf(path)
    const imported: string[] = []
    graph.set(path, imported)
    if (!layers.includes(from) && !others[from])
      violations.push(`${path}: the list in tests/boundaries.ts lacks ${from}`)
    const source = readFileSync(path, 'utf8')
    for (const { fileName } of ts.preProcessFile(source, true, true).importedFiles) {
      const specifier = fileName.replace(/\?.*$/, '')
      const owner = confined[specifier]
      if (owner && !path.startsWith(owner) && from !== 'tests')
        violations.push(`${path} imports ${specifier}: only ${owner} may`)
      if (!/^(\.|~\/)/.test(specifier)) continue
      const resolved = ts.resolveModuleName(specifier, `${root}/${path}`, options, ts.sys).resolvedModule
      // TypeScript does not resolve stylesheets and plain JavaScript.
      const file = resolved ? relative(root, resolved.resolvedFileName) : join(dirname(path), specifier)
      // The stylesheet of the site has the styles of all components.
      if (file === 'app/styles.css') continue
      const to = folderOf(file)
      imported.push(file)
      // Code that two pages share belongs beside the folder `routes`.
      const page = pageOf(file)
      const isOfOtherPage = page && !['tests', 'app/entry'].includes(from) && pageOf(path) !== page
      if (isOfOtherPage || !mayImport(from, to))
        violations.push(`${path} imports ${file}: ${pageOf(path) ?? from} may not import ${page ?? to}`)
      const isConfined = Object.values(confined).some(
        (owner) => file.startsWith(owner) && !path.startsWith(owner) && from !== 'tests',
      )
      if (isConfined && source.includes(`from '${fileName}'`))
        violations.push(`${path} imports ${file}: only by import(), because of its packages`)
    }
  }
  return [...violations, ...findMacros(graph), ...findLateCode()]
}

/** Returns an error message for each import of the worker's entry that `inEntry` does not list, and for each entry of `inEntry` that is not imported. */
function findLateCode(): string[] {
  const root = process.cwd()
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const reached = new Map<string, string>()
  const visit = (path: string) => {
    for (const specifier of valueImports(path)) {
      const isOwn = /^(\.|~\/)/.test(specifier)
      const resolved =
        isOwn && ts.resolveModuleName(specifier, `${root}/${path}`, options, ts.sys).resolvedModule
      const imported = resolved ? relative(root, resolved.resolvedFileName) : specifier
      if (reached.has(imported)) continue
      reached.set(imported, path)
      if (resolved) visit(imported)
    }
  }
  visit('app/worker.ts')
  const late = [...reached].filter(([imported]) => !inEntry.includes(imported))
  const unused = inEntry.filter((path) => !reached.has(path))
  return [
    ...late.map(([imported, from]) => `${from} imports ${imported}: the worker's entry may only by import()`),
    ...unused.map((path) => `table: the worker's entry does not import ${path}`),
  ]
}

/** The specifiers of a module's imports and exports of values, without `import()`. */
function valueImports(path: string): string[] {
  const { statements } = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest)
  return statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return []
    const clause = ts.isImportDeclaration(statement) ? statement.importClause : undefined
    const names = ts.isImportDeclaration(statement) ? clause?.namedBindings : statement.exportClause
    const onlyTypes =
      clause?.isTypeOnly ||
      (ts.isExportDeclaration(statement) && statement.isTypeOnly) ||
      (!clause?.name &&
        names &&
        (ts.isNamedImports(names) || ts.isNamedExports(names)) &&
        names.elements.every(({ isTypeOnly }) => isTypeOnly))
    const { moduleSpecifier } = statement
    return onlyTypes || !moduleSpecifier || !ts.isStringLiteral(moduleSpecifier) ? [] : [moduleSpecifier.text]
  })
}

/**
 * The modules that Node or Playwright runs without a build, with everything that they import. A Lingui macro
 * would fail there: only the build and vitest replace macros.
 */
const unbuilt = /^(scripts|supabase|tests)\/(?!.*\.test\.tsx?$)/
const macroImport = /from '@lingui\/(core|react)\/macro'/
/** Test files of vitest import these modules. */
const built = /^tests\/(support|properties|faults)\//

/** A message for each module with a macro that an unbuilt module imports. `graph`: imports of modules. */
function findMacros(graph: Map<string, string[]>): string[] {
  const reached = new Map<string, string>()
  const visit = (path: string, from: string) => {
    if (reached.has(path)) return
    reached.set(path, from)
    for (const imported of graph.get(path) ?? []) visit(imported, from)
  }
  for (const path of graph.keys()) if (unbuilt.test(path) && !built.test(path)) visit(path, path)
  return [...reached].flatMap(([path, from]) =>
    path.startsWith('app/') && macroImport.test(readFileSync(path, 'utf8'))
      ? [`${path} has a macro, and ${from} runs it without a build`]
      : [],
  )
}

const violations = findViolations()
for (const violation of violations) console.error(violation)
if (violations.length > 0) console.error('The order of the layers is in tests/boundaries.ts.')
process.exit(violations.length > 0 ? 1 : 0)
