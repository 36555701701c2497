import type { AppLoadContext } from '@remix-run/cloudflare'
import * as z from 'zod/mini'
import { hmac, prove, requestKey } from '../platform/request-key.ts'
import { networkOf } from '../platform/server/rate-limit.server.ts'

const answer = z.enum(['asked', 'network', 'all'])

/**
 * Asks for the email that confirms an address. 'network' if the visitor's network asked for too many in an
 * hour, 'all' if all visitors did, null if the backend does not respond. The database counts by network, so
 * the request has a keyed hash of the network and a proof that it comes from this site.
 */
export async function askToFollow(
  { config, publicData, language }: AppLoadContext,
  request: Request,
  { address, topic }: { address: string; topic: string },
): Promise<z.infer<typeof answer> | null> {
  const secret = config.SUPABASE_SECRET_KEY ?? ''
  const network = await hmac(
    secret,
    `network ${wideNetworkOf(request.headers.get('CF-Connecting-IP') ?? '')}`,
  )
  const given = { address, topic, language: language.locale.code, network, asked_at: now() }
  const proof = await prove(await requestKey(secret), Object.values(given).join('\n'))
  return publicData().call('follow', answer, { ...given, proof })
}

/** The IPv4 address, or the /48 of an IPv6 address: a client can have a whole one, with 65,536 /64. */
function wideNetworkOf(address: string): string {
  return networkOf(address).split(':').slice(0, 3).join(':')
}

const now = () => Math.floor(Date.now() / 1000)
