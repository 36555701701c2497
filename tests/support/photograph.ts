import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import type { clientOf } from './temporary-backend.ts'

// The image library of miniflare makes the picture.
const fromMiniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'))
const sharp = fromMiniflare('sharp') as typeof import('sharp').default

/** A WebP with the grain of a film. */
export async function grainy(width: number, height: number, sigma: number): Promise<Uint8Array<ArrayBuffer>> {
  const noise = { type: 'gaussian', mean: 128, sigma } as const
  const image = sharp({ create: { width, height, channels: 3, background: '#000', noise } })
  return new Uint8Array(await image.webp({ quality: 80 }).toBuffer())
}

/** Stores a picture of a pool's update as the site does. Returns its name in the bucket. */
export async function storePoolPicture(
  service: ReturnType<typeof clientOf>,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const name = `education/${createHash('sha256').update(bytes).digest('hex')}.webp`
  const file = new Blob([bytes], { type: 'image/webp' })
  const { error } = await service.storage.from('pools').upload(name, file)
  if (error) throw error
  return name
}

/** Publishes an update of a pool with a stored picture of 1,280 by 960 pixels. */
export async function publishPicture(service: ReturnType<typeof clientOf>, name: string): Promise<void> {
  const links = `https://a.example/pictures/pools/${name}#width=1280&height=960&alt=Two+desks`
  const update = { pool_slug: 'education', published_at: '2025-04-01T00:00:00Z', text: 'Two desks', links }
  const { error } = await service.rpc('append_update', { entry: update as never })
  if (error) throw error
}

type Entry = [tag: number, type: number, count: number, value: number]

/** A TIFF directory: the number of entries, the entries, and the offset of the next directory. */
function directory(entries: Entry[], next = 0): Buffer {
  const bytes = Buffer.alloc(2 + entries.length * 12 + 4)
  bytes.writeUInt16BE(entries.length)
  for (const [at, [tag, type, count, value]] of entries.entries()) {
    const offset = 2 + at * 12
    bytes.writeUInt16BE(tag, offset)
    bytes.writeUInt16BE(type, offset + 2)
    bytes.writeUInt32BE(count, offset + 4)
    // A two-byte value is in the first half of its field.
    bytes.writeUInt32BE(type === 3 ? value * 65_536 : value, offset + 8)
  }
  bytes.writeUInt32BE(next, bytes.length - 4)
  return bytes
}

/**
 * Returns a JPEG in the format in which a phone stores it: its Exif data has a text, the orientation 6, the
 * GPS position and a thumbnail. Upright, the picture has the opposite proportions.
 */
export async function photograph(width: number, height: number): Promise<Uint8Array> {
  const create = (...[across, down]: [number, number]) =>
    sharp({ create: { width: across, height: down, channels: 3, background: '#0a0' } }).jpeg()
  const thumbnail = await create(16, 12).toBuffer()
  const text = Buffer.from('secret place\0')
  const latitude = Buffer.alloc(24)
  for (const [at, number] of [51, 1, 30, 1, 0, 1].entries()) latitude.writeUInt32BE(number, at * 4)
  const [main, place, small] = [8, 50, 80]
  const data = { text: 122, latitude: 136, thumbnail: 160 }
  const tiff = Buffer.alloc(data.thumbnail + thumbnail.length)
  tiff.set(Buffer.from('MM\0\x2a\0\0\0\x08', 'latin1'))
  tiff.set(
    directory(
      [
        [0x0112, 3, 1, 6],
        [0x8298, 2, text.length, data.text],
        [0x8825, 4, 1, place],
      ],
      small,
    ),
    main,
  )
  tiff.set(
    directory([
      [1, 2, 2, 0x4e_00_00_00],
      [2, 5, 3, data.latitude],
    ]),
    place,
  )
  tiff.set(
    directory([
      [0x0103, 3, 1, 6],
      [0x0201, 4, 1, data.thumbnail],
      [0x0202, 4, 1, thumbnail.length],
    ]),
    small,
  )
  tiff.set(text, data.text)
  tiff.set(latitude, data.latitude)
  tiff.set(thumbnail, data.thumbnail)
  const exif = Buffer.concat([Buffer.from('\xff\xe1\0\0Exif\0\0', 'latin1'), tiff])
  exif.writeUInt16BE(exif.length - 2, 2)
  const picture = await create(width, height).toBuffer()
  return Buffer.concat([picture.subarray(0, 2), exif, picture.subarray(2)])
}
