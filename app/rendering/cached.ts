/**
 * The `handle` of a route whose page is the same for every visitor, with the query parameters that it reads: `export
 * const handle = cached(['before', 'after'])`. The edge stores its GET responses (edge/public-page.server.ts) under its
 * path and these parameters. Its loaders run without a visitor, so they use `context.publicBackend()`.
 */
export function cached(parameters: readonly string[] = []) {
  return { cached: { parameters } } as const
}

/** The query parameters of a cached route; null for a route that is not cached. */
export function cachedParameters(handle: unknown): readonly string[] | null {
  return (handle as Partial<ReturnType<typeof cached>> | undefined)?.cached?.parameters ?? null
}
