import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { vitePlugin as remix } from '@remix-run/dev'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import { devWorker } from './scripts/dev-worker.ts'

declare module '@remix-run/cloudflare' {
  interface Future {
    v3_singleFetch: true
  }
}

/** Makes app/worker.ts the entry of the server build: Vite bundles the worker, wrangler ships it as it is. */
function workerEntry(): Plugin {
  return {
    name: 'goodblock:worker-entry',
    apply: 'build',
    config: (_, { isSsrBuild }) =>
      isSsrBuild ? { build: { rollupOptions: { input: 'app/worker.ts' } } } : undefined,
    configResolved(config) {
      // mergeConfig appends to Remix's own input; the worker imports that one as a virtual module.
      if (!config.build.ssr) return
      config.build.rollupOptions.input = 'app/worker.ts'
      // A dynamic import becomes a chunk of its own. The worker exports its handlers only.
      config.build.rollupOptions.preserveEntrySignatures = 'strict'
      config.build.rollupOptions.output = {
        ...config.build.rollupOptions.output,
        inlineDynamicImports: false,
        // An isolate loads few modules of several kB faster than many small ones. They also compress better.
        experimentalMinChunkSize: 3000,
        chunkFileNames: 'chunks/[name]-[hash].js',
      }
    },
  }
}

/**
 * Makes Remix's list of routes load each module for the first request that needs it (app/rendering/router.server.ts):
 * an isolate would parse and run all of them before its first response. Fails if Remix writes the list in another way.
 */
function lazyRoutes(): Plugin {
  return {
    name: 'goodblock:lazy-routes',
    transform(code, id) {
      if (!id.endsWith('virtual:remix/server-build')) return
      const lazy = code.replace(/import \* as (route\d+) from (".+");/g, 'const $1 = () => import($2);')
      if (lazy === code) this.error(`${id} imports no route`)
      return { code: lazy, map: null }
    },
  }
}

/** What parts of packages are replaced by in the worker's build. */
const unusedInWorker = new Map<RegExp, string>([
  // React's renderer for browsers: the router imports it for `flushSync`, and looks that up only in a browser.
  [/\/react-dom\/index\.js$/, 'export {}'],
  // The renderer of streams is left out: hydrated pages import it as react-dom/streams (app/entry.server.tsx).
  [
    /\/react-dom\/server\.browser\.js$/,
    "module.exports = require('./cjs/react-dom-server-legacy.browser.production.min.js')",
  ],
  // A CommonJS package, of which no part can be left out. The site uses what it passes on from another one.
  [/\/@remix-run\/cloudflare\/dist\/index\.js$/, "export * from '@remix-run/server-runtime'"],
  // Schemas are never written as JSON schemas.
  [/\/zod\/v4\/core\/json-schema-processors\.js$/, 'export const toJSONSchema = null'],
  [/\/zod\/v4\/core\/json-schema-generator\.js$/, 'export const JSONSchemaGenerator = null'],
  [
    /\/zod\/v4\/core\/to-json-schema\.js$/,
    'export const createToJSONSchemaMethod = null; export const createStandardJSONSchemaMethod = () => null',
  ],
])

/**
 * Leaves out of the worker what no request uses: each isolate would parse it, 55 KiB gzipped. Fails if a package no
 * longer has such a file.
 */
function withoutUnusedParts(): Plugin {
  const missing = new Set(unusedInWorker.keys())
  return {
    name: 'goodblock:without-unused-parts',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'ssr',
    load(id) {
      for (const [path, instead] of unusedInWorker) {
        if (!path.test(id)) continue
        missing.delete(path)
        return instead
      }
    },
    buildEnd(error) {
      if (!error && missing.size) this.error(`no file of the worker matches ${[...missing].join(', ')}`)
    },
  }
}

/**
 * Leaves out of the browser's script how Remix loaded data before single fetch (2 kB gzipped): the server has no such
 * responses. Fails if the package no longer has the line.
 */
function singleFetchOnly(): Plugin {
  const condition = 'typeof singleFetch === "function"'
  return {
    name: 'goodblock:single-fetch-only',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform(code, id) {
      if (!id.endsWith('/@remix-run/react/dist/esm/routes.js')) return
      if (!code.includes(condition)) this.error(`${id} has no '${condition}'`)
      return { code: code.replace(condition, 'true'), map: null }
    },
  }
}

/**
 * The browser's `import()` without Vite's preloading, which is larger than a part that is loaded late: no such part has
 * style, and its imports are loaded already.
 */
function withoutPreloading(): Plugin {
  return {
    name: 'goodblock:without-preloading',
    apply: 'build',
    enforce: 'pre',
    load: (id) =>
      id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : undefined,
  }
}

const fileIn = (path: string) => new URL(path, import.meta.url).pathname

/** The modules that every hydrated page uses. */
const frame =
  /\/app\/(site|floating-toast|auth\/redirect|rendering\/(cached|hydration)|ui\/problem|forms\/(field|refusal|submit-button|toast))\.tsx?$/

/** What the dashboard has in common with its lazy parts and with other pages. One file is 0.6 kB smaller than six. */
const dashboardParts = /\/app\/(money|time|ledger\/unavailable|profile\/profile-card|ui\/(icon|when))\.tsx?$/

/**
 * Names the scripts of single pages (`?worker&url`). Not their content: the client and the server build remove
 * different dead code from them, so a hash of the content would give the page the name of a file that is not there.
 */
function sourceHash(): string {
  const hash = createHash('sha256')
  for (const path of globSync('app/**/*.{ts,tsx}').sort()) hash.update(readFileSync(path))
  return hash.digest('base64url').slice(0, 8)
}

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [
    command === 'serve' && devWorker(),
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
    withoutUnusedParts(),
    singleFetchOnly(),
    withoutPreloading(),
  ],
  resolve: {
    alias: {
      '~': fileIn('./app'),
      'react-dom/streams': fileIn('./node_modules/react-dom/cjs/react-dom-server.browser.production.min.js'),
    },
  },
  worker: { format: 'es', rollupOptions: { output: { entryFileNames: `assets/[name]-${sourceHash()}.js` } } },
  build: { target: 'es2022', minify: true, assetsInlineLimit: 0, modulePreload: false },
  // One chunk for all packages and one for the modules that every hydrated page uses: they compress better as a whole,
  // and the first stays the same from release to release.
  ...(!isSsrBuild && {
    define: {
      'window.__remixContext.future.v3_singleFetch': 'true',
      'window.__remixContext.isSpaMode': 'false',
    },
    environments: {
      client: {
        build: {
          rollupOptions: {
            output: {
              manualChunks: (id) => {
                if (id.includes('/node_modules/')) return 'framework'
                if (frame.test(id)) return 'frame'
                return dashboardParts.test(id) ? 'dashboard-parts' : undefined
              },
            },
          },
        },
      },
    },
  }),
  // In dev noExternal breaks CommonJS dependencies, so it is for the build only.
  ...(isSsrBuild && {
    define: {
      'process.env.NODE_ENV': JSON.stringify('production'),
      // A statement of the router that fails without a window: for the stack of the error that it catches, V8 would
      // parse the whole worker again at the start of each isolate.
      'window.__reactRouterVersion': 'globalThis.__reactRouterVersion',
      'import.meta.env.RELEASE': JSON.stringify(Date.now().toString(36)),
    },
    ssr: {
      target: 'webworker',
      noExternal: true,
      resolve: { conditions: ['workerd', 'worker', 'browser', 'module', 'import', 'default'] },
    },
  }),
}))
