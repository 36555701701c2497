/**
 * The first step of every npm script. Runs on the machine's own Node without any package. Installs the
 * packages if a package is missing or its version differs from the lock file.
 *
 *     node scripts/setup.mjs          the packages for running the site: `dependencies`
 *     node scripts/setup.mjs --dev    also the packages for tests and deployment: `devDependencies`, `peerDependencies`
 *
 * The later steps run on Node 24 from the package `node`.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

const bundledNode = 'node_modules/.bin/node'
/** Exists while npm is installing: a package counts as complete with its package.json. */
const unfinished = 'node_modules/.unfinished'

/** The packages of a lock file, keyed by path, without the project itself. */
function packagesOf(lockFile) {
  const { '': _, ...packages } = JSON.parse(readFileSync(lockFile, 'utf8')).packages
  return packages
}

function readInstalled() {
  try {
    return packagesOf('node_modules/.package-lock.json')
  } catch {
    return {} // No package is installed, or npm was stopped while it wrote the file.
  }
}

const locked = Object.entries(packagesOf('package-lock.json'))
const installed = readInstalled()
// Keep installed development packages, so that `npm start` after `npm test` removes nothing.
const withDev = process.argv.includes('--dev') || Object.values(installed).some(({ dev }) => dev)
const wanted = locked
  .filter(([, { dev, peer, optional }]) => !optional && (withDev || !(dev || peer)))
  .map(([path, { version }]) => ({ path, version }))
const missing = wanted.filter(({ path, version }) => installed[path]?.version !== version)

const wasInterrupted = existsSync(unfinished)
if (wasInterrupted || missing.length > 0 || !existsSync(bundledNode)) {
  console.log(
    `Installing packages … (${wanted.length}, once; one to three minutes, longer on a slow network)`,
  )
  if (wasInterrupted) rmSync('node_modules', { recursive: true, force: true })
  mkdirSync('node_modules', { recursive: true })
  writeFileSync(unfinished, '')
  // Not `npm ci`, because it rejects a lock file that lacks the optional packages of other platforms. Without
  // --no-save, npm would write the lock file, and an interruption could leave half of it.
  const groups = withDev ? ['--include=dev', '--include=peer'] : ['--omit=dev', '--omit=peer']
  const npm = ['npm', 'install', ...groups, '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  // npm must stop with this script. Otherwise this npm and the next start's would write to one folder.
  const started = Date.now()
  const tell = () => {
    const done = wanted.filter(({ path }) => existsSync(`${path}/package.json`)).length
    console.log(`  ${done} of ${wanted.length} packages, ${Math.round((Date.now() - started) / 1_000)} s`)
  }
  const told = setInterval(tell, 10_000)
  const status = await new Promise((resolve) =>
    spawn('sh', ['scripts/run-with-parent.sh', ...npm], { stdio: 'inherit' }).once('exit', resolve),
  )
  clearInterval(told)
  tell()
  if (status !== 0) process.exit(status ?? 1)
  removeNodeHeaders()
  rmSync(unfinished)
}

const { status, stdout } = spawnSync(bundledNode, ['--version'], { encoding: 'utf8' })
if (status !== 0 || Number.parseInt(stdout.slice(1), 10) < 24) {
  console.error("The package 'node' is not complete. Allow its install script, then run: npm rebuild node")
  process.exit(1)
}

/** Deletes the C headers of the bundled Node (61 MB), because no package here compiles an add-on. */
function removeNodeHeaders() {
  const platforms = 'node_modules/node/node_modules'
  if (!existsSync(platforms)) return
  for (const name of readdirSync(platforms).filter((name) => name.startsWith('node-')))
    rmSync(`${platforms}/${name}/include`, { recursive: true, force: true })
}
