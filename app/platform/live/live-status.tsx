import { useRouteLoaderData } from '@remix-run/react'

/**
 * Makes a page live (platform/enhance/live.ts): the script replaces regions with `data-live` and an id when their
 * content has changed. The script also writes this element's text for screen readers: what has changed, or
 * that the connection was lost.
 */
export function LiveStatus() {
  const version = useRouteLoaderData<{ version: number | null }>('root')?.version ?? null
  if (version === null) return null
  return <p className="sr-only" role="status" data-version={version} />
}
