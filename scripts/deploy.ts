/**
 * `npm run deploy`: checks what a deployment would harm, builds, and runs `wrangler deploy`. Secrets are in the file
 * .production.vars, which wrangler uploads with the version; without it, those of the deployment before stay, and
 * nothing can be checked that needs them. `-- --check` only checks. Other parameters are those of wrangler.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseEnv } from 'node:util'
import { parse } from 'smol-toml'
import { checkWitnesses, readConfig } from '../app/platform/server/env.server.ts'
import { isLoopback, isPublicIp } from '../app/platform/server/outside-url.ts'
import { contentHash } from '../supabase/embedded/content-hash.ts'
import { build } from './build.ts'
import { enterProject } from './project.ts'

const secretsFile = '.production.vars'

/** Why a deployment with these variables and secrets must not be made. Asks the project, and sends nothing else. */
export async function deployFaults(
  given: Record<string, string>,
  {
    hasSecrets,
    isBackedUp,
    fetch = globalThis.fetch,
  }: { hasSecrets: boolean; isBackedUp: boolean; fetch?: typeof globalThis.fetch },
): Promise<string[]> {
  const site = URL.parse(given.SITE_URL ?? '')
  const faults: string[] = []
  if (!site) faults.push('SITE_URL is missing: set it under [vars] of wrangler.toml')
  else if (isLoopback(site.origin) || isPublicIp(site.origin) || site.protocol !== 'https:')
    faults.push(
      `SITE_URL is ${site.origin}: it must be the https address of the site, or every visitor is sent there`,
    )
  if (!hasSecrets) return faults
  try {
    await checkWitnesses(readConfig(given))
  } catch (error) {
    return [...faults, (error as Error).message]
  }
  if (given.LOG_KEY && !isBackedUp)
    faults.push(
      'LOG_KEY: without a copy elsewhere a lost key ends the log. Keep one, and add --log-key-is-backed-up',
    )
  const keys = [
    await keyFault(given, 'SUPABASE_PUBLISHABLE_KEY', 'publishable', fetch),
    await keyFault(given, 'SUPABASE_SECRET_KEY', 'secret', fetch),
    await keyFault(given, 'SUPABASE_FORWARDING_KEY', 'secret', fetch),
  ].filter((fault) => fault !== null)
  const migrations = given.SUPABASE_SECRET_KEY && keys.length === 0 ? await migrationFaults(given, fetch) : []
  return [...faults, ...keys, ...migrations]
}

const kinds = {
  sb_publishable: 'publishable',
  sb_secret: 'secret',
  anon: 'publishable',
  service_role: 'secret',
} as const

/** The project's answer to a question with a key; null without one. */
function ask(
  url: string,
  key: string,
  path: string,
  fetch: typeof globalThis.fetch,
): Promise<Response | null> {
  const headers = { apikey: key, ...(key.startsWith('sb_') ? {} : { Authorization: `Bearer ${key}` }) }
  return fetch(url + path, { headers, signal: AbortSignal.timeout(10_000) }).catch(() => null)
}

/** The fault of a key of the backend, named by kind: no part of the key is in it. */
async function keyFault(
  given: Record<string, string>,
  name: string,
  wanted: 'publishable' | 'secret',
  fetch: typeof globalThis.fetch,
): Promise<string | null> {
  const { [name]: key, SUPABASE_URL: url = '' } = given
  if (!key) return null
  const [, claims] = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(key) ?? []
  const { role, ref, exp } = claims ? JSON.parse(Buffer.from(claims, 'base64url').toString()) : {}
  const kind = kinds[(role ?? key.split('_').slice(0, 2).join('_')) as keyof typeof kinds]
  if (!kind) return `${name} is no key of a project`
  if (kind !== wanted) return `${name} is a ${kind} key, and a ${wanted} key is needed`
  if (exp && exp * 1000 < Date.now()) return `${name} is a ${kind} key that has expired`
  const host = new URL(url).hostname
  if (ref && host.endsWith('.supabase.co') && !host.startsWith(`${ref}.`))
    return `${name} is a ${kind} key of another project`
  const answer = await (wanted === 'secret'
    ? ask(url, key, '/rest/v1/rpc/applied_migrations', fetch)
    : ask(url, key, '/auth/v1/settings', fetch))
  if (!answer) return 'SUPABASE_URL: the project sends no response'
  if (answer.status === 401 || answer.status === 403)
    return `${name} is a ${kind} key of another project, or one that was revoked`
  return answer.status < 500 ? null : `SUPABASE_URL: the project answers ${answer.status}`
}

/** How the migrations of the database differ from the files, and the way on. */
async function migrationFaults(
  { SUPABASE_URL: url = '', SUPABASE_SECRET_KEY: key = '' }: Record<string, string>,
  fetch: typeof globalThis.fetch,
): Promise<string[]> {
  const answer = await ask(url, key, '/rest/v1/rpc/applied_migrations', fetch)
  const push = 'npx supabase@3.1.0 db push --remote applies it'
  if (!answer?.ok) return [`The database has no list of its migrations, so the last one is missing: ${push}`]
  const applied = new Map(Object.entries((await answer.json()) as Record<string, string>))
  const faults = globSync('supabase/migrations/*.sql')
    .sort()
    .flatMap((path) => {
      const [version, name] = [basename(path).slice(0, 14), basename(path)]
      const hash = applied.get(version)
      applied.delete(version)
      if (hash === undefined) return [`The database lacks the migration ${name}: ${push}`]
      return hash === contentHash(readFileSync(path, 'utf8'))
        ? []
        : [
            `The migration ${name} is not the file that was applied: deploy the commit that applied it, or add a file`,
          ]
    })
  return [
    ...faults,
    ...[...applied.keys()].map(
      (version) => `The database has the migration ${version}, which no file has: this commit is older`,
    ),
  ]
}

/** What only the account can show. */
const checklist = (hasSecrets: boolean) => `Not checked, because only the account can show it:
${hasSecrets ? '' : `- npx wrangler secret list: SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY, SUPABASE_SECRET_KEY, LOG_KEY (a file ${secretsFile} with them lets this command check them)\n`}- npx wrangler whoami: your account, with the permission workers (write)
- npx wrangler kv namespace list: the id of CHECKPOINTS in wrangler.toml
- npx wrangler deployments list: the version before, for a rollback
- curl SITE_URL/healthz after the deployment: {"status":"ok"}`

async function main(parameters: string[]): Promise<number> {
  enterProject()
  const own = ['--check', '--log-key-is-backed-up']
  const at = parameters.findIndex((one) => one === '--env' || one === '-e')
  const config = parse(readFileSync('wrangler.toml', 'utf8')) as {
    vars?: object
    env?: Record<string, { vars?: object }>
  }
  const vars = at < 0 ? config.vars : config.env?.[parameters[at + 1] ?? '']?.vars
  const hasSecrets = existsSync(secretsFile)
  const secrets = hasSecrets ? parseEnv(readFileSync(secretsFile, 'utf8')) : {}
  const isBackedUp = parameters.includes('--log-key-is-backed-up')
  const faults = await deployFaults(
    { ...(vars as Record<string, string>), ...(secrets as Record<string, string>) },
    { hasSecrets, isBackedUp },
  )
  for (const fault of faults) console.error(`refused: ${fault}`)
  console.log(checklist(hasSecrets))
  if (faults.length > 0) return 1
  if (parameters.includes('--check')) return 0
  await build()
  const others = parameters.filter((one) => !own.includes(one))
  const file = hasSecrets ? ['--secrets-file', secretsFile] : []
  return spawnSync('wrangler', ['deploy', ...file, ...others], { stdio: 'inherit' }).status ?? 1
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2))
