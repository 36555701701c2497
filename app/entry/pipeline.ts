import type { AppLoadContext } from '@remix-run/cloudflare'
import { withFormBody } from '../platform/edge/form-body.server'
import { readAddress, takeLanguage } from '../platform/edge/language.server'
import { refuseForgery, toSiteOrigin } from '../platform/edge/origin.server'
import { takeReport } from '../platform/edge/report.server'
import { createRequestLimits } from '../platform/edge/request-limits.server'
import { secure } from '../platform/edge/security-headers.server'
import type { Stage } from '../platform/edge/stage'
import { english } from '../platform/locales/locales'
import { createContext } from './context.server'
import { takeCallback } from './edge/auth-callback.server'
import { answerLive, learnVersion } from './edge/live.server'
import { takeMailEvent } from './edge/mail-event.server'
import { answerPublicPage } from './edge/public-page.server'
import { createUncachedPages } from './edge/uncached-page.server'
import { handle, type RequestBase, rendering, router, runtimeOf } from './renderer'

// An isolate loads this module for the first request that is not for a public page.

/** The stages of a request, in order. The first response that a stage returns is sent; the last has one. */
const stages: Stage[] = [
  takeReport,
  toSiteOrigin,
  refuseForgery,
  answerLive,
  takeMailEvent,
  createRequestLimits(router),
  takeLanguage,
  takeCallback,
  learnVersion,
  // The dev server does not cache pages.
  ...(import.meta.env.DEV ? [] : [takePublicPage, createUncachedPages(router)]),
  withFormBody(handle),
]

function takePublicPage(request: Request, context: AppLoadContext): Promise<Response | null> {
  return answerPublicPage(request, { ...context, ...rendering(context) })
}

/** Responds to any request. Throws only for a fault of the site. */
export async function respond(request: Request, base: RequestBase): Promise<Response> {
  const runtime = runtimeOf(request, base)
  const { config } = runtime
  const context = createContext(request, await readAddress(request, config, router), runtime)
  const response = await runStages(request, context)
  if (response.status === 101) return response
  translateLocation(response, context)
  // Cookies are committed here, once: Remix does not call entry.server for redirects and data requests.
  for (const line of context.cookies.commit()) response.headers.append('Set-Cookie', line)
  // A compressor would delay the first part of a streamed data response until the last part arrives.
  if (!context.isDocument) response.headers.set('Content-Encoding', 'identity')
  return secure(response, config)
}

async function runStages(request: Request, context: AppLoadContext): Promise<Response> {
  for (const stage of stages) {
    const response = await stage(request, context)
    if (response) return response
  }
  throw new Error('no stage answered')
}

/** A redirect leads to the page in the language of the request. */
function translateLocation({ headers }: Response, { config, language }: AppLoadContext): void {
  const location = headers.get('Location')
  if (language.locale.code === english.code || !location) return
  const origin = location.startsWith(`${config.SITE_URL}/`) ? config.SITE_URL : ''
  const path = location.slice(origin.length)
  if (path.startsWith('/')) headers.set('Location', origin + language.href(path))
}
