import type { AppLoadContext } from '@remix-run/cloudflare'
import type { Handler } from '../rendering/handler.server'
import { mediaType, readRequestBody } from '../server/body.server'
import type { Log } from '../server/log.server'
import { refuse } from './refusal.server'

/** The largest form in octets: the form of the second factor carries the drawing of its key. */
const maxFormLength = 256 * 1024

const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data']

/** The last stage: reads the body of a form within its bound, then lets `handle` answer. */
export function withFormBody(
  handle: Handler,
): (request: Request, context: AppLoadContext) => Promise<Response> {
  return async (request, context) => {
    if (request.method !== 'POST') return handle(request, context, null)
    const type = mediaType(request)
    const encoding = request.headers.get('Content-Encoding') ?? 'identity'
    if ((type && !formTypes.includes(type)) || encoding.toLowerCase() !== 'identity')
      return refuseType(context.log)
    const body = await readRequestBody(request, maxFormLength)
    if (typeof body === 'number') return refuse(body, context.log)
    // An empty body needs no type: the route answers that the form is empty.
    if (body.byteLength && !type) return refuseType(context.log)
    return handle(request, context, body)
  }
}

function refuseType(log: Log): Response {
  return refuse(415, log, { 'Accept-Post': formTypes.join(', '), 'Accept-Encoding': 'identity' })
}
