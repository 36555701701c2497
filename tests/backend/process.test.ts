import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { openDataFolder } from '../../supabase/embedded/data-folder.ts'
import { listen } from '../../supabase/embedded/http.ts'
import { embedded, node, readKeys, spawnEmbedded } from '../support/child.ts'
import { migratedDataDir, temporaryDataDir, temporaryFolder } from '../support/data-folder.ts'
import { signUp, startOn, transaction } from '../support/temporary-backend.ts'

/** A module that sets the clock of the importing process forward by two days. */
const clockAhead = fileURLToPath(new URL('../support/clock-ahead.mjs', import.meta.url))

const folders: (() => void)[] = []
afterEach(() => {
  for (const remove of folders.splice(0)) remove()
})

/** A data folder with the schema, or an empty one, whose first start applies the migrations. */
async function folder({ migrated = true } = {}) {
  const { path, remove } = await (migrated ? migratedDataDir() : temporaryDataDir())
  folders.push(remove)
  return path
}

test('rejects, with a one-line message, the folder of a backend that runs in this process or in a different process', async () => {
  const dataDir = await folder()
  const backend = await startOn(dataDir)
  try {
    await expect(startOn(dataDir)).rejects.toThrow(
      /^Goodblock is already running with \S+\. Stop it first, or set DATA_DIR\.$/,
    )
    const second = spawnEmbedded(dataDir)
    expect(await second.exited).toBe(1)
    expect(second.output()).toMatch(
      /^Goodblock is already running with \S+\. Stop it first, or set DATA_DIR\.\n$/,
    )
    expect(await backend.sql('select 1 as one')).toEqual([{ one: 1 }])
  } finally {
    await backend.close()
  }
})

test('exactly one of several simultaneous starts succeeds', async () => {
  const dataDir = await folder({ migrated: false })
  const starts = await Promise.allSettled([startOn(dataDir), startOn(dataDir)])
  expect(starts.map((start) => start.status).sort()).toEqual(['fulfilled', 'rejected'])
  for (const start of starts) if (start.status === 'fulfilled') await start.value.close()

  const children = [spawnEmbedded(dataDir), spawnEmbedded(dataDir), spawnEmbedded(dataDir)]
  const outcomes = await Promise.allSettled(children.map((child) => child.ready))
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
  for (const child of children) child.kill('SIGTERM')
  const codes = await Promise.all(children.map((child) => child.exited))
  expect(codes.sort()).toEqual([0, 1, 1])
})

test('reports in one line that a port is in use, and releases the folder', async () => {
  const dataDir = await folder()
  const first = await startOn(await folder())
  const port = Number(new URL(first.url).port)
  const mailPort = Number(new URL(first.mailUrl).port)
  try {
    await expect(startOn(dataDir, { port })).rejects.toThrow(
      `Port ${port} is taken. Choose another: SUPABASE_PORT=${port + 1} npm start`,
    )
    await expect(startOn(dataDir, { mailPort })).rejects.toThrow(
      `Port ${mailPort} is taken. Choose another: MAIL_PORT=${mailPort + 1} npm start`,
    )
    const child = spawnEmbedded(dataDir, { SUPABASE_PORT: String(port) })
    expect(await child.exited).toBe(1)
    expect(child.output()).toBe(
      `Port ${port} is taken. Choose another: SUPABASE_PORT=${port + 1} npm start\n`,
    )
  } finally {
    await first.close()
  }
  await (await startOn(dataDir, { port })).close()
})

test('a kill -9 loses no acknowledged row and no key', async () => {
  const dataDir = await folder()
  let child = spawnEmbedded(dataDir)
  let url = await child.ready
  const keys = readKeys(dataDir)
  expect(statSync(join(dataDir, 'keys.json')).mode & 0o777).toBe(0o600)

  const acknowledged: string[] = []
  const write = async () => {
    const row = transaction()
    const response = await fetch(`${url}/rest/v1/rpc/append_ledger`, {
      method: 'POST',
      headers: { apikey: keys.secretKey, 'content-type': 'application/json' },
      body: JSON.stringify({ entries: [row] }),
    })
    if (response.ok) acknowledged.push(row.tx_hash)
  }
  // The process is killed while other writes are running. crash.test.ts repeats such kills.
  const writing = Promise.allSettled(Array.from({ length: 60 }, write))
  while (acknowledged.length < 15) await sleep(1)
  child.kill('SIGKILL')
  await writing
  expect(await child.exited).toBe('SIGKILL')
  child = spawnEmbedded(dataDir)
  url = await child.ready

  const response = await fetch(`${url}/rest/v1/transactions?select=tx_hash`, {
    headers: { apikey: keys.secretKey },
  })
  const kept = ((await response.json()) as { tx_hash: string }[]).map((row) => row.tx_hash)
  expect(acknowledged.filter((hash) => !kept.includes(hash))).toEqual([])
  expect(readKeys(dataDir)).toEqual(keys)
  child.kill('SIGINT')
  expect(await child.exited).toBe(0)
})

test('the backend ends when the process that started it is killed', async () => {
  const dataDir = await folder()
  const script = `
    const child = require('node:child_process').spawn(process.execPath, [${JSON.stringify(embedded)}], { stdio: 'inherit' })
    console.log('child', child.pid)`
  const parent = spawn(node, ['-e', script], {
    env: { ...process.env, DATA_DIR: dataDir, SUPABASE_PORT: '0', MAIL_PORT: '0' },
  })
  let output = ''
  const closed = once(parent.stdout, 'close')
  const ready = new Promise<void>((resolve) => {
    parent.stdout.on('data', (chunk) => {
      output += chunk
      if (output.includes('ready')) resolve()
    })
  })
  await ready
  parent.kill('SIGKILL')
  // The child inherited standard output, which closes after both processes have ended.
  const gone = await Promise.race([closed.then(() => true), sleep(60_000, false)])
  if (!gone) process.kill(Number(/child (\d+)/.exec(output)?.[1]), 'SIGKILL')
  expect(gone).toBe(true)
  await (await startOn(dataDir)).close()
})

test('closes the data folder to other users, at every start', async () => {
  const dataDir = await folder()
  const mode = () => statSync(dataDir).mode & 0o777
  for (const before of [0o755, 0o777]) {
    chmodSync(dataDir, before)
    const backend = await startOn(dataDir)
    expect(mode()).toBe(0o700)
    await backend.close()
  }
  const nested = join(dataDir, 'a', 'b')
  openDataFolder(nested)()
  expect(statSync(nested).mode & 0o777).toBe(0o700)
})

test.each([
  ['/proc/goodblock', /^DATA_DIR: the folder \/proc\/goodblock cannot be used \(ENOENT\)\n$/],
  ['/dev/null', /^DATA_DIR: \/dev\/null is not a folder\n$/],
  ['/dev/null/data', /^DATA_DIR: \/dev\/null is not a folder\n$/],
  [
    '/usr',
    /^DATA_DIR: the folder \/usr holds other files; name an empty folder or one that this project made\n$/,
  ],
])('refuses DATA_DIR=%s in one line', async (dataDir, line) => {
  const { mode } = statSync('/usr')
  const child = spawnEmbedded(dataDir)
  expect(await child.exited).toBe(1)
  expect(child.output()).toMatch(line)
  expect(statSync('/usr').mode).toBe(mode)
})

test('reports the path of a damaged file, and says what to do', async () => {
  const dataDir = await folder()
  const advice =
    /^DATA_DIR: \S+keys\.json is damaged: restore it from a backup, or remove it to get new keys /
  for (const damaged of ['{"jwtSecret": "abc', '[]', 'null', '{"jwtSecret": 5}', '{"logKey": "abc"}']) {
    writeFileSync(join(dataDir, 'keys.json'), damaged)
    await expect(startOn(dataDir), damaged).rejects.toThrow(advice)
    expect(readFileSync(join(dataDir, 'keys.json'), 'utf8')).toBe(damaged)
  }
  rmSync(join(dataDir, 'keys.json'))
  writeFileSync(join(dataDir, 'pg/global/pg_control'), '')
  const child = spawnEmbedded(dataDir)
  expect(await child.exited).toBe(1)
  expect(child.output()).toMatch(
    /^DATA_DIR: the database in \S+pg cannot be opened \(.+\): restore the data folder from a backup, or move it away to start with an empty one\n$/,
  )
})

test('a start that is killed as soon as it has the lock leaves only the lock', async () => {
  const { path, remove } = temporaryFolder()
  folders.push(remove)
  const module = new URL('../../supabase/embedded/data-folder.ts', import.meta.url)
  const killed = `
    import { openDataFolder } from '${module}'
    openDataFolder('${path}')
    process.kill(process.pid, 'SIGKILL')`
  const child = spawn(node, ['--input-type=module-typescript', '--eval', killed])
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
  expect(readdirSync(path)).toEqual(['lock'])
  openDataFolder(path)()
})

test('after a first start that is killed at any moment, the next start succeeds', async () => {
  const { path, remove } = temporaryFolder()
  folders.push(remove)
  // The first start creates the cluster and then the tables, in about two seconds.
  for (const delay of process.env.DEEP === '1'
    ? Array.from({ length: 40 }, (_, i) => 100 * (i + 1))
    : [500, 1_100, 1_700]) {
    const child = spawnEmbedded(path)
    await Promise.race([sleep(delay), child.ready.catch(() => {})])
    child.kill('SIGKILL')
    expect(await child.exited, child.output()).toBe('SIGKILL')
  }
  const backend = await startOn(path)
  expect((await signUp(backend, 'after@example.org')).id).toBeTruthy()
  await backend.close()
})

test.skipIf(process.getuid?.() !== 0)(
  'if the folder becomes read-only, acknowledged rows stay, failed writes are reported, and a start is refused with a one-line message',
  async () => {
    const dataDir = await folder()
    // Without capabilities, the owner and mode of each file restrict root like any other user.
    const bound = ['setpriv', '--bounding-set=-all', '--inh-caps=-all', '--']
    const setWritable = (writable: boolean) => {
      execFileSync('chown', ['-R', writable ? '0' : '65534', dataDir])
      execFileSync('chmod', ['-R', writable ? 'u+w' : 'a-w,a+rX', dataDir])
    }
    let child = spawnEmbedded(dataDir, {}, bound)
    let url = await child.ready
    const { publishableKey: apikey } = readKeys(dataDir)
    const call = async (path: string, body: unknown) => {
      const headers = { apikey, 'content-type': 'application/json' }
      return (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).status
    }
    const account = (name: string) => ({
      email: `${name}@example.org`,
      password: 'correct horse',
      data: { username: name },
    })
    expect(await call('/auth/v1/signup', account('before'))).toBe(200)
    setWritable(false)
    const during = await call('/auth/v1/signup', account('during'))
    expect([200, 500, 503]).toContain(during)
    const rows = await fetch(`${url}/rest/v1/ledger_totals`, { headers: { apikey } })
    expect([200, 503]).toContain(rows.status)
    child.kill('SIGKILL')
    await child.exited

    child = spawnEmbedded(dataDir, {}, bound)
    expect(await child.exited).toBe(1)
    expect(child.output()).toMatch(/^DATA_DIR: the folder \S+ cannot be used \(E\w+\)\n$/)
    setWritable(true)
    child = spawnEmbedded(dataDir, {}, bound)
    url = await child.ready
    expect(await call('/auth/v1/token?grant_type=password', account('before'))).toBe(200)
    expect(await call('/auth/v1/token?grant_type=password', account('during'))).toBe(
      during === 200 ? 200 : 400,
    )
    child.kill('SIGTERM')
    await child.exited
  },
)

test('after the clock has been two days ahead, the data stays usable and later sessions work', async () => {
  const dataDir = await folder()
  const ahead = { NODE_OPTIONS: `--import=${clockAhead}` }
  const account = { email: 'clock@example.org', password: 'correct horse', data: { username: 'Clock' } }
  const post = (url: string, path: string, body: unknown) =>
    fetch(url + path, {
      method: 'POST',
      headers: { apikey: readKeys(dataDir).publishableKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const first = spawnEmbedded(dataDir, ahead)
  const early = (await (await post(await first.ready, '/auth/v1/signup', account)).json()) as {
    refresh_token: string
    expires_at: number
  }
  expect(early.expires_at * 1000).toBeGreaterThan(Date.now() + 47 * 3_600_000)
  first.kill('SIGTERM')
  await first.exited

  const second = spawnEmbedded(dataDir)
  const url = await second.ready
  const signIn = await post(url, '/auth/v1/token?grant_type=password', account)
  expect(signIn.status).toBe(200)
  const refreshed = await post(url, '/auth/v1/token?grant_type=refresh_token', early)
  expect(refreshed.status).toBe(200)
  const { expires_at } = (await refreshed.json()) as { expires_at: number }
  expect(expires_at * 1000).toBeLessThan(Date.now() + 2 * 3_600_000)
  second.kill('SIGTERM')
  await second.exited
})

test('the backend stops even while a request is incomplete', async () => {
  const backend = await startOn(await folder())
  const { hostname, port } = new URL(backend.url)
  const socket = connect(Number(port), hostname)
  const head = 'POST /rest/v1/rpc/x HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{}'
  await new Promise<void>((resolve) => socket.write(head, () => resolve()))
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => {})
  // The response to a later request shows that the headers of the first request have arrived. Only a request
  // whose headers have arrived can delay the end.
  await fetch(`${backend.url}/auth/v1/health`)
  await backend.close()
  await closed
})

test('a response that fails while the listener closes does not keep the listener open', async () => {
  let breakOff = () => {}
  const body = new ReadableStream({
    start(controller) {
      breakOff = () => controller.error(new Error('the file was removed'))
    },
  })
  const { url, close } = await listen(0, 'PORT', async () => new Response(body))
  const request = fetch(url, { method: 'HEAD' }).catch(() => null)
  await sleep(100)
  const closed = close()
  breakOff()
  await closed
  await request
})
