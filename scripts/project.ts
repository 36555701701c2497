import { fileURLToPath } from 'node:url'

/** Makes the project's folder the working folder, so that the scripts can be started from any other one. */
export function enterProject(): void {
  process.chdir(fileURLToPath(new URL('..', import.meta.url)))
}
