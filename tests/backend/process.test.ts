import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { startEmbedded } from '../../supabase/embedded/embedded.ts'
import { embedded, node, readKeys, spawnEmbedded } from '../support/child.ts'
import { siteUrl, temporaryDataDir, transaction } from '../support/temporary-backend.ts'

const folders: (() => void)[] = []
afterEach(() => {
  for (const remove of folders.splice(0)) remove()
})

async function folder() {
  const { path, remove } = await temporaryDataDir()
  folders.push(remove)
  return path
}

const options = (dataDir: string) => ({ dataDir, port: 0, mailPort: 0, siteUrl, log: () => {} })

test('the folder of a running backend is refused in one line, here and in another process', async () => {
  const dataDir = await folder()
  const backend = await startEmbedded(options(dataDir))
  try {
    await expect(startEmbedded(options(dataDir))).rejects.toThrow(
      /^Data folder \S+ is in use by another process$/,
    )
    const second = spawnEmbedded(dataDir)
    expect(await second.exited).toBe(1)
    expect(second.output()).toMatch(/^Data folder \S+ is in use by another process\n$/)
    expect(await backend.sql('select 1 as one')).toEqual([{ one: 1 }])
  } finally {
    await backend.close()
  }
})

test('of two simultaneous starts exactly one wins', async () => {
  const dataDir = await folder()
  const starts = await Promise.allSettled([startEmbedded(options(dataDir)), startEmbedded(options(dataDir))])
  expect(starts.map((start) => start.status).sort()).toEqual(['fulfilled', 'rejected'])
  for (const start of starts) if (start.status === 'fulfilled') await start.value.close()

  const children = [spawnEmbedded(dataDir), spawnEmbedded(dataDir), spawnEmbedded(dataDir)]
  const outcomes = await Promise.allSettled(children.map((child) => child.ready))
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
  for (const child of children) child.kill('SIGTERM')
  const codes = await Promise.all(children.map((child) => child.exited))
  expect(codes.sort()).toEqual([0, 1, 1])
})

test('a port in use is one line, and leaves the folder free', async () => {
  const dataDir = await folder()
  const first = await startEmbedded(options(await folder()))
  const port = Number(new URL(first.url).port)
  const mailPort = Number(new URL(first.mailUrl).port)
  try {
    await expect(startEmbedded({ ...options(dataDir), port })).rejects.toThrow(
      new RegExp(`^Port ${port} is in use$`),
    )
    await expect(startEmbedded({ ...options(dataDir), mailPort })).rejects.toThrow(
      new RegExp(`^Port ${mailPort} is in use$`),
    )
    const child = spawnEmbedded(dataDir, { SUPABASE_PORT: String(port) })
    expect(await child.exited).toBe(1)
    expect(child.output()).toBe(`Port ${port} is in use\n`)
  } finally {
    await first.close()
  }
  await (await startEmbedded({ ...options(dataDir), port })).close()
})

test('nothing that was acknowledged is lost in a kill -9, and the keys are found again', async () => {
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
  for (let round = 0; round < 2; round += 1) {
    const before = acknowledged.length
    // Killed in the middle of writing, with others under way.
    const writing = Promise.allSettled(Array.from({ length: 60 }, write))
    while (acknowledged.length < before + 15) await sleep(1)
    child.kill('SIGKILL')
    await writing
    expect(await child.exited).toBe('SIGKILL')
    child = spawnEmbedded(dataDir)
    url = await child.ready
  }

  const response = await fetch(`${url}/rest/v1/transactions?select=tx_hash`, {
    headers: { apikey: keys.secretKey },
  })
  const kept = ((await response.json()) as { tx_hash: string }[]).map((row) => row.tx_hash)
  expect(acknowledged.length).toBeGreaterThanOrEqual(30)
  expect(acknowledged.filter((hash) => !kept.includes(hash))).toEqual([])
  expect(readKeys(dataDir)).toEqual(keys)
  child.kill('SIGINT')
  expect(await child.exited).toBe(0)
})

test('the backend goes when the process that started it was killed', async () => {
  const dataDir = await folder()
  const script = `
    const child = require('node:child_process').spawn(process.execPath, [${JSON.stringify(embedded)}], { stdio: 'inherit' })
    console.log('child', child.pid)`
  const parent = spawn(node, ['-e', script], {
    env: { ...process.env, DATA_DIR: dataDir, SUPABASE_PORT: '0', MAIL_PORT: '0' },
  })
  let output = ''
  const closed = once(parent.stdout, 'close')
  parent.stdout.on('data', (chunk) => {
    output += chunk
    if (output.includes('ready')) parent.kill('SIGKILL')
  })
  // Standard output, which the child inherited, closes only when both are gone.
  const gone = await Promise.race([closed.then(() => true), sleep(10_000, false)])
  if (!gone) process.kill(Number(/child (\d+)/.exec(output)?.[1]), 'SIGKILL')
  expect(gone).toBe(true)
  await (await startEmbedded(options(dataDir))).close()
})
