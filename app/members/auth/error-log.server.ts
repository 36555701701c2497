import type { BackendError } from '../../platform/server/backend-error'
import type { Log } from '../../platform/server/log.server'
import { classifyAuthError } from './messages'

/** Logs an auth error at the level of `classifyAuthError`, with its code, status and `fields`. */
export function logAuthError(log: Log, event: string, error: BackendError, fields: object = {}): void {
  log[classifyAuthError(error).level](event, {
    ...fields,
    code: error.code ?? error.name,
    status: error.status,
  })
}
