import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { type Chain, openChain } from '../app/chain/rpc.ts'
import { readWatch, type Watch } from '../app/ledger/job/watch.ts'
import { type Config, readConfig } from '../app/platform/server/env.server.ts'
import { createService, type Service } from '../app/platform/server/service.server.ts'
import type { Keys } from '../supabase/embedded/keys.ts'
import { readBackendOptions } from '../supabase/embedded/variables.ts'
import { tellSite } from './ledger-changed.ts'
import { readVariables } from './variables.ts'

/** An error that the operator can correct. The command prints its message without a stack trace. */
export class UsageError extends Error {}

/** The configuration, connections and prompts that the commands share. */
export interface Operator {
  config: Config
  service: Service
  /** The blockchain, wallets and tokens to read. Throws a UsageError if no blockchain is configured. */
  watch(): Watch
  chain(): Promise<Chain>
  /**
   * Adds missing values. On a terminal, prompts for each missing value with its question. Elsewhere, throws a
   * UsageError that lists the missing values.
   */
  complete<Given extends object, Name extends string>(
    given: Given,
    questions: Record<Name, string>,
  ): Promise<Given & Record<Name, string>>
  /** Shows what the command will write. Throws a UsageError unless the operator confirms it or gave --yes. */
  confirm(shown: string): Promise<void>
  /** Notifies the site after a write, so that open pages show it immediately. Prints a message on failure. */
  tellSite(): Promise<void>
}

/** The number of a block in an option. Throws a UsageError for another text. */
export function blockFrom(name: string, value: string | undefined): number {
  if (!value || !/^\d{1,15}$/.test(value)) throw new UsageError(`${name} must be a block number.`)
  return Number(value)
}

/** Timeout of each call to the backend, in milliseconds. */
const callTimeout = 30_000

/**
 * Connects to the backend that the variables name, or to the embedded backend on this machine. With `yes`,
 * asks for no confirmation. Throws a UsageError if no backend or no secret key exists.
 */
export function createOperator(yes: boolean): Operator {
  const variables = readVariables()
  if (!variables.SUPABASE_URL) Object.assign(variables, embeddedBackend())
  if (!variables.SUPABASE_SECRET_KEY)
    throw new UsageError("Set SUPABASE_SECRET_KEY first. It's needed to write to the ledger.")
  const config = readConfig({
    SITE_URL: `http://127.0.0.1:${process.env.PORT || '8787'}`,
    SUPABASE_PUBLISHABLE_KEY: 'unused',
    ...variables,
  })
  const watch = () => {
    const found = readWatch(config)
    if (!found) throw new UsageError('Set CHAIN_RPC_URLS first, so we can read the blockchain.')
    return found
  }
  return {
    config,
    service: createService(config.SUPABASE_URL, config.SUPABASE_SECRET_KEY ?? '', (input, init) =>
      fetch(input, { ...init, signal: AbortSignal.timeout(callTimeout) }),
    ),
    watch,
    chain: () => openChain(watch().urls, watch().chainId),
    tellSite: async () => {
      const fault = await tellSite(config)
      if (fault) console.log(fault)
    },
    complete: (given, questions) => complete(given, questions),
    confirm: async (shown) => {
      console.log(shown)
      if (yes) return
      if (!process.stdin.isTTY) throw new UsageError('Not published. Add --yes to publish without asking.')
      const terminal = createInterface({ input: process.stdin, output: process.stdout })
      const answer = await terminal.question("Publish this? It can't be deleted later. [y/N] ")
      terminal.close()
      if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError('Not published.')
    },
  }
}

async function complete<Given extends object, Name extends string>(
  given: Given,
  questions: Record<Name, string>,
): Promise<Given & Record<Name, string>> {
  const values = { ...given } as Record<string, unknown>
  const isMissing = (name: string) => typeof values[name] !== 'string' || !values[name].trim()
  const missing = (Object.keys(questions) as Name[]).filter(isMissing)
  if (missing.length > 0 && !process.stdin.isTTY)
    throw new UsageError(['Missing:', ...missing.map((name) => `  --${name}  ${questions[name]}`)].join('\n'))
  if (missing.length > 0) {
    const terminal = createInterface({ input: process.stdin, output: process.stdout })
    for (const name of missing) {
      while (isMissing(name)) values[name] = await terminal.question(`${questions[name]}: `)
    }
    terminal.close()
  }
  return values as Given & Record<Name, string>
}

function embeddedBackend() {
  const { dataDir, port } = readBackendOptions(process.env)
  const file = join(dataDir, 'keys.json')
  if (!existsSync(file))
    throw new UsageError(
      'No backend found. Run npm start first, or set SUPABASE_URL and SUPABASE_SECRET_KEY.',
    )
  const { secretKey }: Keys = JSON.parse(readFileSync(file, 'utf8'))
  return { SUPABASE_URL: `http://127.0.0.1:${port}`, SUPABASE_SECRET_KEY: secretKey }
}
