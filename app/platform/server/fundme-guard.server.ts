import type { AppLoadContext } from '@remix-run/cloudflare'
import { notFound } from './outage.server'

/** The first guard of what FundMe adds: while it is closed, the 404 response of an unknown path. */
export function requireFundMe({ config, log, url }: AppLoadContext): void {
  if (config.FUNDME_OPEN) return
  log.warn('not-found', { path: url.pathname })
  throw notFound()
}

/** The first guard of each loader and action about votes: while voting is closed, throws a 404 response. */
export function requireVoting(context: AppLoadContext): void {
  requireFundMe(context)
  if (!context.config.VOTING_OPEN) throw notFound()
}
