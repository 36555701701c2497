import type { AppLoadContext } from '@remix-run/cloudflare'

/**
 * The guard of each loader and action that FundMe adds, before any other: while FundMe is closed, the address answers as
 * an unknown one.
 */
export function requireFundMe({ config, log, url }: AppLoadContext): void {
  if (config.FUNDME_OPEN) return
  log.warn('not-found', { path: url.pathname })
  throw notFound()
}

/** The answer to the address of a goal that does not exist, or that the visitor may not see. */
export function notFound(): Response {
  return new Response(null, { status: 404, statusText: 'Not Found' })
}
