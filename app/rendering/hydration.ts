interface HydratedPage {
  hydrated: true
  title: string | ((query: URLSearchParams) => string)
}

/**
 * The `handle` of a route that needs framework script; all other routes are plain HTML. `title` is here and not in
 * `meta`, because Remix does not pass a refused form to `meta` (page-title.tsx).
 */
export function hydratedPage(title: HydratedPage['title']): HydratedPage {
  return { hydrated: true, title }
}

/** True if a matched route needs framework script and no error replaced it. */
export function isHydrated(state: {
  matches: readonly { route: { handle?: unknown } }[]
  errors: Record<string, unknown> | null
}): boolean {
  return state.errors === null && state.matches.some(({ route }) => readHandle(route.handle))
}

export function readHandle(handle: unknown): HydratedPage | null {
  const found = handle as Partial<HydratedPage> | undefined
  return found?.hydrated ? (found as HydratedPage) : null
}
