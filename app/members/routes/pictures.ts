import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { shrink } from '~/members/pictures/reduce.server'
import { findName, loadPicture } from '~/members/pictures/storage.server'

const types: Record<string, string> = { webp: 'image/webp', jpg: 'image/jpeg', png: 'image/png' }
/**
 * How many seconds a data centre's cache keeps a picture, or the 404 for an object that does not match its
 * name. After this time, a removed picture is no longer served. A browser then keeps a goal's picture for up
 * to the same time again, so a hidden or deleted picture is gone within a minute.
 */
const edgeSeconds = { avatars: 60, pools: 60, goals: 30 }
/** The same for a small copy, which is served only while its picture is. */
const smallSeconds = 30 * 86_400

/**
 * Serves a picture of a member, of a goal or of an update from this site's own URL. The name contains the
 * hash of the bytes, so the bytes at a URL never change. The extension of the name determines the type.
 * `sandbox` and `nosniff` prevent a browser from executing any bytes.
 *
 * With `?small`, serves a small copy, made from the bytes that have this hash, so that it shows the same. Without the
 * Images binding, or if it fails, this is the picture itself.
 *
 * A picture of a goal that is not public is served only to the goal's member and to operators, with their
 * session, and whole.
 */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const found = findName(params.bucket, `${params.folder}/${params.file}`)
  const isOfGoal = found?.bucket === 'goals'
  if (!found || (isOfGoal && !context.config.FUNDME_OPEN)) throw new Response(null, { status: 404 })
  const { bucket, name } = found
  const seconds = edgeSeconds[bucket]
  const cache = globalThis.caches?.default
  const key = `${context.config.SITE_URL}/pictures/${bucket}/${name}`
  const kept = await cache?.match(key)
  if (kept?.status === 404) throw new Response(null, { status: 404 })
  const bytes = kept ? await kept.arrayBuffer() : await loadPicture(context, found)
  if (bytes && typeof bytes !== 'string' && !kept) keep(key, new Response(bytes), seconds)
  // The cache keeps a 404 too, so that an object that does not match its name is not read each time.
  if (bytes === 'false') keep(key, new Response(null, { status: 404 }), seconds)
  const own = isOfGoal && !bytes ? await loadOwn(context, found) : null
  const shown = bytes ?? own
  if (shown === 'unreachable') throw new Response(null, { status: 503, headers: { 'Retry-After': '5' } })
  if (!shown || shown === 'false') throw new Response(null, { status: 404 })
  const small = !own && new URL(request.url).searchParams.has('small') ? await smallCopy(shown) : null
  return new Response(small ?? shown, {
    headers: {
      'Content-Type': small
        ? 'image/webp'
        : (types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'),
      'Cache-Control': own
        ? 'private, no-store'
        : isOfGoal
          ? `public, max-age=${seconds}`
          : 'public, max-age=31536000, immutable',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
    },
  })

  function keep(url: string, copy: Response, age: number) {
    copy.headers.set('Cache-Control', `max-age=${age}`)
    if (cache) context.execution.waitUntil(cache.put(url, copy))
  }

  async function smallCopy(picture: ArrayBuffer | Uint8Array<ArrayBuffer>) {
    const { IMAGES } = context.env
    const url = `${key}?small`
    const stored = await cache?.match(url)
    if (stored || !IMAGES) return stored?.arrayBuffer() ?? null
    const copy = await shrink(new Uint8Array(picture), IMAGES).catch((error: Error) => {
      context.log.warn('picture.binding-failed', { message: error.message })
      return null
    })
    if (copy) keep(url, new Response(copy), smallSeconds)
    return copy
  }
}

/** A goal's picture, read with the visitor's session; null if the visitor may not see it. */
async function loadOwn(context: AppLoadContext, found: NonNullable<ReturnType<typeof findName>>) {
  const { stored } = await context.session()
  return stored ? loadPicture(context, found, stored.access_token) : null
}
