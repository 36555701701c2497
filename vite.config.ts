import { fileURLToPath } from 'node:url'
import { vitePlugin as remix } from '@remix-run/dev'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { catalogs } from './scripts/vite/catalogs.ts'
import { chunkOf } from './scripts/vite/client-chunks.ts'
import { devWorker } from './scripts/vite/dev-worker.ts'
import { lazyRoutes } from './scripts/vite/lazy-routes.ts'
import { messages } from './scripts/vite/messages.ts'
import { pageScripts } from './scripts/vite/page-scripts.ts'
import { pages } from './scripts/vite/pages.ts'
import { pools } from './scripts/vite/pools.ts'
import { verifier } from './scripts/vite/verifier.ts'
import { workerEntry } from './scripts/vite/worker-entry.ts'

declare module '@remix-run/cloudflare' {
  interface Future {
    v3_singleFetch: true
  }
}

const fileIn = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/**
 * Packages of which the worker would load large parts without use, because they are CommonJS (decision 007). The router
 * imports React's renderer for browsers for `flushSync`. Of `@remix-run/cloudflare` the site uses what it re-exports.
 */
const unusedByWorker = [
  { find: /^react-dom$/, replacement: fileIn('./scripts/vite/nothing.ts') },
  { find: '@remix-run/cloudflare', replacement: '@remix-run/server-runtime' },
]

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [
    command === 'serve' && devWorker(),
    messages(),
    catalogs(),
    pools(),
    remix({
      serverModuleFormat: 'esm',
      future: {
        v3_fetcherPersist: true,
        v3_lazyRouteDiscovery: true,
        v3_relativeSplatPath: true,
        v3_routeConfig: true,
        v3_singleFetch: true,
        v3_throwAbortReason: true,
        unstable_optimizeDeps: true,
      },
    }),
    tailwindcss(),
    workerEntry(),
    lazyRoutes(),
    pageScripts(),
    pages(),
    verifier(),
  ],
  resolve: {
    alias: [
      { find: '~', replacement: fileIn('./app') },
      // Conform uses functions that zod/mini has too. All schemas of the app are of zod/mini, which costs a new
      // isolate less than half as much (decision 007).
      { find: /^zod\/v4$/, replacement: 'zod/mini' },
      ...(isSsrBuild ? unusedByWorker : []),
    ],
  },
  // Plugins for the scripts that only a few pages load.
  worker: { plugins: () => [messages(), verifier()] },
  build: { target: 'es2022', minify: true, assetsInlineLimit: 0, modulePreload: false },
  environments: { client: { build: { rollupOptions: { output: { manualChunks: chunkOf } } } } },
  // Only for the build: in the development server, noExternal breaks CommonJS dependencies.
  ...(isSsrBuild && {
    // The comments stay in the scripts that browsers get.
    esbuild: { legalComments: 'none' },
    define: {
      'process.env.NODE_ENV': JSON.stringify('production'),
      'import.meta.env.RELEASE': JSON.stringify(Date.now().toString(36)),
    },
    ssr: {
      target: 'webworker',
      noExternal: true,
      resolve: { conditions: ['workerd', 'worker', 'browser', 'module', 'import', 'default'] },
    },
  }),
}))
