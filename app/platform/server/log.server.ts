/**
 * A log with one JSON line for each event. Each line contains the id of the request. Callers pass no token,
 * password or email address.
 */
export interface Log {
  readonly requestId: string
  /** True once an error has been logged. The response must then not be cached. */
  readonly failed: boolean
  info(event: string, fields?: Record<string, unknown>): void
  warn(event: string, fields?: Record<string, unknown>): void
  error(event: string, fields?: Record<string, unknown>): void
}

/**
 * The platform's id of a request if it has the platform's format, otherwise a new id, because a client can
 * send this header too.
 */
export function requestIdOf({ headers }: Request): string {
  return headers.get('CF-Ray')?.match(/^[0-9a-f]{16}(-[A-Z]{3})?$/)?.[0] ?? crypto.randomUUID()
}

/**
 * Maximum length of a logged text, in characters of the line. Visitors control some of these texts: paths,
 * methods, headers and error codes.
 */
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
