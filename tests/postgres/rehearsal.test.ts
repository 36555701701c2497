import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'smol-toml'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtModules } from '../../scripts/build.ts'
import { freePort } from '../../scripts/free-port.ts'
import { type Served, serve } from '../../scripts/serve.ts'
import { readWorkerConfig } from '../../scripts/worker-config.ts'
import type { EmbeddedBackend } from '../../supabase/embedded/embedded.ts'
import { migratedData, temporaryFolder } from '../support/data-folder.ts'
import { openLive } from '../support/live-socket.ts'
import { onCluster, postgresPrograms } from '../support/postgres.ts'
import { run } from '../support/process.ts'
import { startPictures } from '../support/site.ts'
import { startBackend, transaction } from '../support/temporary-backend.ts'
import { documentOf, toastOf, Visitor } from '../support/visitor.ts'

/**
 * A deployment without an account: the migrations on a PostgreSQL with the roles of a hosted project, what wrangler would
 * upload with the variables of docs/deploying.md, each binding used once, and a backup restored into a new project.
 */
const origin = 'https://goodblock.example'
const healthKey = 'a key of this test only'
const closers: (() => unknown)[] = []
const folder = temporaryFolder()
const deployed = join(folder.path, 'deployed')

/** The part of wrangler.toml that docs/deploying.md lets an operator write. */
const [, ours = ''] = /```toml\n([\s\S]*?)```/.exec(readFileSync('docs/deploying.md', 'utf8')) ?? []

interface Project {
  backend: EmbeddedBackend
  databaseUrl: string
}

/** A new hosted project with the migrations, and with the key of an earlier log, if there was one. */
async function startProject(logKey?: string): Promise<Project> {
  const { path, databaseUrl = '', remove } = await migratedData()
  if (logKey) writeFileSync(join(path, 'keys.json'), JSON.stringify({ logKey }))
  const options = { dataDir: path, databaseUrl, port: 0, mailPort: 0, siteUrl: origin, log: () => {} }
  const backend = await startBackend(options)
  closers.push(remove, backend.close)
  return { backend, databaseUrl }
}

interface Site extends Served {
  lines: string[]
}

/** Starts the production worker at a port, with the variables of the deployment and its secrets. */
async function startWorker(
  { url, publishableKey, secretKey, logKey }: EmbeddedBackend,
  port: number,
): Promise<Site> {
  const lines: string[] = []
  const { vars } = parse(ours) as { vars: Record<string, string> }
  const site = await serve({
    port,
    origin,
    config: { ...readWorkerConfig(), vars },
    checkpoints: join(folder.path, 'checkpoints'),
    variables: {
      ...{ SUPABASE_URL: url, SUPABASE_PUBLISHABLE_KEY: publishableKey, SUPABASE_SECRET_KEY: secretKey },
      ...{ LOG_KEY: logKey, HEALTH_KEY: healthKey },
    },
    print: (line) => lines.push(line),
  })
  return { ...site, lines }
}

let project: Project
let site: Site
let port: number
let uploaded: { succeeded: boolean; output: string }

/** What wrangler would upload, with a copy of wrangler.toml in which the operator has written. */
async function upload() {
  const toml = readFileSync('wrangler.toml', 'utf8').replace(/^\[vars\]\n(?:\w.*\n)+/m, '')
  writeFileSync(join(folder.path, 'wrangler.toml'), `${toml}\n${ours}`)
  symlinkSync(resolve('build'), join(folder.path, 'build'))
  const command = ['wrangler', 'deploy', '--dry-run', '--cwd', folder.path, '--outdir', deployed] as const
  return run([...command], { echo: false, env: { WRANGLER_SEND_METRICS: 'false', NO_COLOR: '1', CI: '1' } })
}

beforeAll(async () => {
  ;[uploaded, project] = await Promise.all([upload(), startProject()])
  await startPictures(project.backend)
  port = await freePort()
  site = await startWorker(project.backend, port)
})
afterAll(async () => {
  await site.close()
  for (const close of closers.reverse()) await close()
  folder.remove()
})

test('wrangler accepts the variables, the domain and the namespace of docs/deploying.md', () => {
  expect(uploaded.succeeded, uploaded.output).toBe(true)
  const { vars } = parse(ours) as { vars: Record<string, string> }
  expect(Object.keys(vars).length).toBeLessThanOrEqual(15)
  for (const name of ['CHECKPOINTS', 'LIVE', 'IMAGES', ...Object.keys(vars)])
    expect(uploaded.output).toContain(`env.${name} `)
  for (const [name, bytes] of Object.entries(builtModules()))
    expect(readFileSync(join(deployed, name)).equals(bytes), name).toBe(true)
})

test('no part of config.toml has a setting that only this machine may have', () => {
  const { auth, remotes } = parse(readFileSync('supabase/config.toml', 'utf8')) as {
    auth: { email: object }
    remotes: { production: { auth: { email: object } } }
  }
  for (const name of ['site_url', 'additional_redirect_urls']) expect(auth).not.toHaveProperty(name)
  for (const name of ['enable_confirmations', 'max_frequency']) expect(auth.email).not.toHaveProperty(name)
  expect(remotes.production.auth).toEqual({
    ...{ site_url: origin, additional_redirect_urls: [] },
    email: { enable_confirmations: true, max_frequency: '1m0s' },
  })
})

test('each binding of the deployment serves', async () => {
  const headers = { Origin: origin }
  const visitor = new Visitor(site.url)
  // Assets, and the variables: without SITE_URL each page would lead elsewhere.
  expect((await fetch(`${site.url}/favicon.ico`)).status).toBe(200)
  const home = await visitor.get('/')
  expect(home.status).toBe(200)
  expect(documentOf(home).querySelector('link[rel=canonical]')?.getAttribute('href')).toBe(`${origin}/`)
  // Sign-up, a code and a mail: LIMIT_ADDRESS, LIMIT_ACCOUNT, LIMIT_CODE and LIMIT_MAIL.
  const account = { email: 'first@example.org', password: 'correct horse', username: 'First' }
  expect((await visitor.post('/auth', { intent: 'sign-up', ...account }, headers)).status).toBe(303)
  const { html } = await visitor.get('/dashboard?edit=profile')
  const member = /name="member" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const coded = new Visitor(site.url)
  const ask = { intent: 'ask', email: account.email }
  expect((await coded.post('/auth/code', ask, headers)).status).toBe(303)
  await coded.post('/auth/code?step=mail', { intent: 'enter', code: '100000' }, headers)
  const wrong = { intent: 'sign-in', email: account.email, password: 'a wrong password' }
  const tries = Array.from({ length: 21 }, () => new Visitor(site.url).post('/auth', wrong, headers))
  expect((await Promise.all(tries)).map(({ status }) => status)).toContain(429)
  // IMAGES reduces a picture that is too large to be stored as it is.
  const fromMiniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'))
  const sharp = fromMiniflare('sharp') as typeof import('sharp').default
  const background = { r: 200, g: 100, b: 50 }
  const photo = await sharp({ create: { width: 3000, height: 2000, channels: 3, background } })
    .jpeg()
    .toBuffer()
  const body = new FormData()
  body.set('intent', 'save-picture')
  body.set('member', member)
  body.set('picture', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }))
  const sent = { Accept: 'text/html', 'Sec-Fetch-Site': 'same-origin', ...headers }
  const page = await visitor.send('/dashboard/picture', { method: 'POST', body, headers: sent })
  expect(page.status).toBe(303)
  expect(toastOf(await visitor.get(page.location ?? '/'))).toMatch(/^Success /)
  // LIVE, behind LIMIT_SESSION.
  const socket = await openLive(site.url, { origin })
  expect(socket.status).toBe(101)
  await expect.poll(() => socket.messages.length).toBe(1)
  socket.end()
  expect(site.lines.filter((line) => /"limit\.(absent|broken)"|"configuration"/.test(line))).toEqual([])
})

test('the schedule signs the log, and keeps the checkpoint in CHECKPOINTS', async () => {
  await project.backend.sql('select public.append_ledger($1)', [
    JSON.stringify([transaction(), transaction()]),
  ])
  await site.runSchedule()
  const health = await fetch(`${site.url}/healthz`, { headers: { Authorization: `Bearer ${healthKey}` } })
  expect(await health.json()).toMatchObject({ status: 'ok' })
  expect(existsSync(join(folder.path, 'checkpoints', 'kv'))).toBe(true)
  expect(site.lines.filter((line) => line.includes('"scheduled.threw"'))).toEqual([])
  expect(await verify(site)).toContain('The log has 2 entries, signed by goodblock.example/transparency/log.')
})

/** Checks the whole log, with the checkpoint that an earlier call kept. Throws with what the program prints. */
async function verify({ url }: Site): Promise<string> {
  const command = [resolve('public/verify-ledger.mjs'), url, '--whole']
  return (await promisify(execFile)(process.execPath, command, { cwd: folder.path })).stdout
}

/** A program of PostgreSQL, as the role that owns a hosted project's database. */
function asOwner(program: string, databaseUrl: string, ...args: string[]): void {
  const url = new URL(databaseUrl)
  url.username = 'hosted_owner'
  execFileSync(join(postgresPrograms() ?? '', program), [url.href, ...args], { stdio: 'pipe' })
}

/** Loads the rows of a backup, as docs/operating.md says. Throws with what psql prints. */
function load(databaseUrl: string, backup: string): void {
  const options = ['--quiet', '--single-transaction', '-v', 'ON_ERROR_STOP=1']
  const replica = 'set session_replication_role = replica'
  asOwner('psql', databaseUrl, ...options, '-c', replica, '-f', 'supabase/restore.sql', '-f', backup)
}

/** Loads a backup into a new project, and starts the worker on it at the same address. Runs the schedule once. */
async function restore(backup: string): Promise<Project> {
  const restored = await startProject(project.backend.logKey)
  load(restored.databaseUrl, backup)
  await site.close()
  site = await startWorker(restored.backend, port)
  await site.runSchedule()
  return restored
}

const backup = () => join(folder.path, 'backup.sql')

test('a backup is restored into a new project as docs/operating.md says, and the log is the same', async () => {
  const document = readFileSync('docs/operating.md', 'utf8')
  const [, dumps = ''] = /pg_dump "\$DATABASE" ((?:--\S+ ?(?:\\\n\s*)?)+)/.exec(document) ?? []
  const options = dumps.split(/[\s\\]+/).filter(Boolean)
  expect(options.length).toBeGreaterThan(5)
  await onCluster(project.databaseUrl, (sql) =>
    sql.unsafe(
      'alter role hosted_owner login; grant set on parameter session_replication_role to hosted_owner',
    ),
  )
  asOwner('pg_dump', project.databaseUrl, ...options, `--file=${backup()}`)
  const restored = await restore(backup())
  expect(site.lines.filter((line) => line.includes('rolledBack'))).toEqual([])
  // The same address: the program compares the log with the checkpoint that it kept.
  expect(await verify(site)).toContain('It begins with the 2 entries of')
  const account = { intent: 'sign-in', email: 'first@example.org', password: 'correct horse' }
  const signedIn = await new Visitor(site.url).post('/auth', account, { Origin: origin })
  expect([signedIn.status, signedIn.location]).toEqual([303, '/dashboard'])
  expect(() => load(project.databaseUrl, backup())).toThrow('it is not a new project')
  project = restored
})

test("after yesterday's backup is restored, the job, the page and the program say what is missing, and nothing is signed until the loss is accepted", async () => {
  await project.backend.sql('select public.append_ledger($1)', [JSON.stringify([transaction()])])
  await site.runSchedule()
  expect(await verify(site)).toContain('The log has 3 entries')
  const signed = ({ backend }: Project) => backend.sql('select size from private.log_checkpoints')
  const restored = await restore(backup())
  const [fault = ''] = site.lines.filter((line) => line.includes('rolledBack'))
  expect(JSON.parse(fault)).toMatchObject({ level: 'error', rolledBack: true })
  expect(fault).toContain('the log lacks the signed checkpoint of 3 entries')
  expect(await signed(restored)).toEqual([{ size: 2 }])
  await expect(verify(site)).rejects.toThrow('3 entries')
  const page = documentOf(await new Visitor(site.url).get('/transparency/verify'))
  expect(page.querySelector('main')?.textContent).toContain('3 entries')
  await restored.backend.sql("select public.accept_restore('ledger', 'The disk of Monday was lost.')")
  await site.runSchedule()
  expect(await signed(restored)).toEqual([{ size: 2 }, { size: 3 }])
})
