import type { ServerBuild } from '@remix-run/cloudflare'
import { matchRoutes } from '@remix-run/react'
import { isReadable } from '../rendering/handler.server'
import { mediaType, readBytes } from '../server/body.server'
import type { Log } from '../server/log.server'
import { staticPage } from './error-page.server'

/** The longest address: a link of the auth service with its tokens is an eighth of it. */
const longestAddress = 8 * 1024
/** The largest form: the second factor's carries the drawing of its key along. */
const largestForm = 256 * 1024

const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data']

type Routes = ServerBuild['routes']

/**
 * Refuses what no route of ours takes, before any code of a page sees it: by method, address, kind and declared
 * length. `Allow` is what the routes themselves export.
 */
export function createRequestLimits(
  routes: Routes,
): (request: Request, url: URL, log: Log) => Response | null {
  const tree = branches(routes)
  // Comparing an address with every route takes a quarter of a page's time: most are known by heart.
  const known = new Map(plainPaths(tree).map((path) => [path, methodsOf(routes, tree, path)]))
  return (request, url, log) => {
    if (request.url.length > longestAddress) return refuse(414, log)
    const allowed = known.get(url.pathname) ?? methodsOf(routes, tree, url.pathname)
    if (!allowed.includes(request.method)) return refuse(405, log, { Allow: allowed.join(', ') })
    if (request.method !== 'POST') return null
    const type = mediaType(request)
    const encoding = request.headers.get('Content-Encoding') ?? 'identity'
    if ((type && !formTypes.includes(type)) || encoding.toLowerCase() !== 'identity') return refuseKind(log)
    return Number(request.headers.get('Content-Length')) > largestForm ? refuse(413, log) : null
  }
}

/** Answers with `handle`, which gets the request with its body read to the end, unless that never comes. */
export async function answerBounded(
  request: Request,
  log: Log,
  handle: (request: Request) => Promise<Response>,
): Promise<Response> {
  if (!request.body) return handle(request)
  // The framework would hand it on, and fail: a GET that has one is no Request.
  if (request.method !== 'POST')
    return handle(new Request(request.url, { method: request.method, headers: request.headers }))
  const body = await readBytes(request.body, largestForm)
  if (body === 'long') return refuse(413, log)
  if (body === 'broken') return refuse(400, log)
  if (body.byteLength && !mediaType(request)) return refuseKind(log)
  return handle(new Request(request, { body }))
}

const words = {
  400: {
    title: 'This did not arrive whole',
    text: 'The connection ended before your form did, so nothing was changed. Please send it again.',
  },
  405: {
    title: 'This page does not take that',
    text: 'The address may be right, but not for a request of this kind. Nothing was changed.',
  },
  413: {
    title: 'That was too much at once',
    text: 'What was sent is larger than any form of this site. Nothing was changed. Please go back, shorten it, and send it again.',
  },
  414: {
    title: 'This address is too long',
    text: 'No page of this site has an address like that. Perhaps something was pasted twice.',
  },
  415: {
    title: 'This is not a form of this site',
    text: 'What was sent is of a kind that no page here takes. Nothing was changed.',
  },
} as const

function refuse(status: keyof typeof words, log: Log, headers: Record<string, string> = {}): Response {
  const response = staticPage(status, words[status].title, words[status].text, log.requestId)
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}

function refuseKind(log: Log): Response {
  return refuse(415, log, { 'Accept-Post': formTypes.join(', '), 'Accept-Encoding': 'identity' })
}

type Branch = Parameters<typeof matchRoutes>[0][number]

function branches(routes: Routes, parentId?: string): Branch[] {
  return Object.values(routes).flatMap((route) =>
    route?.parentId === parentId && route
      ? ({
          id: route.id,
          path: route.path,
          index: route.index,
          children: branches(routes, route.id),
        } as Branch)
      : [],
  )
}

/** The addresses of the routes that have no part left open. */
function plainPaths(tree: Branch[], above = ''): string[] {
  return tree.flatMap(({ path, children }) => {
    const whole = path ? `${above}/${path}` : above
    return /[:*]/.test(whole) ? [] : [whole || '/', ...plainPaths(children ?? [], whole)]
  })
}

/** A data request is asked of the page whose address it extends. */
function methodsOf(routes: Routes, tree: Branch[], pathname: string): string[] {
  if (!isReadable(pathname)) return ['GET', 'HEAD']
  const path = pathname === '/_root.data' ? '/' : pathname.replace(/\.data$/, '')
  const id = matchRoutes(tree, path)?.at(-1)?.route.id
  const module = id ? routes[id]?.module : undefined
  return [...(module?.default || module?.loader ? ['GET', 'HEAD'] : []), ...(module?.action ? ['POST'] : [])]
}
