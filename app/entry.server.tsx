import type { AppLoadContext, EntryContext } from '@remix-run/cloudflare'
import { RemixServer } from '@remix-run/react'
import { renderToReadableStream } from 'react-dom/server'
import { contentSecurityPolicy } from './edge/security.server'
import { isHydrated } from './ui/hydration'

/** Renders a document whole: without JavaScript nothing could fill in a part that came later. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remix: EntryContext,
  context: AppLoadContext,
): Promise<Response> {
  const hydrated = isHydrated(remix.staticHandlerContext)
  const nonce = hydrated ? context.nonce : undefined
  const stream = await renderToReadableStream(<RemixServer context={remix} url={request.url} nonce={nonce} />, {
    nonce,
    signal: request.signal,
    onError: (error) => context.log.error('render.threw', { message: (error as Error).message }),
  })
  await stream.allReady
  headers.set('Content-Type', 'text/html; charset=utf-8')
  headers.set('Content-Security-Policy', contentSecurityPolicy(context.config, nonce))
  return new Response(stream, { status, headers })
}

/** Errors of loaders and actions: one line, without the stack that Remix would print. */
export function handleError(error: unknown, { context }: { context: AppLoadContext }): void {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : 'a value was thrown'
  context.log.error('loader.threw', { message })
}
