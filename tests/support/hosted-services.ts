/** Runs PostgREST beside the databases of the tests' backends, with the settings of a hosted project. */
import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../scripts/free-port.ts'
import type { DataApi } from '../../supabase/embedded/embedded.ts'
import type { Keys } from '../../supabase/embedded/keys.ts'
import { onCluster } from './postgres.ts'

/** As on a hosted project. Roles belong to the whole cluster. `library` is safeupdate, without its suffix. */
const authenticator = (library: string) => `
  create role authenticator login noinherit;
  grant anon, authenticated, service_role to authenticator;
  alter role anon set statement_timeout = '3s';
  alter role authenticated set statement_timeout = '8s';
  alter role authenticator set statement_timeout = '8s';
  alter role authenticator set lock_timeout = '8s';
  alter role authenticator set session_preload_libraries = '${library}';`

/**
 * The functions of the claims as the hosted auth service defines them: PostgREST sets one JSON text, lite a setting for
 * each claim. And the event triggers, which make PostgREST read a changed schema.
 */
const hostedObjects = `
  ${['sub uid uuid', 'role role text', 'email email text'].map(claimFunction).join('')}
  create or replace function auth.jwt() returns jsonb language sql stable as $f$
    select coalesce(nullif(current_setting('request.jwt.claim', true), ''), nullif(current_setting('request.jwt.claims', true), ''))::jsonb
  $f$;
  create function auth.reload_api() returns event_trigger language plpgsql as $f$ begin notify pgrst, 'reload schema'; end $f$;
  create event trigger pgrst_ddl_watch on ddl_command_end execute function auth.reload_api();
  create event trigger pgrst_drop_watch on sql_drop execute function auth.reload_api();`

function claimFunction(described: string): string {
  const [claim, name, type] = described.split(' ')
  return `create or replace function auth.${name}() returns ${type} language sql stable as $f$
    select coalesce(
      nullif(current_setting('request.jwt.claim.${claim}', true), ''),
      nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> '${claim}'
    )::${type}
  $f$;`
}

/** With POSTGREST_BIN, returns what starts PostgREST for a database of the cluster. REAL_FILES gets the tests' files. */
export function realDataApi(clusterUrl: string, databaseUrl: string) {
  const { POSTGREST_BIN, SAFEUPDATE_LIB, REAL_FILES, TEST_FILE } = process.env
  if (!POSTGREST_BIN) return undefined
  return async (keys: Keys): Promise<DataApi> => {
    await onCluster(clusterUrl, async (sql) => {
      // Other processes wait until the role exists.
      await sql`select pg_advisory_lock(2)`
      if ((await sql`select from pg_roles where rolname = 'authenticator'`).length > 0) return
      await sql.unsafe(authenticator((SAFEUPDATE_LIB ?? '').replace(/\.so$/, '')))
    })
    const database = new URL(databaseUrl)
    await onCluster(databaseUrl, (sql) => sql.unsafe(hostedObjects))
    database.username = 'authenticator'
    // PostgREST would try for ever to log in.
    await onCluster(database.href, (sql) => sql`select 1`).catch(({ message }: Error) => {
      throw new Error(`SAFEUPDATE_LIB: PostgreSQL cannot use it (${message})`)
    })
    if (REAL_FILES) appendFileSync(REAL_FILES, `${TEST_FILE}\n`)
    return startPostgrest(POSTGREST_BIN, database.href, keys)
  }
}

async function startPostgrest(program: string, databaseUri: string, keys: Keys): Promise<DataApi> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn('sh', ['scripts/run-with-parent.sh', program], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH,
      LANG: 'C.UTF-8',
      PGRST_DB_URI: databaseUri,
      PGRST_DB_SCHEMAS: 'public',
      PGRST_DB_ANON_ROLE: 'anon',
      PGRST_DB_MAX_ROWS: '1000',
      PGRST_JWT_SECRET: keys.jwtSecret,
      PGRST_SERVER_HOST: '127.0.0.1',
      PGRST_SERVER_PORT: `${port}`,
      PGRST_LOG_LEVEL: 'error',
    },
  })
  const exited = once(child, 'exit')
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-2000)
  })
  // PostgREST responds with 503 until it has read the schema.
  const isReady = () =>
    fetch(url).then(
      ({ status }) => status !== 503,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`POSTGREST_BIN: ${program} does not start: ${errors}`)
    await sleep(50)
  }
  const close = async () => {
    child.kill('SIGKILL')
    await exited
  }
  return { handler: gateway(url, keys), close }
}

/** Stands in front of PostgREST as a hosted project's gateway does: each API key becomes a token of its role. */
function gateway(server: string, { jwtSecret, publishableKey, secretKey }: Keys): DataApi['handler'] {
  const tokens = new Map([
    [publishableKey, tokenOf('anon', jwtSecret)],
    [secretKey, tokenOf('service_role', jwtSecret)],
  ])
  return async (request) => {
    const { pathname, search } = new URL(request.url)
    const headers = new Headers(request.headers)
    const key = headers.get('apikey') ?? ''
    if (!tokens.has(key)) return Response.json({ message: 'Invalid API key' }, { status: 401 })
    const bearer = /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? key
    headers.set('authorization', `Bearer ${tokens.get(bearer) ?? bearer}`)
    for (const name of ['apikey', 'host', 'connection', 'content-length']) headers.delete(name)
    const body = request.body && (await request.arrayBuffer())
    const response = await fetch(server + pathname.slice('/rest/v1'.length) + search, {
      method: request.method,
      headers,
      body,
    })
    const answered = new Headers(response.headers)
    // fetch has decoded the body.
    for (const name of ['content-encoding', 'transfer-encoding', 'connection']) answered.delete(name)
    return new Response(response.body, { status: response.status, headers: answered })
  }
}

/** A token of a role, for an hour. */
function tokenOf(role: string, secret: string): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor(Date.now() / 1000) + 3600
  const content = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ role, exp })}`
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}
