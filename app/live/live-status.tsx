import { useRouteLoaderData } from '@remix-run/react'

/**
 * Makes a page live (enhance/live.ts): its regions with `data-live` and an id are replaced when what they show has
 * changed. Shows the state of the connection; without script, or without the hub, it shows nothing.
 */
export function LiveStatus() {
  const version = useRouteLoaderData<{ version: number | null }>('root')?.version ?? null
  if (version === null) return null
  return (
    <>
      <p className="live-status no-print" data-version={version} />
      <p className="sr-only" role="status" data-news="" />
    </>
  )
}
