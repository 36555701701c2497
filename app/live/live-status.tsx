import { useRouteLoaderData } from '@remix-run/react'

/**
 * Makes a page live (enhance/live.ts): its regions with `data-live` and an id are replaced when what they show has
 * changed. Its text is for screen readers, and only script writes it: what changed, and that the connection was lost.
 */
export function LiveStatus() {
  const version = useRouteLoaderData<{ version: number | null }>('root')?.version ?? null
  if (version === null) return null
  return <p className="sr-only" role="status" data-version={version} />
}
