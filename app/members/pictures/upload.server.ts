import type { AppLoadContext } from '@remix-run/cloudflare'
import { type PictureFault, reduce } from './reduce.server'
import { sniff } from './sniff'
import { type Bucket, storePicture } from './storage.server'

/** A stored picture: its name in the bucket, and its size in pixels. */
export interface StoredPicture {
  name: string
  width: number
  height: number
}

/**
 * Reduces an uploaded file, keeps its proportions, and stores it with the member's token. Returns the
 * picture, or the key of the reason why it is not stored (members/profile/profile-notices.server.ts).
 */
export async function uploadPicture(
  context: AppLoadContext,
  { id, accessToken }: { id: string; accessToken: string },
  file: File,
  { bucket, folder }: { bucket: Bucket; folder: string },
): Promise<StoredPicture | PictureFault | 'picture-limit' | 'picture-not-saved'> {
  const { env, log } = context
  if (await context.limit('picture', id)) return 'picture-limit'
  const picture = await reduce(new Uint8Array(await file.arrayBuffer()), 'whole', env.IMAGES, (error) =>
    log.warn('picture.binding-failed', { message: error.message }),
  )
  if (typeof picture === 'string') return picture
  const name = await storePicture(context, { bucket, folder, accessToken }, picture)
  const size = sniff(picture.bytes)
  return name && size ? { name, width: size.width, height: size.height } : 'picture-not-saved'
}
