import * as z from 'zod/mini'
import { sendCall } from '../../chain/endpoint.ts'
import type { Config } from '../../platform/server/env.server.ts'
import type { Log } from '../../platform/server/log.server.ts'
import { createService } from '../../platform/server/service.server.ts'

const quantity = z
  .pipe(z.string().check(z.regex(/^0x[0-9a-fA-F]{1,13}$/)), z.transform(Number))
  .check(z.refine((count) => count > 0))
/** NodeReal documents two result formats: a hex string, and an object with a hex string in `result`. */
const holderCount = z.union([
  quantity,
  z.pipe(
    z.object({ result: quantity }),
    z.transform(({ result }) => result),
  ),
])

/** The timeout for all endpoints together, in milliseconds. */
const timeout = 10_000

/**
 * Once an hour, requests the number of holders of the token from one endpoint after another. Stores the first
 * result with the endpoint's host. The method is not part of the standard, so most endpoints refuse it. Never
 * throws.
 */
export async function countHolders(config: Config, fetch: typeof globalThis.fetch, log: Log): Promise<void> {
  const { SUPABASE_SECRET_KEY: secret, TOKEN_ADDRESS, CHAIN_RPC_URLS: urls } = config
  if (!secret || !TOKEN_ADDRESS) return
  const token = TOKEN_ADDRESS.toLowerCase()
  const service = createService(config.SUPABASE_URL, secret, fetch)
  try {
    if (!(await service.call('claim_holders', z.boolean(), { token }))) return
    const deadline = AbortSignal.timeout(timeout)
    for (const url of urls) {
      const holders = await askHolders(url, token, deadline)
      if (holders === null) continue
      await service.call('store_holders', z.unknown(), { token, holders, host: new URL(url).hostname })
      return
    }
  } catch (error) {
    log.warn('holders.not-stored', { reason: (error as Error).message })
  }
}

/** Returns null if the endpoint does not count holders, or if the call failed. */
async function askHolders(url: string, token: string, deadline: AbortSignal): Promise<number | null> {
  try {
    const answer = await sendCall(url, 'nr_getTokenHolderCount', [token], deadline)
    return 'result' in answer ? (holderCount.safeParse(answer.result).data ?? null) : null
  } catch {
    return null
  }
}
