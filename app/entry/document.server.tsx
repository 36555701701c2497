import type { AppLoadContext, EntryContext } from '@remix-run/cloudflare'
import { RemixServer } from '@remix-run/react'
import { contentSecurityPolicy } from '../platform/edge/security-headers.server'
import { clearNotice } from '../platform/forms/notice.server'
import { LanguageContext } from '../platform/locales/react'
import { fontsOf } from '../platform/rendering/fonts'
import { readHandle } from '../platform/rendering/handle'
import { renderToReadableStream, renderToStaticMarkup } from '../platform/rendering/markup.server'
import { Nonce } from '../platform/rendering/nonce'
import { RequestId } from '../platform/rendering/request-id'
import { Slots } from '../platform/rendering/slot-context'
import stylesUrl from '../styles.css?url'

// The files that a page needs first. The platform may send the Link header before the page (103 Early Hints).
const stylePreload = `<${stylesUrl}>; rel=preload; as=style`
const fontPreload = (url: string) => `<${url}>; rel=preload; as=font; crossorigin`

/** Renders the whole document before it is sent: without JavaScript, later parts cannot be inserted. */
export async function renderDocument(
  request: Request,
  status: number,
  headers: Headers,
  remix: EntryContext,
  context: AppLoadContext,
): Promise<Response> {
  const { matches, errors } = remix.staticHandlerContext
  const handles = matches.map(({ route }) => readHandle(route.handle))
  // No script may run on an error page.
  const nonce = errors === null && handles.some(({ hydrated }) => hydrated) ? context.nonce : undefined
  const body = nonce
    ? await renderHydrated(request, remix, context, nonce)
    : renderPlain(request, remix, context)
  const { root } = remix.staticHandlerContext.loaderData as { root?: { notice: unknown } }
  if (root?.notice) clearNotice(context.cookies)
  headers.set('Content-Type', 'text/html; charset=utf-8')
  headers.set('Link', [stylePreload, ...fontsOf(context.language.locale).map(fontPreload)].join(', '))
  headers.set('Speculation-Rules', '"/speculation-rules.json"')
  const connect = handles.some(({ requestsChain }) => requestsChain)
    ? context.config.CHECK_RPC_URLS.map((url) => new URL(url).origin)
    : []
  headers.set('Content-Security-Policy', contentSecurityPolicy({ nonce, connect }))
  return new Response(body, { status, headers })
}

/** Renders a page without Remix's script. Omits the loaders' data, because no script reads it. */
function renderPlain(request: Request, remix: EntryContext, context: AppLoadContext): string {
  const page = (
    <RequestId.Provider value={context.log.requestId}>
      <Slots.Provider value={context.slots}>
        <LanguageContext.Provider value={context.language}>
          <RemixServer context={{ ...remix, serverHandoffStream: undefined }} url={request.url} />
        </LanguageContext.Provider>
      </Slots.Provider>
    </RequestId.Provider>
  )
  return `<!DOCTYPE html>${renderToStaticMarkup(page)}`
}

async function renderHydrated(request: Request, remix: EntryContext, context: AppLoadContext, nonce: string) {
  const page = (
    <Nonce.Provider value={nonce}>
      <LanguageContext.Provider value={context.language}>
        <RemixServer context={remix} url={request.url} nonce={nonce} />
      </LanguageContext.Provider>
    </Nonce.Provider>
  )
  const stream = await renderToReadableStream(page, {
    nonce,
    signal: request.signal,
    onError: (error) => context.log.error('render.threw', { message: (error as Error).message }),
  })
  await stream.allReady
  return withScriptsInside(await new Response(stream).text())
}

/**
 * Moves the scripts that React writes after the end of the document into the body. A browser also moves them,
 * but only scripts inside the body are valid HTML. Removes the comments between the scripts, because
 * hydration does not need them.
 */
function withScriptsInside(html: string): string {
  const end = '</body></html>'
  const at = html.lastIndexOf(end)
  const behind = html.slice(at + end.length).replace(/<!--\/?\$-->/g, '')
  return html.slice(0, at) + behind + end
}
