import { findPool, slugPattern } from '../impact-pools'
import { readRequestBody } from '../server/body.server'
import { isSignedOrder } from '../server/operator-signature'
import type { Stage } from './stage'

const picturePath = new RegExp(`^/pictures/pools/(${slugPattern})/([0-9a-f]{64})$`)

/** Maximum size in bytes, the same as for a member's picture. */
const maxLength = 10 * 1024 * 1024

/**
 * Stores a picture of a pool's update for an operator's command (scripts/ledger-picture.ts): POST
 * /pictures/pools/<pool>/<SHA-256 of the file> with the file as its body. The signature covers the pool and the hash:
 * it is verified first, and the body of an unsigned request is not read. Responds with `{path, width, height}` of the
 * stored picture, with `{fault}`, or with a 400, 403 or 413 without a body.
 */
export const takeUpdatePicture: Stage = async (request, context) => {
  const { config, env, log } = context
  const [, slug = '', hash = ''] = picturePath.exec(context.url.pathname) ?? []
  if (!slug || request.method !== 'POST') return null
  const secretKey = config.SUPABASE_SECRET_KEY
  const authorization = request.headers.get('Authorization')
  const isSigned =
    secretKey && (await isSignedOrder(authorization, secretKey, `picture ${slug} ${hash}`, Date.now()))
  if (!isSigned || !findPool(slug)) return new Response(null, { status: 403 })
  const [{ reduce }, { sniff }, { hashOf, storePicture }] = await Promise.all([
    import('../pictures/reduce.server'),
    import('../pictures/sniff'),
    import('../pictures/storage.server'),
  ])
  const file = await readRequestBody(request, maxLength)
  if (typeof file === 'number') return new Response(null, { status: file })
  if ((await hashOf(file)) !== hash) return new Response(null, { status: 403 })
  const picture = await reduce(file, 'whole', env.IMAGES, (error) =>
    log.warn('picture.binding-failed', { message: error.message }),
  )
  if (typeof picture === 'string') return Response.json({ fault: picture }, { status: 422 })
  const name = await storePicture(context, { bucket: 'pools', folder: slug, accessToken: secretKey }, picture)
  const size = sniff(picture.bytes)
  if (!name || !size) return Response.json({ fault: 'picture-not-saved' }, { status: 503 })
  return Response.json({ path: `/pictures/pools/${name}`, width: size.width, height: size.height })
}
