import type { Handler } from './http.ts'

/**
 * Works around two faults in the way lite handles uploads to storage. lite does not find the file in the form
 * that supabase-js sends, because the form part that contains the file has no name. lite checks the size
 * limit only against a declared length. This function passes on the bytes of the file, with their type,
 * length and cache control.
 */
export function withUploads(fetch: Handler): Handler {
  return async (request) => {
    const { pathname } = new URL(request.url)
    const isUpload =
      ['POST', 'PUT'].includes(request.method) && /^\/storage\/v1\/object\/[^/]+\/./.test(pathname)
    if (!isUpload || /^\/storage\/v1\/object\/(list|sign|move|copy|upload|info|public)\b/.test(pathname))
      return fetch(request)
    const form = request.headers.get('content-type')?.startsWith('multipart/form-data')
      ? await request.formData().catch(() => null)
      : null
    const file = form && [...form.values()].find((value) => value instanceof Blob)
    const bytes = await (file || request).arrayBuffer()
    const headers = new Headers(request.headers)
    headers.set('content-length', `${bytes.byteLength}`)
    if (file) headers.set('content-type', file.type || 'application/octet-stream')
    const maxAge = form?.get('cacheControl')
    if (maxAge) headers.set('cache-control', `max-age=${maxAge}`)
    return fetch(new Request(request.url, { method: request.method, headers, body: bytes }))
  }
}
