import { clickedLink } from './clicked-link'
import { copyText } from './copying'

/** A link with `data-share` (its title) opens the browser's share sheet, or copies the title and the URL. */
document.addEventListener('click', (event) => {
  const link = clickedLink(event, 'a[data-share]')
  if (!link) return
  const { share: title = '' } = link.dataset
  const url = link.href
  event.preventDefault()
  // `navigator.share` rejects if the visitor closes the share sheet.
  if ('share' in navigator) navigator.share({ title, url }).catch(() => {})
  else void copyText(`${title} ${url}`)
})
