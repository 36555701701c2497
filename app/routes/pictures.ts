import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { findName, loadPicture } from '~/pictures/storage.server'

const types: Record<string, string> = { webp: 'image/webp', jpg: 'image/jpeg', png: 'image/png' }
/**
 * How long the cache of a data centre keeps a picture, or the 404 for an object that does not match its name, in
 * seconds. After that, a removed picture is not served.
 */
const edgeSeconds = 60

/**
 * Serves a picture of a member or of a pool's update from this site's own URL. The name contains the hash of the bytes,
 * so the bytes of a URL never change. The type comes from the name's extension. `sandbox` and `nosniff` prevent a
 * browser from executing any bytes.
 */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const found = findName(params.bucket, `${params.folder}/${params.file}`)
  if (!found) throw new Response(null, { status: 404 })
  const { bucket, name } = found
  const cache = globalThis.caches?.default
  const key = `${context.config.SITE_URL}/pictures/${bucket}/${name}`
  const kept = await cache?.match(key)
  if (kept?.status === 404) throw new Response(null, { status: 404 })
  const bytes = kept ? await kept.arrayBuffer() : await loadPicture(context, found)
  if (bytes === 'unreachable') throw new Response(null, { status: 503, headers: { 'Retry-After': '5' } })
  if (bytes && !kept && cache) {
    // A 404 is kept too, so that the bytes of a false object are not read at each request.
    const [body, status] = bytes === 'false' ? [null, 404] : [bytes, 200]
    const copy = new Response(body, { status, headers: { 'Cache-Control': `max-age=${edgeSeconds}` } })
    context.execution.waitUntil(cache.put(key, copy))
  }
  if (!bytes || bytes === 'false') throw new Response(null, { status: 404 })
  return new Response(bytes, {
    headers: {
      'Content-Type': types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
    },
  })
}
