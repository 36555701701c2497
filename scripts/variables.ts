import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { variableNames } from '../app/server/env.server.ts'

/** The worker's variables: from the environment, else from .dev.vars. Empty ones are left out. */
export function readVariables(): Record<string, string> {
  const file = existsSync('.dev.vars') ? parseEnv(readFileSync('.dev.vars', 'utf8')) : {}
  const given = variableNames.map((name) => [name, process.env[name] ?? file[name]] as const)
  return Object.fromEntries(given.filter((entry): entry is [(typeof entry)[0], string] => Boolean(entry[1])))
}
