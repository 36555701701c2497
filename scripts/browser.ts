import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename } from 'node:path'

/**
 * Debian's builds of Chromium, the lightest first. The headless shell has no browser window. The full
 * Chromium also renders its tab strip, which doubles the processor time of the tests.
 */
const debian = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const

/** The path of Debian's Chromium, or undefined if Playwright's Chromium must be used. */
export function browserPath(): string | undefined {
  return debian.find(existsSync)
}

/**
 * Arguments that let the browser run as root and without a GPU, and that disable its background connections.
 */
export const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Installs Debian's headless Chromium, or else Debian's full Chromium, if this user is root and the system
 * has apt-get. Installs Playwright's Chromium if Debian's cannot be installed and is not present.
 */
export function installBrowser(): void {
  const [headlessShell] = debian
  if (existsSync(headlessShell)) return
  const run = (command: string, ...args: string[]) =>
    spawnSync(command, args, { stdio: 'inherit' }).status === 0
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  const install = (path: string) => run('apt-get', 'install', '-y', '-qq', basename(path))
  if (mayInstall && run('apt-get', 'update', '-qq') && debian.some(install)) return
  if (!browserPath()) run('playwright', 'install', 'chromium')
}
