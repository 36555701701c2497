/** One JSON line for each event, with the id of its request. Callers pass no token, password or e-mail. */
export interface Log {
  readonly requestId: string
  /** True once an error was logged: what came of the request is not for anybody else. */
  readonly failed: boolean
  info(event: string, fields?: Record<string, unknown>): void
  warn(event: string, fields?: Record<string, unknown>): void
  error(event: string, fields?: Record<string, unknown>): void
}

/** A log whose lines carry `requestId`. Values are JSON: no line of a request can forge another. */
export function createLog(requestId: string): Log {
  let failed = false
  const write = (level: 'info' | 'warn' | 'error') => (event: string, fields?: Record<string, unknown>) => {
    if (level === 'error') failed = true
    console[level](JSON.stringify({ level, event, requestId, ...fields }))
  }
  return {
    requestId,
    get failed() {
      return failed
    },
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  }
}
