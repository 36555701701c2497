import { announce } from './copying'

/** A link with `data-share` (its title) opens the browser's share sheet, or copies the title and the address. */
document.addEventListener('click', (event) => {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-share]')
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
  const { share: title = '' } = link.dataset
  const url = link.href
  event.preventDefault()
  if (typeof navigator.share === 'function') {
    // Rejects where the visitor closes the sheet.
    navigator.share({ title, url }).catch(() => {})
    return
  }
  const text = `${title} ${url}`
  const copied = navigator.clipboard?.writeText(text) ?? Promise.reject()
  copied.then(
    () => announce('Copied to clipboard!'),
    () => announce(`Copying is blocked in this browser. Copy it by hand: ${text}`, true),
  )
})
