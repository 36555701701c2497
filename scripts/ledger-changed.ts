import { livePath } from '../app/platform/live/protocol.ts'
import type { Config } from '../app/platform/server/env.server.ts'
import { signOrder } from '../app/platform/server/operator-signature.ts'

/** The time that a command waits for the site, in milliseconds. */
const timeout = 5_000

/**
 * Notifies the site that the ledger has changed, so that open pages show the change immediately. Without the
 * notification, the site's scheduled run finds the change within a minute. Returns null, or a message for the
 * operator if the notification failed.
 */
export async function tellSite({
  SITE_URL,
  SUPABASE_SECRET_KEY = '',
}: Pick<Config, 'SITE_URL' | 'SUPABASE_SECRET_KEY'>): Promise<string | null> {
  const response = await fetch(SITE_URL + livePath, {
    method: 'POST',
    headers: { Authorization: await signOrder(SUPABASE_SECRET_KEY, 'changed', Date.now()) },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeout),
  }).catch(() => null)
  if (response?.status === 204) return null
  const why = response ? `it responded ${response.status}` : 'it could not be reached'
  return `The site at ${SITE_URL} was not told (${why}): open pages show the change within a minute. SITE_URL names the site.`
}
