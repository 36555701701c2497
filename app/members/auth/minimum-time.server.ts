import type { AppLoadContext } from '@remix-run/cloudflare'
import { sleep } from '../../platform/server/timeout'

/**
 * Runs `work` and waits until MINIMUM_RESPONSE_MS have passed since the start, so that the response time does
 * not reveal whether an email address has an account. A result for which `exempt` is true is returned
 * immediately. The minimum is constant, because averaging many samples would cancel out a random delay.
 */
export async function withMinimumTime<T>(
  { config, log }: Pick<AppLoadContext, 'config' | 'log'>,
  work: () => Promise<T>,
  exempt: (result: T) => boolean = () => false,
): Promise<T> {
  const startedAt = Date.now()
  const result = await work()
  if (exempt(result)) return result
  const remaining = config.MINIMUM_RESPONSE_MS - (Date.now() - startedAt)
  if (remaining > 0) await sleep(remaining)
  else if (config.MINIMUM_RESPONSE_MS > 0)
    log.warn('response.over-minimum', { milliseconds: config.MINIMUM_RESPONSE_MS - remaining })
  return result
}
