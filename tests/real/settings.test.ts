import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareHosted } from '../support/hosted-owner.ts'
import { hostedPrograms, type Programs, type Service, startAuth } from '../support/hosted-services.ts'
import { startMailServer } from '../support/mail-server.ts'
import { createDatabase } from '../support/postgres.ts'
import { run } from '../support/process.ts'
import { makeSigningKeys } from '../support/signing-keys.ts'
import { cli } from './cli.ts'

/**
 * The Supabase CLI pushes supabase/config.toml to a server that keeps what it would send to a project, and the auth
 * service starts with exactly that.
 */
const project = 'abcdefghijklmnopqrst'
const closers: (() => unknown)[] = []
const mails: { to: string; subject: string; html: string }[] = []
let pushed: Record<string, unknown>
let auth: Service

/** The project's configuration before the push: nothing is set in the auth service, everything else is as in the file. */
const configuration = {
  database: {
    ...{ major_version: 17, ssl_enforced: false, postgres_settings: {} },
    network_restrictions: { entitlement: 'allowed', status: 'applied', allowed_cidrs: [] },
  },
  pooler: {
    ...{
      pool_mode: 'transaction',
      ignore_startup_parameters: '',
      server_idle_timeout: 1,
      server_lifetime: 1,
    },
    ...{ query_wait_timeout: 1, reserve_pool_size: 1, default_pool_size: 1, max_client_conn: 1 },
  },
  // A property that is not there is pushed, an absent service is left out.
  auth: { site_url: 'http://localhost:3000' },
  api: {
    ...{ db_schema: 'public', db_extra_search_path: 'public,extensions', max_rows: 1000, db_pool: null },
    ...{ db_pool_acquisition_timeout: 1, db_pool_max_lifetime: 1, db_pool_max_idletime: 1 },
  },
  realtime: {
    ...{ private_only: false, max_concurrent_users: 1, max_events_per_second: 1, max_bytes_per_second: 1 },
    ...{ max_channels_per_client: 1, max_joins_per_second: 1, max_presence_events_per_second: 1 },
    ...{ max_payload_size_in_kb: 1, presence_enabled: true, suspend: false, connection_pool: 1 },
    postgres_changes_pool: null,
  },
  storage: {
    file_size_limit: 2 * 1024 ** 2,
    features: {
      image_transformation: { enabled: true },
      s3_protocol: { enabled: true },
      purge_cache: { enabled: true },
      iceberg_catalog: { enabled: false, max_namespaces: 1, max_tables: 1, max_catalogs: 1 },
      vector_buckets: { enabled: false, max_buckets: 1, max_indexes: 1 },
    },
    capabilities: { list_v2: true, iceberg_catalog: true, object_versioning: true },
    ...{ upstream_target: 'main', migration_version: null },
  },
}

/** What `supabase config push` sends as the project's auth configuration. */
async function push(): Promise<Record<string, unknown>> {
  let sent: Record<string, unknown> | undefined
  const server = createServer(async (request, response) => {
    const { method, url = '' } = request
    const body = await text(request)
    const answers: Record<string, unknown> = {
      [`/v2/projects/${project}/config`]: {
        data: { type: 'project_config', id: project, attributes: configuration },
      },
      [`/v1/projects/${project}/billing/addons`]: { selected_addons: [], available_addons: [] },
    }
    if (method === 'PATCH' && url.endsWith('/config/auth')) sent = JSON.parse(body)
    response.statusCode = answers[url] ? 200 : 404
    response.end(JSON.stringify(answers[url] ?? { message: 'kept' }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const folder = mkdtempSync(join(tmpdir(), 'goodblock-push-'))
  try {
    cpSync('supabase', join(folder, 'supabase'), { recursive: true })
    const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const urls = ['api_url', 'dashboard_url', 'docs_url'].map((name) => `${name}: ${api}`)
    const profile = join(folder, 'profile.yaml')
    writeFileSync(profile, ['name: local', 'project_host: 127.0.0.1', ...urls, ''].join('\n'))
    const target = [
      'config',
      'push',
      `--remote=${project}`,
      '--profile',
      profile,
      '--workdir',
      folder,
      '--yes',
    ]
    const { output } = await run([...cli, ...target], {
      echo: false,
      env: { SUPABASE_ACCESS_TOKEN: `sbp_${'0'.repeat(40)}`, SUPABASE_TELEMETRY_DISABLED: '1' },
    })
    expect(output).toContain('[remotes.production]')
    expect(sent, output).toBeDefined()
    return sent as Record<string, unknown>
  } finally {
    server.close()
    rmSync(folder, { recursive: true })
  }
}

/** The variables of the auth service for settings of the Management API, and the address of each mail's text. */
function variablesOf(settings: Record<string, unknown>, templatesUrl: string): Record<string, string> {
  const renamed: Record<string, string> = {
    refresh_token_rotation_enabled: 'security_refresh_token_rotation_enabled',
  }
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      const kind = /^mailer_templates_(\w+)_content$/.exec(name)?.[1]
      if (kind) return [`GOTRUE_MAILER_TEMPLATES_${kind.toUpperCase()}`, `${templatesUrl}/${kind}`]
      const unit = name === 'smtp_max_frequency' ? 's' : ''
      return [`GOTRUE_${(renamed[name] ?? name).toUpperCase()}`, `${value}${unit}`]
    }),
  )
}

beforeAll(async () => {
  pushed = await push()
  const programs = hostedPrograms() as Programs
  const { url: databaseUrl, drop } = await createDatabase(process.env.TEST_POSTGRES_URL as string)
  closers.push(drop)
  await prepareHosted(databaseUrl, programs)
  const mailServer = await startMailServer((mail) => mails.push(mail))
  closers.push(mailServer.close)
  const templates = createServer(({ url = '' }, response) =>
    response.end(pushed[`mailer_templates_${url.slice(1)}_content`]),
  )
  await new Promise<void>((done) => templates.listen(0, '127.0.0.1', done))
  closers.push(() => templates.close())
  const templatesUrl = `http://127.0.0.1:${(templates.address() as AddressInfo).port}`
  const jwtSecret = 'a secret of thirty-two characters'
  const url = 'http://127.0.0.1:9'
  auth = await startAuth(
    programs.auth,
    { databaseUrl, url, siteUrl: url, confirmations: false, keys: makeSigningKeys(jwtSecret), jwtSecret },
    { smtpPort: mailServer.port, templatesUrl },
    variablesOf(pushed, templatesUrl),
  )
  closers.push(auth.close)
})
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

async function post(path: string, body: object, token?: string) {
  const response = await fetch(auth.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const account = (name: string, lang: string) => ({
  ...{ email: `${name}@example.org`, password: 'correct horse', data: { username: 'Member', lang } },
})

/** The newest mail to an address. */
const mailTo = (name: string) => mails.findLast(({ to }) => to === `${name}@example.org`)

test('the settings of docs/deploying.md are pushed', () => {
  expect(pushed).toMatchObject({
    ...{ site_url: 'https://goodblock.example', uri_allow_list: '', disable_signup: false, jwt_exp: 3600 },
    ...{ mailer_autoconfirm: false, mailer_secure_email_change_enabled: true, smtp_max_frequency: 60 },
    ...{ mailer_otp_length: 6, mailer_otp_exp: 3600, mfa_max_enrolled_factors: 10 },
    ...{ mfa_totp_enroll_enabled: true, mfa_totp_verify_enabled: true, external_web3_ethereum_enabled: true },
    ...{ refresh_token_rotation_enabled: true, security_refresh_token_reuse_interval: 10 },
    external_anonymous_users_enabled: false,
  })
  expect(JSON.stringify(pushed)).not.toContain('127.0.0.1')
})

test.each([
  ['en', 'Confirm your email'],
  ['zh', '确认您的邮箱'],
  ['tr', 'E-postanızı onaylayın'],
  ['es', 'Confirma tu correo'],
  ['ar', 'تأكيد بريدك الإلكتروني'],
])('an address must be confirmed, by a mail in the language %s', async (lang, subject) => {
  const { status, body } = await post('/signup', account(lang, lang))
  expect([status, body.access_token]).toEqual([200, undefined])
  expect(mailTo(lang)?.subject).toBe(subject)
  expect(mailTo(lang)?.html).toContain('https://goodblock.example/')
  const signIn = await post('/token?grant_type=password', account(lang, lang))
  expect([signIn.status, signIn.body.error_code]).toEqual([400, 'email_not_confirmed'])
})

test('a second mail within a minute is refused, and a link leads only to the site', async () => {
  await post('/signup', account('minute', 'en'))
  const again = await post('/resend', { type: 'signup', email: account('minute', 'en').email })
  expect([again.status, again.body.error_code]).toEqual([429, 'over_email_send_rate_limit'])
  await post('/signup?redirect_to=https%3A%2F%2Fother.example%2F', account('elsewhere', 'en'))
  expect(mailTo('elsewhere')?.html).not.toContain('other.example')
})

test('a confirmed member has a token for an hour, and at most 10 factors', async () => {
  await post('/signup', account('factors', 'en'))
  const [, token_hash] = /token_hash=([\w-]+)/.exec(mailTo('factors')?.html ?? '') ?? []
  const { body } = await post('/verify', { type: 'signup', token_hash })
  expect(body.expires_in).toBe(3600)
  const codes: unknown[] = []
  for (let factor = 1; factor <= 11; factor++) {
    const enrolled = { factor_type: 'totp', friendly_name: `App ${factor}` }
    codes.push((await post('/factors', enrolled, `${body.access_token}`)).body.error_code)
  }
  expect(codes).toEqual([...Array(10).fill(undefined), 'too_many_enrolled_mfa_factors'])
})

test('a wallet may sign in', async () => {
  const { body } = await post('/token?grant_type=web3', {
    chain: 'ethereum',
    message: 'x',
    signature: '0x00',
  })
  expect(body.error_code).not.toBe('web3_provider_disabled')
})
