/** The link that a click opens in this tab; null without one, or if the selector does not match. */
export function clickedLink(event: MouseEvent, selector: string): HTMLAnchorElement | null {
  const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  return elsewhere || event.defaultPrevented ? null : (event.target as Element).closest(selector)
}
