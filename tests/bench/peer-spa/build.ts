import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import { build } from 'vite'

const root = new URL('../../..', import.meta.url).pathname
const app = join(root, 'app')

/** Builds the peer as `vite build` does such sites: hashed chunks, minified, one of them for each page. */
export async function buildPeer(backendUrl: string): Promise<string> {
  const outDir = join(tmpdir(), 'goodblock-bench-peer')
  await build({
    configFile: false,
    logLevel: 'error',
    root: join(root, 'tests/bench/peer-spa'),
    publicDir: join(root, 'public'),
    plugins: [
      tailwindcss(),
      {
        // The pages are the site's own; what they read on the server, the peer reads in the browser.
        name: 'without-server-modules',
        enforce: 'pre',
        resolveId: (id) => (/\.server$/.test(id) ? '\0server' : undefined),
        load: (id) =>
          id === '\0server' ? { code: 'export default {}', syntheticNamedExports: true } : undefined,
      },
    ],
    resolve: { alias: { '~': app } },
    define: {
      'import.meta.env.VITE_SUPABASE_URL': JSON.stringify(backendUrl),
      'import.meta.env.VITE_SUPABASE_KEY': JSON.stringify('sb_publishable_bench'),
    },
    build: { outDir, emptyOutDir: true, assetsInlineLimit: 0 },
  })
  return outDir
}
