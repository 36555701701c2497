/**
 * Runs first, on the machine's own Node, with nothing installed: installs the packages when they are missing
 * or older than the lock file. The scripts after it run on the Node that the packages bring.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'

const installed = 'node_modules/.package-lock.json'
const current = existsSync(installed) && statSync(installed).mtimeMs >= statSync('package-lock.json').mtimeMs
if (!current) {
  console.log('Installing packages …')
  // Not 'npm ci': it refuses a lock file that lacks other platforms' optional packages.
  const { status } = spawnSync('npm install --no-audit --no-fund --loglevel=error', {
    stdio: 'inherit',
    shell: true,
  })
  if (status !== 0) process.exit(status ?? 1)
}
const { status, stdout } = spawnSync('node_modules/.bin/node', ['--version'], { encoding: 'utf8' })
if (status !== 0 || Number.parseInt(stdout.slice(1), 10) < 24) {
  console.error(
    "The package 'node' did not install its program. Allow its install script, then: npm rebuild node",
  )
  process.exit(1)
}
