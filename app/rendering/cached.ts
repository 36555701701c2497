/**
 * The `handle` of a route whose page differs between visitors only in its slots (slots.ts), with the query parameters
 * that it reads: `export const handle = cached(['before', 'after'])`. The edge stores its GET responses
 * (edge/public-page.server.ts) under its path and these parameters. Its loaders use `context.publicData()`, because
 * they usually run without a visitor.
 */
export function cached(parameters: readonly string[] = []) {
  return { cached: { parameters } } as const
}

/** The query parameters of a cached route; null for a route that is not cached. */
export function cachedParameters(handle: unknown): readonly string[] | null {
  return (handle as Partial<ReturnType<typeof cached>> | undefined)?.cached?.parameters ?? null
}
