import { type ComponentType, lazy } from 'react'

const opened = import.meta.env.SSR ? '' : location.href

/**
 * React's `lazy` for a component whose script a filter may block. Without the script, the server's HTML stays as it is:
 * the boundary waits for ever. After a navigation the page has no such HTML yet, and gets it by a reload.
 */
export const late = <Props>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(() => (import.meta.env.SSR ? load() : load().catch(keepHtml)))

function keepHtml(): Promise<never> {
  if (location.href !== opened) location.reload()
  return new Promise(() => {})
}
