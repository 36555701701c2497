import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/**
 * Names the scripts of single pages (`?worker&url`) with a hash of the sources, not of the script. The client
 * build and the server build remove different dead code from a script, so with a hash of the script the
 * server would name a file that does not exist.
 */
export function pageScripts(): Plugin {
  return {
    name: 'goodblock:page-scripts',
    apply: 'build',
    config: () => ({
      worker: {
        format: 'es',
        rollupOptions: { output: { entryFileNames: `assets/[name]-${sourceHash()}.js` } },
      },
    }),
  }
}

function sourceHash(): string {
  const hash = createHash('sha256')
  for (const path of globSync(['app/**/*.{ts,tsx}', 'public/verify-ledger.mjs']).sort())
    hash.update(readFileSync(path))
  return hash.digest('base64url').slice(0, 8)
}
