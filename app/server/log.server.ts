/** One JSON line for each event, with the id of its request. Callers pass no token, password or e-mail. */
export interface Log {
  readonly requestId: string
  /** True once an error was logged: what came of the request is not for anybody else. */
  readonly failed: boolean
  info(event: string, fields?: Record<string, unknown>): void
  warn(event: string, fields?: Record<string, unknown>): void
  error(event: string, fields?: Record<string, unknown>): void
}

/** The platform's id of a request, else one of our own: without the platform, anybody can send one under its name. */
export function requestIdOf({ headers }: Request): string {
  return headers.get('CF-Ray')?.match(/^[0-9a-f]{16}(-[A-Z]{3})?$/)?.[0] ?? crypto.randomUUID()
}

/** A log whose lines carry `requestId`. Values are JSON: no line of a request can forge another. */
export function createLog(requestId: string): Log {
  let failed = false
  const write = (level: 'info' | 'warn' | 'error') => (event: string, fields?: Record<string, unknown>) => {
    if (level === 'error') failed = true
    console[level](toPlainCharacters(JSON.stringify({ level, event, requestId, ...fields })))
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

/** The same JSON in printable ASCII: what turns text around or ends a line does it in a reader's terminal too. */
function toPlainCharacters(json: string): string {
  return json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
