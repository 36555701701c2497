import type { Plugin } from 'vite'

/**
 * Remix encodes the data of every page, also of a page without Remix's script. This module loads the encoder when
 * the stream is read, which only a page with the script does. Only a browser decodes.
 */
const lateEncoder = `
export function encode(input, options) {
  let reader
  return new ReadableStream(
    {
      async pull(controller) {
        reader ??= (await import('./turbo-stream.mjs?whole')).encode(input, options).getReader()
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader?.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
export const decode = null
`

/**
 * The files of packages that the worker's build replaces: the path of each file, and the source code that
 * replaces it.
 */
const replacements = new Map<RegExp, string>([
  // React's renderer for browsers. The router imports `flushSync` from this file, and uses it only in a
  // browser.
  [/\/react-dom\/index\.js$/, 'export {}'],
  // Omits the stream renderer, because hydrated pages import it as react-dom/streams (app/document.server.tsx).
  [
    /\/react-dom\/server\.browser\.js$/,
    "module.exports = require('./cjs/react-dom-server-legacy.browser.production.min.js')",
  ],
  // Unused parts of a CommonJS package cannot be removed. The site uses only what this package re-exports
  // from another package.
  [/\/@remix-run\/cloudflare\/dist\/index\.js$/, "export * from '@remix-run/server-runtime'"],
  [/\/turbo-stream\/dist\/turbo-stream\.mjs$/, lateEncoder],
  // The site offers no passkeys.
  [
    /\/@supabase\/auth-js\/dist\/module\/lib\/webauthn\.js$/,
    `export class WebAuthnApi {}
export const browserSupportsWebAuthn = () => false
export const createCredential = null
export const deserializeCredentialCreationOptions = null
export const deserializeCredentialRequestOptions = null
export const getCredential = null
export const serializeCredentialCreationResponse = null
export const serializeCredentialRequestResponse = null
export const webAuthnAbortService = null`,
  ],
  // The site converts no schema to a JSON schema.
  [/\/zod\/v4\/core\/json-schema-processors\.js$/, 'export const toJSONSchema = null'],
  [/\/zod\/v4\/core\/json-schema-generator\.js$/, 'export const JSONSchemaGenerator = null'],
  [
    /\/zod\/v4\/core\/to-json-schema\.js$/,
    'export const createToJSONSchemaMethod = null; export const createStandardJSONSchemaMethod = () => null',
  ],
])

/** The license at the start of each file of Remix. The bill of materials names it too (npm run check). */
const license = /^\/\*\*[\s\S]*?@license MIT\s+\*\//

/**
 * Removes from the worker the code that no request uses (58 KiB gzipped), because each isolate would parse
 * this code. Fails if a package no longer has one of the files.
 */
export function withoutUnusedParts(): Plugin {
  const missing = new Set(replacements.keys())
  return {
    name: 'goodblock:without-unused-parts',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'ssr',
    load(id) {
      for (const [path, replacement] of replacements) {
        if (!path.test(id)) continue
        missing.delete(path)
        return replacement
      }
    },
    transform(code, id) {
      if (id.includes('/@remix-run/') && license.test(code))
        return { code: code.replace(license, ''), map: null }
    },
    buildEnd(error) {
      if (!error && missing.size) this.error(`no file of the worker matches ${[...missing].join(', ')}`)
    },
  }
}

/**
 * Replaces Vite's code that preloads the chunks that a dynamic import needs. `modulePreload` is off and no
 * chunk has styles, so there is nothing to preload.
 */
export function withoutPreloads(): Plugin {
  return {
    name: 'goodblock:without-preloads',
    apply: 'build',
    enforce: 'pre',
    load: (id) =>
      id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : undefined,
  }
}
