import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { vitePlugin as remix } from '@remix-run/dev'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import { devWorker } from './scripts/dev-worker.ts'

declare module '@remix-run/cloudflare' {
  interface Future {
    v3_singleFetch: true
  }
}

/** Makes app/worker.ts the entry of the server build. Vite bundles the worker, and wrangler deploys it unchanged. */
function workerEntry(): Plugin {
  return {
    name: 'goodblock:worker-entry',
    apply: 'build',
    config: (_, { isSsrBuild }) =>
      isSsrBuild ? { build: { rollupOptions: { input: 'app/worker.ts' } } } : undefined,
    configResolved(config) {
      // mergeConfig appends to Remix's own input, which the worker imports as a virtual module.
      if (!config.build.ssr) return
      config.build.rollupOptions.input = 'app/worker.ts'
      // A dynamically imported module becomes a separate chunk. The entry exports only what app/worker.ts exports.
      config.build.rollupOptions.preserveEntrySignatures = 'strict'
      config.build.rollupOptions.output = {
        ...config.build.rollupOptions.output,
        inlineDynamicImports: false,
        // An isolate loads a few modules of several kB faster than many small ones, and large modules compress better.
        experimentalMinChunkSize: 3000,
        chunkFileNames: 'chunks/[name]-[hash].js',
      }
    },
  }
}

/**
 * Makes Remix's list of routes load each module for the first request that needs it (app/rendering/router.server.ts).
 * Otherwise an isolate would parse and run all of them before its first response. Fails if Remix writes the list in
 * another way.
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

/** Replacements for files of packages in the worker's build: the path of a file, and its replacement as source code. */
const unusedInWorker = new Map<RegExp, string>([
  // React's renderer for browsers. The router imports it for `flushSync`, which it uses only in a browser.
  [/\/react-dom\/index\.js$/, 'export {}'],
  // Leaves out the renderer of streams: hydrated pages import it as react-dom/streams (app/entry.server.tsx).
  [
    /\/react-dom\/server\.browser\.js$/,
    "module.exports = require('./cjs/react-dom-server-legacy.browser.production.min.js')",
  ],
  // A CommonJS package, so unused parts cannot be removed. The site uses only what it re-exports from another package.
  [/\/@remix-run\/cloudflare\/dist\/index\.js$/, "export * from '@remix-run/server-runtime'"],
  // No schema is converted to a JSON schema.
  [/\/zod\/v4\/core\/json-schema-processors\.js$/, 'export const toJSONSchema = null'],
  [/\/zod\/v4\/core\/json-schema-generator\.js$/, 'export const JSONSchemaGenerator = null'],
  [
    /\/zod\/v4\/core\/to-json-schema\.js$/,
    'export const createToJSONSchemaMethod = null; export const createStandardJSONSchemaMethod = () => null',
  ],
])

/**
 * Leaves out of the worker the code that no request uses (55 KiB gzipped), which each isolate would parse. Fails if a
 * package no longer has such a file.
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
 * Leaves out of the browser's script the code with which Remix loaded data before single fetch (2 kB gzipped): the
 * server has no such responses. Fails if the package no longer has the condition.
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
 * Replaces Vite's preloading for `import()` in the browser by a plain import. The preloading is larger than the parts
 * that are loaded late, and these need none: they have no style, and their imports are already loaded.
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

const fileIn = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The modules that every hydrated page uses. */
const frame =
  /\/app\/(site|floating-toast|auth\/redirect|rendering\/(cached|hydration)|ui\/problem|forms\/(field|refusal|submit-button|toast))\.tsx?$/

/** The modules that the dashboard shares with its lazy parts and other pages. One file is 0.6 kB smaller than six. */
const dashboardParts = /\/app\/(money|time|ledger\/unavailable|profile\/profile-card|ui\/(icon|when))\.tsx?$/

/**
 * The hash in the names of the scripts of single pages (`?worker&url`). It is the hash of the sources, not of the
 * script: the client build and the server build remove different dead code from a script, so with a hash of its content
 * the server would name a file that does not exist.
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
  // One chunk each for all packages, for the modules that every hydrated page uses, and for `dashboardParts`: large
  // chunks compress better, and the chunk of the packages changes only with a package.
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
  // For the build only: with the development server, noExternal breaks CommonJS dependencies.
  ...(isSsrBuild && {
    define: {
      'process.env.NODE_ENV': JSON.stringify('production'),
      // The router assigns this inside `try`, which fails without a window. To record the place of the error, V8 would
      // parse the whole worker again at the start of each isolate (decision 007).
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
