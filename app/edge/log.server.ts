/** One JSON line for each event, with the id of its request. Callers pass no token, password or e-mail. */
export interface Log {
  readonly requestId: string
  info(event: string, fields?: Record<string, unknown>): void
  warn(event: string, fields?: Record<string, unknown>): void
  error(event: string, fields?: Record<string, unknown>): void
}

/** A log whose lines carry `requestId`. Values are JSON: no line of a request can forge another. */
export function createLog(requestId: string): Log {
  const write = (level: 'info' | 'warn' | 'error') => (event: string, fields?: Record<string, unknown>) =>
    console[level](JSON.stringify({ level, event, requestId, ...fields }))
  return { requestId, info: write('info'), warn: write('warn'), error: write('error') }
}
