import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { grainy, publishPicture, storePoolPicture } from '../support/photograph.ts'
import { type SiteWithBackend, startPictures, startSite, startSiteWithBackend } from '../support/site.ts'
import { clientOf, signUp as signUpWithBackend } from '../support/temporary-backend.ts'
import { documentOf, type Page, toastOf, Visitor } from '../support/visitor.ts'

// The image library of miniflare makes the inputs and reads the outputs.
const fromMiniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'))
const sharp = fromMiniflare('sharp') as typeof import('sharp').default

let site: SiteWithBackend
let visitor: Visitor
let member: string
beforeAll(async () => {
  site = await startSiteWithBackend()
  await startPictures(site.backend)
  ;({ visitor, member } = await signUp('pictures@example.org'))
})
afterAll(() => site.close())

async function signUp(email: string) {
  const visitor = new Visitor(site.url)
  const account = { intent: 'sign-up', email, password: 'correct horse', username: 'Somebody' }
  expect((await visitor.post('/auth', account)).status).toBe(303)
  const { html } = await visitor.get('/dashboard?edit=profile')
  return { visitor, member: /name="member" value="([^"]+)"/.exec(html)?.[1] ?? '' }
}

const noise = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  })
const bytesOf = async (image: { toBuffer(): Promise<Buffer> }) => new Uint8Array(await image.toBuffer())

/** Sends the form as a browser without JavaScript does. Returns the toast of the next page. */
async function send(
  fields: Record<string, string | Blob>,
  from = visitor,
): Promise<{ page: Page; toast: string }> {
  const body = new FormData()
  for (const [name, value] of Object.entries({ intent: 'save-picture', member, ...fields }))
    body.set(name, value)
  const page = await from.send('/dashboard/picture', {
    method: 'POST',
    body,
    headers: { Accept: 'text/html', Origin: site.url, 'Sec-Fetch-Site': 'same-origin' },
  })
  const next = page.location ? await from.get(page.location) : page
  return { page, toast: toastOf(next)?.replace(/^(?:Success|Validation Error|Error) /, '') ?? '' }
}

const shownPicture = async () =>
  /src="(\/pictures\/avatars\/[^"]+)"/.exec((await visitor.get('/dashboard')).html)?.[1] ?? null
const storedNames = async () =>
  (await site.backend.sql<{ name: string }>('select name from storage.objects')).map(({ name }) => name)
const file = (bytes: Uint8Array, type = 'application/octet-stream') => new Blob([bytes as BlobPart], { type })

test('a picture from a phone becomes an upright WebP square without metadata, served from this site', async () => {
  const phone = await bytesOf(
    noise(4032, 3024)
      .withExif({
        IFD0: { Copyright: 'secret place' },
        IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' },
      })
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 60 }),
  )
  const { page, toast } = await send({ picture: file(phone, 'text/html') })
  expect({ status: page.status, location: page.location, toast }).toEqual({
    status: 303,
    location: '/dashboard',
    toast: 'Picture updated successfully',
  })
  const path = await shownPicture()
  const response = await fetch(site.url + path)
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  })
  expect(response.headers.get('set-cookie')).toBeNull()
  const bytes = new Uint8Array(await response.arrayBuffer())
  expect(Buffer.from(bytes).toString('latin1')).not.toMatch(/secret|EXIF|Exif/)
  const { format, width, height, exif, xmp, icc, orientation } = await sharp(bytes).metadata()
  expect({ format, width, height, exif, xmp, icc, orientation }).toMatchObject({
    format: 'webp',
    width: 512,
    height: 512,
  })
  expect([exif, xmp, icc, orientation].filter(Boolean)).toEqual([])
})

test('the orientation of a picture is applied to its pixels', async () => {
  // The left half is red; orientation 6 turns the left half to the top.
  const red = await sharp({ create: { width: 100, height: 200, channels: 3, background: '#f00' } })
    .png()
    .toBuffer()
  const picture = sharp({ create: { width: 200, height: 200, channels: 3, background: '#00f' } }).composite([
    { input: red, left: 0, top: 0 },
  ])
  const turned = await sharp(await picture.png().toBuffer())
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  await send({ picture: file(turned) })
  const shown = await (await fetch(site.url + (await shownPicture()))).arrayBuffer()
  const colourAt = async (left: number, top: number) =>
    [...(await sharp(shown).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer())].map(
      (c) => c > 128,
    )
  expect(await colourAt(256, 20)).toEqual([true, false, false])
  expect(await colourAt(256, 490)).toEqual([false, false, true])
})

test('replacing or removing a picture deletes the previous file', async () => {
  await send({ picture: file(await bytesOf(noise(64, 64).png())) })
  const first = await shownPicture()
  await send({ picture: file(await bytesOf(noise(65, 65).png())) })
  const second = await shownPicture()
  expect(second).not.toBe(first)
  expect(await storedNames()).toEqual([second?.replace('/pictures/avatars/', '')])
  const stored = `${site.backend.url}/storage/v1/object/public/${second?.replace('/pictures/', '')}`
  expect((await fetch(stored)).headers.get('cache-control'), 'no cache keeps a removed picture').toBe(
    'no-cache',
  )
  expect((await send({ intent: 'remove-picture' })).toast).toBe('Picture removed')
  expect(await shownPicture()).toBeNull()
  expect(await storedNames()).toEqual([])
  // The file was not requested before, so no cache has a copy.
  expect((await fetch(site.url + second)).status).toBe(404)
  expect((await fetch(stored)).status).toBe(400)
})

const claim = async (width: number, height: number) => {
  const bytes = await bytesOf(noise(10, 10).png())
  new DataView(bytes.buffer).setUint32(16, width)
  new DataView(bytes.buffer).setUint32(20, height)
  return bytes
}

test.each([
  ['a CMYK picture', async () => bytesOf(noise(80, 60).toColourspace('cmyk').jpeg())],
  ['a PNG with 16 bits', async () => bytesOf(noise(80, 60).toColourspace('rgb16').png())],
  ['an AVIF', async () => bytesOf(noise(80, 60).avif())],
  ['a picture of one pixel', async () => bytesOf(noise(1, 1).png())],
  [
    'a PNG that HTML follows',
    async () =>
      new Uint8Array([...(await bytesOf(noise(20, 20).png())), ...Buffer.from('<script>alert(1)</script>')]),
  ],
  [
    'an animated WebP',
    async () => {
      const frames = await Promise.all([1, 2].map(() => noise(40, 40).png().toBuffer()))
      const animated = await bytesOf(sharp(frames, { join: { animated: true } }).webp({ loop: 0 }))
      expect(await sharp(animated).metadata()).toMatchObject({ pages: 2 })
      return animated
    },
  ],
])('accepts %s', async (_, make) => {
  expect((await send({ picture: file(await make()) })).toast).toBe('Picture updated successfully')
  const bytes = new Uint8Array(await (await fetch(site.url + (await shownPicture()))).arrayBuffer())
  const { format, width, height, pages } = await sharp(bytes).metadata()
  expect({ format, width, height, pages: pages ?? 1 }).toEqual({
    format: 'webp',
    width: 512,
    height: 512,
    pages: 1,
  })
  expect(Buffer.from(bytes).toString('latin1')).not.toContain('script')
})

test.each([
  [
    'an SVG',
    async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    "This file isn't a JPEG, PNG, WebP or AVIF picture",
  ],
  [
    'HTML named as a picture',
    async () => Buffer.from('<!doctype html><script>1</script>'),
    "This file isn't a JPEG, PNG, WebP or AVIF picture",
  ],
  [
    'a file that claims a width of 60,000 pixels',
    () => claim(60_000, 60_000),
    'This picture is too large. The limit is 12,000 pixels per side and 50 million in total',
  ],
  [
    'a truncated JPEG',
    async () => (await bytesOf(noise(900, 900).jpeg())).subarray(0, 400),
    "This file isn't a JPEG, PNG, WebP or AVIF picture",
  ],
  ['an empty file', async () => new Uint8Array(), 'Choose a picture first'],
])('refuses %s with a sentence', async (_, make, sentence) => {
  await site.backend.sql(`set storage.allow_delete_query = 'true'`)
  await site.backend.sql('delete from storage.objects')
  const { page, toast } = await send({ picture: file(await make(), 'image/png') })
  expect(page.status).toBe(303)
  expect(['This picture is damaged or incomplete', sentence]).toContain(toast)
  expect(await storedNames()).toEqual([])
})

test('refuses a picture of more than 10 MB, and pictures from visitors, other members and other sites', async () => {
  const large = await send({ picture: file(new Uint8Array(10 * 1024 * 1024 + 5000)) })
  expect(large.page.status).toBe(413)
  const small = file(await bytesOf(noise(20, 20).png()))
  expect((await send({ picture: small }, new Visitor(site.url))).page.location).toMatch(
    /^\/auth\?redirectTo=/,
  )
  const other = await signUp('other@example.org')
  expect((await send({ picture: small }, other.visitor)).page.status).toBe(303)
  expect((await storedNames()).filter((name) => name.startsWith(other.member))).toEqual([])
  for (const path of ['/pictures/avatars/x/y.webp', `/pictures/avatars/${member}/..%2f..%2fsecret.webp`])
    expect((await fetch(site.url + path)).status).toBe(404)
})

test('an object whose name is not the hash of its bytes is not served, and is read at most once a minute', async () => {
  const proxy = await startFaultProxy(site.backend.url)
  const counted = await startSite({ url: proxy.url, publishableKey: site.backend.publishableKey })
  try {
    const other = await signUpWithBackend(site.backend, 'false-name@example.org')
    const name = `${other.id}/${'0'.repeat(64)}.webp`
    const stored = await other.client.storage
      .from('avatars')
      .upload(name, new Blob([new Uint8Array(5_000)], { type: 'image/webp' }))
    expect(stored.error).toBeNull()
    const read = async () => (await fetch(`${counted.url}/pictures/avatars/${name}`)).status
    expect(await read()).toBe(404)
    const before = proxy.requests.length
    expect([await read(), await read()]).toEqual([404, 404])
    expect(proxy.requests.length).toBe(before)
    expect((await other.client.storage.from('avatars').remove([name])).data).toHaveLength(1)
  } finally {
    await counted.close()
    await proxy.close()
  }
})

test('pages show a photograph as a copy of at most 640 pixels and 40 kB, made from the published photograph', async () => {
  // Half a megabyte; 90 kB at 640 pixels.
  const photograph = await grainy(1280, 960, 30)
  const drawn = await grainy(64, 48, 30)
  const service = clientOf(site.backend, site.backend.secretKey)
  const name = await storePoolPicture(service, photograph)
  await publishPicture(service, name)
  const lead = documentOf(await new Visitor(site.url).get('/voting/education')).querySelector('main figure')
  const addressOf = (element: string, attribute: string) =>
    lead?.querySelector(element)?.getAttribute(attribute)
  expect([addressOf('img', 'src'), addressOf('source', 'srcset'), addressOf('a', 'href')]).toEqual([
    `/pictures/pools/${name}?small`,
    `/pictures/pools/${name}`,
    `/pictures/pools/${name}`,
  ])
  const read = async (path: string) => {
    const response = await fetch(`${site.url}/pictures/pools/${path}`)
    const bytes = new Uint8Array(await response.arrayBuffer())
    const { format, width, height } = await sharp(bytes).metadata()
    return {
      bytes,
      status: response.status,
      type: response.headers.get('content-type'),
      format,
      width,
      height,
    }
  }
  const whole = await read(name)
  expect(whole.bytes).toEqual(photograph)
  const facts = { status: 200, type: 'image/webp', format: 'webp', width: 480, height: 360 }
  const copy = await read(`${name}?small`)
  expect(copy).toMatchObject(facts)
  expect(copy.bytes.byteLength).toBeLessThanOrEqual(40_000)
  expect(await read(`${name}?small`), 'from the cache').toEqual(copy)
  const other = await storePoolPicture(service, drawn)
  expect((await read(`${other}?small`)).bytes, 'small enough').toEqual(drawn)
  expect((await service.storage.from('pools').remove([name, other])).data).toHaveLength(2)
})

test('the scheduled sweep removes pictures that no profile uses, and keeps the other pictures', async () => {
  const operated = await startSite(site.backend, { SUPABASE_SECRET_KEY: site.backend.secretKey })
  try {
    await send({ picture: file(await bytesOf(noise(33, 33).png())) })
    const left = await signUp('leaves@example.org')
    await send({ picture: file(await bytesOf(noise(34, 34).png())), member: left.member }, left.visitor)
    const kept = (await shownPicture())?.replace('/pictures/avatars/', '')
    expect(await storedNames()).toHaveLength(2)
    await site.backend.sql('delete from auth.users where id = $1', [left.member])
    await operated.runSchedule()
    expect(await storedNames(), 'a picture younger than an hour').toHaveLength(2)
    await site.backend.sql(`update storage.objects set created_at = now() - interval '2 hours'`)
    await operated.runSchedule()
    expect(await storedNames()).toEqual([kept])
  } finally {
    await operated.close()
  }
})
