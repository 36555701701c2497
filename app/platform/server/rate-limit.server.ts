import type { RateLimit } from '@cloudflare/workers-types'
import { sha256 } from '../bytes'
import type { BackendError } from './backend-error'
import type { Bindings, Env } from './env.server'
import type { Log } from './log.server'

/** The limited actions. Each has its own count. */
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
  | 'page'
  | 'picture'
  | 'goal'
  | 'complaint'
  | 'ballot'
  | 'weight'
  | 'custody'
  | 'answer'
  | 'live'

/**
 * Counts an action. Returns the error if the limit is exceeded, otherwise null. `account` is an email address
 * or an id; a function is called only if the limit by IP address is not exceeded.
 */
export type Limit = (
  what: Limited,
  account?: string | (() => Promise<string>),
) => Promise<BackendError | null>

/** The window of the bindings in wrangler.toml, in seconds. */
export const limitWindow = 60

/** The auth service's error for its own limits. */
const refused: BackendError = { code: 'over_request_rate_limit', status: 429 }

type Limits = Pick<Bindings, `LIMIT_${string}` & keyof Bindings>
/** The bindings by IP address and by account, where they differ from LIMIT_ADDRESS and LIMIT_ACCOUNT. */
const bindings: Partial<Record<Limited, [keyof Limits, keyof Limits]>> = {
  code: ['LIMIT_ADDRESS', 'LIMIT_CODE'],
  session: ['LIMIT_SESSION', 'LIMIT_SESSION'],
  live: ['LIMIT_SESSION', 'LIMIT_SESSION'],
  page: ['LIMIT_SESSION', 'LIMIT_SESSION'],
  picture: ['LIMIT_ADDRESS', 'LIMIT_CODE'],
  // Counted by recipient, for all clients and pages together.
  mail: ['LIMIT_ADDRESS', 'LIMIT_MAIL'],
}

/** A second limit by account, per hour, because the bindings cannot count longer than a minute. */
const perHour: Partial<Record<Limited, number>> = { mail: 10 }
const hour = 3_600

let loggedAbsence = false

/**
 * Limits actions by IP address, against many attempts from one place, and by account, against attempts on one
 * account from many places. A deployment without the bindings has only the limits of the auth service.
 */
export function createLimit(env: Env, address: string | null, log: Log): Limit {
  return async (what, account) => {
    const [addressLimit, accountLimit] = bindings[what] ?? ['LIMIT_ADDRESS', 'LIMIT_ACCOUNT']
    const { [addressLimit]: byAddress, [accountLimit]: byAccount } = env
    if (!byAddress || !byAccount) {
      if (!loggedAbsence) log.warn('limit.absent')
      loggedAbsence = true
      return null
    }
    const over = async (by: 'address' | 'account', counter: RateLimit, key: string) => {
      try {
        if ((await counter.limit({ key: `${what}:${by}:${key}` })).success) return false
      } catch (error) {
        // A failed counter allows the action, so that it does not lock everyone out.
        log.error('limit.broken', { message: (error as Error).message })
        return false
      }
      log.warn('limit.reached', { what, by })
      return true
    }
    if (await over('address', byAddress, networkOf(address ?? ''))) return refused
    const name = typeof account === 'function' ? await account() : account
    if (!name) return null
    const key = await digest(what === 'mail' ? inboxOf(name) : name)
    if (await over('account', byAccount, key)) return refused
    const most = perHour[what]
    if (most === undefined || (await fitsIntoHour(`${what}:${key}`, most))) return null
    log.warn('limit.reached', { what, by: 'hour' })
    return refused
  }
}

/**
 * Returns true, and counts one more action, if there were fewer than `most` actions within the last hour. The
 * counts are in the Cache API and therefore per data centre, like the bindings. Two requests at the same
 * moment may count as one; the limit per minute restricts how often this can happen. Refused actions do not
 * count, because otherwise repeated attempts could keep a recipient blocked.
 */
async function fitsIntoHour(key: string, most: number): Promise<boolean> {
  // Only the development server lacks the Cache API, because it runs the worker in Node.
  const cache = globalThis.caches?.default
  if (!cache) return true
  const url = `https://limit.invalid/${encodeURIComponent(key)}`
  const now = Date.now()
  const stored: unknown = await (await cache.match(url))?.json()
  const times = (Array.isArray(stored) ? stored : []).filter((time) => now - time < hour * 1000)
  if (times.length >= most) return false
  times.push(now)
  await cache.put(url, Response.json(times, { headers: { 'Cache-Control': `max-age=${hour}` } }))
  return true
}

/** The key of a client's counter: the IPv4 address, or the /64 of an IPv6 address, usually one client. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address.slice(0, 45)
  const [head = '', tail] = address.toLowerCase().split('::')
  const groups = head.split(':').filter(Boolean)
  const rest = tail?.split(':').filter(Boolean) ?? []
  const missing = tail === undefined ? 0 : Math.max(0, 8 - groups.length - rest.length)
  const whole = [...groups, ...Array<string>(missing).fill('0'), ...rest]
  return whole
    .slice(0, 4)
    .map((group) => group.slice(0, 45).replace(/^0+/, '').slice(0, 4) || '0')
    .join(':')
}

/** An email's inbox: without a local part's '+…' and, at Gmail, its dots (private.inbox_of). */
function inboxOf(address: string): string {
  const [local = '', host = ''] = address.trim().toLowerCase().split('@')
  const name = local.split('+')[0] ?? ''
  return ['gmail.com', 'googlemail.com'].includes(host)
    ? `${name.replaceAll('.', '')}@gmail.com`
    : `${name}@${host}`
}

/** A hash of the account, so that the counters contain no email address. */
async function digest(account: string): Promise<string> {
  const bytes = new TextEncoder().encode(account.trim().toLowerCase())
  const hash = await sha256(bytes)
  return btoa(String.fromCharCode(...hash.slice(0, 12)))
}
