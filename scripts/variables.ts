import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { impactPools } from '../app/platform/impact-pools.ts'
import {
  type Config,
  checkWitnesses,
  readConfig,
  unknownWallets,
  variableNames,
} from '../app/platform/server/env.server.ts'
import { assertDistinct, readBackendOptions, readPort } from '../supabase/embedded/variables.ts'
import { freePort } from './free-port.ts'

/** The worker's variables from the environment or else from .dev.vars, without empty values. */
export function readVariables(): Record<string, string> {
  const file = existsSync('.dev.vars') ? parseEnv(readFileSync('.dev.vars', 'utf8')) : {}
  const names = [...variableNames, ...unknownWallets({ ...file, ...process.env })]
  const given = names.map((name) => [name, process.env[name] ?? file[name]] as const)
  return Object.fromEntries(given.filter((entry): entry is [(typeof entry)[0], string] => Boolean(entry[1])))
}

/** Throws an error if PAYER_KEY is the key of one of our wallets. The job of every site refuses it too. */
async function refuseKeyOfWallet(config: Config): Promise<void> {
  const { PAYER_KEY: key } = config
  if (!key) return
  const { addressOf } = await import('../app/chain/stored-transaction.server.ts')
  const wallets = [
    config.TREASURY_WALLET,
    config.DONATION_WALLET,
    ...impactPools.map(({ walletVariable }) => config[walletVariable]),
  ]
  if (wallets.some((wallet) => wallet?.toLowerCase() === addressOf(key)))
    throw new Error('Configuration: PAYER_KEY: must not be the key of a paying wallet')
}

/**
 * All options of `npm start` and `npm run dev` from the environment and .dev.vars, checked before anything
 * starts. Throws an error for the operator that names the first wrong variable.
 */
export async function readStartOptions({ demo = false } = {}) {
  const { env } = process
  const variables = readVariables()
  const isHosted = Boolean(variables.SUPABASE_URL)
  if (demo && isHosted)
    throw new Error('The demo needs the embedded backend. Unset SUPABASE_URL and try again.')
  const backend = readBackendOptions(env, demo ? '.data-demo' : '.data')
  if (isHosted && backend.databaseUrl)
    throw new Error(
      'DATABASE_URL is for the embedded backend, and SUPABASE_URL names another one. Unset one of them.',
    )
  const asked = readPort(env, 'PORT', 8787)
  assertDistinct({ PORT: asked, SUPABASE_PORT: backend.port, MAIL_PORT: backend.mailPort })
  // Emails and redirects contain the site's URL, so the port must be known before the backend starts.
  const port = asked || (await freePort())
  const siteUrl = variables.SITE_URL ?? `http://127.0.0.1:${port}`
  const made = 'made at the start'
  const embedded = {
    SUPABASE_URL: 'http://127.0.0.1',
    SUPABASE_PUBLISHABLE_KEY: made,
    SUPABASE_SECRET_KEY: made,
  }
  const config = readConfig({
    ...(isHosted ? {} : embedded),
    ...variables,
    SITE_URL: siteUrl,
    ...(demo && { DEMO: '1' }),
  })
  await checkWitnesses(config)
  await refuseKeyOfWallet(config)
  return { port, siteUrl, variables, backend: isHosted ? null : backend }
}
