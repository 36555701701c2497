import type { ImagesBinding, ImageTransform } from '@cloudflare/workers-types'
import { sniff } from './sniff'
import { strip } from './strip'

export interface Picture {
  bytes: Uint8Array<ArrayBuffer>
  type: 'image/webp' | 'image/jpeg' | 'image/png'
  extension: 'webp' | 'jpg' | 'png'
}

/** Why a file is not accepted. The profile's notices have a sentence for each reason. */
export type PictureFault = 'picture-type' | 'picture-pixels' | 'picture-damaged' | 'picture-not-reduced'

/**
 * The shapes of stored pictures, with sides in pixels for high-density screens. `square`: a member's picture,
 * cropped to a square. `whole`: the picture of a pool or a goal, which keeps its proportions and is never enlarged.
 */
const shapes = {
  square: { width: 512, height: 512, fit: 'cover' },
  whole: { width: 1280, height: 1280, fit: 'scale-down' },
} as const
type Shape = keyof typeof shapes
/**
 * The maximum size of a small copy in bytes, so that a slow phone loads it while it loads the page's style; and the sides
 * in pixels that are tried in this order. The last is taken, whatever its size.
 */
const maxSmallBytes = 40_000
const smallSides = [640, 480, 320]

/**
 * The maximum number of pixels, and of pixels per side, in the header of a picture. A larger picture is
 * refused before it is decoded.
 */
const maxPixels = 50_000_000
const maxSide = 12_000
/**
 * The limits of a file that is stored without reduction because the binding is missing or fails: bytes,
 * pixels, pixels per side.
 */
const unreduced = { bytes: 2 * 1024 * 1024, pixels: 4_000_000, side: 4_096 }

/**
 * Converts an uploaded file to a WebP of this shape without metadata. If the binding is missing or fails
 * (`onFault`), the result is the file as `strip` copies it; an AVIF, an animated WebP, a damaged file and a
 * file larger than `unreduced` are then refused. A file of another type, or with too many pixels, is always
 * refused.
 */
export async function reduce(
  file: Uint8Array<ArrayBuffer>,
  shape: Shape,
  images: ImagesBinding | undefined,
  onFault: (error: Error) => void,
): Promise<Picture | PictureFault> {
  const found = sniff(file)
  if (!found) return 'picture-type'
  const pixels = found.width * found.height
  if (pixels > maxPixels || Math.max(found.width, found.height) > maxSide) return 'picture-pixels'
  if (images) {
    try {
      return await toWebp(file, shapes[shape], images)
    } catch (error) {
      onFault(error as Error)
    }
  }
  if (found.type === 'avif' || (found.type === 'webp' && found.animated)) return 'picture-not-reduced'
  if (file.byteLength > unreduced.bytes || !fits(found)) return 'picture-not-reduced'
  const bytes = strip(file)
  if (!bytes) return 'picture-damaged'
  if (found.type === 'webp') return { bytes, type: 'image/webp', extension: 'webp' }
  if (found.type === 'png') return { bytes, type: 'image/png', extension: 'png' }
  return { bytes, type: 'image/jpeg', extension: 'jpg' }
}

/** The small copy of a stored picture, of the largest size that fits; null if the picture itself is small enough. */
export async function shrink(
  picture: Uint8Array<ArrayBuffer>,
  images: ImagesBinding,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (picture.byteLength <= maxSmallBytes) return null
  let copy = picture
  for (const side of smallSides)
    if (copy.byteLength > maxSmallBytes)
      copy = (await toWebp(picture, { width: side, height: side, fit: 'scale-down' }, images, 60)).bytes
  return copy
}

const fits = ({ width, height }: { width: number; height: number }) =>
  width * height <= unreduced.pixels && Math.max(width, height) <= unreduced.side

const types = { webp: 'webp', jpg: 'jpeg', png: 'png' }

/**
 * True if this site can have stored these bytes under this name: of the type that the name has, within the
 * limits for a decoder, not animated, without metadata and without bytes after the end.
 */
export function isReduced(bytes: Uint8Array, name: string): boolean {
  const found = sniff(bytes)
  const extension = name.slice(name.lastIndexOf('.') + 1) as keyof typeof types
  return (
    found !== null &&
    found.type === types[extension] &&
    fits(found) &&
    strip(bytes)?.byteLength === bytes.byteLength
  )
}

async function toWebp(
  file: Uint8Array<ArrayBuffer>,
  shape: ImageTransform,
  images: ImagesBinding,
  quality = 80,
): Promise<Picture> {
  const output = await images
    // The types of the platform and of the DOM describe the same stream differently.
    .input(new Blob([file]).stream() as never)
    .transform(shape)
    .output({ format: 'image/webp', quality, anim: false })
  const reduced = new Uint8Array(await output.response().arrayBuffer())
  // The binding removes metadata. Remove it here too, so that the result does not depend on the binding, and
  // check the type.
  const bytes = strip(reduced)
  if (!bytes || sniff(bytes)?.type !== 'webp') throw new Error('the Images binding returned no WebP')
  return { bytes, type: 'image/webp', extension: 'webp' }
}
