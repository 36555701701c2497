import type { Log } from './log.server'

/** Opens after `failuresToOpen` failures in a row, which expire `failuresKeptFor` ms after the last. */
const failuresToOpen = 3
const failuresKeptFor = 30_000

/** The recent failures of one service of the backend (auth, data) in this isolate. */
export interface Service {
  name: string
  failures: number
  /** In milliseconds since the epoch. */
  failedAt: number
}

const services = new Map<string, Service>()

/** The service of a URL: the origin and the first part of the path. */
export function serviceOf(url: string): Service {
  const { origin, pathname } = new URL(url)
  const [, name = ''] = pathname.split('/')
  const key = `${origin}/${name}`
  const service = services.get(key) ?? { name, failures: 0, failedAt: 0 }
  services.set(key, service)
  return service
}

/** True if the breaker of a service is open. */
export function isDown({ failures, failedAt }: Service): boolean {
  return failures >= failuresToOpen && Date.now() - failedAt < failuresKeptFor
}

/** Counts a failure. Logs a line when the breaker opens. */
export function recordFailure(service: Service, log: Log): void {
  if (Date.now() - service.failedAt > failuresKeptFor) service.failures = 0
  service.failures++
  service.failedAt = Date.now()
  if (service.failures === failuresToOpen) log.error('backend.down', { service: service.name })
}

/** Closes the breaker. */
export function recordSuccess(service: Service, log: Log): void {
  if (isDown(service)) log.info('backend.up', { service: service.name })
  service.failures = 0
}
