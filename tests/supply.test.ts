import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Locked {
  version: string
  license?: string
  resolved?: string
  integrity?: string
  dev?: boolean
  devOptional?: boolean
  hasInstallScript?: boolean
}

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const manifest = read('package.json')
const lock: { lockfileVersion: number; packages: Record<string, Locked> } = read('package-lock.json')
const { '': root, ...locked } = lock.packages
const packages = Object.entries(locked).map(([path, one]) => ({ path, name: nameOf(path), ...one }))
/** What the worker or the browser may get; what only builds and tests is not among them. */
const shipped = packages.filter(({ dev, devOptional }) => !dev && !devOptional)

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/** Licences that ask for no more than to be named. */
const permissive = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'OFL-1.1']

test('the lock file is of this manifest, and names the bytes of every package', () => {
  expect(lock.lockfileVersion).toBe(3)
  for (const kind of ['dependencies', 'devDependencies'] as const)
    expect((root as unknown as typeof manifest)[kind]).toEqual(manifest[kind])
  expect(packages.length).toBeGreaterThan(100)
  for (const { path, resolved, integrity } of packages)
    if (resolved) expect(integrity, path).toMatch(/^sha512-/)
})

test('what is installed is what is locked', () => {
  for (const { path, version } of shipped) expect(read(`${path}/package.json`).version, path).toBe(version)
})

test('every package that is shipped has a licence on the list, and README names those that are not MIT', () => {
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
  expect(readFileSync('README.md', 'utf8')).toContain(rows.join('\n'))
})

test('only the packages that are allowed to run something when they are installed have anything to run', () => {
  const running = new Set(packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name))
  expect([...running].toSorted()).toEqual(Object.keys(manifest.allowScripts).toSorted())
  expect(shipped.filter(({ hasInstallScript }) => hasInstallScript)).toEqual([])
  // A package without a prepared binary would build one without saying so in the lock.
  for (const { path } of shipped) expect(existsSync(`${path}/binding.gyp`), path).toBe(false)
})
