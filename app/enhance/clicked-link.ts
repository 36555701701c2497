/** The link of a click that would follow it in this tab, if it matches the selector. */
export function clickedLink(event: MouseEvent, selector: string): HTMLAnchorElement | null {
  const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  return elsewhere || event.defaultPrevented ? null : (event.target as Element).closest(selector)
}
