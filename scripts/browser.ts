import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Debian's builds of Chromium, the lightest first. The headless shell has no browser window. The full
 * Chromium also renders its tab strip, which doubles the processor time of the tests.
 */
const debian = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const

const installed = () => debian.find(existsSync)

/**
 * The options with which every browser here is started, for Playwright's `launch`. The browser is Debian's
 * Chromium, or Playwright's if Debian's is not installed. It runs as root and without a GPU, has no background
 * connections, and sees only the fonts of `fonts.conf`. BROWSER_FONTS=system shows the machine's fonts to it.
 */
export function browserOptions(...more: string[]) {
  const executablePath = installed()
  const ownFonts = { FONTCONFIG_FILE: fileURLToPath(new URL('fonts.conf', import.meta.url)) }
  return {
    ...(executablePath && { executablePath }),
    env: { ...process.env, ...(process.env.BROWSER_FONTS !== 'system' && ownFonts) } as Record<
      string,
      string
    >,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  }
}

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
  if (!installed()) run('playwright', 'install', 'chromium')
}
