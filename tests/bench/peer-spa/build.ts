import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import { build } from 'vite'
import { catalogs } from '../../../scripts/vite/catalogs.ts'
import { messages } from '../../../scripts/vite/messages.ts'
import { pages } from '../../../scripts/vite/pages.ts'

const root = new URL('../../..', import.meta.url).pathname
const app = join(root, 'app')

/** Builds the peer with the defaults of `vite build`: hashed, minified chunks, one for each page. */
export async function buildPeer(backendUrl: string): Promise<string> {
  const outDir = join(tmpdir(), 'goodblock-bench-peer')
  await build({
    configFile: false,
    logLevel: 'error',
    root: join(root, 'tests/bench/peer-spa'),
    publicDir: join(root, 'public'),
    plugins: [
      messages(),
      catalogs(),
      pages(),
      tailwindcss(),
      {
        // The peer uses the pages of the site, but loads their data in the browser instead of on the server.
        name: 'without-server-modules',
        enforce: 'pre',
        resolveId: (id) => (/\.server$/.test(id) ? '\0server' : undefined),
        load: (id) =>
          id === '\0server' ? { code: 'export default {}', syntheticNamedExports: true } : undefined,
      },
    ],
    resolve: { alias: { '~': app } },
    // The frame imports the scripts of the site's pages, which the peer does not load.
    worker: { format: 'es', plugins: () => [messages()] },
    define: {
      'import.meta.env.VITE_SUPABASE_URL': JSON.stringify(backendUrl),
      'import.meta.env.VITE_SUPABASE_KEY': JSON.stringify('sb_publishable_bench'),
    },
    build: { outDir, emptyOutDir: true, assetsInlineLimit: 0 },
  })
  return outDir
}
