import { AsyncLocalStorage } from 'node:async_hooks'

export interface Scope {
  requestId: string
  log: (line: string) => void
  /** The last database error that was logged within the scope. */
  failure?: DatabaseFailure
}

export interface DatabaseFailure {
  code: string
  message: string
  detail?: string
  hint?: string
  /** The name of a violated constraint: PGlite sets `constraint`, postgres.js sets `constraint_name`. */
  constraint?: string
  constraint_name?: string
}

const scopes = new AsyncLocalStorage<Scope>()

// Works around lite, which always logs to the console, with the parameters of the failed query (email
// addresses, password hashes). Output from inside a scope is reduced to one line; other output is unchanged.
for (const method of ['debug', 'log', 'info', 'warn', 'error'] as const) {
  const print = console[method]
  console[method] = (...reported: unknown[]) => {
    const scope = scopes.getStore()
    if (!scope) return print.apply(console, reported)
    // Omits lite's message that its storage is experimental.
    if (`${reported[0]}`.startsWith('EXPERIMENTAL FEATURES')) return
    const error = reported.find((item) => item instanceof Error)
    if (isDatabaseFailure(error)) scope.failure = error
    scopes.exit(() => scope.log(redact(error, scope.requestId)))
  }
}

// Works around lite, whose emitWarning throws for an Error, such as Node's warning of a listener leak.
const emitWarning = process.emitWarning
process.emitWarning = ((warning: string | Error, ...rest: never[]) =>
  warning instanceof Error
    ? process.emit('warning', warning)
    : emitWarning.call(process, warning, ...rest)) as typeof process.emitWarning

/** Runs work and reduces its console output to code, constraint and request id. */
export function withRedactedLogs<T>(scope: Scope, work: () => T): T {
  return scopes.run(scope, work)
}

/** The last database error of the current request. */
export function currentFailure(): DatabaseFailure | undefined {
  return scopes.getStore()?.failure
}

/** One line about an error, without any data from the request. */
export function redact(error: unknown, requestId: string): string {
  const { code, constraint, constraint_name, name } = (error ?? {}) as Partial<
    DatabaseFailure & { name: string }
  >
  const words = [
    'backend error',
    code ?? name ?? 'unknown',
    constraint ?? constraint_name,
    `request ${requestId}`,
  ]
  return words.filter(Boolean).join(' ')
}

function isDatabaseFailure(error: unknown): error is DatabaseFailure {
  return error instanceof Error && typeof (error as { code?: unknown }).code === 'string'
}
