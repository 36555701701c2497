/**
 * The table of folders that a folder may import. The folder of a page in app/routes imports no other page.
 * `npm run check` runs this file. Type imports and dynamic imports count too.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'

/** Names for the groups of files that have no separate folder. */
const entry = 'app (entry)'
const base = 'app (base)'
const entryFiles =
  /^app\/(worker|pipeline|renderer|schedule|context\.server|document\.server|root|routes|entry\.(client|server)|enhance)\.tsx?$/

/**
 * The folders that each folder may import. A folder may always import itself and packages. A folder imports
 * only folders that come later in this table, so folders form no cycle.
 */
const allowed: Record<string, string[]> = {
  tests: ['scripts', 'supabase/embedded', entry, 'app/routes', 'app/*', base, 'public'],
  scripts: [
    'lingui.config.ts',
    'supabase/embedded',
    entry,
    'app/edge',
    'app/live',
    'app/operator',
    'app/mail',
    'app/chain',
    'app/ledger',
    'app/wallet',
    'app/rendering',
    'app/forms',
    'app/log',
    'app/server',
    'app/locales',
    base,
  ],
  'supabase/embedded': ['app/votes', 'app/ledger', 'app/log', base],
  [entry]: ['app/*', base],
  'app/routes': ['app/*', base, 'public'],
  'app/downloads': ['app/orders', 'app/ledger', 'app/log', 'app/server', 'app/locales', base],
  'app/edge': [
    'app/live',
    'app/mail',
    'app/chain',
    'app/pictures',
    'app/fundme',
    'app/auth',
    'app/profile',
    'app/forms',
    'app/rendering',
    'app/server',
    'app/locales',
    base,
  ],
  'app/operator': [
    'app/orders',
    'app/fundme',
    'app/votes',
    'app/follow',
    'app/auth',
    'app/profile',
    'app/pictures',
    'app/ledger',
    'app/wallet',
    'app/forms',
    'app/ui',
    'app/server',
    'app/locales',
    base,
  ],
  'app/orders': ['app/ledger', 'app/ui', 'app/server', 'app/locales', base],
  'app/fundme': [
    'app/auth',
    'app/pictures',
    'app/votes',
    'app/ledger',
    'app/wallet',
    'app/forms',
    'app/ui',
    'app/server',
    'app/locales',
    base,
  ],
  'app/enhance': ['app/live', 'app/ledger', 'app/forms', 'app/log', 'app/locales', base],
  'app/live': ['app/server', 'app/locales', base],
  'app/auth': ['app/profile', 'app/wallet', 'app/forms', 'app/ui', 'app/server', 'app/locales', base],
  'app/profile': ['app/wallet', 'app/forms', 'app/ui', 'app/server', 'app/locales', base],
  'app/pictures': ['app/forms', 'app/server', 'app/locales', base],
  'app/donate': ['app/ledger', 'app/forms', 'app/ui', 'app/server', 'app/locales', base],
  'app/mail': ['app/chain', 'app/follow', 'app/ledger', 'app/server', 'app/locales', base],
  'app/listening': ['app/chain', 'app/forms', 'app/server', base],
  'app/chain': ['app/votes', 'app/ledger', 'app/log', 'app/wallet', 'app/server', base],
  'app/votes': ['app/forms', 'app/ui', 'app/wallet', 'app/server', 'app/locales', base],
  'app/ledger': ['app/forms', 'app/ui', 'app/log', 'app/server', 'app/locales', base],
  'app/follow': ['app/forms', 'app/ui', 'app/server', 'app/locales', base],
  'app/ui': ['app/rendering', 'app/locales', base],
  'app/wallet': ['app/forms', 'app/server', 'app/locales', base],
  'app/rendering': ['app/fonts', 'app/server', 'app/locales', base],
  'app/forms': ['app/server', 'app/locales', base],
  'app/log': ['app/server', base],
  'app/server': ['app/locales', base],
  'app/locales': [base],
  'app/fonts': [],
  public: [],
  'lingui.config.ts': [],
  [base]: [],
}

/**
 * Packages that only one folder may import. The worker loads this folder with `import()`, so no page loads
 * these packages.
 */
const confined: Record<string, string> = { entities: 'app/listening' }

/**
 * What the worker's entry (app/worker.ts) may import without `import()`: files of app/, and packages. Each new
 * isolate compiles these before its first response, so they only serve stored public pages. Of a package, the
 * build keeps what is used.
 */
const inEntry = [
  'app/auth/session.server.ts',
  'app/base64url.ts',
  'app/bytes.ts',
  'app/edge/byte-limited-map.ts',
  'app/edge/cache-address.ts',
  'app/edge/composed-response.server.ts',
  'app/edge/hit-log.ts',
  'app/edge/page-cache.server.ts',
  'app/edge/public-page.server.ts',
  'app/edge/template.ts',
  'app/edge/toasts.ts',
  'app/edge/url-length.ts',
  'app/edge/visitor.server.ts',
  'app/forms/notice.server.ts',
  'app/impact-pools.ts',
  'app/live/live-hub.ts',
  'app/live/protocol.ts',
  'app/live/version.server.ts',
  'app/locales/locales.ts',
  'app/locales/paths.ts',
  'app/locales/translated-pages.ts',
  'app/rendering/slots.ts',
  'app/server/clock.server.ts',
  'app/server/cookies.server.ts',
  'app/server/env.server.ts',
  'app/server/etag.ts',
  'app/server/log.server.ts',
  'app/server/outside-url.ts',
  'app/server/rate-limit.server.ts',
  'app/server/timeout.ts',
  'app/server/variable.ts',
  'virtual:public-pages',
]

/** The key of `allowed` for a path relative to the project. */
function folderOf(path: string): string {
  // Unit tests are beside the code that they test.
  if (/\.test\.tsx?$/.test(path)) return 'tests'
  const [top = '', second = '', third] = path.split('/')
  if (top === 'app') return third ? `app/${second}` : entryFiles.test(path) ? entry : base
  return top === 'supabase' ? 'supabase/embedded' : top
}

/** The folder of a page (`app/routes/voting`), or the module of a page without parts; undefined outside of app/routes. */
function pageOf(path: string): string | undefined {
  return /^app\/routes\/[^/]+/.exec(path)?.[0]
}

function mayImport(from: string, to: string): boolean {
  const list = allowed[from]
  if (from === to) return true
  // 'app/*' does not include app/routes, which only the build and the tests import.
  return Boolean(
    list?.includes(to) || (to.startsWith('app/') && to !== 'app/routes' && list?.includes('app/*')),
  )
}

/**
 * Reads the TypeScript files of app, scripts, supabase and tests. Returns an error message for each import
 * that is not allowed and for each fault of the table itself.
 */
function findViolations(): string[] {
  const root = process.cwd()
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const order = Object.keys(allowed)
  const violations = order.flatMap((folder, place) =>
    (allowed[folder] ?? [])
      .filter((other) => other !== 'app/*' && order.indexOf(other) <= place)
      .map((other) => `table: ${folder} comes after ${other}, which it may import`),
  )
  const graph = new Map<string, string[]>()
  for (const path of globSync('{app,scripts,supabase,tests}/**/*.{ts,tsx}')) {
    const from = folderOf(path)
    const imported: string[] = []
    graph.set(path, imported)
    if (!allowed[from]) violations.push(`${path}: the table in tests/boundaries.ts has no row for ${from}`)
    const source = readFileSync(path, 'utf8')
    for (const { fileName } of ts.preProcessFile(source, true, true).importedFiles) {
      const specifier = fileName.replace(/\?.*$/, '')
      const owner = confined[specifier]
      if (owner && from !== owner && from !== 'tests')
        violations.push(`${path} imports ${specifier}: only ${owner} may`)
      if (!/^(\.|~\/)/.test(specifier)) continue
      const resolved = ts.resolveModuleName(specifier, `${root}/${path}`, options, ts.sys).resolvedModule
      // TypeScript does not resolve stylesheets and plain JavaScript.
      const file = resolved ? relative(root, resolved.resolvedFileName) : join(dirname(path), specifier)
      const to = folderOf(file)
      imported.push(file)
      if (!mayImport(from, to)) violations.push(`${path} imports ${file}: ${from} may not import ${to}`)
      const isConfined = Object.values(confined).includes(to) && from !== to && from !== 'tests'
      if (isConfined && source.includes(`from '${fileName}'`))
        violations.push(`${path} imports ${file}: only by import(), because of its packages`)
      // Code that two pages share belongs to a folder outside of app/routes.
      if (from === 'app/routes' && to === from && pageOf(path) !== pageOf(file))
        violations.push(`${path} imports ${file}: ${pageOf(path)} may not import ${pageOf(file)}`)
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
/** Test files of vitest import these modules, or Vite builds them. */
const built = /^tests\/(support|properties|faults|bench\/peer-spa)\//

/**
 * Returns an error message for each module with a macro that an unbuilt module imports. `graph` has the
 * imports of each module.
 */
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
if (violations.length > 0) console.error('The table of allowed imports is in tests/boundaries.ts.')
process.exit(violations.length > 0 ? 1 : 0)
