import type { PostgrestClient } from '@supabase/postgrest-js'
import { readBytes } from './body.server'
import type { Database } from './database.types'
import type { Config, Execution } from './env.server'
import type { Log } from './log.server'

/** The data API, with the types of our tables. */
export type Backend = PostgrestClient<Database>

/** How long an answer is waited for, in milliseconds: a hanging backend must not hang a page. */
const patience = { read: 2_000, write: 10_000 }
/** And where waiting has proved vain. The call itself goes on: its answer says that the backend is back. */
const impatience = { read: 750, write: 2_500 }
/** A service is down after so many calls in a row without an answer; nobody knows it any more after so long. */
const downAfter = 3
const forgottenAfter = 30_000

/** No answer is larger, once it is unpacked: 1,000 rows are a fraction of it. */
const mostBytes = 4 * 1024 * 1024
/** A read is asked again after this long and up to as much again, so that not everybody comes back at once. */
const pause = 50
/** A service that names a longer time, in seconds, is not asked again. */
const longestPause = 1

/** A call ends this long after nobody waits for it any more. */
const lingering = 250

type Kind = keyof typeof patience

/** How a service of the backend (its auth, its data) has answered this isolate. */
interface Service {
  name: string
  failures: number
  failedAt: number
}

const services = new Map<string, Service>()

/** The way to the backend that the calls of one request share. */
export interface BackendAccess {
  fetch: typeof fetch
  /**
   * Waits for `work`, which asks `url`, as long as a read may take: `null` where that was in vain. The work
   * goes on.
   */
  waitFor<T>(url: string, work: Promise<T>): Promise<T | null>
}

/**
 * The one place for what can go wrong between the worker and its backend. Each call has a deadline, of which its
 * body is a part; an answer that is too large, leads elsewhere or is no JSON is none. Reads are asked once more
 * within their deadline, writes never. The breaker shortens the wait and refuses nothing: while a service is
 * down every read is a short probe, so that no page is slow and the first one after it is back is whole again.
 *
 * Failures are logged by their path only: queries carry ids and e-mails.
 */
export function createBackendAccess(
  config: Config,
  log: Log,
  visitorAddress: string | null,
  execution: Execution,
): BackendAccess {
  /** What this request has waited for in vain: it does not wait as long again. */
  const gaveUp = { read: false, write: false }

  const waitOf = (kind: Kind, service: Service) => {
    const vain = gaveUp.write || gaveUp[kind] || (kind === 'read' && isDown(service))
    return (vain ? impatience : patience)[kind]
  }

  const fail = (service: Service) => {
    if (Date.now() - service.failedAt > forgottenAfter) service.failures = 0
    service.failures++
    service.failedAt = Date.now()
    if (service.failures === downAfter) log.error('backend.down', { service: service.name })
  }

  const succeed = (service: Service) => {
    if (isDown(service)) log.info('backend.up', { service: service.name })
    service.failures = 0
  }

  async function wait<T>(kind: Kind, service: Service, work: Promise<T>): Promise<T | null> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const silence = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), waitOf(kind, service))
    })
    const answer = await Promise.race([work, silence]).finally(() => clearTimeout(timer))
    if (answer === null) {
      gaveUp[kind] = true
      fail(service)
    }
    return answer
  }

  async function ask(request: Request, kind: Kind, service: Service): Promise<Response> {
    const until = Date.now() + patience[kind]
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(patience[kind] + lingering)])
    const attempt = async () => {
      const response = await fetch(request, { signal, redirect: 'manual' })
      return readWhole(response)
    }
    const again = kind === 'read' && !isDown(service)
    let answer = await attempt().catch((error: Error) => error)
    const delay = again ? delayOf(answer) : null
    if (delay !== null && Date.now() + delay < until && !signal.aborted) {
      await new Promise((resolve) => setTimeout(resolve, delay))
      answer = await attempt().catch((error: Error) => error)
    }
    if (answer instanceof Error) throw answer
    if (!isAway(answer.status)) succeed(service)
    return answer
  }

  return {
    async fetch(input, init) {
      const request = new Request(input, init)
      const kind = request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write'
      const { pathname } = new URL(request.url)
      const service = serviceOf(request.url)
      if (visitorAddress) nameVisitor(request, config, visitorAddress)
      const work = ask(request, kind, service)
      let answer: Response | null
      try {
        answer = await wait(kind, service, work)
      } catch (error) {
        fail(service)
        log.warn('backend.unreachable', { path: pathname, reason: (error as Error).name })
        throw error
      }
      if (!answer) {
        execution.waitUntil(work.catch(() => {}))
        log.warn('backend.unreachable', { path: pathname, reason: 'silence' })
        throw new Fault('Silence')
      }
      if (answer.status >= 500) log.warn('backend.failed', { path: pathname, status: answer.status })
      if (isAway(answer.status)) fail(service)
      return answer
    },
    waitFor: (url, work) => wait('read', serviceOf(url), work),
  }
}

/** Why an answer is none. */
class Fault extends Error {
  constructor(name: 'Silence' | 'Redirect' | 'TooLarge' | 'NotJson') {
    super('the backend gave no answer that can be used')
    this.name = name
  }
}

/** The answer with its body, of which the deadline is one too. Throws where it is none. */
async function readWhole(response: Response): Promise<Response> {
  const { status } = response
  if (status >= 300 && status < 400) {
    await response.body?.cancel()
    throw new Fault('Redirect')
  }
  const body = await readBytes(response.body, mostBytes)
  if (body === 'too-long') throw new Fault('TooLarge')
  if (body === 'incomplete') throw new Error('the answer broke off')
  const headers = new Headers(response.headers)
  // What was unpacked is no longer packed.
  for (const name of ['Content-Encoding', 'Content-Length']) headers.delete(name)
  if (body.byteLength === 0) return new Response(null, { status, headers })
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(headers.get('Content-Type') ?? ''))
    throw new Fault('NotJson')
  return new Response(body, { status, headers })
}

/** How long to wait before the same is asked again, in milliseconds; null where that is of no use. */
function delayOf(answer: Response | Error): number | null {
  const jitter = pause * (1 + Math.random())
  if (answer instanceof Error) return answer instanceof Fault ? null : jitter
  if (!isAway(answer.status) && answer.status !== 429) return null
  const named = answer.headers.get('Retry-After')
  if (named === null) return answer.status === 429 ? null : jitter
  return /^\d+$/.test(named) && Number(named) <= longestPause ? Number(named) * 1000 + jitter : null
}

/** Bad gateway, unavailable, timeout, and what a network in between has for it: nobody has answered. */
function isAway(status: number): boolean {
  return status >= 502
}

function isDown({ failures, failedAt }: Service): boolean {
  return failures >= downAfter && Date.now() - failedAt < forgottenAfter
}

function serviceOf(url: string): Service {
  const { origin, pathname } = new URL(url)
  const [, name = ''] = pathname.split('/')
  const key = `${origin}/${name}`
  const service = services.get(key) ?? { name, failures: 0, failedAt: 0 }
  services.set(key, service)
  return service
}

/**
 * The auth service limits by address, and a worker makes all its visitors one. It takes the visitor's own from
 * `Sb-Forwarded-For`, but only with a secret key: one of its own, optional, sent to its public paths alone.
 */
function nameVisitor({ url, headers }: Request, config: Config, address: string): void {
  const key = config.SUPABASE_FORWARDING_KEY
  const path = url.startsWith(config.SUPABASE_URL) ? url.slice(config.SUPABASE_URL.length) : ''
  if (!key || !path.startsWith('/auth/v1/') || path.startsWith('/auth/v1/admin')) return
  headers.set('apikey', key)
  headers.set('Sb-Forwarded-For', address)
}
