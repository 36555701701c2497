/** A log of one JSON line an event, with the request's id. No token, password or email is passed to it. */
export interface Log {
  readonly requestId: string
  /** True once an error has been logged. The response must then not be cached. */
  readonly failed: boolean
  info(event: string, fields?: Record<string, unknown>): void
  warn(event: string, fields?: Record<string, unknown>): void
  error(event: string, fields?: Record<string, unknown>): void
}

/** The platform's id of a request in its format, otherwise a new one: a client can send the header. */
export function requestIdOf({ headers }: Request): string {
  return headers.get('CF-Ray')?.match(/^[0-9a-f]{16}(-[A-Z]{3})?$/)?.[0] ?? crypto.randomUUID()
}

/** Maximum characters of a logged text. Visitors control some: paths, methods, headers, error codes. */
const longestText = 500
const longestList = 20

/**
 * A log whose lines contain `requestId`. Values are JSON, so a request cannot forge a line. Long texts and
 * lists are cut, so that a request cannot cause a long line.
 */
export function createLog(requestId: string): Log {
  let failed = false
  const write = (level: 'info' | 'warn' | 'error') => (event: string, fields?: Record<string, unknown>) => {
    if (level === 'error') failed = true
    console[level](toPlainCharacters(JSON.stringify({ level, event, requestId, ...fields }, cut)))
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

/** A replacer for JSON.stringify, which cuts long texts and lists. */
function cut(_: string, value: unknown): unknown {
  if (typeof value === 'string') {
    let end = 0
    for (let room = longestText; end < value.length && room > 0; end++)
      room -= toPlainCharacters(value.charAt(end)).length
    return end < value.length ? `${value.slice(0, end)}…` : value
  }
  return Array.isArray(value) && value.length > longestList ? value.slice(0, longestList) : value
}

/** JSON in printable ASCII: direction and control characters could mislead the reader of a terminal. */
function toPlainCharacters(json: string): string {
  return json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
