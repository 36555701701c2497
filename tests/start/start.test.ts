import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@supabase/supabase-js'
import { afterAll, expect, test } from 'vitest'
import { builtModules } from '../../scripts/build.ts'
import { freePort } from '../../scripts/free-port.ts'
import { node } from '../support/child.ts'
import { migratedDataDir } from '../support/data-folder.ts'
import { secretsIn } from '../support/secrets.ts'
import { shortLived } from '../support/short-lived.ts'
import { startOn, transaction } from '../support/temporary-backend.ts'

interface Running {
  child: ChildProcess
  output(): string
  ready: Promise<void>
  ended: Promise<number | null>
}

interface Place {
  port: number
  env: Record<string, string>
}

const scriptOf = (name: string) => fileURLToPath(new URL(`../../scripts/${name}.ts`, import.meta.url))

const folders: string[] = []
const children: Running[] = []

afterAll(async () => {
  for (const { child } of children) kill(child, 'SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Ports, and a data folder to come; with `migrated`, it has the schema, which takes seconds. */
async function newPlace({ migrated = false } = {}): Promise<Place> {
  const folder = migrated ? (await migratedDataDir()).path : mkdtempSync(join(tmpdir(), 'goodblock-start-'))
  folders.push(folder)
  const [port, backend, mail] = [await freePort(), await freePort(), await freePort()]
  const env = {
    PORT: `${port}`,
    SUPABASE_PORT: `${backend}`,
    MAIL_PORT: `${mail}`,
    DATA_DIR: migrated ? folder : join(folder, 'data'),
  }
  return { port, env }
}

/** Runs the part of `npm start` that follows the installation, in a process group and a folder of its own. */
function start(place: Place, ...args: string[]): Running {
  return run('start', place, ...args)
}

function run(script: string, { env }: Place, ...args: string[]): Running {
  const child = spawn(node, [...shortLived, scriptOf(script), ...args], {
    env: { ...process.env, ...env },
    cwd: tmpdir(),
    detached: true,
  })
  let said = ''
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const ready = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        said += chunk
        if (said.includes('ready http')) resolve()
      })
    ended.then(() => reject(new Error(said)))
  })
  ready.catch(() => {})
  const running = { child, output: () => said, ready, ended }
  children.push(running)
  return running
}

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-(child.pid as number), signal)
  } catch {
    // The group has ended.
  }
}

/** Returns whether a process of the group is still running. */
function isAlive(child: ChildProcess): boolean {
  try {
    process.kill(-(child.pid as number), 0)
    return true
  } catch {
    return false
  }
}

async function signUp({ port }: Place, email: string): Promise<number> {
  const body = new URLSearchParams({
    intent: 'sign-up',
    email,
    password: 'secret-word',
    username: 'Somebody',
  })
  const response = await fetch(`http://127.0.0.1:${port}/auth`, { method: 'POST', body, redirect: 'manual' })
  return response.status
}

async function signIn({ port }: Place, email: string): Promise<string | null> {
  const body = new URLSearchParams({ intent: 'sign-in', email, password: 'secret-word' })
  const response = await fetch(`http://127.0.0.1:${port}/auth`, { method: 'POST', body, redirect: 'manual' })
  return response.headers.get('Location')
}

const chain = {
  CHAIN_RPC_URLS: 'http://127.0.0.1:9',
  CHAIN_START_BLOCK: '1',
  CHAIN_TOKENS: `USDT:0x${'a'.repeat(40)}:18:usd`,
  TREASURY_WALLET: `0x${'b'.repeat(40)}`,
}

test('SIGINT or SIGKILL to the group, or a SIGKILL of the script alone, ends every process; the next start finds the data, runs the scheduled work and refuses a data folder in use', async () => {
  const place = await newPlace()
  const endings = ['SIGINT', 'SIGKILL', 'SIGKILL of the script'] as const
  for (const [turn, ending] of endings.entries()) {
    const isLast = ending === 'SIGKILL of the script'
    const { child, ready, ended, output } = start({ ...place, env: { ...place.env, ...(isLast && chain) } })
    await ready
    expect(output().trim().split('\n').pop()).toBe(`ready http://127.0.0.1:${place.port}`)
    // 'ready' comes after the pages with figures were answered with them.
    for (const path of ['/', '/transparency']) {
      const page = await fetch(`http://127.0.0.1:${place.port}${path}`)
      expect([path, page.status, page.headers.has('ETag')]).toEqual([path, 200, true])
      expect(output()).toContain(`"path":"${path}"`)
    }
    for (let earlier = 0; earlier < turn; earlier += 1)
      expect(await signIn(place, `member-${earlier}@example.com`), `after ${turn} starts`).toBe('/dashboard')
    expect(await signUp(place, `member-${turn}@example.com`)).toBe(303)
    if (isLast) {
      await expect.poll(output).toContain('too few endpoints respond')
      const other = await newPlace({ migrated: true })
      const second = start({ ...other, env: { ...other.env, DATA_DIR: place.env.DATA_DIR as string } })
      expect(await second.ended).toBe(1)
      expect(second.output().trim().split('\n')).toEqual([expect.stringContaining('already running')])
      child.kill('SIGKILL')
    } else kill(child, ending)
    expect(await ended).toBe(ending.startsWith('SIGKILL') ? null : 0)
    await expect.poll(() => isAlive(child)).toBe(false)
    expect(secretsIn(output().split('\n'))).toEqual([])
  }
}, 480_000)

test('a signal while the site starts stops everything, without an error message', async () => {
  const place = await newPlace({ migrated: true })
  const { child, ended, output } = start(place)
  await expect.poll(output, { interval: 5 }).toMatch(/^backend /m)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  await expect.poll(() => isAlive(child)).toBe(false)
  expect(output()).not.toMatch(/error|stopped unexpectedly/i)
})

/** Appends a row to the ledger of a data folder that no process uses. */
async function appendRow(dataDir: string, amount: number): Promise<void> {
  const backend = await startOn(dataDir)
  await backend.sql('select public.append_ledger($1)', [
    JSON.stringify([transaction({ amount_usd: amount })]),
  ])
  await backend.close()
}

test('after the data folder is restored, the next start reports the rollback, signs nothing, and serves no page cached before the restore; SIGTERM ends every process', async () => {
  const place = await newPlace({ migrated: true })
  const dataDir = place.env.DATA_DIR as string
  folders.push(`${dataDir}-checkpoints`, `${dataDir}-copy`)
  const history = async () => (await fetch(`http://127.0.0.1:${place.port}/transparency?rows=all`)).text()
  await appendRow(dataDir, 100)
  cpSync(dataDir, `${dataDir}-copy`, { recursive: true })

  await appendRow(dataDir, 123.45)
  const before = start(place)
  await before.ready
  // On a busy machine the first run may fail. The next run begins with the next minute.
  await expect.poll(before.output, { timeout: 150_000 }).toContain('"signed":2')
  expect(await history()).toContain('$123.45')
  // The Cache API stores the page after the response is sent.
  const stored = () => existsSync(`${dataDir}-checkpoints/cache`)
  await expect.poll(stored).toBe(true)
  kill(before.child, 'SIGKILL')
  await before.ended

  rmSync(dataDir, { recursive: true })
  cpSync(`${dataDir}-copy`, dataDir, { recursive: true })
  await appendRow(dataDir, 5)
  const after = start(place)
  await after.ready
  await expect.poll(after.output).toContain('"ledger.run"')
  const line = after
    .output()
    .split('\n')
    .find((each) => each.includes('"ledger.run"'))
  expect(JSON.parse(line ?? '')).toMatchObject({ level: 'error', rolledBack: true })
  expect(after.output()).not.toContain('"signed"')
  const page = await history()
  expect(page).toContain('$5.00')
  expect(page).not.toContain('$123.45')
  kill(after.child, 'SIGTERM')
  expect(await after.ended).toBe(0)
  await expect.poll(() => isAlive(after.child)).toBe(false)
}, 300_000)

test('reports a port in use in one line', async () => {
  for (const variable of ['PORT', 'SUPABASE_PORT', 'MAIL_PORT'] as const) {
    const place = await newPlace({ migrated: true })
    const other = createServer().listen(Number(place.env[variable]), '127.0.0.1')
    const { ended, output } = start(place)
    expect(await ended).toBe(1)
    const errors = output()
      .split('\n')
      .filter((line) => line && !/^(Building|data|emails|backend|Goodblock)/.test(line))
    expect(errors).toEqual([
      `Port ${place.env[variable]} is taken. Choose another: ${variable}=${Number(place.env[variable]) + 1} npm start`,
    ])
    other.close()
  }
})

test('starts no embedded backend for a hosted project, and refuses to add the demonstration to it', async () => {
  const place = await newPlace({ migrated: true })
  const hosted = {
    ...place.env,
    SUPABASE_URL: 'http://127.0.0.1:9',
    SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x',
  }
  const running = start({ ...place, env: hosted })
  await running.ready
  expect(running.output()).toContain('Goodblock')
  expect(running.output()).not.toMatch(/^emails/m)
  const client = createClient(`http://127.0.0.1:${place.env.SUPABASE_PORT}`, 'sb_publishable_x')
  expect((await client.auth.signInWithPassword({ email: 'a@b.c', password: 'x' })).error?.status).toBe(0)
  expect((await fetch(`http://127.0.0.1:${place.port}/`)).status).toBe(200)
  kill(running.child, 'SIGTERM')
  await running.ended

  const live = start({ ...place, env: hosted }, '--live')
  expect(await live.ended).toBe(1)
  expect(live.output()).toBe('--live works with the demo only: npm run demo -- --live\n')

  const demo = start({ ...place, env: hosted }, '--demo')
  expect(await demo.ended).toBe(1)
  expect(demo.output()).toContain('The demo needs the embedded backend')
})

/** Returns the running descendants of a process, with their command lines, from /proc. */
function descendants(pid: number): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const parent = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1]
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
        return Number(parent) === pid ? [{ pid: Number(name), command }, ...descendants(Number(name))] : []
      } catch {
        // The process has ended since /proc was listed.
        return []
      }
    })
}

const runs = (pid: number) => {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

test('PORT=0 uses free ports for all servers; a SIGKILL of the site ends every process', async () => {
  const { env } = await newPlace({ migrated: true })
  const place = { port: 0, env: { ...env, PORT: '0', SUPABASE_PORT: '0', MAIL_PORT: '0' } }
  const { child, ready, ended, output } = start(place)
  await ready
  const url = /^ready (\S+)$/m.exec(output())?.[1] ?? ''
  expect(output()).toContain(`Goodblock is running: ${url}  ·`)
  expect(output()).not.toMatch(/:0$/m)
  const { port } = new URL(url)
  expect((await fetch(`${url}/auth`)).status).toBe(200)
  expect(await signUp({ ...place, port: Number(port) }, 'free-port@example.com')).toBe(303)

  const processes = descendants(child.pid as number)
  const site = processes.find(({ command }) => command.includes('site-process'))
  expect(processes.filter(({ command }) => command.includes('workerd'))).toHaveLength(1)
  process.kill(site?.pid as number, 'SIGKILL')
  expect(await ended).toBe(1)
  expect(output()).toContain('The site stopped unexpectedly.')
  await expect.poll(() => processes.filter(({ pid }) => runs(pid))).toEqual([])
})

// scripts/variables.test.ts has every fault of a variable.
test('reports a damaged variable in one line before anything starts', async () => {
  const place = await newPlace({ migrated: true })
  const { ended, output } = start({ ...place, env: { ...place.env, CONTACT_EMAIL: 'unknown' } })
  expect(await ended).toBe(1)
  expect(output()).toBe('Configuration: CONTACT_EMAIL: Invalid email address\n')
})

test.skipIf(spawnSync('unshare', ['--net', 'true']).status !== 0)(
  'starts and serves without a network once the packages are installed',
  async () => {
    const place = await newPlace({ migrated: true })
    // A network namespace has only its own loopback: the page is requested inside it too.
    const request = `fetch('http://127.0.0.1:${place.port}/').then(async (r) => console.log(r.status, (await r.text()).length > 1000))`
    const shell = `ip link set lo up && ${node} ${shortLived.join(' ')} ${scriptOf('start')} & while ! ${node} -e "${request}" 2>/dev/null; do sleep 0.5; done; wait`
    const child = spawn('unshare', ['--net', 'bash', '-c', shell], {
      env: { ...process.env, ...place.env },
      detached: true,
    })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    children.push({ child } as Running)
    for (const line of ['200 true', `ready http://127.0.0.1:${place.port}`])
      await expect.poll(() => output, { timeout: 120_000 }).toContain(line)
    kill(child, 'SIGKILL')
  },
)

test('no module of the worker reads a miniflare header, so a deployment ignores these headers', () => {
  for (const [name, content] of Object.entries(builtModules()))
    expect(content.toString(), name).not.toMatch(/mf-(original-url|route-override|cf-blob)/i)
})

test('the dev server renders a page without the framework script, a page with this script, and the page for unknown URLs', async () => {
  const place = await newPlace({ migrated: true })
  const { ready, child, ended } = run('dev', place)
  await ready
  const page = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${place.port}${path}`)
    return [response.status, await response.text()]
  }
  expect(await page('/about')).toEqual([200, expect.stringContaining('<h1')])
  expect(await page('/auth')).toEqual([200, expect.stringContaining('type="password"')])
  expect(await page('/nothing')).toEqual([404, expect.stringContaining('<h1')])
  kill(child, 'SIGTERM')
  // The status is not 143, which would mean that SIGTERM ended the process before it closed the database.
  expect(await ended).toBe(0)
})

test('with a hosted backend the schedule runs only if it is asked for', async () => {
  const asked = new Set<string>()
  const hosted = createServer((request, response) => {
    if (request.url === '/rest/v1/rpc/claim_schedule') asked.add(`${request.headers.apikey}`)
    response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => hosted.listen(0, resolve))
  try {
    // An address of this machine that is not its loopback address, as the address of a hosted project.
    const SUPABASE_URL = `http://0.0.0.0:${(hosted.address() as AddressInfo).port}`
    const site = async (key: string, ...args: string[]) => {
      const { env, port } = await newPlace()
      const keys = { SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_a', SUPABASE_SECRET_KEY: key }
      return start({ port, env: { ...env, SUPABASE_URL, ...keys } }, ...args)
    }
    const [serving, scheduling] = await Promise.all([site('sb_secret_a'), site('sb_secret_b', '--schedule')])
    await Promise.all([serving.ready, scheduling.ready])
    const said = 'schedule off: the backend is hosted.'
    expect([serving, scheduling].map(({ output }) => output().includes(said))).toEqual([true, false])
    await expect.poll(() => [...asked]).toEqual(['sb_secret_b'])
    for (const { child } of [serving, scheduling]) kill(child, 'SIGTERM')
    await Promise.all([serving.ended, scheduling.ended])
    expect([...asked]).toEqual(['sb_secret_b'])
  } finally {
    hosted.close()
  }
})
