import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const script = join(root, 'scripts/build.ts')

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** Makes a project with three source files. Its script `vite` replaces Vite. Returns the project's folder. */
function newProject(vite: string) {
  const folder = mkdtempSync(join(tmpdir(), 'goodblock-build-'))
  folders.push(folder)
  for (const name of ['app', 'public', 'node_modules/@remix-run/dev/dist'])
    mkdirSync(join(folder, name), { recursive: true })
  for (const name of ['app/worker.ts', 'vite.config.ts', 'package-lock.json'])
    writeFileSync(join(folder, name), name)
  writeFileSync(join(folder, 'node_modules/@remix-run/dev/dist/cli.js'), vite)
  symlinkSync(join(root, 'scripts'), join(folder, 'scripts'))
  return folder
}

const twoChunks = `
const { mkdirSync, writeFileSync } = require('node:fs')
for (const path of ['build/server/index.js', 'build/server/chunks/a.js', 'build/client/assets/b.css']) {
  mkdirSync(require('node:path').dirname(path), { recursive: true })
  writeFileSync(path, path)
}`

const run = (folder: string) => execFileSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' })

/** What assertWholeBuild throws, followed by a line feed; empty if the build is complete. */
const fault = (folder: string) =>
  execFileSync(
    process.execPath,
    [
      '-e',
      `import(${JSON.stringify(script)}).then((build) => build.assertWholeBuild()).catch((error) => console.log(error.message))`,
    ],
    { cwd: folder, encoding: 'utf8' },
  )

test('builds only if the sources have changed, and reports an incomplete build', () => {
  const folder = newProject(twoChunks)
  expect(fault(folder)).toBe('The build is not complete (it was never finished). Run npm run build.\n')
  expect(run(folder)).toBe('Building …\n')
  expect(fault(folder)).toBe('')
  expect(run(folder)).toBe('')

  writeFileSync(join(folder, 'app/worker.ts'), 'changed')
  expect(run(folder)).toBe('Building …\n')

  const whole = join(folder, 'whole')
  cpSync(join(folder, 'build'), whole, { recursive: true })
  const damages: [string, () => void][] = [
    ['build/client/assets/b.css is missing', () => rmSync(join(folder, 'build/client'), { recursive: true })],
    [
      'build/server/chunks/a.js has changed',
      () => writeFileSync(join(folder, 'build/server/chunks/a.js'), 'half'),
    ],
    [
      'build/server/chunks/old.js is of another build',
      () => writeFileSync(join(folder, 'build/server/chunks/old.js'), ''),
    ],
    ['it was never finished', () => rmSync(join(folder, 'build/stamp.json'))],
  ]
  for (const [reason, damage] of damages) {
    rmSync(join(folder, 'build'), { recursive: true })
    cpSync(whole, join(folder, 'build'), { recursive: true })
    damage()
    expect(fault(folder)).toBe(`The build is not complete (${reason}). Run npm run build.\n`)
  }
  expect(run(folder)).toBe('Building …\n')
  expect(fault(folder)).toBe('')
})

test('builds for production with any NODE_ENV', () => {
  const folder = newProject(`${twoChunks}\nwriteFileSync('environment', process.env.NODE_ENV)`)
  expect(process.env.NODE_ENV).toBe('test')
  run(folder)
  expect(readFileSync(join(folder, 'environment'), 'utf8')).toBe('production')
})

test('a killed build ends its Vite process and counts as unfinished', async () => {
  const folder = newProject(
    `${twoChunks}\nwriteFileSync('pid', String(process.pid))\nsetInterval(() => {}, 1000)`,
  )
  const child = spawn(process.execPath, [script], { cwd: folder })
  await expect.poll(() => readdirSync(folder), { timeout: 10_000 }).toContain('pid')
  const vite = Number(execFileSync('cat', [join(folder, 'pid')], { encoding: 'utf8' }))
  child.kill('SIGKILL')
  const isAlive = () => {
    try {
      return Boolean(process.kill(vite, 0))
    } catch {
      return false
    }
  }
  await expect.poll(isAlive, { timeout: 5_000 }).toBe(false)
  expect(fault(folder)).toContain('it was never finished')
})
