// React's build for edge runtimes, which the dev server uses in Node too. Each import is dynamic, because no
// isolate needs a renderer before its loaders have their data, and uses `default`, because the modules are
// CommonJS.

/** React's renderer of a page without Remix's script. */
export const markupRenderer = async () => (await import('react-dom/server.browser')).default

/**
 * React's renderer of a page with Remix's script. The build has it as a separate module
 * (scripts/vite/unused-parts.ts).
 */
export const streamRenderer = async () =>
  import.meta.env.DEV ? markupRenderer() : (await import('react-dom/streams')).default
