/** A route that needs framework script says so: `export const handle = hydrated`. All others are plain HTML. */
export const hydrated = { hydrated: true } as const

/** True if a matched route needs framework script and no error replaced it. */
export function isHydrated(state: {
  matches: readonly { route: { handle?: unknown } }[]
  errors: Record<string, unknown> | null
}): boolean {
  return state.errors === null && state.matches.some(({ route }) => hasHandle(route.handle))
}

export function hasHandle(handle: unknown): boolean {
  return (handle as Partial<typeof hydrated> | undefined)?.hydrated === true
}
