import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const debian = '/usr/bin/chromium'

/** The path of Debian's Chromium, or undefined to use Playwright's own. */
export function browserPath(): string | undefined {
  return existsSync(debian) ? debian : undefined
}

/** Arguments that stop the browser's own connections. */
export const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Installs Debian's Chromium as root on a system with apt-get, otherwise Playwright's own. */
export function installBrowser(): void {
  if (existsSync(debian)) return
  const run = (command: string, ...args: string[]) =>
    spawnSync(command, args, { stdio: 'inherit' }).status === 0
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (mayInstall && run('apt-get', 'update', '-qq') && run('apt-get', 'install', '-y', '-qq', 'chromium'))
    return
  run('playwright', 'install', 'chromium')
}
