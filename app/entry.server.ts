import type { AppLoadContext, HandleDocumentRequestFunction } from '@remix-run/cloudflare'

/** Loads the code that renders pages, which downloads and feeds do not need. */
export const loadDocument = () => import('./entry/document.server')

/** Renders a page. */
const handleRequest: HandleDocumentRequestFunction = async (...given) =>
  (await loadDocument()).renderDocument(...given)
export default handleRequest

/** Logs an error from a loader or action in one line, without the stack that Remix would print. */
export function handleError(error: unknown, { context }: { context: AppLoadContext }): void {
  const message =
    error instanceof Error ? `${error.name}: ${error.message}` : 'a value that is not an Error was thrown'
  context.log.error('loader.threw', { message })
}
