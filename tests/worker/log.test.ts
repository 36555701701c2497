import { execFile } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeText } from '../../app/log/bytes.ts'
import { signCheckpoint } from '../../app/log/checkpoint.ts'
import { cosign } from '../../app/log/cosignature.ts'
import { verifierKeyOf } from '../../app/log/note.ts'
import { parseProof } from '../../app/log/proof.ts'
import { encodeBundle } from '../../app/log/tile.ts'
import tlog from '../../public/ledger/tlog-vectors.json' with { type: 'json' }
import { temporaryFolder } from '../support/data-folder.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { LogTree } from '../support/log-tree.ts'
import { type SiteWithBackend, startSite, startSiteWithBackend } from '../support/site.ts'
import { clientOf, transaction } from '../support/temporary-backend.ts'

const program = fileURLToPath(new URL('../../public/verify-ledger.mjs', import.meta.url))
const folder = temporaryFolder()
const key = generateKeyPairSync('ed25519')
  .privateKey.export({ format: 'der', type: 'pkcs8' })
  .toString('base64')
const origin = 'a.example/transparency/log'
const [signedSize, size] = [300, 310]

let site: SiteWithBackend
let tree: LogTree
let note: string
let vkey: string

beforeAll(async () => {
  site = await startSiteWithBackend()
  const service = clientOf(site.backend, site.backend.secretKey)
  const append = (entries: object[]) =>
    service.rpc('append_ledger', { entries: entries as never }).throwOnError()
  const rows = Array.from({ length: size }, (_, at) =>
    transaction({ account: 'treasury', note: at % 7 ? null : `Note ${at}, żółć`, amount_usd: `${at}.50` }),
  )
  await append(rows.slice(0, signedSize))
  const read = async () => {
    const found = await site.backend.sql<{ entry: string }>(
      'select entry from public.published_entries order by index',
    )
    return new LogTree(found.map(({ entry }) => encodeText(entry)))
  }
  const root = Buffer.from((await read()).root()).toString('base64')
  note = await signCheckpoint(key, origin, signedSize, root)
  vkey = await verifierKeyOf({ name: origin, privateKey: key })
  await service
    .rpc('archive_checkpoint', { log: 'ledger', size: signedSize, root, note, vkey })
    .throwOnError()
  await append(rows.slice(signedSize))
  tree = await read()
})
afterAll(async () => {
  await site?.close()
  folder.remove()
})

const get = (path: string, init: RequestInit = {}) => fetch(`${site.url}/transparency/${path}`, init)
const bytesOf = async (path: string) => new Uint8Array(await (await get(path)).arrayBuffer())
const verify = (...parameters: string[]) =>
  new Promise<{ status: number; said: string }>((resolve) => {
    execFile(process.execPath, [program, ...parameters], { cwd: folder.path }, (error, stdout, stderr) => {
      resolve({ status: error ? Number(error.code) : 0, said: stdout + stderr })
    })
  })

test('serves the exact bytes of the checkpoint and the verifier key', async () => {
  const checkpoint = await get('log/checkpoint')
  expect(await checkpoint.text()).toBe(note)
  expect(checkpoint.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
  expect(checkpoint.headers.get('Cache-Control')).toBe('public, max-age=5')
  expect(checkpoint.headers.get('Access-Control-Allow-Origin')).toBe('*')
  expect(checkpoint.headers.getSetCookie()).toEqual([])
  expect(await (await get('log/vkey')).text()).toBe(`${vkey}\n`)
})

test('serves tiles and bundles as immutable, at every width that a checkpoint covers', async () => {
  for (const path of ['log/tile/0/000', 'log/tile/0/000.p/7', 'log/tile/0/001.p/44', 'log/tile/1/000.p/1']) {
    const [, level, index, width = '256'] = /tile\/(\d)\/(\d{3})(?:\.p\/(\d+))?/.exec(path) ?? []
    const response = await get(path)
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(
      tree.tile(Number(level), Number(index), Number(width)),
    )
    expect(response.headers.get('Content-Type')).toBe('application/octet-stream')
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
  }
  expect(await bytesOf('log/tile/entries/000')).toEqual(encodeBundle(tree.entries.slice(0, 256)))
  expect(await bytesOf('log/tile/entries/001.p/44')).toEqual(encodeBundle(tree.entries.slice(256, 300)))
})

test.each([
  // Entries after the checkpoint, then tiles that do not exist, then malformed paths.
  ...['log/tile/0/001.p/45', 'log/tile/entries/001.p/50', 'log/tile/1/000.p/2', 'log/tile/1/000'],
  ...['log/tile/2/000.p/1', 'log/tile/0/999', 'log/tile/63/000', 'log/tile/0/x999/x999/x999/999'],
  ...['log/tile/0/0', 'log/tile/0/000.p/256', 'log/tile/data/000', 'log/tile/', 'log/nothing'],
  // Other spellings of an existing tile's URL.
  ...['log/Tile/0/000', 'log/tile/%30/000', 'log/tile/0/000?x', 'log/tile/0/000?', 'log/tile/0/000/'],
  ...['log/tile/0/000.data', 'log/tile/0//000', 'log/tile/entries/%30%30%30'],
])('responds with 404 to %s', async (path) => {
  const response = await get(path)
  expect(response.status).toBe(404)
  expect(response.headers.get('Cache-Control')).not.toContain('immutable')
})

test('a tile has at most 8,192 bytes, and a request for a tile makes at most two calls to the backend', async () => {
  const proxy = await startFaultProxy(site.backend.url)
  const counted = await startSite({ url: proxy.url, publishableKey: site.backend.publishableKey })
  try {
    const callsOf = async (path: string) => {
      const before = proxy.requests.length
      const { status } = await fetch(`${counted.url}/transparency/log/tile/${path}`)
      return [status, proxy.requests.length - before]
    }
    expect((await bytesOf('log/tile/0/000')).length).toBe(8_192)
    expect(await callsOf('0/000')).toEqual([200, 2])
    // The checkpoint covers none of them. Level 63 and index 2^53 - 1 are a path's largest values.
    for (const path of ['63/000', '0/999', 'entries/x009/x007/x199/x254/x740/991'])
      expect(await callsOf(path), path).toEqual([404, 2])
    // No tile can have such a path, so the site reads nothing.
    for (const path of ['64/000', '0/000.p/256', '0/000.p/0', 'entries/x009/x007/x199/x254/x740/992'])
      expect(await callsOf(path), path).toEqual([404, 0])
  } finally {
    await counted.close()
    await proxy.close()
  }
})

test('a request for a proof makes at most three calls, and none for an id of more than 15 digits', async () => {
  const proxy = await startFaultProxy(site.backend.url)
  const counted = await startSite({ url: proxy.url, publishableKey: site.backend.publishableKey })
  try {
    const callsOf = async (id: string) => {
      const before = proxy.requests.length
      const { status } = await fetch(`${counted.url}/transparency/${id}/proof`)
      return [status, proxy.requests.length - before]
    }
    expect(await callsOf('120')).toEqual([200, 3])
    expect(await callsOf('9'.repeat(15))).toEqual([404, 1])
    for (const id of ['9'.repeat(16), '0', '01', '1e3', '-1']) expect(await callsOf(id), id).toEqual([404, 0])
  } finally {
    await counted.close()
    await proxy.close()
  }
})

test('exports the hashed bytes of all entries, in one response and in parts', async () => {
  const lines = tree.entries.map((entry) => Buffer.from(entry).toString())
  const response = await get('log.ndjson')
  expect(await response.text()).toBe(lines.map((line) => `${line}\n`).join(''))
  const etag = response.headers.get('ETag') ?? ''
  expect((await get('log.ndjson', { headers: { 'If-None-Match': etag } })).status).toBe(304)
  const part = await get('log.ndjson?from=298&limit=5')
  expect((await part.text()).trimEnd().split('\n')).toEqual(lines.slice(298, 303))
  expect(part.headers.get('Link')).toBe('</transparency/log.ndjson?limit=5&from=303>; rel="next"')
  expect((await get('log.ndjson?from=305&limit=5')).headers.get('Link')).toBeNull()
  expect(await (await get('log.ndjson?from=999')).text()).toBe('')
  expect((await get('log.ndjson?from=-1')).status).toBe(400)
  expect((await get('log.ndjson?limit=1001')).status).toBe(400)
})

test('publishes each text with the salt of its hash', async () => {
  const texts = (await (await get('log/texts.ndjson')).text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(texts).toHaveLength(Math.ceil(size / 7))
  for (const { hash, salt, text } of texts)
    expect(createHash('sha256').update(Buffer.from(salt, 'hex')).update(text).digest('hex')).toBe(hash)
})

test("the verifier accepts the site's log and the proof of one row", async () => {
  const kept = join(folder.path, 'kept.json')
  for (const expected of ['The log has 300 entries', 'It begins with the 300 entries']) {
    const { status, said } = await verify(site.url, '--remember', kept)
    expect(said).toContain(expected)
    expect(status).toBe(0)
  }
  expect(await verify(site.url, '--remember', kept, '--whole', '--wait', '0')).toMatchObject({
    status: 2,
    said: expect.stringContaining('Not signed yet: 10 entries of the export, after the 300 that'),
  })
  const texts = join(folder.path, 'texts.ndjson')
  writeFileSync(texts, await (await get('log/texts.ndjson')).text())
  for (const [name, content] of [
    ['log.ndjson', await (await get('log.ndjson')).text()],
    ['checkpoint', note],
  ])
    writeFileSync(join(folder.path, `${name}`), `${content}`)
  expect(await verify('log.ndjson', 'checkpoint', '--vkey', vkey, '--texts', texts)).toMatchObject({
    status: 0,
    said: expect.stringMatching(/^The texts are those that were recorded: \d+, and 0 withdrawn\.$/m),
  })
  const proof = await get('120/proof')
  expect(proof.headers.get('Content-Disposition')).toBe('attachment; filename="120.tlog-proof"')
  const file = join(folder.path, '120.tlog-proof')
  const text = await proof.text()
  writeFileSync(file, text)
  expect(await verify('--row', file, '--id', '120', '--vkey', vkey)).toMatchObject({ status: 0 })
  expect(await verify('--row', file, '--id', '121', '--vkey', vkey)).toMatchObject({ status: 1 })
})

test('the page of a row shows its proof, or that no checkpoint covers it yet', async () => {
  const page = await (await get('120')).text()
  const { index, path } = parseProof(await (await get('120/proof')).text())
  expect(page).toContain('This row is in a log')
  expect(page).toContain(`<dt>Log position</dt><dd>${index}</dd>`)
  for (const hash of path) expect(page).toContain(Buffer.from(hash).toString('hex'))
  expect(page).toContain('Download the proof')
  expect(Buffer.byteLength(page)).toBeLessThan(64_000)

  const [unsigned] = await site.backend.sql<{ id: number }>('select max(id) as id from public.transactions')
  expect(await (await get(`${unsigned?.id}`)).text()).toContain('Not signed yet')
  for (const id of [unsigned?.id, 99_999, 'x']) expect((await get(`${id}/proof`)).status).toBe(404)

  const entry = await get(`entries/${index}/proof`)
  expect(entry.headers.get('Content-Disposition')).toBe(`attachment; filename="entry-${index}.tlog-proof"`)
  expect(await entry.text()).toBe(await (await get('120/proof')).text())
  for (const unknown of [signedSize, 99_999, '01', 'x'])
    expect((await get(`entries/${unknown}/proof`)).status, `${unknown}`).toBe(404)
})

test('an empty log has no checkpoint', async () => {
  const empty = await startSiteWithBackend()
  for (const path of ['checkpoint', 'vkey', 'tile/0/000.p/1'])
    expect((await fetch(`${empty.url}/transparency/log/${path}`)).status).toBe(404)
  expect((await verify(empty.url)).status).toBe(2)
  await empty.close()
})

test('responds with 503 while the log cannot be read', async () => {
  const proxy = await startFaultProxy(site.backend.url)
  const broken = await startSite({ url: proxy.url, publishableKey: site.backend.publishableKey })
  proxy.fault = '500'
  for (const path of ['checkpoint', 'vkey', 'tile/0/000.p/1', 'anchors.ndjson'])
    expect((await fetch(`${broken.url}/transparency/log/${path}`)).status).toBe(503)
  await broken.close()
  await proxy.close()
})

test('the page about the log says what witnesses prevent only if the log has witnesses', async () => {
  const witnessed = await startSite(
    { url: site.backend.url, publishableKey: site.backend.publishableKey },
    { WITNESSES: `${tlog.cosignature.vkey} https://w.example` },
  )
  const claims = await Promise.all(
    [site, witnessed].map(async ({ url }) =>
      (await (await fetch(`${url}/transparency/verify`)).text()).includes(
        'without the help of our witnesses',
      ),
    ),
  )
  expect(claims).toEqual([false, true])
  await witnessed.close()
})

test('a witness with a wrong key ID is an error of the configuration, on every page', async () => {
  const wrong = await startSite(
    { url: site.backend.url, publishableKey: site.backend.publishableKey },
    { WITNESSES: `${tlog.cosignature.vkey.replace(/\+[0-9a-f]{8}\+/, '+00000000+')} https://w.example` },
  )
  for (const _ of [1, 2]) {
    const response = await fetch(wrong.url)
    expect([response.status, await response.text()]).toEqual([500, expect.stringContaining('Something')])
  }
  await expect
    .poll(() => wrong.log.filter((line) => line.includes('WITNESSES.0: the key ID of a verifier key')).length)
    .toBe(2)
  await wrong.close()
})

test('only the page of a row may send requests to blockchain endpoints, and this page lists the endpoints', async () => {
  const endpoint = 'https://rpc.example/public'
  const asking = await startSite(
    { url: site.backend.url, publishableKey: site.backend.publishableKey },
    { CHECK_RPC_URLS: endpoint },
  )
  const connectOf = async (path: string) => {
    const response = await fetch(asking.url + path)
    const policy = response.headers.get('Content-Security-Policy') ?? ''
    return [/connect-src ([^;]*)/.exec(policy)?.[1], (await response.text()).includes(endpoint)]
  }
  expect(await connectOf('/transparency/120')).toEqual(["'self' https://rpc.example", true])
  for (const path of ['/', '/transparency', '/transparency/verify'])
    expect(await connectOf(path)).toEqual(["'self'", false])
  await asking.close()
})

test('the scripts that check a row have at most 3,400 bytes, gzipped, and the script that checks the blockchain at most 4,200', () => {
  const sizeOf = (name: string) => {
    const [path = ''] = globSync(`build/client/assets/${name}-????????.js`)
    return gzipSync(readFileSync(path), { level: 9 }).length
  }
  expect(sizeOf('check-row-button') + sizeOf('check-row')).toBeLessThanOrEqual(3_400)
  // This script also contains the row check, and the code that finds the transfer at the position that the
  // row names: a transfer of a token or of the coin, or a credit or debit of a wrapped coin.
  expect(sizeOf('check-chain')).toBeLessThanOrEqual(4_200)
  // This script is loaded only if the site has witnesses.
  expect(sizeOf('check-witnesses')).toBeLessThanOrEqual(2_100)
})

test('the proof of a row has at most 64 kB, and the page of the row contains the proof without another request', async () => {
  const response = await fetch(`${site.url}/transparency/120/proof`)
  const proof = await response.text()
  expect(Buffer.byteLength(proof)).toBeLessThan(64_000)
  expect(await (await fetch(`${site.url}/transparency/120`)).text()).toContain(proof.split('\n')[1])
})

test('serves the signatures of witnesses after the note, and each signature changes the ETag of the archive', async () => {
  const archive = () => get('log/checkpoints.ndjson')
  const etag = (await archive()).headers.get('ETag') ?? ''
  const line = '— w.example AAAAAAAA\n'
  const cosignature = {
    state: 'well',
    size: signedSize,
    root: note.split('\n')[2],
    line,
    cosigned_at: '2026-01-01',
  }
  await site.backend.sql('select public.record_witness($1, $2, $3, $4)', [
    'ledger',
    origin,
    'w.example+00000000+B',
    JSON.stringify(cosignature),
  ])
  expect(await (await get('log/checkpoint')).text()).toBe(note + line)
  expect(await (await get('120/proof')).text()).toContain(note + line)
  const changed = await get('log/checkpoints.ndjson', { headers: { 'If-None-Match': etag } })
  expect([changed.status, JSON.parse(await changed.text()).note]).toEqual([200, note + line])
  expect(changed.headers.get('ETag')).not.toBe(etag)

  // The site no longer names this witness: the database keeps the witness's signature, and no file has it.
  const { name, privateKey, vkey } = tlog.cosignature
  const text = note.slice(0, note.lastIndexOf('\n\n') + 1)
  const own = await cosign({ name, privateKey }, text, Date.parse('2026-01-01') / 1000)
  const given = { ...cosignature, line: own }
  await site.backend.sql('select public.record_witness($1, $2, $3, $4)', [
    ...['ledger', origin, vkey, JSON.stringify(given)],
  ])
  const witnessed = await startSite(
    { url: site.backend.url, publishableKey: site.backend.publishableKey },
    { WITNESSES: `${vkey} https://w.example` },
  )
  const served = async (path: string) => [
    await (await get(path)).text(),
    await (await fetch(`${witnessed.url}/transparency/${path}`)).text(),
  ]
  expect(await served('log/checkpoint')).toEqual([note + line, note + line + own])
  for (const path of ['log/checkpoints.ndjson', '120/proof', '120', 'verify']) {
    const words = own.split(' ')[2]?.trimEnd()
    expect((await served(path)).map((body) => body.includes(words as string))).toEqual([false, true])
  }
  const tags = await Promise.all(
    [site, witnessed].map(async ({ url }) =>
      (await fetch(`${url}/transparency/log/checkpoints.ndjson`)).headers.get('ETag'),
    ),
  )
  expect(new Set(tags)).toHaveProperty('size', 2)
  await witnessed.close()
})

test('after a restore and a signature under a new name, the page states the former name, and the archive keeps checkpoints under both names', async () => {
  const service = clientOf(site.backend, site.backend.secretKey)
  const lost = { log: 'ledger', size: 1_000, root: Buffer.alloc(32, 1).toString('base64') }
  await service.rpc('report_rollback', lost).throwOnError()
  await service.rpc('accept_restore', { log: 'ledger', reason: 'The disk failed.' }).throwOnError()
  const { data: before } = await service.from('former_log_names').select('origin').throwOnError()
  expect(before).toEqual([])

  const next = { log: 'ledger', size: size + 1 }
  const { data: root } = await service.rpc('log_root', next).throwOnError()
  const signed = await signCheckpoint(key, 'b.example/log', next.size, root ?? '')
  const given = { ...next, root: root ?? '', note: signed, vkey: 'b.example/log+00000000+AA==' }
  await service.rpc('archive_checkpoint', given).throwOnError()

  const { publishableKey, url } = site.backend
  const renamed = await startSite({ url, publishableKey })
  const page = await (await fetch(`${renamed.url}/transparency/verify`)).text()
  for (const words of ['This log had another name', 'The disk failed.', origin, vkey])
    expect(page).toContain(words)
  const archive = await (await fetch(`${renamed.url}/transparency/log/checkpoints.ndjson`)).text()
  const names = archive
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).note.split('\n')[0])
  expect(new Set(names)).toEqual(new Set([origin, 'b.example/log']))
  await renamed.close()
})

test('the demonstration signs new entries without a blockchain', async () => {
  const service = clientOf(site.backend, site.backend.secretKey)
  await service
    .rpc('append_ledger', { entries: [transaction({ account: 'treasury' })] as never })
    .throwOnError()
  const [log] = await site.backend.sql<{ size: number }>('select size::int from private.logs')
  const demo = await startSite(site.backend, {
    ...{ DEMO: '1', SUPABASE_SECRET_KEY: site.backend.secretKey, LOG_KEY: key, LOG_ORIGIN: 'c.example/log' },
    PAGE_CACHE: 'off',
  })
  try {
    await demo.runSchedule()
    const checkpoint = await (await fetch(`${demo.url}/transparency/log/checkpoint`)).text()
    expect(checkpoint.split('\n').slice(0, 2)).toEqual(['c.example/log', `${log?.size}`])
  } finally {
    await demo.close()
  }
})

test('one scheduler at a time runs the schedule; another address, another program and another release are told why not', async () => {
  const { backend } = site
  const service = { SUPABASE_SECRET_KEY: backend.secretKey }
  const start = (SITE_URL: string, SCHEDULER: string) =>
    startSite(backend, { ...service, SITE_URL, SCHEDULER, LOG_KEY: key, CONTACT_EMAIL: 'hello@a.example' })
  const [first, laptop, other] = await Promise.all([
    start('https://a.example', 'the deployment'),
    start('https://a.example', 'a laptop'),
    start('http://127.0.0.1:1', 'a laptop'),
  ])
  const run = async (one: typeof first) => {
    const before = one.log.length
    await one.runSchedule()
    const lines = one.log.slice(before).map((line) => JSON.parse(line))
    const refused = lines.find(({ event }) => event === 'schedule.refused')
    expect(lines.some(({ event }) => event === 'ledger.run')).toBe(!refused)
    return refused?.why ?? 'ran'
  }
  try {
    expect(await run(first)).toBe('ran')
    expect(await run(laptop)).toBe('the deployment runs it for https://a.example')
    const moves = 'the schedule belongs to https://a.example: two operators can move it to http://127.0.0.1:1'
    expect(await run(other)).toBe(moves)
    expect(await run(first)).toBe('ran')
    // After the end of the lease another address is still refused.
    await backend.sql('update private.schedule_leases set until = now()')
    expect(await run(other)).toBe(moves)
    expect(await run(laptop)).toBe('ran')
    expect(await run(first)).toBe('a laptop runs it for https://a.example')
    const versions = 'supabase_migrations.schema_migrations'
    await backend.sql(`insert into ${versions} (version, name) values ('20990101000000', 'later')`)
    expect(await run(laptop)).toMatch(
      /^the database has the migration 20990101000000, and this release is older/,
    )
    await backend.sql(`delete from ${versions} where version = '20990101000000'`)
    const [newest] = await backend.sql<{ version: string }>(
      `delete from ${versions} where version = (select max(version) from ${versions}) returning version`,
    )
    expect(await run(laptop)).toMatch(/^the database has the migration \d+ only: apply \d+ first$/)
    await backend.sql(`insert into ${versions} (version, name) values ($1, 'again')`, [newest?.version])
    expect(await run(laptop)).toBe('ran')
  } finally {
    await Promise.all([first, laptop, other].map((one) => one.close()))
  }
})
