import { AsyncLocalStorage } from 'node:async_hooks'

export interface Scope {
  requestId: string
  log: (line: string) => void
  /** The last error of the database that was reported within the scope. */
  failure?: DatabaseFailure
}

export interface DatabaseFailure {
  code: string
  message: string
  detail?: string
  hint?: string
  /** As PGlite names it, then as postgres.js does. */
  constraint?: string
  constraint_name?: string
}

const scopes = new AsyncLocalStorage<Scope>()

// lite reports to the console and cannot be told otherwise; what it reports holds the failed query's
// parameters, e-mail addresses and password hashes among them. Only what runs in a scope is touched.
for (const method of ['debug', 'log', 'info', 'warn', 'error'] as const) {
  const print = console[method]
  console[method] = (...reported: unknown[]) => {
    const scope = scopes.getStore()
    if (!scope) return print.apply(console, reported)
    const error = reported.find((item) => item instanceof Error)
    if (isDatabaseFailure(error)) scope.failure = error
    scopes.exit(() => scope.log(redact(error, scope.requestId)))
  }
}

// lite replaces emitWarning by one that throws when Node hands it an Error, as for a leaking listener.
const emitWarning = process.emitWarning
process.emitWarning = ((warning: string | Error, ...rest: never[]) =>
  warning instanceof Error
    ? process.emit('warning', warning)
    : emitWarning.call(process, warning, ...rest)) as typeof process.emitWarning

/** Runs work whose console output is reduced to code, constraint and request id. */
export function quietly<T>(scope: Scope, work: () => T): T {
  return scopes.run(scope, work)
}

/** What the database refused within this scope, if anything. */
export function currentFailure(): DatabaseFailure | undefined {
  return scopes.getStore()?.failure
}

/** One line about an error that holds nothing of what a person sent. */
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
