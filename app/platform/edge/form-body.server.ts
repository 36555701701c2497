import pages from 'virtual:pages'
import type { AppLoadContext } from '@remix-run/cloudflare'
import type { Handler } from '../rendering/handler.server'
import { mediaType, readRequestBody } from '../server/body.server'
import { toRegExp } from './cache-address'
import { refusalPage } from './refusal-page.server'

/** Maximum size of a form without a file, in bytes. */
const maxFormLength = 256 * 1024

/** The forms that take a picture, and the maximum size of their other fields, in bytes. */
const pictureForms = pages.flatMap(({ pattern, picture }) => {
  if (!picture) return []
  const { otherFields, segments = {} } = picture
  return [{ path: toRegExp(pattern.replace(/:(\w+)/g, (own, name) => segments[name] ?? own)), otherFields }]
})
/** Maximum size of the file in a form with a picture, in bytes: the rest of the body is `otherFields`. */
const maxFileLength = 10 * 1024 * 1024
/**
 * The approximate number of bytes that are read and discarded: a browser shows a refusal only after it has
 * sent its file.
 */
const maxDiscarded = 32 * 1024 * 1024

const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data']

/** The last stage: reads the body of a POST, then calls `handle`. Refuses a body that is not a form or is too long. */
export function withFormBody(
  handle: Handler,
): (request: Request, context: AppLoadContext) => Promise<Response> {
  return async (request, context) => {
    if (request.method !== 'POST') return handle(request, context, null)
    const type = mediaType(request)
    const encoding = request.headers.get('Content-Encoding') ?? 'identity'
    if ((type && !formTypes.includes(type)) || encoding.toLowerCase() !== 'identity')
      return refuseType(context)
    const length = Number(request.headers.get('Content-Length') ?? Number.POSITIVE_INFINITY)
    // The worker keeps a form without a picture for everyone, so that a page can offer to send it again.
    const form = pictureForms.find(({ path }) => path.test(context.url.pathname))
    const limit = form && length > maxFormLength ? maxFileLength + form.otherFields : maxFormLength
    // A small picture is read as any other form.
    const isLarge = limit > maxFormLength
    const isTooLong = isLarge && Number.isFinite(length) && length > limit
    // The worker keeps a body with a picture only for a member: a few of them fill an isolate's memory.
    if (isTooLong || (isLarge && (await context.viewer()).kind !== 'member')) {
      await discard(request.body, maxDiscarded)
      return isTooLong ? refusalPage(413, context) : handle(request, context, new Uint8Array())
    }
    const body = await readRequestBody(request, limit)
    if (typeof body === 'number') return refusalPage(body, context)
    // An empty body needs no content type, because the route rejects the empty form.
    if (body.byteLength && !type) return refuseType(context)
    return handle(request, context, body)
  }
}

function refuseType(context: AppLoadContext): Response {
  return refusalPage(415, context, { 'Accept-Post': formTypes.join(', '), 'Accept-Encoding': 'identity' })
}

/** Reads and discards up to about `limit` bytes. */
async function discard(body: ReadableStream<Uint8Array> | null, limit: number): Promise<void> {
  const reader = body?.getReader()
  let length = 0
  try {
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      length += part.value.byteLength
      if (length > limit) break
    }
    await reader?.cancel()
  } catch {
    // The visitor has disconnected.
  }
}
