import type { Plugin } from 'vite'

const entry = 'app/worker.ts'

/** Makes app/worker.ts the entry of the server build, which wrangler deploys unchanged. */
export function workerEntry(): Plugin {
  return {
    name: 'goodblock:worker-entry',
    apply: 'build',
    config: (_, { isSsrBuild }) => (isSsrBuild ? { build: { rollupOptions: { input: entry } } } : undefined),
    configResolved({ build }) {
      if (!build.ssr) return
      // mergeConfig would append the entry to Remix's input, which the worker imports as a virtual module.
      build.rollupOptions.input = entry
      // A dynamically imported module is a separate chunk. The entry exports what app/worker.ts does.
      build.rollupOptions.preserveEntrySignatures = 'strict'
      build.rollupOptions.output = {
        ...build.rollupOptions.output,
        inlineDynamicImports: false,
        // Otherwise each module also imports what its imports import, and an isolate resolves each import.
        hoistTransitiveImports: false,
        chunkFileNames: ({ name, facadeModuleId }) => `chunks/${pageOf(facadeModuleId) ?? name}-[hash].js`,
      }
    },
  }
}

/** The name of a page's folder. The module of such a page is always named `route`. */
function pageOf(path: string | null): string | undefined {
  return path?.match(/\/routes\/([^/]+)\/route\.tsx?$/)?.[1]
}
