import type { AppLoadContext, ServerBuild } from '@remix-run/cloudflare'
import {
  createStaticHandler,
  getStaticContextFromError,
  isRouteErrorResponse,
  type LoaderFunctionArgs,
  matchRoutes,
  type StaticHandlerContext,
} from '@remix-run/router'
import { hasHandle } from './hydration'

type Route = NonNullable<ServerBuild['routes'][string]>

/**
 * Pages without framework script, made by the router that Remix stands on: the same loaders, the same entry.server.
 * What Remix's handler does beside that is a quarter of the time of such a page: it compares the address with every
 * route of the site three times, copies the request twice for each loader, and encodes for the browser what no
 * script reads there. Null for everything else, which is Remix's.
 */
export function createPlainPages(
  build: ServerBuild,
): (request: Request, context: AppLoadContext) => Promise<Response | null> {
  const sections = new Map(sectionsOf(build).map((section) => [section, createSection(build, section)]))
  return async (request, context) => {
    if (request.method !== 'GET' || !context.isDocument) return null
    const section = context.url.pathname.split('/')[1] ?? ''
    return (await sections.get(section)?.(request, context)) ?? null
  }
}

/** Makes the pages of one section, such as /voting and what is below it; null for what is no page without script. */
function createSection(build: ServerBuild, section: string) {
  const all = Object.values(build.routes).filter((route) => route !== undefined)
  const routes = all.filter(({ parentId }) => !parentId).map(toDataRoute)
  const { dataRoutes, query } = createStaticHandler(routes, {
    future: { v7_relativeSplatPath: true, v7_throwAbortReason: true },
  })
  const modules = Object.fromEntries(all.map(({ id, module }) => [id, module]))

  function toDataRoute({
    id,
    path,
    index,
    module,
  }: Route): Parameters<typeof createStaticHandler>[0][number] {
    const { loader, handle } = module
    const common = {
      id,
      path,
      handle,
      hasErrorBoundary: module.ErrorBoundary !== undefined,
      loader:
        loader &&
        (({ request, params, context }: LoaderFunctionArgs) => loader({ request, params, context })),
    }
    if (index) return { ...common, index }
    const below = all.filter(({ parentId }) => parentId === id)
    const inSection =
      id === 'root' ? below.filter((route) => [section, '*'].includes(sectionOf(route))) : below
    return { ...common, children: inSection.map(toDataRoute) }
  }

  return async (request: Request, context: AppLoadContext): Promise<Response | null> => {
    const matched = matchRoutes(dataRoutes, context.url.pathname)?.map(({ route }) => route.id) ?? []
    if (!isPlain(matched.map((id) => modules[id]))) return null

    const report = (error: unknown) =>
      build.entry.module.handleError?.(error, { request, context, params: {} })
    const render = (state: StaticHandlerContext) =>
      build.entry.module.default(
        request,
        state.statusCode,
        new Headers(),
        {
          manifest: { ...build.assets, routes: only(matched, build.assets.routes) },
          routeModules: modules,
          staticHandlerContext: state,
          future: build.future,
          isSpaMode: false,
          serializeError: ({ message }) => ({ message }),
        },
        context,
      )

    const state = await query(request, { requestContext: context })
    if (state instanceof Response) return state
    for (const error of Object.values(state.errors ?? {})) if (!isRouteErrorResponse(error)) report(error)
    try {
      return await render(state)
    } catch (error) {
      report(error)
      return render(getStaticContextFromError(dataRoutes, state, error))
    }
  }
}

/** A page, and nothing of it asks for what only Remix's handler does. */
function isPlain(modules: (Route['module'] | undefined)[]): boolean {
  return (
    modules.at(-1)?.default !== undefined &&
    modules.every((module) => module && !hasHandle(module.handle) && !module.headers)
  )
}

/** The first parts of the addresses: '' for Home. What is nowhere has none of its own. */
function sectionsOf({ routes }: ServerBuild): string[] {
  const top = Object.values(routes).filter((route) => route?.parentId === 'root')
  return [...new Set(top.map(sectionOf))].filter((section) => section !== '*')
}

function sectionOf(route: Route | undefined): string {
  return route?.path?.split('/')[0] ?? ''
}

function only<T>(ids: string[], routes: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(routes).filter(([id]) => ids.includes(id)))
}
