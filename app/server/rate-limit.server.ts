import type { BackendError } from './backend-error'
import type { Env } from './env.server'
import type { Log } from './log.server'

/** The platform's rate limiting, as wrangler.toml binds it. */
interface Counter {
  limit(of: { key: string }): Promise<{ success: boolean }>
}

/** What may be asked only so often. Each is counted apart. */
type Limited =
  | 'sign-in'
  | 'sign-up'
  | 'password'
  | 'mail'
  | 'code'
  | 'wallet'
  | 'session'
  | 'report'
  | 'search'

/**
 * Counts one more; the refusal where that is too often, else null. `account` is an e-mail address or an id; what
 * costs something to find out is asked once the address has passed.
 */
export type Limit = (
  what: Limited,
  account?: string | (() => Promise<string>),
) => Promise<BackendError | null>

/** The window of the bindings in wrangler.toml, in seconds: nobody is kept out for longer. */
export const limitWindow = 60

/** In the words of the auth service, which has limits of its own. */
const refused: BackendError = { code: 'over_request_rate_limit', status: 429 }

/** Which counters are asked, where they are not the usual ones: of addresses, of accounts. */
const bindings: Partial<Record<Limited, [string, string]>> = {
  code: ['LIMIT_ADDRESS', 'LIMIT_CODE'],
  session: ['LIMIT_SESSION', 'LIMIT_SESSION'],
}

let toldOfAbsence = false

/**
 * Limits by address and by account: somebody who guesses at one account from everywhere, and somebody who tries
 * many from one place. A deployment without the bindings has no limits but those of the auth service.
 */
export function createLimit(env: Env, address: string | null, log: Log): Limit {
  return async (what, account) => {
    const [byAddress, byAccount] = (bindings[what] ?? ['LIMIT_ADDRESS', 'LIMIT_ACCOUNT']).map(
      (name) => env[name],
    )
    if (!isCounter(byAddress) || !isCounter(byAccount)) {
      if (!toldOfAbsence) log.warn('limit.absent')
      toldOfAbsence = true
      return null
    }
    const over = async (by: 'address' | 'account', counter: Counter, key: string) => {
      try {
        if ((await counter.limit({ key: `${what}:${by}:${key}` })).success) return false
      } catch (error) {
        // A counter that is broken must not keep everybody out.
        log.error('limit.broken', { message: (error as Error).message })
        return false
      }
      log.warn('limit.reached', { what, by })
      return true
    }
    if (await over('address', byAddress, networkOf(address ?? ''))) return refused
    const name = typeof account === 'function' ? await account() : account
    return name && (await over('account', byAccount, await digest(name))) ? refused : null
  }
}

/** Whoever has one IPv6 address has at least the 2^64 that begin alike. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address.slice(0, 45)
  const [head = '', tail] = address.toLowerCase().split('::')
  const groups = head.split(':').filter(Boolean)
  const rest = tail?.split(':').filter(Boolean) ?? []
  const missing = tail === undefined ? 0 : Math.max(0, 8 - groups.length - rest.length)
  const whole = [...groups, ...Array<string>(missing).fill('0'), ...rest]
  return whole
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').slice(0, 4))
    .join(':')
}

/** An account as it is counted: nobody who sees the counters learns an e-mail address. */
async function digest(account: string): Promise<string> {
  const bytes = new TextEncoder().encode(account.trim().toLowerCase())
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return btoa(String.fromCharCode(...hash.slice(0, 12)))
}

function isCounter(binding: unknown): binding is Counter {
  return typeof (binding as Counter | undefined)?.limit === 'function'
}
