import * as build from 'virtual:remix/server-build'
import { loadDocument } from '../entry.server'
import { readAddress } from '../platform/edge/language.server'
import { secure } from '../platform/edge/security-headers.server'
import { createLanguage, loadLanguage } from '../platform/locales/language'
import { english, type Locale } from '../platform/locales/locales'
import { createHandler } from '../platform/rendering/handler.server'
import { createRouter } from '../platform/rendering/router.server'
import { createLog } from '../platform/server/log.server'
import { createRuntime, type Runtime } from '../platform/server/runtime.server'
import { createPublicContext } from './context.server'
import { type PublicRender, renderPage } from './edge/rendered-page.server'

// What renders pages, loaded for the first that is not stored, and every other request (pipeline.ts).

export const router = createRouter(build.routes)
export const handle = createHandler(build, router, import.meta.env.MODE, loadDocument)

/** Renders a page in the context of a cached page. */
const renderPublic: PublicRender = async (request, runtime) => {
  const address = await readAddress(request, runtime.config, router)
  // The render may outlast the request that began it, so it has a log and timeouts of its own.
  const own = createRuntime({ ...runtime, log: createLog(runtime.log.requestId) }, null)
  const context = createPublicContext(request, address, own)
  return { response: await handle(request, context, null), degraded: context.log.failed }
}

/** What the entry knows of a request. */
export type RequestBase = Pick<Runtime, 'config' | 'env' | 'execution' | 'log'>

export function runtimeOf(request: Request, base: RequestBase): Runtime {
  return createRuntime(base, request.headers.get('CF-Connecting-IP'))
}

/** `rendering` for a request of which no stage knows yet. */
export function renderingFor(request: Request, base: RequestBase) {
  return rendering(runtimeOf(request, base))
}

/** What `answerPublicPage` needs to render a page, and to refuse one. */
export function rendering(runtime: Runtime) {
  return {
    render: (address: string, locale: Locale) => renderPage(address, renderPublic, runtime, locale),
    refuse: async (locale: Locale) => {
      const [{ refusalPage }] = await Promise.all([
        import('../platform/edge/refusal-page.server'),
        loadLanguage(locale),
      ])
      const language = createLanguage(locale.code, locale !== english)
      return secure(refusalPage(429, { language, log: runtime.log }), runtime.config)
    },
  }
}
