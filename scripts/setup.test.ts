import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'

const scripts = ['setup.mjs', 'run-with-parent.sh']
const files = 1_000

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A project with two packages in local archives: a `node` that prints a version, and many files. */
function newProject() {
  const folder = mkdtempSync(join(tmpdir(), 'goodblock-setup-'))
  folders.push(folder)
  mkdirSync(join(folder, 'scripts'))
  for (const name of scripts)
    copyFileSync(fileURLToPath(new URL(name, import.meta.url)), join(folder, 'scripts', name))
  const bin = { node: 'bin.sh' }
  const many = Object.fromEntries(Array.from({ length: files }, (_, n) => [`${n}.txt`, `file ${n}`]))
  const node = pack(folder, 'node', { 'bin.sh': '#!/bin/sh\necho v24.0.0\n' }, { bin })
  const large = pack(folder, 'large', many)
  const project = {
    name: 'project',
    version: '1.0.0',
    dependencies: { large: large.resolved, node: node.resolved },
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project))
  const packages = { '': project, 'node_modules/large': large, 'node_modules/node': { ...node, bin } }
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ name: 'project', version: '1.0.0', lockfileVersion: 3, requires: true, packages }),
  )
  return folder
}

/** Writes the archive of a package. Returns the package's entry in the lock file. */
function pack(folder: string, name: string, content: Record<string, string>, more: object = {}) {
  const source = join(folder, 'sources', name, 'package')
  mkdirSync(source, { recursive: true })
  for (const [path, text] of Object.entries({
    ...content,
    'package.json': JSON.stringify({ name, version: '1.0.0', ...more }),
  }))
    writeFileSync(join(source, path), text)
  if (existsSync(join(source, 'bin.sh'))) chmodSync(join(source, 'bin.sh'), 0o755)
  const archive = join(folder, `${name}.tgz`)
  execFileSync('tar', ['-czf', archive, '-C', join(folder, 'sources', name), 'package'])
  const integrity = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  return { version: '1.0.0', resolved: `file:${name}.tgz`, integrity }
}

const options = (cwd: string) => ({
  cwd,
  env: { ...process.env, npm_config_offline: 'true', npm_config_update_notifier: 'false' },
})
const install = (folder: string, ...args: string[]) =>
  execFileSync('node', ['scripts/setup.mjs', ...args], options(folder)).toString()

const countFiles = (folder: string) => {
  const large = join(folder, 'node_modules/large')
  return existsSync(large) ? readdirSync(large).filter((name) => name.endsWith('.txt')).length : 0
}

/** Starts the installation as a group of processes. Waits for `share` of the files, or for its end. */
async function startInstalling(folder: string, share: number) {
  const child = spawn('node', ['scripts/setup.mjs'], { ...options(folder), detached: true, stdio: 'ignore' })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const send = (to: number, signal: NodeJS.Signals | 0) => {
    try {
      return process.kill(to, signal)
    } catch {
      return false // The group has no running process.
    }
  }
  const pid = child.pid as number
  while (countFiles(folder) < share * files && send(pid, 0))
    await new Promise((resolve) => setTimeout(resolve, 2))
  return { pid, group: -pid, exited, send }
}

test('installs a peer dependency of the project only with --dev, even if a package names it as an optional peer', () => {
  const folder = newProject()
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'))
  const tool = pack(folder, 'tool', {})
  const peers = { peerDependencies: { tool: '1.0.0' }, peerDependenciesMeta: { tool: { optional: true } } }
  const large = { ...pack(folder, 'large', { '0.txt': '' }, peers), ...peers }
  const peerDependencies = { tool: tool.resolved }
  const project = { ...read('package.json'), peerDependencies, overrides: { large: { tool: '$tool' } } }
  const { packages, ...lock } = read('package-lock.json')
  const entries = { ...packages, '': project, 'node_modules/large': large }
  const added = { 'node_modules/tool': { ...tool, peer: true } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project))
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ ...lock, packages: { ...entries, ...added } }),
  )
  const hasTool = () => existsSync(join(folder, 'node_modules/tool/package.json'))
  install(folder)
  expect(hasTool()).toBe(false)
  install(folder, '--dev')
  expect(hasTool()).toBe(true)
  expect(install(folder, '--dev')).toBe('')
})

test.each([
  ['SIGINT', [0.5]],
  ['SIGKILL', [0.01, 0.5]],
] as const)(
  'the next start completes an installation, whenever %s interrupted it',
  async (signal, shares) => {
    const folder = newProject()
    const states: string[] = []
    for (const share of shares) {
      rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
      const { group, exited, send } = await startInstalling(folder, share)
      send(group, signal)
      await exited
      // On a busy machine, the signal may arrive after the installation has ended.
      const isComplete =
        existsSync(join(folder, 'node_modules/.package-lock.json')) &&
        !existsSync(join(folder, 'node_modules/.unfinished'))
      states.push(isComplete ? 'complete' : `${countFiles(folder)} files`)
      expect(install(folder), states.join()).toContain(isComplete ? '' : 'Installing packages …')
      expect(countFiles(folder), states.join()).toBe(files)
    }
    expect(install(folder), 'nothing is left to install').toBe('')
    expect(states.filter((state) => state !== 'complete')).not.toEqual([])
  },
)

test('says how many packages it installs, how long that takes, and how far it is', () => {
  const said = install(newProject())
  expect(said).toMatch(/^Installing packages … \(2, once; one to three minutes, longer on a slow network\)\n/)
  expect(said).toMatch(/\n {2}2 of 2 packages, \d+ s\n$/)
})

test('reinstalls a package that is incomplete, and never writes the lock file', () => {
  const folder = newProject()
  const lockFile = join(folder, 'package-lock.json')
  const before = readFileSync(lockFile, 'utf8')
  install(folder)
  expect(readFileSync(lockFile, 'utf8')).toBe(before)
  // The state after npm was killed: package.json and only some of the other files are written.
  for (let n = 0; n < files / 2; n++) rmSync(join(folder, `node_modules/large/${n}.txt`))
  rmSync(join(folder, 'node_modules/.package-lock.json'))
  writeFileSync(join(folder, 'node_modules/.unfinished'), '')
  install(folder)
  expect(countFiles(folder)).toBe(files)
})

test('npm ends when its parent script is killed', async () => {
  const folder = newProject()
  const { pid, group, exited, send } = await startInstalling(folder, 0.01)
  send(pid, 'SIGKILL')
  await exited
  await expect.poll(() => send(group, 0)).toBe(false)
  expect(existsSync(join(folder, 'node_modules/.package-lock.json'))).toBe(false)
})
