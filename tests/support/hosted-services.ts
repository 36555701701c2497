/** The programs of a hosted project (auth service, PostgREST, Storage) beside a database of the tests' cluster. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as openRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../scripts/free-port.ts'
import type { Handler } from '../../supabase/embedded/http.ts'
import { readSettings } from '../../supabase/embedded/settings.ts'
import { postgresPrograms } from './postgres.ts'
import { makeSigningKeys, type SigningKeys } from './signing-keys.ts'

export interface Programs {
  postgrest: string
  /** The library safeupdate, without its suffix. */
  safeupdate: string
  auth: string
  /** A checkout of Storage with its packages. */
  storage: string
}

/** The programs that the environment names, or null without POSTGREST_BIN. */
export function hostedPrograms(): Programs | null {
  const { POSTGREST_BIN, SAFEUPDATE_LIB = '', AUTH_BIN = '', STORAGE_DIR = '' } = process.env
  if (!POSTGREST_BIN) return null
  const safeupdate = SAFEUPDATE_LIB.replace(/\.so$/, '')
  return { postgrest: POSTGREST_BIN, safeupdate, auth: AUTH_BIN, storage: STORAGE_DIR }
}

/** Throws, with what to do, if a program is missing. Returns their versions. */
export function assertPrograms({ postgrest, safeupdate, auth, storage }: Programs): string {
  const readme = 'tests/real/README.md says where to get it'
  if (!postgresPrograms()) throw new Error('PostgreSQL is not installed (apt-get install postgresql)')
  const version = (program: string, argument: string) =>
    (program && spawnSync(program, [argument], { encoding: 'utf8' }).stdout?.trim()) || ''
  const rest = version(postgrest, '--version')
  if (!rest.startsWith('PostgREST'))
    throw new Error(`POSTGREST_BIN: "${postgrest}" is not PostgREST: ${readme}`)
  if (!existsSync(`${safeupdate}.so`)) throw new Error(`SAFEUPDATE_LIB: safeupdate.so is missing: ${readme}`)
  const authService = version(auth, 'version')
  if (!authService) throw new Error(`AUTH_BIN: "${auth}" is not the auth service: ${readme}`)
  if (!existsSync(join(storage, storageServer)) || !existsSync(join(storage, 'node_modules')))
    throw new Error(`STORAGE_DIR: "${storage}" is no checkout of Storage with its packages: ${readme}`)
  return [rest, `auth service ${authService}`, `Storage in ${storage}`].join('\n')
}

export interface Service {
  url: string
  close(): Promise<void>
}

interface Launch {
  variable: string
  command: string[]
  cwd?: string
  env: Record<string, string>
  /** A path that responds with less than 500 when the service is ready. */
  ready: string
}

/** Starts a program, which ends with this process, and waits until it is ready. */
async function launch(port: number, { variable, command, cwd, env, ready }: Launch): Promise<Service> {
  const url = `http://127.0.0.1:${port}`
  const child = spawn('sh', [join(process.cwd(), 'scripts/run-with-parent.sh'), ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, LANG: 'C.UTF-8', ...env },
  })
  const exited = once(child, 'exit')
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-3000)
    })
  const isReady = () =>
    fetch(url + ready).then(
      ({ status }) => status < 500,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`${variable}: ${command[0]} does not start: ${said}`)
    await sleep(50)
  }
  const close = async () => {
    child.kill('SIGKILL')
    await exited
  }
  return { url, close }
}

/** Runs a program to its end. Throws with its output if it fails. */
function finish(variable: string, command: string[], env: Record<string, string>, cwd?: string): void {
  const [program = '', ...args] = command
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  })
  if (status !== 0) throw new Error(`${variable}: ${program} failed: ${(stdout + stderr).slice(-3000)}`)
}

/** The database as one of the roles of the services. */
function as(role: string, databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.username = role
  return url.href
}

/** What every service needs. */
export interface Project {
  databaseUrl: string
  /** The URL of the gateway. */
  url: string
  siteUrl: string
  confirmations: boolean
  keys: SigningKeys
  /** The shared secret of the project. */
  jwtSecret: string
}

/** Starts PgBouncer in transaction mode: each transaction on any connection. Returns the URL. */
async function startPooler(program: string, databaseUrl: string): Promise<Service> {
  const url = new URL(databaseUrl)
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'goodblock-pooler-'))
  const settings = join(folder, 'pgbouncer.ini')
  const users = join(folder, 'users')
  writeFileSync(users, `"${url.username}" ""\n`)
  writeFileSync(
    settings,
    `[databases]
* = host=${url.hostname} port=${url.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
pool_mode = transaction
auth_type = trust
auth_file = ${users}
ignore_startup_parameters = extra_float_digits
`,
  )
  chmodSync(folder, 0o755)
  // PgBouncer refuses to run as root.
  const child = spawn(program, [...(process.getuid?.() === 0 ? ['-u', 'postgres'] : []), settings], {
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  url.port = `${port}`
  const close = async () => {
    child.kill('SIGKILL')
    await exited
    rmSync(folder, { recursive: true })
  }
  return { url: url.href, close }
}

/** Starts PostgREST. `settings`: what differs from a hosted project. */
export async function startPostgrest(
  program: string,
  { databaseUrl, keys }: Pick<Project, 'databaseUrl' | 'keys'>,
  settings: Record<string, string> = {},
): Promise<Service> {
  const port = await freePort()
  const { POOLER_BIN } = process.env
  const direct = as('authenticator', databaseUrl)
  const pooler = POOLER_BIN ? await startPooler(POOLER_BIN, direct) : null
  const service = await launch(port, {
    variable: 'POSTGREST_BIN',
    command: [program],
    // PostgREST responds with 503 until it has read the schema.
    ready: '/',
    env: {
      PGRST_DB_URI: pooler?.url ?? direct,
      // Prepared statements and LISTEN belong to a connection.
      ...(pooler && { PGRST_DB_PREPARED_STATEMENTS: 'false', PGRST_DB_CHANNEL_ENABLED: 'false' }),
      PGRST_DB_SCHEMAS: 'public',
      PGRST_DB_EXTRA_SEARCH_PATH: 'public,extensions',
      PGRST_DB_ANON_ROLE: 'anon',
      PGRST_DB_MAX_ROWS: '1000',
      PGRST_JWT_SECRET: JSON.stringify(keys.trusted()),
      PGRST_SERVER_HOST: '127.0.0.1',
      PGRST_SERVER_PORT: `${port}`,
      PGRST_LOG_LEVEL: 'error',
      ...settings,
    },
  })
  const close = async () => {
    await service.close()
    await pooler?.close()
  }
  return { url: service.url, close }
}

const authDatabase = (databaseUrl: string) => ({
  GOTRUE_DB_DRIVER: 'postgres',
  GOTRUE_DB_NAMESPACE: 'auth',
  DATABASE_URL: as('supabase_auth_admin', databaseUrl),
  GOTRUE_DB_MAX_POOL_SIZE: '5',
  GOTRUE_LOG_LEVEL: 'error',
  GOTRUE_JWT_SECRET: 'only to read the settings',
  GOTRUE_SITE_URL: 'http://127.0.0.1',
  API_EXTERNAL_URL: 'http://127.0.0.1',
})

export function migrateAuth(program: string, databaseUrl: string): void {
  finish('AUTH_BIN', [program, 'migrate'], authDatabase(databaseUrl))
}

/** The kinds of mails, as the settings of the auth service and of the Supabase CLI name them. */
const mails = ['confirmation', 'recovery', 'magic_link', 'email_change', 'invite'] as const

/**
 * The settings of docs/deploying.md, with the limits of supabase/config.toml.
 * @param settings replace these, by the names of the service's environment
 */
export async function startAuth(
  program: string,
  project: Project,
  mail: { smtpPort: number; templatesUrl: string },
  settings: Record<string, string> = {},
): Promise<Service> {
  const port = await freePort()
  const { auth } = readSettings()
  const words = Object.fromEntries(
    mails.flatMap((kind) => [
      [`GOTRUE_MAILER_SUBJECTS_${kind.toUpperCase()}`, auth?.email?.template?.[kind]?.subject ?? ''],
      [`GOTRUE_MAILER_TEMPLATES_${kind.toUpperCase()}`, `${mail.templatesUrl}/${kind}.html`],
    ]),
  )
  return launch(port, {
    variable: 'AUTH_BIN',
    command: [program, 'serve'],
    ready: '/health',
    env: {
      ...authDatabase(project.databaseUrl),
      GOTRUE_API_HOST: '127.0.0.1',
      PORT: `${port}`,
      API_EXTERNAL_URL: `${project.url}/auth/v1`,
      GOTRUE_JWT_ISSUER: `${project.url}/auth/v1`,
      GOTRUE_JWT_SECRET: project.jwtSecret,
      GOTRUE_JWT_KEYS: JSON.stringify(project.keys.private()),
      GOTRUE_JWT_EXP: '3600',
      GOTRUE_JWT_AUD: 'authenticated',
      GOTRUE_JWT_DEFAULT_GROUP_NAME: 'authenticated',
      GOTRUE_JWT_ADMIN_ROLES: 'supabase_admin,service_role',
      GOTRUE_SITE_URL: project.siteUrl,
      GOTRUE_URI_ALLOW_LIST: `${project.siteUrl}/**`,
      GOTRUE_EXTERNAL_EMAIL_ENABLED: 'true',
      GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED: 'true',
      GOTRUE_MAILER_AUTOCONFIRM: `${!project.confirmations}`,
      GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED: 'true',
      GOTRUE_MAILER_OTP_EXP: '3600',
      GOTRUE_MAILER_OTP_LENGTH: '6',
      GOTRUE_PASSWORD_MIN_LENGTH: '6',
      GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED: 'true',
      GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: '10',
      GOTRUE_SMTP_HOST: '127.0.0.1',
      GOTRUE_SMTP_PORT: `${mail.smtpPort}`,
      GOTRUE_SMTP_ADMIN_EMAIL: 'auth@goodblock.example',
      GOTRUE_SMTP_MAX_FREQUENCY: '1s',
      GOTRUE_RATE_LIMIT_EMAIL_SENT: '100000',
      ...words,
      ...settings,
    },
  })
}

const storageServer = 'src/start/server.ts'

function storageSettings(
  storage: string,
  { databaseUrl, keys, jwtSecret }: Pick<Project, 'databaseUrl' | 'keys' | 'jwtSecret'>,
) {
  return {
    cwd: storage,
    run: (script: string) => [process.execPath, '--import', 'tsx', script],
    env: {
      DATABASE_URL: as('supabase_storage_admin', databaseUrl),
      DB_INSTALL_ROLES: 'false',
      DB_SUPER_USER: 'hosted_owner',
      DATABASE_MAX_CONNECTIONS: '5',
      AUTH_JWT_SECRET: jwtSecret,
      JWT_JWKS: JSON.stringify(keys.trusted()),
      ANON_KEY: keys.tokenOf('anon'),
      SERVICE_KEY: keys.tokenOf('service_role'),
      STORAGE_BACKEND: 'file',
      STORAGE_S3_REGION: 'local',
      STORAGE_S3_BUCKET: 'local',
      UPLOAD_FILE_SIZE_LIMIT: '52428800',
      TENANT_ID: 'test',
      LOG_LEVEL: 'error',
    },
  }
}

export function migrateStorage(storage: string, databaseUrl: string): void {
  const jwtSecret = 'only to read the settings'
  const { run, cwd, env } = storageSettings(storage, {
    databaseUrl,
    jwtSecret,
    keys: makeSigningKeys(jwtSecret),
  })
  finish('STORAGE_DIR', run('src/scripts/migrate-call.ts'), env, cwd)
}

/** Starts Storage, which keeps its files in a folder. */
export async function startStorage(storage: string, project: Project, folder: string): Promise<Service> {
  const port = await freePort()
  const { run, cwd, env } = storageSettings(storage, project)
  return launch(port, {
    variable: 'STORAGE_DIR',
    command: run(storageServer),
    cwd,
    ready: '/status',
    env: {
      ...env,
      SERVER_HOST: '127.0.0.1',
      SERVER_PORT: `${port}`,
      SERVER_ADMIN_PORT: `${await freePort()}`,
      STORAGE_FILE_BACKEND_PATH: folder,
    },
  })
}

interface GatewayOptions {
  publishableKey: string
  secretKey: string
  keys: SigningKeys
  /** The URL of a service, which may still have to start. */
  urlOf(service: 'auth' | 'rest' | 'storage'): Promise<string>
}

/** Addresses that need no API key. */
const open = /^\/(auth\/v1\/(verify|callback|authorize|\.well-known)|storage\/v1\/object\/(public|sign))\b/

/** Stands in front of the services as a hosted project's gateway does: each API key becomes a token of its role. */
export function gateway({ publishableKey, secretKey, keys, urlOf }: GatewayOptions): Handler {
  const roles = new Map([
    [publishableKey, 'anon'],
    [secretKey, 'service_role'],
  ] as const)
  return async (request) => {
    const { pathname, search } = new URL(request.url)
    const [prefix, service] = /^\/(auth|rest|storage)\/v1(?=\/|$)/.exec(pathname) ?? []
    if (!prefix) return Response.json({ message: 'no Route matched with those values' }, { status: 404 })
    const headers = new Headers(request.headers)
    const key = headers.get('apikey')
    if (key ? !roles.has(key) : !open.test(pathname))
      return Response.json({ message: 'Invalid API key' }, { status: 401 })
    const bearer = /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? key
    const role = roles.get(bearer ?? '')
    if (bearer) headers.set('authorization', `Bearer ${role ? keys.tokenOf(role) : bearer}`)
    headers.set('x-forwarded-host', headers.get('host') ?? '')
    for (const name of ['apikey', 'host', 'connection', 'accept-encoding']) headers.delete(name)
    const address = (await urlOf(service as 'auth')) + pathname.slice(prefix.length) + search
    return forward(address, request, headers).catch(() =>
      Response.json({ message: 'name resolution failed' }, { status: 503 }),
    )
  }
}

/**
 * Sends a request to a service, on a connection of its own: a service may close a kept one just when it is used. `fetch`
 * would throw if a service responds before it has read the whole body, as Storage does if the body is too long.
 */
export async function forward(
  address: string,
  { method, body }: { method: string; body: BodyInit | null },
  headers: Headers,
): Promise<Response> {
  const sent = body ? Buffer.from(await new Response(body).arrayBuffer()) : undefined
  return new Promise((resolve, reject) => {
    const outgoing = openRequest(
      address,
      { method, headers: Object.fromEntries(headers), agent: false },
      (incoming) => {
        const answered = new Headers()
        for (const [name, values] of Object.entries(incoming.headersDistinct))
          if (!['connection', 'keep-alive', 'transfer-encoding'].includes(name))
            for (const value of values ?? []) answered.append(name, value)
        buffer(incoming).then((bytes) => {
          const hasBody = bytes.length > 0 && ![204, 304].includes(incoming.statusCode ?? 0)
          const init = { status: incoming.statusCode, headers: answered }
          resolve(new Response(hasBody ? new Uint8Array(bytes) : null, init))
        }, reject)
      },
    )
    outgoing.on('error', reject)
    outgoing.end(sent)
  })
}
