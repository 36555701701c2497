import type { Config, Env, Execution } from './env.server'
import type { Log } from './log.server'

/** What the platform gives for one request. */
export interface Runtime {
  config: Config
  /** The bindings: the variables of `config` as strings, and the rate limits. */
  env: Env
  execution: Execution
  log: Log
}
