import type { AppLoadContext, EntryContext } from '@remix-run/cloudflare'

/** Loads the code that renders pages, which downloads and feeds do not need. */
export const loadDocument = () => import('./document.server')

/** Renders a page. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remix: EntryContext,
  context: AppLoadContext,
): Promise<Response> {
  const { renderDocument } = await loadDocument()
  return renderDocument(request, status, headers, remix, context)
}

/** Logs an error from a loader or action in one line, without the stack that Remix would print. */
export function handleError(error: unknown, { context }: { context: AppLoadContext }): void {
  const message =
    error instanceof Error ? `${error.name}: ${error.message}` : 'a value that is not an Error was thrown'
  context.log.error('loader.threw', { message })
}
