import { sniff } from './sniff'
import { strip } from './strip'

/** The part of the platform's Images binding that is used here. */
export interface Images {
  input(stream: ReadableStream<Uint8Array>): {
    transform(options: { width: number; height: number; fit: 'cover' | 'scale-down' }): {
      output(options: {
        format: 'image/webp'
        quality: number
        anim: false
      }): Promise<{ response(): Response }>
    }
  }
}

export interface Picture {
  bytes: Uint8Array<ArrayBuffer>
  type: 'image/webp' | 'image/jpeg' | 'image/png'
  extension: 'webp' | 'jpg' | 'png'
}

/** Why a file is not accepted; each has its sentence in the profile's notices. */
export type PictureFault = 'picture-type' | 'picture-pixels' | 'picture-damaged' | 'picture-not-reduced'

/**
 * What becomes of a picture. A member's is cropped to a square; a pool's keeps its shape and is never enlarged. Sides
 * in pixels: at least twice the size at which they are shown, for screens of double density.
 */
const shapes = {
  square: { width: 512, height: 512, fit: 'cover' },
  whole: { width: 1280, height: 1280, fit: 'scale-down' },
} as const
type Shape = keyof typeof shapes

/** More pixels than any camera has; larger claims are refused before anything is decoded. */
const maxPixels = 50_000_000
const maxSide = 12_000
/** The largest file that is stored as it is if the binding is absent or fails: octets and pixels. */
const unreduced = { octets: 2 * 1024 * 1024, pixels: 4_000_000 }

/**
 * Makes a picture from an uploaded file: a WebP of this shape without metadata. Without the binding it is the
 * file without its metadata, if that is small enough.
 */
export async function reduce(
  file: Uint8Array<ArrayBuffer>,
  shape: Shape,
  images: Images | undefined,
  onFault: (error: Error) => void,
): Promise<Picture | PictureFault> {
  const found = sniff(file)
  if (!found) return 'picture-type'
  const pixels = found.width * found.height
  if (pixels > maxPixels || Math.max(found.width, found.height) > maxSide) return 'picture-pixels'
  if (images) {
    try {
      return await toWebp(file, shape, images)
    } catch (error) {
      onFault(error as Error)
    }
  }
  if (found.type === 'avif' || (found.type === 'webp' && found.animated)) return 'picture-not-reduced'
  if (file.byteLength > unreduced.octets || pixels > unreduced.pixels) return 'picture-not-reduced'
  const bytes = strip(file)
  if (!bytes) return 'picture-damaged'
  if (found.type === 'webp') return { bytes, type: 'image/webp', extension: 'webp' }
  if (found.type === 'png') return { bytes, type: 'image/png', extension: 'png' }
  return { bytes, type: 'image/jpeg', extension: 'jpg' }
}

async function toWebp(file: Uint8Array<ArrayBuffer>, shape: Shape, images: Images): Promise<Picture> {
  const output = await images
    .input(new Blob([file]).stream())
    .transform(shapes[shape])
    .output({ format: 'image/webp', quality: 80, anim: false })
  const reduced = new Uint8Array(await output.response().arrayBuffer())
  // The binding leaves metadata out. This does not depend on it, and checks that the result is a WebP.
  const bytes = strip(reduced)
  if (!bytes || sniff(bytes)?.type !== 'webp') throw new Error('the Images binding returned no WebP')
  return { bytes, type: 'image/webp', extension: 'webp' }
}
