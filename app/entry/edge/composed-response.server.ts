import type { CachedPage, StoredPage } from '../../platform/edge/page-cache.server'
import { compose, type Fragments } from '../../platform/edge/template'
import { toasts } from '../../platform/edge/toasts'
import { isDocumentRequest } from '../../platform/forms/notice.server'
import { matchesEtag } from '../../platform/server/etag'
import { createLog, requestIdOf } from '../../platform/server/log.server'
import type { PageVisitor } from './visitor.server'

/**
 * The response to one request with a cached page. `now` is in milliseconds. Null if the response has a toast
 * and this isolate has not loaded the code of toasts.
 */
export function respondWithPage(
  request: Request,
  { page, how }: CachedPage,
  visitor: PageVisitor | null,
  now: number,
): Response | null {
  const hasOwn = visitor && page.template
  const response = hasOwn ? respondTo(visitor, request, page) : respondToAll(request, page, now)
  if (!response) return null
  if (hasOwn && visitor.isAmbiguous) createLog(requestIdOf(request)).warn('session.two-cookies')
  if (how !== 'hit') response.headers.set('Server-Timing', `cache;desc=${how}`)
  return response
}

/** The response to each visitor without session and toast, and to all visitors of a page without slots. */
function respondToAll(request: Request, page: StoredPage, now: number): Response {
  const headers = page.storable ? sharedHeaders(page, now) : page.headers
  return page.storable && matchesEtag(request.headers.get('If-None-Match'), page.etag)
    ? new Response(null, { status: 304, headers })
    : new Response(page.body, { status: page.status, headers })
}

/** The response to one visitor: the page with the visitor's fragments. Never a 304, never stored. */
function respondTo(visitor: PageVisitor, request: Request, page: StoredPage): Response | null {
  const { session, notice, takeNotice, clearSession } = visitor
  const showsNotice = notice !== null && isDocumentRequest(request)
  if (showsNotice && !toasts.fragment) return null
  const toast = showsNotice ? (toasts.fragment?.(notice, page.locale) ?? null) : null
  const response = new Response(composedBody(page, { session, toast }), {
    status: page.status,
    headers: privateHeaders(page),
  })
  if (showsNotice && takeNotice) response.headers.append('Set-Cookie', takeNotice)
  for (const cookie of clearSession) response.headers.append('Set-Cookie', cookie)
  return response
}

/** The data that all responses with the same page share: their headers, and the last composed body. */
interface Prepared {
  /** The headers, including Age. Responses copy them, because changing each copy would take longer. */
  shared: Headers
  /** The value of Age in `shared`, in seconds. */
  age: number
  private: Headers
  /** The fragments and the composed body of the last visitor. */
  last: (Fragments & { body: Uint8Array<ArrayBuffer> }) | null
}

const preparedPages = new WeakMap<StoredPage, Prepared>()

function prepare(page: StoredPage): Prepared {
  let prepared = preparedPages.get(page)
  if (!prepared) {
    prepared = { shared: new Headers(page.headers), age: -1, private: new Headers(page.headers), last: null }
    prepared.private.set('Cache-Control', 'private, no-store')
    prepared.private.delete('ETag')
    preparedPages.set(page, prepared)
  }
  return prepared
}

/** `now` is in milliseconds. */
function sharedHeaders(page: StoredPage, now: number): Headers {
  const prepared = prepare(page)
  const age = Math.max(0, Math.floor((now - page.storedAt) / 1000))
  if (age !== prepared.age) {
    prepared.age = age
    prepared.shared.set('Age', `${age}`)
  }
  return prepared.shared
}

function privateHeaders(page: StoredPage): Headers {
  return prepare(page).private
}

/**
 * The page with a visitor's fragments. Stores the last composed page for further requests of the same
 * visitor: a new copy for each response would make the garbage collector run often, which would take up a
 * fifth of the total time.
 */
function composedBody(page: StoredPage, { session, toast }: Fragments): Uint8Array<ArrayBuffer> {
  if (!page.template) return page.body
  const prepared = prepare(page)
  if (prepared.last?.session !== session || prepared.last.toast !== toast)
    prepared.last = { session, toast, body: compose(page.template, { session, toast }) }
  return prepared.last.body
}
