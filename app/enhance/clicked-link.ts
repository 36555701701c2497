/** The link that a click opens in this tab, or null if there is none or it does not match the selector. */
export function clickedLink(event: MouseEvent, selector: string): HTMLAnchorElement | null {
  const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  return elsewhere || event.defaultPrevented ? null : (event.target as Element).closest(selector)
}
