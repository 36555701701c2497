import * as build from 'virtual:remix/server-build'
import type { AppLoadContext } from '@remix-run/cloudflare'
import { createContext, createPublicContext } from './context.server'
import { takeCallback } from './edge/auth-callback.server'
import { withFormBody } from './edge/form-body.server'
import { readAddress, takeLanguage } from './edge/language.server'
import { answerLive, learnVersion } from './edge/live.server'
import { takeMailEvent } from './edge/mail-event.server'
import { refuseForgery, toSiteOrigin } from './edge/origin.server'
import { answerPublicPage } from './edge/public-page.server'
import { refusalPage } from './edge/refusal-page.server'
import { type PublicRender, renderPage } from './edge/rendered-page.server'
import { takeReport } from './edge/report.server'
import { createRequestLimits } from './edge/request-limits.server'
import { secure } from './edge/security-headers.server'
import type { Stage } from './edge/stage'
import { createUncachedPages } from './edge/uncached-page.server'
import { createLanguage, loadLanguage } from './locales/language'
import { english, type Locale } from './locales/locales'
import { createHandler } from './rendering/handler.server'
import { rehearse, withoutRows } from './rendering/rehearsal.server'
import { createRouter } from './rendering/router.server'
import { createRuntime, type Runtime } from './server/runtime.server'

// Everything that is not in the worker's entry (worker.ts). An isolate loads this module for the first request
// that no stored page answers.

const router = createRouter(build.routes)
const handle = createHandler(build, router, import.meta.env.MODE)

/** Renders a page in the context of a cached page. */
const renderPublic: PublicRender = async (request, runtime) => {
  const address = await readAddress(request, runtime.config, router)
  const context = createPublicContext(request, address, runtime)
  const rendering = handle(request, context, null)
  rehearse(router.match(address.url.pathname), rendering, () =>
    handle(request, createPublicContext(request, address, runtime, withoutRows), null),
  )
  return { response: await rendering, degraded: context.log.failed }
}

/**
 * The stages of a request, in order. The site sends the first response that a stage returns; the last stage
 * always returns one.
 */
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

/** What the entry knows of a request. */
export type RequestBase = Pick<Runtime, 'config' | 'env' | 'execution' | 'log'>

function runtimeOf(request: Request, base: RequestBase): Runtime {
  return createRuntime(base, request.headers.get('CF-Connecting-IP'))
}

/** `rendering` for a request of which no stage knows yet. */
export function renderingFor(request: Request, base: RequestBase) {
  return rendering(runtimeOf(request, base))
}

/** What `answerPublicPage` needs to render a page, and to refuse one. */
function rendering(runtime: Runtime) {
  return {
    render: (address: string, locale: Locale) => renderPage(address, renderPublic, runtime, locale),
    refuse: async (locale: Locale) => {
      await loadLanguage(locale)
      const language = createLanguage(locale.code, locale !== english)
      return secure(refusalPage(429, { language, log: runtime.log }), runtime.config)
    },
  }
}

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
