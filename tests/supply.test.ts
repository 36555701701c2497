import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Locked {
  version: string
  license?: string
  resolved?: string
  integrity?: string
  hasInstallScript?: boolean
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
  dev?: boolean
  peer?: boolean
  optional?: boolean
}

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const manifest = read('package.json')
const lock: { lockfileVersion: number; packages: Record<string, Locked> } = read('package-lock.json')
const { '': root, ...locked } = lock.packages
const packages = Object.entries(locked).map(([path, one]) => ({ path, name: nameOf(path), ...one }))
/** The packages that worker or browser may contain: those that app/ imports, and what they need. */
const shipped = closure(importedByApp())

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

function importedByApp(): string[] {
  const sources = globSync('app/**/*.{ts,tsx,css}').filter((path) => !path.includes('.test.'))
  const names = sources
    .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/(?:from|import\(?) ?['"]([^'"]+)['"]/g)])
    .map(([, specifier = '']) => /^(@[\w-]+\/)?[\w.-]+/.exec(specifier)?.[0] ?? '')
  return [...new Set(names)].filter((name) => name in manifest.dependencies)
}

/** The installed packages with these `names` and all that they need, resolved as Node does. */
function closure(names: string[]) {
  const found = new Map<string, (typeof packages)[number]>()
  const add = (name: string, from: string): void => {
    const folder = from.lastIndexOf('/node_modules/')
    const here = packages.find(({ path }) => path === `${from && `${from}/`}node_modules/${name}`)
    if (!here) {
      if (from !== '') add(name, folder < 0 ? '' : from.slice(0, folder))
      return
    }
    if (found.has(here.path)) return
    found.set(here.path, here)
    for (const needed of Object.keys(here.dependencies ?? {})) add(needed, here.path)
  }
  for (const name of names) add(name, '')
  return [...found.values()]
}

const permissive = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'OFL-1.1']

test('the lock file belongs to this manifest and has the hash of every package', () => {
  expect(lock.lockfileVersion).toBe(3)
  for (const kind of ['dependencies', 'devDependencies', 'peerDependencies'] as const)
    expect((root as unknown as typeof manifest)[kind]).toEqual(manifest[kind])
  expect(packages.length).toBeGreaterThan(100)
  for (const { path, resolved, integrity } of packages)
    if (resolved) expect(integrity, path).toMatch(/^sha512-/)
})

test('installs the locked version of every shipped package', () => {
  for (const { path, version } of shipped) expect(read(`${path}/package.json`).version, path).toBe(version)
})

test('ships only packages with permissive licences, and docs/security.md lists the licences that are not MIT', () => {
  expect(shipped.length).toBeGreaterThan(20)
  const table = new Map<string, Set<string>>()
  for (const { path, name } of shipped) {
    const license: string = read(`${path}/package.json`).license
    const alternatives = license.replace(/[()]/g, '').split(/ (?:OR|AND) /)
    for (const alternative of alternatives) expect(permissive, path).toContain(alternative)
    if (license !== 'MIT') table.set(license, (table.get(license) ?? new Set()).add(name))
  }
  const rows = [...table]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([license, names]) => `| ${license} | ${[...names].toSorted().join(', ')} |`)
  expect(readFileSync('docs/security.md', 'utf8')).toContain(rows.join('\n'))
})

test('allows install scripts for exactly the packages that have one', () => {
  const running = new Set(packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name))
  expect([...running].toSorted()).toEqual(Object.keys(manifest.allowScripts).toSorted())
  expect(shipped.filter(({ hasInstallScript }) => hasInstallScript)).toEqual([])
  // npm compiles a package that has this file, even if the lock file names no install script.
  for (const { path } of shipped) expect(existsSync(`${path}/binding.gyp`), path).toBe(false)
})

// `npm start` installs neither development nor peer packages (scripts/setup.mjs).
test('npm start installs each package that one of its packages asks for beside itself', () => {
  const isStarted = ({ dev, peer, optional }: Locked) => !dev && !peer && !optional
  const started = packages.filter(isStarted)
  const paths = new Set(started.map(({ path }) => path))
  // As Node resolves a name from the folder of a package.
  const isFound = (name: string, from: string): boolean => {
    const parent = from.slice(0, from.lastIndexOf('node_modules/'))
    if (paths.has(`${parent}node_modules/${name}`)) return true
    return parent !== '' && isFound(name, parent)
  }
  const lacking = started.flatMap(({ path, peerDependencies = {}, peerDependenciesMeta = {} }) =>
    Object.keys(peerDependencies)
      .filter((name) => !peerDependenciesMeta[name]?.optional && !isFound(name, path))
      .map((name) => `${path} asks for ${name}`),
  )
  expect(lacking).toEqual([])
})
