import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signOrder } from '../../app/server/operator-signature.ts'
import { type Site, startSite } from '../support/site.ts'
import { startTemporary, type TemporaryBackend } from '../support/temporary-backend.ts'

// miniflare's own image library: it makes the inputs and reads the outputs.
const fromMiniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'))
const sharp = fromMiniflare('sharp') as typeof import('sharp').default

let backend: TemporaryBackend
let site: Site
const folder = mkdtempSync(join(tmpdir(), 'goodblock-pictures-'))

beforeAll(async () => {
  backend = await startTemporary()
  // Each page is rendered anew, so that a test sees the update that it has just made.
  site = await startSite(backend, { SUPABASE_SECRET_KEY: backend.secretKey, PAGE_CACHE: 'off' })
})
afterAll(async () => {
  await site.close()
  await backend.close()
  rmSync(folder, { recursive: true })
})

/** Runs `npm run ledger -- update` for the pool Education. */
async function update(...args: string[]): Promise<{ code: number; output: string }> {
  const child = spawn(
    'node_modules/.bin/node',
    ['scripts/ledger.ts', 'update', '--pool', 'education', '--yes', ...args],
    {
      env: {
        PATH: process.env.PATH,
        SUPABASE_URL: backend.url,
        SUPABASE_SECRET_KEY: backend.secretKey,
        SITE_URL: site.url,
      },
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const [code] = await once(child, 'exit')
  return { code, output }
}

async function pictureFile(name: string, width: number, height: number): Promise<string> {
  const path = join(folder, name)
  const picture = sharp({ create: { width, height, channels: 3, background: '#0a0' } })
    .withExif({ IFD0: { Copyright: 'secret place' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
    .withMetadata({ orientation: 6 })
  writeFileSync(path, await picture.jpeg().toBuffer())
  return path
}

const storedNames = async () =>
  (await backend.sql<{ name: string }>(`select name from storage.objects where bucket_id = 'pools'`)).map(
    ({ name }) => name,
  )

const shown = async () => {
  const html = await (await fetch(`${site.url}/voting/education`)).text()
  return [
    ...html.matchAll(/<img src="(\/pictures\/pools\/[^"]+)" alt="([^"]+)" width="(\d+)" height="(\d+)"/g),
  ].map(([, path = '', alt, width, height]) => ({ path, alt, size: `${width}×${height}` }))
}

test('the picture of an update is upright, without metadata, served from this site, and the log commits to it', async () => {
  const picture = await pictureFile('desks.jpg', 2000, 1500)
  const { code, output } = await update(
    '--text',
    'Forty desks',
    '--picture',
    picture,
    '--picture-alt',
    'Forty “new” desks',
  )
  expect([code, output]).toEqual([0, expect.stringContaining('Published as update 1')])
  const [found] = await shown()
  // Orientation 6 turns the picture by 90°, from landscape to portrait.
  expect(found).toEqual({
    path: expect.stringMatching(/^\/pictures\/pools\/education\/[0-9a-f]{64}\.webp$/),
    alt: 'Forty “new” desks',
    size: '960×1280',
  })
  const response = await fetch(site.url + found?.path)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(found?.path).toContain(createHash('sha256').update(bytes).digest('hex'))
  const { width, height, exif, orientation } = await sharp(bytes).metadata()
  expect({ width, height, exif, orientation }).toEqual({ width: 960, height: 1280 })
  const [row] = await backend.sql<{ links: string; kept: boolean }>(
    `select texts.text as links, entries.entry::jsonb ->> 'links_hash' = updates.links_hash as kept
     from public.pool_updates as updates
     join private.log_texts as texts on texts.hash = updates.links_hash
     join private.log_entries as entries on entries.kind = 'update' and entries.row_id = updates.id`,
  )
  expect(row).toEqual({ links: expect.stringContaining(found?.path ?? 'none'), kept: true })
})

test('a small picture is not enlarged', async () => {
  const picture = await pictureFile('small.jpg', 200, 100)
  expect((await update('--text', 'Small', '--picture', picture, '--picture-alt', 'Small')).code).toBe(0)
  expect((await shown()).map(({ size }) => size)).toContain('100×200')
})

test('the command refuses a file that is not a picture, a picture without a description, and a missing file', async () => {
  const text = join(folder, 'text.jpg')
  writeFileSync(text, '<svg/>')
  for (const [args, sentence] of [
    [['--picture', text, '--picture-alt', 'x'], "The file isn't a JPEG, PNG, WebP or AVIF picture."],
    [['--picture', text], 'Use --picture and --picture-alt together'],
    [['--picture', join(folder, 'none.jpg'), '--picture-alt', 'x'], 'cannot be read'],
  ] as const) {
    const { code, output } = await update('--text', 'Refused', ...args)
    expect([code, output]).toEqual([1, expect.stringContaining(sentence)])
  }
  expect(await backend.sql(`select from public.pool_updates where number > 2`)).toEqual([])
})

test('only a command with the secret key can store a picture', async () => {
  const before = await storedNames()
  const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#00f' } })
    .png()
    .toBuffer()
  const hash = createHash('sha256').update(bytes).digest('hex')
  const order = `picture education ${hash}`
  const send = async (authorization: string | null, pool = 'education', content = bytes) =>
    (
      await fetch(`${site.url}/pictures/pools/${pool}/${hash}`, {
        method: 'POST',
        body: new Uint8Array(content),
        headers: authorization === null ? {} : { Authorization: authorization },
      })
    ).status
  const now = Date.now()
  expect(await send(null)).toBe(403)
  expect(await send(await signOrder('another key', order, now))).toBe(403)
  expect(await send(await signOrder(backend.secretKey, 'changed', now))).toBe(403)
  expect(await send(await signOrder(backend.secretKey, `picture relief ${hash}`, now))).toBe(403)
  expect(await send(await signOrder(backend.secretKey, order, now - 120_000))).toBe(403)
  expect(await send(await signOrder(backend.secretKey, order, now), 'nothing')).toBe(403)
  const other = Buffer.from('another file')
  expect(await send(await signOrder(backend.secretKey, order, now), 'education', other)).toBe(403)
  expect(await storedNames()).toEqual(before)
  expect(await send(await signOrder(backend.secretKey, order, now))).toBe(200)
})

test('refuses an unsigned upload before its body is read', async () => {
  const upload = request(`${site.url}/pictures/pools/education/${'a'.repeat(64)}`, {
    method: 'POST',
    headers: { Authorization: 'Goodblock-Operator 1', 'Content-Length': 10 * 1024 * 1024 },
  })
  // The rest of the body is never sent.
  upload.on('error', () => {}).write('the beginning')
  const [response] = (await once(upload, 'response', { signal: AbortSignal.timeout(20_000) })) as [
    IncomingMessage,
  ]
  expect(response.statusCode).toBe(403)
  upload.destroy()
})

test('the sweep removes pictures that no update names, even after the text was withdrawn', async () => {
  expect(await storedNames()).toHaveLength(3)
  await backend.sql(`update storage.objects set created_at = now() - interval '2 hours'`)
  await site.runSchedule()
  // The picture that was sent without an update has been removed.
  expect(await storedNames()).toHaveLength(2)
  await backend.sql(
    `select public.withdraw_text(links_hash, 'a test') from public.pool_updates where number = 2`,
  )
  await site.runSchedule()
  const left = await storedNames()
  expect(left).toHaveLength(1)
  expect((await shown()).map(({ path }) => path)).toEqual([`/pictures/pools/${left[0]}`])
})
