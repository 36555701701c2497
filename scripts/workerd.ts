import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Every workerd that miniflare starts after this call ends with this process, even after a SIGKILL. */
export function bindWorkerd(): void {
  // workerd is a dependency of miniflare, so the path is resolved from miniflare's folder.
  const fromMiniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'))
  process.env.WORKERD = fromMiniflare('workerd').default
  process.env.MINIFLARE_WORKERD_PATH = fileURLToPath(new URL('workerd.sh', import.meta.url))
}
