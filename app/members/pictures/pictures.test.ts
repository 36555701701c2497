import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { isReduced, reduce } from './reduce.server.ts'
import { sniff } from './sniff.ts'
import { strip } from './strip.ts'

// miniflare's own image library, which makes the inputs and reads the outputs.
const fromMiniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'))
const sharp = fromMiniflare('sharp') as typeof import('sharp').default

const gradient = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 40, b: 90 } } })
const gps = {
  IFD0: { Copyright: 'a secret place' },
  IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' },
}
const bytesOf = async (image: { toBuffer(): Promise<Buffer> }) => new Uint8Array(await image.toBuffer())
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

const jpeg = await bytesOf(gradient(40, 30).withExif(gps).withMetadata({ orientation: 6 }).jpeg())
const png = await bytesOf(gradient(40, 30).withExif(gps).png())
const webp = await bytesOf(gradient(40, 30).withExif(gps).webp())
const avif = await bytesOf(gradient(40, 30).avif())

test.each([
  ['jpeg', jpeg],
  ['png', png],
  ['webp', webp],
  ['webp', await bytesOf(gradient(40, 30).webp({ lossless: true }))],
  ['avif', avif],
] as const)('%s and its size are recognised from the bytes', (type, bytes) => {
  expect(sniff(bytes)).toEqual({ type, width: 40, height: 30, animated: false })
})

test('a file of any other type is not recognised', () => {
  const others = [
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<html>',
    'GIF89a\x01\0\x01\0',
    '%PDF-1.7',
    'BM',
    'II*\0',
    '',
  ]
  for (const other of others) expect(sniff(new Uint8Array(Buffer.from(other, 'latin1'))), other).toBeNull()
  // A truncated file never makes `sniff` throw.
  for (const whole of [jpeg, png, webp, avif])
    for (let length = 0; length < Math.min(whole.length, 400); length++)
      expect(() => sniff(whole.subarray(0, length))).not.toThrow()
})

test.each([
  ['jpeg', jpeg],
  ['png', png],
  ['webp', webp],
])('a stripped %s keeps only its pixels and orientation', async (_, bytes) => {
  const polyglot = new Uint8Array([...bytes, ...Buffer.from('<script>alert(1)</script>')])
  const stripped = strip(polyglot)
  if (!stripped) throw new Error('not stripped')
  expect(text(stripped)).not.toMatch(/script|secret|GPS/)
  const { exif, xmp, icc, orientation } = await sharp(stripped).metadata()
  expect({ xmp, icc }).toEqual({ xmp: undefined, icc: undefined })
  expect(exif ? text(exif) : '').not.toContain('secret')
  expect(orientation ?? 1).toBe((await sharp(bytes).metadata()).orientation ?? 1)
  expect((await sharp(stripped).raw().toBuffer()).equals(await sharp(bytes).raw().toBuffer())).toBe(true)
})

test('JPEG segments that no decoder needs are removed, whatever their marker', async () => {
  const hidden = Buffer.from('a secret')
  const segments = [0xee, 0xf0, 0xf7, 0xfd, 0xfe, 0xdc, 0xc8].flatMap((marker) => [
    ...[0xff, marker, 0, 2 + hidden.length],
    ...hidden,
  ])
  const stripped = strip(new Uint8Array([...jpeg.subarray(0, 2), ...segments, ...jpeg.subarray(2)]))
  expect(stripped).toEqual(strip(jpeg))
  const cmyk = await bytesOf(gradient(40, 30).toColourspace('cmyk').jpeg())
  expect(text(cmyk)).toContain('Adobe')
  expect(text(strip(cmyk) ?? new Uint8Array())).toContain('Adobe')
})

test.each([
  ['jpeg', jpeg],
  ['png', png],
  ['webp', webp],
])('a truncated %s is refused', (_, bytes) => {
  for (const share of [0.3, 0.6, 0.9])
    expect(strip(bytes.subarray(0, Math.floor(bytes.length * share)))).toBeNull()
})

test('without the Images binding, a small file without metadata is stored and any other file is refused', async () => {
  const without = (bytes: Uint8Array) => reduce(new Uint8Array(bytes), 'square', undefined, () => {})
  expect(await without(jpeg)).toMatchObject({ type: 'image/jpeg', extension: 'jpg' })
  expect(await without(png)).toMatchObject({ type: 'image/png', extension: 'png' })
  expect(await without(webp)).toMatchObject({ type: 'image/webp', extension: 'webp' })
  expect(await without(avif)).toBe('picture-not-reduced')
  expect(await without(new Uint8Array(Buffer.from('<svg/>')))).toBe('picture-type')
  expect(await without(await bytesOf(gradient(2400, 2000).png()))).toBe('picture-not-reduced')
  expect(await without(jpeg.subarray(0, jpeg.length - 40))).toBe('picture-damaged')
  const claim = new Uint8Array(png)
  new DataView(claim.buffer).setUint32(16, 60_000)
  new DataView(claim.buffer).setUint32(20, 60_000)
  expect(await without(claim)).toBe('picture-pixels')
})

test('only a picture that this site can have stored is served', async () => {
  const clean = (bytes: Uint8Array) => strip(bytes) ?? new Uint8Array()
  for (const [type, bytes] of [
    ['jpg', jpeg],
    ['png', png],
    ['webp', webp],
  ] as const) {
    expect([type, isReduced(clean(bytes), `a/b.${type}`)]).toEqual([type, true])
    expect([type, isReduced(bytes, `a/b.${type}`)]).toEqual([type, false])
  }
  const stripped = clean(png)
  expect(isReduced(stripped, 'a/b.webp')).toBe(false)
  expect(isReduced(new Uint8Array([...stripped, 0]), 'a/b.png')).toBe(false)
  expect(isReduced(new Uint8Array(Buffer.from('<html>')), 'a/b.png')).toBe(false)
  const sized = async (width: number, height: number) =>
    isReduced(clean(await bytesOf(gradient(width, height).png())), 'a/b.png')
  expect([await sized(4096, 900), await sized(4097, 10), await sized(2100, 2000)]).toEqual([
    true,
    false,
    false,
  ])
})
