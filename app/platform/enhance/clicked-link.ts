/**
 * The link that a click opens in this tab; null if the click opens no link in this tab, or if the link does
 * not match the selector.
 */
export function clickedLink(event: MouseEvent, selector: string): HTMLAnchorElement | null {
  const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  return elsewhere || event.defaultPrevented ? null : (event.target as Element).closest(selector)
}
