import { globSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signOrder } from '../../app/platform/server/operator-signature.ts'
import { type LiveSocket, openLive } from '../support/live-socket.ts'
import { type Site, type SiteWithBackend, startSite, startSiteWithBackend } from '../support/site.ts'
import { transaction } from '../support/temporary-backend.ts'

const secretKey = 'a secret key of this test only'
let site: SiteWithBackend
let limited: Site
const open: LiveSocket[] = []

beforeAll(async () => {
  const variables = { SUPABASE_SECRET_KEY: secretKey }
  site = await startSiteWithBackend({ variables })
  limited = await startSite(site.backend, variables, { limits: true })
  await tell()
})
afterAll(async () => {
  for (const socket of open) socket.end()
  await limited.close()
  await site.close()
})

let clients = 0
/** Opens a socket. If `options` has no IP address, a new one is used. */
async function connect(options: Parameters<typeof openLive>[1] = {}, to: Site = site): Promise<LiveSocket> {
  const address = `203.0.${++clients >> 8}.${clients & 255}`
  const socket = await openLive(to.url, { address, ...options })
  open.push(socket)
  return socket
}

/** Notifies the site of a change, as an operator's command does. */
async function tell(authorization?: string): Promise<number> {
  const headers = { Authorization: authorization ?? (await signOrder(secretKey, 'changed', Date.now())) }
  return (await fetch(`${site.url}/live`, { method: 'POST', headers })).status
}

let rows = 0
async function appendRow(): Promise<void> {
  rows += 1
  const entry = transaction({ tx_hash: `0x${rows.toString(16).padStart(64, 'a')}` })
  await site.backend.sql('select public.append_ledger($1::jsonb)', [JSON.stringify([entry])])
}

const linesOf = (event: string, of: Site = site) =>
  of.log.filter((line) => line.includes(`"${event}"`)).map((line) => JSON.parse(line))

const messagesOf = ({ messages }: LiveSocket) => messages.map((message) => JSON.parse(message))

const latestVersion = async () => {
  const socket = await connect()
  await expect.poll(() => socket.messages.length).toBe(1)
  return messagesOf(socket)[0].version as number
}

test('opens a socket only for pages of this site', async () => {
  const own = await connect()
  expect(own.status).toBe(101)
  for (const origin of ['https://evil.example', site.url.replace('http:', 'https:'), 'null', null])
    expect((await connect({ origin })).status, `${origin}`).toBe(403)
  expect(linesOf('live.refused').map(({ origin }) => origin)).toContain('https://evil.example')
  expect((await fetch(`${site.url}/live`)).status).toBe(426)
  expect((await fetch(`${site.url}/live`, { method: 'PUT', headers: { Origin: site.url } })).status).toBe(405)
})

test('sends the version to a new socket, then each new version with the kinds that changed, and nothing else', async () => {
  const socket = await connect()
  await expect.poll(() => socket.messages.length).toBe(1)
  const [{ version }] = messagesOf(socket)
  expect(messagesOf(socket)).toEqual([{ version: expect.any(Number), changed: [] }])
  expect(await tell()).toBe(204)
  await appendRow()
  expect(await tell()).toBe(204)
  await expect.poll(() => socket.messages.length).toBe(2)
  const [, next] = messagesOf(socket)
  expect(next).toEqual({ version: expect.any(Number), changed: ['ledger'] })
  expect(next.version).toBeGreaterThan(version)

  await site.backend.sql('select public.append_update($1::jsonb)', [
    JSON.stringify({ pool_slug: 'education', published_at: '2025-03-01T12:00:00Z', text: 'An update' }),
  ])
  await site.backend.sql('select public.append_statement($1::jsonb)', [
    JSON.stringify({
      posted_at: '2025-03-01T12:00:00Z',
      captured_at: '2025-03-01T12:00:00Z',
      author: 'CZ',
      tweet_text: 'Help',
      tweet_url: 'https://x.com/cz/status/1',
      action_taken: 'Paid',
      revision: 0,
    }),
  ])
  await tell()
  await expect.poll(() => messagesOf(socket)[2]?.changed).toEqual(['calls', 'pools'])
})

test('announces a name that was given to a wallet', async () => {
  const socket = await connect()
  await site.backend.sql('select public.append_name($1::jsonb)', [
    JSON.stringify({ address: `0x${'7'.repeat(40)}`, name: 'Riverside Books, supplier' }),
  ])
  await tell()
  await expect.poll(() => messagesOf(socket).at(-1)?.changed).toEqual(['ledger'])
})

test('the scheduled comparison finds a change that no notification announced', async () => {
  const socket = await connect()
  await appendRow()
  await site.runSchedule()
  await expect.poll(() => messagesOf(socket).at(-1)?.changed).toEqual(['ledger'])
})

test('announces a changed status, but not a check that changed no status', async () => {
  const record = (status: string) =>
    site.backend.sql('select public.record_checks($1::jsonb)', [
      JSON.stringify([{ transaction_id: 1, status, ...(status === 'verified' && block) }]),
    ])
  const block = {
    block_number: 5,
    block_hash: `0x${'b'.repeat(64)}`,
    block_time: '2025-03-01T12:00:00Z',
    confirmations: 20,
  }
  await record('verified')
  await tell()
  const socket = await connect()
  await record('verified')
  await tell()
  await record('mismatch')
  await tell()
  await expect.poll(() => socket.messages.length).toBe(2)
  await sleep(100)
  expect(messagesOf(socket).map(({ changed }) => changed)).toEqual([[], ['ledger']])
})

test('accepts a notification only if it was signed with the secret key within the last minute', async () => {
  const now = Date.now()
  expect(await tell(await signOrder('another key', 'changed', now))).toBe(403)
  expect(await tell(await signOrder(secretKey, 'changed', now - 61_000))).toBe(403)
  expect(await tell(await signOrder(secretKey, 'changed', Date.now() + 90_000))).toBe(403)
  expect(await tell((await signOrder(secretKey, 'changed', now)).replace(`${now}`, `${now + 1}`))).toBe(403)
  expect(await tell(`Bearer ${secretKey}`)).toBe(403)
  expect(await tell(await signOrder(secretKey, 'changed', now))).toBe(204)
})

test('responds to heartbeats, and responds to each kind of close with a close code that a browser accepts', async () => {
  const socket = await connect()
  socket.send('text', 'ping')
  await expect.poll(() => socket.messages.at(-1)).toBe('pong')
  socket.send('close', '')
  expect(await socket.closed).toBe(1000)
  const another = await connect()
  const code = Buffer.alloc(2)
  code.writeUInt16BE(1001)
  another.send('close', code)
  expect(await another.closed).toBe(1001)
})

test('ignores a few messages from a client, and disconnects a client that sends many or long messages', async () => {
  const quiet = await connect()
  for (let number = 0; number < 10; number++) quiet.send('text', 'hello')
  quiet.send('text', 'ping')
  await expect.poll(() => quiet.messages.at(-1)).toBe('pong')
  expect(quiet.messages).toHaveLength(2)
  quiet.send('text', 'hello')
  expect(await quiet.closed).toBe(1008)

  const loud = await Promise.all(Array.from({ length: 20 }, () => connect()))
  for (const socket of loud) for (let n = 0; n < 3; n++) socket.send('binary', Buffer.alloc(1024 * 1024, 1))
  const codes = await Promise.all(loud.map(({ closed }) => closed))
  expect(new Set(codes)).toEqual(new Set([1009]))
  await tell()
  await expect
    .poll(() => linesOf('live.refused').reduce((sum, { message = 0 }) => sum + message, 0))
    .toBeGreaterThanOrEqual(21)
  // Ignored messages are counted, and one log line reports several messages.
  expect(linesOf('live.refused').filter(({ message }) => message).length).toBeLessThan(10)
})

test('limits the sockets of one network without affecting other networks', async () => {
  const address = '198.51.100.7'
  const statuses: number[] = []
  for (let batch = 0; batch < 5; batch++)
    statuses.push(
      ...(await Promise.all(Array.from({ length: 50 }, () => connect({ address })))).map(
        ({ status }) => status,
      ),
    )
  expect(statuses.filter((status) => status === 101)).toHaveLength(200)
  expect(statuses.filter((status) => status === 429)).toHaveLength(50)
  expect((await connect()).status).toBe(101)
  // All addresses of an IPv6 network /64 count as one client.
  const sixes = []
  for (let batch = 0; batch < 5; batch++)
    sixes.push(
      ...(await Promise.all(
        Array.from({ length: 50 }, (_, at) => connect({ address: `2001:db8::${batch}:${at + 1}` })),
      )),
    )
  expect(sixes.filter(({ status }) => status === 101)).toHaveLength(200)
  const [first] = sixes
  first?.send('close', '')
  await first?.closed
  await expect.poll(async () => (await connect({ address: '2001:db8::9' })).status).toBe(101)
})

test('refuses connections beyond the limit when one IP address opens 1,000 a minute, and logs the flood', async () => {
  const minute = () => Math.floor(Date.now() / 60_000)
  /** Returns the number of connections from `address`, by status. */
  const flood = async (address: string) => {
    const statuses: Record<number, number> = {}
    for (let at = 0; at < 1_000; at += 50) {
      const sockets = await Promise.all(Array.from({ length: 50 }, () => connect({ address }, limited)))
      for (const { status, end } of sockets) {
        statuses[status] = (statuses[status] ?? 0) + 1
        end()
      }
      await Promise.all(sockets.map(({ closed }) => closed))
    }
    return statuses
  }
  // Counters are for a minute of the clock: a flood across its end is repeated from another address.
  for (let place = 8; place < 12; place++) {
    const began = minute()
    const statuses = await flood(`198.51.100.${place}`)
    if (minute() !== began) continue
    expect(statuses).toEqual({ 101: 600, 429: 400 })
    expect(linesOf('limit.reached', limited).length).toBeGreaterThan(0)
    expect((await connect({}, limited)).status).toBe(101)
    return
  }
  throw new Error('1,000 connections took more than a minute')
})

test('a client that reads nothing does not delay other clients', async () => {
  const slow = await Promise.all(Array.from({ length: 20 }, () => connect()))
  for (const { connection } of slow) connection.pause()
  const quick = await connect()
  for (let number = 0; number < 5; number++) {
    await appendRow()
    await tell()
  }
  await expect.poll(() => quick.messages.length).toBe(6)
})

const pageOf = async (version: number | string, path = '/transparency') => {
  const response = await fetch(site.url + path, { headers: { 'X-Version': `${version}` } })
  const html = await response.text()
  return {
    how: response.headers.get('Server-Timing')?.match(/desc=(\w+)/)?.[1],
    version: Number(/data-version="(\d+)"/.exec(html)?.[1]),
    etag: response.headers.get('ETag'),
  }
}

test('renders a page once for a new version, and then serves that version from the cache', async () => {
  await pageOf(0)
  await appendRow()
  await tell()
  const version = await latestVersion()
  const many = await Promise.all(Array.from({ length: 20 }, () => pageOf(version)))
  expect(many.map((page) => page.version)).toEqual(many.map(() => version))
  expect(new Set(many.map(({ etag }) => etag)).size).toBe(1)
  expect((await pageOf(version)).how).toBe('hit')
  expect((await pageOf(version - 1)).how).toBe('hit')
  // Visitors who do not send the header also get the new page.
  expect((await pageOf(0)).version).toBe(version)
})

test('an unknown version does not bypass the cache', async () => {
  const version = await latestVersion()
  await pageOf(version)
  for (const claim of [
    version + 1,
    Date.now(),
    Date.now() + 30_000,
    Date.now() + 1e9,
    '9'.repeat(15),
    'x',
    '-1',
  ])
    expect((await pageOf(claim)).how, `${claim}`).toBe('hit')
})

test('if rendering fails for a version, the rendering is not repeated, and the previous page is served', async () => {
  await pageOf(await latestVersion())
  await appendRow()
  await tell()
  const version = await latestVersion()
  await site.backend.sql('revoke select on public.ledger_totals from anon')
  try {
    expect((await pageOf(version)).how).toBe('stale')
    expect((await pageOf(version)).how).toBe('hit')
  } finally {
    await site.backend.sql('grant select on public.ledger_totals to anon')
  }
})

test('a site without the hub has the same pages, without a socket', async () => {
  const plain = await startSite(site.backend, {}, { live: false })
  try {
    const html = await (await fetch(`${plain.url}/transparency`)).text()
    expect(html).toContain('Transparency Dashboard')
    expect(html).not.toContain('data-version')
    expect((await openLive(plain.url)).status).toBe(404)
    await plain.runSchedule()
    expect(plain.log.filter((line) => line.includes('"error"'))).toEqual([])
  } finally {
    await plain.close()
  }
})

// toSorted of Chrome 110 stopped the check of a payment in Chrome 109, and Intl.Segmenter of Firefox 125 the list of
// wallets in every older Firefox.
test('the scripts of pages call nothing that browsers of 2022 lack', () => {
  const newer =
    /\b(?:toSorted|toReversed|toSpliced|groupBy|fromAsync|withResolvers|isWellFormed|toWellFormed|canParse)\(|\bURL\.parse\(|AbortSignal\.any\(/
  const scripts = globSync('build/client/assets/*.js')
  expect(scripts.length).toBeGreaterThan(50)
  for (const path of scripts) {
    const text = readFileSync(path, 'utf8')
    expect([path, newer.exec(text)?.[0]]).toEqual([path, undefined])
    if (text.includes('new Intl.Segmenter'))
      expect([path, text]).toEqual([path, expect.stringContaining('typeof Intl.Segmenter')])
  }
})

test.each(['typed-amount', 'wallet-list', 'progress'])(
  'the script %s of /donate has at most 4,500 bytes, gzipped',
  (name) => {
    const [path = ''] = globSync('build/client/assets/enhance-????????.js')
    const text = readFileSync(path.replace('enhance-', `${name}-`), 'utf8')
    expect(text.match(/from\s*"\.\/(?!enhance-)/g)).toBeNull()
    expect(gzipSync(text, { level: 9 }).length).toBeLessThanOrEqual(4_500)
  },
)

test.each([
  ['a public page, including live updates and the language offer,', ['live', 'language-offer']],
  ['the last step of /donate, before a wallet is used,', ['wallet-list', 'language-offer']],
  ['a payment confirmation, before it updates,', ['progress', 'language-offer']],
])('the script of %s has at most 4,500 bytes, gzipped', (_, names) => {
  const [enhance = ''] = globSync('build/client/assets/enhance-????????.js')
  const sizes = ['enhance', ...names].map((name) => {
    const own = enhance.replace('enhance-', `${name}-`)
    // A chunk of the framework can have the same name as the script of a page.
    const files = globSync(`build/client/assets/${name}-????????.js`)
    const text = readFileSync(files.includes(own) ? own : (files[0] ?? ''), 'utf8')
    // If shared code were in a separate file, the sum would not include that file.
    expect(text.match(/from\s*"\.\/(?!enhance-)/g)).toBeNull()
    return gzipSync(text, { level: 9 }).length
  })
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(4_500)
})
