import type { Config, Env, Execution } from './env.server'
import type { Log } from './log.server'

/** What the work on one request, or one scheduled run, uses. */
export interface Runtime {
  config: Config
  /** The bindings, among them the variables of `config` as strings. */
  env: Env
  execution: Execution
  log: Log
}
