import { type BackendAccess, createBackendAccess } from './backend.server'
import type { Config, Env, Execution } from './env.server'
import type { Log } from './log.server'

/** The resources for one request or one scheduled run, whose calls to the backend all share `fetch`. */
export interface Runtime extends BackendAccess {
  config: Config
  /** The bindings, including the variables of `config` as strings. */
  env: Env
  execution: Execution
  log: Log
}

/** `visitorAddress`: the IP address of the request's client; null for work that no visitor requested. */
export function createRuntime(
  base: Omit<Runtime, keyof BackendAccess>,
  visitorAddress: string | null,
): Runtime {
  return { ...base, ...createBackendAccess(base.config, base.log, visitorAddress, base.execution) }
}
