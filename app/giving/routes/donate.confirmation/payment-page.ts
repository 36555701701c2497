/** What the scripts of a payment confirmation change on the page. */

/** Replaces the heading of a payment that the ledger does not have yet. */
export function showHeading(first: string, rest: string): void {
  const [large, small] = document.querySelectorAll('[data-heading] > span')
  if (large) large.textContent = first
  if (small) small.textContent = rest
}

/** Announces a sentence, but never the same sentence twice in succession. */
export function announce(text: string): void {
  const status = document.querySelector('[data-status]')
  if (status && status.textContent !== text) status.textContent = text
}

export function addPrintButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-print]')) {
    button.hidden = false
    button.onclick = () => print()
  }
}
