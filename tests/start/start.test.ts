import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { secretsIn } from '../support/secrets.ts'

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

const folders: string[] = []
const children: Running[] = []

afterAll(async () => {
  for (const { child } of children) kill(child, 'SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

async function newPlace(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'goodblock-start-'))
  folders.push(folder)
  const [port, backend, mail] = [await freePort(), await freePort(), await freePort()]
  const env = {
    PORT: `${port}`,
    SUPABASE_PORT: `${backend}`,
    MAIL_PORT: `${mail}`,
    DATA_DIR: join(folder, 'data'),
  }
  return { port, env }
}

/** What `npm start` runs once the packages are there, as a process group of its own. */
function start({ env }: Place, ...args: string[]): Running {
  const child = spawn('node', ['scripts/start.ts', ...args], {
    env: { ...process.env, ...env },
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
    // gone already
  }
}

/** True while anything of the process group runs. */
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

for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {
  test(`${signal} stops everything, and a second start finds the data`, async () => {
    const place = await newPlace()
    const first = start(place)
    await first.ready
    expect(first.output().trim().split('\n').pop()).toBe(`ready http://127.0.0.1:${place.port}`)
    expect(await signUp(place, 'kept@example.com')).toBe(303)
    kill(first.child, signal)
    await first.ended
    await expect.poll(() => isAlive(first.child), { timeout: 5_000 }).toBe(false)

    const second = start(place)
    await second.ready
    expect(await signIn(place, 'kept@example.com')).toBe('/dashboard')
    kill(second.child, 'SIGTERM')
    expect(await second.ended).toBe(0)
    for (const { output } of [first, second]) expect(secretsIn(output().split('\n'))).toEqual([])
  }, 60_000)
}

test('a chain configured: the schedule runs. Only the script killed: what it started goes too', async () => {
  const place = await newPlace()
  const chain = {
    CHAIN_RPC_URLS: 'http://127.0.0.1:9',
    CHAIN_START_BLOCK: '1',
    CHAIN_TOKENS: `USDT:0x${'a'.repeat(40)}:18:usd`,
    TREASURY_WALLET: `0x${'b'.repeat(40)}`,
  }
  const { child, ready, ended, output } = start({ ...place, env: { ...place.env, ...chain } })
  await ready
  await expect.poll(output, { timeout: 20_000 }).toContain('too few endpoints answer')
  child.kill('SIGKILL')
  await ended
  await expect.poll(() => isAlive(child), { timeout: 10_000 }).toBe(false)
}, 60_000)

test('a port in use is one clear line', async () => {
  for (const variable of ['PORT', 'SUPABASE_PORT', 'MAIL_PORT'] as const) {
    const place = await newPlace()
    const other = createServer().listen(Number(place.env[variable]), '127.0.0.1')
    const { ended, output } = start(place)
    expect(await ended).toBe(1)
    const errors = output()
      .split('\n')
      .filter((line) => line && !/^(Building|data|mailbox|backend|site)/.test(line))
    expect(errors).toEqual([expect.stringContaining(`Port ${place.env[variable]} is in use`)])
    other.close()
  }
}, 60_000)

test('a data folder in use is one clear line', async () => {
  const place = await newPlace()
  const first = start(place)
  await first.ready
  const other = await newPlace()
  const second = start({ ...other, env: { ...other.env, DATA_DIR: place.env.DATA_DIR as string } })
  expect(await second.ended).toBe(1)
  expect(second.output().trim().split('\n')).toEqual([expect.stringContaining('in use')])
  kill(first.child, 'SIGTERM')
  await first.ended
}, 60_000)

test('a hosted project: the embedded backend does not start, the demonstration refuses', async () => {
  const place = await newPlace()
  const hosted = {
    ...place.env,
    SUPABASE_URL: 'http://127.0.0.1:9',
    SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x',
  }
  const running = start({ ...place, env: hosted })
  await running.ready
  expect(running.output()).not.toContain('mailbox')
  const client = createClient(`http://127.0.0.1:${place.env.SUPABASE_PORT}`, 'sb_publishable_x')
  expect((await client.auth.signInWithPassword({ email: 'a@b.c', password: 'x' })).error?.status).toBe(0)
  expect((await fetch(`http://127.0.0.1:${place.port}/`)).status).toBe(200)
  kill(running.child, 'SIGTERM')
  await running.ended

  const demo = start({ ...place, env: hosted }, '--demo')
  expect(await demo.ended).toBe(1)
  expect(demo.output()).toContain('embedded backend only')
}, 60_000)
