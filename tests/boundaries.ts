/**
 * Which folder may import which. A page's folder in app/routes imports no other page. `npm run check` runs this file;
 * type imports and dynamic imports count.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'

/** The names of the groups of files that have no separate folder. */
const entry = 'app (entry)'
const base = 'app (base)'
const entryFiles = /^app\/(worker|context\.server|root|routes|entry\.(client|server)|enhance)\.tsx?$/

/**
 * Each folder with the folders that it may import; a folder may always import itself and packages. A folder imports
 * only folders that come later in this table, so there is no cycle of folders.
 */
const allowed: Record<string, string[]> = {
  tests: ['scripts', 'supabase/embedded', entry, 'app/routes', 'app/*', base, 'public'],
  scripts: [
    'supabase/embedded',
    'app/live',
    'app/operator',
    'app/chain',
    'app/ledger',
    'app/wallet',
    'app/log',
    'app/server',
    base,
  ],
  'supabase/embedded': ['app/ledger', 'app/log', base],
  [entry]: ['app/*', base],
  'app/routes': ['app/*', base, 'public'],
  'app/downloads': ['app/ledger', 'app/log', 'app/server', base],
  'app/edge': [
    'app/live',
    'app/mail',
    'app/chain',
    'app/pictures',
    'app/auth',
    'app/profile',
    'app/forms',
    'app/rendering',
    'app/server',
    base,
  ],
  'app/operator': [
    'app/follow',
    'app/auth',
    'app/profile',
    'app/pictures',
    'app/ledger',
    'app/wallet',
    'app/forms',
    'app/ui',
    'app/server',
    base,
  ],
  'app/enhance': ['app/live', 'app/ledger', 'app/log', base],
  'app/live': ['app/server', base],
  'app/auth': ['app/profile', 'app/wallet', 'app/forms', 'app/ui', 'app/server', base],
  'app/profile': ['app/wallet', 'app/forms', 'app/ui', 'app/server', base],
  'app/pictures': ['app/server', base],
  'app/donate': ['app/ledger', 'app/forms', 'app/ui', 'app/server', base],
  'app/mail': ['app/chain', 'app/follow', 'app/ledger', 'app/server', base],
  'app/chain': ['app/ledger', 'app/log', 'app/server', base],
  'app/ledger': ['app/forms', 'app/ui', 'app/log', 'app/server', base],
  'app/follow': ['app/forms', 'app/ui', 'app/server', base],
  'app/fundme': ['app/forms', 'app/ui', 'app/server', base],
  'app/ui': ['app/rendering', base],
  'app/wallet': ['app/forms', 'app/server', base],
  'app/rendering': ['app/server', base],
  'app/forms': ['app/server', base],
  'app/log': ['app/server', base],
  'app/server': [base],
  public: [],
  [base]: [],
}

/** The key of `allowed` for a path relative to the project. */
function folderOf(path: string): string {
  // A unit test is beside its code.
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
 * Reads the TypeScript files of app, scripts, supabase and tests. Returns a sentence for each import that is not
 * allowed and for each fault of the table.
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
  for (const path of globSync('{app,scripts,supabase,tests}/**/*.{ts,tsx}')) {
    const from = folderOf(path)
    if (!allowed[from]) violations.push(`${path}: the table in tests/boundaries.ts has no row for ${from}`)
    for (const { fileName } of ts.preProcessFile(readFileSync(path, 'utf8'), true, true).importedFiles) {
      const specifier = fileName.replace(/\?.*$/, '')
      if (!/^(\.|~\/)/.test(specifier)) continue
      const resolved = ts.resolveModuleName(specifier, `${root}/${path}`, options, ts.sys).resolvedModule
      // TypeScript does not resolve stylesheets and plain JavaScript.
      const file = resolved ? relative(root, resolved.resolvedFileName) : join(dirname(path), specifier)
      const to = folderOf(file)
      if (!mayImport(from, to)) violations.push(`${path} imports ${file}: ${from} may not import ${to}`)
      // What two pages share belongs to a folder outside of app/routes.
      if (from === 'app/routes' && to === from && pageOf(path) !== pageOf(file))
        violations.push(`${path} imports ${file}: ${pageOf(path)} may not import ${pageOf(file)}`)
    }
  }
  return violations
}

const violations = findViolations()
for (const violation of violations) console.error(violation)
if (violations.length > 0) console.error('The table of allowed imports is in tests/boundaries.ts.')
process.exit(violations.length > 0 ? 1 : 0)
