import { fileURLToPath } from 'node:url'

/** Changes the working folder to the project's folder, so that the scripts can be started from any folder. */
export function enterProject(): void {
  process.chdir(fileURLToPath(new URL('..', import.meta.url)))
}
